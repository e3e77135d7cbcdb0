"""Engines, runs and sessions."""
import ctypes
import json
import os
import select
import signal as signals
import threading
import weakref
from collections import deque
from ctypes import byref, c_size_t, c_void_p
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, Iterator, Optional, Sequence, Tuple, Union

from . import _library as c
from ._tool import Tool

PIECE = 1 << 20
STREAMS = ("stdout", "stderr")


@dataclass
class Result:
    """How a command ended, and what it wrote. json has everything: docs/request.md."""
    exit_code: int
    outcome: str
    stdout: bytes
    stderr: bytes
    json: Dict[str, Any] = field(repr=False)

    @property
    def ok(self) -> bool:
        return self.outcome == "exited" and self.exit_code == 0

    @property
    def text(self) -> str:
        """Standard output as text; bytes that are no UTF-8 become U+FFFD."""
        return self.stdout.decode("utf-8", "replace")


def _read_stream(result, stream: int, length: int, shown: Any) -> bytes:
    """What was kept of a stream: all of it, or its first and last part."""
    pieces, at = [], 0
    room, got = ctypes.create_string_buffer(min(PIECE, length + 1)), c_size_t()
    while at < length:
        if c.lib.writ_result_read(result, stream, at, room, len(room), byref(got)) != 0 or got.value == 0:
            break
        pieces.append(room.raw[:got.value])
        at += got.value
    if at == length or not isinstance(shown, str):
        return b"".join(pieces)
    return shown.encode("utf-8")


def take_result(result) -> Result:
    """A result of the library as one of Python; frees it."""
    try:
        data = c.take(c.lib.writ_result_json, result)
        outputs = [_read_stream(result, i, data[f"{name}_bytes"], data[name]) for i, name in enumerate(STREAMS)]
        return Result(data["exit_code"], data["outcome"], *outputs, data)
    finally:
        c.lib.writ_result_free(result)


class Draft:
    """A request that is being made. Its memory is that of the C library."""

    def __init__(self, keys: Dict[str, Any]):
        made = c_void_p()
        c.check(c.lib.writ_draft_new, byref(made))
        self.made = made
        self._finalizer = weakref.finalize(self, c.lib.writ_draft_free, made)
        fill_draft(made, keys)

    @property
    def request(self):
        return c.lib.writ_draft_request(self.made)


def fill_draft(draft, keys: Dict[str, Any]) -> None:
    line = json.dumps(keys).encode()
    c.check(c.lib.writ_draft_read_json, draft, line, len(line))


def keys_of(argv: Union[Sequence[str], None], keys: Dict[str, Any]) -> Dict[str, Any]:
    """The arguments of run() as keys of a request in JSON."""
    made = {key: value for key, value in keys.items() if value is not None}
    if argv is not None:
        if isinstance(argv, (str, bytes)):
            raise TypeError("argv is a list of words; a text for a shell is shell=...")
        made["argv"] = [os.fspath(word) for word in argv]
    if "timeout" in made:
        made["timeout_ms"] = max(1, int(made.pop("timeout") * 1000))
    if isinstance(made.get("stdin"), (bytes, bytearray)):
        made["stdin"] = _bytes_of(bytes(made["stdin"]))
    if "cwd" in made:
        made["cwd"] = os.fspath(made["cwd"])
    return made


def _bytes_of(value: bytes) -> Any:
    import base64  # pylint: disable=import-outside-toplevel
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return {"b64": base64.b64encode(value).decode()}


