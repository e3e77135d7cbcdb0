#!/usr/bin/env python3
"""The exec tool with command, args and cwd, as its story wants it: the acceptance criteria by their numbers, the
security cases by their names, under the preset `denylist` and over MCP."""
import json
import os
import time

from cases import case, equal, holds, is_in, run
from client import Client, processes, text_of, wait_until

BLACKLIST = ("rm", "sudo", "dd", "mkfs", "shutdown", "reboot", "passwd", "visudo")


def story(*options, policy="denylist", **named):
    return Client(*options, policy=policy, **named)


def said(result):
    """The JSON of its text, which is the object for programs as well."""
    value = json.loads(text_of(result))
    equal(result["structuredContent"], value)
    return value


def script(writ, text):
    """A script of the project: the policy lets it run inside of the walls."""
    with open(os.path.join(writ.project, "script.sh"), "w", encoding="utf-8") as file:
        file.write(text)
    return {"command": "sh", "args": ["script.sh"]}


def error(result):
    equal(result["isError"], True)
    return text_of(result)


# ---- acceptance criteria ----

@case("1 Command Parameters: the schema is the story's")
def _():
    with story() as writ:
        tool = writ.request("tools/list")["tools"][0]
        equal(tool["name"], "exec")
        equal(tool["inputSchema"], {
            "type": "object",
            "properties": {
                "command": {"type": "string", "description": "Command to execute (e.g., 'ls', 'git', 'cargo')"},
                "args": {"type": "array", "items": {"type": "string"},
                         "description": "Command arguments as array (prevents shell injection)"},
                "cwd": {"type": "string", "description": "Optional working directory path"}},
            "required": ["command", "args"]})


@case("1 Command Parameters: command, args and cwd are taken, and args as an array only")
def _():
    with story() as writ:
        os.mkdir(os.path.join(writ.project, "sub"))
        equal(said(writ.call("exec", command="echo", args=["a b", "c"], cwd="sub"))["stdout"], "a b c\n")
        equal(error(writ.call("exec")), "Missing required parameter 'command'")
        equal(error(writ.call("exec", command=7, args=[])), "Missing required parameter 'command'")
        equal(error(writ.call("exec", command="ls")), "Missing required parameter 'args' (must be an array)")
        equal(error(writ.call("exec", command="ls", args="-la")), "Missing required parameter 'args' (must be an array)")
        equal(error(writ.call("exec", command="ls", args=["-l", 7])), "Argument at index 1 is not a string: 7")
        equal(error(writ.call("exec", command="ls", args=[None])), "Argument at index 0 is not a string: null")
        is_in("cwd", error(writ.call("exec", command="ls", args=[], cwd=7)))
        equal(error(writ.call("exec", command="ls", args=[], cdw="x")),
              "Unknown parameter 'cdw', did you mean 'cwd'?")


@case("2 Blacklist Enforcement: each name is refused in the story's words")
def _():
    with story() as writ:
        for name in BLACKLIST:
            result = writ.call("exec", command=name, args=["--version"])
            equal(error(result), f"Command not allowed: {name}")
            equal(result["structuredContent"]["error"]["code"], "denied")


@case("2 Blacklist Enforcement: by any path and in any case")
def _():
    with story() as writ:
        for name in ("/bin/rm", "RM", "Sudo", "/usr/sbin/../bin/rm", "./rm"):
            equal(error(writ.call("exec", command=name, args=["x"])), f"Command not allowed: {name}")
        is_in("Command not allowed", error(writ.call("exec", command="env", args=["rm", "x"])))


@case("3 Execution with Timeout: thirty seconds, and both streams")
def _():
    with story() as writ:
        result = said(writ.call("exec", command="sh", args=["-c", "echo out; echo err >&2"]))
        equal(result, {"stdout": "out\n", "stderr": "err\n", "exit_code": 0})
        begin = json.loads(writ.writ("audit", "export", "--kind", "begin").stdout.splitlines()[-1])
        equal(begin["limits"]["timeout_ms"], 30000)
        equal(begin["who"]["door"], "mcp")


@case("4 Output Capture: stdout, stderr and the exit code")
def _():
    with story() as writ:
        result = writ.call("exec", command="sh", args=["-c", "printf 1; printf 2 >&2; exit 3"])
        equal(said(result), {"stdout": "1", "stderr": "2", "exit_code": 3})


@case("5 Timeout Handling: the process is killed, and that is the error")
def _():
    policy = "version: 1\ninclude: denylist\nlimits: { max_timeout: 1s }\n"
    with story(policy=policy) as writ:
        word = f"67{os.getpid()}"
        begun = time.monotonic()
        result = writ.call("exec", **script(writ, f"echo before; sleep {word} & sleep {word}"))
        holds(time.monotonic() - begun < 8, "it took too long")
        equal(error(result).splitlines()[0], "Command timed out after 1s")
        is_in("before", error(result))
        equal(processes(word), [])


@case("5 Timeout Handling: SIGTERM first, and SIGKILL after five seconds")
def _():
    policy = "version: 1\ninclude: denylist\nlimits: { max_timeout: 1s }\n"
    with story(policy=policy) as writ:
        begun = time.monotonic()
        result = writ.call("exec", **script(writ, "trap 'echo told' TERM; while :; do sleep 0.1; done"))
        took = time.monotonic() - begun
        is_in("told", error(result))
        holds(5.5 < took < 12, f"it took {took}")


@case("3 Execution with Timeout: limits.timeout of the policy is the tool's default")
def _():
    for limits, wanted in (("timeout: 2s", 2), ("timeout: 90s", 90)):
        with story(policy=f"version: 1\ninclude: denylist\nlimits: {{ {limits} }}\n") as writ:
            said(writ.call("exec", command="true", args=[]))
            is_in(f'"timeout_ms":{wanted * 1000},', writ.writ("audit", "export", "--kind", "begin").stdout)


