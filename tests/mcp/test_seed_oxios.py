#!/usr/bin/env python3
"""The exec tool with a mode, as its own tests want it: each by its name, under the preset `allowlist` and over MCP.

Where the design differs, the case says so: in structured mode an empty list allows nothing, and arguments that are not
strings are refused."""
import json
import os
import re
import time

from cases import case, equal, holds, is_in, run
from client import Client, processes, text_of, wait_until


def make_tool(*programs, shell=True, agents="", options=()):
    """A server under a policy with these programs, as the configuration of the tool's tests has them."""
    text = f"version: 1\ninclude: [allowlist]\nprograms: {json.dumps(programs)}\n"
    text += "shell: allow\n" if shell else ""
    return Client(*options, policy=text + agents)


def make_agent_tool(name, *tools):
    agents = f"agents:\n  {name}:\n"
    if "bash" not in tools:
        agents += ("    rules:\n      - deny: { shell: true }\n"
                   "        message: \"shell_exec: agent '{agent}' is not allowed to execute 'bash'\"\n")
    agents += (f"    tools: {json.dumps(tools)}\n"
               "    message: \"structured_exec: agent '{agent}' is not allowed to execute '{command}'\"\n")
    return make_tool("echo", "ls", agents=agents, options=("--agent", name))


def shell(writ, command, **more):
    return writ.result(writ.ask_tool("exec", mode="shell", command=command, **more))


def structured(writ, binary, *args, **more):
    return writ.result(writ.ask_tool("exec", mode="structured", binary=binary, args=list(args), **more))


def succeeds(result):
    equal(result["isError"], False, text_of(result))
    return text_of(result)


def fails(result):
    equal(result["isError"], True, text_of(result))
    return text_of(result)


# ---- the tool as an agent calls it ----

@case("test_name_and_label")
def _():
    with make_tool("echo") as writ:
        tool = writ.request("tools/list")["tools"][0]
        equal((tool["name"], tool["title"]), ("exec", "Exec"))


@case("test_parameters_schema")
def _():
    with make_tool("echo") as writ:
        schema = writ.request("tools/list")["tools"][0]["inputSchema"]
        equal(sorted(schema["properties"]), ["args", "binary", "command", "mode", "timeout"])
        equal(schema["required"], ["mode"])
        equal(schema["properties"]["mode"]["enum"], ["shell", "structured"])
        equal(schema["properties"]["timeout"], {"type": "integer", "description": "Timeout in seconds", "default": 120})


@case("test_agent_tool_shell_mode")
def _():
    with make_tool("echo") as writ:
        is_in("hello", succeeds(shell(writ, "echo hello")))


@case("test_agent_tool_structured_mode")
def _():
    with make_tool("echo") as writ:
        result = structured(writ, "echo", "hi")
        is_in("hi", succeeds(result))
        kept = result["structuredContent"]
        equal((kept["stdout"], kept["stderr"], kept["exit_code"]), ("hi\n", "", 0))
        holds(kept["duration_ms"] < 5000, kept)


@case("test_agent_tool_missing_mode")
def _():
    with make_tool("echo") as writ:
        equal(fails(writ.call("exec", command="echo hi")),
              "Missing required parameter: mode (expected 'shell' or 'structured')")
        equal(fails(writ.call("exec")), "Missing required parameter: mode (expected 'shell' or 'structured')")


@case("test_agent_tool_invalid_mode")
def _():
    with make_tool("echo") as writ:
        equal(fails(writ.call("exec", mode="docker")), "Invalid mode 'docker': expected 'shell' or 'structured'")


@case("test_agent_tool_shell_missing_command")
def _():
    with make_tool("echo") as writ:
        equal(fails(writ.call("exec", mode="shell")), "shell mode requires 'command' parameter")
        equal(fails(writ.call("exec", mode="shell", command=7)), "shell mode requires 'command' parameter")


@case("test_agent_tool_structured_missing_binary")
def _():
    with make_tool("echo") as writ:
        equal(fails(writ.call("exec", mode="structured")), "structured mode requires 'binary' parameter")