class Job:
    """A command that runs. Get its result with wait(), or cancel() it."""

    def __init__(self, engine: "Engine", on_output: Optional[Callable[[str, bytes], None]]):
        self._engine = engine
        self._on_output = on_output
        self._job = c_void_p()
        self._result: Optional[Result] = None
        self._trouble: Optional[BaseException] = None
        self._take: Optional[Callable[[Any], None]] = None  # sees the library's result before it is freed
        self.id = ""
        # The library calls these; they must live as long as the run.
        self._done_fn = c.DONE_FN(self._done)
        self._output_fn = c.OUTPUT_FN(self._output)

    @property
    def is_running(self) -> bool:
        return bool(self._job)

    def _output(self, _ctx, _job, stream, piece, length):
        try:
            if self._on_output is not None and self._trouble is None:
                self._on_output(STREAMS[stream], ctypes.string_at(piece, length))
        except BaseException as trouble:  # pylint: disable=broad-except
            # It is raised by wait(); nothing can be raised through C.
            self._trouble = trouble
            c.lib.writ_job_cancel(self._job, signals.SIGTERM)
        return 0

    def _done(self, _ctx, _job, result):
        self._job = c_void_p()
        self._engine._jobs.discard(self)
        try:
            if self._take is not None:
                self._take(result)
            self._result = take_result(result)
        except BaseException as trouble:  # pylint: disable=broad-except
            self._trouble = self._trouble or trouble

    def wait(self) -> Result:
        """Waits for the end. Ctrl-C ends the command too."""
        try:
            while self.is_running:
                self._engine.dispatch()
        except BaseException:
            self.cancel(signals.SIGKILL)
            while self.is_running:
                self._engine.dispatch()
            raise
        if self._trouble is not None:
            raise self._trouble
        assert self._result is not None
        return self._result

    def cancel(self, signal: int = signals.SIGTERM) -> None:
        """Ends it and all of its processes: this signal now, SIGKILL after the grace time."""
        if self.is_running:
            c.lib.writ_job_cancel(self._job, signal)

    def signal(self, signal: int) -> None:
        """Sends a signal to every process of the run."""
        if self.is_running:
            c.lib.writ_job_signal(self._job, signal)


class Session:
    """Walls that several runs share: /tmp, and 127.0.0.1. Close it, or use it in a `with`."""

    def __init__(self, engine: "Engine", name: Optional[str], agent: Optional[str]):
        made = c_void_p()
        options = c.CSessionOptions(size=ctypes.sizeof(c.CSessionOptions), name=c.encode(name), agent=c.encode(agent))
        c.check(c.lib.writ_session_open, engine._made, byref(options), byref(made))
        self._made: Optional[c_void_p] = made
        self._engine = engine
        self.name = c.text(c.lib.writ_session_name(made))
        engine._sessions.add(self)

    def close(self) -> None:
        """Ends its runs, and frees what they shared."""
        if self._made is not None:
            made, self._made = self._made, None
            self._engine._sessions.discard(self)
            c.lib.writ_session_close(made)

    def __enter__(self) -> "Session":
        return self

    def __exit__(self, *_exception) -> None:
        self.close()


