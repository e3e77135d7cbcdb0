"""The record of what ran."""
import ctypes
import json
import os
from ctypes import byref, c_void_p
from typing import Any, Dict, List, Optional, Union

from . import _library as c

NEXT = {"run_id", "kind", "agent", "program", "outcome", "text"}


class _Trail:
    def __init__(self, state_dir: Union[str, os.PathLike, None]):
        self.made = c_void_p()
        options = c.CAuditOptions(size=ctypes.sizeof(c.CAuditOptions), state_dir=c.encode(state_dir))
        c.check(c.lib.writ_audit_open, byref(options), byref(self.made))

    def __enter__(self):
        return self.made

    def __exit__(self, *_exception):
        c.lib.writ_audit_free(self.made)


def audit(limit: int = 0, oldest_first: bool = False, state_dir: Union[str, os.PathLike, None] = None,
          **filters: str) -> List[Dict[str, Any]]:
    """Records of the trail, the newest first: writ-audit(5). filters: kind, run_id, agent, program, outcome, text."""
    unknown = set(filters) - NEXT
    if unknown:
        raise TypeError(f"there is no filter {sorted(unknown)[0]!r}; there are {', '.join(sorted(NEXT))}")
    records: List[Dict[str, Any]] = []

    def keep(_ctx, record):
        records.append(json.loads(ctypes.string_at(record.contents.json, record.contents.json_len)))
        return True

    chosen = c.CAuditFilter(size=ctypes.sizeof(c.CAuditFilter), limit=limit, oldest_first=oldest_first,
                            **{key: c.encode(value) for key, value in filters.items()})
    with _Trail(state_dir) as trail:
        c.check(c.lib.writ_audit_records, trail, byref(chosen), c.RECORD_FN(keep), None)
    return records


def verify(state_dir: Union[str, os.PathLike, None] = None) -> List[Dict[str, Optional[str]]]:
    """Reads the whole trail; what is found: kind, severity ("bad", "warning", "note"), text, advice. No "bad": intact."""
    findings: List[Dict[str, Optional[str]]] = []

    def keep(_ctx, finding):
        findings.append({key: c.text(getattr(finding.contents, key)) for key in ("kind", "severity", "text", "advice")})

    with _Trail(state_dir) as trail:
        c.check(c.lib.writ_audit_verify, trail, None, c.FINDING_FN(keep), None,
                ctypes.create_string_buffer(c.PROOF_ROOM))
    return findings
