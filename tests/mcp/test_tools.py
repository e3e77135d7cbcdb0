#!/usr/bin/env python3
# The list of tools and their calls: what each version is told, pages, arguments
# that are wrong, modules as tools and by module_call, policy_check.
import base64
import json
import os
import re

from cases import case, equal, fails, holds, is_in, run
from client import STATELESS, Client, RpcError, text_of, wait_until

VERSIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", STATELESS]
CORE = ["exec", "run_read", "run_input", "run_kill", "run_list", "module_search", "module_describe", "module_call",
        "policy_check"]
PNG = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==")


def put(writ, name, text, place="config/modules"):
    folder = os.path.join(writ.base, place)
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, name + ".binding.yaml"), "w", encoding="utf-8") as file:
        file.write('spec_version: "1.0"\nbindings:\n' + text)


def names(listing):
    return [tool["name"] for tool in listing["tools"]]


def tool(writ, name):
    return next(one for one in writ.request("tools/list")["tools"] if one["name"] == name)


def raw(writ, params):
    return writ.request("tools/call", params)


ECHO = """- module_id: my.echo
  target: exec:///bin/echo
  description: Says words
  annotations: {readonly: true, idempotent: true, open_world: false}
  input_schema:
    type: object
    additionalProperties: false
    required: [words]
    properties:
      words: {type: array, items: {type: string}, x-apexe-positional: 0}
      "n": {type: boolean, x-apexe-flag: -n}
"""


# ---- the list

@case("the core is listed in its order in every version, each told what it knows")
def _():
    for version in VERSIONS:
        with Client(version=version) as writ:
            listing = writ.request("tools/list")
            equal(names(listing), CORE, version)
            for one in listing["tools"]:
                told = f"{version}, {one['name']}"
                reaches_all = one["name"] in ("exec", "run_input", "module_call")
                equal("annotations" in one, version >= "2025-03-26" and not reaches_all, told)
                equal("title" in one, version >= "2025-06-18", told)
                equal(one["inputSchema"]["type"], "object")
                equal(one.get("outputSchema", {"type": "object"})["type"], "object")
            equal("ttlMs" in listing, version == STATELESS, version)


@case("the core costs at most 6 KiB")
def _():
    with Client(structured=False) as writ:
        size = len(json.dumps(writ.request("tools/list"), separators=(",", ":")))
        holds(size <= 6 * 1024, size)


@case("the schema of an answer has an id of its own, and holds for errors")
def _():
    with Client() as writ:
        put(writ, "echo", ECHO)
        schemas = [one["outputSchema"] for one in writ.request("tools/list")["tools"] if "outputSchema" in one]
        holds(len(schemas) >= 6, schemas)
        equal(len({one["$id"] for one in schemas}), len(schemas))
        for one in schemas:
            holds("required" not in one and one["properties"], one)
            holds("additionalProperties" not in one, one)


@case("pages have every tool once, and a cursor that is none is refused")
def _():
    with Client("--expose", "all", "--pin", "cli.zcat") as writ:
        seen, params, pages = [], {}, 0
        while True:
            page = writ.request("tools/list", params)
            seen += names(page)
            pages += 1
            if "nextCursor" not in page:
                break
            equal(len(page["tools"]), 250)
            params = {"cursor": page["nextCursor"]}
        equal(seen[:len(CORE) + 1], CORE + ["cli_zcat"])
        equal(len(seen), len(set(seen)))
        holds(pages > 1 and len(seen) > 500, (pages, len(seen)))
        holds(all(re.fullmatch("[a-z0-9_]{1,40}", name) for name in seen), seen)
        for cursor in ("", "x", "after.exec", "after.", 7, None, "after." + "x" * 9000):
            equal(fails(RpcError, writ.request, "tools/list", {"cursor": cursor}).code, -32602, cursor)


# ---- calls that are wrong

@case("an unknown tool is an error with the nearest name")
def _():
    with Client() as writ:
        error = fails(RpcError, writ.call, "run_raed")
        equal(error.code, -32602)
        is_in("run_read", str(error))
        equal(fails(RpcError, writ.call, "x" * 5000).code, -32602)
        equal(fails(RpcError, writ.call, "exec\0").code, -32602)
        for params in ({}, {"name": 5}, {"name": None}, {"name": ["exec"]}):
            equal(fails(RpcError, raw, writ, params).code, -32602, params)


