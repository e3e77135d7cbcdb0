#!/usr/bin/env python3
"""The tool exec over the real server: what a command gets, and what comes back of it."""
import base64
import os

from cases import case, equal, holds, is_in, run
from client import STATELESS, Client, text_of


def object_of(result):
    return result["structuredContent"]


@case("a command's output is the text and the object")
def _():
    with Client() as writ:
        result = writ.call("exec", argv=["echo", "hello"])
        equal(object_of(result)["stdout"], "hello\n")
        equal(object_of(result)["outcome"], "exited")
        equal(object_of(result)["cursor"], {"stdout": 6, "stderr": 0})
        holds("hint" not in object_of(result), "nothing is left to do")
        equal(result["isError"], False)
        equal(text_of(result), "hello")


@case("stdout comes first, then a newline, then stderr")
def _():
    with Client() as writ:
        result = writ.call("exec", argv=["sh", "-c", "printf out; printf err >&2"])
        equal(text_of(result), "out\nerr")


@case("a command without output says so")
def _():
    with Client() as writ:
        equal(text_of(writ.call("exec", argv=["true"])), "(no output)")


@case("an exit code is an error that says which")
def _():
    with Client() as writ:
        result = writ.call("exec", argv=["sh", "-c", "exit 7"])
        equal(result["isError"], True)
        equal(object_of(result)["exit_code"], 7)
        equal(text_of(result), "exit code 7")


@case("a signal is said by its name")
def _():
    with Client() as writ:
        result = writ.call("exec", argv=["sh", "-c", "kill -SEGV $$"])
        equal(result["isError"], True)
        equal(object_of(result)["exit_code"], -1)
        equal(text_of(result), "ended by SIGSEGV")


@case("a timeout ends it, and what it wrote is there")
def _():
    with Client() as writ:
        result = writ.call("exec", argv=["sh", "-c", "echo begun; sleep 60"], timeout_ms=300)
        equal(result["isError"], True)
        equal(object_of(result)["outcome"], "timed_out")
        equal(object_of(result)["stdout"], "begun\n")
        is_in("\ntimed out after 300ms", text_of(result))


@case("a program that does not exist is an error object")
def _():
    with Client() as writ:
        result = writ.call("exec", argv=["no-such-program-anywhere"])
        equal(result["isError"], True)
        equal(object_of(result)["error"]["code"], "not_found")
        is_in("no-such-program-anywhere", text_of(result))


@case("neither argv nor shell, or both, is refused")
def _():
    with Client() as writ:
        equal(object_of(writ.call("exec"))["error"]["code"], "invalid")
        both = writ.call("exec", argv=["true"], shell="true")
        equal(object_of(both)["error"]["code"], "invalid")


@case("a shell runs where the policy grants it")
def _():
    with Client() as writ:
        equal(object_of(writ.call("exec", shell="echo a | tr a b"))["stdout"], "b\n")


@case("arguments are taken literally")
def _():
    words = ["$HOME", "a b", "*", "'", "\"", "\\", "", "é\U0001f600", "-n"]
    with Client() as writ:
        result = writ.call("exec", argv=["printf", "[%s]", *words])
        equal(object_of(result)["stdout"], "".join(f"[{word}]" for word in words))


@case("a NUL byte in an argument is refused")
def _():
    with Client() as writ:
        for arguments in ({"argv": ["echo", "a\0b"]}, {"argv": ["true"], "cwd": "a\0b"},
                          {"argv": ["true"], "env": {"A": "a\0b"}}, {"argv": ["true"], "session": "a\0b"}):
            equal(object_of(writ.call("exec", **arguments))["error"]["code"], "invalid")


@case("cwd is relative to the server's")
def _():
    with Client() as writ:
        os.mkdir(os.path.join(writ.project, "sub"))
        equal(object_of(writ.call("exec", argv=["pwd"]))["stdout"].strip(), os.path.realpath(writ.project))
        equal(object_of(writ.call("exec", argv=["pwd"], cwd="sub"))["stdout"].strip(),
              os.path.realpath(os.path.join(writ.project, "sub")))
        equal(object_of(writ.call("exec", argv=["pwd"], cwd="/"))["stdout"].strip(), "/")


@case("a directory that does not exist is refused")
def _():
    with Client() as writ:
        result = writ.call("exec", argv=["true"], cwd="nowhere")
        equal(object_of(result)["error"]["code"], "invalid")
        is_in("nowhere", text_of(result))


