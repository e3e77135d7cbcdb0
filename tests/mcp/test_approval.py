#!/usr/bin/env python3
# A person is asked: by a form of the client, in both eras, and in the queue; who
# answers first counts, and nothing that the model says is an answer.
import json
import os
import re

from cases import case, equal, fails, holds, is_in, run
from client import STATELESS, Client, RpcError, is_sanitized, text_of, wait_until

FORMS = {"elicitation": {}}
HANDSHAKES = ["2025-06-18", "2025-11-25"]
# A policy that asks about files which often hold passwords.
POLICY = """version: 1
include: [developer]
rules:
  - ask: { read: ["**/.env"] }
    because: it often holds passwords
"""
ASKED = ["cat", ".env"]


def client(*options, **named):
    """A client under a policy that asks, with a file that it asks about. Its forms may be answered at once."""
    named.setdefault("policy", POLICY)
    named["env"] = {"WRIT_FORM_TIME": "0", **named.get("env", {})}
    writ = Client(*options, **named)
    with open(os.path.join(writ.project, ".env"), "w", encoding="utf-8") as file:
        file.write("KEY=opened\n")
    return writ


def saying(answer, seen=None):
    def handler(params):
        if seen is not None:
            seen.append(params)
        return answer
    return {"elicitation/create": handler}


def accept(decision, **more):
    return {"action": "accept", "content": {"decision": decision, **more}}


def code_of(result):
    return result["structuredContent"]["error"]["code"]


def error_of(result):
    equal(result.get("isError"), True)
    return result["structuredContent"]["error"]


def questions(writ):
    done = writ.writ("approvals", "list", "--all", "--json")
    return json.loads(done.stdout) if done.stdout.strip() else []


def records(writ, kind):
    done = writ.writ("audit", "export")
    return [one for one in map(json.loads, done.stdout.splitlines()) if one["kind"] == kind]


# --- forms as requests


@case("a form that says yes lets it run, once")
def _():
    for version in HANDSHAKES:
        seen = []
        with client(version=version, capabilities=FORMS, handlers=saying(accept("once"), seen)) as writ:
            result = writ.call("exec", argv=ASKED)
            is_in("KEY=opened", text_of(result))
            equal(result.get("isError", False), False)
            equal(len(seen), 1)
            is_in("KEY=opened", text_of(writ.call("exec", argv=ASKED)))
            equal(len(seen), 2, "the second call is asked about again")


@case("a form that says so holds for the session")
def _():
    seen = []
    with client(capabilities=FORMS, handlers=saying(accept("session"), seen)) as writ:
        for _ in range(3):
            is_in("KEY=opened", text_of(writ.call("exec", argv=ASKED)))
        equal(len(seen), 1)
    seen.clear()
    with client(capabilities=FORMS, handlers=saying(accept("deny"), seen)) as writ:
        equal(code_of(writ.call("exec", argv=ASKED)), "approval_refused")
        equal(len(seen), 1, "another server is another session")


@case("the form shows what would run, where, and why")
def _():
    seen = []
    with client(capabilities=FORMS, handlers=saying(accept("deny"), seen)) as writ:
        writ.call("exec", argv=ASKED, env={"TOKEN": "hunter2"})
        text = seen[0]["message"]
        project = os.path.realpath(writ.project)
        is_in("\n    cat .env\n", text)
        is_in("/cat\n", text)
        is_in("directory: " + project, text)
        is_in("variables: TOKEN", text)
        holds("hunter2" not in json.dumps(seen), "a value is shown")
        is_in("does: read", text)
        is_in("sandbox: workspace", text)
        holds(re.search(r"rule: \S+/policy.yaml:\d+: ask: ", text), text)
        is_in("it often holds passwords", text)