@case("arguments may be absent, and are an object otherwise")
def _():
    with Client() as writ:
        equal(raw(writ, {"name": "run_list"})["structuredContent"], {"runs": []})
        for wrong in ([], "x", 5, None, True):
            equal(fails(RpcError, raw, writ, {"name": "run_list", "arguments": wrong}).code, -32602, wrong)


@case("arguments that are wrong are told all at once, as the version has it")
def _():
    for version in VERSIONS:
        with Client(version=version) as writ:
            params = {"name": "exec", "arguments": {"arg": ["x"], "timeout_ms": "soon", "env": {"A": 1}}}
            if version < "2025-11-25":
                error = fails(RpcError, raw, writ, params)
                equal(error.code, -32602, version)
                continue
            result = raw(writ, params)
            equal(result["isError"], True)
            problems = result["structuredContent"]["error"]["details"]["problems"]
            equal([one["argument"] for one in problems], ["", "/timeout_ms", "/env/A"])
            for part in ("did you mean 'argv'?", "timeout_ms: expected an integer", "env/A: "):
                is_in(part, text_of(result))
            equal(raw(writ, {"name": "run_list"})["isError"], False)


@case("no argument approves anything")
def _():
    with Client(policy="version: 1\ndefault: ask\n") as writ:
        for word in ("confirm", "approve", "approved", "approval", "agent", "force", "yes"):
            result = writ.call("exec", argv=["true"], **{word: True})
            equal(result["isError"], True, word)
            equal(result["structuredContent"]["error"]["code"], "invalid", word)


# ---- modules

@case("modules are found, described and called")
def _():
    with Client() as writ:
        put(writ, "echo", ECHO)
        found = writ.call("module_search", query="my echo")["structuredContent"]
        equal([one["id"] for one in found["modules"]], ["my.echo"])
        equal(found["total"], 1)
        described = writ.call("module_describe", id="my.echo")["structuredContent"]
        equal(described["input_schema"]["required"], ["words"])
        equal(described["tool"], "my_echo")
        equal(described["input_schema"]["properties"]["words"], {"type": "array", "items": {"type": "string"}})
        result = writ.call("module_call", id="my.echo", arguments={"words": ["a", "b;c"], "n": True})
        equal(result["structuredContent"]["stdout"], "a b;c")
        equal(result["structuredContent"]["module_id"], "my.echo")
        equal(result["isError"], False)


@case("a module that is not there, or is called wrongly, is told about")
def _():
    with Client() as writ:
        put(writ, "echo", ECHO)
        missing = writ.call("module_call", id="my.ehco", arguments={})
        equal(missing["structuredContent"]["error"]["code"], "not_found")
        is_in("my.echo", text_of(missing))
        for id in ("", "No Such", "my.echo\0x"):
            equal(writ.call("module_call", id=id)["isError"], True, id)
            equal(writ.call("module_describe", id=id)["isError"], True, id)
        wrong = writ.call("module_call", id="my.echo", arguments={"word": ["x"], "n": 5})
        equal(wrong["isError"], True)
        is_in("did you mean 'words'?", text_of(wrong))
        is_in("n: ", text_of(wrong))
        # It is in the record that this was tried.
        equal(writ.close(), 0)


@case("what was called wrongly is on record")
def _():
    with Client("--agent", "tester") as writ:
        put(writ, "echo", ECHO)
        writ.call("module_call", id="my.echo", arguments={"x": 1})
        records = writ.writ("audit", "list", "--json").stdout
        is_in("my.echo", records)
        is_in("invalid", records)
        is_in("tester", records)


@case("a search is bounded and says what is left")
def _():
    with Client() as writ:
        found = writ.call("module_search", query="git", limit=3)["structuredContent"]
        equal(len(found["modules"]), 3)
        holds(found["total"] > 50, found["total"])
        is_in("more", found["note"])
        exact = writ.call("module_search", query="git log")["structuredContent"]
        equal(exact["modules"][0]["id"], "cli.git.log")
        equal(writ.call("module_search")["isError"], False)
        nothing = writ.call("module_search", query="zzzzqqq")
        equal(nothing["structuredContent"]["modules"], [])
        equal(nothing["isError"], False)
        equal(writ.call("module_search", limit=0)["isError"], True)


