#!/usr/bin/env python3
"""The binding for Python, with the library of this build: each part once, and what a host does wrong."""
import os
import select
import signal
import sys
import tempfile
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.environ.get("WRIT_SOURCE", os.path.join(HERE, "..", "..", ".."))
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(SOURCE, "tests", "mcp")]
STATE = tempfile.TemporaryDirectory(prefix="writ-python-")
for name in ("state", "cache", "config", "system"):
    os.environ[f"WRIT_{name.upper()}_DIR"] = os.path.join(STATE.name, name)

import writ  # noqa: E402
from cases import case, equal, fails, holds, is_in, run, skip  # noqa: E402
from client import wait_until  # noqa: E402
from writ import _library  # noqa: E402

OPEN = "version: 1\nsandbox: none\nrules: [{allow: {}}]\n"
APPLY = OPEN + "agents: {manifest: {}}\n"


def engine(policy=OPEN, **named):
    return writ.Engine(policy=policy, **named)


def processes(word):
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                if word.encode() in file.read().split(b"\0"):
                    found.append(pid)
        except OSError:
            pass
    return found


@case("the structs of the binding are those of the library")
def _():
    if os.uname().machine != "x86_64":
        skip("the list is that of x86_64")
    places = {}
    with open(os.path.join(SOURCE, "tests", "abi.txt"), encoding="ascii") as file:
        for line in file:
            kind, name, *at = line.split()
            if kind == "struct":
                places[name] = int(at[0])
    for name, struct in _library.STRUCTS.items():
        holds(_library.ctypes.sizeof(struct) <= places[name], name)
        for member, _type in struct._fields_:
            equal(getattr(struct, member).offset, places[f"{name}.{member}"], f"{name}.{member}")
    holds(places["writ_audit_proof"] <= _library.PROOF_ROOM, "writ_audit_proof has grown")


@case("a command runs, and its result says how it ended")
def _():
    with engine() as one:
        result = one.run(["sh", "-c", "echo out; echo err >&2; exit 3"], timeout=60)
        equal((result.exit_code, result.outcome, result.ok), (3, "exited", False))
        equal((result.stdout, result.stderr, result.text), (b"out\n", b"err\n", "out\n"))
        equal(result.json["timeout_ms"], 60000)
        holds(one.run(shell="exit 0").ok, "exit 0")
        equal(one.run(["cat"], stdin=b"\xff\0x").stdout, b"\xff\0x")
        equal(one.run(["sh", "-c", "echo $A; pwd"], env={"A": "b c"}, cwd="/").text, "b c\n/\n")
        killed = one.run(["sh", "-c", "kill -9 $$"])
        equal((killed.exit_code, killed.outcome), (-1, "signaled"))
        late = one.run(["sleep", "600"], timeout=0.1)
        equal(late.outcome, "timed_out")


@case("large output comes whole as far as it was kept")
def _():
    with engine() as one:
        result = one.run(["head", "-c", "3000000", "/dev/zero"])
        equal(len(result.stdout), 3000000)


@case("what did not run is an error with a code, a message and what to do")
def _():
    with engine("version: 1\ndefault: deny\nsandbox: none\n") as one:
        error = fails(writ.Error, one.run, ["ls"])
        equal(error.code, "denied")
    with engine() as one:
        error = fails(writ.Error, one.run, ["no-such-program-here"])
        equal(error.code, "not_found")
        is_in("no-such-program-here", error.message)
        error = fails(writ.Error, one.run, ["ls"], no_such_key=1)
        equal(error.code, "invalid")
        is_in("no_such_key", error.message)
        equal(fails(writ.Error, one.run).code, "invalid")
        fails(TypeError, one.run, "ls -la")
    error = fails(writ.Error, engine("version: 1\nrules:\n- allw: {}\n").run, ["ls"])
    equal((error.code, error.line), ("invalid", 3))
    equal(fails(writ.Error, engine, base="/no/such/directory").code, "invalid")


@case("output comes while it runs, and leaving the loop ends the command")
def _():
    with engine() as one:
        seen = list(one.stream(shell="echo a; echo b >&2"))
        equal(b"".join(piece for stream, piece in seen if stream == "stdout"), b"a\n")
        equal(b"".join(piece for stream, piece in seen if stream == "stderr"), b"b\n")
        equal(seen[-1][0], "result")
        equal(seen[-1][1].exit_code, 0)
        word = f"71{os.getpid()}"
        for stream, piece in one.stream(shell=f"echo first; exec sleep {word}"):
            equal((stream, piece), ("stdout", b"first\n"))
            break
        equal(processes(word), [])


