"""Manifests: a machine is brought into the state that a document describes."""
import ctypes
import json
import os
import weakref
from ctypes import byref, c_void_p
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, List, Optional, Sequence, Union

from . import _library as c
from ._engine import STREAMS, Engine

Path = Union[str, os.PathLike]
TICK_MS = 100


@dataclass
class Applied:
    """How an apply ended: the events of its resources, and the summary of its session, as of `writ apply --json`."""
    events: List[Dict[str, Any]] = field(repr=False)
    summary: Dict[str, Any] = field(repr=False)
    changed: int
    failed: int
    interrupted: bool
    cut_short: bool

    @property
    def ok(self) -> bool:
        return self.failed == 0 and not self.interrupted

    @property
    def session(self) -> str:
        """Its name, for resume="..."."""
        return self.summary["session"]


class _Watch:
    """The callbacks of an apply. What they raise ends it, and comes out of apply()."""

    def __init__(self, on_event: Optional[Callable[[Dict[str, Any]], None]],
                 on_output: Optional[Callable[[str, bytes], None]]):
        self.events: List[Dict[str, Any]] = []
        self.trouble: Optional[BaseException] = None
        self._on_event = on_event
        self._on_output = on_output
        self._wake, self._waker = os.pipe()
        self.made = c.CApplyWatch(size=ctypes.sizeof(c.CApplyWatch), on_output=c.PIECE_FN(self._output),
                                  on_event=c.EVENT_FN(self._event), on_wake=c.WAKE_FN(self._ask), wake_fd=self._wake,
                                  tick_ms=TICK_MS)

    def _guard(self, call: Callable[[], None]) -> None:
        try:
            if self.trouble is None:
                call()
        except BaseException as trouble:  # pylint: disable=broad-except
            self.trouble = trouble
            os.write(self._waker, b"x")

    def _event(self, _ctx, event):
        def keep():
            made = json.loads(ctypes.string_at(event.contents.json, event.contents.json_len))
            self.events.append(made)
            if self._on_event is not None:
                self._on_event(made)
        self._guard(keep)

    def _output(self, _ctx, stream, piece, length):
        if self._on_output is not None:
            self._guard(lambda: self._on_output(STREAMS[stream], ctypes.string_at(piece, length)))

    def _ask(self, _ctx):
        # Ctrl-C arrives in Python code, such as this.
        self._guard(lambda: None)
        return self.trouble is not None

    def close(self) -> None:
        os.close(self._wake)
        os.close(self._waker)


class Manifest:
    """A manifest: a text in YAML or JSON, the file at path, or one resource by its type and properties.

    facts    over those of this machine: {"role": "web"}
    data     a text, merged over the data of the manifest
    dir      where its relative paths start; None: the current directory, or that of the file
    session  directory of a script's session, to which applying it adds its events

    What is wrong with it is an Error, whose problems has all of it, with line and column.
    """

    def __init__(self, text: Optional[str] = None, path: Optional[Path] = None, type: Optional[str] = None,
                 properties: Optional[Dict[str, Any]] = None, facts: Optional[Dict[str, Any]] = None,
                 data: Optional[str] = None, dir: Optional[Path] = None, session: Optional[Path] = None):
        if [text is None, path is None, type is None].count(False) != 1:
            raise TypeError("a manifest is a text, a path, or a type with properties")
        lib = c.manifest_lib()
        problems: List[Dict[str, Any]] = []
        self.warnings: List[Dict[str, Any]] = []
        options = c.CManifestOptions(size=ctypes.sizeof(c.CManifestOptions), dir=c.encode(dir), session=c.encode(session),
                                     on_faults=c.FAULTS_FN(lambda _ctx, found: self._keep(found.contents, problems)))
        if facts:
            written = json.dumps(facts).encode()
            options.fact_files = ctypes.pointer(c.CManifestText(b"facts", written, len(written)))
            options.fact_file_count = 1
        if data is not None:
            options.data = ctypes.pointer(c.CManifestText(b"data", data.encode(), len(data.encode())))
            options.data_count = 1
        made = c_void_p()
        try:
            if path is not None:
                c.check(lib.writ_manifest_open, c.encode(path), byref(options), byref(made))
            elif type is not None:
                given = json.dumps(properties or {}).encode()
                c.check(lib.writ_manifest_read_resource, c.encode(type), given, len(given), byref(options), byref(made))
            else:
                given = (text or "").encode()
                c.check(lib.writ_manifest_read, given, len(given), byref(options), byref(made))
        except c.Error as error:
            error.problems = problems
            raise
        self._made = made
        self._finalizer = weakref.finalize(self, lib.writ_manifest_free, made)

    def _keep(self, found, problems) -> None:
        for items, count, kept in ((found.items, found.count, problems),
                                   (found.warnings, found.warning_count, self.warnings)):
            for i in range(count):
                kept.append({"line": items[i].line, "column": items[i].column, "message": c.text(items[i].message),
                             "suggestion": c.text(items[i].suggestion), "resource": c.text(items[i].resource)})

    def __len__(self) -> int:
        return c.manifest_lib().writ_manifest_count(self._made)

    @property
    def resources(self) -> List[Dict[str, Any]]:
        found = c.CManifestResource(size=ctypes.sizeof(c.CManifestResource))
        made = []
        for i in range(len(self)):
            c.check(c.manifest_lib().writ_manifest_look, self._made, i, byref(found))
            made.append({name: c.text(getattr(found, name))
                         for name in ("id", "type", "name", "alias", "ensure", "provider")})
        return made

    def render(self) -> Dict[str, Any]:
        """Data and resources as they were read, with early expressions filled in and secrets redacted."""
        return c.take(c.manifest_lib().writ_manifest_render, self._made, True)

    def apply(self, engine: Engine, noop: bool = False, health_only: bool = False, in_memory: bool = False,
              only: Sequence[str] = (), tags: Sequence[str] = (), skip_tags: Sequence[str] = (),
              agent: Optional[str] = None, session: Optional[Path] = None, resume: Optional[str] = None, wait: float = 0,
              on_event: Optional[Callable[[Dict[str, Any]], None]] = None,
              on_output: Optional[Callable[[str, bytes], None]] = None) -> Applied:
        """Applies it and waits. A resource that failed is an event, not an exception.

        noop changes nothing: events say what is there and what would be done. in_memory keeps nothing of it. Ctrl-C and
        exceptions of the callbacks end it; resume="..." goes on."""
        lists = [c.words(names) if names else None for names in (only, tags, skip_tags)]
        options = c.CApplyOptions(size=ctypes.sizeof(c.CApplyOptions), noop=noop, health_only=health_only,
                                  in_memory=in_memory, agent=c.encode(agent), caller=int(engine._trusted),
                                  session=c.encode(session), resume=c.encode(resume), wait_ms=int(wait * 1000))
        options.only, options.tags, options.skip_tags = [names and ctypes.cast(names, c.WORDS) for names in lists]
        lib, made = c.manifest_lib(), c_void_p()
        result = c.CApplyResult(size=ctypes.sizeof(c.CApplyResult))
        pointer = engine._made
        c.check(lib.writ_apply_open, self._made, byref(options), byref(made))
        watch = _Watch(on_event, on_output)
        try:
            c.check(lib.writ_apply_run, made, pointer, byref(watch.made), byref(result))
            summary = c.take(lib.writ_apply_json, made)
        finally:
            lib.writ_apply_free(made)
            watch.close()
        if watch.trouble is not None:
            raise watch.trouble
        return Applied(watch.events, summary, result.changed, result.failed, result.interrupted, result.is_cut_short)