@case("a search before any list works with all modules as tools")
def _():
    with Client("--expose", "all") as writ:
        found = writ.call("module_search", query="git log")["structuredContent"]
        is_in("cli.git.log", [one["id"] for one in found["modules"]])
        equal(writ.call("module_describe", id="cli.wc")["structuredContent"]["tool"], "cli_wc")
        equal(writ.call("cli_echo", word=["x"])["structuredContent"]["stdout"], "x\n")


@case("files of modules that are wrong are told about, and the others work")
def _():
    with Client() as writ:
        put(writ, "echo", ECHO)
        put(writ, "wrong", "- {module_id: 5}\n")
        is_in("problem", writ.call("module_search", query="my.echo")["structuredContent"]["note"])
        equal(names(writ.request("tools/list"))[len(CORE):], ["my_echo"])


@case("a module may ask for an environment of its own")
def _():
    with Client(env={"SECRET_TOKEN": "x"}) as writ:
        put(writ, "env", "- {module_id: my.env, target: 'exec:///usr/bin/env', env_mode: isolated}\n")
        out = writ.call("my_env")["structuredContent"]["stdout"]
        holds("SECRET_TOKEN" not in out and writ.base + "/home" not in out, out)


@case("a module is a tool with the schema of its author, and called by its name")
def _():
    with Client() as writ:
        put(writ, "echo", ECHO)
        mine = tool(writ, "my_echo")
        equal(mine["annotations"], {"readOnlyHint": True, "openWorldHint": False})
        equal(mine["inputSchema"]["properties"]["words"]["x-apexe-positional"], 0)
        equal(mine["inputSchema"]["additionalProperties"], False)
        is_in("Says words", mine["description"])
        equal(writ.call("my_echo", words=["hello"])["structuredContent"]["stdout"], "hello\n")
        wrong = writ.call("my_echo", words="hello", cwd="/")
        equal(wrong["isError"], True)
        is_in("words: expected an array", text_of(wrong))
        is_in("cwd", text_of(wrong))


@case("a wrong argument of a module's tool is an error in versions that want that")
def _():
    with Client(version="2025-06-18") as writ:
        put(writ, "echo", ECHO)
        equal(fails(RpcError, writ.call, "my_echo", words=1).code, -32602)


@case("more than thirty modules are no tools, and the search says so")
def _():
    with Client("--pin", "my.m01") as writ:
        put(writ, "many", "".join(f"- {{module_id: my.m{i:02}, target: 'exec:///bin/echo {i}'}}\n" for i in range(31)))
        equal(names(writ.request("tools/list")), CORE + ["my_m01"])
        is_in("module_call", writ.call("module_search", query="my.m05")["structuredContent"]["note"])
        equal(writ.call("my_m01")["structuredContent"]["stdout"], "1\n")
        equal(fails(RpcError, writ.call, "my_m02").code, -32602)
        equal(writ.call("module_call", id="my.m02")["structuredContent"]["stdout"], "2\n")


@case("a described command as a tool says whether it reads, changes or destroys")
def _():
    with Client("--expose", "pinned", "--pin", "cli.ls", "--pin", "cli.mkdir", "--pin", "cli.rm") as writ:
        found = {one["name"]: one.get("annotations") for one in writ.request("tools/list")["tools"]}
        equal(found["cli_ls"], {"readOnlyHint": True, "openWorldHint": False})
        equal(found["cli_mkdir"], {"destructiveHint": False, "openWorldHint": False})
        equal(found["cli_rm"], {"openWorldHint": False})
        log = writ.call("module_describe", id="cli.git.log")["structuredContent"]["annotations"]
        equal((log["readonly"], log["destructive"]), (True, False))


@case("--expose core has no modules, and module_call still does")
def _():
    with Client("--expose", "core") as writ:
        put(writ, "echo", ECHO)
        equal(names(writ.request("tools/list")), CORE)
        equal(writ.call("module_call", id="my.echo", arguments={"words": ["x"]})["structuredContent"]["stdout"], "x\n")


