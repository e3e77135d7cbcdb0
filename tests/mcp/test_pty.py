#!/usr/bin/env python3
"""Commands with a terminal of their own, driven by a client."""
import os
import signal
import sys
import time

from cases import case, equal, holds, is_in, run
from client import Client, processes, program, wait_until

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
from seat import Seat  # noqa: E402


def object_of(result):
    return result["structuredContent"]


def begin(writ, *argv, **more):
    result = object_of(writ.call("exec", argv=list(argv), pty=True, yield_ms=0, **more))
    equal(result["outcome"], "running")
    return result["run_id"]


def screen(writ, run_id):
    return object_of(writ.call("run_read", run_id=run_id, wait_ms=0))["data"]


def sees(writ, run_id, text):
    wait_until(lambda: text in screen(writ, run_id), "'%s' on the screen" % text)


def types(writ, run_id, text, **more):
    equal(object_of(writ.call("run_input", run_id=run_id, text=text, **more))["bytes"], len(text))


def attach(writ, run_id, **more):
    """A person at a terminal of their own."""
    words = ["env", "-i", *("%s=%s" % (name, value) for name, value in writ.env.items())]
    return Seat(*words, program(), "attach", run_id, **more)


@case("in every profile the command has a terminal of the size that was asked for")
def _():
    with Client() as writ:
        for profile in ("none", "env", "readonly", "workspace", "strict"):
            for _ in range(2):
                result = object_of(writ.call("exec", argv=["sh", "-c", "test -t 0 && test -t 2 && stty size; tty | cut -c1-9"],
                                             pty=True, rows=11, columns=22, sandbox=profile))
                equal(result["stdout"], "11 22\r\n/dev/pts/\r\n", profile)
                equal(result["stderr"], "")


@case("keys, sizes and the end of input reach it")
def _():
    with Client() as writ:
        run_id = begin(writ, "bash", "--norc", "--noediting", "-i", sandbox="workspace")
        sees(writ, run_id, "bash-")
        types(writ, run_id, "echo one$((1+1))three\r")
        sees(writ, run_id, "one2three")
        types(writ, run_id, "sh -c 'echo be\"\"gun; exec sleep 60'\r")
        sees(writ, run_id, "begun")
        types(writ, run_id, "\x03")
        types(writ, run_id, "stty size\r", rows=40, columns=90)
        sees(writ, run_id, "40 90")
        writ.call("run_input", run_id=run_id, close=True)
        wait_until(lambda: object_of(writ.call("run_read", run_id=run_id, wait_ms=100))["end"], "its end")


@case("what Ctrl-Z stops goes on, since nobody could wake it")
def _():
    with Client() as writ:
        for profile in ("none", "workspace"):
            run_id = begin(writ, "sh", "-c", "echo ready; read x; echo got $x", sandbox=profile)
            sees(writ, run_id, "ready")
            types(writ, run_id, "\x1a")
            types(writ, run_id, "on\r")
            sees(writ, run_id, "got on")


@case("a client that goes takes whatever sits behind its terminals along")
def _():
    for profile in ("none", "workspace"):
        mark = "61%d" % time.monotonic_ns()
        with Client() as writ:
            run_id = begin(writ, "bash", "--norc", "-ic",
                           "trap '' HUP TERM; nohup sleep {0} >/dev/null 2>&1 & setsid sleep {0} & sleep {0} & "
                           "kill -STOP $!; echo here; sleep {0}".format(mark), sandbox=profile)
            sees(writ, run_id, "here")
            writ.end_input()
            writ.wait()
            equal(list(processes(mark)), [])


@case("a shell at its prompt can be ended without its grace")
def _():
    with Client() as writ:
        run_id = begin(writ, "bash", "--norc", "-i")
        sees(writ, run_id, "bash-")
        since = time.monotonic()
        result = object_of(writ.call("run_kill", run_id=run_id, grace_ms=5000))
        is_in(result["outcome"], ("cancelled", "exited"))
        holds(time.monotonic() - since < 4, "it took the whole grace")


@case("a person attaches to its terminal, sees it and types; the run's end is told")
def _():
    with Client() as writ:
        run_id = begin(writ, "env", "PS1=READY ", "bash", "--norc", "--noediting", "-i", sandbox="workspace")
        sees(writ, run_id, "READY ")
        seat = attach(writ, run_id, rows=20, columns=70)
        seat.sees("attached to")
        seat.sees("READY ")
        seat.type("stty size; echo o''ne\r")
        seat.sees("20 70")
        seat.sees("one")
        sees(writ, run_id, "one")
        types(writ, run_id, "echo tw''o\r")
        seat.sees("two")
        # The server goes on while a terminal reads nothing.
        types(writ, run_id, "seq 1 20000\r")
        sees(writ, run_id, "20000")
        seat.sees("20000")
        types(writ, run_id, "exit 3\r")
        seat.sees("has ended with 3")


@case("nobody attaches to a run without a terminal, and the server's end is told")
def _():
    with Client() as writ:
        run_id = object_of(writ.call("exec", argv=["sleep", "60"], yield_ms=0))["run_id"]
        attach(writ, run_id).sees("has no terminal")
        run_id = begin(writ, "sleep", "60")
        seat = attach(writ, run_id)
        seat.sees("attached to")
        # One that comes while the server does nothing, and is seen at its end.
        writ.signal(signal.SIGSTOP)
        late = attach(writ, run_id)
        late.sees("attached to")
        writ.end_input()
        writ.signal(signal.SIGCONT)
    seat.sees("has ended with 137")
    late.sees("has ended with 137")


run()