@case("the form shows a shell's text and what it reads, line by line")
def _():
    seen = []
    with client(capabilities=FORMS, handlers=saying(accept("deny"), seen)) as writ:
        writ.call("exec", shell="cat .env |\n head", stdin="one\ntwo\x1b\n")
        is_in("\n    bash -c:\n        cat .env |\n         head\n", seen[0]["message"])
        is_in("\n    standard input, 9 bytes:\n        one\n        two\\x1b\n", seen[0]["message"])
        writ.call("exec", argv=ASKED, stdin="\0\1")
        is_in("\n    standard input, 2 bytes:\n        \\x00\\x01\n", seen[1]["message"])
        writ.call("exec", argv=ASKED, stdin="first\n" + "x" * 9000 + "\nlast")
        text = seen[2]["message"]
        is_in("\n    standard input, 9011 bytes:\n        first\n", text)
        is_in("\n    (5939 bytes are not shown)\n", text)
        is_in("\n        last\n", text)


@case("what would deceive who reads the form is written out")
def _():
    seen = []
    with client(capabilities=FORMS, handlers=saying(accept("deny"), seen)) as writ:
        writ.call("exec", argv=["cat", ".env", "a\u202eb\u200bc\x1b[2J\nmay: run"])
        text = seen[0]["message"]
        is_in(r"\u{202e}", text)
        is_in(r"\u{200b}", text)
        is_in(r"\x1b", text)
        is_in(r"\nmay", text)
        for letter in "\u202e\u200b\x1b":
            holds(letter not in text, repr(text))


@case("the form is one of its version, and its schema a flat one")
def _():
    for version in HANDSHAKES:
        seen = []
        with client(version=version, capabilities=FORMS, handlers=saying(accept("deny"), seen)) as writ:
            writ.call("exec", argv=ASKED)
        schema = seen[0]["requestedSchema"]
        equal(schema["type"], "object")
        equal(schema["required"], ["decision"])
        decision = schema["properties"]["decision"]
        names = decision.get("enum") or [one["const"] for one in decision["oneOf"]]
        equal(names, ["once", "session", "deny"])
        equal("oneOf" in decision, version == "2025-11-25")


@case("a no says why")
def _():
    answers = [
        (accept("deny"), "denied it"),
        (accept("deny", note="use the vault"), "use the vault"),
        ({"action": "decline"}, "the form was declined"),
        ({"action": "decline", "content": {"decision": "once"}}, "the form was declined"),
    ]
    for answer, words in answers:
        with client(capabilities=FORMS, handlers=saying(answer)) as writ:
            error = error_of(writ.call("exec", argv=ASKED))
            equal(error["code"], "approval_refused", repr(answer))
            is_in(words, error["message"])


def stays_open(writ, first, words):
    """The call was answered with an id; nobody is said to have answered; approved, the same call runs."""
    error = error_of(first)
    equal(error["code"], "approval_required", words)
    approval = error["details"]["approval_id"]
    equal(questions(writ)[-1]["state"], "pending", words)
    closed = records(writ, "closed")
    equal([closed[-1]["approval"], closed[-1]["by"]["via"]], [approval, "elicitation of writ-tests 1"])
    is_in(words, closed[-1]["note"])
    equal(records(writ, "answer"), [], words)
    equal(error_of(writ.call("exec", argv=ASKED))["details"]["approval_id"], approval)
    equal(writ.writ("approvals", "approve", approval).returncode, 0)
    is_in("KEY=opened", text_of(writ.call("exec", argv=ASKED)))


@case("a form that comes back without an answer leaves the question open, and is not shown again")
def _():
    answers = [
        ({"action": "cancel"}, "closed without an answer"),
        ({"action": "accept"}, "has no decision"),
        ({"action": "accept", "content": {}}, "has no decision"),
        ({"action": "accept", "content": {"decision": "ONCE"}}, "has no decision"),
        ({"action": "accept", "content": {"decision": True}}, "has no decision"),
        ({"action": "accept", "content": {"decision": ["once"]}}, "has no decision"),
        ({"action": "accept", "content": "once"}, "has no decision"),
        ({"action": "yes", "content": {"decision": "once"}}, "not an answer to the form"),
        ({"content": {"decision": "once"}}, "not an answer to the form"),
        ({}, "not an answer to the form"),
    ]
    for answer, words in answers:
        seen = []
        with client(capabilities=FORMS, handlers=saying(answer, seen)) as writ:
            stays_open(writ, writ.call("exec", argv=ASKED), words)
            equal(len(seen), 1)


