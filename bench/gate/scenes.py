"""The scenes that are counted, and how.

Instructions of the program are counted by callgrind, those of its helpers (few, and where valgrind cannot go) by
stepping, and system calls of both by tracing. The commands that writ runs are not counted.

Root becomes an ordinary user for it: such a user's runs depend least on the machine.
"""
import os
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tests/mcp"))
from client import Client  # pylint: disable=wrong-import-position

NOBODY = 65534
PATIENCE = 120
# Events come in another order now and then, and cost a few waits more: the one in the middle counts.
PASSES = 5
PROGRAMS = ("src/writ", "bench/writ-gate-trace", "bench/writ-gate-warm", "bench/writ-gate-world.so", "bench/writ-gate-native.so")
# Newer processors would be given other copies of memcpy() and the like.
TUNABLES = "glibc.cpu.hwcaps=-AVX2,-AVX,-ERMS"


class Failed(Exception):
    """A scene could not be counted."""


def make_folder(path):
    """The same path each time, since even the hash of a path is work; or another, if somebody has it."""
    try:
        about = os.lstat(path)
        if about.st_uid == os.geteuid() and time.time() - about.st_mtime > 2 * PATIENCE:
            shutil.rmtree(path)
    except OSError:
        pass
    try:
        os.mkdir(path, 0o700)
        return path
    except FileExistsError:
        return tempfile.mkdtemp(prefix="writ-gate.", dir="/var/tmp")


class Seat:
    """Where programs are counted: a copy of them, and each time a new place for what they keep."""

    def __init__(self, build, name, programs=PROGRAMS):
        self.work = make_folder("/var/tmp/writ-gate." + name)
        os.chmod(self.work, 0o755)
        for program in programs:
            # Without its debug information: valgrind 3.19 cannot read that of clang 14.
            subprocess.run(["strip", "--strip-debug", "-o", self.program(os.path.basename(program)), os.path.join(build, program)],
                           check=True)
        self.base = os.path.join(self.work, "seat")
        self.report = os.path.join(self.base, "report")
        self.become = []
        if os.geteuid() == 0:
            self.become = ["setpriv", "--reuid", str(NOBODY), "--regid", str(NOBODY), "--clear-groups"]

    def close(self):
        shutil.rmtree(self.work, ignore_errors=True)

    def program(self, name):
        return os.path.join(self.work, name)

    def renew(self):
        shutil.rmtree(self.base, ignore_errors=True)
        for path in (self.base, self.base + "/home", self.base + "/project"):
            os.mkdir(path, 0o700)
            if self.become:
                os.chown(path, NOBODY, NOBODY)

    def environment(self, policy):
        env = {"PATH": "/usr/bin:/bin", "HOME": self.base + "/home", "LANG": "C.UTF-8"}
        for name in ("state", "config", "cache", "system"):
            env[f"WRIT_{name.upper()}_DIR"] = os.path.join(self.base, name)
        if policy:
            env["WRIT_POLICY"] = policy
        return env

    def preload(self, *names):
        """The words before a program that put these, and only these, into it."""
        return ["env", "GLIBC_TUNABLES=" + TUNABLES, "LD_PRELOAD=" + ":".join(self.program(name) for name in names)]

    def callgrind(self, is_marked):
        more = ["--collect-atstart=no", "--toggle-collect=gate_counted"] if is_marked else []
        return [*self.become, *self.preload("writ-gate-world.so", "writ-gate-native.so"), "valgrind", "--quiet",
                "--tool=callgrind", "--callgrind-out-file=" + self.report, *more]

    def trace(self, what, is_marked):
        return [*self.become, *self.preload("writ-gate-world.so"), self.program("writ-gate-trace"), what,
                "marked" if is_marked else "whole", self.report]

    def run(self, command, policy):
        done = subprocess.run(command, cwd=self.base + "/project", env=self.environment(policy), stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=PATIENCE, check=False)
        if done.returncode != 0:
            raise Failed(f"'{' '.join(command)}' ended with {done.returncode}: {done.stderr.strip()}")

    def reported(self):
        """A number of writ-gate-trace, or the total of callgrind."""
        try:
            with open(self.report, encoding="utf-8") as file:
                lines = file.read().splitlines()
        except OSError as problem:
            raise Failed(f"nothing was counted: {problem}") from problem
        totals = [line.split()[1] for line in lines if line.startswith("totals:")] or lines[:1]
        if not totals:
            raise Failed("nothing was counted")
        return int(totals[0])


