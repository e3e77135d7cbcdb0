#!/usr/bin/env python3
# A person ends what an agent's server runs: writ kill.
import os
import socket

from cases import case, equal, holds, is_in, run
from client import Client, processes, wait_until

POLICY = "developer"
WORD = [os.getpid() % 10000 * 1000]


def word():
    WORD[0] += 1
    return f"5{WORD[0]:07}"


def begin(writ, seconds, command="sleep {0} & (setsid sleep {0} &) ; sleep {0}"):
    state = writ.call("exec", command=command.format(seconds), yield_ms=0)["structuredContent"]
    wait_until(lambda: len(processes(seconds)) >= 3 or "trap" in command and processes(seconds), "it runs")
    return state["run_id"]


def listens(writ):
    return os.path.exists(os.path.join(writ.base, "state", "attach", f"server-{writ.process.pid}"))


def kill(writ, *words):
    """A run is a person's to end as soon as it lasts."""
    wait_until(lambda: listens(writ), "the server listens")
    return writ.writ("kill", *words)


@case("a run of an agent is ended by its id, with all its processes, and the agent is told")
def _():
    with Client(policy=POLICY) as writ:
        seconds = word()
        id = begin(writ, seconds)
        done = kill(writ, id)
        equal(done.returncode, 0, done.stdout + done.stderr)
        is_in(id, done.stdout)
        equal(processes(seconds), [])
        state = writ.call("run_read", run_id=id)["structuredContent"]
        equal(state["outcome"], "cancelled")
        equal(writ.call("exec", command="echo next")["structuredContent"]["stdout"], "next\n")


@case("one that ignores SIGTERM is ended at once with --now")
def _():
    with Client(policy=POLICY) as writ:
        seconds = word()
        id = begin(writ, seconds, "trap '' TERM; sleep {0}; sleep {0}; :")
        done = kill(writ, "--now", id)
        equal(done.returncode, 0, done.stderr)
        equal(processes(seconds), [])


@case("--all ends what writ run and what agents run, of several servers")
def _():
    with Client(policy=POLICY) as writ, Client(base=writ.base, policy=POLICY) as other:
        one, two = word(), word()
        begin(writ, one)
        begin(other, two)
        equal(writ.writ("run", "--detach", "--", "sleep", "1000").returncode, 0)
        wait_until(lambda: listens(writ) and listens(other), "both listen")
        done = writ.writ("kill", "--all")
        equal(done.returncode, 0, done.stdout + done.stderr)
        equal(len(done.stdout.splitlines()), 3)
        equal((processes(one), processes(two)), ([], []))
        equal(writ.writ("ps", "--ids").stdout, "")


@case("only that run ends: others of the server go on")
def _():
    with Client(policy=POLICY) as writ:
        one, two = word(), word()
        id = begin(writ, one)
        begin(writ, two)
        equal(kill(writ, id).returncode, 0)
        equal(processes(one), [])
        equal(len(processes(two)), 3)


@case("an agent cannot end a run of its server or of another by it")
def _():
    with Client(policy="version: 1\nrules:\n  - allow: { sandbox: none }\n") as writ:
        seconds = word()
        state = writ.call("exec", command=f"sleep {seconds}; :", yield_ms=0, sandbox="none")["structuredContent"]
        wait_until(lambda: processes(seconds), "it runs")
        wait_until(lambda: listens(writ), "the server listens")
        at = os.path.join(writ.base, "state", "attach", f"server-{writ.process.pid}")
        code = ("import socket; s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET); "
                f"s.connect('{at}'); s.send(b'K{state['run_id']}'); print('answer', s.recv(9))")
        tried = writ.call("exec", argv=["python3", "-c", code], sandbox="none")["structuredContent"]
        holds("answer b'+'" not in str(tried), tried)
        equal(len(processes(seconds)) > 0, True, "it goes on")


@case("what is no question, or about no run, is answered or hung up on, and the server goes on")
def _():
    with Client(policy=POLICY) as writ:
        seconds = word()
        begin(writ, seconds)
        wait_until(lambda: listens(writ), "the server listens")
        at = os.path.join(writ.base, "state", "attach", f"server-{writ.process.pid}")
        for packet, answer in ((b"T01NOSUCHRUN", b"-"), (b"K", b""), (b"", b""), (b"Z" * 60, b""), (b"K" + b"x" * 5000, b"-")):
            with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as line:
                line.settimeout(30)
                line.connect(at)
                line.send(packet) if packet else line.shutdown(socket.SHUT_WR)
                equal(line.recv(9), answer, str(packet[:20]))
        # Lines that say nothing keep nobody from the others for good.
        idle = [socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) for _ in range(4)]
        for line in idle:
            line.connect(at)
        for line in idle:
            line.close()
        equal(len(processes(seconds)), 3)
        equal(writ.call("exec", command="echo fine")["structuredContent"]["stdout"], "fine\n")


@case("a server that only answers quick calls opens no socket, and one that ends removes it")
def _():
    with Client(policy=POLICY) as writ:
        for _ in range(5):
            writ.call("exec", command="true")
        holds(not listens(writ), "nothing lasted")
        begin(writ, word())
        wait_until(lambda: listens(writ), "the server listens")
        writ.end_input()
        writ.wait()
        holds(not listens(writ), "it is left behind")


run()
