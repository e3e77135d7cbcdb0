"""A home directory as a person has one, and a project in it.

A session has a /tmp, /var/tmp and /dev/shm of its own, so a HOME below one of these
would not be seen by any command. Only root may make directories elsewhere, and on
a machine for tests nobody wants them there. So this process gets a mount
namespace in which /home is a directory of its own, on disk.

    move_in()                                 # once, before any thread
    with Household(policy="developer") as home:
        home.run("make test")                 # over MCP; it has to end well
"""
import atexit
import ctypes
import os
import shutil
import subprocess
import tempfile

from cases import equal, holds, skip
from client import Client, text_of

CLONE_NEWNS, CLONE_NEWUSER = 0x20000, 0x10000000
MS_BIND, MS_REC, MS_PRIVATE = 0x1000, 0x4000, 0x40000
LIBC = ctypes.CDLL(None, use_errno=True)
PLACE = {"why": "nobody has moved in"}


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def mount(source, target, flags):
    if LIBC.mount(source.encode(), target.encode(), None, flags, None) != 0:
        raise OSError(ctypes.get_errno(), f"cannot mount {target}")


def show_program():
    """A program under test in /tmp would not find the rest of itself, writ-file, in a sandbox."""
    build = os.path.dirname(os.path.dirname(os.path.realpath(os.environ["WRIT"])))
    if build.startswith(("/tmp/", "/var/tmp/", "/dev/shm/")):
        os.mkdir("/home/build")
        mount(build, "/home/build", MS_BIND | MS_REC)
        os.environ["WRIT"] = "/home/build/src/" + os.path.basename(os.environ["WRIT"])


def move_in():
    """Where that cannot be, the cases say so when they open a Household."""
    user, group = os.getuid(), os.getgid()
    base = tempfile.mkdtemp(prefix="writ-home-", dir="/var/tmp")
    process = os.getpid()
    atexit.register(lambda: os.getpid() == process and shutil.rmtree(base, ignore_errors=True))
    try:
        if LIBC.unshare(CLONE_NEWNS | (CLONE_NEWUSER if user != 0 else 0)) != 0:
            raise OSError(ctypes.get_errno(), "no mount namespace")
        if user != 0:
            write("/proc/self/setgroups", "deny")
            write("/proc/self/uid_map", f"{user} {user} 1")
            write("/proc/self/gid_map", f"{group} {group} 1")
        mount("none", "/", MS_REC | MS_PRIVATE)
        mount(base, "/home", MS_BIND)
        show_program()
    except OSError as error:
        PLACE["why"] = str(error)
    else:
        del PLACE["why"]


def find(program):
    """The program's file, not a shim that looks for it in somebody's HOME; None: it is not installed."""
    path = shutil.which(program, path="/usr/local/bin:/usr/bin:/bin:/usr/local/go/bin:/usr/sbin")
    return path and os.path.realpath(path)


def need(*programs, runs_elsewhere=False):
    missing = [name for name in programs if find(name) is None]
    if missing:
        skip(f"{' and '.join(missing)} {'is' if len(missing) == 1 else 'are'} not installed", runs_elsewhere)


def rust():
    """The directory of cargo and rustc: Debian's, or that of a rustup which this user has."""
    if find("cargo") and find("rustc"):
        return os.path.dirname(find("cargo"))
    if shutil.which("rustc"):
        done = subprocess.run(["rustc", "--print", "sysroot"], capture_output=True, text=True, check=False)
        if done.returncode == 0 and os.path.exists(done.stdout.strip() + "/bin/cargo"):
            return done.stdout.strip() + "/bin"
    return skip("cargo and rustc are not installed for this user", runs_elsewhere=True)


class Household:
    """HOME, a project in it, and an agent that has nothing but `writ mcp`, without anybody to ask.

    Files come from `files`: path in HOME -> text. Commands of `outside()` are a
    person's, without writ; `run()` and `fail()` are the agent's."""

    def __init__(self, files=None, project="project", policy="developer", options=()):
        if "why" in PLACE:
            skip(f"no /home of its own: {PLACE['why']}")
        self.home = tempfile.mkdtemp(prefix="agent-", dir="/home")
        self.project = os.path.join(self.home, project)
        os.makedirs(self.project, exist_ok=True)
        self.env = {"HOME": self.home, "LANG": "C.UTF-8", "GIT_CONFIG_NOSYSTEM": "1",
                    "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/local/go/bin"}
        self.writ = None
        self.runs = {}
        try:
            for path, text in (files or {}).items():
                path = os.path.join(self.home, path)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                write(path, text)
        except BaseException:
            self.close()
            raise
        self.policy, self.options = policy, options

    def agent(self):
        """Its connection. It begins with the first call; what a person prepares is there by then."""
        if self.writ is None:
            self.writ = Client(*self.options, base=self.home, cwd=self.project, policy=self.policy, env=self.env)
        return self.writ

    def outside(self, *argv, cwd=None):
        done = subprocess.run(argv, cwd=cwd or self.project, env=self.env, stdin=subprocess.DEVNULL, text=True,
                              capture_output=True, timeout=120, check=False)
        equal(done.returncode, 0, f"{argv}: {done.stdout}{done.stderr}")
        return done.stdout

    def call(self, command, timeout=300, **more):
        """One call of exec, as models make it; the result object, and the text."""
        more = {"yield_ms": timeout * 1000, "timeout_ms": timeout * 1000, **more}
        result = self.agent().call("exec", timeout, command=command, **more)
        state = result["structuredContent"]
        holds("error" not in state, f"{command}: {text_of(result)}")
        self.runs[state["run_id"]] = state["outcome"]
        return state, text_of(result)

    def run(self, command, **more):
        """It has to end well; its standard output."""
        state, text = self.call(command, **more)
        equal((state["outcome"], state.get("exit_code")), ("exited", 0), f"{command}: {text}")
        return state["stdout"]

    def fail(self, command, **more):
        """It has to end badly; what the model sees."""
        state, text = self.call(command, **more)
        equal(state["outcome"], "exited", text)
        holds(state["exit_code"] != 0, f"{command} ended well: {text}")
        return text

    def start(self, command, **more):
        """It has to go on; its id."""
        state, text = self.call(command, **more)
        equal(state["outcome"], "running", f"{command}: {text}")
        return state["run_id"]

    def kill(self, run_id):
        state = self.writ.call("run_kill", run_id=run_id)["structuredContent"]
        self.runs[run_id] = state["outcome"]

    def nobody_was_asked(self):
        equal(self.writ.writ("approvals", "list").stdout, "")

    def close(self):
        if self.writ is not None:
            self.writ.close()
        shutil.rmtree(self.home, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        try:
            if kind is None and self.writ is not None:
                self.nobody_was_asked()
        finally:
            self.close()