@case("env and stdin reach the command")
def _():
    with Client() as writ:
        result = writ.call("exec", argv=["sh", "-c", "echo $COLOUR; cat"], env={"COLOUR": "blue"}, stdin="given")
        equal(object_of(result)["stdout"], "blue\ngiven")


@case("stdin and stdin_open exclude each other")
def _():
    with Client() as writ:
        result = writ.call("exec", argv=["cat"], stdin="x", stdin_open=True)
        equal(object_of(result)["error"]["code"], "invalid")
        is_in("run_input", text_of(result))


@case("a long output has its beginning, its end, and where the rest is")
def _():
    with Client() as writ:
        result = writ.call("exec", argv=["seq", "1", "100000"])
        shown = object_of(result)["stdout"]
        holds(shown.startswith("1\n2\n3\n"), "its beginning")
        holds(shown.endswith("99999\n100000\n"), "its end")
        is_in("bytes omitted", shown)
        holds(len(shown) <= 18 * 1024 + 64, len(shown))
        equal(object_of(result)["stdout_bytes"], 588895)
        equal(object_of(result)["stdout_truncated"], True)
        is_in("run_read", object_of(result)["hint"])
        is_in("run_read", text_of(result))
        equal(result["isError"], False)
        cursor = object_of(result)["cursor"]["stdout"]
        holds(shown.startswith("1\n") and shown[:cursor].count("\n") > 100, "the cursor is where the first part ends")
        part = object_of(writ.call("run_read", run_id=object_of(result)["run_id"], cursor=cursor, max_bytes=64))
        equal(("".join(f"{i}\n" for i in range(1, 100001)))[cursor:cursor + 64], part["data"])


@case("two long streams share what max_bytes allows")
def _():
    with Client() as writ:
        result = writ.call("exec", argv=["sh", "-c", "seq 1 5000; seq 1 5000 >&2"], max_bytes=4000)
        sizes = [len(object_of(result)[name]) for name in ("stdout", "stderr")]
        holds(sum(sizes) <= 4000 + 2 * 64, sizes)
        holds(min(sizes) >= 1900, sizes)
        short = writ.call("exec", argv=["sh", "-c", "seq 1 5000; echo oops >&2"], max_bytes=4000)
        equal(object_of(short)["stderr"], "oops\n")
        equal(object_of(short)["stderr_truncated"], False)
        holds(3900 <= len(object_of(short)["stdout"]) <= 4064, len(object_of(short)["stdout"]))


@case("max_bytes 0 leaves all output to run_read")
def _():
    with Client() as writ:
        result = writ.call("exec", argv=["echo", "hello"], max_bytes=0)
        equal(object_of(result)["stdout_bytes"], 6)
        holds("hello" not in object_of(result)["stdout"], object_of(result)["stdout"])
        part = writ.call("run_read", run_id=object_of(result)["run_id"])
        equal(object_of(part)["data"], "hello\n")


@case("binary output is exact in the object, and readable in the text")
def _():
    with Client() as writ:
        with open(os.path.join(writ.project, "bytes"), "wb") as file:
            file.write(bytes(range(256)))
        result = writ.call("exec", argv=["cat", "bytes"])
        equal(base64.b64decode(object_of(result)["stdout"]["b64"]), bytes(range(256)))
        is_in("\\x00\\x01", text_of(result))
        is_in("binary, 256 bytes", text_of(result))


@case("long binary output is cut like text")
def _():
    with Client() as writ:
        data = bytes(range(256)) * 400
        with open(os.path.join(writ.project, "bytes"), "wb") as file:
            file.write(data)
        shown = object_of(writ.call("exec", argv=["cat", "bytes"], max_bytes=8192))["stdout"]
        head = base64.b64decode(shown["b64"])
        tail = base64.b64decode(shown["tail_b64"])
        holds(data.startswith(head) and data.endswith(tail), "head and tail")
        equal(len(head) + len(tail), 8192)
        equal(shown["omitted"], len(data) - 8192)