@case("test_agent_tool_nonzero_exit")
def _():
    with make_tool("echo") as writ:
        result = shell(writ, "exit 7")
        is_in("exited with code 7", fails(result))
        equal(result["structuredContent"]["exit_code"], 7)


# ---- its text ----

@case("test_format_exec_output_success")
def _():
    with make_tool("printf", "sleep") as writ:
        output = succeeds(shell(writ, "printf hello; sleep 1.5"))
        holds(re.fullmatch(r"hello\n\nTook 1\.[5-9]s", output), output)


@case("test_format_exec_output_failure")
def _():
    with make_tool("echo") as writ:
        output = fails(shell(writ, "printf error! >&2; exit 1"))
        holds(re.fullmatch(r"error!\n\nCommand exited with code 1\n\nTook \d\.\ds", output), output)


@case("test_format_exec_output_no_output")
def _():
    with make_tool("true") as writ:
        output = succeeds(structured(writ, "true"))
        holds(re.fullmatch(r"\(no output\)\n\nTook \d\.\ds", output), output)


@case("test_format_exec_output: both streams have a newline between them, and a signal is the code -1")
def _():
    with make_tool("echo") as writ:
        output = fails(shell(writ, "printf out; printf err >&2; kill -9 $$"))
        holds(re.fullmatch(r"out\nerr\n\nCommand exited with code -1\n\nTook \d\.\ds", output), output)


# ---- shell mode ----

@case("test_shell_exec_echo")
def _():
    with make_tool() as writ:
        equal(shell(writ, "echo hello", timeout=5)["structuredContent"]["stdout"], "hello\n")


@case("test_shell_exec_pipeline")
def _():
    with make_tool() as writ:
        equal(shell(writ, "echo foo | tr f b")["structuredContent"]["stdout"], "boo\n")


@case("test_shell_exec_nonzero_exit")
def _():
    with make_tool() as writ:
        equal(shell(writ, "exit 42")["structuredContent"]["exit_code"], 42)


@case("test_shell_exec_empty_command")
def _():
    with make_tool("echo") as writ:
        for command in ("", " ", " \t\n"):
            equal(fails(shell(writ, command)), "exec (shell): shell_exec: command must not be empty")


@case("test_shell_exec_timeout")
def _():
    with make_tool() as writ:
        word = f"300{os.getpid()}"
        begun = time.monotonic()
        output = fails(shell(writ, f"echo before; sleep {word}", timeout=1))
        holds(time.monotonic() - begun < 8, "it took too long")
        equal(output.splitlines()[0], "exec (shell): shell command timed out after 1000ms")
        is_in("before", output)
        equal(processes(word), [])


@case("shell texts run as they stand: redirections, both streams, and find with braces")
def _():
    with make_tool() as writ:
        for text, wanted in (("echo a >f; cat f; rm f; echo b >&2", "a\n\nb\n"), ("find . -maxdepth 0 -exec echo {} \\;", ".\n"),
                             ("ls -d /usr | sed 's/usr/U/'", "/U\n")):
            output = succeeds(shell(writ, text))
            holds(re.fullmatch(re.escape(wanted) + r"\n\nTook \d\.\ds", output), output)


@case("shell texts that the policy judges are held to the list")
def _():
    with Client(policy="version: 1\ninclude: [allowlist]\nprograms: [echo]\nshell: judge\n") as writ:
        is_in("hello", succeeds(shell(writ, "echo hello")))
        fails(shell(writ, "echo foo | tr f b"))


@case("shell mode that is switched off says so before all else")
def _():
    words = ("exec (shell): shell_exec: shell mode is disabled by configuration (allow_shell_mode = false). Use "
             "mode='structured' instead, or set allow_shell_mode=true in config.toml")
    with make_tool("echo", shell=False) as writ:
        equal(fails(shell(writ, "echo hi")), words)
        equal(fails(shell(writ, " ")), words)


# ---- structured mode ----

@case("test_structured_exec_echo")
def _():
    with make_tool("echo") as writ:
        equal(structured(writ, "echo", "hello")["structuredContent"]["stdout"], "hello\n")


