"""The servers that are measured: how each is started, and how it is asked to
run a text of a shell."""
import os

SHELL = ["/bin/sh", "-c"]


class Server:
    """One row of the tables."""

    def __init__(self, name, argv, tool, arguments, env=None, has_timeout=True, is_peer=False,
                 is_serial=False):
        self.name = name
        self.argv = argv
        self.tool = tool
        self.arguments = arguments   # function(command, timeout_ms) -> the tool's arguments
        self.env = env or {}
        self.has_timeout = has_timeout
        self.is_peer = is_peer
        self.is_serial = is_serial


def writ(program, sandbox):
    def arguments(command, timeout_ms):
        return {"argv": SHELL + [command], "timeout_ms": timeout_ms, "yield_ms": 120000}

    name = {"none": "writ, no sandbox", "workspace": "writ, workspace"}[sandbox]
    return Server(name, [program, "mcp", "--sandbox", sandbox], "exec", arguments, {"WRIT_POLICY": "open"})


def floor(program):
    return Server("floor in C", [program], "exec", lambda command, _: {"command": command}, has_timeout=False,
                  is_serial=True)


def peers(folder, node):
    """Those of the packages that are there."""
    def plain(command, _):
        return {"command": command}

    def in_milliseconds(key):
        return lambda command, timeout_ms: {"command": command, key: timeout_ms}

    def in_seconds(command, timeout_ms):
        return {"command": command, "execution_mode": "foreground", "timeout_seconds": -(-timeout_ms // 1000)}

    permissive = {"MCP_SHELL_SECURITY_MODE": "permissive", "MCP_SHELL_ENHANCED_MODE": "false",
                  "MCP_SHELL_LLM_EVALUATION": "false"}
    table = [
        ("mcp-server-commands", "mcp-server-commands/build/index.js", "run_command", plain, {}, False),
        ("@agent-infra/mcp-server-commands", "@agent-infra/mcp-server-commands/dist/index.cjs", "run_command", plain, {},
         False),
        ("bash-mcp", "bash-mcp/index.js", "run", in_milliseconds("timeout"), {}, True),
        ("@mako10k/mcp-shell-server", "@mako10k/mcp-shell-server/dist/index.js", "shell_execute", in_seconds, permissive,
         True),
        ("@wonderwhy-er/desktop-commander", "@wonderwhy-er/desktop-commander/dist/index.js", "start_process",
         in_milliseconds("timeout_ms"), {}, True),
    ]
    found = []
    for name, path, tool, arguments, env, has_timeout in table:
        script = os.path.join(folder, "node_modules", path)
        if os.path.exists(script):
            words = [node, script] + (["--no-onboarding"] if "desktop" in name else [])
            found.append(Server(name, words, tool, arguments, env, has_timeout, True))
    return found