@case("what comes back sooner than a person can read is nobody's answer")
def _():
    with client(env={"WRIT_FORM_TIME": None}) as writ:
        equal(writ.writ("config", "show", "form_time").stdout, "1s\n")
    for answer in (accept("once"), accept("session"), accept("deny"), {"action": "decline"}):
        with client(capabilities=FORMS, handlers=saying(answer), env={"WRIT_FORM_TIME": "1h"}) as writ:
            stays_open(writ, writ.call("exec", argv=ASKED), "sooner than a person can read")
        with modern(env={"WRIT_FORM_TIME": "1h"}) as writ:
            stays_open(writ, repeat(writ, writ.call("exec", argv=ASKED), answer), "sooner than a person can read")


@case("no form answers for more than the walls give, unless the server trusts them")
def _():
    wanted = {"argv": ["true"], "network": "host"}
    seen = []
    with client(capabilities=FORMS, handlers=saying(accept("once"), seen)) as writ:
        error = error_of(writ.call("exec", **wanted))
        equal([error["code"], seen], ["approval_required", []])
        for words in (("--scope", "shape"), ("--scope", "shape", "--rule", "allow: { program: 'true' }"),
                      ("--scope", "shape", "--rule", "allow: { effect: more }")):
            done = writ.writ("approvals", "approve", *words, error["details"]["approval_id"])
            equal(done.returncode, 1, words)
            is_in("never granted by a rule", done.stderr)
        equal(writ.writ("approvals", "approve", error["details"]["approval_id"]).returncode, 0)
        equal(writ.call("exec", **wanted).get("isError"), False)
    with modern() as writ:
        equal(error_of(writ.call("exec", **wanted))["code"], "approval_required")
    with client("--trust-forms", capabilities=FORMS, handlers=saying(accept("once"), seen)) as writ:
        equal(writ.call("exec", **wanted).get("isError"), False)
        is_in("the network 'host'", seen[0]["message"])


@case("who answered by which client is in the record")
def _():
    with client(capabilities=FORMS, handlers=saying(accept("once", note="it is fine"))) as writ:
        writ.call("exec", argv=ASKED)
        answer = records(writ, "answer")[0]
        equal(answer["approved"], True)
        equal(answer["by"]["via"], "elicitation of writ-tests 1")
        equal(answer["note"], "it is fine")
        equal(len(records(writ, "ask")), 1)
        equal(writ.writ("audit", "verify").returncode, 0)


@case("the queue has the question too, and who answers there first counts")
def _():
    with client(capabilities=FORMS, handlers=saying(None)) as writ:
        id = writ.ask_tool("exec", argv=ASKED)
        writ.until(lambda: writ.requests)
        asked = questions(writ)
        equal([one["state"] for one in asked], ["pending"])
        equal(asked[0]["asker"]["door"], "mcp")
        equal(writ.writ("approvals", "approve", asked[0]["id"]).returncode, 0)
        is_in("KEY=opened", text_of(writ.result(id)))
        gone = [one for one in writ.notifications if one["method"] == "notifications/cancelled"]
        equal([one["params"]["requestId"] for one in gone], [writ.requests[0]["id"]])
        # Late, and no answer to anything any more.
        writ.send({"jsonrpc": "2.0", "id": writ.requests[0]["id"], "result": accept("deny")})
        equal(writ.request("ping"), {})


@case("who denies in the queue is heard")
def _():
    with client(capabilities=FORMS, handlers=saying(None)) as writ:
        id = writ.ask_tool("exec", argv=ASKED)
        writ.until(lambda: writ.requests)
        writ.writ("approvals", "deny", questions(writ)[0]["id"], "--note", "not today")
        error = error_of(writ.result(id))
        equal(error["code"], "approval_refused")
        is_in("not today", error["message"])


