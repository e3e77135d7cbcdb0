#!/usr/bin/env python3
# The transport: lines of anything, clients that do not read, and every way in
# which a client can go.
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time

from cases import case, equal, holds, is_in, run
from client import NEWEST, STATELESS, Client, processes, program, wait_until

PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
PONG = {"jsonrpc": "2.0", "id": 1, "result": {}}
MIB = 1 << 20


def works(writ):
    """The next request is answered, with nothing before it."""
    writ.send(PING)
    equal(writ.read(), PONG)


def environment():
    """For a server that is started by hand, and leaves nothing."""
    return {**os.environ, **{f"WRIT_{name}_DIR": "/dev/null/" + name.lower()
                             for name in ("STATE", "CONFIG", "CACHE", "SYSTEM")}}


def cpu_ticks(pid):
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        fields = file.read().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


@case("lines end with a newline, or with a carriage return before it")
def _():
    with Client() as writ:
        line = json.dumps(PING).encode()
        writ.send_bytes(line + b"\r\n" + line + b"\n\n\r\n" + line + b"\n")
        for _ in range(3):
            equal(writ.read(), PONG)


@case("a message may come byte by byte")
def _():
    with Client() as writ:
        for byte in json.dumps(PING).encode() + b"\n":
            writ.send_bytes(bytes([byte]))
        equal(writ.read(), PONG)


@case("the last line is taken also without its end")
def _():
    writ = Client(version=None)
    with writ:
        writ.send_bytes(json.dumps(PING).encode())
        writ.end_input()
        equal(writ.read(), PONG)
        equal(writ.wait(), 0)


@case("what is no JSON is answered, and the next message works")
def _():
    with Client() as writ:
        for bad in (b"\0", b"\0" * 1000, bytes(range(128, 256)), b"\xff\xfe{\0}\0", b'{"a":"\xc3\x28"}', b"{", b"]",
                    b"nul", b'{"jsonrpc":"2.0","id":1,"method":"ping"}{}', b"\xef\xbb\xbf{}", b" ", b"[" * 100000,
                    b'{"a":' * 50000, b'"' + b"x" * 300000, b"\x1b[31m", b'{"jsonrpc":"2.0","id":1e999}'):
            writ.send_line(bad)
            answer = writ.read()
            equal(answer["error"]["code"], -32700, repr(bad[:40]))
            equal("id" in answer, False, repr(bad[:40]))
            works(writ)


@case("a key that comes twice, or too deep a message, is told by its id")
def _():
    with Client() as writ:
        for bad in ('{"jsonrpc":"2.0","id":"i","method":"ping","method":"ping"}',
                    '{"jsonrpc":"2.0","id":"i","method":"ping","params":{"a":1,"a":2}}',
                    '{"jsonrpc":"2.0","id":"i","method":"ping","params":{"a":' + "[" * 70 + "]" * 70 + "}}"):
            writ.send_line(bad)
            answer = writ.read()
            equal((answer["id"], answer["error"]["code"]), ("i", -32600))
            works(writ)


@case("a message of some megabytes is one like any other, and its memory is given back")
def _():
    with Client() as writ:
        writ.request("ping")
        before = writ.memory()
        for _ in range(3):
            writ.send({**PING, "params": {"x": "y" * (8 * MIB)}})
            equal(writ.read(), PONG)
        wait_until(lambda: writ.memory() < before + 2048, "the memory is given back", 5)


@case("a line of more than 64 MiB is skipped to its end and told of once")
def _():
    with Client() as writ:
        for _ in range(65):
            writ.send_bytes(b"x" * MIB)
        holds(writ.memory() < 200 * 1024, writ.memory())
        writ.send_bytes(b"y" * MIB * 20 + b"\n")
        equal(writ.read()["error"]["code"], -32600)
        works(writ)
        wait_until(lambda: writ.memory() < 20 * 1024, "the memory is given back", 5)