@case("6 Non-zero Exit Codes: the output is there, and so is the failure")
def _():
    with story() as writ:
        result = writ.call("exec", command="sh", args=["-c", "echo half; exit 42"])
        equal(result["isError"], True)
        equal(said(result), {"stdout": "half\n", "stderr": "", "exit_code": 42})
        killed = said(writ.call("exec", **script(writ, "kill -9 $$")))
        equal((killed["exit_code"], killed["outcome"]), (-1, "signaled"))


@case("7 Working Directory: where the command runs, beneath the base directory")
def _():
    with story() as writ:
        sub = os.path.join(writ.project, "sub")
        os.mkdir(sub)
        for cwd in ("sub", "./sub", sub, "sub/../sub"):
            equal(said(writ.call("exec", command="pwd", args=[], cwd=cwd))["stdout"], sub + "\n")
        equal(said(writ.call("exec", command="pwd", args=[]))["stdout"], writ.project + "\n")
        with open(os.path.join(writ.project, "file"), "w", encoding="utf-8"):
            pass
        is_in("Failed to resolve working directory 'file'", error(writ.call("exec", command="pwd", args=[], cwd="file")))
        is_in("Failed to resolve working directory 'nowhere'",
              error(writ.call("exec", command="pwd", args=[], cwd="nowhere")))


@case("7 Working Directory: a link to a directory beneath the base is that directory")
def _():
    with story() as writ:
        sub = os.path.join(writ.project, "sub")
        os.mkdir(sub)
        os.symlink("sub", os.path.join(writ.project, "inner"))
        os.symlink("/etc", os.path.join(writ.project, "outer"))
        os.symlink("outer", os.path.join(writ.project, "chain"))
        for cwd in ("inner", os.path.join(writ.project, "inner"), "sub/../inner"):
            equal(said(writ.call("exec", command="pwd", args=[], cwd=cwd))["stdout"], sub + "\n")
        for cwd in ("outer", "chain", "inner/../../.."):
            equal(error(writ.call("exec", command="pwd", args=[], cwd=cwd)),
                  f"Working directory '{cwd}' is outside the allowed base directory")


# ---- security cases ----

@case("test_blacklisted_command_rejected")
def _():
    with story() as writ:
        equal(error(writ.call("exec", command="sudo", args=["whoami"])), "Command not allowed: sudo")


@case("test_shell_injection_prevented")
def _():
    with story() as writ:
        victim = os.path.join(writ.project, "victim")
        open(victim, "w", encoding="utf-8").close()
        for word in ("; rm -rf " + victim, "| rm victim", "&& rm victim", "$(rm victim)", "`rm victim`", "\nrm victim"):
            equal(said(writ.call("exec", command="echo", args=[word]))["stdout"], word + "\n")
        holds(os.path.exists(victim), "it is gone")
        for command in ("echo; rm victim", "echo $(rm victim)", "rm victim | cat", "a\nb", ""):
            is_in("Invalid command", error(writ.call("exec", command=command, args=[])))
        is_in("not found", error(writ.call("exec", command="ls -la", args=[])))


@case("test_cwd_path_traversal_blocked")
def _():
    with story() as writ:
        os.symlink("/etc", os.path.join(writ.project, "link"))
        for cwd in ("../../../etc", "/etc", "..", "link", "/", "../nowhere", "/nowhere/at/all"):
            equal(error(writ.call("exec", command="pwd", args=[], cwd=cwd)),
                  f"Working directory '{cwd}' is outside the allowed base directory")


# ---- errors, and the rest of the door ----

@case("a command that is not there, or is no program, is told in the story's words")
def _():
    with story() as writ:
        path = os.path.join(writ.project, "plain")
        open(path, "w", encoding="utf-8").close()
        result = writ.call("exec", command="no-such-program-here", args=[])
        # What nobody knows is asked about before it is looked for.
        holds(result["isError"], result)
        with story(policy="version: 1\nsandbox: none\nexec_shape: story\nrules: [{allow: {}}]\n") as free:
            equal(error(free.call("exec", command="no-such-program-here", args=[])),
                  "Command 'no-such-program-here' not found in system PATH")
            equal(error(free.call("exec", command="/etc/passwd", args=[])),
                  "Permission denied executing command '/etc/passwd'")


@case("what does not fit an answer is cut, and can be read by its run")
def _():
    with story() as writ:
        result = json.loads(text_of(writ.call("exec", command="seq", args=["1", "100000"])))
        is_in("bytes omitted", result["stdout"])
        part = writ.call("run_read", run_id=result["run_id"], cursor=288894, max_bytes=12)
        equal(part["structuredContent"]["data"], "50001\n50002\n")


@case("the shape can be had under any policy, and another under this one")
def _():
    with story("--exec-shape", "argv") as writ:
        is_in("argv", writ.request("tools/list")["tools"][0]["inputSchema"]["properties"])
    with Client("--exec-shape", "story", policy="open") as writ:
        equal(said(writ.call("exec", command="echo", args=["hi"])), {"stdout": "hi\n", "stderr": "", "exit_code": 0})


@case("a cancelled call leaves nothing running")
def _():
    with story() as writ:
        word = f"68{os.getpid()}"
        id = writ.ask_tool("exec", **script(writ, f"sleep {word} & sleep {word}"))
        wait_until(lambda: len(processes(word)) >= 2, "the command")
        writ.cancel(id)
        wait_until(lambda: not processes(word), "its end")


run()