@case("a call that is cancelled takes its question along")
def _():
    with client(capabilities=FORMS, handlers=saying(None)) as writ:
        id = writ.ask_tool("exec", argv=ASKED)
        writ.until(lambda: writ.requests)
        writ.cancel(id)
        writ.until(lambda: any(one["method"] == "notifications/cancelled" for one in writ.notifications))
        equal([one["state"] for one in questions(writ)], ["abandoned"])
        writ.send({"jsonrpc": "2.0", "id": writ.requests[0]["id"], "result": accept("once")})
        equal(writ.request("ping"), {})
        holds(writ.is_silent(), "a cancelled call is answered")


@case("a client that goes leaves no question open")
def _():
    for way in ("end_input", "signal"):
        writ = client(capabilities=FORMS, handlers=saying(None))
        base = writ.base
        writ.owns_base = False
        writ.ask_tool("exec", argv=ASKED)
        writ.until(lambda: writ.requests)
        getattr(writ, way)()
        writ.close()
        with Client(base=base) as other:
            equal([one["state"] for one in questions(other)], ["abandoned"])
            other.owns_base = True


@case("nobody answers in time: it is refused")
def _():
    with client(capabilities=FORMS, handlers=saying(None), env={"WRIT_APPROVAL_TIMEOUT": "1s"}) as writ:
        error = error_of(writ.call("exec", argv=ASKED))
        equal(error["code"], "approval_refused")
        is_in("in time", error["message"])


@case("a client that cannot show its form after all is told of the queue")
def _():
    with client(capabilities=FORMS) as writ:
        error = error_of(writ.call("exec", argv=ASKED))
        equal(error["code"], "approval_required")
        id = error["details"]["approval_id"]
        writ.writ("approvals", "approve", id)
        is_in("KEY=opened", text_of(writ.call("exec", argv=ASKED)))


@case("what does not fit into a form is asked about in the queue, whole")
def _():
    seen = []
    with client(capabilities=FORMS, handlers=saying(accept("once"), seen)) as writ:
        error = error_of(writ.call("exec", argv=["cat", ".env", "x" * 40000]))
        equal(error["code"], "approval_required")
        equal(seen, [])
        equal(len(questions(writ)[0]["request"]["argv"][2]), 40000)


@case("many calls are asked about at once, and each gets its own answer")
def _():
    def handler(params):
        return accept("once" if re.search(r"-n .env", params["message"]) else "deny")
    with client(capabilities=FORMS, handlers={"elicitation/create": handler}) as writ:
        asked = [(flag, writ.ask_tool("exec", argv=["cat", flag, ".env"])) for flag in ("-n", "-A") * 8]
        for flag, id in asked:
            result = writ.result(id)
            equal("error" in result["structuredContent"], flag == "-A", flag)


# --- no form


@case("without a form: approval_required with the id, and the same call runs once approved")
def _():
    for version, capabilities in (("2025-11-25", {}), ("2025-06-18", {}), (STATELESS, {}), ("2025-03-26", FORMS)):
        with client(version=version, capabilities=capabilities) as writ:
            first = writ.call("exec", argv=ASKED)
            equal(first["isError"], True)
            asked = questions(writ)
            equal(len(asked), 1)
            id = asked[0]["id"]
            is_in(id, text_of(first))
            if version != "2025-03-26":
                error = error_of(first)
                equal(error["code"], "approval_required")
                equal(error["details"]["approval_id"], id)
                equal(error["details"]["command"], "writ approvals approve " + id)
                equal(error["details"]["expires_at"], asked[0]["expires_at"])
            is_in(id, text_of(writ.call("exec", argv=ASKED)))
            equal(len(questions(writ)), 1, "a second question")
            equal(writ.writ("approvals", "approve", id).returncode, 0)
            is_in("KEY=opened", text_of(writ.call("exec", argv=ASKED)))
            is_in("writ approvals approve", text_of(writ.call("exec", argv=ASKED)))
            equal(len(questions(writ)), 2, "once is once")


