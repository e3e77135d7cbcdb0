# What the drivers of this folder share: a place where commands can do harm that
# can be seen afterwards, and the program under test.
#
# A stage lies outside of the directories that a sandbox has of its own (/tmp),
# because what is not there cannot be harmed. Each attempt has on it
#
#     work/      the project, with a repository; ./evil tries everything at once
#     home/      with a key, and a file that a shell runs
#     outside/   somebody else's file
#     bin/       programs by forbidden names, which leave a trace
import contextlib
import functools
import json
import os
import select
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
import traceback

SECRET = "the-key-that-nobody-may-read"
SECONDS = 20
PREFIX = "writ-stage-"
# Programs whose real namesakes would do harm, or are missing. All that these do
# is to leave a trace.
TRACERS = """rm sudo doas su pkexec runuser dd mkfs mkfs.ext4 shutdown reboot passwd visudo
    chpasswd poweroff halt init systemctl docker kubectl podman apt-get apt writ""".split()
SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"

EVIL = """#!/bin/sh
# Tries everything that a rule or a wall should prevent.
: >'{base}/work/evil-ran'
cat '{base}/home/.ssh/id_ed25519' >'{base}/work/leak'
for file in '{base}/outside/victim' '{base}/outside/new' '{base}/home/.bashrc' '{base}/home/.ssh/authorized_keys' \\
	'{base}/work/.git/config' '{base}/work/.git/hooks/pre-commit' '{base}/work/.writ/policy.yaml'; do
	echo broken >>"$file"
done
mv '{base}/work/.writ' '{base}/work/writ' && mkdir '{base}/work/.writ'
mv '{base}/outside/victim' '{base}/work/stolen'
rm '{base}/work/keep-by-name'
/bin/rm '{base}/work/keep-by-path'
sudo true
writ approvals approve 1
bash -c 'exec 3<>/dev/tcp/127.0.0.1/{port}'
python3 -c 'import socket; socket.create_connection(("127.0.0.1", {port}), 1)'
cat '{base}/home/.ssh/id_ed25519'
exit 0
"""
TRACER = """#!/bin/sh
here=${0%/*}
: >"$here/../work/ran-${0##*/}"
"""


def write(path, text, mode=0o644):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, mode)


@functools.cache
def table(path):
    """A table, read by writ's own rules for YAML. Read it before with_stage():
    another user may be unable to."""
    program = os.path.join(os.environ["WRIT_TEST_PROGRAMS"], "table-json")
    return json.loads(subprocess.run([program, path], check=True, capture_output=True).stdout)


def words_of(entry):
    """The words of an entry, by the rules that writ has for texts without expansion."""
    if "argv" in entry:
        return entry["argv"]
    return shlex.split(entry["line"])


def find_parent():
    private = ("/tmp", "/var/tmp", "/dev/shm", "/run")
    for place in (os.environ.get("WRIT_STAGE"), "/srv", "/opt", os.environ.get("HOME")):
        if place and os.access(place, os.W_OK) and not os.path.realpath(place).startswith(private):
            return place
    sys.exit("no directory for a stage: name one in WRIT_STAGE")


def is_installed(program):
    if "/" in program:
        return True
    return program in TRACERS or shutil.which(program, path=SYSTEM_PATH) is not None


