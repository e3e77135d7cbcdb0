#!/usr/bin/env python3
"""How runs end: whoever ends them, nothing of them is alive afterwards, and the record says so."""
import os
import signal
import time

from cases import case, equal, holds, is_in, run
from client import Client, processes, text_of, wait_until

PAYLOAD = os.path.join(os.environ.get("WRIT_TEST_PROGRAMS", ""), "payload")


def object_of(result):
    return result["structuredContent"]


# In the foreground, in the background, in a session of its own, and without a parent; the last hears no signal.
FOUR = """sleep $0 & setsid sleep $0 & (setsid sleep $0 &); (trap '' TERM HUP INT; exec sleep $0) &
touch tree/ready; sleep $0"""


class Tree:
    """A command that does not want to end, and descendants that have left it in every way."""

    def __init__(self, writ, profile="none", **more):
        path = os.path.join(writ.project, "tree")
        os.mkdir(path)
        # Where walls stand, the test's own program cannot be seen.
        self.mark = path if profile == "none" else f"4{writ.pid}"
        argv = [PAYLOAD, path] if profile == "none" else ["sh", "-c", FOUR, self.mark]
        self.asked = writ.ask_tool("exec", argv=argv, **more)
        wait_until(lambda: os.path.exists(os.path.join(path, "ready")), "the tree stands")
        wait_until(lambda: len(self.alive()) >= 5, "it has descendants")
        self.path = path

    def alive(self):
        return processes(self.mark)


def check_record(writ, outcome):
    """The trail is whole, and the last run has its end in it."""
    verified = writ.writ("audit", "verify")
    equal(verified.returncode, 0, verified.stdout + verified.stderr)
    is_in(outcome, writ.writ("audit", "list", "--json").stdout)


for profile in ("none", "workspace"):
    @case(f"after a timeout nothing is alive ({profile})")
    def _(profile=profile):
        with Client("--sandbox", profile) as writ:
            tree = Tree(writ, profile, timeout_ms=3000)
            equal(object_of(writ.result(tree.asked))["outcome"], "timed_out")
            equal(tree.alive(), [])
            check_record(writ, "timed_out")

    @case(f"after a cancellation nothing is alive, and nothing is said ({profile})")
    def _(profile=profile):
        with Client("--sandbox", profile) as writ:
            tree = Tree(writ, profile)
            writ.cancel(tree.asked)
            wait_until(lambda: not tree.alive(), "the tree is gone", 5)
            writ.request("ping")
            holds(tree.asked not in writ.answers, "it was answered")
            wait_until(lambda: "cancelled" in writ.writ("audit", "list", "--json").stdout, "its end is in the record")
            check_record(writ, "cancelled")

    @case(f"after run_kill nothing is alive ({profile})")
    def _(profile=profile):
        with Client("--sandbox", profile) as writ:
            tree = Tree(writ, profile, yield_ms=100)
            run_id = object_of(writ.result(tree.asked))["run_id"]
            equal(object_of(writ.call("run_kill", run_id=run_id, grace_ms=200))["outcome"], "cancelled")
            equal(tree.alive(), [])
            check_record(writ, "cancelled")

    for name, end in (("the end of its input", lambda writ: writ.end_input()),
                      ("SIGTERM", lambda writ: writ.signal(signal.SIGTERM))):
        @case(f"after {name} nothing is alive, waited for or not ({profile})")
        def _(profile=profile, end=end):
            with Client("--sandbox", profile) as writ:
                tree = Tree(writ, profile)
                second = object_of(writ.call("exec", argv=["sleep", "4711"], yield_ms=0))["run_id"]
                began = time.monotonic()
                end(writ)
                writ.wait()
                took = time.monotonic() - began
                equal(tree.alive(), [])
                holds(took < 5, f"it took {took} s")
                check_record(writ, "cancelled")
                is_in(second, writ.writ("audit", "list", "--json").stdout)

    @case(f"when the server is killed nothing stays ({profile})")
    def _(profile=profile):
        with Client("--sandbox", profile) as writ:
            tree = Tree(writ, profile)
            writ.signal(signal.SIGKILL)
            writ.wait()
            wait_until(lambda: not tree.alive(), "the tree is gone", 10)


@case("a command that has ended leaves no background process")
def _():
    with Client() as writ:
        tree = Tree(writ)
        with open(os.path.join(tree.path, "go"), "w", encoding="utf-8"):
            pass
        equal(object_of(writ.result(tree.asked))["outcome"], "exited")
        equal(tree.alive(), [])


@case("fifty runs go on at the same time")
def _():
    with Client() as writ:
        began = time.monotonic()
        asked = [writ.ask_tool("exec", argv=["sleep", "0.2"]) for _ in range(50)]
        for one in asked:
            equal(object_of(writ.result(one))["exit_code"], 0)
        holds(time.monotonic() - began < 5, "one after the other would be 10 s")


@case("two thousand calls at once are all answered")
def _():
    with Client() as writ:
        line = '{{"jsonrpc":"2.0","id":{0},"method":"tools/call","params":{{"name":"exec","arguments":{{"argv":["true"]}}}}}}\n'
        writ.asked.update(range(1000, 3000))
        writ.send_bytes("".join(line.format(i) for i in range(1000, 3000)).encode())
        for i in range(1000, 3000):
            equal(object_of(writ.result(i, 120))["exit_code"], 0)
        equal(writ.call("exec", argv=["echo", "next"])["isError"], False)


@case("a client that does not read stops the server's reading, not its runs")
def _():
    with Client() as writ:
        asked = [writ.ask_tool("exec", argv=["seq", "1", "20000"], max_bytes=100000) for _ in range(100)]
        wait_until(lambda: not processes("20000"), "all have run")
        holds(writ.memory() < 64 * 1024, f"{writ.memory()} KiB")
        for one in asked:
            equal(object_of(writ.result(one))["exit_code"], 0)


@case("a flood of output needs little memory")
def _():
    with Client() as writ:
        result = writ.call("exec", argv=["head", "-c", str(50 << 20), "/dev/zero"], timeout=60)
        equal(object_of(result)["stdout_bytes"], 50 << 20)
        holds(writ.memory("VmHWM") < 32 * 1024, f"{writ.memory('VmHWM')} KiB")


@case("who only looks leaves nothing behind")
def _():
    with Client() as writ:
        writ.request("ping")
        holds(not os.path.exists(os.path.join(writ.base, "state")), "there is a state directory")


@case("a refused call has its record")
def _():
    with Client(policy="developer") as writ:
        equal(object_of(writ.call("exec", argv=["sudo", "id"]))["error"]["code"], "denied")
        is_in("denied", text_of(writ.call("exec", argv=["sudo", "id"])))
        is_in("refused", writ.writ("audit", "list", "--json").stdout)


run()
