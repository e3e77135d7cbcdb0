#!/usr/bin/env python3
"""Runs that go on after their call: reading, writing to, ending and listing them."""
import base64
import os
import time

from cases import case, equal, holds, is_in, run
from client import Client, text_of, wait_until


def object_of(result):
    return result["structuredContent"]


def begin(writ, *argv, **more):
    """Starts a command that goes on; its run id."""
    result = object_of(writ.call("exec", argv=list(argv), yield_ms=0, **more))
    equal(result["outcome"], "running")
    return result["run_id"]


def script(writ, text, **more):
    return begin(writ, "sh", "-c", text, **more)


def read(writ, run_id, **more):
    return object_of(writ.call("run_read", run_id=run_id, **more))


def read_all(writ, run_id, stream="stdout", **more):
    data = b""
    cursor = 0
    while True:
        part = read(writ, run_id, stream=stream, cursor=cursor, **more)
        piece = part["data"]
        data += piece.encode() if isinstance(piece, str) else base64.b64decode(piece["b64"])
        cursor = part["next_cursor"]
        equal(cursor, len(data), "the cursor counts bytes")
        if part["end"]:
            return data


def touch(writ, name):
    with open(os.path.join(writ.project, name), "w", encoding="utf-8"):
        pass


# A command that goes on when the test says so.
WAIT_FOR = "while [ ! -e {0} ]; do sleep 0.01; done; "


@case("a call that has waited long enough says how to go on")
def _():
    with Client() as writ:
        result = writ.call("exec", argv=["sh", "-c", "echo one; " + WAIT_FOR.format("go") + "echo two"], yield_ms=300)
        equal(result["isError"], False)
        equal(object_of(result)["outcome"], "running")
        equal(object_of(result)["exit_code"], -1)
        equal(object_of(result)["stdout"], "one\n")
        run_id = object_of(result)["run_id"]
        is_in(run_id, object_of(result)["hint"])
        is_in("run_read", text_of(result))
        cursor = object_of(result)["cursor"]["stdout"]
        equal(cursor, 4)
        touch(writ, "go")
        equal(read(writ, run_id, cursor=cursor)["data"], "two\n")


@case("reading waits for output, and no longer")
def _():
    with Client() as writ:
        run_id = script(writ, WAIT_FOR.format("go") + "echo now; sleep 60")
        asked = writ.ask_tool("run_read", run_id=run_id, wait_ms=20000)
        holds(writ.is_silent(0.1), "nothing to read yet")
        began = time.monotonic()
        touch(writ, "go")
        part = object_of(writ.result(asked))
        equal(part["data"], "now\n")
        equal(part["outcome"], "running")
        equal(part["end"], False)
        holds(time.monotonic() - began < 10, "it did not wait for its time")


@case("reading waits for the end, too")
def _():
    with Client() as writ:
        run_id = script(writ, WAIT_FOR.format("go") + "exit 3")
        asked = writ.ask_tool("run_read", run_id=run_id, wait_ms=20000)
        touch(writ, "go")
        part = object_of(writ.result(asked))
        equal((part["data"], part["end"], part["outcome"], part["exit_code"]), ("", True, "exited", 3))


@case("reading with a short wait answers with nothing")
def _():
    with Client() as writ:
        run_id = begin(writ, "sleep", "60")
        for wait in (0, 50):
            part = read(writ, run_id, wait_ms=wait)
            equal((part["data"], part["end"], part["outcome"], part["exit_code"]), ("", False, "running", None))


@case("a whole number is one, however it is written")
def _():
    with Client() as writ:
        began = object_of(writ.call("exec", argv=["sleep", "60"], yield_ms=0.0, timeout_ms=60000.0))
        equal(began["outcome"], "running")
        equal(read(writ, began["run_id"], wait_ms=0.0)["outcome"], "running")
        run_id = object_of(writ.call("exec", argv=["printf", "abc\u00e9d"]))["run_id"]
        for cursor, wanted in ((1.0, "bc\u00e9d"), (-1.0, "d"), (-3.0, "\u00e9d"), (-2, "d"), (-1e300, "abc\u00e9d"),
                               (-2 ** 70, "abc\u00e9d")):
            equal(read(writ, run_id, cursor=cursor)["data"], wanted, str(cursor))
        for cursor in (7, 2 ** 63, 2 ** 64, 1e300):
            is_in("beyond the end", writ.call("run_read", run_id=run_id, cursor=cursor)["content"][0]["text"])


