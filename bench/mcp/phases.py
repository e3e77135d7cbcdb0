"""What is measured of one server. Every phase takes servers side by side, so
that what the machine does besides meets all of them alike.

Times are in milliseconds, sizes in KiB.
"""
import json
import os
import random
import statistics
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tests/mcp"))
from client import Client, Ended, Late, RpcError  # pylint: disable=wrong-import-position

LINES = "yes 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcde | head -c 52428800"


class Seat(Client):
    """A server that has been started, and how long that took."""

    def __init__(self, server, base):
        self.server = server
        env = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": os.path.join(base, "home"), **server.env}
        super().__init__(argv=server.argv, env=env, base=base)
        self.start_ms = (time.monotonic() - self.started) * 1000

    def read(self, timeout=20):
        """Some peers say other things too."""
        while True:
            try:
                return super().read(timeout)
            except ValueError:
                continue

    def ask_run(self, command, timeout_ms=60000):
        return self.ask_tool(self.server.tool, **self.server.arguments(command, timeout_ms))

    def run(self, command, timeout_ms=60000, patience=150):
        return self.result(self.ask_run(command, timeout_ms), patience)


def timed(function, *args):
    began = time.perf_counter()
    function(*args)
    return (time.perf_counter() - began) * 1000


def said(result):
    return "".join(block.get("text", "") for block in result.get("content", []))


def children(pid):
    """That process and all below it."""
    parents = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as file:
                parents[int(name)] = int(file.read().rpartition(")")[2].split()[1])
        except OSError:
            continue
    found = [pid]
    for one in found:
        found += [child for child, parent in parents.items() if parent == one]
    return found


def field(pid, name):
    try:
        with open(f"/proc/{pid}/status", encoding="utf-8") as file:
            return next((int(line.split()[1]) for line in file if line.startswith(name + ":")), 0)
    except OSError:
        return 0


