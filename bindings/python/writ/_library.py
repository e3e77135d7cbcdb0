"""The shared library: its structs, and what each of its functions takes.

Only members up to the last one that is used here are declared of a struct. Those that the caller makes begin with
their size, so that a newer library knows which members it was given."""
import ctypes
import ctypes.util
import functools
import json
import os
from ctypes import CFUNCTYPE, POINTER, Structure, byref, c_bool, c_char, c_char_p, c_int, c_size_t, c_uint, c_uint64, c_void_p



def _load(word):
    named = os.environ.get("WRIT_LIBRARY")
    if named:
        folder, file = os.path.split(named)
        names = [os.path.join(folder, file.replace("libwrit", f"lib{word}", 1))]
    else:
        names = [f"lib{word}.so.0", f"lib{word}.so", ctypes.util.find_library(word)]
    for name in filter(None, names):
        try:
            return ctypes.CDLL(name)
        except OSError as error:
            last = error
    raise ImportError(f"cannot load lib{word}: {last}; install it, or name the file of libwrit in WRIT_LIBRARY") from None


lib = _load("writ")
_free = ctypes.CDLL(None).free
_free.argtypes = [c_void_p]
_free.restype = None


class CError(Structure):
    _fields_ = [("status", c_int), ("sys_errno", c_int), ("line", c_uint), ("column", c_uint),
                ("stage", c_char * 24), ("message", c_char * 320), ("suggestion", c_char * 200)]


OUTPUT_FN = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int, c_void_p, c_size_t)
DONE_FN = CFUNCTYPE(None, c_void_p, c_void_p, c_void_p)
WORDS = POINTER(c_char_p)


class CRequest(Structure):
    """writ_request, up to in_session."""
    _fields_ = [
        ("size", c_size_t), ("argv", WORDS), ("shell", c_char_p), ("cwd", c_char_p), ("roots", WORDS), ("env_mode", c_int),
        ("env", WORDS), ("env_pass", WORDS), ("env_drop", WORDS), ("stdin_kind", c_int), ("stdin_data", c_void_p),
        ("stdin_len", c_size_t), ("stdin_path", c_char_p), ("stdin_fd", c_int), ("timeout_ms", c_uint64),
        ("idle_timeout_ms", c_uint64), ("grace_ms", c_uint64), ("output_limit", c_uint64), ("spill_limit", c_uint64),
        ("max_output", c_uint64), ("cpu_ms", c_uint64), ("memory", c_uint64), ("processes", c_uint64),
        ("open_files", c_uint64), ("file_size", c_uint64), ("umask", c_uint), ("nice", c_int), ("user", c_char_p),
        ("group", c_char_p), ("background", c_int), ("hold", c_int), ("trace_id", c_char_p), ("on_output", OUTPUT_FN),
        ("output_ctx", c_void_p), ("sandbox", c_char_p), ("read", WORDS), ("write", WORDS), ("hide", WORDS),
        ("network", c_int), ("tmp_size", c_uint64), ("best_effort", c_bool), ("explain_denials", c_bool),
        ("agent", c_char_p), ("secrets", WORDS), ("keep", c_uint64), ("module", c_char_p), ("parse_json", c_bool),
        ("approval", c_char_p), ("session", c_char_p), ("pty", c_bool), ("rows", c_uint), ("columns", c_uint),
        ("caller", c_int), ("is_module_trusted", c_bool), ("needs_approval", c_bool), ("description", c_char_p),
        ("prefers_bash", c_bool), ("program", c_char_p), ("in_session", c_void_p)]


class CEngineOptions(Structure):
    _fields_ = [("size", c_size_t), ("spill_dir", c_char_p), ("config", c_void_p), ("door", c_char_p), ("no_audit", c_bool),
                ("has_terminal", c_bool), ("base", c_char_p), ("sandbox", c_char_p), ("policy", c_char_p),
                ("policy_len", c_size_t)]


class CSessionOptions(Structure):
    _fields_ = [("size", c_size_t), ("name", c_char_p), ("tmp_size", c_uint64), ("tmp_files", c_uint64),
                ("no_network", c_bool), ("agent", c_char_p)]


class CModulesOptions(Structure):
    _fields_ = [("size", c_size_t), ("config", c_void_p), ("dirs", WORDS), ("project", c_char_p), ("no_project", c_bool),
                ("no_cache", c_bool), ("only_dirs", c_bool), ("no_builtin", c_bool), ("text", c_char_p),
                ("text_len", c_size_t)]


class CModule(Structure):
    """writ_module, up to its id."""
    _fields_ = [("id", c_char_p)]