@case("runs go on beside each other, in a loop of the host, and can be cancelled")
def _():
    with engine() as one:
        jobs = [one.start(["sh", "-c", f"echo {i}"]) for i in range(5)]
        while any(job.is_running for job in jobs):
            select.select([one], [], [])
            one.dispatch(0)
        equal([job.wait().text for job in jobs], [f"{i}\n" for i in range(5)])
        slow = one.start(["sleep", "600"])
        equal(len(slow.id), 26)
        slow.cancel(signal.SIGTERM)
        equal(slow.wait().outcome, "cancelled")
        slow.cancel()


@case("an exception of a callback ends the command and comes out of wait")
def _():
    def refuse(_stream, _piece):
        raise KeyError("mine")

    with engine() as one:
        word = f"72{os.getpid()}"
        fails(KeyError, one.run, shell=f"echo x; exec sleep {word}", on_output=refuse)
        equal(processes(word), [])
        started = []
        # A callback may start another run.
        one.run(["echo", "x"], on_output=lambda *_: started or started.append(one.start(["echo", "inner"])))
        equal(started[0].wait().text, "inner\n")


@case("a session's runs share /tmp")
def _():
    with engine("version: 1\ninclude: [developer]\n") as one:
        try:
            session = one.session("of-the-test")
        except writ.Error as error:
            skip(f"no sandbox here: {error}")
        with session:
            equal(session.name, "of-the-test")
            one.run(["touch", "/tmp/made-here"], session=session)
            is_in("made-here", one.run(["ls", "/tmp"], session=session).text)
        holds("made-here" not in one.run(["ls", "/tmp"]).text, "it is still there")
        fails(ValueError, one.run, ["ls"], session=session)


@case("a policy explains what would happen, and nothing runs")
def _():
    with engine("version: 1\ndefault: ask\nrules: [{deny: {program: rm}}, {allow: {effect: read}}]\n") as one:
        decision = one.explain(["rm", "-rf", "/"])
        equal(decision["decision"], "deny")
        is_in("delete", decision["effects"])
        equal(one.explain(["ls"])["decision"], "allow")
        equal(one.explain(shell="ls | rm x")["decision"], "deny")


@case("a tool answers what a model wrote, whatever it is")
def _():
    with engine() as one:
        tool = one.tool("story", base=STATE.name)
        equal((tool.name, tool.shape), ("exec", "story"))
        equal(tool.schema["required"], ["command", "args"])
        answer = tool.call({"command": "echo", "args": ["; id"]})
        equal((answer.text, answer.is_error), ('{"stdout":"; id\\n","stderr":"","exit_code":0}', False))
        equal(answer.json["exit_code"], 0)
        for wrong in ("", "nonsense", b"\xff", {}, {"command": 7}):
            refused = tool.call(wrong)
            equal((refused.is_error, refused.status), (True, "invalid"))
        equal(fails(writ.Error, one.tool, "docker").code, "invalid")


BINDINGS = """spec_version: "1.0"
bindings:
- module_id: my.echo
  target: exec:///bin/echo
  input_schema: {type: object, properties: {count: {type: integer}}, required: [count], additionalProperties: false}
"""


@case("modules are called with JSON, and all that is wrong with it is told")
def _():
    modules = writ.Modules(text=BINDINGS)
    is_in("my.echo", modules.ids())
    is_in("cli.git.log", modules.ids())
    equal(modules.describe("my.echo")["input_schema"]["required"], ["count"])
    equal(modules.preview("my.echo", {"count": 3})["argv"], ["/bin/echo", "--count", "3"])
    with engine() as one:
        result = modules.call(one, "my.echo", {"count": 3}, timeout=9)
        equal((result["stdout"], result["success"], result["timeout_ms"]), ("--count 3\n", True, 9000))
        error = fails(writ.Error, modules.call, one, "my.echo", {"count": "x"})
        equal((error.code, error.problems[0]["instance"]), ("invalid", "/count"))
        equal(fails(writ.Error, modules.call, one, "my.ecko").code, "not_found")


MANIFEST = """
ccm:
  resources:
  - exec: {name: a, command: '/bin/echo {{ Facts.role }}', logoutput: true}
  - exec: {name: b, command: /bin/false}
  - exec: {name: c, command: /bin/true, refreshonly: true, subscribe: ['exec#a']}
"""


