#!/usr/bin/env python3
"""The caller as the opponent, way by way: each way is one request that asks for
more than the walls, in one spelling, by one door. Whatever the answer is, the
marker outside of the project is not there afterwards, and what was understood
as asking for more is a question or a refusal that names it."""
import json
import os

from cases import case, equal, holds, is_in, run
from client import Client, RpcError

# Walls give every run a /tmp of its own: what is to be found unchanged lies elsewhere.
os.environ.setdefault("WRIT_TEST_BASE", "/var/tmp")
ASKED = ("approval_required", "denied")


class Ground:
    """A project with a server, and beside it a place that nobody may write."""

    def __init__(self, *options, **named):
        named.setdefault("policy", "developer")
        self.client = Client(*options, **named)
        self.project = self.client.project
        self.outside = os.path.join(self.client.base, "outside")
        os.mkdir(self.outside)
        self.marker = os.path.join(self.outside, "marker")
        self.code = f"open({self.marker!r}, 'w').write('x')"
        self.payload = ["python3", "-c", self.code]
        os.symlink(self.outside, os.path.join(self.project, "link"))
        self.write("w.yaml", f"version: 1\nextends: workspace\nwrite: [{self.outside}]\n")

    def write(self, name, text):
        path = os.path.join(self.project, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def call(self, tool, arguments):
        """The error of a call, as {"code", "message"}; None: it ran."""
        try:
            result = self.client.call(tool, **arguments)
        except RpcError as error:
            return {"code": "invalid", "message": error.message}
        return result.get("structuredContent", {}).get("error")

    def is_untouched(self, what):
        equal(os.listdir(self.outside), [], what)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.client.close()


def ways(title, table, door):
    """A case for each row; rows of one table share a server."""
    ground = {}

    def add(number, name, want, words):
        @case(f"{title}: {name}")
        def _():
            if not ground:
                ground["it"] = Ground()
            one = ground["it"]
            error = door(one, want(one) if callable(want) else want)
            one.is_untouched(name)
            if words is not None:
                holds(error is not None, f"{name}: it ran")
                is_in(error["code"], ASKED)
                is_in(words, error["message"])
            if number == len(table) - 1:
                ground.pop("it").client.close()

    for number, (name, want, words) in enumerate(table):
        add(number, name, want, words)


# ---- by the tool exec; the words are what the question is about, None: the walls answer ----

NONE = "sandbox 'none'"
ENV = "sandbox 'env'"
HOST = "network 'host'"
PLACE = "a place to write outside"

EXEC = [
    ("sandbox none", {"sandbox": "none"}, NONE),
    ("sandbox env", {"sandbox": "env"}, ENV),
    ("sandbox none with a terminal", {"sandbox": "none", "pty": True}, NONE),
    ("sandbox none in the background", {"sandbox": "none", "yield_ms": 0}, NONE),
    ("sandbox none elsewhere", lambda g: {"sandbox": "none", "cwd": g.outside}, NONE),
    ("sandbox none through a link", {"sandbox": "none", "cwd": "link"}, NONE),
    ("sandbox none with an environment", {"sandbox": "none", "env": {"A": "1"}}, NONE),
    ("sandbox none with input", {"sandbox": "none", "stdin": "x"}, NONE),
    ("sandbox none and a session", {"sandbox": "none", "session": "s"}, NONE),
    ("sandbox none and the network", {"sandbox": "none", "network": "host"}, NONE),
    ("sandbox None", {"sandbox": "None"}, None),
    ("sandbox 'none '", {"sandbox": "none "}, None),
    ("sandbox with a newline", {"sandbox": "none\n"}, None),
    ("sandbox with a NUL", {"sandbox": "none\0"}, None),
    ("sandbox that is empty", {"sandbox": ""}, None),
    ("sandbox as a list", {"sandbox": ["none"]}, None),
    ("sandbox as a number", {"sandbox": 0}, None),
    ("sandbox false", {"sandbox": False}, None),
    ("sandbox null", {"sandbox": None}, None),
    ("sandbox as an object", {"sandbox": {"extends": "none"}}, None),
    ("a profile file here", {"sandbox": "./w.yaml"}, None),
    ("a profile file by its name", {"sandbox": "w.yaml"}, None),
    ("a profile by its name without the ending", {"sandbox": "w"}, None),
    ("a profile file by its whole path", lambda g: {"sandbox": os.path.join(g.project, "w.yaml")}, None),
    ("a profile file above", {"sandbox": "../project/w.yaml"}, None),
    ("a profile file by /proc", {"sandbox": "/proc/self/cwd/w.yaml"}, None),
    ("a profile file at home", {"sandbox": "~/w.yaml"}, None),
    ("a profile behind a built-in name", {"sandbox": "workspace/../w"}, None),
    ("the host's network", {"network": "host"}, HOST),
    ("the host's network with a terminal", {"network": "host", "pty": True}, HOST),
    ("the host's network elsewhere", lambda g: {"network": "host", "cwd": g.outside}, HOST),
    ("network HOST", {"network": "HOST"}, None),
    ("network as a list", {"network": ["host"]}, None),
    ("network true", {"network": True}, None),
    ("network 1", {"network": 1}, None),
    ("write outside", lambda g: {"write": [g.outside]}, None),
    ("write as text", lambda g: {"write": g.outside}, None),
    ("write through a link", {"write": ["link"]}, None),
    ("write above", {"write": [".."]}, None),
    ("write the machine", {"write": ["/"]}, None),
    ("write by /proc", lambda g: {"write": ["/proc/self/root" + g.outside]}, None),
    ("roots", lambda g: {"roots": [g.outside]}, None),
    ("root", lambda g: {"root": g.outside}, None),
    ("read", {"read": ["/"]}, None),
    ("hide nothing", {"hide": []}, None),
    ("best effort", {"best_effort": True}, None),
    ("best effort as text", {"best_effort": "true"}, None),
    ("cwd outside", lambda g: {"cwd": g.outside}, None),
    ("cwd by a link", {"cwd": "link"}, None),
    ("cwd by a link and a dot", {"cwd": "link/."}, None),
    ("cwd by dots", {"cwd": "../outside"}, None),
    ("cwd by /proc/self/cwd", {"cwd": "/proc/self/cwd/../outside"}, None),
    ("cwd by /proc/self/root", lambda g: {"cwd": "/proc/self/root" + g.outside}, None),
    ("cwd by the server's own /proc", lambda g: {"cwd": f"/proc/{g.client.process.pid}/root{g.outside}"}, None),
    ("cwd /", {"cwd": "/"}, None),
    ("cwd home", lambda g: {"cwd": g.client.env["HOME"]}, None),
    ("cwd with a NUL", {"cwd": "link\0"}, None),
    ("cwd as a number", {"cwd": 1}, None),
    ("cwd as a list", {"cwd": ["link"]}, None),
    ("a trusted caller", {"caller": "trusted"}, None),
    ("a trusted caller as a number", {"caller": 1}, None),
    ("is_trusted", {"is_trusted": True}, None),
    ("another agent", {"agent": "root"}, None),
    ("another policy", {"policy": "open"}, None),
    ("another door", {"door": "cli"}, None),
    ("an approval of its own", {"approval": "0" * 16, "sandbox": "none"}, None),
    ("another user", {"user": "root"}, None),
    ("writ's own policy variable", {"env": {"WRIT_POLICY": "open"}, "sandbox": "none"}, NONE),
    ("writ's own state", lambda g: {"env": {"WRIT_STATE_DIR": g.outside}}, None),
    ("writ's own configuration", lambda g: {"env": {"WRIT_CONFIG_DIR": g.project, "HOME": g.project}}, None),
    ("a preloaded library", lambda g: {"env": {"LD_PRELOAD": os.path.join(g.project, "x.so")}}, None),
    ("a start file of python", lambda g: {"env": {"PYTHONSTARTUP": os.path.join(g.project, "x.py")}}, None),
    ("a limit beyond all", {"timeout_ms": 2 ** 53}, None),
    ("limits as text", {"limits": {"memory": "1TiB", "timeout": "9999h"}}, None),
]


def by_exec(ground, want):
    return ground.call("exec", {"argv": ground.payload, **want})


ways("exec", EXEC, by_exec)


# ---- the same words in raw JSON ----

RAW = [
    ("a key twice, the weaker last", '"sandbox":"workspace","sandbox":"none"', None),
    ("a key twice, the weaker first", '"sandbox":"none","sandbox":"workspace"', None),
    ("a key with an escape", '"s\\u0061ndbox":"none"', None),
    ("a key twice by an escape", '"sandbox":"workspace","s\\u0061ndbox":"none"', None),
    ("network twice", '"network":"off","network":"host"', None),
    ("a value with an escape", '"sandbox":"\\u006eone"', None),
    ("arguments twice", '"yield_ms":0},"arguments":{"argv":["true"],"sandbox":"none"', None),
]


def by_raw_json(ground, text):
    argv = json.dumps(ground.payload)
    ground.client.send_bytes(('{"jsonrpc":"2.0","id":"raw","method":"tools/call","params":{"name":"exec",'
                              f'"arguments":{{"argv":{argv},{text}}}}}}}\n').encode())
    message = ground.client.turn()
    while message.get("id", "raw") != "raw" or "method" in message:
        message = ground.client.turn()
    holds("error" in message or message["result"].get("isError"), f"{text}: {message}")


ways("raw", RAW, by_raw_json)


# ---- by modules: what the user registered, what lies in the project, and what a call adds ----

CALL = [
    ("plain", {}),
    ("elsewhere", {"cwd": "../outside"}),
    ("through a link", {"cwd": "link"}),
    ("with sandbox none", {"sandbox": "none"}),
    ("with the network", {"network": "host"}),
    ("with a policy", {"policy": "open"}),
    ("trusted", {"caller": "trusted"}),
    ("with writ's variables", {"env": {"WRIT_POLICY": "open", "WRIT_STATE_DIR": "."}}),
    ("with a list as id", {"id": ["my.write"]}),
    ("with sandbox among its arguments", {"arguments": {"sandbox": "none"}}),
    ("with cwd among its arguments", {"arguments": {"cwd": "link"}}),
]
BRINGS = [
    ("sandbox none", "sandbox: none"), ("sandbox env", "sandbox: env"), ("a profile file", "sandbox: ./w.yaml"),
    ("a profile file by its name", "sandbox: w.yaml"), ("the network", "network: host"), ("a directory", "cwd: ../outside"),
    ("a link", "cwd: link"), ("a place to write", "write: [../outside]"), ("roots", "roots: [../outside]"),
    ("trust", "caller: trusted"), ("best effort", "best_effort: true"), ("a whole environment", "env_mode: inherit"),
    ("a preloaded library", "env: {LD_PRELOAD: ./x.so}"),
]


def put_module(ground, line):
    ground.write(".writ/modules/my.write.binding.yaml",
                 'spec_version: "1.0"\nbindings:\n- module_id: my.write\n'
                 f'  target: "exec:///usr/bin/python3 -c \\"{ground.code}\\""\n'
                 f"  description: a module of a test\n  {line}\n")


def by_module_call(ground, want):
    put_module(ground, "")
    return ground.call("module_call", {"id": "my.write", **want})


def by_module_line(ground, line):
    """The server, and an innocent person."""
    put_module(ground, line)
    ground.call("module_call", {"id": "my.write"})
    ground.client.writ("call", "--no-ask", "my.write")


ways("module_call", [(name, want, None) for name, want in CALL], by_module_call)
ways("a module of the project brings", [(name, line, None) for name, line in BRINGS], by_module_line)


# ---- by a command line that names an agent ----

AGENT = [
    ("sandbox none", ["--sandbox", "none"], NONE),
    ("sandbox env", ["--sandbox=env"], ENV),
    ("a profile file", ["--sandbox", "./w.yaml"], None),
    ("the network", ["--network", "host"], HOST),
    ("a place to write", ["--write", "../outside"], PLACE),
    ("a link to write", ["--write", "link"], None),
    ("the machine to write", ["--write", "/"], None),
    ("best effort", ["--best-effort", "--sandbox", "none"], NONE),
    ("a directory", ["--cwd", "../outside"], None),
    ("a link as directory", ["--cwd", "link"], None),
    ("the whole environment", ["--env-mode", "inherit", "--cwd", "../outside"], None),
    ("another agent after it", ["--sandbox", "none", "--agent", "other"], "no policy names that agent"),
]


def by_agent(ground, options):
    done = ground.client.writ("run", "--agent", "local", "--no-ask", *options, "--", *ground.payload)
    holds(done.returncode != 0, f"{options}: exit 0")
    return {"code": "denied" if done.returncode == 125 else "failed", "message": done.stderr}


ways("--agent", AGENT, by_agent)


# ---- the same in a session, which a person started for that agent ----


def by_agent_in_session(ground, options):
    ground.client.writ("session", "start", "--quiet", "--agent", "local", "dev")
    # Its exit status says nothing: in the session's own /var/tmp there may be such a place.
    done = ground.client.writ("run", "--agent", "local", "--no-ask", "--session", "dev", *options, "--", *ground.payload)
    equal(ground.client.writ("session", "end", "--quiet", "dev").returncode, 0)
    return {"code": "denied" if done.returncode == 125 else "failed", "message": done.stderr}


IN_SESSION = [(name, options, words and words.replace("no policy names that agent", "is for the agent 'local'"))
              for name, options, words in AGENT] + [
    ("a session of a person", ["--session", "mine"], None),
    ("a session that is not there", ["--session", "none"], None),
    ("a port of the machine", ["--publish", "3000"], None),
    ("a service of the machine", ["--connect", "127.0.0.1:22"], None),
    ("another /tmp", ["--tmp", "disk", "--tmp-size", "1TiB"], None),
    ("sandbox none, the session named again", ["--session", "dev", "--sandbox", "none"], NONE),
]
ways("--agent in a session", IN_SESSION, by_agent_in_session)


# ---- by the hook of an agent program: no wall is there, so nothing that could write is let through ----

HOOK = [
    "python3 -c 'open(\"../outside/marker\", \"w\")'",
    "sh -c 'echo x >../outside/marker'",
    "echo x >../outside/marker",
    "echo x >link/marker",
    "cp /etc/hostname link/marker",
    "tee ../outside/marker",
    "tar -xf - -C ../outside",
    "ln -s / here && touch here/etc/cron.d/x",
    "make",
    "npm install",
    "git -c core.pager='sh -c id' log",
    "writ run --sandbox none -- touch ../outside/marker",
    "env WRIT_POLICY=open writ run -- touch ../outside/marker",
    "WRIT_POLICY=open python3 x.py",
    "command python3 x.py",
    "$(echo python3) x.py",
    "zip -T \"a';id;'.zip\" b",
    "find . -exec sh -c id ;",
    "cd ../outside && touch marker",
]


def by_hook(ground, command):
    event = {"session_id": "s", "cwd": ground.project, "hook_event_name": "PreToolUse", "tool_name": "Bash",
             "tool_input": {"command": command}}
    done = ground.client.writ("policy", "check", "--no-ask", stdin=json.dumps(event))
    said = json.loads(done.stdout)["hookSpecificOutput"] if done.stdout.strip() else {}
    holds(said.get("permissionDecision") != "allow", f"{command}: {done.stdout}")


ways("hook", [(command, command, None) for command in HOOK], by_hook)

run()