@case("a request of more than 64 MiB is answered with its id, wherever that stands")
def _():
    long = b'"params":{"id":7,"x":["' + b"y" * (MIB * 65) + b'"]}'
    with Client() as writ:
        for text, id in ((b'{"jsonrpc":"2.0","id":1,"method":"ping",' + long + b"}", 1),
                         (b'{"jsonrpc":"2.0","method":"ping",' + long + b',"id":"a\\"b"}', 'a"b'),
                         (b'{"jsonrpc":"2.0","id":{"id":1},"method":"ping",' + long + b"}", None),
                         (b'{"jsonrpc":"2.0","id":1,"id":2,"method":"ping",' + long + b"}", None),
                         (b'{"jsonrpc":"2.0","method":"ping",' + long + b"}", None),
                         (b'{"jsonrpc":"2.0","id":1,"result":{},' + long + b"}", None),
                         (b'[{"jsonrpc":"2.0","id":1,"method":"ping",' + long + b"}]", None)):
            writ.send_line(text)
            answer = writ.read(60)
            equal([answer.get("id"), answer["error"]["code"]], [id, -32600])
        works(writ)


@case("when the input ends, what was accepted is answered")
def _():
    form = {"elicitation": {"form": {}}}
    policy = "version: 1\nsandbox: workspace\nrules:\n  - ask: touch ...\n  - allow: {}\n"
    with Client(capabilities=form, policy=policy, handlers={"elicitation/create": lambda params: None}) as writ:
        asked = [writ.ask_tool("exec", command=f"echo {number}") for number in range(20)]
        late = writ.ask_tool("exec", command="echo begun; sleep 4711")
        form = writ.ask_tool("exec", command="touch x")
        read = writ.ask_tool("exec", command="sleep 4711", yield_ms=0)
        listed = writ.ask("tools/list")
        writ.end_input()
        for number, one in enumerate(asked):
            equal(writ.result(one)["content"][0]["text"], str(number))
        is_in("approval_required", writ.result(form)["content"][0]["text"])
        is_in("run_kill", writ.result(read)["content"][0]["text"])
        is_in("tools", writ.result(listed))
        holds(writ.result(late)["content"][0]["text"].startswith("begun\ncancelled"), "it was not answered")
        equal(writ.wait(), 0)
        wait_until(lambda: not processes("4711"), "its processes are gone")


