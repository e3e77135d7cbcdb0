#!/usr/bin/env python3
"""The caller as the opponent: whatever a request over the real server asks for,
it gets the walls of the policy, a question, or a refusal; and nothing happens."""
import itertools
import os

from cases import case, equal, holds, is_in, run
from client import Client, RpcError

# Walls give every run a /tmp of its own: what is to be found unchanged lies elsewhere.
os.environ.setdefault("WRIT_TEST_BASE", "/var/tmp")
WRITE = ["python3", "-c", "open('x', 'w').write('x')"]


def place(writ, *names):
    """A directory beside the project, as the home or the system has them."""
    path = os.path.join(writ.base, *names)
    os.makedirs(path, exist_ok=True)
    return path


def error_of(writ, **arguments):
    """The error of a call, or None."""
    try:
        result = writ.call("exec", **arguments)
    except RpcError as error:
        return {"code": "invalid", "message": error.message}
    return result.get("structuredContent", {}).get("error")


def asks_for(what, error):
    holds(error is not None, "it ran")
    is_in(error["code"], ("approval_required", "denied"))
    is_in(what, str(error))


def own_profile(writ, name, text):
    profiles = place(writ, "config", "profiles")
    with open(os.path.join(profiles, name + ".yaml"), "w", encoding="utf-8") as file:
        file.write(text)


# ---- S1: the working directory decides nothing ----

@case("cwd: a directory outside of the project is read only, whoever owns it")
def _():
    with Client(policy="developer") as writ:
        for names in (("home", ".config", "systemd", "user"), ("etc", "cron.d"), ("other",)):
            path = place(writ, *names)
            writ.call("exec", argv=WRITE, cwd=path)
            equal(os.listdir(path), [], path)


@case("cwd: links, '..' and /proc lead to no other root")
def _():
    with Client(policy="developer") as writ:
        path = place(writ, "other")
        os.symlink(path, os.path.join(writ.project, "link"))
        spellings = [os.path.join(writ.project, "link"), os.path.join(writ.project, "..", "other"), "link", "../other",
                     "/proc/self/cwd/../other", "/proc/self/root" + path]
        for cwd in spellings:
            error_of(writ, argv=WRITE, cwd=cwd)
            equal(os.listdir(path), [], cwd)


@case("cwd: a repository elsewhere is no root either")
def _():
    with Client(policy="developer") as writ:
        path = place(writ, "other")
        place(writ, "other", ".git")
        writ.call("exec", argv=WRITE, cwd=path)
        equal(os.listdir(path), [".git"])


@case("cwd: the project's own policy still counts somewhere else")
def _():
    with Client(policy=None, env={"WRIT_POLICY": None}) as writ:
        place(writ, "project", ".writ")
        with open(os.path.join(writ.project, ".writ", "policy.yaml"), "w", encoding="utf-8") as file:
            file.write("version: 1\ndefault: allow\nrules: [{deny: {program: python3}}, {allow: {}}]\n")
        path = place(writ, "other")
        for cwd in (writ.project, path):
            error = error_of(writ, argv=["python3", "-c", "1"], cwd=cwd)
            equal(error and error["code"], "denied", cwd)


@case("cwd: beneath the project it is as writable as ever")
def _():
    with Client(policy="developer") as writ:
        path = place(writ, "project", "below")
        writ.call("exec", argv=WRITE, cwd=path)
        equal(os.listdir(path), ["x"])


# ---- S2: the walls are the least ----

COMMANDS = [["ls"], ["touch", "x"], ["git", "branch"], ["tar", "-xf", "-"], ["cat", "/etc/passwd"], ["make", "-n"],
            ["python3", "-c", "1"], ["true"]]


@case("sandbox: nobody gets weaker walls without a question, whatever the command")
def _():
    with Client(policy="developer") as writ:
        for argv, sandbox in itertools.product(COMMANDS, ("none", "env", "readonly")):
            if sandbox == "readonly" and argv[0] != "touch":
                continue
            error = error_of(writ, argv=argv, sandbox=sandbox)
            asks_for(sandbox, error)
        equal([name for name in os.listdir(writ.project) if name == "x"], [])


