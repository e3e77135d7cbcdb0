#!/usr/bin/env python3
"""Modules as tools, as the document 000 wants its modules to be: listed, called, and an error when their time is up."""
import os

from cases import case, equal, holds, is_in, run
from client import Client, text_of

BINDINGS = """spec_version: "1.0"
bindings:
- module_id: my.echo
  target: exec:///bin/echo
  description: Says it
  input_schema: {type: object, properties: {text: {type: string, x-apexe-positional: 0}}, required: [text], additionalProperties: false}
- module_id: my.slow
  target: exec:///bin/sleep 1000
  description: Takes long
  timeout: 100ms
"""


def serve(*options, policy="open"):
    base_modules = os.path.join(os.environ.get("WRIT_TEST_BASE") or "/tmp", f"writ-seed-modules-{os.getpid()}")
    os.makedirs(base_modules, mode=0o755, exist_ok=True)
    with open(os.path.join(base_modules, "my.binding.yaml"), "w", encoding="utf-8") as file:
        file.write(BINDINGS)
    os.chmod(os.path.join(base_modules, "my.binding.yaml"), 0o644)
    return Client("--pin", "my.*", *options, policy=policy, env={"WRIT_MODULES": base_modules})


@case("000: a module is a tool, which runs it, and its timeout is an error")
def _():
    with serve() as writ:
        names = [tool["name"] for tool in writ.request("tools/list")["tools"]]
        holds(any(name.startswith("my") and "echo" in name for name in names), names)
        echo = next(name for name in names if "echo" in name and name.startswith("my"))
        slow = next(name for name in names if "slow" in name and name.startswith("my"))
        result = writ.call(echo, text="a b")
        equal(result["isError"], False)
        is_in("a b", text_of(result))
        late = writ.call(slow)
        equal(late["isError"], True)
        is_in("timed out", text_of(late))
        # Modules that writ knows by itself are found and described.
        is_in("cli.git.commit", text_of(writ.call("module_search", query="git commit")))
        is_in("cli.docker.container.ls", text_of(writ.call("module_search", query="docker container ls")))


@case("000: a policy's rules about modules hold over MCP")
def _():
    policy = ("version: 1\nsandbox: none\ndefault: allow\nrules: [{allow: {}}, {deny: {module: my.slow}}]\n"
              "agents: {helper: {tools: ['my.*']}}\n")
    with serve("--agent", "helper", policy=policy) as writ:
        is_in("hello", text_of(writ.call("module_call", id="my.echo", arguments={"text": "hello"})))
        denied = writ.call("module_call", id="my.slow", arguments={})
        equal(denied["isError"], True)
        holds("timed out" not in text_of(denied), text_of(denied))
        equal(writ.call("exec", argv=["/bin/ls"])["isError"], True)


run()