@case("an approval is for the call that was asked about, whatever order its arguments are in")
def _():
    with client() as writ:
        id = error_of(writ.call("exec", argv=ASKED, timeout_ms=5000))["details"]["approval_id"]
        writ.writ("approvals", "approve", id)
        for arguments in ({"argv": ["cat", ".env", ".env"]}, {"argv": ASKED}, {"argv": ASKED, "timeout_ms": 6000}):
            equal(code_of(writ.call("exec", **arguments)), "approval_required", arguments)
        writ.send_line('{"jsonrpc":"2.0","id":"again","method":"tools/call","params":'
                       '{"arguments":{"timeout_ms":5000,"argv":["cat",".env"]},"name":"exec"}}')
        writ.asked.add("again")
        is_in("KEY=opened", text_of(writ.result("again")))


@case("an approval is for the call, whatever the agent says of it when it asks again")
def _():
    for first, again in (("reads it", "needs the key now"), (None, "needs the key now"), ("reads it", None)):
        with client() as writ:
            more = {} if first is None else {"description": first}
            id = error_of(writ.call("exec", argv=ASKED, **more))["details"]["approval_id"]
            more = {} if again is None else {"description": again}
            equal(error_of(writ.call("exec", argv=ASKED, **more))["details"]["approval_id"], id, "another question")
            writ.writ("approvals", "approve", id)
            is_in("KEY=opened", text_of(writ.call("exec", argv=ASKED, **more)))
            equal(code_of(writ.call("exec", argv=ASKED, **more)), "approval_required")


@case("who denies in the queue refuses the next call, and the one after is asked about anew")
def _():
    with client() as writ:
        id = error_of(writ.call("exec", argv=ASKED))["details"]["approval_id"]
        writ.writ("approvals", "deny", id)
        equal(code_of(writ.call("exec", argv=ASKED)), "approval_refused")
        error = error_of(writ.call("exec", argv=ASKED))
        equal(error["code"], "approval_required")
        holds(error["details"]["approval_id"] != id, "the old question again")


@case("a question that is over is asked anew")
def _():
    with client(env={"WRIT_APPROVAL_TIMEOUT": "1s"}) as writ:
        id = error_of(writ.call("exec", argv=ASKED))["details"]["approval_id"]
        wait_until(lambda: questions(writ)[0]["state"] == "expired", "its end")
        error = error_of(writ.call("exec", argv=ASKED))
        equal(error["code"], "approval_required")
        holds(error["details"]["approval_id"] != id, "the old question again")


@case("a session's yes in the queue holds for the session")
def _():
    with client() as writ:
        id = error_of(writ.call("exec", argv=ASKED))["details"]["approval_id"]
        writ.writ("approvals", "approve", id, "--scope", "session")
        for _ in range(3):
            is_in("KEY=opened", text_of(writ.call("exec", argv=ASKED)))


# --- forms in results


def repeat(writ, first, response, argv=None, state=None, **more):
    params = {"name": "exec", "arguments": {"argv": argv or ASKED, **more}}
    if response is not None:
        params["inputResponses"] = {"approval": response}
    if first is not None or state is not None:
        params["requestState"] = state or first["requestState"]
    return writ.request("tools/call", params)


def modern(**named):
    named.setdefault("capabilities", FORMS)
    return client(version=STATELESS, **named)


@case("2026-07-28: the call asks for input, and runs when it comes back with a yes")
def _():
    with modern() as writ:
        first = writ.call("exec", argv=ASKED)
        equal(first["resultType"], "input_required")
        asked = first["inputRequests"]["approval"]
        equal(asked["method"], "elicitation/create")
        is_in("\n    cat .env\n", asked["params"]["message"])
        is_in("oneOf", asked["params"]["requestedSchema"]["properties"]["decision"])
        holds(re.fullmatch(r"[A-Za-z0-9_-]{140}", first["requestState"]), first["requestState"])
        result = repeat(writ, first, accept("once"))
        equal(result["resultType"], "complete")
        is_in("KEY=opened", text_of(result))
        equal(writ.requests, [])


