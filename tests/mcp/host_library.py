#!/usr/bin/env python3
"""A server of <writ/mcp.h> in a host's loop: examples/mcp_server.c, as its client sees it."""
import os
import signal
import sys

from cases import case, equal, holds, is_in, run
from client import Client, processes, text_of, wait_until

SERVER = sys.argv.pop(1)


def serve(*arguments, policy="open", **named):
    return Client(policy=policy, argv=[SERVER, *arguments], structured=False, **named)


@case("the same tools, and a command runs")
def _():
    with serve() as writ:
        names = [tool["name"] for tool in writ.request("tools/list")["tools"]]
        is_in("exec", names)
        is_in("policy_check", names)
        is_in("a b", text_of(writ.call("exec", argv=["echo", "a b"])))


@case("the host chooses directory and agent, and no message another")
def _():
    policy = "version: 1\nsandbox: none\nrules: [{allow: {}}]\nagents: {helper: {tools: [pwd]}}\n"
    with serve("/", "helper", policy=policy) as writ:
        is_in("/\n", text_of(writ.call("exec", argv=["pwd"])) + "\n")
        equal(writ.call("exec", argv=["ls"])["isError"], True)
        equal(writ.call("exec", argv=["pwd"], agent="other")["isError"], True)


@case("calls go on beside each other, and one can be cancelled")
def _():
    with serve() as writ:
        word = f"75{os.getpid()}"
        slow = writ.ask_tool("exec", argv=["sleep", word])
        wait_until(lambda: processes(word), "the command")
        is_in("quick", text_of(writ.call("exec", argv=["echo", "quick"])))
        writ.cancel(slow)
        wait_until(lambda: not processes(word), "its end")


@case("what the shapes of a policy say")
def _():
    with serve(policy="version: 1\ninclude: denylist\nsandbox: none\n") as writ:
        equal(text_of(writ.call("exec", command="sudo", args=["id"])), "Command not allowed: sudo")


@case("with the client everything of it ends, and the host goes on to its own end")
def _():
    writ = serve()
    word = f"76{os.getpid()}"
    writ.ask_tool("exec", argv=["sleep", word])
    wait_until(lambda: processes(word), "the command")
    writ.process.stdin.close()
    equal(writ.process.wait(20), 0)
    equal(processes(word), [])
    writ.close()


@case("a client that stops reading does not kill the host by SIGPIPE")
def _():
    writ = serve()
    writ.ask_tool("exec", argv=["sh", "-c", "sleep 1; echo late"])
    writ.process.stdout.close()
    code = writ.process.wait(20)
    holds(code != -signal.SIGPIPE, code)
    equal(code, 0)


run()