@case("test_structured_exec_blocked_binary")
def _():
    with make_tool("echo") as writ:
        equal(fails(structured(writ, "rm", "-rf", "/")),
              "exec (structured): structured_exec: binary 'rm' is not in the allowlist")


@case("test_structured_exec_path_binary")
def _():
    with make_tool("echo") as writ:
        equal(fails(structured(writ, "/usr/bin/echo")),
              "exec (structured): structured_exec: binary must be a bare name, not a path")


@case("test_structured_exec_traversal_binary")
def _():
    with make_tool("echo") as writ:
        equal(fails(structured(writ, "../bin/evil")),
              "exec (structured): structured_exec: path traversal in binary name")


@case("test_structured_exec_metachar_args")
def _():
    with make_tool("echo") as writ:
        for word in ("foo; rm -rf /", "a | b", "$(whoami)", "`id`", "a&b", "a<b", "a>b", "a{b", "a\nb", "a\0b"):
            equal(fails(structured(writ, "echo", word)), "exec (structured): structured_exec: shell metacharacters or "
                  "path traversal not allowed in arguments")


@case("test_structured_exec_path_traversal_args")
def _():
    with make_tool("cat") as writ:
        is_in("metacharacters", fails(structured(writ, "cat", "../etc/passwd")))


@case("test_structured_exec_clean_args")
def _():
    with make_tool("echo") as writ:
        equal(structured(writ, "echo", "hello", "world")["structuredContent"]["stdout"], "hello world\n")


@case("structured mode without args has none, and args that are not strings are refused, not dropped")
def _():
    with make_tool("echo") as writ:
        equal(writ.call("exec", mode="structured", binary="echo")["structuredContent"]["stdout"], "\n")
        equal(fails(structured(writ, "echo", "a", 7)),
              "exec (structured): structured_exec: argument 1 is not a string")
        equal(fails(writ.call("exec", mode="structured", binary="echo", args="a")),
              "exec (structured): structured_exec: args must be an array of strings")


@case("an empty list allows nothing")
def _():
    with Client(policy="allowlist") as writ:
        equal(fails(structured(writ, "ls")), "exec (structured): structured_exec: binary 'ls' is not in the allowlist")


@case("a program that is not there is an execution error")
def _():
    with make_tool("no-such-program-here") as writ:
        is_in("exec (structured): structured execution error: ", fails(structured(writ, "no-such-program-here")))


# ---- timeouts ----

@case("the timeout is 120 s by default and brought between 1 s and 600 s")
def _():
    with make_tool("true") as writ:
        for said, wanted in (({}, 120), ({"timeout": 0}, 1), ({"timeout": 5}, 5), ({"timeout": 4000}, 600),
                             ({"timeout": 2**64 - 1}, 600), ({"timeout": "9"}, 120), ({"timeout": -3}, 120)):
            succeeds(structured(writ, "true", **said))
            begin = writ.writ("audit", "export", "--kind", "begin").stdout.splitlines()[-1]
            is_in(f'"timeout_ms":{wanted * 1000},', begin)


@case("limits.timeout and limits.max_timeout of the policy are default_timeout_secs and max_timeout_secs")
def _():
    limits = "limits: { timeout: 2s, max_timeout: 3s }\n"
    with Client(policy=f"version: 1\ninclude: [allowlist]\nprograms: [\"true\"]\n{limits}") as writ:
        for said, wanted in (({}, 2), ({"timeout": 50}, 3), ({"timeout": 1}, 1)):
            succeeds(structured(writ, "true", **said))
            begin = writ.writ("audit", "export", "--kind", "begin").stdout.splitlines()[-1]
            is_in(f'"timeout_ms":{wanted * 1000},', begin)
        equal(writ.request("tools/list")["tools"][0]["inputSchema"]["properties"]["timeout"]["default"], 120)
    limits = "limits: { timeout: 20s, max_timeout: 1h }\n"
    with Client(policy=f"version: 1\ninclude: [allowlist]\nprograms: [\"true\"]\n{limits}") as writ:
        succeeds(structured(writ, "true", timeout=2000))
        is_in('"timeout_ms":2000000,', writ.writ("audit", "export", "--kind", "begin").stdout.splitlines()[-1])


