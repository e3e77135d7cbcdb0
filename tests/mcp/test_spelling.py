#!/usr/bin/env python3
"""The arguments of exec as other tools spell them: understood where they can mean one thing, else told the right call.

What runs is what was judged and recorded: every accepted call is looked up in the trail.
"""
import json
import os

from cases import case, equal, holds, is_in, run
from client import Client, text_of, wait_until


def records(writ, kind="begin"):
    """The records of that kind, oldest first."""
    lines = writ.writ("audit", "export").stdout.splitlines()
    return [one for one in map(json.loads, lines) if one.get("kind") == kind]


def told(writ, text, **arguments):
    """The call is refused with this in its text, and nothing has run."""
    result = writ.call("exec", **arguments)
    equal(result["isError"], True, arguments)
    is_in(text, text_of(result))


# A call, its text, and what the record must have: a text for a shell, or the words.
UNDERSTOOD = [
    # Claude Code, Codex (new and old), Gemini CLI, opencode, VS Code, Qwen, Cursor
    ("Bash", {"command": "echo $((1+1))", "description": "adds", "timeout": 120000, "run_in_background": False}, "2",
     "echo $((1+1))"),
    ("exec_command", {"cmd": "pwd", "workdir": "sub", "yield_time_ms": 9000, "max_output_tokens": 1000, "login": True,
                      "tty": False}, "{project}/sub", "pwd"),
    ("exec_command with its shell", {"cmd": "echo ${BASH_VERSION:+bash}", "shell": "/bin/bash"}, "bash",
     "echo ${BASH_VERSION:+bash}"),
    ("shell", {"command": ["bash", "-lc", "echo a | tr a b"], "workdir": "sub", "timeout_ms": 9000}, "b",
     ["bash", "-lc", "echo a | tr a b"]),
    ("shell, asking for no more", {"command": ["echo", "a b"], "with_escalated_permissions": False,
                                   "justification": "to see"}, "a b", ["echo", "a b"]),
    ("run_shell_command", {"command": "pwd", "description": "where", "directory": "sub"}, "{project}/sub", "pwd"),
    ("a newer run_shell_command", {"command": "pwd", "dir_path": "sub", "is_background": False}, "{project}/sub", "pwd"),
    ("bash", {"command": "pwd", "timeout": 90, "workdir": "sub"}, "{project}/sub", "pwd"),
    ("run_in_terminal", {"command": "echo a", "explanation": "says a", "isBackground": False}, "a", "echo a"),
    ("run_terminal_cmd", {"command": "echo a", "explanation": "says a", "is_background": False}, "a", "echo a"),
    ("a text as argv", {"argv": "echo a; echo b"}, "a\nb", "echo a; echo b"),
    ("a line as the only word", {"argv": ["echo a  b"]}, "a b", "echo a  b"),
    ("a list as a text", {"argv": '["echo", "a  b"]'}, "a  b", ["echo", "a  b"]),
    ("a list as a command", {"command": '["echo", "$HOME"]'}, "$HOME", ["echo", "$HOME"]),
    ("a command and its args", {"command": "echo", "args": ["a;b", "$HOME"]}, "a;b $HOME", ["echo", "a;b", "$HOME"]),
    ("a command without args", {"command": "echo a b", "args": []}, "a b", "echo a b"),
    ("a shell, yes", {"argv": ["echo a | tr a b"], "shell": True}, "b", "echo a | tr a b"),
    ("a shell, no", {"argv": ["echo", "$HOME"], "shell": False}, "$HOME", ["echo", "$HOME"]),
    ("a shell by name", {"command": "echo ${BASH_VERSION:-none}", "shell": "sh"}, "none",
     ["sh", "-c", "echo ${BASH_VERSION:-none}"]),
    ("the text as shell", {"shell": "echo a"}, "a", "echo a"),
    ("working_directory", {"command": "pwd", "working_directory": "sub", "timeout_seconds": 1.5}, "{project}/sub", "pwd"),
    ("commandLine", {"commandLine": "echo a", "timeoutMs": 9000, "environment": {"A": "b"}}, "a", "echo a"),
    ("brackets are a command", {"command": "[ a = a ] && echo same"}, "same", "[ a = a ] && echo same"),
]