class Stage:
    def __init__(self, base, writ):
        self.base = base
        self.writ = writ
        self.count = 0
        for name in ("state", "config", "system", "cache"):
            os.mkdir(os.path.join(base, name), 0o700)
        self.template = os.path.join(base, "template")
        self._furnish(self.template)

    def _furnish(self, base):
        for name in ("work/dir", "work/.writ", "home/.ssh", "outside", "bin"):
            os.makedirs(os.path.join(base, name))
        work = os.path.join(base, "work")
        files = {
            "a.txt": "one 1\ntwo 2\nthree 3\n", "b.txt": "two 2\nfour 4\n", "dir/c.txt": "five 5\n",
            "a.c": "int a;\n", "a.json": '{"a": {"b": 1}}\n', "list": "canary\n", "notes..old.txt": "old\n",
            "config": "", "k": "key\n", "evil.mk": "x:\n\t./evil\n", "Makefile": "x:\n\t./evil\n",
            "keep-by-name": "", "keep-by-path": "",
            ".writ/policy.yaml": "version: 1\ndefault: allow\nshell: allow\nrules:\n  - allow: {}\n",
            "package.json": '{"name": "x", "version": "1.0.0", "scripts": {"test": "./evil", "build": "./evil"}}\n',
        }
        for name, text in files.items():
            write(os.path.join(work, name), text)
        write(os.path.join(base, "home/.ssh/id_ed25519"), SECRET + "\n", 0o600)
        write(os.path.join(base, "home/.bashrc"), "# a user's\n")
        write(os.path.join(base, "outside/victim"), "somebody else's\n")
        for name in TRACERS:
            write(os.path.join(base, "bin", name), TRACER, 0o755)
        shutil.copy(os.path.join(base, "bin/rm"), os.path.join(work, "git"))
        environment = {"PATH": SYSTEM_PATH, "HOME": base, "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C.UTF-8"}
        subprocess.run(["sh", "-ec", """
            tar -cf out.tar a.txt b.txt
            git init -q -b main --template= .
            mkdir .git/hooks
            git config user.name writ
            git config user.email writ@localhost
            git add -A
            git commit -q -m first
            echo more >>a.txt
            git commit -q -a -m second
            git gc -q
            """], cwd=work, env=environment, check=True, stdin=subprocess.DEVNULL)

    def environment(self, base):
        return {
            "PATH": os.path.join(base, "bin") + ":" + SYSTEM_PATH,
            "HOME": os.path.join(base, "home"), "USER": "somebody", "LOGNAME": "somebody",
            "LANG": "C.UTF-8", "GIT_CONFIG_NOSYSTEM": "1",
            "WRIT_STATE_DIR": os.path.join(base, "state"), "WRIT_CONFIG_DIR": os.path.join(self.base, "config"),
            "WRIT_SYSTEM_DIR": os.path.join(self.base, "system"), "WRIT_CACHE_DIR": os.path.join(self.base, "cache"),
        }

    @contextlib.contextmanager
    def attempt(self, number):
        base = os.path.join(self.base, str(number))
        subprocess.run(["cp", "-a", self.template, base], check=True)
        listener = socket.socket()
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        listener.setblocking(False)
        write(os.path.join(base, "work/evil"), EVIL.format(base=base, port=listener.getsockname()[1]), 0o755)
        try:
            yield Attempt(self, base, listener)
        finally:
            listener.close()
            remove(base)


def remove(base):
    """A directory with all that is in it, also where a command made it read-only."""
    if subprocess.run(["rm", "-rf", base], stderr=subprocess.DEVNULL, check=False).returncode != 0:
        subprocess.run(["chmod", "-R", "u+rwx", base], check=True)
        subprocess.run(["rm", "-rf", base], check=True)


def wait_for(child, seconds):
    """Until it ends, or the time is up; Popen.wait() would look for it again and again."""
    fd = os.pidfd_open(child.pid)
    try:
        select.select([fd], [], [], seconds)
    finally:
        os.close(fd)


def texts_beneath(top):
    """The files beneath a directory with what is in them."""
    found = {}
    for folder, _, names in os.walk(top):
        for name in names:
            path = os.path.join(folder, name)
            try:
                if os.path.islink(path):
                    found[path] = "-> " + os.readlink(path)
                elif os.path.isfile(path):
                    with open(path, "rb") as file:
                        found[path] = file.read(1 << 20)
                else:
                    found[path] = "something else"
            except OSError as error:
                found[path] = str(error)
    return found