@case("the options of module_call are those of exec")
def _():
    with Client() as writ:
        put(writ, "sh", """- module_id: my.show
  target: exec:///bin/sh -c
  target_words: []
  input_schema: {type: object, properties: {script: {type: string, x-apexe-positional: 0}}}
""".replace("  target_words: []\n", ""))
        os.makedirs(os.path.join(writ.project, "sub"))
        show = {"script": "pwd; echo $A; cat"}
        result = writ.call("module_call", id="my.show", arguments=show, cwd="sub", env={"A": "1"}, stdin="in",
                           session="s")["structuredContent"]
        equal(result["stdout"], os.path.realpath(os.path.join(writ.project, "sub")) + "\n1\nin")
        again = writ.call("module_call", id="my.show", arguments=show, session="s")["structuredContent"]
        equal(again["stdout"], os.path.realpath(os.path.join(writ.project, "sub")) + "\n1\n")
        slow = writ.call("module_call", id="my.show", arguments={"script": "sleep 60"}, timeout_ms=50)
        equal(slow["structuredContent"]["outcome"], "timed_out")
        equal(slow["isError"], True)
        running = writ.call("module_call", id="my.show", arguments={"script": "echo on; sleep 60"}, yield_ms=100)
        equal(running["structuredContent"]["outcome"], "running")
        equal(running["isError"], False)
        killed = writ.call("run_kill", run_id=running["structuredContent"]["run_id"])["structuredContent"]
        equal(killed["outcome"], "cancelled")
        long = writ.call("module_call", id="my.show", arguments={"script": "seq 100000"}, max_bytes=1000)
        holds(len(long["structuredContent"]["stdout"]) < 1500, len(long["structuredContent"]["stdout"]))
        equal(long["structuredContent"]["stdout_truncated"], True)


@case("what a module calls a success is no error")
def _():
    with Client() as writ:
        put(writ, "sh", """- module_id: my.code
  target: exec:///bin/sh -c
  success: [0, 3]
  input_schema: {type: object, properties: {script: {type: string, x-apexe-positional: 0}}}
""")
        for code, is_error in ((0, False), (3, False), (1, True)):
            result = writ.call("my_code", script=f"exit {code}")
            equal(result["isError"], is_error, code)
            equal(result["structuredContent"]["exit_code"], code)


@case("output that is JSON is there as such, unless it is too long")
def _():
    with Client() as writ:
        put(writ, "sh", """- module_id: my.json
  target: exec:///bin/sh -c
  output: {as: json}
  input_schema: {type: object, properties: {script: {type: string, x-apexe-positional: 0}}}
""")
        result = writ.call("my_json", script="echo '{\"a\": [1, 2.50]}'")
        equal(result["structuredContent"]["json_output"], {"a": [1, 2.5]})
        is_in('"a"', text_of(result))
        # More than an answer has, but all of it was read.
        long = writ.call("module_call", id="my.json", max_bytes=2000,
                         arguments={"script": "printf '['; seq -s, 1 20000 | tr -d '\\n'; printf ']'"})["structuredContent"]
        holds("json_output" not in long and "run_read" in long["json_output_error"], list(long))
        holds(len(json.dumps(long)) < 6000, len(json.dumps(long)))
        bad = writ.call("my_json", script="echo '{'")
        is_in("json_error", bad["structuredContent"])