class CCallOptions(Structure):
    _fields_ = [("size", c_size_t), ("arguments", c_int)]


class CProblem(Structure):
    _fields_ = [("instance", c_char_p), ("schema", c_char_p), ("message", c_char_p), ("suggestion", c_char_p),
                ("line", c_uint), ("column", c_uint)]


class CToolOptions(Structure):
    _fields_ = [("size", c_size_t), ("shape", c_char_p), ("base", c_char_p), ("agent", c_char_p)]


class CToolAnswer(Structure):
    _fields_ = [("is_error", c_bool), ("status", c_int), ("text", c_void_p), ("text_len", c_size_t), ("json", c_void_p),
                ("json_len", c_size_t)]


class CAuditOptions(Structure):
    _fields_ = [("size", c_size_t), ("state_dir", c_char_p), ("key_file", c_char_p), ("no_index", c_bool)]


class CRecord(Structure):
    """writ_record, up to the length of its line."""
    _fields_ = [("seq", c_uint64), ("time_us", c_uint64), ("kind", c_char_p), ("run_id", c_char_p), ("json", c_void_p),
                ("json_len", c_size_t)]


class CAuditFilter(Structure):
    _fields_ = [("size", c_size_t), ("since_us", c_uint64), ("until_us", c_uint64), ("after_seq", c_uint64),
                ("kind", c_char_p), ("run_id", c_char_p), ("agent", c_char_p), ("program", c_char_p),
                ("outcome", c_char_p), ("text", c_char_p), ("limit", c_size_t), ("oldest_first", c_bool)]


class CFinding(Structure):
    _fields_ = [("kind", c_char_p), ("severity", c_char_p), ("file", c_char_p), ("offset", c_uint64), ("line", c_uint64),
                ("seq", c_uint64), ("run_id", c_char_p), ("text", c_char_p), ("advice", c_char_p)]


class CManifestFault(Structure):
    _fields_ = [("line", c_uint), ("column", c_uint), ("message", c_char_p), ("suggestion", c_char_p), ("resource", c_char_p)]


class CManifestFaults(Structure):
    _fields_ = [("size", c_size_t), ("items", POINTER(CManifestFault)), ("count", c_size_t), ("more", c_size_t),
                ("warnings", POINTER(CManifestFault)), ("warning_count", c_size_t)]


class CManifestText(Structure):
    _fields_ = [("file", c_char_p), ("text", c_char_p), ("len", c_size_t)]


FAULTS_FN = CFUNCTYPE(None, c_void_p, POINTER(CManifestFaults))


class CManifestOptions(Structure):
    _fields_ = [("size", c_size_t), ("file", c_char_p), ("dir", c_char_p), ("facts", WORDS),
                ("fact_files", POINTER(CManifestText)), ("fact_file_count", c_size_t), ("data", POINTER(CManifestText)),
                ("data_count", c_size_t), ("session", c_char_p), ("on_faults", FAULTS_FN), ("faults_ctx", c_void_p)]


class CManifestResource(Structure):
    _fields_ = [("size", c_size_t), ("id", c_char_p), ("type", c_char_p), ("name", c_char_p), ("alias", c_char_p),
                ("ensure", c_char_p), ("provider", c_char_p), ("line", c_uint), ("column", c_uint)]


class CEvent(Structure):
    _fields_ = [("size", c_size_t), ("id", c_char * 28), ("time_us", c_uint64), ("index", c_size_t), ("type", c_char_p),
                ("provider", c_char_p), ("name", c_char_p), ("alias", c_char_p), ("requested_ensure", c_char_p),
                ("final_ensure", c_char_p), ("duration_ns", c_uint64), ("properties", c_char_p), ("status", c_char_p),
                ("noop_message", c_char_p), ("health", c_void_p), ("health_count", c_size_t), ("errors", WORDS),
                ("warnings", WORDS), ("unmet", WORDS), ("changed", c_bool), ("refreshed", c_bool), ("failed", c_bool),
                ("skipped", c_bool), ("noop", c_bool), ("interrupted", c_bool), ("health_only", c_bool),
                ("tries", c_uint), ("decided_by", c_char_p), ("run_ids", WORDS), ("diff", c_char_p), ("registered", c_char_p), ("json", c_void_p),
                ("json_len", c_size_t)]


class CApplyOptions(Structure):
    _fields_ = [("size", c_size_t), ("config", c_void_p), ("noop", c_bool), ("health_only", c_bool), ("in_memory", c_bool),
                ("only", WORDS), ("tags", WORDS), ("skip_tags", WORDS), ("agent", c_char_p), ("caller", c_int),
                ("trace_id", c_char_p), ("session", c_char_p), ("resume", c_char_p), ("wait_ms", c_uint64)]


