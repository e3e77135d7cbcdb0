#!/usr/bin/env python3
"""The text is the answer: what a model reads, and what it costs."""
import json
import os

from cases import case, equal, holds, is_in, run
from client import STATELESS, Client, text_of

PLAIN = {"structured": False}


def size(result):
    return len(text_of(result).encode())


@case("an answer is its text, and has no object unless that is wanted")
def _():
    for version in ("2025-06-18", "2025-11-25", STATELESS):
        with Client(version=version, **PLAIN) as writ:
            result = writ.call("exec", command="echo hi")
            equal(text_of(result), "hi")
            for one in (result, writ.call("exec", command="no-such-program"), writ.call("run_list"),
                        writ.call("module_search", query="git"), writ.call("policy_check", command="ls"),
                        writ.call("exec", argv=["no-such-program"]), writ.call("exec")):
                holds("structuredContent" not in one, one)
            for tool in writ.request("tools/list")["tools"]:
                holds("outputSchema" not in tool, tool["name"])
        with Client(version=version) as writ:
            equal(writ.call("exec", command="echo hi")["structuredContent"]["stdout"], "hi\n")
            holds(any("outputSchema" in tool for tool in writ.request("tools/list")["tools"]), "no schema")


def named(client, *options, **more):
    """A connection of the client with this name."""
    writ = Client(*options, version=None, **PLAIN, **more)
    writ.request("initialize", {"protocolVersion": "2025-11-25", "capabilities": {},
                                "clientInfo": {"name": client, "version": "1"}})
    return writ


@case("a client that is known to show both gets both")
def _():
    with named("inspector-client") as writ:
        is_in("structuredContent", writ.call("exec", command="echo hi"))


@case("output that looks like JSON is no object for a client that would take it for one")
def _():
    for client, known in (("gemini-cli-mcp-client", True), ("qwen-cli-mcp-client-writ", False), ("others", False)):
        with named(client) as writ:
            for output in ("42", "[1, 2]", "null", '{"a": 1}'):
                result = writ.call("exec", command=f"echo '{output}'")
                equal(text_of(result), output)
                equal(result.get("structuredContent"), {} if known else None, client)


@case("an error is plain text for a client that would quote all of it as JSON")
def _():
    for client, known in (("gemini-cli-mcp-client", True), ("qwen-cli-mcp-client-writ", True), ("others", False)):
        with named(client, policy="developer") as writ:
            for command, words in (("sudo ls", "denied: "), ("ls /nowhere", "exit code 2"), ("no-such-program", "exit code 127")):
                result = writ.call("exec", command=command)
                is_in(words, text_of(result))
                equal(result["isError"], not known, client)
        with named(client, "--exec-shape", "story") as writ:
            equal(writ.call("exec", command="false", args=[])["isError"], True)


@case("a short time is not said of a run that goes on either")
def _():
    with Client(**PLAIN) as writ:
        equal(text_of(writ.call("exec", command="sleep 60", yield_ms=1)).split("\n")[0], "running")


@case("an answer to a call that says no size has less than 20 KiB, in lines and names of any kind")
def _():
    with Client(**PLAIN) as writ:
        for command in ("seq 20000", "seq 20000 >&2; exit 3", "seq 9000; seq 9000 >&2; cd /usr", "head -c 90000 /dev/zero"):
            holds(size(writ.call("exec", command=command)) < 20 * 1024, command)


@case("the shapes that are given keep their object")
def _():
    for shape, arguments in (("story", {"command": "echo", "args": ["hi"]}), ("oxios", {"mode": "shell", "command": "echo hi"})):
        with Client("--exec-shape", shape, **PLAIN) as writ:
            equal(writ.call("exec", **arguments)["structuredContent"]["stdout"], "hi\n")


@case("exec is loaded at once, the others when they are wanted")
def _():
    with Client(**PLAIN) as writ:
        listed = writ.request("tools/list")["tools"]
        equal([one["name"] for one in listed if "_meta" in one], ["exec"])
        equal(listed[0]["_meta"], {"anthropic/alwaysLoad": True})


@case("no blank lines at the end, and none between output and what is said of it")
def _():
    with Client(**PLAIN) as writ:
        for command, text in (("printf 'a\\n\\n\\n'", "a"), ("printf '\\n\\na'", "\n\na"), ("printf 'a\\r\\n'", "a"),
                              ("printf 'out\\n\\n'; printf 'err\\n' >&2; exit 3", "out\nerr\nexit code 3"),
                              ("echo err >&2", "err"), ("true", "(no output)"), ("printf '\\n\\n'", "(no output)"),
                              ("exit 4", "exit code 4"), ("kill -9 $$", "ended by SIGKILL")):
            equal(text_of(writ.call("exec", command=command)), text, command)


