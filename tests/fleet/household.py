"""A fleet on this machine: a real server on loopback, hosts with state of their own."""
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "mcp"))
from cases import equal, skip  # noqa: E402

WRIT = os.environ["WRIT"]
HERE = os.path.dirname(WRIT)
AGENTD = os.path.join(HERE, "writ-agentd")
TOOL = os.path.join(os.environ["WRIT_TEST_PROGRAMS"], "fleet_order")
SECONDS = 60


def until(claim, what, seconds=SECONDS):
    """Waits until the claim holds, and returns what it gave."""
    end = time.monotonic() + seconds
    while True:
        got = claim()
        if got:
            return got
        if time.monotonic() > end:
            raise AssertionError(f"never: {what}")
        time.sleep(0.05)


def children(pid):
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
            return [int(word) for word in file.read().split()]
    except FileNotFoundError:
        return []


def name_of(pid):
    try:
        with open(f"/proc/{pid}/comm", encoding="ascii") as file:
            return file.read().strip()
    except FileNotFoundError:
        return ""


class Result:
    def __init__(self, done):
        self.status = done.returncode
        self.out = done.stdout
        self.err = done.stderr

    @property
    def json(self):
        return json.loads(self.out)

    def __repr__(self):
        return f"status {self.status}, stdout {self.out!r}, stderr {self.err!r}"