def family(pid):
    """A process and all below it."""
    found = [pid]
    for other in found:
        try:
            for task in os.listdir(f"/proc/{other}/task"):
                with open(f"/proc/{other}/task/{task}/children", encoding="ascii") as file:
                    found.extend(int(word) for word in file.read().split())
        except OSError:
            continue
    return found


def is_asleep(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            return file.read().rpartition(")")[2].split()[0] in "SZ"
    except OSError:
        return True


def wait_until_quiet(pid, looks=8):
    """Until nobody below that process has anything to do: the tail of one call must not meet the next one."""
    quiet, deadline = 0, time.monotonic() + PATIENCE
    while quiet < looks:
        quiet = quiet + 1 if all(map(is_asleep, family(pid))) else 0
        if time.monotonic() > deadline:
            raise Failed("the server never rests")
        time.sleep(0.003)


class Program:
    """A program from its start to its end; or what it does count times between its marks."""

    def __init__(self, name, words, policy=None, count=0, files=None):
        self.name = name
        self.words = words
        self.policy = policy
        self.count = count
        self.files = files or {}

    def once(self, seat, counter):
        seat.renew()
        for name, text in self.files.items():
            with open(os.path.join(seat.base, "project", name), "w", encoding="utf-8") as file:
                file.write(text)
        words = self.words + [str(self.count)] if self.count else self.words
        seat.run([*counter, seat.program(words[0]), *words[1:]], self.policy)
        return seat.reported() / (self.count or 1)

    def instructions(self, seat):
        is_marked = self.count > 0
        return self.once(seat, seat.callgrind(is_marked)) + self.once(seat, seat.trace("steps", is_marked))

    def calls(self, seat):
        return sorted(self.once(seat, seat.trace("calls", self.count > 0)) for _ in range(PASSES))[PASSES // 2]


class Conversation:
    """What one more call of a tool costs a server that is warm. The instructions are the server's own: its helpers do
    what they do for a warm run in the same sandbox."""

    name = "mcp-exec"
    few, many = 3, 11

    def once(self, seat, counter, count):
        seat.renew()
        env = {**seat.environment(None), "WRIT_POLICY": None, "TMPDIR": None}
        server = [*counter, seat.program("writ"), "mcp"]
        with Client(argv=server, env=env, base=seat.base) as client:
            for _ in range(count):
                wait_until_quiet(client.pid)
                result = client.call("exec", timeout=PATIENCE, argv=["/bin/true"])
                if result.get("isError"):
                    raise Failed(f"the server answered: {result}")
            wait_until_quiet(client.pid)
            if client.close(PATIENCE) != 0:
                raise Failed(f"the server ended badly: {client.stderr()}")
        return seat.reported()

    def one_more(self, many, few):
        return (many - few) / (self.many - self.few)

    def instructions(self, seat):
        counter = seat.callgrind(False)
        return self.one_more(self.once(seat, counter, self.many), self.once(seat, counter, self.few))

    def calls(self, seat):
        counter = seat.trace("calls", False)
        many, few = (sorted(self.once(seat, counter, count) for _ in range(PASSES))[PASSES // 2] for count in (self.many, self.few))
        return self.one_more(many, few)


MANIFEST = "ccm:\n  resources:\n    - exec:\n        - one: { command: /bin/true }\n"

SCENES = (
    Program("cold-none", ["writ", "run", "--policy", "open", "--sandbox", "none", "--", "true"]),
    Program("cold-default", ["writ", "run", "--", "true"]),
    Program("warm-none", ["writ-gate-warm", "run", "none"], policy="open", count=4),
    Program("warm-workspace", ["writ-gate-warm", "run", "workspace"], count=4),
    Program("warm-strict", ["writ-gate-warm", "run", "strict"], count=4),
    Conversation(),
    Program("apply-one", ["writ", "apply", "one.yaml"], files={"one.yaml": MANIFEST}),
    Program("decision", ["writ-gate-warm", "decide", "-"], count=10),
)


def why_no_sandbox(build):
    """Why nothing can be confined on this machine; None: it can."""
    seat = Seat(build, "sandbox")
    try:
        seat.renew()
        seat.run([*seat.become, seat.program("writ"), "run", "--", "true"], None)
    except Failed as problem:
        return str(problem)
    finally:
        seat.close()
    return None