@case("many readers of one run all get what comes")
def _():
    with Client() as writ:
        run_id = script(writ, WAIT_FOR.format("go") + "echo now; sleep 60")
        asked = [writ.ask_tool("run_read", run_id=run_id, wait_ms=20000) for _ in range(50)]
        asked += [writ.ask_tool("run_read", run_id=run_id, wait_ms=20000, stream="stderr")]
        touch(writ, "go")
        for one in asked[:-1]:
            equal(object_of(writ.result(one))["data"], "now\n")
        ended = writ.ask_tool("run_kill", run_id=run_id, grace_ms=0)
        equal(object_of(writ.result(asked[-1]))["end"], True)
        equal(object_of(writ.result(ended))["outcome"], "cancelled")


@case("who takes back a reading does not end the run")
def _():
    with Client() as writ:
        run_id = script(writ, WAIT_FOR.format("go") + "echo alive")
        asked = writ.ask_tool("run_read", run_id=run_id, wait_ms=20000)
        writ.cancel(asked)
        writ.request("ping")
        touch(writ, "go")
        equal(read(writ, run_id)["data"], "alive\n")
        holds(asked not in writ.answers, "nothing is said about what was taken back")


@case("a huge output is there to the last byte, in parts")
def _():
    with Client() as writ:
        run_id = begin(writ, "seq", "1", "300000")
        wanted = "".join(f"{i}\n" for i in range(1, 300001)).encode()
        holds(read_all(writ, run_id, max_bytes=1 << 20) == wanted, "all of it")


@case("binary output comes back byte for byte")
def _():
    with Client() as writ:
        data = bytes((i * 7919) % 256 for i in range(100000))
        with open(os.path.join(writ.project, "bytes"), "wb") as file:
            file.write(data)
        run_id = begin(writ, "cat", "bytes")
        holds(read_all(writ, run_id, max_bytes=4099) == data, "all of it")


@case("parts end between characters")
def _():
    with Client() as writ:
        text = "aé\u20ac\U0001f600" * 50
        run_id = begin(writ, "printf", "%s", text)
        for size in range(1, 12):
            cursor = 0
            joined = ""
            while True:
                part = read(writ, run_id, cursor=cursor, max_bytes=size)
                holds(isinstance(part["data"], str), part)
                joined += part["data"]
                cursor = part["next_cursor"]
                if part["end"]:
                    break
            equal(joined, text)


@case("half a character waits for its other half")
def _():
    with Client() as writ:
        result = writ.call("exec", argv=["sh", "-c", "printf 'a\\303'; " + WAIT_FOR.format("go") + "printf '\\251b'"],
                           yield_ms=300)
        equal(object_of(result)["stdout"], "a")
        equal(object_of(result)["cursor"]["stdout"], 1)
        run_id = object_of(result)["run_id"]
        equal(read(writ, run_id)["data"], "a")
        equal(read(writ, run_id, cursor=1, wait_ms=50)["data"], "")
        touch(writ, "go")
        equal(read(writ, run_id, cursor=1)["data"], "éb")


@case("half a character at the very end is given as bytes")
def _():
    with Client() as writ:
        result = writ.call("exec", argv=["printf", "ab\\303"])
        run_id = object_of(result)["run_id"]
        data = read_all(writ, run_id)
        equal(data, b"ab\xc3")


@case("a cursor below zero counts from the end")
def _():
    with Client() as writ:
        result = writ.call("exec", argv=["printf", "0123456789é"])
        run_id = object_of(result)["run_id"]
        equal(read(writ, run_id, cursor=-4)["data"], "89é")
        equal(read(writ, run_id, cursor=-1)["data"], "")
        equal(read(writ, run_id, cursor=-100)["data"], "0123456789é")


@case("a cursor beyond the end is refused")
def _():
    with Client() as writ:
        run_id = object_of(writ.call("exec", argv=["echo", "x"]))["run_id"]
        result = writ.call("run_read", run_id=run_id, cursor=3)
        equal(result["isError"], True)
        is_in("2 bytes", text_of(result))


@case("a run that does not exist is refused, with those that do")
def _():
    with Client() as writ:
        for tool in ("run_read", "run_input", "run_kill"):
            for run_id in ("", "x", "0" * 26, "é" * 100):
                result = writ.call(tool, run_id=run_id)
                equal(result["isError"], True)
                equal(object_of(result)["error"]["code"], "not_found")
        mine = object_of(writ.call("exec", argv=["true"]))["run_id"]
        is_in(mine, text_of(writ.call("run_read", run_id="x")))