class Host:
    def __init__(self, fleet, name, policy="open"):
        self.fleet = fleet
        self.name = name
        self.state = os.path.join(fleet.dir, name, "state")
        self.base = os.path.join(fleet.dir, name, "work")
        self.policy = policy
        self.process = None

    def writ(self, *words):
        return self.fleet.run_writ(self.state, words)

    def start(self):
        environment = dict(self.fleet.environment, WRIT_STATE_DIR=self.state, WRIT_POLICY=self.policy)
        with open(os.path.join(self.fleet.dir, self.name + ".log"), "ab") as log:
            # pylint: disable=consider-using-with
            self.process = subprocess.Popen([AGENTD], env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        return self

    def is_there(self):
        return self.fleet.fleet("ping", "--host", self.name, "--wait", "500ms").status == 0

    def wait_there(self):
        until(self.is_there, f"{self.name} answers; {self.log()}")
        return self

    def log(self):
        with open(os.path.join(self.fleet.dir, self.name + ".log"), encoding="utf-8") as file:
            return file.read()

    def agentd(self):
        """The pid of the half that talks to the network; 0: none."""
        found = [pid for pid in children(self.process.pid) if name_of(pid) == "writ-agentd"]
        return found[0] if found else 0

    def kill(self, with_signal=signal.SIGKILL):
        if self.process is not None:
            self.process.send_signal(with_signal)
            self.process.wait(SECONDS)
            self.process = None

    def path(self, name):
        return os.path.join(self.base, name)

    def has(self, name):
        return os.path.exists(self.path(name))

    def lines(self, name):
        try:
            with open(self.path(name), encoding="utf-8") as file:
                return file.read().splitlines()
        except FileNotFoundError:
            return []

    def refusals(self):
        """What this host's trail says was refused: agent, message."""
        done = self.writ("audit", "list", "--json", "--limit", "1000")
        rows = [json.loads(line) for line in done.out.splitlines()] if done.out.startswith("{") else done.json
        return rows


class Fleet:
    def __init__(self):
        if not os.path.exists(AGENTD):
            skip("writ was built without a fleet: libnats-dev is missing")
        if not any(os.path.exists(place + "/nats-server") for place in ("/usr/sbin", "/usr/bin", "/usr/local/bin")):
            skip("nats-server is not installed")
        self.dir = tempfile.mkdtemp(prefix="writ-fleet-")
        os.chmod(self.dir, 0o755)
        self.environment = {key: value for key, value in os.environ.items() if not key.startswith("WRIT")}
        self.state = os.path.join(self.dir, "op", "state")
        self.hosts = []
        self.url = ""
        self.up()

    def __enter__(self):
        return self

    def __exit__(self, *ignored):
        for host in self.hosts:
            host.kill()
        self.fleet("down")
        shutil.rmtree(self.dir, ignore_errors=True)

    def run_writ(self, state, words, stdin=None):
        environment = dict(self.environment, WRIT_STATE_DIR=state)
        return Result(subprocess.run([WRIT, *words], env=environment, capture_output=True, text=True, check=False,
                                     input=stdin, timeout=5 * SECONDS, cwd=self.dir))

    def fleet(self, *words):
        return self.run_writ(self.state, ("fleet", *words))

    def begin(self, *words):
        """One that goes on."""
        environment = dict(self.environment, WRIT_STATE_DIR=self.state)
        return subprocess.Popen([WRIT, "fleet", *words], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                text=True, cwd=self.dir)

    def up(self):
        words = ["--listen", self.listen()] if not self.url else []
        done = self.fleet("up", "--json", *words)
        assert done.status == 0, done
        self.url = done.json["server"]
        self.pid = done.json["pid"]

    @staticmethod
    def listen():
        return "127.0.0.1:0"

    def kill_server(self):
        os.kill(self.pid, signal.SIGKILL)
        until(lambda: not os.path.exists(f"/proc/{self.pid}") or name_of_state(self.pid) == "Z", "the server is gone")

    def host(self, name, *words, policy="open", starts=True):
        host = Host(self, name, policy)
        join = os.path.join(self.dir, name + ".join")
        done = self.fleet("invite", name, "-o", join, *words)
        assert done.status == 0, done
        done = host.writ("fleet", "join", join, "--base", host.base)
        assert done.status == 0, done
        os.unlink(join)
        self.hosts.append(host)
        if starts:
            host.start().wait_there()
        return host

    # ---- by hand

    def key(self, name="default"):
        return os.path.join(self.state, "fleet", "operator", "keys", name)

    def nkey(self):
        return os.path.join(self.state, "fleet", "operator", "nkey")

    def request(self, host, argv, **changes):
        """The canonical text of a request, whatever is in it."""
        now = int(time.time() * 1000)
        request = {"v": 1, "id": new_id(), "kind": "run", "from": "default", "collective": "main", "where": None,
                   "hosts": [host], "not_before": now, "expires": now + 60000, "deliver": "queued",
                   "request": {"argv": argv}, "options": {"idempotent": False, "cancels": ""}}
        request.update(changes)
        return request

    def sign(self, request, key=None):
        text = request if isinstance(request, str) else json.dumps(request, separators=(",", ":"), ensure_ascii=False)
        return subprocess.run([TOOL, "sign", key or self.key()], input=text.encode(), capture_output=True,
                              check=True).stdout

    def publish(self, subject, data, nkey=None, how="publish"):
        done = subprocess.run([TOOL, how, self.url, nkey or self.nkey(), subject], input=data, capture_output=True,
                              check=False)
        return (done.stdout + done.stderr).decode().strip()

    def give(self, host, data):
        equal(self.publish(f"writ.main.work.{host}", data), "stored")

    def messages(self, stream, subject):
        done = subprocess.run([TOOL, "count", self.url, self.nkey(), stream + "_main", subject], capture_output=True,
                              check=False)
        assert done.returncode == 0, done
        rows = []
        for line in done.stdout.decode().splitlines():
            where, text = line.split(" ", 1)
            rows.append((where, json.loads(text)))
        return rows

    def results(self, order):
        return {where.split(".")[-1]: value for where, value in self.messages("RES", f"writ.main.res.{order}.*")}

    def wait_result(self, order, host):
        return until(lambda: self.results(order).get(host), f"{host} has a result for {order}")

    def events(self, host, order="*"):
        return [value for _, value in self.messages("EV", f"writ.main.ev.{host}.{order}")]


def name_of_state(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            return re.sub(r".*\) ", "", file.read())[0]
    except FileNotFoundError:
        return "Z"


def new_id():
    """An id as requests have it."""
    letters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
    return "01" + "".join(letters[byte % 32] for byte in os.urandom(24))