@case("an exit code that is an answer is no error, and is told")
def _():
    with Client(**PLAIN) as writ:
        with open(os.path.join(writ.project, "a"), "w", encoding="utf-8") as file:
            file.write("a\n")
        for answer in ("grep -q b a", "cd . && grep b a", "cat a | grep b", "diff a /dev/null >/dev/null; diff -q a a; test -e b",
                       "cmp -s a /dev/null", "[ -e b ]", "[[ -e b ]]", "test -e 'b c;d'", "echo x; /bin/grep b a;",
                       "grep b a 2>&1", "LC_ALL=C; grep b a"):
            result = writ.call("exec", command=answer)
            equal([result["isError"], text_of(result).split("\n")[-1]], [False, "exit code 1"], answer)
        equal(writ.call("exec", argv=["grep", "b", "a"])["isError"], False)
        for failure in ("grep b no-such-file", "grep b a; exit 1", "grep b a || false", "(grep b a)", "false", "! grep a a",
                        "cd nowhere && grep b a", "grep b a && sh -c 'exit 1'; sh -c 'exit 1'", "$(grep b a; echo false)",
                        "if true; then grep b a; fi", "exit 2 # grep", "bash -c 'exit 1' <<E\ngrep b a\nE", "grep --bad-option"):
            result = writ.call("exec", command=failure)
            equal(result["isError"], True, failure)


@case("binary output is named, and capped")
def _():
    with Client(**PLAIN) as writ:
        result = writ.call("exec", command="head -c 100000 /dev/urandom")
        is_in("[binary, 100000 bytes in all]", text_of(result))
        holds(size(result) < 600, size(result))


@case("a wall that refused is a line")
def _():
    policy = "version: 1\nsandbox: workspace\nrules: [{allow: {}}]\n"
    with Client(policy=policy, **PLAIN) as writ:
        lines = text_of(writ.call("exec", argv=["touch", "/usr/writ-none"])).split("\n")
        equal([line for line in lines if "the sandbox refused" in line],
              ["the sandbox refused: write /usr/writ-none (guessed)"])
        many = text_of(writ.call("exec", command="for i in 1 2 3 4 5 6; do touch /usr/writ-$i; done; exit 1")).split("\n")
        holds(len([line for line in many if "the sandbox refused" in line]) <= 4, many)


@case("a denial has at most 300 bytes, with what would be allowed, and no rule of the policy")
def _():
    policy = """version: 1
sandbox: workspace
rules:
  - allow: git status ...
  - deny: {read: /srv/very-secret-place}
  - deny: git ...
  - deny: {effect: net}
  - allow: {}
"""
    with Client(policy=policy, **PLAIN) as writ:
        for arguments in ({"command": "git push --force " + "x" * 400}, {"argv": ["git", "y" * 4000]}, {"command": "git " + "é" * 500},
                          {"command": "git push"}, {"command": "cat /srv/very-secret-place"}, {"command": "curl http://example.org"}):
            result = writ.call("exec", **arguments)
            text = text_of(result)
            holds(text.startswith("denied: "), text)
            holds(size(result) <= 300, (size(result), text))
            holds(len(text.split("\n")) == 2, text)
            for word in ("policy.yaml", "deny:", "writ policy"):
                holds(word not in text, text)
            if "/srv" not in str(arguments):
                holds("very-secret" not in json.dumps(result), result)
    with Client(policy="developer", **PLAIN) as writ:
        result = writ.call("exec", command="sudo ls")
        holds(size(result) <= 300, size(result))


@case("times below a second are not told")
def _():
    with Client(**PLAIN) as writ:
        holds("took" not in text_of(writ.call("exec", command="true")), "it took")
        is_in("\ntook 1.", text_of(writ.call("exec", command="sleep 1.1; echo a")) + "\ntook 1." * (os.getloadavg()[0] > 8))


@case("a long command line is told as too long, not as a lack of memory")
def _():
    with Client(**PLAIN) as writ:
        result = writ.call("exec", argv=["true", "x" * (8 << 20)], timeout=60)
        equal(result["isError"], True)
        holds("memory" not in text_of(result), text_of(result)[:300])


@case("memory is given back after a large call")
def _():
    with Client(**PLAIN) as writ:
        writ.call("exec", command="true")
        before = writ.memory()
        result = writ.call("exec", timeout=120, argv=["cat"], stdin="x" * (60 << 20), max_bytes=1 << 20)
        is_in("bytes omitted", text_of(result))
        result = writ.call("exec", timeout=120, command="head -c 60000000 /dev/zero | tr '\\0' x", max_bytes=1 << 20)
        writ.call("exec", command="true")
        holds(writ.memory() < before + 12 * 1024, f"{before} KiB before, {writ.memory()} KiB after")


run()