@case("input from a file is answered to its end")
def _():
    with Client(version=None) as writ:
        path = os.path.join(writ.project, "requests")
        lines = [{"id": 1, "method": "initialize",
                  "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "a", "version": "1"}}},
                 {"id": 2, "method": "tools/call", "params": {"name": "exec", "arguments": {"command": "sleep 1.5; echo end"}}}]
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(json.dumps({"jsonrpc": "2.0", **line}) + "\n" for line in lines)
        with open(path, encoding="utf-8") as file:
            done = subprocess.run([program(), "mcp"], stdin=file, cwd=writ.project, env=writ.env, capture_output=True,
                                  text=True, timeout=60, check=False)
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        equal([done.returncode, [one["id"] for one in answers]], [0, [1, 2]])
        is_in("end", answers[1]["result"]["content"][0]["text"])


@case("ten thousand requests at once are all answered, each once")
def _():
    with Client() as writ:
        lines = b"".join(b'{"jsonrpc":"2.0","id":%d,"method":"%s"}\n' % (i, b"ping" if i % 2 else b"no/such")
                         for i in range(10000))
        began = time.monotonic()
        seen = {}
        pid = os.fork()
        if pid == 0:
            try:
                writ.send_bytes(lines)
            finally:
                os._exit(0)
        for _ in range(10000):
            answer = writ.read()
            equal(answer["id"] in seen, False)
            seen[answer["id"]] = answer
        os.waitpid(pid, 0)
        for i, answer in seen.items():
            equal("result" in answer, i % 2 == 1)
        holds(time.monotonic() - began < 10, "it took too long")


@case("a client that never reads stops being read, without work, and without growing")
def _():
    writ = Client()
    with writ:
        line = b'{"jsonrpc":"2.0","id":"%s","method":"ping"}\n' % (b"i" * 1000)
        sent = 0
        os.set_blocking(writ.process.stdin.fileno(), False)
        last = time.monotonic()
        while time.monotonic() - last < 0.5:
            try:
                sent += os.write(writ.process.stdin.fileno(), (line * 61)[sent % len(line):])
                last = time.monotonic()
            except BlockingIOError:
                time.sleep(0.01)
            holds(sent < 100 * MIB, "it reads on and on")
        holds(writ.memory() < 40 * 1024, writ.memory())
        before = cpu_ticks(writ.pid)
        time.sleep(0.5)
        holds(cpu_ticks(writ.pid) - before <= 2, "it works while nothing happens")

        # Once it reads again, everything is there.
        whole, rest = divmod(sent, len(line))
        for _ in range(whole):
            equal(len(writ.read()["id"]), 1000)
        if rest:
            writ.send_bytes(line[rest:])
            equal(len(writ.read()["id"]), 1000)
        works(writ)


@case("a client that never reads can still go")
def _():
    writ = Client()
    line = b'{"jsonrpc":"2.0","id":"%s","method":"ping"}\n' % (b"i" * 1000)
    os.set_blocking(writ.process.stdin.fileno(), False)
    last = time.monotonic()
    while time.monotonic() - last < 0.3:
        try:
            os.write(writ.process.stdin.fileno(), line * 60)
            last = time.monotonic()
        except BlockingIOError:
            time.sleep(0.01)
    writ.end_input()
    equal(writ.wait(5), 0)
    writ.close()


@case("an idle server does nothing")
def _():
    with Client() as writ:
        writ.request("ping")
        time.sleep(0.1)
        before = cpu_ticks(writ.pid)
        with open(f"/proc/{writ.pid}/status", encoding="utf-8") as file:
            switches = [line for line in file if "ctxt_switches" in line]
        time.sleep(0.5)
        with open(f"/proc/{writ.pid}/status", encoding="utf-8") as file:
            equal([line for line in file if "ctxt_switches" in line], switches)
        equal(cpu_ticks(writ.pid), before)


@case("it ends soon after its input, after a signal, and after its reader")
def _():
    ways = [(lambda writ: writ.end_input(), 0), (lambda writ: writ.signal(signal.SIGTERM), 143),
            (lambda writ: writ.signal(signal.SIGINT), 130), (lambda writ: writ.signal(signal.SIGHUP), 129)]
    for way, status in ways:
        writ = Client()
        began = time.monotonic()
        way(writ)
        equal(writ.wait(), status)
        holds(time.monotonic() - began < 0.5, "it took too long")
        writ.close()


@case("it ends when the other end of a socket or of a terminal has gone")
def _():
    for make in (lambda: tuple(end.detach() for end in socket.socketpair()), os.openpty):
        ours, theirs = make()
        writ = subprocess.Popen([program(), "mcp"], stdin=subprocess.PIPE, stdout=theirs, env=environment())
        os.close(theirs)
        writ.stdin.write(json.dumps(PING).encode() + b"\n")
        writ.stdin.flush()
        equal(json.loads(os.read(ours, 4096)), PONG)
        os.close(ours)
        equal(writ.wait(5), 0)
        writ.stdin.close()


@case("it ends when nobody reads its output any more")
def _():
    writ = Client()
    writ.process.stdout.close()
    equal(writ.wait(5), 0)
    writ.process.stdout = open(os.devnull, "rb")
    writ.close()


@case("it ends when who started it is killed, though its pipes stay open")
def _():
    in_read, in_write = os.pipe()
    out_read, out_write = os.pipe()
    starter = subprocess.Popen([sys.executable, "-c", "import subprocess, sys, time\n"
                                "child = subprocess.Popen(sys.argv[1:])\n"
                                "print(child.pid, file=sys.stderr, flush=True)\ntime.sleep(60)", program(), "mcp"],
                               stdin=in_read, stdout=out_write, stderr=subprocess.PIPE, env=environment())
    os.close(out_write)
    pid = int(starter.stderr.readline())
    os.write(in_write, json.dumps(PING).encode() + b"\n")
    equal(json.loads(os.read(out_read, 4096)), PONG)
    starter.kill()
    starter.wait()
    # The end of its output is its end: nobody else holds that.
    equal(os.read(out_read, 4096), b"")
    wait_until(lambda: not os.path.exists(f"/proc/{pid}") or is_zombie(pid), "the server has ended", 5)
    for fd in (in_read, in_write, out_read):
        os.close(fd)
    starter.stderr.close()


def is_zombie(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            return file.read().rpartition(")")[2].split()[0] in "ZX"
    except OSError:
        return True


@case("sockets do as well as pipes, also one for both directions")
def _():
    ours, theirs = socket.socketpair()
    server = subprocess.Popen([program(), "mcp"], stdin=theirs, stdout=theirs, env=environment())
    theirs.close()
    ours.settimeout(10)
    ours.sendall(json.dumps(PING).encode() + b"\n")
    equal(json.loads(ours.recv(4096)), PONG)
    ours.shutdown(socket.SHUT_WR)
    equal(server.wait(5), 0)
    ours.close()


@case("what goes to a file is all there")
def _():
    lines = "".join(json.dumps({**PING, "id": i}) + "\n" for i in range(3000))
    with tempfile.TemporaryFile("w+") as source, tempfile.TemporaryFile("w+") as target:
        source.write(lines)
        source.seek(0)
        equal(subprocess.run([program(), "mcp"], stdin=source, stdout=target, env=environment(), check=False,
                             timeout=20).returncode, 0)
        target.seek(0)
        equal([json.loads(line)["id"] for line in target], list(range(3000)))


@case("its standard streams are its own: nothing it starts has the client's")
def _():
    with Client() as writ:
        fds = {int(fd): os.readlink(f"/proc/{writ.pid}/fd/{fd}") for fd in os.listdir(f"/proc/{writ.pid}/fd")}
        equal(fds[0], "/dev/null")
        equal(fds[1], fds[2])
        pipes = [os.readlink(f"/proc/{os.getpid()}/fd/{end.fileno()}")
                 for end in (writ.process.stdin, writ.process.stdout)]
        for pipe in pipes:
            holders = [fd for fd, target in fds.items() if target == pipe]
            equal(len(holders), 1, pipe)
            with open(f"/proc/{writ.pid}/fdinfo/{holders[0]}", encoding="utf-8") as file:
                flags = [line for line in file if line.startswith("flags:")][0]
            holds(int(flags.split()[1], 8) & os.O_CLOEXEC, flags)
        # The open file that we share with nobody is the one that does not wait.
        equal(os.get_blocking(writ.process.stdout.fileno()), True)


@case("what it starts has neither its signals nor its descriptors")
def _():
    with Client() as writ:
        said = writ.call("exec", argv=["sh", "-c", "grep -E '^Sig(Blk|Ign)' /proc/self/status; ls -l /proc/self/fd"])
        text = said["structuredContent"]["stdout"]
        for line in text.splitlines():
            if line.startswith("Sig"):
                equal(int(line.split()[1], 16), 0, line)
        pipes = [os.readlink(f"/proc/{os.getpid()}/fd/{end.fileno()}")
                 for end in (writ.process.stdin, writ.process.stdout)]
        for pipe in pipes:
            equal(pipe in text, False, text)


@case("a probe of either era reads no policy, makes no file and starts nothing")
def _():
    for version in (NEWEST, STATELESS):
        with Client(version=version, policy="/no/such/policy.yaml", env={"WRIT_MODULES": "/no/such"}) as writ:
            if version == STATELESS:
                writ.request("server/discover")
            equal(os.listdir(f"/proc/{writ.pid}/task"), [str(writ.pid)])
            with open(f"/proc/{writ.pid}/task/{writ.pid}/children", encoding="utf-8") as file:
                equal(file.read(), "")
            equal(sorted(os.listdir(writ.base)), ["home", "project"])


@case("every version is held to its own batches")
def _():
    batch = json.dumps([PING, {"jsonrpc": "2.0", "method": "notifications/x"}, {**PING, "id": "b"}])
    for version in ("2024-11-05", "2025-03-26", "2025-06-18", NEWEST):
        with Client(version=version) as writ:
            writ.send_line(batch)
            answer = writ.read()
            if version == "2025-03-26":
                equal(answer, [PONG, {**PONG, "id": "b"}])
                writ.send_line("[]")
                equal(writ.read()["error"]["code"], -32600)
            else:
                equal(answer["error"]["code"], -32600)
            works(writ)


@case("instructions are short, and say what a refusal means")
def _():
    with Client() as writ:
        words = writ.info["instructions"]
        holds(len(words.encode()) <= 1024, words)
        for word in ("/tmp", "run_read", "denied", "approval_required", "network"):
            is_in(word, words)


run()
