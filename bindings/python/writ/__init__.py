"""Runs commands for agents inside a sandbox, as a policy says, with nothing left running and with a record.

    import writ

    with writ.Engine() as engine:
        result = engine.run(["git", "status"], timeout=30)
        print(result.exit_code, result.text)

The library libwrit has to be installed; WRIT_LIBRARY names its file if it is elsewhere."""
from ._audit import audit, verify
from ._engine import Engine, Job, Result, Session
from ._library import Error, lib as _lib
from ._manifest import Applied, Manifest
from ._modules import Modules
from ._tool import Answer, Tool

__all__ = ["Answer", "Applied", "Engine", "Error", "Job", "Manifest", "Modules", "Result", "Session", "Tool", "audit", "verify",
           "version"]


def version() -> str:
    """The version of the loaded library."""
    return _lib.writ_version().decode()
