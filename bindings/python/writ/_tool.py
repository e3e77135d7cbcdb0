"""The tool that runs commands for a model."""
import ctypes
import json
import os
import weakref
from ctypes import byref, c_void_p
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Dict, Optional, Union

from . import _library as c

if TYPE_CHECKING:
    from ._engine import Engine


@dataclass
class Answer:
    """What a model reads, and the same facts for programs."""
    text: str
    is_error: bool
    status: str
    json: Dict[str, Any]


class Tool:
    """A name and a schema for the model, and call() for what it wrote. The input chooses neither walls nor agent."""

    def __init__(self, engine: "Engine", shape: Optional[str], base: Union[str, os.PathLike, None], agent: Optional[str]):
        options = c.CToolOptions(size=ctypes.sizeof(c.CToolOptions), shape=c.encode(shape), base=c.encode(base),
                                 agent=c.encode(agent))
        made = c_void_p()
        c.check(c.lib.writ_tool_new, engine._made, byref(options), byref(made))
        self._made = made
        self._engine = engine
        self._finalizer = weakref.finalize(self, c.lib.writ_tool_free, made)
        self.name = c.text(c.lib.writ_tool_name(made))
        self.title = c.text(c.lib.writ_tool_title(made))
        self.description = c.text(c.lib.writ_tool_description(made))
        self.shape = c.text(c.lib.writ_tool_shape(made))
        self.schema: Dict[str, Any] = json.loads(c.lib.writ_tool_schema(made))

    def call(self, arguments: Union[Dict[str, Any], str, bytes]) -> Answer:
        """Answers what a model wrote: an object, or its JSON. Whatever it is, there is an answer."""
        written = arguments if isinstance(arguments, (str, bytes)) else json.dumps(arguments)
        given = written.encode() if isinstance(written, str) else written
        answer = c.CToolAnswer()
        self._engine._made  # pylint: disable=pointless-statement # its thread, and open
        c.check(c.lib.writ_tool_call, self._made, given, len(given), byref(answer))
        try:
            return Answer(ctypes.string_at(answer.text, answer.text_len).decode(), answer.is_error,
                          c.text(c.lib.writ_status_word(answer.status)) or "",
                          json.loads(ctypes.string_at(answer.json, answer.json_len)))
        finally:
            c.lib.writ_tool_answer_done(byref(answer))