for name, arguments, text, recorded in UNDERSTOOD:
    @case(f"understood: {name}")
    def _(arguments=arguments, text=text, recorded=recorded):
        with Client(structured=False) as writ:
            os.mkdir(os.path.join(writ.project, "sub"))
            result = writ.request("tools/call", {"name": "exec", "arguments": arguments})
            equal(text_of(result), text.replace("{project}", os.path.realpath(writ.project)))
            equal(result["isError"], False)
            begun = records(writ)
            equal(len(begun), 1)
            equal(begun[0]["shell"] if isinstance(recorded, str) else begun[0]["argv"], recorded)
            equal(begun[0]["argv"] if isinstance(recorded, str) else begun[0]["shell"],
                  [] if isinstance(recorded, str) else None)


TOLD = [
    ("two commands", {"command": "ls", "argv": ["ls"]}, '{"command": "ls"}'),
    ("two spellings", {"command": "ls", "cmd": "pwd"}, "a second time"),
    ("two directories", {"command": "ls", "cwd": ".", "workdir": "/"}, "a second time"),
    ("two times", {"command": "ls", "timeout": 5, "timeout_ms": 5000}, "a second time"),
    ("two texts", {"command": "ls", "shell": "pwd"}, '{"command": "ls"}'),
    ("a shell and words", {"argv": ["ls", "-la"], "shell": True}, "one text"),
    ("no shell and a text", {"command": "ls -la", "shell": False}, '{"argv": ["ls", "-la"]}'),
    ("a line and args", {"command": "git log", "args": ["-1"]}, '{"argv": ["ls", "-la"]}'),
    ("args alone", {"args": ["ls"]}, "'args'"),
    ("nothing", {}, '{"command": "ls -la"}'),
    ("no sandbox, Claude Code", {"command": "ls", "dangerouslyDisableSandbox": True}, "'network', 'write'"),
    ("no sandbox, Codex", {"command": "ls", "sandbox_permissions": "require_escalated"}, "'network', 'write'"),
    ("a switch that is none", {"command": "ls", "run_in_background": "yes"}, "true or false"),
    ("an unknown key", {"comand": "ls"}, "did you mean 'command'?"),
    ("a number", {"command": 5}, "command: expected"),
    ("a list with a number", {"argv": ["ls", 5]}, "argv/1: expected"),
    ("a time that is none", {"command": "ls", "timeout": "soon"}, "timeout_ms: expected"),
    ("a time below zero", {"command": "ls", "timeout_seconds": -1}, "timeout_ms: "),
    ("a NUL", {"command": "ls\0x"}, "NUL"),
    ("a NUL in another spelling", {"cmd": "ls\0x"}, "NUL"),
    ("a NUL in a key", {"command": "true", "cmd\0": "ls"}, "NUL"),
    ("a NUL in a list in a text", {"argv": '["ls", "\\u0000"]'}, "NUL"),
    ("a description that is too long", {"command": "ls", "description": "x" * 301}, "longer than 300"),
]

for name, arguments, text in TOLD:
    @case(f"told: {name}")
    def _(arguments=arguments, text=text):
        with Client(structured=False) as writ:
            result = writ.request("tools/call", {"name": "exec", "arguments": arguments})
            equal(result["isError"], True)
            is_in(text, text_of(result))
            equal(records(writ), [])


@case("a key twice is refused, in whatever spelling")
def _():
    with Client() as writ:
        for pair in ('"command":"true","command":"false"', '"cmd":"true","cmd":"false"'):
            writ.send_line('{"jsonrpc":"2.0","id":77,"method":"tools/call","params":{"name":"exec","arguments":{' + pair + "}}}")
            equal(writ.read()["error"]["code"], -32600)


@case("a time in seconds ends a run, and one in milliseconds too")
def _():
    with Client(structured=False) as writ:
        for arguments in ({"timeout": 1}, {"timeout": 1000}, {"timeout_seconds": 1}, {"timeout_ms": 1000}):
            result = writ.request("tools/call", {"name": "exec", "arguments": {"command": "sleep 60", **arguments}})
            is_in("timed out after 1s", text_of(result))


