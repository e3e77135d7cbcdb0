#!/usr/bin/env python3
# Hosts of a client's session: none at first, granted with a call, and then open
# to every later one. The hosts are in a network of the test's own.
import os
import subprocess
import sys
import tempfile

from cases import case, equal, holds, is_in, run, skip
from client import Client, wait_until

HERE = os.path.dirname(os.path.abspath(__file__))
OUTSIDE = os.path.join(HERE, "..", "cli", "outside.py")
GET = """python3 -c 'import urllib.request
try:
    print(urllib.request.urlopen("http://{0}/", timeout=20).read().decode().strip())
except OSError as e:
    print(type(getattr(e, "reason", e)).__name__)'"""


def get(writ, host, **more):
    result = writ.call("exec", argv=["sh", "-c", GET.format(host)], sandbox="workspace", network=more.pop("network", "loopback"), **more)
    holds("structuredContent" in result, str(result))
    return result["structuredContent"]


def inside():
    with Client(policy="open") as writ:
        first = get(writ, "good.example")
        holds("stdout" in first, str(first))
        equal(first["stdout"].strip(), "gaierror")
        second = get(writ, "good.example", hosts=["good.example"], network="hosts")
        equal(second["stdout"].strip(), "hello from good.example", str(second))
        equal(second["sandbox"]["network"], "hosts")
        # Hosts belong to the session.
        equal(get(writ, "good.example")["stdout"].strip(), "hello from good.example")
        equal(get(writ, "evil.example")["stdout"].strip(), "gaierror")
        third = get(writ, "evil.example", hosts=["evil.example"], network="hosts")
        equal(third["stdout"].strip(), "hello from evil.example")


def forms(answers, shown):
    def handler(params):
        shown.append(params["message"])
        answer = answers.pop(0)
        if answer is None:
            return None
        return answer if isinstance(answer, dict) else {"action": "accept", "content": {"decision": answer}}
    return {"elicitation/create": handler}


# A form that is answered at once is no person's.
QUICK = {"WRIT_FORM_TIME": "0"}


def asked(answers, shown, **more):
    return Client(*more.pop("options", ()), policy="developer", capabilities={"elicitation": {}}, handlers=forms(answers, shown),
                  env=QUICK, **more)


def inside_forms():
    shown = []
    with asked(["once", None], shown) as writ:
        call = writ.ask_tool("exec", {"progressToken": "t"}, argv=["sh", "-c", GET.format("evil.example")], sandbox="workspace",
                             network="hosts", hosts=["good.example"])
        # While the form is open, the client hears why nothing comes.
        writ.until(lambda: hears(writ, "a person is asked about evil.example:80"))
        equal(len(shown), 2)
        is_in("May this run?", shown[0])
        is_in("This is running. May it connect to evil.example:80?", shown[1])
        writ.send({"jsonrpc": "2.0", "id": writ.requests[-1]["id"],
                   "result": {"action": "accept", "content": {"decision": "once"}}})
        equal(writ.result(call)["structuredContent"]["stdout"].strip(), "hello from evil.example")
    shown = []
    with asked(["once", None], shown) as writ:
        # Somebody else answers first: the form is taken back.
        call = writ.ask_tool("exec", argv=["sh", "-c", GET.format("evil.example")], sandbox="workspace", network="hosts",
                             hosts=["good.example"])
        writ.until(lambda: len(shown) == 2)
        writ.writ("approvals", "approve", writ.writ("approvals", "list", "--ids").stdout.strip())
        equal(writ.result(call)["structuredContent"]["stdout"].strip(), "hello from evil.example")
        equal([n["params"]["requestId"] for n in writ.notifications if n["method"] == "notifications/cancelled"],
              [writ.requests[-1]["id"]])
    shown = []
    with asked(["once", None], shown) as writ:
        # A call that is cancelled takes its question with it.
        call = writ.ask_tool("exec", argv=["sh", "-c", GET.format("evil.example")], sandbox="workspace", network="hosts",
                             hosts=["good.example"])
        writ.until(lambda: len(shown) == 2)
        question = writ.writ("approvals", "list", "--ids").stdout.strip()
        writ.cancel(call)
        wait_until(lambda: '"abandoned"' in writ.writ("approvals", "show", "--json", question).stdout, "the question is withdrawn")
    shown = []
    with asked(["session", "deny"], shown) as writ:
        result = writ.call("exec", argv=["sh", "-c", GET.format("evil.example") + "; exit 3"], sandbox="workspace", network="hosts",
                           hosts=["good.example"])
        equal(result["structuredContent"]["stdout"].strip(), "ConnectionResetError", str(shown))
        is_in('hosts: ["evil.example:80"] asks for it', result["content"][0]["text"])
        equal(len(shown), 2)
    shown = []
    with asked(["session", {"action": "cancel"}], shown) as writ:
        # Nobody answers, and nobody else could: refused.
        result = get(writ, "evil.example", hosts=["good.example"], network="hosts")
        equal(result["stdout"].strip(), "ConnectionResetError", str(shown))
    shown = []
    with asked(["session", "project"], shown, options=["--trust-forms"]) as writ:
        result = get(writ, "evil.example", hosts=["good.example"], network="hosts")
        equal(result["stdout"].strip(), "hello from evil.example", str(shown))
        grants = writ.writ("approvals", "grants").stdout
        is_in('allow: { host: "evil.example", network: hosts }', grants)


def hears(writ, words):
    return any(words in n["params"].get("message", "") for n in writ.notifications if n["method"] == "notifications/progress")


def world(name):
    with tempfile.TemporaryDirectory() as place:
        done = subprocess.run([sys.executable, OUTSIDE, os.path.join(place, "world"), sys.executable, os.path.abspath(__file__), name],
                              capture_output=True, text=True)
        if done.returncode == 77:
            skip("no network of its own can be made here")
        equal(done.returncode, 0, done.stdout + done.stderr)


@case("a connection waits for the form of the client")
def _():
    world("--inside-forms")


@case("a session without hosts is granted some")
def _():
    with tempfile.TemporaryDirectory() as place:
        done = subprocess.run([sys.executable, OUTSIDE, os.path.join(place, "world"), sys.executable, os.path.abspath(__file__), "--inside"],
                              capture_output=True, text=True)
        if done.returncode == 77:
            skip("no network of its own can be made here")
        equal(done.returncode, 0, done.stdout + done.stderr)
        with open(os.path.join(place, "world", "packets")) as packets:
            is_in("203.0.113.10 tcp 80", packets.read())


if sys.argv[1:] == ["--inside"]:
    inside()
elif sys.argv[1:] == ["--inside-forms"]:
    inside_forms()
else:
    run()
