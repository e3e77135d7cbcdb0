"""A small client of the Model Context Protocol over standard streams, for tests.

    with Client() as writ:                      # initialize has been answered
        result = writ.call("exec", argv=["true"])
    with Client(version="2026-07-28") as writ:  # no beginning: _meta in each request
        ...

WRIT is the program under test. Each client has a directory of its own for what
writ keeps, and a project (writ.project) as the working directory; both go when
it is closed. Nothing waits for ever: every read has a time limit.
"""
import json
import os
import select
import shutil
import signal
import subprocess
import tempfile
import time

NEWEST = "2025-11-25"
STATELESS = "2026-07-28"
META = "io.modelcontextprotocol/"
SECONDS = 20
KEPT = ("PATH", "LANG", "TMPDIR", "WRIT_POLICY", "ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS")


class RpcError(Exception):
    """The server answered with an error object."""

    def __init__(self, error):
        super().__init__(f"{error['code']}: {error['message']}")
        self.code = error["code"]
        self.message = error["message"]
        self.data = error.get("data")


class Ended(Exception):
    """The server closed its output while something was still expected."""


class Late(Exception):
    """Nothing came in time."""


def program():
    return os.environ["WRIT"]


class Client:
    """One `writ mcp` and the conversation with it.

    options      of `writ mcp`
    version      of the protocol; None: nothing is said by itself
    capabilities of this client
    handlers     method of a request by the server -> function(params), which
                 returns the result, or None: it is left unanswered
    env          additions; a value None removes a variable
    policy       instead of the environment's WRIT_POLICY: a name, a file, or the
                 text of one
    argv         another server altogether
    structured   answers have structuredContent, as a program wants it
    """

    def __init__(self, *options, version=NEWEST, capabilities=None, handlers=None, env=None, policy=None, cwd=None,
                 argv=None, base=None, structured=True):
        self.version = version
        self.capabilities = capabilities or {}
        self.handlers = handlers or {}
        self.base = base or tempfile.mkdtemp(prefix="writ-mcp-", dir=os.environ.get("WRIT_TEST_BASE"))
        self.owns_base = base is None
        self.project = cwd or os.path.join(self.base, "project")
        for path in (self.project, os.path.join(self.base, "home")):
            os.makedirs(path, exist_ok=True)
        self.env = self.environment(env or {}, policy)
        self.notifications = []   # messages of the server without an id, as they came
        self.requests = []        # its requests
        self.strays = []          # what was no message, or answered nothing that was asked
        self.answers = {}         # id -> message
        self.asked = set()
        self.next_id = 1
        self.buffer = bytearray()
        self.errors = tempfile.TemporaryFile()
        self.started = time.monotonic()
        options = (*options, *(["--structured"] if structured else []))
        self.process = subprocess.Popen(argv or [program(), "mcp", *options], cwd=self.project, env=self.env, bufsize=0,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors)
        self.pid = self.process.pid
        self.info = None
        if version is not None and version != STATELESS:
            try:
                self.initialize()
            except BaseException:
                self.process.kill()
                self.close()
                raise

    def environment(self, additions, policy):
        env = {name: os.environ[name] for name in KEPT if name in os.environ}
        env.setdefault("WRIT_POLICY", "open")
        env["HOME"] = os.path.join(self.base, "home")
        for name in ("state", "config", "cache", "system"):
            env[f"WRIT_{name.upper()}_DIR"] = os.path.join(self.base, name)
        if policy is not None and "\n" in policy:
            env["WRIT_POLICY"] = os.path.join(self.base, "policy.yaml")
            with open(env["WRIT_POLICY"], "w", encoding="utf-8") as file:
                file.write(policy)
        elif policy is not None:
            env["WRIT_POLICY"] = policy
        env.update(additions)
        return {name: value for name, value in env.items() if value is not None}

    def writ(self, *words, stdin="", timeout=SECONDS):
        """Another command of writ, with the same directories; its CompletedProcess."""
        return subprocess.run([program(), *words], cwd=self.project, env=self.env, input=stdin, capture_output=True,
                              text=True, timeout=timeout, check=False)

    def initialize(self):
        self.info = self.request("initialize", {"protocolVersion": self.version, "capabilities": self.capabilities,
                                                "clientInfo": {"name": "writ-tests", "version": "1"}})
        self.notify("notifications/initialized")

    # --- saying something

    def send_bytes(self, data):
        """Exactly these bytes; waits as long as SECONDS for the server to take more of them."""
        fd = self.process.stdin.fileno()
        os.set_blocking(fd, False)
        view = memoryview(data)
        while view:
            _, ready, _ = select.select([], [fd], [], SECONDS)
            if not ready:
                raise Late("the server does not read")
            view = view[os.write(fd, view[:65536]):]

    def send_line(self, text):
        self.send_bytes((text if isinstance(text, bytes) else text.encode()) + b"\n")

    def send(self, message):
        self.send_line(json.dumps(message, ensure_ascii=False, separators=(",", ":")))

    def params(self, params):
        """What a request of this version has besides."""
        if self.version != STATELESS:
            return params
        params = dict(params or {})
        params["_meta"] = {META + "protocolVersion": STATELESS, META + "clientCapabilities": self.capabilities,
                           META + "clientInfo": {"name": "writ-tests", "version": "1"}, **params.get("_meta", {})}
        return params

    def ask(self, method, params=None, id=None):
        """Sends a request and returns its id; answer() waits for what comes of it."""
        if id is None:
            id = self.next_id
            self.next_id += 1
        message = {"jsonrpc": "2.0", "id": id, "method": method}
        params = self.params(params)
        if params is not None:
            message["params"] = params
        self.asked.add(id)
        self.send(message)
        return id

    def notify(self, method, params=None):
        message = {"jsonrpc": "2.0", "method": method}
        params = self.params(params)
        if params is not None:
            message["params"] = params
        self.send(message)

    def cancel(self, id, reason="enough"):
        self.notify("notifications/cancelled", {"requestId": id, "reason": reason})

    # --- hearing something

    def read_line(self, timeout=SECONDS):
        """The next line as bytes; b"" when the server has closed its output."""
        fd = self.process.stdout.fileno()
        deadline = time.monotonic() + timeout
        start = 0
        while True:
            end = self.buffer.find(b"\n", start)
            if end >= 0:
                line = bytes(self.buffer[:end])
                del self.buffer[:end + 1]
                return line
            start = len(self.buffer)
            ready, _, _ = select.select([fd], [], [], max(0, deadline - time.monotonic()))
            if not ready:
                raise Late(f"nothing came within {timeout} s")
            data = os.read(fd, 1 << 20)
            if not data:
                return b""
            self.buffer += data

    def read(self, timeout=SECONDS):
        """The next message, as it is: nothing is answered or put aside."""
        line = self.read_line(timeout)
        if not line:
            raise Ended(f"the server has closed its output{self.last_words()}")
        return json.loads(line)

    def last_words(self):
        said = self.stderr()
        return f", saying: {said}" if said else ""

    def turn(self, timeout=SECONDS):
        """Takes the next message to where it belongs, and returns it."""
        message = self.read(timeout)
        if not isinstance(message, dict):
            self.strays.append(message)
        elif "method" not in message:
            known = message.get("id") in self.asked
            if known and message["id"] not in self.answers:
                self.answers[message["id"]] = message
            else:
                self.strays.append(message)
        elif "id" in message:
            self.requests.append(message)
            self.serve(message)
        else:
            self.notifications.append(message)
        return message

    def serve(self, message):
        handler = self.handlers.get(message["method"])
        if handler is None:
            self.send({"jsonrpc": "2.0", "id": message["id"],
                       "error": {"code": -32601, "message": "this client has no such method"}})
            return
        result = handler(message.get("params"))
        if result is not None:
            self.send({"jsonrpc": "2.0", "id": message["id"], "result": result})

    def until(self, is_so, timeout=SECONDS):
        """Takes messages until the condition holds."""
        deadline = time.monotonic() + timeout
        while not is_so():
            self.turn(max(0, deadline - time.monotonic()))

    def answer(self, id, timeout=SECONDS):
        """The whole message that answers this id."""
        self.until(lambda: id in self.answers, timeout)
        return self.answers.pop(id)

    def result(self, id, timeout=SECONDS):
        message = self.answer(id, timeout)
        if "error" in message:
            raise RpcError(message["error"])
        return message["result"]

    def request(self, method, params=None, timeout=SECONDS):
        return self.result(self.ask(method, params), timeout)

    def ask_tool(self, name, _meta=None, **arguments):
        params = {"name": name, "arguments": arguments}
        if _meta is not None:
            params["_meta"] = _meta
        return self.ask("tools/call", params)

    def call(self, name, timeout=SECONDS, _meta=None, **arguments):
        """tools/call; its result."""
        return self.result(self.ask_tool(name, _meta, **arguments), timeout)

    def is_silent(self, seconds=0.2):
        """Nothing comes for that long (what comes is taken to its place)."""
        try:
            self.turn(seconds)
        except Late:
            return True
        return False

    # --- its end

    def end_input(self):
        if self.process.stdin and not self.process.stdin.closed:
            self.process.stdin.close()

    def wait(self, timeout=SECONDS):
        """Its exit status; below 0: by that signal."""
        return self.process.wait(timeout)

    def signal(self, number=signal.SIGTERM):
        self.process.send_signal(number)

    def stderr(self):
        self.errors.seek(0)
        return self.errors.read().decode("utf-8", "replace")

    def memory(self, field="VmRSS"):
        """KiB, from /proc/PID/status; 0 where a sanitizer needs more than the program."""
        if is_sanitized():
            return 0
        with open(f"/proc/{self.pid}/status", encoding="utf-8") as file:
            for line in file:
                if line.startswith(field + ":"):
                    return int(line.split()[1])
        return 0

    def close(self, timeout=SECONDS):
        """Ends its input, waits for it, and removes what it left. Its exit status."""
        if self.process.stdout.closed:
            return self.process.returncode
        try:
            self.end_input()
            # It may have more to say than the pipe holds.
            while self.read_line(timeout):
                pass
            return self.wait(timeout)
        except Late:
            self.process.kill()
            raise
        finally:
            if self.process.poll() is None:
                self.process.kill()
            self.process.wait()
            self.process.stdout.close()
            if self.owns_base:
                shutil.rmtree(self.base, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        if kind is None:
            self.close()
            return
        try:
            self.close(5)
        except (Late, OSError, subprocess.TimeoutExpired):
            pass


def is_sanitized():
    """A build whose memory and time say nothing."""
    with open(program(), "rb") as file:
        return b"__asan_init" in file.read()


def text_of(result):
    """The text of a tool's result."""
    return "".join(block.get("text", "") for block in result["content"])


def processes(word):
    """Ids of living processes with this word among their arguments."""
    found = []
    for name in os.listdir("/proc"):
        if not name.isdigit() or int(name) == os.getpid():
            continue
        try:
            with open(f"/proc/{name}/cmdline", "rb") as file:
                words = file.read().split(b"\0")
            with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as file:
                state = file.read().rpartition(")")[2].split()[0]
        except OSError:
            continue
        if state != "Z" and word.encode() in words:
            found.append(int(name))
    return found


def wait_until(is_so, what, timeout=SECONDS):
    deadline = time.monotonic() + timeout
    while not is_so():
        if time.monotonic() > deadline:
            raise Late(f"never true: {what}")
        time.sleep(0.01)