@case("a manifest is applied, with its events, its output and its summary")
def _():
    manifest = writ.Manifest(MANIFEST, facts={"role": "web"})
    equal((len(manifest), [one["id"] for one in manifest.resources]), (3, ["exec#a", "exec#b", "exec#c"]))
    equal(len(manifest.render()["ccm"]["resources"]), 3)
    seen, pieces = [], []
    with engine(APPLY, trusted=True) as one:
        done = manifest.apply(one, on_event=lambda event: seen.append(event["name"]),
                              on_output=lambda stream, piece: pieces.append((stream, piece)))
        equal(seen, ["a", "b", "c"])
        equal(pieces, [("stdout", b"web\n")])
        equal((done.changed, done.failed, done.ok, done.cut_short), (2, 1, False, False))
        equal(done.summary["total_resources"], 3)
        equal([event["refreshed"] for event in done.events], [False, False, True])
        again = manifest.apply(one, resume=done.session)
        equal(again.events, [])
        equal(manifest.apply(one, only=["exec#a"], noop=True).events[0]["noop_message"], "Would have executed")


@case("one resource: what is there, what would be done, and doing it")
def _():
    with tempfile.TemporaryDirectory() as folder, engine(APPLY, trusted=True) as one:
        path = os.path.join(folder, "made")
        made = writ.Manifest(type="exec", properties={"name": f"/bin/mkdir {path}", "creates": path})
        would = made.apply(one, noop=True, in_memory=True)
        equal((would.changed, os.path.exists(path)), (1, False))
        equal(would.events[0]["status"]["stable"], False)
        holds(made.apply(one, in_memory=True).ok, "it failed")
        holds(os.path.isdir(path), "it was not made")
        equal(made.apply(one, in_memory=True).events[0]["decided_by"], f"creates '{path}'")
        file = writ.Manifest(type="file", properties={"name": path + "/f", "ensure": "present", "content": "x"})
        equal((file.apply(one, in_memory=True).changed, file.apply(one, in_memory=True).changed), (1, 0))


@case("all that is wrong with a manifest is in its error")
def _():
    error = fails(writ.Error, writ.Manifest, "ccm:\n  resources:\n  - exec: {name: a, comand: b}\n  - exec: {timeout: x}\n")
    equal((error.code, error.line), ("invalid", 3))
    holds(len(error.problems) >= 2, error.problems)
    equal(error.problems[0]["line"], 3)
    equal(fails(writ.Error, writ.Manifest, path="/no/such/manifest").code, "invalid")
    equal(fails(writ.Error, writ.Manifest, type="nothing").code, "invalid")
    fails(TypeError, writ.Manifest)
    fails(TypeError, writ.Manifest, "a", path="b")


@case("an exception of a callback, and Ctrl-C, end an apply")
def _():
    def stop(_event):
        raise ZeroDivisionError("mine")

    word = f"75{os.getpid()}"
    manifest = writ.Manifest("ccm: {resources: [{exec: [{a: {command: /bin/true}}, {b: {command: /bin/true}}]}]}")
    with engine(APPLY, trusted=True) as one:
        fails(ZeroDivisionError, manifest.apply, one, on_event=stop)
        slow = writ.Manifest(type="exec", properties={"name": "s", "provider": "shell", "logoutput": True,
                                                      "command": f"echo up; exec sleep {word}"})
        fails(KeyboardInterrupt, slow.apply, one, on_output=lambda *_: signal.raise_signal(signal.SIGINT))
        equal(processes(word), [])


@case("the record has what ran, and is intact")
def _():
    with engine() as one:
        result = one.run(["echo", "recorded"], trace_id="python-1")
    kinds = [record["kind"] for record in writ.audit(run_id=result.json["run_id"])]
    equal(kinds, ["end", "begin"])
    equal(len(writ.audit(limit=1)), 1)
    holds(all(finding["severity"] != "bad" for finding in writ.verify()), writ.verify())
    fails(TypeError, writ.audit, colour="red")


@case("an engine is used by its own thread, and each thread can have one")
def _():
    one, seen = engine(), []

    def other():
        seen.append(fails(RuntimeError, one.run, ["true"]))
        with engine() as own:
            seen.append(own.run(["echo", "own"]).text)

    thread = threading.Thread(target=other)
    thread.start()
    thread.join()
    equal(seen[1], "own\n")
    one.close()
    one.close()
    fails(ValueError, one.run, ["true"])


@case("what still runs when an engine is closed is killed")
def _():
    word = f"73{os.getpid()}"
    one = engine()
    job = one.start(["sleep", word])
    wait_until(lambda: processes(word), "it runs")
    one.close()
    equal(processes(word), [])
    fails(ValueError, job.wait)


@case("Ctrl-C ends the command with the wait for it")
def _():
    word = f"74{os.getpid()}"
    with engine() as one:
        job = one.start(shell=f"echo up; exec sleep {word}", on_output=lambda *_: signal.raise_signal(signal.SIGINT))
        fails(KeyboardInterrupt, job.wait)
        equal(processes(word), [])


run()
