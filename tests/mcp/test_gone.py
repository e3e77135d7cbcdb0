#!/usr/bin/env python3
# A client that goes, or takes a request back: whatever ran for it is dead, with
# all that it started, and the record says how it ended.
import json
import os
import signal
import time

from cases import case, equal, holds, run
from client import SECONDS, STATELESS, Client, processes, wait_until

# A command, a child, one in a session of its own, and one whose parent has gone.
TREE = "sleep {0} & setsid sleep {0} & (setsid sh -c 'trap \"\" TERM HUP INT; sleep {0}; :' &) ; exec sleep {0}"
NUMBER = [os.getpid() % 10000 * 1000]


def a_tree(writ, **more):
    """Starts it and waits until all of it runs; its id and a word by which it is found."""
    NUMBER[0] += 1
    word = f"3{NUMBER[0]:07}"
    id = writ.ask_tool("exec", shell=TREE.format(word), **more)
    wait_until(lambda: len(processes(word)) >= 4, "all of the tree runs")
    return id, word


def ends(writ):
    """The outcomes in the record, of all runs."""
    said = writ.writ("audit", "list", "--json")
    equal(said.returncode, 0, said.stderr)
    return [record.get("outcome") for record in json.loads(said.stdout)]


def check_gone(word, began, limit=1.0):
    equal(processes(word), [])
    holds(time.monotonic() - began < limit, f"it took {time.monotonic() - began:.3f} s")


@case("the end of input takes every process along, soon and on record")
def _():
    for version in ("2025-11-25", STATELESS):
        with Client(version=version) as writ:
            words = [a_tree(writ)[1], a_tree(writ, yield_ms=0)[1]]
            began = time.monotonic()
            writ.end_input()
            equal(writ.wait(), 0)
            for word in words:
                check_gone(word, began, 5)
            equal(ends(writ), ["cancelled", "cancelled"])


@case("so does each signal that ends the server")
def _():
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        with Client() as writ:
            _, word = a_tree(writ)
            began = time.monotonic()
            writ.signal(number)
            equal(writ.wait(), 128 + number)
            check_gone(word, began)
            equal(ends(writ), ["cancelled"])


@case("even when the server itself is killed nothing is left")
def _():
    with Client() as writ:
        _, word = a_tree(writ)
        writ.signal(signal.SIGKILL)
        writ.wait()
        wait_until(lambda: not processes(word), "all of it has gone", 5)


@case("so does a reader that has gone")
def _():
    writ = Client()
    _, word = a_tree(writ)
    began = time.monotonic()
    writ.process.stdout.close()
    equal(writ.wait(), 0)
    check_gone(word, began)
    writ.process.stdout = open(os.devnull, "rb")
    writ.close()


@case("a request taken back is dead, is not answered, and the others go on")
def _():
    for version in ("2025-11-25", STATELESS):
        with Client(version=version) as writ:
            first, word = a_tree(writ)
            other, other_word = a_tree(writ)
            writ.cancel(first)
            wait_until(lambda: not processes(word), "it is dead", 1)
            holds(writ.is_silent(), writ.strays)
            equal(len(processes(other_word)) >= 4, True)
            writ.cancel(other)
            wait_until(lambda: not processes(other_word), "it is dead", 1)
            writ.cancel(other)
            writ.cancel("never asked")
            equal(writ.call("exec", argv=["true"])["isError"], False)
            equal(sorted(ends(writ)), ["cancelled", "cancelled", "exited"])
            equal(writ.answers, {})


@case("thousands of calls that are taken back at once leave nothing")
def _():
    with Client() as writ:
        word = f"4{NUMBER[0]:07}"
        for i in range(3000):
            writ.send({"jsonrpc": "2.0", "id": f"c{i}", "method": "tools/call",
                       "params": writ.params({"name": "exec", "arguments": {"argv": ["sleep", word]}})})
        began = time.monotonic()
        for i in range(3000):
            writ.cancel(f"c{i}")
        equal(writ.request("tools/call", {"name": "exec", "arguments": {"argv": ["echo", "on"]}})["isError"], False)
        holds(time.monotonic() - began < SECONDS, "it took too long")
        wait_until(lambda: not processes(word), "all of them are dead", 2)
        equal(writ.answers, {})
        equal(writ.strays, [])


run()