class Bench:
    def __init__(self, servers, base, is_quick):
        self.servers = servers
        self.base = base
        self.is_quick = is_quick
        self.figures = {server.name: {} for server in servers}

    def seat(self, server):
        number = self.servers.index(server)
        return Seat(server, os.path.join(self.base, str(number)))

    def keep(self, server, what, value):
        self.figures[server.name].setdefault(what, []).append(value)

    # --- phases

    def start(self):
        """From the call that starts it to the answer of initialize, and its memory then."""
        for _ in range(2 if self.is_quick else 7):
            for server in self.servers:
                seat = self.seat(server)
                self.keep(server, "start", seat.start_ms)
                self.keep(server, "idle", sum(field(pid, "VmRSS") for pid in children(seat.pid)))
                began = time.perf_counter()
                self.leave(seat)
                self.keep(server, "leave", (time.perf_counter() - began) * 1000)

    @staticmethod
    def leave(seat):
        """As clients do: the end of its input, 2 s of patience, then force."""
        try:
            seat.close(2)
        except (Late, OSError):
            pass

    def together(self, function):
        """All servers at once, each asked in its turn."""
        seats = []
        try:
            for server in self.servers:
                seats.append(self.seat(server))
            function(seats)
        finally:
            for seat in seats:
                self.leave(seat)

    def list(self):
        def ask(seats):
            for _ in range(5 if self.is_quick else 50):
                for seat in seats:
                    self.keep(seat.server, "list", timed(seat.request, "tools/list"))
            for seat in seats:
                seat.send_line('{"jsonrpc":"2.0","id":"size","method":"tools/list"}')
                self.keep(seat.server, "list bytes", len(seat.read_line()))
        self.together(ask)

    def echo(self):
        """One call after the other; in blocks, the servers by turns."""
        def block(seat, count, seconds):
            until = time.monotonic() + seconds
            times = []
            while len(times) < count and time.monotonic() < until:
                times.append(timed(seat.run, "echo hi"))
                self.keep(seat.server, "echo", times[-1])
            self.keep(seat.server, "echo by turns", statistics.median(times))

        def ask(seats):
            for seat in seats:
                for _ in range(2 if self.is_quick else 10):
                    if "hi" not in said(seat.run("echo hi")):
                        raise SystemExit(f"{seat.server.name}: echo does not work: {seat.run('echo hi')}")
            for _ in range(1 if self.is_quick else 40):
                for seat in seats:
                    block(seat, 8, 0.3)
        self.together(ask)

    def at_once(self):
        """Sixteen calls in flight."""
        def line(seat, number):
            arguments = seat.server.arguments("echo hi", 60000)
            return json.dumps({"jsonrpc": "2.0", "id": f"e{number}", "method": "tools/call",
                               "params": {"name": seat.server.tool, "arguments": arguments}},
                              separators=(",", ":")).encode() + b"\n"

        def flood(seat, lines):
            """As little as possible is done here: the client needs the processors, too."""
            sent = 16
            seat.send_bytes(b"".join(lines[:sent]))
            for _ in lines:
                while b'"result"' not in seat.read_line():
                    pass
                if sent < len(lines):
                    seat.send_bytes(lines[sent])
                    sent += 1

        def ask(seats):
            for _ in range(1 if self.is_quick else 3):
                for seat in seats:
                    slow = seat.server.is_peer and "desktop" in seat.server.name
                    count = 32 if self.is_quick or slow else 300
                    lines = [line(seat, number) for number in range(count)]
                    self.keep(seat.server, "rate", count * 1000 / timed(flood, seat, lines))
        self.together(ask)

    def sleepers(self):
        """Fifty that sleep for 0.2 s, all at once."""
        def all_at_once(seat):
            for id in [seat.ask_run("sleep 0.2") for _ in range(5 if self.is_quick else 50)]:
                seat.result(id, 60)

        def ask(seats):
            for number in range(1 if self.is_quick else 3):
                for seat in seats:
                    if number > 0 and seat.server.is_serial:
                        continue
                    seat.run("echo hi")
                    self.keep(seat.server, "sleepers", timed(all_at_once, seat))
        self.together(ask)

    def flood(self):
        """50 MiB of output: how long, how much of it is answered, and the memory."""
        for server in self.servers:
            seat = self.seat(server)
            seat.run("echo hi")
            began = time.perf_counter()
            id = seat.ask_run(LINES, 120000)
            try:
                size = len(str(seat.answer(id, 150)))
            except (Late, Ended):
                size = 0
            self.keep(server, "flood", (time.perf_counter() - began) * 1000)
            self.keep(server, "flood bytes", size)
            self.keep(server, "flood memory", field(seat.pid, "VmHWM"))
            self.leave(seat)

    def survivors(self):
        """A command with four descendants, each harder to find than the one before."""
        for server in self.servers:
            for way in ("timeout", "cancel", "disconnect"):
                if way == "timeout" and not server.has_timeout:
                    self.keep(server, "after " + way, None)
                    continue
                self.keep(server, "after " + way, len(self.left_by(server, way)))

    def left_by(self, server, way):
        mark = str(random.randrange(10 ** 8, 10 ** 9))
        command = (f"sleep {mark}.1 >/dev/null 2>&1 & setsid sleep {mark}.2 >/dev/null 2>&1 & "
                   f"(setsid sh -c 'sleep {mark}.3 & exit 0' >/dev/null 2>&1 &); sleep {mark}.0")
        seat = self.seat(server)
        id = seat.ask_run(command, 1500 if way == "timeout" else 60000)
        self.wait_for(lambda: len(sleeping(mark)) == 4, 10)
        if way == "timeout":
            try:
                seat.answer(id, 10)
            except (Late, Ended, RpcError):
                pass
        elif way == "cancel":
            seat.cancel(id)
        else:
            self.leave(seat)
        # Long enough for everybody who only needs a moment.
        self.wait_for(lambda: not sleeping(mark), 2.5)
        left = sleeping(mark)
        self.leave(seat)
        for pid in sleeping(mark):
            os.kill(pid, 9)
        return left

    @staticmethod
    def wait_for(is_so, seconds):
        until = time.monotonic() + seconds
        while not is_so() and time.monotonic() < until:
            time.sleep(0.02)


def sleeping(mark):
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/cmdline", "rb") as file:
                words = file.read().split(b"\0")
        except OSError:
            continue
        if words[0].endswith(b"sleep") and words[1].startswith(mark.encode() + b"."):
            found.append(int(name))
    return found