@case("2026-07-28: a no says why, and a form without an answer leaves the question open")
def _():
    for answer, words in (({"action": "cancel"}, "closed without"), ({"action": "accept"}, "no decision"),
                          ({}, "not an answer")):
        with modern() as writ:
            stays_open(writ, repeat(writ, writ.call("exec", argv=ASKED), answer), words)
    with modern() as writ:
        for answer, words in ((accept("deny", note="no no"), "no no"), ({"action": "decline"}, "declined")):
            first = writ.call("exec", argv=ASKED)
            error = error_of(repeat(writ, first, answer))
            equal(error["code"], "approval_refused", repr(answer))
            is_in(words, error["message"])


@case("2026-07-28: a state is used once")
def _():
    with modern() as writ:
        first = writ.call("exec", argv=ASKED)
        is_in("KEY=opened", text_of(repeat(writ, first, accept("once"))))
        equal(fails(RpcError, repeat, writ, first, accept("once")).code, -32602)
        first = writ.call("exec", argv=ASKED)
        equal(code_of(repeat(writ, first, accept("deny"))), "approval_refused")
        equal(fails(RpcError, repeat, writ, first, accept("once")).code, -32602)


@case("2026-07-28: a state is for its call")
def _():
    with modern() as writ:
        first = writ.call("exec", argv=ASKED)
        for argv in (["cat", ".env", "."], ["cat", "x"], ["true"]):
            equal(fails(RpcError, repeat, writ, first, accept("once"), argv=argv).code, -32602, argv)
        equal(fails(RpcError, repeat, writ, first, accept("once"), timeout_ms=9).code, -32602)
        is_in("KEY=opened", text_of(repeat(writ, first, accept("once"))))


@case("2026-07-28: a state that was changed is none")
def _():
    with modern() as writ:
        first = writ.call("exec", argv=ASKED)
        state = first["requestState"]
        forged = [state[:i] + ("A" if state[i] != "A" else "B") + state[i + 1:] for i in range(0, len(state), 7)]
        forged += ["", "x", state[:-4], state + "AAAA", state + "=", state.lower(), "A" * 140, "\u0000" * 140,
                   state.replace("-", "+").replace("_", "/") + "=="]
        for one in forged:
            if one == state:
                continue
            params = {"name": "exec", "arguments": {"argv": ASKED}, "requestState": one,
                      "inputResponses": {"approval": accept("once")}}
            equal(fails(RpcError, writ.request, "tools/call", params).code, -32602, one)
        for one in (1, True, None, [], {}):
            params = {"name": "exec", "arguments": {"argv": ASKED}, "requestState": one,
                      "inputResponses": {"approval": accept("once")}}
            equal(fails(RpcError, writ.request, "tools/call", params).code, -32602, repr(one))
        is_in("KEY=opened", text_of(repeat(writ, first, accept("once"))))


@case("2026-07-28: a state of another server is none")
def _():
    with modern() as one, modern() as other:
        first = one.call("exec", argv=ASKED)
        other.call("exec", argv=ASKED)
        equal(fails(RpcError, repeat, other, first, accept("once")).code, -32602)


@case("2026-07-28: an answer without a state is none: it is asked again")
def _():
    with modern() as writ:
        for _ in range(2):
            result = repeat(writ, None, accept("once"))
            equal(result["resultType"], "input_required")
        equal([one["state"] for one in questions(writ)], ["pending", "pending"])


@case("2026-07-28: a state without its answer is asked again, about the same")
def _():
    with modern() as writ:
        first = writ.call("exec", argv=ASKED)
        second = repeat(writ, first, None)
        equal(second["resultType"], "input_required")
        equal(len(questions(writ)), 1)
        holds(second["requestState"] != first["requestState"], "the same state")
        equal(fails(RpcError, repeat, writ, first, accept("once")).code, -32602)
        params = {"name": "exec", "arguments": {"argv": ASKED}, "requestState": second["requestState"],
                  "inputResponses": {"other": accept("once"), "approval": "yes"}}
        third = writ.request("tools/call", params)
        equal(third["resultType"], "input_required")
        is_in("KEY=opened", text_of(repeat(writ, third, accept("once"))))