@case("a run can be read until 128 later ones have ended")
def _():
    with Client() as writ:
        first = object_of(writ.call("exec", argv=["echo", "first"]))["run_id"]
        asked = [writ.ask_tool("exec", argv=["true"]) for _ in range(127)]
        for one in asked:
            writ.result(one)
        equal(read(writ, first)["data"], "first\n")
        writ.call("exec", argv=["true"])
        equal(object_of(writ.call("run_read", run_id=first))["error"]["code"], "not_found")


@case("what no longer can be read leaves no file")
def _():
    with Client() as writ:
        def spills():
            return [name for _, _, files in os.walk(os.path.join(writ.base, "state")) for name in files
                    if name.endswith((".stdout", ".stderr"))]
        writ.call("exec", argv=["seq", "1", "100000"])
        equal(len(spills()), 1)
        asked = [writ.ask_tool("exec", argv=["true"]) for _ in range(128)]
        for one in asked:
            writ.result(one)
        equal(spills(), [])
        writ.call("exec", argv=["seq", "1", "100000"])
        writ.end_input()
        equal(writ.wait(), 0)
        equal(spills(), [])


@case("input reaches a run, and its end")
def _():
    with Client() as writ:
        run_id = begin(writ, "cat", stdin_open=True)
        said = object_of(writ.call("run_input", run_id=run_id, text="hello\n"))
        equal(said, {"run_id": run_id, "bytes": 6, "outcome": "running"})
        equal(read(writ, run_id)["data"], "hello\n")
        writ.call("run_input", run_id=run_id, text="é", close=True)
        equal(read(writ, run_id, cursor=6)["data"], "é")
        equal(read(writ, run_id, cursor=8)["outcome"], "exited")


@case("input that nobody can read is refused, with what to do")
def _():
    with Client() as writ:
        closed = begin(writ, "sleep", "60")
        result = writ.call("run_input", run_id=closed, text="x")
        equal(result["isError"], True)
        is_in("stdin_open", text_of(result))
        ended = object_of(writ.call("exec", argv=["true"]))["run_id"]
        is_in("has ended", text_of(writ.call("run_input", run_id=ended, text="x")))
        cat = begin(writ, "cat", stdin_open=True)
        writ.call("run_input", run_id=cat, close=True)
        wait_until(lambda: read(writ, cat, wait_ms=0)["outcome"] == "exited", "cat ends")
        equal(writ.call("run_input", run_id=cat, text="x")["isError"], True)


@case("a command that does not read its input does not hold up the server")
def _():
    with Client() as writ:
        run_id = begin(writ, "sleep", "60", stdin_open=True)
        results = [writ.call("run_input", run_id=run_id, text="x" * 60000) for _ in range(8)]
        equal(results[0]["isError"], False)
        equal(results[-1]["isError"], True)
        is_in("does not read", text_of(results[-1]))


@case("only a terminal has a size")
def _():
    with Client() as writ:
        run_id = begin(writ, "cat", stdin_open=True)
        is_in("no terminal", text_of(writ.call("run_input", run_id=run_id, rows=50)))
        is_in("need 'pty'", text_of(writ.call("exec", argv=["true"], rows=50)))


@case("a terminal echoes what is typed, has a size, and can end its input")
def _():
    with Client() as writ:
        result = writ.call("exec", argv=["sh", "-c", "stty size; exec cat"], pty=True, rows=30, columns=100, yield_ms=500)
        equal(object_of(result)["outcome"], "running")
        run_id = object_of(result)["run_id"]
        wait_until(lambda: "30 100\r\n" in read(writ, run_id)["data"], "its size")
        writ.call("run_input", run_id=run_id, text="typed\n")
        wait_until(lambda: read(writ, run_id)["data"].count("typed") == 2, "typed, and written by cat")
        writ.call("run_input", run_id=run_id, close=True)
        wait_until(lambda: read(writ, run_id, wait_ms=0)["outcome"] == "exited", "cat ends")


@case("a terminal's new size reaches the command")
def _():
    with Client() as writ:
        run_id = begin(writ, "sh", "-c", "trap 'stty size' WINCH; echo ready; while :; do sleep 0.05; done", pty=True)
        wait_until(lambda: "ready" in read(writ, run_id)["data"], "it waits for the signal")
        writ.call("run_input", run_id=run_id, rows=41, columns=123)
        wait_until(lambda: "41 123" in read(writ, run_id)["data"], "its new size")
        equal(object_of(writ.call("run_kill", run_id=run_id))["outcome"], "cancelled")


