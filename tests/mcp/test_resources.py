#!/usr/bin/env python3
# What a client can read besides its answers, and what it is told when that
# changes.
import base64
import json
import os
import signal
import time

from cases import case, equal, fails, holds, is_in, run
from client import META, STATELESS, Client, RpcError

VERSIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", STATELESS]
MODULE = """spec_version: "1.0"
bindings:
- module_id: mine.%s
  target: exec://echo %s
  description: Says a word
  input_schema: {type: object, properties: {}}
"""


def read(writ, uri):
    contents = writ.request("resources/read", {"uri": uri})["contents"]
    equal(len(contents), 1)
    equal(contents[0]["uri"], uri)
    return contents[0]


def read_json(writ, uri):
    content = read(writ, uri)
    equal(content["mimeType"], "application/json")
    return json.loads(content["text"])


def ran(writ, *argv, **more):
    return writ.call("exec", argv=list(argv), **more)["structuredContent"]["run_id"]


def updates(writ, uri):
    return [one for one in writ.notifications
            if one["method"] == "notifications/resources/updated" and one["params"]["uri"] == uri]


def changes(writ):
    return [one for one in writ.notifications if one["method"] == "notifications/tools/list_changed"]


def put(path, text):
    """As editors do."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path + ".new", "w", encoding="utf-8") as file:
        file.write(text)
    os.rename(path + ".new", path)


def settle(writ, seconds):
    """Until nothing has come for that long."""
    while not writ.is_silent(seconds):
        pass


# --- lists


@case("resources and templates are listed in every version")
def _():
    for version in VERSIONS:
        with Client(version=version) as writ:
            listed = writ.request("resources/list")
            equal([one["uri"] for one in listed["resources"]],
                  ["writ://runs", "writ://audit/tail", "writ://policy/effective"])
            for one in listed["resources"]:
                holds(one["name"] and one["mimeType"] and one["description"], one)
            found = writ.request("resources/templates/list")
            equal([one["uriTemplate"] for one in found["resourceTemplates"]],
                  ["writ://run/{id}/stdout{?offset,length}", "writ://run/{id}/stderr{?offset,length}",
                   "writ://run/{id}/meta"])
            equal("ttlMs" in listed and "cacheScope" in found, version == STATELESS)
            equal(fails(RpcError, writ.request, "resources/list", {"cursor": "x"}).code, -32602)


@case("who only lists resources has touched nothing")
def _():
    with Client() as writ:
        writ.request("resources/list")
        writ.request("resources/templates/list")
        equal(sorted(os.listdir(writ.base)), ["home", "project"])


@case("the newest fifty runs are listed, and every one can be read")
def _():
    with Client() as writ:
        ids = [ran(writ, "echo", str(number)) for number in range(55)]
        listed = [one["uri"] for one in writ.request("resources/list")["resources"]]
        is_in(f"writ://run/{ids[-1]}/stdout", listed)
        is_in(f"writ://run/{ids[5]}/meta", listed)
        holds(f"writ://run/{ids[4]}/meta" not in listed, "more than fifty")
        equal(read(writ, f"writ://run/{ids[0]}/stdout")["text"], "0\n")
        equal([one["run_id"] for one in read_json(writ, "writ://runs")["runs"]], ids[::-1])


# --- reading


@case("what a run wrote is text, or a blob where it is none")
def _():
    for version in VERSIONS:
        with Client(version=version) as writ:
            id = writ.call("exec", argv=["sh", "-c", "echo out; printf '\\377\\376' >&2"])
            id = writ.request("resources/list")["resources"][3]["uri"].split("/")[3]
            out = read(writ, f"writ://run/{id}/stdout")
            equal((out["text"], out["mimeType"]), ("out\n", "text/plain"))
            error = read(writ, f"writ://run/{id}/stderr")
            equal(base64.b64decode(error["blob"]), b"\377\376")
            equal(error["mimeType"], "application/octet-stream")
            meta = read_json(writ, f"writ://run/{id}/meta")
            equal((meta["run_id"], meta["outcome"], meta["exit_code"]), (id, "exited", 0))


@case("long output is read in parts, and none of it is lost")
def _():
    with Client() as writ:
        id = ran(writ, "sh", "-c", "for i in 1 2 3 4 5 6 7 8; do head -c 60000 /dev/zero | tr '\\0' $i; done")
        whole, offset, parts = "", 0, 0
        while True:
            part = read(writ, f"writ://run/{id}/stdout?offset={offset}")
            whole += part["text"]
            parts += 1
            offset = part["_meta"]["next_offset"]
            equal(part["_meta"]["bytes"], 480000)
            if part["_meta"]["end"]:
                break
        equal(whole, "".join(str(number) * 60000 for number in range(1, 9)))
        equal(parts, 8)
        part = read(writ, f"writ://run/{id}/stdout?length=7&offset=59997")
        equal(part["text"], "1112222")
        equal(read(writ, f"writ://run/{id}/stdout?offset=480000")["text"], "")
        equal(read(writ, f"writ://run/{id}/stdout?offset=999999999")["text"], "")


@case("parts end between characters")
def _():
    with Client() as writ:
        id = ran(writ, "printf", "\u20ac" * 10)
        first = read(writ, f"writ://run/{id}/stdout?length=4")
        equal((first["text"], first["_meta"]["next_offset"]), ("\u20ac", 3))
        equal(read(writ, f"writ://run/{id}/stdout?offset=3")["text"], "\u20ac" * 9)
        is_in("blob", read(writ, f"writ://run/{id}/stdout?offset=4"))


@case("a run that goes on is read as far as it is")
def _():
    with Client() as writ:
        id = ran(writ, "sh", "-c", "echo begun; sleep 60", yield_ms=300)
        part = read(writ, f"writ://run/{id}/stdout")
        equal((part["text"], part["_meta"]["end"]), ("begun\n", False))
        equal(read_json(writ, f"writ://run/{id}/meta")["outcome"], "running")


@case("what is not there is the error of the version, with its uri")
def _():
    for version in VERSIONS:
        with Client(version=version) as writ:
            id = "0" * 26
            for uri in ("writ://nothing", "", "file:///etc/passwd", f"writ://run/{id}/stdout", "writ://run//stdout",
                        "writ://runs/", "WRIT://runs", "writ://run/../runs", "writ://policy/effective?offset=0",
                        "writ://runs\u0000", "x" * 100000):
                error = fails(RpcError, writ.request, "resources/read", {"uri": uri})
                equal(error.code, -32602 if version == STATELESS else -32002, uri[:40])
                equal((error.data or {"uri": uri})["uri"], uri)
            for params in ({}, {"uri": 1}, {"uri": None}, {"uri": ["writ://runs"]}):
                equal(fails(RpcError, writ.request, "resources/read", params).code, -32602)


@case("a name has one spelling")
def _():
    with Client() as writ:
        id = ran(writ, "echo", "x")
        for rest in ("stdout?", "stdout?offset=", "stdout?offset=-1", "stdout?offset=1&offset=1", "stdout?length=0",
                     "stdout?offset=1&", "stdout?a=1", "stdout?offset=0x1", "stdout?offset=99999999999999999999",
                     "stdout#x", "stdout/", "meta?offset=1", "stdin", "%73tdout", "stdout?offset=1;length=1"):
            equal(fails(RpcError, writ.request, "resources/read", {"uri": f"writ://run/{id}/{rest}"}).code, -32002,
                  rest)
        equal(fails(RpcError, writ.request, "resources/read", {"uri": f"writ://run/{id.lower()}/meta"}).code, -32002)


@case("a client sees its own runs and records, and nobody else's")
def _():
    with Client() as one, Client(base=one.base) as other:
        id = ran(one, "echo", "mine")
        ran(other, "echo", "theirs")
        equal(fails(RpcError, other.request, "resources/read", {"uri": f"writ://run/{id}/stdout"}).code, -32002)
        text = read(one, "writ://audit/tail")["text"]
        is_in("mine", text)
        holds("theirs" not in text, text)


@case("the records of its runs are those of the trail")
def _():
    with Client(policy="developer") as writ:
        id = ran(writ, "echo", "hello")
        writ.call("exec", argv=["sudo", "ls"])
        tail = read_json(writ, "writ://audit/tail")
        equal([(one["kind"], one.get("run") == id) for one in tail],
              [("begin", True), ("end", True), ("refused", False)])
        lines = [json.loads(line) for line in writ.writ("audit", "export").stdout.splitlines()]
        for one in tail:
            is_in(one, lines)
        for _ in range(60):
            ran(writ, "echo", "hello")
        tail = read_json(writ, "writ://audit/tail")
        equal(len(tail), 100)
        equal([one["seq"] for one in tail], sorted(one["seq"] for one in tail))


@case("the policies in force can be read")
def _():
    with Client(policy="developer") as writ:
        shown = read_json(writ, "writ://policy/effective")
        equal([one["file"] for one in shown["policies"]], ["preset:developer"])


# --- subscriptions


@case("who subscribes to a run hears of it while it goes on, and of its end")
def _():
    with Client() as writ:
        id = ran(writ, "sh", "-c", "i=0; while [ $i -lt 24 ]; do echo $i; i=$((i+1)); sleep 0.1; done", yield_ms=100)
        uri = f"writ://run/{id}/stdout"
        equal(writ.request("resources/subscribe", {"uri": uri}), {})
        begun = time.monotonic()
        while read_json(writ, f"writ://run/{id}/meta")["outcome"] == "running":
            writ.is_silent(0.1)
        settle(writ, 0.3)
        heard = len(updates(writ, uri))
        holds(2 <= heard <= time.monotonic() - begun + 2, heard)
        equal(read(writ, uri)["text"].split()[-1], "23")


@case("the end of a run is told at once, and nothing after it")
def _():
    with Client() as writ:
        id = ran(writ, "cat", stdin_open=True, yield_ms=100)
        uri = f"writ://run/{id}/meta"
        writ.request("resources/subscribe", {"uri": uri})
        writ.request("resources/subscribe", {"uri": uri})
        begun = time.monotonic()
        writ.call("run_kill", run_id=id)
        writ.until(lambda: updates(writ, uri))
        holds(time.monotonic() - begun < 0.9, time.monotonic() - begun)
        settle(writ, 1.2)
        equal(len(updates(writ, uri)), 1)


@case("who unsubscribes hears no more")
def _():
    with Client() as writ:
        writ.request("resources/subscribe", {"uri": "writ://runs"})
        equal(writ.request("resources/unsubscribe", {"uri": "writ://runs"}), {})
        equal(writ.request("resources/unsubscribe", {"uri": "writ://runs"}), {})
        ran(writ, "true")
        settle(writ, 1.2)
        equal(updates(writ, "writ://runs"), [])
        for method in ("resources/subscribe", "resources/unsubscribe"):
            equal(fails(RpcError, writ.request, method, {"uri": 5}).code, -32602)
        equal(fails(RpcError, writ.request, "resources/subscribe", {"uri": "writ://x"}).code, -32002)


@case("the list of runs, the records and the policies can be subscribed to")
def _():
    with Client(policy=None, env={"WRIT_POLICY": None}) as writ:
        for uri in ("writ://runs", "writ://audit/tail", "writ://policy/effective"):
            writ.request("resources/subscribe", {"uri": uri})
        ran(writ, "true")
        writ.until(lambda: updates(writ, "writ://runs") and updates(writ, "writ://audit/tail"))
        equal(updates(writ, "writ://policy/effective"), [])
        put(os.path.join(writ.project, ".writ", "policy.yaml"), "version: 1\nrules:\n  - deny: ls\n")
        writ.until(lambda: updates(writ, "writ://policy/effective"))


@case("there is a bound to subscriptions, and the next request works")
def _():
    with Client() as writ:
        id = ran(writ, "true")
        asked = [writ.ask("resources/subscribe", {"uri": f"writ://run/{id}/stdout?offset={number}"})
                 for number in range(1001)]
        answers = [writ.answer(one) for one in asked]
        holds(all("result" in one for one in answers[:1000]), "within the bound")
        is_in("error", answers[1000])
        equal(writ.request("ping"), {})


# --- what changes


@case("a module that comes and goes changes the tools, and clients hear of it once")
def _():
    with Client() as writ:
        file = os.path.join(writ.base, "config", "modules", "a.binding.yaml")
        before = [one["name"] for one in writ.request("tools/list")["tools"]]
        for number in range(3):
            put(file, MODULE % (f"word{number}", "x"))
            writ.until(lambda: len(changes(writ)) == number + 1)
            names = [one["name"] for one in writ.request("tools/list")["tools"]]
            equal(sorted(set(names) - set(before)), [f"mine_word{number}"])
        os.unlink(file)
        writ.until(lambda: len(changes(writ)) == 4)
        equal([one["name"] for one in writ.request("tools/list")["tools"]], before)
        settle(writ, 0.4)
        equal(len(changes(writ)), 4)


@case("many writes at once are one change")
def _():
    with Client() as writ:
        writ.request("tools/list")
        for number in range(20):
            put(os.path.join(writ.base, "config", "modules", f"m{number}.binding.yaml"), MODULE % (f"w{number}", "x"))
        writ.until(lambda: changes(writ))
        settle(writ, 0.5)
        holds(len(changes(writ)) <= 2, changes(writ))
        holds("mine_w19" in [one["name"] for one in writ.request("tools/list")["tools"]], "the last")


@case("a change that changes no tool is not told")
def _():
    with Client() as writ:
        writ.request("tools/list")
        put(os.path.join(writ.base, "config", "modules", "empty.binding.yaml"), "bindings: []\n")
        put(os.path.join(writ.project, "notes.txt"), "x")
        settle(writ, 0.6)
        equal(changes(writ), [])


@case("before the tools were listed nothing is told")
def _():
    with Client() as writ:
        put(os.path.join(writ.base, "config", "modules", "a.binding.yaml"), MODULE % ("word", "x"))
        settle(writ, 0.4)
        equal(changes(writ), [])
        is_in("mine_word", [one["name"] for one in writ.request("tools/list")["tools"]])


# --- 2026-07-28


def listen(writ, **wanted):
    id = writ.ask("subscriptions/listen", {"notifications": wanted})
    writ.until(lambda: any(one["method"] == "notifications/subscriptions/acknowledged" and
                           one["params"]["_meta"][META + "subscriptionId"] == id for one in writ.notifications))
    return id, next(one["params"]["notifications"] for one in writ.notifications
                    if one["method"] == "notifications/subscriptions/acknowledged" and
                    one["params"]["_meta"][META + "subscriptionId"] == id)


@case("who listens is told first what there will be, and then only that, with the id")
def _():
    with Client(version=STATELESS) as writ:
        run_id = ran(writ, "cat", stdin_open=True, yield_ms=100)
        uri = f"writ://run/{run_id}/meta"
        id, accepted = listen(writ, toolsListChanged=True, promptsListChanged=True, resourcesListChanged=True,
                              resourceSubscriptions=[uri, "writ://nothing", 5], other=True)
        equal(accepted, {"toolsListChanged": True, "resourceSubscriptions": [uri]})
        writ.request("tools/list")
        put(os.path.join(writ.base, "config", "modules", "a.binding.yaml"), MODULE % ("word", "x"))
        writ.until(lambda: changes(writ))
        writ.call("run_kill", run_id=run_id)
        writ.until(lambda: updates(writ, uri))
        for one in changes(writ) + updates(writ, uri):
            equal(one["params"]["_meta"], {META + "subscriptionId": id})
        equal((len(changes(writ)), len(updates(writ, uri))), (1, 1))


@case("who listens for one thing hears nothing else")
def _():
    with Client(version=STATELESS) as writ:
        _, accepted = listen(writ, resourceSubscriptions=["writ://runs"])
        equal(accepted, {"resourceSubscriptions": ["writ://runs"]})
        writ.request("tools/list")
        put(os.path.join(writ.base, "config", "modules", "a.binding.yaml"), MODULE % ("word", "x"))
        ran(writ, "true")
        writ.until(lambda: updates(writ, "writ://runs"))
        settle(writ, 0.4)
        equal(changes(writ), [])


@case("without a handshake, who does not listen hears nothing")
def _():
    with Client(version=STATELESS) as writ:
        writ.request("tools/list")
        put(os.path.join(writ.base, "config", "modules", "a.binding.yaml"), MODULE % ("word", "x"))
        settle(writ, 0.5)
        equal(writ.notifications, [])
        is_in("mine_word", [one["name"] for one in writ.request("tools/list")["tools"]])


@case("two listen at once, each under its own id; one that is cancelled hears no more")
def _():
    with Client(version=STATELESS) as writ:
        first, _ = listen(writ, resourceSubscriptions=["writ://runs"])
        writ.send_line('{"jsonrpc":"2.0","id":"second","method":"subscriptions/listen","params":{"_meta":' + json.dumps(
            writ.params({})["_meta"]) + ',"notifications":{"resourceSubscriptions":["writ://runs"]}}}')
        ran(writ, "true")
        writ.until(lambda: {one["params"]["_meta"][META + "subscriptionId"] for one in updates(writ, "writ://runs")}
                   == {first, "second"})
        writ.cancel(first)
        settle(writ, 1.1)
        writ.notifications.clear()
        ran(writ, "true")
        writ.until(lambda: updates(writ, "writ://runs"))
        equal({one["params"]["_meta"][META + "subscriptionId"] for one in updates(writ, "writ://runs")}, {"second"})


@case("what cannot be listened to is -32602")
def _():
    with Client(version=STATELESS) as writ:
        for params in ({}, {"notifications": []}, {"notifications": {"resourceSubscriptions": "writ://runs"}}):
            equal(fails(RpcError, writ.request, "subscriptions/listen", params).code, -32602)
        _, accepted = listen(writ)
        equal(accepted, {})


@case("a server that is ended says that listening is over")
def _():
    writ = Client(version=STATELESS)
    id, _ = listen(writ, toolsListChanged=True)
    writ.signal(signal.SIGTERM)
    equal(writ.result(id)["resultType"], "complete")
    writ.close()


run()