@case("every program of PATH with programs: ['*'], and a program as an agent spelled it")
def _():
    with make_tool("*") as writ:
        is_in("hello", succeeds(structured(writ, "echo", "hello")))
        equal(fails(structured(writ, "../x")), "exec (structured): structured_exec: path traversal in binary name")
    with make_agent_tool("test-agent", "ls") as writ:
        equal(fails(structured(writ, "../x")),
              "exec (structured): structured_exec: agent 'test-agent' is not allowed to execute '../x'")


@case("a structured command that takes too long says so")
def _():
    with make_tool("sleep", "false") as writ:
        equal(fails(structured(writ, "sleep", "300", timeout=1)).splitlines()[0],
              "exec (structured): structured command timed out after 1000ms")
        output = fails(structured(writ, "false"))
        holds(re.fullmatch(r"\(no output\)\n\nCommand exited with code 1\n\nTook \d\.\ds", output), output)


# ---- agents ----

@case("test_for_agent_structured_exec_allowed")
def _():
    with make_agent_tool("test-agent", "echo", "ls") as writ:
        is_in("hello", succeeds(structured(writ, "echo", "hello")))


@case("test_for_agent_structured_exec_denied")
def _():
    with make_agent_tool("test-agent", "ls") as writ:
        equal(fails(structured(writ, "echo", "hello")),
              "exec (structured): structured_exec: agent 'test-agent' is not allowed to execute 'echo'")


@case("test_for_agent_shell_exec_allowed")
def _():
    with make_agent_tool("test-agent", "bash") as writ:
        is_in("hello", succeeds(shell(writ, "echo hello")))


@case("test_for_agent_shell_exec_denied")
def _():
    with make_agent_tool("test-agent", "ls") as writ:
        equal(fails(shell(writ, "echo hello")),
              "exec (shell): shell_exec: agent 'test-agent' is not allowed to execute 'bash'")


@case("test_no_agent_name_bypasses_access_control: who has no name is the default agent, and the policy holds for it")
def _():
    with make_tool("echo") as writ:
        is_in("unrestricted", succeeds(shell(writ, "echo unrestricted")))
        is_in("unrestricted", succeeds(shell(writ, "printf '%s\\n' unrestricted")))
        is_in("is not in the allowlist", fails(structured(writ, "ls")))
        begin = writ.writ("audit", "export", "--kind", "begin").stdout.splitlines()[-1]
        is_in('"agent":"local"', begin)


@case("test_agent_name_set_correctly, and no argument can set it")
def _():
    with make_agent_tool("my-agent", "echo") as writ:
        succeeds(structured(writ, "echo"))
        is_in('"agent":"my-agent"', writ.writ("audit", "export", "--kind", "begin").stdout.splitlines()[-1])
        is_in("Unknown parameter 'agent'", fails(structured(writ, "echo", agent="other")))


# ---- the rest of the door ----

@case("who is bound to an agent that the policy does not know may do nothing")
def _():
    agents = "agents:\n  known: {}\n"
    with make_tool("echo", agents=agents, options=("--agent", "unknown")) as writ:
        is_in("exec (structured): ", fails(structured(writ, "echo")))


@case("what is refused before it is a request is in the record")
def _():
    with make_tool("echo") as writ:
        fails(writ.call("exec", mode="docker"))
        is_in("Invalid mode 'docker'", writ.writ("audit", "export", "--kind", "refused").stdout)


@case("a cancelled call leaves nothing running")
def _():
    with make_tool("sleep") as writ:
        word = f"69{os.getpid()}"
        id = writ.ask_tool("exec", mode="shell", command=f"sleep {word} & sleep {word}")
        wait_until(lambda: len(processes(word)) >= 2, "the command")
        writ.cancel(id)
        wait_until(lambda: not processes(word), "its end")


run()
