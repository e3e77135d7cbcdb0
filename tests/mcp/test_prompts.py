#!/usr/bin/env python3
# Prompts and completion.
from cases import case, equal, fails, holds, is_in, run
from client import STATELESS, Client, RpcError

VERSIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", STATELESS]
PROMPTS = ["explain_denial", "summarise_run", "use_module"]


def get(writ, name, **arguments):
    found = writ.request("prompts/get", {"name": name, "arguments": arguments})
    equal([one["role"] for one in found["messages"]], ["user"])
    equal(found["messages"][0]["content"]["type"], "text")
    return found["messages"][0]["content"]["text"]


def complete(writ, ref, name, value):
    return writ.request("completion/complete", {"ref": ref, "argument": {"name": name, "value": value}})["completion"]


def prompt(name):
    return {"type": "ref/prompt", "name": name}


@case("prompts are listed in every version")
def _():
    for version in VERSIONS:
        with Client(version=version) as writ:
            listing = writ.request("prompts/list")
            equal([one["name"] for one in listing["prompts"]], PROMPTS)
            equal("ttlMs" in listing, version == STATELESS)
            equal(all("title" in one for one in listing["prompts"]), version >= "2025-06-18")
            equal(fails(RpcError, writ.request, "prompts/list", {"cursor": "x"}).code, -32602)


@case("a denial is explained by the decision itself")
def _():
    with Client(policy="developer") as writ:
        text = get(writ, "explain_denial", command="sudo 'rm' -rf /")
        is_in("sudo 'rm' -rf /", text)
        is_in('"decision":"deny"', text)
        is_in('"decision":"allow"', get(writ, "explain_denial", command="cat x"))
        for wrong in ("", "   ", "echo 'open", "a\0b"):
            equal(fails(RpcError, get, writ, "explain_denial", command=wrong).code, -32602, wrong)


@case("a run is summarised from what it brought")
def _():
    with Client() as writ:
        run_id = writ.call("exec", argv=["sh", "-c", "echo out; echo err >&2; exit 3"])["structuredContent"]["run_id"]
        text = get(writ, "summarise_run", run_id=run_id)
        for part in (run_id, "out", "err", "exit code 3"):
            is_in(part, text)
        running = writ.call("exec", argv=["sh", "-c", "echo begun; sleep 60"], yield_ms=100)["structuredContent"]["run_id"]
        is_in("begun", get(writ, "summarise_run", run_id=running))
        equal(fails(RpcError, get, writ, "summarise_run", run_id="01ARZ3NDEKTSV4RRFFQ69G5FAV").code, -32602)


@case("a module is used with its description at hand")
def _():
    with Client() as writ:
        text = get(writ, "use_module", id="cli.wc", task="count the lines of x")
        is_in('"lines"', text)
        is_in("count the lines of x", text)
        error = fails(RpcError, get, writ, "use_module", id="cli.wx")
        equal(error.code, -32602)
        is_in("cli.wc", str(error))


@case("a prompt that is not there, or is asked for wrongly, is an error")
def _():
    with Client() as writ:
        error = fails(RpcError, writ.request, "prompts/get", {"name": "sumarise_run"})
        equal(error.code, -32602)
        is_in("summarise_run", str(error))
        for params in ({}, {"name": 5}, {"name": "x" * 9000}, {"name": "use_module"},
                       {"name": "use_module", "arguments": []}, {"name": "use_module", "arguments": {"id": 5}},
                       {"name": "use_module", "arguments": {"id": "cli.wc", "more": "x"}}):
            equal(fails(RpcError, writ.request, "prompts/get", params).code, -32602, params)
        equal(writ.request("ping"), {})


@case("arguments are completed by modules, commands and runs")
def _():
    for version in ("2025-06-18", STATELESS):
        with Client(version=version) as writ:
            equal(complete(writ, prompt("use_module"), "id", "cli.wc"),
                  {"values": ["cli.wc"], "total": 1, "hasMore": False})
            many = complete(writ, prompt("use_module"), "id", "cli.")
            equal((len(many["values"]), many["hasMore"]), (100, True))
            holds(many["total"] > 500, many["total"])
            is_in("git log", complete(writ, prompt("explain_denial"), "command", "git lo")["values"])
            equal(complete(writ, prompt("use_module"), "task", "x")["values"], [])
            equal(complete(writ, prompt("summarise_run"), "run_id", "")["values"], [])
            first = writ.call("exec", argv=["true"])["structuredContent"]["run_id"]
            second = writ.call("exec", argv=["true"])["structuredContent"]["run_id"]
            equal(complete(writ, prompt("summarise_run"), "run_id", "")["values"], [second, first])
            equal(complete(writ, prompt("summarise_run"), "run_id", first)["values"], [first])
            resource = {"type": "ref/resource", "uri": "writ://run/{id}/stdout"}
            equal(complete(writ, resource, "id", second[:10])["total"] >= 1, True)


@case("what cannot be completed is an error")
def _():
    with Client() as writ:
        good = {"name": "id", "value": ""}
        for params in ({}, {"ref": prompt("use_module")}, {"argument": good}, {"ref": 5, "argument": good},
                       {"ref": prompt("none"), "argument": good}, {"ref": {"type": "ref/other"}, "argument": good},
                       {"ref": {"type": "ref/resource", "uri": "writ://none/{id}"}, "argument": good},
                       {"ref": {"type": "ref/resource"}, "argument": good},
                       {"ref": prompt("use_module"), "argument": {"name": "none", "value": ""}},
                       {"ref": prompt("use_module"), "argument": {"name": "id"}},
                       {"ref": prompt("use_module"), "argument": {"name": "id", "value": 5}}):
            equal(fails(RpcError, writ.request, "completion/complete", params).code, -32602, params)


run()
