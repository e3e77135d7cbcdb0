#!/usr/bin/env python3
"""What an agent gives a run to read: judged by the policy, and in the record."""
import json
import os

from cases import case, equal, holds, is_in, run
from client import Client, text_of, wait_until


def start(writ, *argv, **more):
    result = writ.call("exec", argv=list(argv), stdin_open=True, yield_ms=0, **more)
    equal(result["isError"], False, text_of(result))
    return result["structuredContent"]["run_id"]


def give(writ, run_id, text, **more):
    return writ.call("run_input", run_id=run_id, text=text, **more)


def code(result):
    equal(result["isError"], True, text_of(result))
    return result["structuredContent"]["error"]["code"]


def output(writ, run_id):
    """All of its output, when it has ended."""
    end = {}

    def is_over():
        end.update(writ.call("run_read", run_id=run_id, wait_ms=500)["structuredContent"])
        return end["outcome"] != "running" and end["end"]
    wait_until(is_over, "its end")
    return end["data"]


def records(writ, kind):
    return [json.loads(line) for line in writ.writ("audit", "export", "--kind", kind).stdout.splitlines()]


@case("what a shell is told is judged as its text, under the policy for developers")
def _():
    with Client(policy="developer") as writ:
        shell = start(writ, "sh")
        equal(give(writ, shell, "echo one >file; cat file\n")["isError"], False)
        equal(code(give(writ, shell, "sudo id\n")), "denied")
        equal(code(give(writ, shell, f"cat {writ.base}/home/.ssh/id_rsa\n")), "denied")
        equal(code(give(writ, shell, "curl https://example.org\n")), "approval_required")
        equal(give(writ, shell, "cd /; pwd\n", close=True)["isError"], False)
        equal(output(writ, shell), "one\n/\n")


@case("a word in two pieces is judged as one")
def _():
    with Client(policy="version: 1\nsandbox: none\nrules: [{allow: {}}, {deny: {program: sudo}}]\n") as writ:
        shell = start(writ, "bash", "--norc")
        equal(give(writ, shell, "echo one; su")["isError"], False)
        equal(code(give(writ, shell, "do id\n")), "denied")
        equal(give(writ, shell, "ch-a-program 2>&1\n", close=True)["isError"], False)
        is_in("such-a-program: command not found", output(writ, shell))


@case("what is typed at a terminal is judged as on one, whatever its size")
def _():
    with Client(policy="version: 1\nsandbox: none\nrules: [{allow: {}}, {deny: {program: git, effect: code}}]\n") as writ:
        for pty, paged in (({"pty": True, "rows": 40}, "denied"), ({}, None)):
            shell = writ.call("exec", argv=["sh"], yield_ms=0, **(pty or {"stdin_open": True}))["structuredContent"]["run_id"]
            equal(give(writ, shell, "git --no-pager branch\n")["isError"], False)
            result = give(writ, shell, "git branch\n")
            equal(code(result) if paged else result["isError"], paged or False)
            writ.call("run_kill", run_id=shell)


@case("any other command reads what it likes, as long as the policy lets it run")
def _():
    policy = "version: 1\nsandbox: none\nrules: [{allow: {}}]\n"
    with Client(policy=policy) as writ:
        cat = start(writ, "cat")
        equal(give(writ, cat, "sudo id\n")["isError"], False)
        with open(os.path.join(writ.base, "policy.yaml"), "w", encoding="utf-8") as file:
            file.write(policy.replace("[{allow: {}}]", "[{allow: {}}, {deny: {program: cat}}]"))
        equal(code(give(writ, cat, "more\n")), "denied")
        equal(writ.call("run_input", run_id=cat, close=True)["isError"], False)
        equal(output(writ, cat), "sudo id\n")


@case("the record has every piece, by its size and a keyed hash, and proves it")
def _():
    with Client(policy="developer") as writ:
        shell = start(writ, "sh")
        give(writ, shell, "echo hunter2\n")
        give(writ, shell, "sudo hunter2\n")
        writ.call("run_input", run_id=shell, close=True)
        output(writ, shell)
        given = records(writ, "input")
        equal([(one["run"], one["bytes"], one["policy"]["decision"]) for one in given],
              [(shell, 13, "allow"), (shell, 13, "deny")])
        holds(given[0]["input"] != given[1]["input"] and len(given[0]["input"]) == 64, given)
        holds("hunter2" not in json.dumps(given), given)
        is_in("input", writ.writ("audit", "show", shell).stdout)
        is_in("13 bytes, deny", writ.writ("audit", "tail", "--kind", "input").stdout)
        equal(len(writ.writ("audit", "list", "--json").stdout.splitlines()), 1)
        proof = writ.writ("audit", "verify")
        equal(proof.returncode, 0, proof.stdout + proof.stderr)


run()