@case("2026-07-28: what the queue says first counts")
def _():
    with modern() as writ:
        first = writ.call("exec", argv=ASKED)
        writ.writ("approvals", "deny", questions(writ)[0]["id"])
        equal(code_of(repeat(writ, first, accept("once"))), "approval_refused")
        first = writ.call("exec", argv=ASKED)
        pending = [one for one in questions(writ) if one["state"] == "pending"]
        writ.writ("approvals", "approve", pending[0]["id"])
        is_in("KEY=opened", text_of(writ.call("exec", argv=ASKED)))


@case("2026-07-28: the same call twice at once is two questions")
def _():
    with modern() as writ:
        both = [writ.call("exec", argv=ASKED), writ.call("exec", argv=ASKED)]
        for one in both:
            is_in("KEY=opened", text_of(repeat(writ, one, accept("once"))))


@case("2026-07-28: only a request that says it has forms gets one")
def _():
    with modern() as writ:
        equal(writ.call("exec", argv=ASKED)["resultType"], "input_required")
        writ.capabilities = {}
        equal(code_of(writ.call("exec", argv=ASKED)), "approval_required")


@case("2026-07-28: a state that is over is none")
def _():
    with modern(env={"WRIT_APPROVAL_TIMEOUT": "1s"}) as writ:
        first = writ.call("exec", argv=ASKED)
        wait_until(lambda: questions(writ)[0]["state"] == "expired", "its end")
        equal(fails(RpcError, repeat, writ, first, accept("once")).code, -32602)


@case("versions with a handshake know no state: it says nothing there")
def _():
    with client() as writ:
        result = repeat(writ, None, accept("once"), state="A" * 140)
        equal(code_of(result), "approval_required")


# --- an agent that would like to say yes itself


@case("the agent cannot approve by a run of writ")
def _():
    writ_file = os.environ["WRIT"]
    with client() as writ:
        id = error_of(writ.call("exec", argv=ASKED))["details"]["approval_id"]
        for arguments in ({"argv": [writ_file, "approvals", "approve", id]},
                          {"shell": f"'{writ_file}' approvals approve {id}"},
                          {"argv": ["env", "-u", "WRIT_STATE_DIR", writ_file, "approvals", "approve", id]},
                          {"argv": ["sh", "-c", f"'{writ_file}' approvals approve {id}"],
                           "env": {"WRIT_STATE_DIR": writ.env["WRIT_STATE_DIR"]}}):
            result = writ.call("exec", **arguments)
            equal(result["isError"], True, arguments)
        state = [one for one in questions(writ) if one["id"] == id]
        equal([one["state"] for one in state], ["pending"])
        equal(code_of(writ.call("exec", argv=ASKED)), "approval_required")


@case("the agent cannot write the answer into the queue")
def _():
    with client() as writ:
        id = error_of(writ.call("exec", argv=ASKED))["details"]["approval_id"]
        queue = os.path.join(writ.env["WRIT_STATE_DIR"], "approvals")
        answer = os.path.join(queue, id + ".answer")
        for arguments in ({"argv": ["touch", answer]}, {"argv": ["ls", queue]},
                          {"shell": f"echo '{{}}' > {answer}"},
                          {"argv": ["python3", "-c", f"open({answer!r}, 'w').write('{{}}')"]}):
            equal(writ.call("exec", **arguments)["isError"], True, arguments)
        equal(os.path.exists(answer), False)
        equal([one["state"] for one in questions(writ) if one["id"] == id], ["pending"])


@case("a command cannot answer the form: it has none of the server's descriptors")
def _():
    reply = json.dumps({"jsonrpc": "2.0", "id": 1, "result": accept("once")})
    script = ("import os\nfor fd in range(1024):\n try:\n  os.write(fd, (%r + chr(10)).encode())\n"
              " except OSError: pass\n" % reply)
    with client(capabilities=FORMS, handlers=saying(None)) as writ:
        id = writ.ask_tool("exec", argv=ASKED)
        writ.until(lambda: writ.requests)
        writ.call("exec", argv=["python3", "-c", script])
        equal([one["state"] for one in questions(writ)], ["pending"])
        writ.cancel(id)