@case("sandbox: stronger walls can always be had")
def _():
    with Client(policy="developer") as writ:
        for sandbox in ("workspace", "strict"):
            result = writ.call("exec", argv=["true"], sandbox=sandbox)
            equal(result["structuredContent"]["exit_code"], 0)


@case("sandbox: what the server was started with is the least as well")
def _():
    with Client("--sandbox", "strict", policy="developer") as writ:
        equal(error_of(writ, argv=["true"]), None)
        for sandbox in ("workspace", "none", "readonly"):
            asks_for(sandbox, error_of(writ, argv=["true"], sandbox=sandbox))


@case("sandbox: a rule that allows a command does not allow it other walls")
def _():
    policy = "version: 1\nsandbox: workspace\ndefault: {}\nrules: [{{allow: {rule}}}]\n"
    for rule in ("ls ...", "{program: ls}", "{effect: read}", "{effect: [read, write, code, exec, unknown, net]}"):
        with Client(policy=policy.format("allow", rule=rule)) as writ:
            equal(error_of(writ, argv=["ls"]), None)
            asks_for("none", error_of(writ, argv=["ls"], sandbox="none"))
    with Client(policy=policy.format("deny", rule="{effect: [read, more]}")) as writ:
        equal(error_of(writ, argv=["ls"], sandbox="none"), None)


@case("sandbox: a list of programs does not allow them other walls")
def _():
    with Client(policy="version: 1\nsandbox: workspace\ndefault: deny\nprograms: [ls]\n") as writ:
        equal(error_of(writ, argv=["ls"]), None)
        asks_for("none", error_of(writ, argv=["ls"], sandbox="none"))


# ---- S3: a profile has a name ----

@case("sandbox: no file is a profile for a caller")
def _():
    with Client(policy="developer") as writ:
        docs = place(writ, "home", "docs")
        with open(os.path.join(writ.project, "w.yaml"), "w", encoding="utf-8") as file:
            file.write(f"extends: workspace\nwrite: [{docs}]\n")
        names = ("./w.yaml", os.path.join(writ.project, "w.yaml"), "../project/w.yaml", "/proc/self/cwd/w.yaml", "w.yaml", "")
        for name in names:
            error = error_of(writ, argv=["touch", os.path.join(docs, "x")], sandbox=name)
            holds(error is not None, name)
            is_in(error["code"], ("invalid", "invalid_request", "denied"))
            equal(os.listdir(docs), [], name)


@case("sandbox: a profile of the user's own that writes elsewhere is a question")
def _():
    with Client(policy="developer") as writ:
        docs = place(writ, "docs")
        own_profile(writ, "mine", f"extends: workspace\nwrite: [{docs}]\n")
        asks_for(docs, error_of(writ, argv=["true"], sandbox="mine"))


@case("sandbox: a profile of one's own is left only after a question, for whatever other")
def _():
    policy = "version: 1\nsandbox: careful\nrules: [{allow: {effect: [read, exec, code]}}]\n"
    with Client(policy=policy) as writ:
        own_profile(writ, "careful", f"extends: workspace\nhide: [{place(writ, 'secret')}]\n")
        equal(error_of(writ, argv=["true"]), None)
        equal(error_of(writ, argv=["true"], sandbox="careful"), None)
        for sandbox in ("workspace", "strict", "readonly", "none"):
            asks_for(sandbox, error_of(writ, argv=["true"], sandbox=sandbox))


@case("sandbox: what its agent is held to stays, even where everything is allowed")
def _():
    policy = "version: 1\nsandbox: none\ndefault_agent: a\nagents: {a: {sandbox: careful}}\nrules: [{allow: {}}]\n"
    with Client(policy=policy) as writ:
        own_profile(writ, "careful", f"extends: workspace\nhide: [{place(writ, 'secret')}]\n")
        for sandbox in ("careful", "workspace", "strict", "readonly", "none", "env"):
            result = writ.call("exec", argv=["true"], sandbox=sandbox)
            equal(result["structuredContent"]["sandbox"]["profile"], "careful", sandbox)


@case("sandbox: who asks for readonly writes nothing, also in the stronger walls of his agent")
def _():
    policy = "version: 1\ninclude: [developer]\ndefault_agent: a\nagents: {a: {sandbox: workspace}}\n"
    with Client(policy=policy) as writ:
        error_of(writ, argv=WRITE, sandbox="readonly")
        equal(os.listdir(writ.project), [])