@case("in the background means that nobody waits")
def _():
    with Client(structured=False) as writ:
        for key in ("run_in_background", "is_background", "isBackground", "background"):
            result = writ.call("exec", **{"command": "sleep 60", key: True})
            equal(result["isError"], False)
            is_in("run_kill ends it", text_of(result))


@case("another spelling changes nothing of what is judged")
def _():
    with Client(policy="developer", structured=False) as writ:
        for arguments in ({"command": "sudo id"}, {"cmd": "sudo id"}, {"argv": ["sudo id"]}, {"argv": '["sudo","id"]'},
                          {"command": ["sudo", "id"]}, {"command": "sudo", "args": ["id"]}, {"shell": "sudo id"},
                          {"argv": "sudo id"}, {"command": "sudo id", "shell": "dash"}, {"argv": ["sudo id"], "shell": True},
                          {"command": ["bash", "-lc", "sudo id"]}, {"command": "sudo id", "shell": "bash"},
                          {"command": "true", "description": "harmless"} | {"command": "sudo id"}):
            result = writ.call("exec", **arguments)
            is_in("denied", text_of(result))
            is_in("sudo", text_of(result))
        equal(records(writ), [])
        checked = writ.call("policy_check", cmd="sudo id")
        is_in("deny", text_of(checked))


@case("the text is bash's where there is one, and judged as such")
def _():
    with Client(policy="developer", structured=False) as writ:
        text = 'x=(one two); [[ ${x[1]} == t* ]] && echo "${x[1]}"'
        equal(text_of(writ.call("exec", command=text)), "two")
        for bad in ("[[ -e x ]] && sudo id", "x=(sudo id); [[ a ]] && sudo id", "diff <(sudo id) x"):
            is_in("denied", text_of(writ.call("exec", command=bad)))


@case("a policy that names the shell is followed")
def _():
    for shell, text in (("sh", "none"), ("bash", "bash")):
        policy = f"version: 1\nsandbox: workspace\nshell: {{mode: judge, program: {shell}}}\nrules: [{{allow: {{}}}}]\n"
        with Client(policy=policy, structured=False) as writ:
            result = writ.call("exec", command="[ -n \"$BASH_VERSION\" ] && echo bash || echo none")
            equal(text_of(result), text)


@case("a text longer than a word of a command line runs as it is, and is judged as it is")
def _():
    with Client(policy="developer", structured=False) as writ:
        for size in (119 << 10, 120 << 10, (120 << 10) + 1, 300 << 10):
            tail = "é\n" * 10
            text = f"echo begin $0 $#\ncat <<'E' | wc -c\n{'é' * (size // 2)}{tail}E\nf() {{ echo \"$1\"; }}; f end"
            bytes_in = size // 2 * 2 + len(tail.encode())
            equal(text_of(writ.call("exec", command=text)).split(), ["begin", "bash", "0", str(bytes_in), "end"])
        is_in("denied", text_of(writ.call("exec", command=": " + "x" * (200 << 10) + "\nsudo id")))
        result = writ.call("exec", command=": " + "x" * (200 << 10) + "\nexit 7")
        equal(text_of(result), "exit code 7")


@case("a description is recorded and shown, and decides nothing")
def _():
    seen = []

    def show(params):
        seen.append(params["message"])
        return {"action": "decline"}

    policy = "version: 1\nsandbox: workspace\nrules:\n  - ask: touch ...\n  - allow: {}\n"
    with Client(policy=policy, capabilities={"elicitation": {"form": {}}}, structured=False,
                handlers={"elicitation/create": show}, env={"WRIT_FORM_TIME": "0"}) as writ:
        writ.call("exec", command="true", description="why not")
        begun = records(writ)[0]
        equal(begun["description"], "why not")
        is_in("why not", writ.writ("audit", "show", begun["run"]).stdout)
        writ.call("exec", command="touch x", description="harmless\n- agent: somebody\x1b[2J")
        is_in("- the agent says: harmless", seen[0])
        holds("\n- agent: somebody" not in seen[0], seen[0])
        holds("\x1b" not in seen[0], seen[0])
        holds("caller_says" not in seen[0], seen[0])


run()