@case("pictures, sounds and resources are blocks of their kind")
def _():
    with Client() as writ:
        for kind, more in (("image", ""), ("audio", ", mime_type: audio/wav"),
                           ("resource", ", mime_type: text/plain, uri: 'test://it'")):
            put(writ, kind, f"""- module_id: my.{kind}
  target: exec:///bin/cat
  output: {{as: {kind}{more}}}
  input_schema: {{type: object, properties: {{file: {{type: string, x-apexe-positional: 0}}}}}}
""")
        with open(os.path.join(writ.project, "red.png"), "wb") as file:
            file.write(PNG)
        with open(os.path.join(writ.project, "text"), "w", encoding="utf-8") as file:
            file.write("h\u00e9llo\n")
        holds("outputSchema" not in tool(writ, "my_image"), "a picture is no object")
        image = writ.call("my_image", file="red.png")
        equal(image["content"][0], {"type": "image", "data": base64.b64encode(PNG).decode(), "mimeType": "image/png"})
        holds("structuredContent" not in image and image["isError"] is False, image)
        sound = writ.call("module_call", id="my.audio", arguments={"file": "red.png"})
        equal((sound["content"][0]["type"], sound["content"][0]["mimeType"]), ("audio", "audio/wav"))
        text = writ.call("my_resource", file="text")["content"][0]
        equal(text, {"type": "resource", "resource": {"uri": "test://it", "mimeType": "text/plain", "text": "h\u00e9llo\n"}})
        blob = writ.call("my_resource", file="red.png")["content"][0]["resource"]
        equal(base64.b64decode(blob["blob"]), PNG)
        failed = writ.call("my_image", file="none")
        equal(failed["isError"], True)
        is_in("No such file", text_of(failed))


@case("a sound is no block where the version has none")
def _():
    with Client(version="2024-11-05") as writ:
        put(writ, "audio", "- {module_id: my.audio, target: 'exec:///bin/echo x', output: {as: audio, mime_type: audio/wav}}\n")
        result = writ.call("my_audio")
        equal([one["type"] for one in result["content"]], ["text"])


@case("a list that changes is told, and what runs meanwhile goes on")
def _():
    with Client() as writ:
        put(writ, "echo", ECHO)
        put(writ, "slow", "- {module_id: my.slow, target: 'exec:///bin/sleep 0.6'}\n")
        equal(names(writ.request("tools/list"))[len(CORE):], ["my_echo", "my_slow"])
        slow = writ.ask_tool("my_slow")
        os.unlink(os.path.join(writ.base, "config/modules/echo.binding.yaml"))
        writ.until(lambda: any(one["method"] == "notifications/tools/list_changed" for one in writ.notifications), 5)
        equal(names(writ.request("tools/list"))[len(CORE):], ["my_slow"])
        equal(writ.result(slow)["structuredContent"]["success"], True)


@case("a module of a project may not replace one that is built in")
def _():
    with Client() as writ:
        folder = os.path.join(os.path.relpath(writ.project, writ.base), ".writ/modules")
        put(writ, "p", "- {module_id: cli.wc, target: 'exec:///bin/echo no'}\n"
                       "- {module_id: my.p, target: 'exec:///bin/echo yes', annotations: {readonly: true}}\n", folder)
        equal(names(writ.request("tools/list"))[len(CORE):], ["my_p"])
        holds("annotations" not in tool(writ, "my_p"), "read-only by its own word")
        equal(writ.call("module_describe", id="cli.wc")["structuredContent"]["command"], "wc")


# ---- the policy

@case("policy_check says what would be, and of a denial no more than that")
def _():
    with Client(policy="developer") as writ:
        allowed = writ.call("policy_check", argv=["cat", "x"])["structuredContent"]
        equal((allowed["decision"], allowed["needs_approval"]), ("allow", False))
        is_in("read", allowed["effects"])
        denied = writ.call("policy_check", argv=["sudo", "id"])
        equal(sorted(denied["structuredContent"]),
              ["decision", "message", "nearest_allowed", "needs_approval", "rule"])
        equal(denied["structuredContent"]["decision"], "deny")
        equal(denied["isError"], False)
        is_in("deny", text_of(denied))
        asked = writ.call("policy_check", argv=["curl", "https://192.0.2.1/"])["structuredContent"]
        equal((asked["decision"], asked["needs_approval"]), ("ask", True))
        for wrong in ({}, {"argv": []}, {"argv": ["ls"], "shell": "ls"}):
            equal(writ.call("policy_check", **wrong)["structuredContent"]["error"]["code"], "invalid", wrong)
        equal(json.loads(writ.writ("audit", "list", "--json").stdout or "[]") and 1 or 0, 0)


@case("a denied module is told like a denied command")
def _():
    with Client(policy="developer") as writ:
        put(writ, "su", "- {module_id: my.su, target: 'exec:///usr/bin/sudo id'}\n")
        result = writ.call("my_su")
        equal(result["isError"], True)
        is_in(result["structuredContent"]["error"]["code"], ("denied",))


run()
