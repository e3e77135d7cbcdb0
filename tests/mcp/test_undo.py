#!/usr/bin/env python3
# What an agent's commands change can be undone, or waits, as the policy says.
import os

from cases import case, equal, holds, is_in, run, skip
from client import text_of
from household import Household, move_in

FILES = {"project/a.txt": "one\n", "project/src/b.txt": "two\n"}
POLICY = "version: 1\ninclude: [developer]\nundo: {0}\n"


def household(undo):
    if os.getuid() != 0:
        skip("in the user namespace of the test no policy file can be trusted", runs_elsewhere=True)
    return Household(FILES, policy=POLICY.format(undo))


def writ(home, *argv):
    return home.writ.writ(*argv)


def read(home, path):
    with open(os.path.join(home.project, path), encoding="utf-8") as file:
        return file.read()


@case("what an agent deleted comes back")
def _():
    with household("on") as home:
        state, text = home.call("rm -r src; echo more >>a.txt; ls")
        equal(state["changes"]["state"], "accepted", text)
        holds(not os.path.exists(os.path.join(home.project, "src")), "src is still there")
        is_in("undid 2 changes", writ(home, "undo").stdout)
        equal(read(home, "src/b.txt") + read(home, "a.txt"), "two\none\n")


@case("an agent is told that its changes wait")
def _():
    with household("trial") as home:
        state, text = home.call("echo two >>a.txt; cat a.txt")
        equal(state["stdout"], "one\ntwo\n")
        is_in("[what it changed in the project waits until a person accepts it; the project is as before]", text)
        equal(read(home, "a.txt"), "one\n")
        is_in("accepted 1 change", writ(home, "trial", "accept").stdout)
        equal(home.run("cat a.txt"), "one\ntwo\n")


@case("an agent cannot ask for less, nor accept what waits")
def _():
    with household("trial") as home:
        state, _ = home.call("echo two >>a.txt")
        equal(state["changes"]["state"], "waits")
        for word in ("trial accept", "undo"):
            is_in("denied", text_of(home.agent().call("exec", command=f"{os.environ['WRIT']} {word}")))
        # Under another name it is not judged as writ, and finds nothing.
        home.call(f"cp {os.environ['WRIT']} /tmp/other; /tmp/other trial accept; /tmp/other trial")
        equal(read(home, "a.txt"), "one\n")


@case("calls one after the other see what those before them changed")
def _():
    with household("on") as home:
        home.run("mkdir new; echo 1 >new/x")
        equal(home.run("cat new/x; echo 2 >new/x"), "1\n")
        equal(home.run("cat new/x; rm -r new"), "2\n")
        for _ in range(3):
            writ(home, "undo")
        holds(not os.path.exists(os.path.join(home.project, "new")), "new is still there")


move_in()
run()