@case("no cut goes through a character")
def _():
    with Client() as writ:
        for size in range(1000, 1008):
            result = writ.call("exec", argv=["sh", "-c", "for i in $(seq 1 2000); do printf 'é\U0001f600'; done"],
                               max_bytes=size)
            holds(isinstance(object_of(result)["stdout"], str), "text")
            holds(set(object_of(result)["stdout"].replace("bytes omitted", "")) <= set("é\U0001f600\n[. ]0123456789"),
                  object_of(result)["stdout"][-300:])


@case("every version gets its form")
def _():
    for version in ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", STATELESS):
        with Client(version=version) as writ:
            result = writ.call("exec", argv=["echo", "x"])
            equal(text_of(result), "x")
            equal("structuredContent" in result, version >= "2025-06-18", version)


@case("traceparent is the trace of the run, and of its record")
def _():
    trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    with Client() as writ:
        result = writ.call("exec", _meta={"traceparent": trace}, argv=["true"])
        equal(object_of(result)["trace_id"], trace)
        shown = writ.writ("audit", "show", "--json", object_of(result)["run_id"])
        is_in(trace, shown.stdout)


@case("a client says neither its agent nor an approval")
def _():
    with Client() as writ:
        for name in ("agent", "approval", "confirm"):
            result = writ.call("exec", argv=["true"], **{name: "root"})
            equal(result["isError"], True)
            equal(object_of(result)["error"]["code"], "invalid")


@case("what the policy denies says why, and never the policy's rules")
def _():
    with Client(policy="developer") as writ:
        result = writ.call("exec", argv=["sudo", "id"])
        # A model may not run writ: nothing tells it to.
        is_in("do it another way, or tell the user", text_of(result))
        holds("writ " not in text_of(result), text_of(result))
        equal(result["isError"], True)
        error = object_of(result)["error"]
        equal(error["code"], "denied")
        equal(sorted(error["details"]["decision"]), ["decision", "message", "nearest_allowed"])
        equal(error["details"]["decision"]["decision"], "deny")
        secret = str(writ.call("exec", argv=["cat", os.path.expanduser("~/.ssh/id_rsa"), "/etc/shadow"]))
        is_in("denied", secret)
        for part in ("preset:", ".aws", "sudoers"):
            holds(part not in secret + str(result), part)


@case("a session remembers where it is, and its variables")
def _():
    with Client() as writ:
        os.makedirs(os.path.join(writ.project, "a", "b"))
        here = os.path.realpath(writ.project)
        there = os.path.join(here, "a")

        def ask(**more):
            return object_of(writ.call("exec", argv=["sh", "-c", "pwd; echo $ONE$TWO"], session="work", **more))["stdout"]
        equal(ask(cwd="a", env={"ONE": "1"}), f"{there}\n1\n")
        equal(ask(env={"TWO": "2"}), f"{there}\n12\n")
        equal(ask(cwd="b", env={"ONE": "0"}), f"{there}/b\n02\n")
        equal(ask(cwd=".."), f"{there}\n02\n")
        plain = writ.call("exec", argv=["sh", "-c", "pwd; echo $ONE$TWO"])
        equal(object_of(plain)["stdout"], f"{here}\n\n")
        other = writ.call("exec", argv=["pwd"], session="other")
        equal(object_of(other)["stdout"], f"{here}\n")


@case("a session does not remember where no run could start")
def _():
    with Client() as writ:
        equal(object_of(writ.call("exec", argv=["pwd"], session="s", cwd="nowhere"))["error"]["code"], "invalid")
        equal(object_of(writ.call("exec", argv=["pwd"], session="s"))["stdout"].strip(), os.path.realpath(writ.project))


@case("a session has a plain name")
def _():
    with Client() as writ:
        for name in ("", "a b", "../x", "x" * 65, "é"):
            result = writ.call("exec", argv=["true"], session=name)
            equal(object_of(result)["error"]["code"], "invalid")
        equal(writ.call("exec", argv=["true"], session="x" * 64)["isError"], False)


@case("of many sessions the ones in use are kept, and their variables are bounded")
def _():
    with Client() as writ:
        writ.call("exec", argv=["true"], session="first", env={"A": "1"})
        for number in range(70):
            writ.call("exec", argv=["true"], session=f"s{number}")
        gone = writ.call("exec", argv=["sh", "-c", "echo [$A]"], session="first")
        equal(object_of(gone)["stdout"], "[]\n")
        much = writ.call("exec", argv=["true"], session="big", env={"A": "x" * 70000})
        equal(object_of(much)["error"]["code"], "invalid")


run()