class Engine:
    """Runs commands, as the policy says, in the sandbox, with a record.

    policy   the text of a policy, in the place of the user's; None: the user's
    base     the directory that "." means in the policy's roots; None: the current one
    sandbox  the profile of requests that name none
    trusted  requests are a person's own: what they ask for beyond the policy's sandbox is granted, not asked about

    An engine belongs to the thread that made it. Close it, or use it in a `with`: that kills what still runs.
    """

    def __init__(self, policy: Optional[str] = None, base: Union[str, os.PathLike, None] = None,
                 sandbox: Optional[str] = None, trusted: bool = False):
        written = None if policy is None else policy.encode()
        options = c.CEngineOptions(size=ctypes.sizeof(c.CEngineOptions), base=c.encode(base), sandbox=c.encode(sandbox),
                                   policy=written, policy_len=len(written or b""))
        made = c_void_p()
        c.check(c.lib.writ_engine_new, byref(options), byref(made))
        self._pointer: Optional[c_void_p] = made
        self._thread = threading.get_ident()
        self._trusted = trusted
        self._jobs: set = set()
        self._sessions: set = set()
        self._poll = select.poll()
        self._poll.register(c.lib.writ_engine_fd(made), select.POLLIN)

    @property
    def _made(self) -> c_void_p:
        if self._pointer is None:
            raise ValueError("the engine is closed")
        if threading.get_ident() != self._thread:
            raise RuntimeError("an engine belongs to the thread that made it; make one for each thread")
        return self._pointer

    def close(self) -> None:
        if self._pointer is None:
            return
        made = self._made
        for session in list(self._sessions):
            session.close()
        self._pointer = None
        c.lib.writ_engine_free(made)
        for job in list(self._jobs):
            job._job = c_void_p()
            job._trouble = ValueError("the engine was closed while it ran")
        self._jobs.clear()

    def __enter__(self) -> "Engine":
        return self

    def __exit__(self, *_exception) -> None:
        self.close()

    def dispatch(self, timeout: Optional[float] = None) -> None:
        """Handles what is due, after waiting for it (seconds; None: until there is something)."""
        made = self._made
        self._poll.poll(None if timeout is None else timeout * 1000)
        c.check(c.lib.writ_engine_dispatch, made, 0)

    def fileno(self) -> int:
        """For select(): readable when dispatch(0) has something to do."""
        return c.lib.writ_engine_fd(self._made)

    def start(self, argv: Optional[Sequence[str]] = None, *, on_output: Optional[Callable[[str, bytes], None]] = None,
              session: Optional[Session] = None, **keys: Any) -> Job:
        """Starts a command. keys are those of a request (docs/request.md): shell, cwd, env, stdin, timeout in seconds,
        sandbox, network, agent, ... on_output gets "stdout" or "stderr" and bytes as they come."""
        # Its memory has to last until the library has copied it.
        draft = Draft(keys_of(argv, keys))
        return self._launch(draft.request, on_output, session)

    def _launch(self, request, on_output, session) -> Job:
        made = self._made
        job = Job(self, on_output)
        if self._trusted:
            request.contents.caller = 1
        if on_output is not None:
            request.contents.on_output = job._output_fn
        if session is not None:
            if session._made is None:
                raise ValueError("the session is closed")
            request.contents.in_session = session._made
        c.check(c.lib.writ_start, made, request, job._done_fn, None, byref(job._job))
        self._jobs.add(job)
        job.id = c.text(c.lib.writ_job_id(job._job))
        return job

    def run(self, argv: Optional[Sequence[str]] = None, **named: Any) -> Result:
        """Runs a command and waits for its end; arguments as those of start()."""
        return self.start(argv, **named).wait()

    def stream(self, argv: Optional[Sequence[str]] = None, **named: Any) -> Iterator[Tuple[str, bytes]]:
        """Runs a command; yields ("stdout", bytes) and ("stderr", bytes) as they come, and at the end ("result",
        Result). Leaving the loop early ends the command."""
        pieces: deque = deque()
        job = self.start(argv, on_output=lambda stream, piece: pieces.append((stream, piece)), **named)
        try:
            while job.is_running or pieces:
                while pieces:
                    yield pieces.popleft()
                if job.is_running:
                    self.dispatch()
            yield ("result", job.wait())  # type: ignore[misc]
        finally:
            if job.is_running:
                job.cancel(signals.SIGKILL)
                while job.is_running:
                    self.dispatch()

    def session(self, name: Optional[str] = None, agent: Optional[str] = None) -> Session:
        return Session(self, name, agent)

    def explain(self, argv: Optional[Sequence[str]] = None, **keys: Any) -> Dict[str, Any]:
        """What would happen to a request, by the policy: decision, rules, effects, sandbox. Nothing runs."""
        draft = Draft(keys_of(argv, keys))
        if self._trusted:
            draft.request.contents.caller = 1
        return c.take(c.lib.writ_decide, self._made, draft.request)

    def tool(self, shape: Optional[str] = None, base: Union[str, os.PathLike, None] = None,
             agent: Optional[str] = None) -> Tool:
        """The tool that runs commands for a model: "argv", "story", "oxios"; None: what the policy says."""
        return Tool(self, shape, base, agent)