# ---- S4: the network ----

@case("network: the host's is a question for everything that does not need it")
def _():
    with Client(policy="developer") as writ:
        for argv in (["git", "branch"], ["ls"], ["python3", "-c", "1"], ["true"]):
            asks_for("network", error_of(writ, argv=argv, network="host"))
            asks_for("network", error_of(writ, argv=argv, network="host", pty=True))
        equal(error_of(writ, argv=["true"], network="loopback"), None)
        equal(error_of(writ, argv=["true"], network="off"), None)


@case("write: a place outside is a question, whatever the command is")
def _():
    with Client(policy="developer") as writ:
        outside = os.path.join(writ.base, "outside")
        os.mkdir(outside)
        for argv in (["true"], ["ls"], ["touch", os.path.join(outside, "x")]):
            asks_for(outside, error_of(writ, argv=argv, write=[outside]))
        equal(os.listdir(outside), [])
        for path in ("/", os.path.join(writ.base, "home"), os.path.join(writ.base, "none")):
            holds(error_of(writ, argv=["true"], write=[path]) is not None, path)
        equal(error_of(writ, argv=["true"], write=[writ.project]), None)


@case("terminal: what pages there is code, which the project names")
def _():
    policy = "version: 1\nsandbox: readonly\nrules: [{allow: {effect: read}}, {ask: {effect: code}}]\n"
    with Client(policy=policy) as writ:
        equal(error_of(writ, argv=["git", "branch"], pty=True)["code"], "approval_required")
        equal(error_of(writ, argv=["git", "--no-pager", "branch"], pty=True), None)
        equal(error_of(writ, argv=["git", "branch"]), None)


# ---- S8: a module goes by the id that is called ----

def put_wc(writ, *names, more=""):
    """The module my.wc, which counts the bytes of a file."""
    with open(os.path.join(place(writ, *names), "my.wc.binding.yaml"), "w", encoding="utf-8") as file:
        file.write('spec_version: "1.0"\nbindings:\n- module_id: my.wc\n  target: exec:///usr/bin/wc -c /etc/hostname\n'
                   "  description: my.wc for a test\n" + more)


def call_both(writ):
    """The codes of the errors of my.wc, by module_call and as a tool."""
    results = (writ.call("module_call", id="my.wc"), writ.call("my_wc"))
    return [result.get("structuredContent", {}).get("error", {}).get("code") for result in results]


@case("module: a rule and a list of tools mean the id that is called")
def _():
    tools = "agents: {a: {tools: [my.wc]}, b: {tools: [my.cat]}}\n"
    allows = "version: 1\nsandbox: none\nrules: [{allow: {}}]\n"
    for policy, agent, want in (
            ("version: 1\nsandbox: none\nrules: [{allow: {}}, {deny: {module: my.wc}}]\n", None, "denied"),
            ("version: 1\nsandbox: none\ndefault: deny\nrules: [{allow: {module: my.wc}}]\n", None, None),
            (allows + tools, "a", None), (allows + tools, "b", "denied")):
        with Client(*(["--agent", agent] if agent else []), "--expose", "all", policy=policy) as writ:
            put_wc(writ, "config", "modules")
            equal(call_both(writ), [want, want], policy)


@case("module: the project's own gets nothing by its id")
def _():
    with Client("--expose", "all", policy="version: 1\nsandbox: none\ndefault: deny\nrules: [{allow: {module: my.wc}}]\n") as writ:
        put_wc(writ, "project", ".writ", "modules")
        equal(call_both(writ), ["denied", "denied"])


@case("module: one that wants approval is a question")
def _():
    wish = "  annotations: {readonly: true, requires_approval: true}\n"
    rules = "version: 1\nsandbox: none\nrules: [{allow: {effect: read}}%s]\n"
    for policy, want in ((rules % "", "approval_required"), (rules % ", {allow: {module: my.wc}}", None),
                         (rules % ", {allow: {program: wc}}", "approval_required")):
        with Client("--expose", "all", policy=policy.replace("none", "readonly")) as writ:
            put_wc(writ, "config", "modules", more=wish)
            equal(call_both(writ), [want, want], policy)


run()
