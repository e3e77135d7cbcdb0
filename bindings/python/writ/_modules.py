"""Commands as modules, called with JSON."""
import ctypes
import json
import os
import weakref
from ctypes import byref, c_size_t, c_void_p
from typing import Any, Dict, List, Optional, Sequence, Union

from . import _library as c
from ._engine import Engine, fill_draft, keys_of

ARGUMENTS = ("literal", "strict-modules", "strict-exec")


class Modules:
    """Modules: those of the directories that are configured, the built-in ones, and text, a file of bindings."""

    def __init__(self, text: Optional[str] = None, dirs: Sequence[Union[str, os.PathLike]] = (),
                 only_dirs: bool = False):
        written = None if text is None else text.encode()
        self._dirs = c.words(dirs)
        options = c.CModulesOptions(size=ctypes.sizeof(c.CModulesOptions), dirs=ctypes.cast(self._dirs, c.WORDS),
                                    only_dirs=only_dirs, text=written, text_len=len(written or b""))
        made = c_void_p()
        c.check(c.lib.writ_modules_new, byref(options), byref(made))
        self._made = made
        self._finalizer = weakref.finalize(self, c.lib.writ_modules_free, made)

    def ids(self) -> List[str]:
        return [c.text(c.lib.writ_modules_at(self._made, i).contents.id)
                for i in range(c.lib.writ_modules_count(self._made))]

    def describe(self, id: str) -> Dict[str, Any]:
        """Schemas, examples, annotations, parameters."""
        return c.take(c.lib.writ_modules_json, self._made, c.encode(id))

    def _call(self, id: str, input: Dict[str, Any], arguments: str, keys: Dict[str, Any]) -> c_void_p:
        given = json.dumps(input).encode()
        options = c.CCallOptions(size=ctypes.sizeof(c.CCallOptions), arguments=ARGUMENTS.index(arguments))
        call, err = c_void_p(), c.CError()
        status = c.lib.writ_call_new(self._made, c.encode(id), given, len(given), byref(options), byref(call), byref(err))
        try:
            if status != 0:
                raise c.error_of(err, _problems(call))
            if keys:
                fill_draft(c.lib.writ_call_draft(call), keys_of(None, keys))
        except BaseException:
            c.lib.writ_call_free(call)
            raise
        return call

    def call(self, engine: Engine, id: str, input: Optional[Dict[str, Any]] = None, arguments: str = "literal",
             **keys: Any) -> Dict[str, Any]:
        """Calls a module and waits. The result is that of `writ call --json`: stdout, exit_code, success, json_output,
        ... keys are those of a request: cwd, env, timeout, sandbox, ... Error.problems has all that is wrong with input."""
        call = self._call(id, input or {}, arguments, keys)
        results: List[Any] = []
        try:
            job = engine._launch(c.lib.writ_call_request(call), None, None)
            job._take = lambda result: results.append(c.take(c.lib.writ_call_result_json, call, result))
            job.wait()
        finally:
            c.lib.writ_call_free(call)
        return results[0]

    def preview(self, id: str, input: Optional[Dict[str, Any]] = None, arguments: str = "literal",
                **keys: Any) -> Dict[str, Any]:
        """What would run: argv, cwd, env, timeout. Nothing runs, and secrets are not shown."""
        call = self._call(id, input or {}, arguments, keys)
        try:
            return c.take(c.lib.writ_call_preview, call)
        finally:
            c.lib.writ_call_free(call)


def _problems(call) -> List[Dict[str, Any]]:
    if not call:
        return []
    count = c_size_t()
    found = c.lib.writ_call_problems(call, byref(count))
    return [{"instance": c.text(found[i].instance), "schema": c.text(found[i].schema), "message": c.text(found[i].message),
             "suggestion": c.text(found[i].suggestion)} for i in range(count.value)]