@case("no argument of a call approves")
def _():
    with client() as writ:
        for more in ({"confirm": True}, {"approval": "x"}, {"approved": True}, {"approve": "once"}):
            result = writ.request("tools/call", {"name": "exec", "arguments": {"argv": ASKED, **more}})
            equal(result["isError"], True, more)
            holds("KEY=opened" not in text_of(result), more)
        params = {"name": "exec", "arguments": {"argv": ASKED}, "approval": "once", "confirm": True}
        equal(code_of(writ.request("tools/call", params)), "approval_required")


@case("an approval of another request is of no use")
def _():
    with client() as writ:
        id = error_of(writ.call("exec", argv=ASKED))["details"]["approval_id"]
        writ.writ("approvals", "approve", id)
        result = writ.call("exec", argv=["cat", ".env", "/etc/hostname"], env={"WRIT_APPROVAL": id})
        equal(code_of(result), "approval_required")


@case("without walls what has to be asked about is refused")
def _():
    with client(capabilities=FORMS, handlers=saying(accept("once"))) as writ:
        error = error_of(writ.call("exec", argv=ASKED, sandbox="none"))
        equal(error["code"], "denied")
        equal(writ.requests, [])


@case("who waits for a person is told so, if it wants to know")
def _():
    with client(capabilities=FORMS, handlers=saying(None)) as writ:
        id = writ.ask_tool("exec", _meta={"progressToken": "t"}, argv=ASKED)
        writ.until(lambda: len(writ.notifications) >= 2)
        heard = [one["params"] for one in writ.notifications if one["method"] == "notifications/progress"]
        equal([one["progressToken"] for one in heard[:2]], ["t", "t"])
        holds(heard[0]["progress"] < heard[1]["progress"], heard)
        is_in("person", heard[0]["message"])
        writ.send({"jsonrpc": "2.0", "id": writ.requests[0]["id"], "result": accept("once")})
        is_in("KEY=opened", text_of(writ.result(id)))


@case("other calls are answered while a person thinks")
def _():
    with client(capabilities=FORMS, handlers=saying(None)) as writ:
        id = writ.ask_tool("exec", argv=ASKED)
        writ.until(lambda: writ.requests)
        is_in("hello", text_of(writ.call("exec", argv=["echo", "hello"])))
        equal(writ.request("ping"), {})
        writ.send({"jsonrpc": "2.0", "id": writ.requests[0]["id"], "result": accept("once")})
        is_in("KEY=opened", text_of(writ.result(id)))


@case("calls that wait for a person hold a bounded memory, and more are refused with words")
def _():
    with client(version=HANDSHAKES[1], capabilities=FORMS, handlers=saying(None)) as writ:
        size = 12 << 20
        before = writ.memory()
        ids = [writ.ask_tool("exec", argv=ASKED, stdin="x" * size) for _ in range(7)]
        writ.until(lambda: len(writ.requests) + len(writ.answers) == len(ids))
        # 64 MiB of messages may wait; the rest was told so.
        equal(len(writ.requests), 5)
        refused = [id for id in ids if id in writ.answers]
        equal(len(refused), 2)
        for id in refused:
            is_in("too many calls wait for an answer", str(fails(RpcError, writ.result, id)))
        if not is_sanitized():
            # Of each there is what was read and what would run, and no text besides.
            holds(writ.memory() - before < 5 * size * 5 // 2 // 1024, f"{writ.memory() - before} KiB")
        # What is small gets through, and one that is let go makes room.
        equal(writ.request("ping"), {})
        writ.cancel(ids[0])
        again = writ.ask_tool("exec", argv=ASKED, stdin="x" * size)
        writ.until(lambda: len(writ.requests) == 6)
        holds(again not in writ.answers, writ.answers)


@case("no more than 64 calls wait for a person")
def _():
    with client(version=HANDSHAKES[1], capabilities=FORMS, handlers=saying(None)) as writ:
        ids = [writ.ask_tool("exec", argv=ASKED + [str(i)]) for i in range(65)]
        result = writ.result(ids[-1])
        is_in("too many calls wait for an answer: a person is asked about 64 already", error_of(result)["message"])
        equal(len(writ.requests), 64)


run()