BEGIN_FN = CFUNCTYPE(None, c_void_p, c_char_p, c_char_p)
PIECE_FN = CFUNCTYPE(None, c_void_p, c_int, c_void_p, c_size_t)
EVENT_FN = CFUNCTYPE(None, c_void_p, POINTER(CEvent))
WAKE_FN = CFUNCTYPE(c_bool, c_void_p)


class CApplyWatch(Structure):
    _fields_ = [("size", c_size_t), ("on_begin", BEGIN_FN), ("on_output", PIECE_FN), ("on_event", EVENT_FN),
                ("on_wake", WAKE_FN), ("ctx", c_void_p), ("wake_fd", c_int), ("tick_ms", c_int)]


class CApplyResult(Structure):
    _fields_ = [("size", c_size_t), ("changed", c_size_t), ("failed", c_size_t), ("events", c_size_t),
                ("interrupted", c_bool), ("is_cut_short", c_bool)]


# The structs by their names in C, for the test that compares them with the list of the library's interface.
STRUCTS = {"writ_error": CError, "writ_request": CRequest, "writ_engine_options": CEngineOptions,
           "writ_session_options": CSessionOptions, "writ_modules_options": CModulesOptions, "writ_module": CModule,
           "writ_call_options": CCallOptions, "writ_problem": CProblem, "writ_tool_options": CToolOptions,
           "writ_tool_answer": CToolAnswer, "writ_audit_options": CAuditOptions, "writ_record": CRecord,
           "writ_audit_filter": CAuditFilter, "writ_audit_finding": CFinding,
           "writ_manifest_fault": CManifestFault, "writ_manifest_faults": CManifestFaults,
           "writ_manifest_text": CManifestText, "writ_manifest_options": CManifestOptions,
           "writ_manifest_resource": CManifestResource, "writ_event": CEvent, "writ_apply_options": CApplyOptions,
           "writ_apply_watch": CApplyWatch, "writ_apply_result": CApplyResult}

RECORD_FN = CFUNCTYPE(c_bool, c_void_p, POINTER(CRecord))
FINDING_FN = CFUNCTYPE(None, c_void_p, POINTER(CFinding))
# writ_audit_proof has less than a page.
PROOF_ROOM = 4096

_ERR = POINTER(CError)
_TEXT = [POINTER(c_void_p), POINTER(c_size_t)]


def _declare(name, result, *arguments, library=lib):
    function = getattr(library, name)
    function.restype = result
    function.argtypes = list(arguments)


for _name, _result, *_arguments in (
        ("version", c_char_p),
        ("status_word", c_char_p, c_int),
        ("engine_new", c_int, POINTER(CEngineOptions), POINTER(c_void_p), _ERR),
        ("engine_free", None, c_void_p),
        ("engine_fd", c_int, c_void_p),
        ("engine_dispatch", c_int, c_void_p, c_int, _ERR),
        ("draft_new", c_int, POINTER(c_void_p), _ERR),
        ("draft_free", None, c_void_p),
        ("draft_read_json", c_int, c_void_p, c_char_p, c_size_t, _ERR),
        ("draft_request", POINTER(CRequest), c_void_p),
        ("start", c_int, c_void_p, POINTER(CRequest), DONE_FN, c_void_p, POINTER(c_void_p), _ERR),
        ("job_cancel", None, c_void_p, c_int),
        ("job_signal", None, c_void_p, c_int),
        ("job_id", c_char_p, c_void_p),
        ("decide", c_int, c_void_p, POINTER(CRequest), *_TEXT, _ERR),
        ("result_json", c_int, c_void_p, *_TEXT, _ERR),
        ("result_read", c_int, c_void_p, c_int, c_uint64, c_void_p, c_size_t, POINTER(c_size_t)),
        ("result_free", None, c_void_p),
        ("session_open", c_int, c_void_p, POINTER(CSessionOptions), POINTER(c_void_p), _ERR),
        ("session_close", None, c_void_p),
        ("session_name", c_char_p, c_void_p),
        ("modules_new", c_int, POINTER(CModulesOptions), POINTER(c_void_p), _ERR),
        ("modules_free", None, c_void_p),
        ("modules_count", c_size_t, c_void_p),
        ("modules_at", POINTER(CModule), c_void_p, c_size_t),
        ("modules_json", c_int, c_void_p, c_char_p, *_TEXT, _ERR),
        ("call_new", c_int, c_void_p, c_char_p, c_char_p, c_size_t, POINTER(CCallOptions), POINTER(c_void_p), _ERR),
        ("call_free", None, c_void_p),
        ("call_problems", POINTER(CProblem), c_void_p, POINTER(c_size_t)),
        ("call_draft", c_void_p, c_void_p),
        ("call_request", POINTER(CRequest), c_void_p),
        ("call_preview", c_int, c_void_p, *_TEXT, _ERR),
        ("call_result_json", c_int, c_void_p, c_void_p, *_TEXT, _ERR),
        ("tool_new", c_int, c_void_p, POINTER(CToolOptions), POINTER(c_void_p), _ERR),
        ("tool_free", None, c_void_p),
        ("tool_name", c_char_p, c_void_p),
        ("tool_title", c_char_p, c_void_p),
        ("tool_description", c_char_p, c_void_p),
        ("tool_schema", c_char_p, c_void_p),
        ("tool_shape", c_char_p, c_void_p),
        ("tool_call", c_int, c_void_p, c_char_p, c_size_t, POINTER(CToolAnswer), _ERR),
        ("tool_answer_done", None, POINTER(CToolAnswer)),
        ("audit_open", c_int, POINTER(CAuditOptions), POINTER(c_void_p), _ERR),
        ("audit_free", None, c_void_p),
        ("audit_records", c_int, c_void_p, POINTER(CAuditFilter), RECORD_FN, c_void_p, _ERR),
        ("audit_verify", c_int, c_void_p, c_void_p, FINDING_FN, c_void_p, c_void_p, _ERR)):
    _declare("writ_" + _name, _result, *_arguments)


