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


def git_project(undo=None):
    files = {"project/src/a.c": "int a;\n", "project/.gitignore": "ignored\n", "project/ignored": "kept by nobody\n"}
    home = Household(files, **({"policy": POLICY.format(undo)} if undo else {}))
    home.outside("git", "init", "-q", "-b", "main")
    home.outside("git", "config", "user.name", "a")
    home.outside("git", "config", "user.email", "a@example.org")
    home.outside("git", "add", ".")
    home.outside("git", "commit", "-qm", "first")
    with open(os.path.join(home.project, "src/a.c"), "a", encoding="utf-8") as file:
        file.write("int uncommitted;\n")
    return home


@case("rm, git reset --hard and git clean -fdx: nobody is asked, and all comes back")
def _():
    with git_project() as home:
        state, text = home.call("rm -rf src; git reset --hard; git clean -fdx")
        equal((state["outcome"], state["changes"]["state"]), ("exited", "accepted"), text)
        home.nobody_was_asked()
        equal(read(home, "src/a.c"), "int a;\n")
        holds(not os.path.exists(os.path.join(home.project, "ignored")), "git clean did nothing")
        is_in("undid ", writ(home, "undo").stdout)
        equal(read(home, "src/a.c") + read(home, "ignored"), "int a;\nint uncommitted;\nkept by nobody\n")
        equal(home.outside("git", "status", "--short"), " M src/a.c\n")


@case("what cannot be undone is asked about as before")
def _():
    home = git_project()
    try:
        result = home.agent().call("exec", command="sleep 0.1 & git reset --hard")
        is_in("approval", text_of(result))
        equal(read(home, "src/a.c"), "int a;\nint uncommitted;\n")
    finally:
        home.close()


@case("git's own reading and adding needs no layer, what throws away has one")
def _():
    with git_project() as home:
        for command in ("git status", "git diff", "git log", "git add -A", "git commit -qm second"):
            equal(home.call(command)[0].get("changes"), None, command)
        equal(home.call("git checkout -q HEAD^ -- .")[0]["changes"]["state"], "accepted")


# Each waits for what the other writes.
SERVER = "#!/bin/sh\nuntil [ -e asked ]; do sleep 0.02; done\necho ok >answered\nexec sleep 600\n"
CLIENT = "#!/bin/sh\n: >asked\nuntil [ -e answered ]; do sleep 0.02; done\ncat answered\n"


def serving():
    home = Household(dict(FILES, **{"project/serve": SERVER, "project/ask": CLIENT}))
    for name in ("serve", "ask"):
        os.chmod(os.path.join(home.project, name), 0o755)
    return home


@case("a run in the background works on the project, and so does what talks with it")
def _():
    with serving() as home:
        started = home.agent().call("exec", command="./serve", background=True)
        run_id = started["structuredContent"]["run_id"]
        # On a layer neither would ever see the other's file.
        state, text = home.call("./ask", timeout=60)
        equal(state["stdout"], "ok\n", text)
        equal(state["changes"]["state"], "none")
        is_in("a run that stays works in the project", state["changes"]["why"])
        # What takes away has its layer all the same.
        state, _ = home.call("rm -r src")
        equal(state["changes"]["state"], "accepted")
        is_in("undid 1 change", writ(home, "undo", "last", "src").stdout)
        home.agent().call("run_kill", run_id=run_id)
        os.unlink(os.path.join(home.project, "asked"))
        state, text = home.call("./ask")
        equal(state["changes"]["state"], "accepted", text)


@case("an agent is told what a layer cannot rename")
def _():
    with household("on") as home:
        state, text = home.call("python3 -c 'import os; os.rename(\"src\", \"lib\")'")
        is_in("[a directory that was there before cannot be renamed here (EXDEV); mv copies it]", text)
        equal(state["exit_code"], 1)
        _, text = home.call("mv src lib; cat lib/b.txt")
        is_in("two", text)


@case("an agent is told in a line what is held back")
def _():
    with household("on") as home:
        state, text = home.call("echo 'touch evil' >.envrc; echo fine >fine")
        is_in("[held back until a person restores it: ", text)
        is_in("/.envrc: direnv runs it]", text)
        equal([one["why"] for one in state["held"]], ["direnv runs it"])
        equal(read(home, "fine"), "fine\n")
        holds(not os.path.exists(os.path.join(home.project, ".envrc")), ".envrc is there")
        is_in("restored 1 change", writ(home, "quarantine", "restore").stdout)
        equal(read(home, ".envrc"), "touch evil\n")


@case("a rule can make a trial of what it matches")
def _():
    if os.getuid() != 0:
        skip("in the user namespace of the test no policy file can be trusted", runs_elsewhere=True)
    policy = "version: 1\ninclude: [developer]\nrules:\n  - { allow: { program: rm }, trial: true }\n"
    with Household(FILES, policy=policy) as home:
        state, _ = home.call("rm a.txt")
        equal(state["changes"]["state"], "waits")
        home.run("echo new >b.txt")
        equal(read(home, "a.txt") + read(home, "b.txt"), "one\nnew\n")
        is_in("accepted 1 change", writ(home, "trial", "accept").stdout)
        holds(not os.path.exists(os.path.join(home.project, "a.txt")), "a.txt is still there")


@case("the runs of a session are a stack, and its changes are shown together")
def _():
    with household("on") as home:
        state, _ = home.call("echo 1 >a.txt")
        home.run("echo 2 >a.txt; rm -r src")
        session = state["sandbox"]["session"]
        shown = writ(home, "diff", session).stdout
        is_in("deleted   src", shown)
        equal(shown.count("changed   a.txt"), 2, shown)
        is_in("undid", writ(home, "undo", "--session", session).stdout)
        equal(read(home, "a.txt") + read(home, "src/b.txt"), "one\ntwo\n")


@case("what a live session replaced is kept, and what does not fit beside it waits")
def _():
    with household("on") as home:
        for name in "123":
            with open(os.path.join(home.project, name), "wb") as file:
                file.write(os.urandom(3 << 20))
        home.env["WRIT_UNDO_SIZE"] = "7MiB"
        states = [home.call(f"rm {name}")[0]["changes"] for name in "123"]
        equal([state["state"] for state in states], ["accepted", "accepted", "waits"])
        is_in("does not fit in undo_size (7 MiB)", states[2]["why"])
        holds(os.path.exists(os.path.join(home.project, "3")), "it was accepted")
        # The session ends, and with it what kept the first two.
        home.writ.close()
        writ(home, "run", "--sandbox", "workspace", "--undo", "on", "--", "rm", "3")
        is_in("undid 1 change", writ(home, "undo").stdout)


move_in()
run()