@case("run_kill answers with the result")
def _():
    with Client() as writ:
        run_id = script(writ, "echo begun; sleep 60 & wait")
        read(writ, run_id)
        result = writ.call("run_kill", run_id=run_id)
        equal(result["isError"], False)
        equal(object_of(result)["outcome"], "cancelled")
        equal(object_of(result)["stdout"], "begun\n")
        equal(text_of(result), "begun\ncancelled")
        again = writ.call("run_kill", run_id=run_id)
        equal(object_of(again)["outcome"], "cancelled")


@case("run_kill lets a command tidy up, within its grace")
def _():
    with Client() as writ:
        tidy = script(writ, "trap 'echo tidy; exit 0' INT; echo ready; while :; do sleep 0.01; done")
        read(writ, tidy)
        is_in("tidy", object_of(writ.call("run_kill", run_id=tidy, signal="INT"))["stdout"])
        deaf = script(writ, "trap '' TERM; echo ready; while :; do sleep 0.01; done")
        read(writ, deaf)
        began = time.monotonic()
        writ.call("run_kill", run_id=deaf, grace_ms=100)
        holds(time.monotonic() - began < 4, "its grace was 100 ms")
        now = script(writ, "trap '' TERM; echo ready; while :; do sleep 0.01; done")
        read(writ, now)
        equal(object_of(writ.call("run_kill", run_id=now, signal="SIGKILL"))["signal"], "SIGKILL")


@case("run_kill knows signals by their names")
def _():
    with Client() as writ:
        run_id = begin(writ, "sleep", "60")
        for name in ("", "FOO", "SIG", "term"):
            result = writ.call("run_kill", run_id=run_id, signal=name)
            equal(object_of(result)["error"]["code"], "invalid")
        equal(read(writ, run_id, wait_ms=0)["outcome"], "running")


@case("run_list has the newest first")
def _():
    with Client() as writ:
        equal(object_of(writ.call("run_list")), {"runs": []})
        first = object_of(writ.call("exec", argv=["printf", "%s", "a b"]))["run_id"]
        second = begin(writ, "sleep", "60")
        rows = object_of(writ.call("run_list"))["runs"]
        equal([row["run_id"] for row in rows], [second, first])
        equal([row["outcome"] for row in rows], ["running", "exited"])
        equal([row["exit_code"] for row in rows], [None, 0])
        equal(rows[1]["command"], "printf %s 'a b'")
        equal(rows[1]["stdout_bytes"], 3)
        holds(abs(rows[0]["started_at"] - time.time() * 1000) < 60000, rows[0])


@case("progress tells how much there is, and the last line")
def _():
    with Client() as writ:
        asked = writ.ask_tool("exec", _meta={"progressToken": "p"},
                              argv=["sh", "-c", "printf 'first\\nsec\\033[1mond\\n'; " + WAIT_FOR.format("go")])
        def told():
            return [note["params"] for note in writ.notifications if note["method"] == "notifications/progress"]
        writ.until(lambda: len(told()) >= 2)
        touch(writ, "go")
        writ.result(asked)
        equal(told()[0]["message"], "started")
        is_in("17 bytes: sec[1mond", told()[1]["message"])
        equal([one["progressToken"] for one in told()], ["p"] * len(told()))
        holds(all(a["progress"] < b["progress"] for a, b in zip(told(), told()[1:])), "it grows")


@case("those beyond --max-runs wait for their turn")
def _():
    with Client("--max-runs", "2") as writ:
        held = [script(writ, WAIT_FOR.format("go")) for _ in range(2)]
        asked = [writ.ask_tool("exec", argv=["echo", str(i)]) for i in range(20)]
        holds(writ.is_silent(0.2), "both places are taken")
        touch(writ, "go")
        for i, one in enumerate(asked):
            equal(object_of(writ.result(one))["stdout"], f"{i}\n")
        equal(len(held), 2)


@case("who waits for a turn that does not come is told why")
def _():
    with Client("--max-runs", "1") as writ:
        held = begin(writ, "sleep", "60")
        result = writ.call("exec", argv=["true"], yield_ms=100)
        equal(result["isError"], True)
        is_in("run_kill", text_of(result))
        writ.call("run_kill", run_id=held)
        equal(writ.call("exec", argv=["true"])["isError"], False)


@case("a call that still waits for its turn can be taken back")
def _():
    with Client("--max-runs", "1") as writ:
        held = begin(writ, "sleep", "60")
        asked = writ.ask_tool("exec", argv=["touch", "ran"])
        writ.cancel(asked)
        writ.call("run_kill", run_id=held)
        writ.call("exec", argv=["true"])
        holds(not os.path.exists(os.path.join(writ.project, "ran")), "it did not run")


run()