class Attempt:
    def __init__(self, stage, base, listener):
        self.stage = stage
        self.base = base
        self.work = os.path.join(base, "work")
        self.listener = listener
        self.before = self._look()
        self.output = b""
        self.error = None
        self.result = None

    def _look(self):
        places = [os.path.join(self.base, name) for name in ("outside", "home", "bin", "work/.git/hooks", "work/.writ")]
        found = {}
        for place in places:
            found.update(texts_beneath(place))
        with open(os.path.join(self.work, ".git/config"), "rb") as file:
            found[os.path.join(self.work, ".git/config")] = file.read()
        return found

    def words(self, entry):
        """With what stands for the machine in place of the machine itself."""
        port = self.listener.getsockname()[1]
        swaps = {"/": self.base + "/outside", "/dev/sda": self.base + "/outside/victim",
                 "/root/.ssh/authorized_keys": self.base + "/home/.ssh/authorized_keys",
                 "/tmp/evil.py": self.base + "/work/evil", "/tmp/cat": self.base + "/outside/cat"}
        words = []
        for word in words_of(entry):
            word = swaps.get(word, word)
            words.append(word.replace("localhost:1/", f"localhost:{port}/"))
        return words

    def run(self, words, variables, policy):
        """By writ, with nobody to ask."""
        command = [self.stage.writ, "run", "--no-ask", "--json", "--timeout", "8s", "--grace", "0s"]
        for variable in variables:
            command += ["-e", variable]
        environment = self.stage.environment(self.base)
        environment["WRIT_POLICY"] = policy
        self._spawn(command + ["--"] + words, environment)
        try:
            document = json.loads(self.output)
        except ValueError:
            document = {"error": {"code": "nothing", "message": self.output.decode(errors="replace")[-500:]}}
        self.error = document.get("error")
        self.result = None if self.error else document

    def run_bare(self, words, variables):
        """Without writ: to see that the harm can be seen."""
        environment = self.stage.environment(self.base)
        environment.update(variable.split("=", 1) for variable in variables)
        self._spawn(words, environment)

    def _spawn(self, command, environment):
        # Into a file: a pipe would be held open by what a command leaves behind.
        with tempfile.TemporaryFile(dir=self.base) as output:
            done = subprocess.Popen(command, cwd=self.work, env=environment, stdin=subprocess.DEVNULL,
                                    stdout=output, stderr=subprocess.STDOUT, start_new_session=True)
            wait_for(done, SECONDS)
            with contextlib.suppress(ProcessLookupError):
                os.killpg(done.pid, 9)
            done.wait()
            output.seek(0)
            self.output = output.read()

    def decision(self):
        if self.error is None:
            return "allow"
        return {"denied": "deny", "approval_required": "ask"}.get(self.error["code"], self.error["code"])

    def has(self, name):
        return os.path.lexists(os.path.join(self.work, name))

    def traces(self):
        return sorted(name[4:] for name in os.listdir(self.work) if name.startswith("ran-"))

    def harm(self):
        """What happened that no wall should let happen."""
        found = []
        secret = SECRET.encode()
        if secret in self.output:
            found.append("told the secret")
        for path, content in texts_beneath(self.work).items():
            if isinstance(content, bytes) and secret in content:
                found.append("copied the secret to " + os.path.relpath(path, self.work))
        after = self._look()
        for path in sorted(set(self.before) | set(after)):
            if self.before.get(path) != after.get(path):
                found.append("changed " + os.path.relpath(path, self.base))
        with contextlib.suppress(BlockingIOError):
            self.listener.accept()
            found.append("reached the network")
        return found


def with_stage(task, as_user):
    """Calls task(stage), as an ordinary user if that is asked for, and clears up.

    Such a user may not be able to read Python's own files: what is imported has
    to be imported before."""
    base = tempfile.mkdtemp(prefix=PREFIX, dir=find_parent())
    writ = os.path.join(base, "writ")
    sys.stdout.flush()
    try:
        shutil.copy(os.environ["WRIT"], writ)
        os.chmod(base, 0o755)
        os.chmod(writ, 0o755)
        if as_user:
            os.chown(base, 65534, 65534)
        child = os.fork()
        if child == 0:
            code = 1
            try:
                if as_user:
                    os.setgroups([])
                    os.setgid(65534)
                    os.setuid(65534)
                code = task(Stage(base, writ))
            except BaseException:
                traceback.print_exc()
            sys.stdout.flush()
            os._exit(code)
        _, status = os.waitpid(child, 0)
        return os.waitstatus_to_exitcode(status)
    finally:
        remove(base)
