#!/usr/bin/env python3
"""What a model is told when a wall refused something."""
import os

from cases import case, equal, holds, is_in, run
from client import Client, text_of

POLICY = "version: 1\nsandbox: workspace\nrules: [{allow: {}}]\n"


def call(writ, *argv, **more):
    return writ.call("exec", argv=list(argv), **more)


def denials_of(result):
    return result["structuredContent"].get("denials")


@case("a failed write names the wall and the argument that asks")
def _():
    with Client(policy=POLICY) as writ:
        # Visible and not writable: what lies beside the program under test. /tmp is private.
        outside = os.path.dirname(os.path.realpath(os.environ["WRIT"]))
        if outside.startswith(("/tmp/", "/var/tmp/", "/dev/shm/")):
            outside = "/usr"
        path = os.path.join(outside, "writ-none")
        result = call(writ, "touch", path)
        holds(not os.path.exists(path), "the wall does not stand")
        row = denials_of(result)[0]
        equal([row["what"], row["path"], row["wall"], row["certainty"]], ["write", path, "readonly", "guessed"])
        is_in("the sandbox refused: write " + path + " (guessed)", text_of(result))
        if "ask" in row:
            equal(row["ask"], {"write": [outside]})
            is_in(f'write: ["{outside}"] asks for it', text_of(result))
        for word in ("writ ", "--write", "would allow"):
            holds(word not in text_of(result).split("the sandbox refused", 1)[1], word)


@case("loopback is proposed for a socket, and is enough")
def _():
    with Client(policy=POLICY) as writ:
        argv = ["/usr/bin/python3", "-c", "import socket; socket.create_server(('127.0.0.1', 0))"]
        result = call(writ, *argv, network="off")
        if result["structuredContent"]["exit_code"] == 127:
            return
        equal(denials_of(result), [{"what": "socket", "family": "AF_INET", "wall": "network", "certainty": "guessed",
                                    "ask": {"network": "loopback"}}])
        is_in('network: "loopback" asks for it', text_of(result))
        equal(call(writ, *argv, network="loopback")["structuredContent"]["exit_code"], 0)


@case("a protected file is named and never proposed")
def _():
    with Client(policy=POLICY) as writ:
        os.makedirs(os.path.join(writ.project, ".git", "hooks"))
        result = writ.call("exec", shell="echo 1 >.git/hooks/x")
        row = denials_of(result)[0]
        equal([row["wall"], row["certainty"], "ask" in row], ["protected", "guessed", False])
        is_in("(protected, guessed)", text_of(result))


@case("a success and a failure without a wall say nothing")
def _():
    with Client(policy=POLICY) as writ:
        # What writes to a name that only the shell knows may write to the project.
        forged = "f=x; echo \"touch: cannot touch '$f': Read-only file system\" >$f; cat $f; exit 1"
        for script in ("exit 0", "exit 3", forged):
            result = writ.call("exec", shell=script)
            equal(denials_of(result), None)
            holds("refused" not in text_of(result), text_of(result))


run()