@functools.lru_cache(maxsize=None)
def manifest_lib():
    """libwrit-manifest, loaded when a manifest is read first."""
    library = _load("writ-manifest")
    read = (POINTER(CManifestOptions), POINTER(c_void_p), _ERR)
    for name, result, *arguments in (
            ("manifest_read", c_int, c_char_p, c_size_t, *read),
            ("manifest_open", c_int, c_char_p, *read),
            ("manifest_read_resource", c_int, c_char_p, c_char_p, c_size_t, *read),
            ("manifest_free", None, c_void_p),
            ("manifest_count", c_size_t, c_void_p),
            ("manifest_look", c_int, c_void_p, c_size_t, POINTER(CManifestResource), _ERR),
            ("manifest_render", c_int, c_void_p, c_bool, *_TEXT, _ERR),
            ("apply_open", c_int, c_void_p, POINTER(CApplyOptions), POINTER(c_void_p), _ERR),
            ("apply_run", c_int, c_void_p, c_void_p, POINTER(CApplyWatch), POINTER(CApplyResult), _ERR),
            ("apply_json", c_int, c_void_p, *_TEXT, _ERR),
            ("apply_free", None, c_void_p)):
        _declare("writ_" + name, result, *arguments, library=library)
    return library


class Error(Exception):
    """What the library says went wrong. It did not run.

    code is a stable word ("denied", "not_found", "invalid", "approval_required", ...); message says what and why;
    suggestion is what to do about it, or ""; line and column are places in a text, or 0; problems has all that is
    wrong with the input of a module."""

    def __init__(self, code, message, suggestion="", line=0, column=0, problems=()):
        super().__init__(message if not suggestion else f"{message} ({suggestion})")
        self.code = code
        self.message = message
        self.suggestion = suggestion
        self.line = line
        self.column = column
        self.problems = list(problems)


def text(value):
    """Bytes of the library as text; they may be a path of any bytes."""
    return value.decode("utf-8", "surrogateescape") if value is not None else None


def encode(value):
    return None if value is None else os.fsencode(value)


def error_of(err, problems=()):
    return Error(text(lib.writ_status_word(err.status)), text(err.message), text(err.suggestion), err.line, err.column,
                 problems)


def check(function, *arguments):
    """Calls a function that has the error as its last argument."""
    err = CError()
    if function(*arguments, byref(err)) != 0:
        raise error_of(err)


def take(function, *arguments):
    """Calls a function that makes a text: JSON, as an object."""
    made, length = c_void_p(), c_size_t()
    check(function, *arguments, byref(made), byref(length))
    try:
        return json.loads(ctypes.string_at(made, length.value))
    finally:
        _free(made)


def words(values):
    """A list that ends with NULL; keep it as long as the library reads it."""
    items = [encode(value) for value in values]
    return (c_char_p * (len(items) + 1))(*items, None)
