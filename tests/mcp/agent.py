"""A scripted agent: works on a project through `writ mcp` as an agent does, under
the preset `developer`, and keeps a ledger of what it has had run.

Every scene checks what it sees; the ledger is compared with the trail at the end.
"""
import http.server
import os
import random
import threading

from cases import equal, holds, is_in
from client import Client, processes, text_of, wait_until

MAKEFILE = """count: count.c
	$(CC) -Wall -Werror -o $@ count.c

test: count
	./check

.PHONY: test
"""
SOURCE = """#include <stdio.h>

int
main(void)
{
	int lines = 0;
	for (int c = getchar(); c != EOF; c = getchar())
		lines += c == '\\n';
	printf("%d\\n", lines)
	return 0;
}
"""
CHECK = """#!/bin/sh
[ "$(printf 'a\\nb\\n' | ./count)" = 2 ] || { echo 'two lines are not two' >&2; exit 1; }
echo passed
"""
SERVER = """import http.server, sys, threading, urllib.request

class Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(f"you asked for {self.path}\\n".encode())
    def log_message(self, *words):
        pass

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page)
threading.Thread(target=server.serve_forever, daemon=True).start()
print("listening", flush=True)
for line in sys.stdin:
    with urllib.request.urlopen(f"http://127.0.0.1:{server.server_port}{line.strip()}") as answer:
        print(answer.read().decode(), end="", flush=True)
"""


class Page(http.server.BaseHTTPRequestHandler):
    """What is outside of the walls, on the machine's own loopback."""

    def do_GET(self):  # pylint: disable=invalid-name
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"from outside\n")

    def log_message(self, *_):  # pylint: disable=arguments-differ
        pass


class Ledger:
    """What the trail has to have: ids of runs, and how many there are of which no id was told."""

    def __init__(self):
        self.outcomes = {}    # id -> outcome
        self.cancelled = 0
        self.refused = 0

    def note(self, result):
        content = result["structuredContent"]
        if "run_id" in content:
            self.outcomes[content["run_id"]] = content["outcome"]
        else:
            self.refused += 1


class Agent:
    def __init__(self, version, base):
        self.answer = None
        self.forms = []
        self.ledger = Ledger()
        self.writ = Client(version=version, base=base, policy="developer", capabilities={"elicitation": {"form": {}}},
                           handlers={"elicitation/create": self.fill_in}, env={"WRIT_FORM_TIME": "0"})
        self.outside = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page)
        threading.Thread(target=self.outside.serve_forever, daemon=True).start()

    def close(self):
        self.outside.shutdown()
        self.outside.server_close()
        return self.writ.close()

    def fill_in(self, params):
        """A question is a refusal in the trail; what comes of it is one more record."""
        self.forms.append(params)
        self.ledger.refused += 1
        return self.answer

    # --- its hands

    def call(self, tool, timeout=60, **arguments):
        result = self.writ.call(tool, timeout, **arguments)
        if result.get("resultType") == "input_required":
            result = self.answer_round(result, tool, arguments, timeout)
        if tool in ("exec", "module_call"):
            self.ledger.note(result)
        if tool == "run_kill":
            self.ledger.note(result)
        return result

    def answer_round(self, result, tool, arguments, timeout):
        """The version without a handshake: the question is a result, and the call is made again."""
        answers = {key: self.fill_in(one["params"]) for key, one in result["inputRequests"].items()}
        return self.writ.request("tools/call", {"name": tool, "arguments": arguments, "inputResponses": answers,
                                                "requestState": result["requestState"]}, timeout)

    def run(self, *argv, **more):
        """A command that has to end well; its standard output."""
        result = self.call("exec", argv=list(argv), **more)
        holds(not result.get("isError"), text_of(result))
        return result["structuredContent"]["stdout"]

    def fail(self, *argv, **more):
        result = self.call("exec", argv=list(argv), **more)
        holds(result.get("isError"), f"{argv} ended well")
        return result

    def write(self, path, text):
        """As an agent without a tool for files does it."""
        self.run("tee", path, stdin=text)

    def path(self, *parts):
        return os.path.join(self.writ.project, *parts)

    def finish(self, run_id):
        """Reads a run to its end, and notes it."""
        cursor = 0
        data = ""
        while True:
            part = self.call("run_read", run_id=run_id, cursor=cursor)["structuredContent"]
            data += part["data"]
            cursor = part["next_cursor"]
            if part["end"]:
                self.ledger.outcomes[run_id] = part["outcome"]
                return data

    def read_until(self, run_id, text):
        cursor = 0
        data = ""
        while text not in data:
            part = self.call("run_read", run_id=run_id, cursor=cursor, wait_ms=5000)["structuredContent"]
            holds(part["data"] or not part["end"], f"it ended before {text!r}: {data!r}")
            data += part["data"]
            cursor = part["next_cursor"]
        return data

    # --- scenes

    def looks_around(self):
        names = [tool["name"] for tool in self.writ.request("tools/list")["tools"]]
        is_in("exec", names)
        equal(self.call("policy_check", argv=["make"])["structuredContent"]["decision"], "allow")
        equal(self.call("policy_check", argv=["sudo", "id"])["structuredContent"]["decision"], "deny")
        equal(self.run("pwd"), os.path.realpath(self.writ.project) + "\n")

    def edits_builds_and_tests(self):
        self.write("Makefile", MAKEFILE)
        self.write("count.c", SOURCE)
        self.write("check", CHECK)
        self.run("chmod", "+x", "check")
        self.run("rm", "-f", "count")
        broken = self.fail("make")
        is_in("error", broken["structuredContent"]["stderr"])
        self.run("sed", "-i", r's/lines)$/lines);/', "count.c")
        self.run("make")
        is_in("passed", self.run("make", "test"))
        self.run("sed", "-i", "s/'.n'/'x'/", "count.c")
        is_in("two lines are not two", text_of(self.fail("make", "test")))
        self.run("sed", "-i", r"s/'x'/'\\n'/", "count.c")
        is_in("passed", self.run("make", "test"))

    def keeps_versions(self):
        if not os.path.isdir(self.path(".git")):
            self.run("git", "init", "-q")
        self.run("git", "add", ".")
        self.run("git", "-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-q", "--allow-empty", "-m",
                 "a step further")
        found = self.call("module_search", query="git log")["structuredContent"]
        is_in("cli.git.log", str(found))
        is_in("properties", str(self.call("module_describe", id="cli.git.log")["structuredContent"]))
        log = self.call("module_call", id="cli.git.log", arguments={})
        is_in("a step further", text_of(log))

    def serves_in_the_background(self):
        self.write("server.py", SERVER)
        started = self.call("exec", argv=["python3", "server.py"], network="loopback", stdin_open=True, yield_ms=0)
        run_id = started["structuredContent"]["run_id"]
        equal(started["structuredContent"]["outcome"], "running")
        self.read_until(run_id, "listening")
        for word in ("/one", "/two"):
            self.call("run_input", run_id=run_id, text=word + "\n")
            self.read_until(run_id, f"you asked for {word}")
        is_in(run_id, str(self.call("run_list")["structuredContent"]))
        ended = self.call("run_kill", run_id=run_id)["structuredContent"]
        holds(ended["outcome"] != "running", ended)

    def cancels(self):
        word = str(random.randrange(10 ** 8, 10 ** 9))
        self.write("tree.sh", f"sleep {word} &\nsetsid sleep {word} &\n(setsid sh -c 'sleep {word} &' &)\nsleep {word}\n")
        id = self.writ.ask_tool("exec", argv=["sh", "tree.sh"])
        wait_until(lambda: len(processes(word)) == 4, "it runs")
        self.writ.cancel(id)
        wait_until(lambda: not processes(word), "it is gone", 5)
        self.ledger.cancelled += 1
        equal(self.run("echo", "next"), "next\n")
        holds(id not in self.writ.answers, "a cancelled call was answered")

    def is_held_to_the_policy(self):
        for argv in (["sudo", "id"], ["cat", os.path.join(self.writ.base, "home/.ssh/id_ed25519")]):
            result = self.fail(*argv)
            equal(result["structuredContent"]["error"]["code"], "denied")
        self.write("reach.sh", "echo x >/usr/bin/nobody-may || exit 3\n")
        equal(self.fail("sh", "reach.sh")["structuredContent"]["exit_code"], 3, "the walls")
        is_in("timed out", text_of(self.fail("sleep", "1000", timeout_ms=300)))

    def asks_by_a_form(self):
        port, page = self.outside.server_port, random.randrange(10 ** 9)
        fetch = ["curl", "-s", "--resolve", f"outside.invalid:{port}:127.0.0.1", f"http://outside.invalid:{port}/{page}"]
        self.answer = {"action": "decline"}
        before = len(self.forms)
        equal(self.fail(*fetch)["structuredContent"]["error"]["code"], "approval_refused")
        self.answer = {"action": "accept", "content": {"decision": "once"}}
        is_in("from outside", self.run(*fetch))
        equal(len(self.forms), before + 2)
        is_in("curl", self.forms[-1]["message"])

    def asks_by_the_queue(self):
        """A client that shows no forms, beside this one."""
        port, page = self.outside.server_port, random.randrange(10 ** 9)
        fetch = ["curl", "-s", "--resolve", f"outside.invalid:{port}:127.0.0.1", f"http://outside.invalid:{port}/{page}"]
        with Client(base=self.writ.base, policy="developer") as other:
            refused = other.call("exec", argv=fetch)
            error = refused["structuredContent"]["error"]
            self.ledger.note(refused)
            equal(error["code"], "approval_required")
            waiting = self.writ.writ("approvals", "list")
            equal(waiting.returncode, 0)
            approval = waiting.stdout.split("\n")[-2].split()[0]
            is_in(approval, text_of(refused))
            equal(self.writ.writ("approvals", "approve", approval).returncode, 0)
            result = other.call("exec", argv=fetch)
            self.ledger.note(result)
            equal(result["structuredContent"]["stdout"], "from outside\n")
            again = other.call("exec", argv=fetch)
            self.ledger.note(again)
            equal(again["structuredContent"]["error"]["code"], "approval_required", "an answer is for once")

    def reads_huge_output(self):
        result = self.call("exec", argv=["seq", "1", "4000000"], max_bytes=4096)["structuredContent"]
        equal(result["stdout_bytes"], 30888896)
        holds(result["stdout_truncated"], "nothing was left out")
        run_id = result["run_id"]
        part = self.call("run_read", run_id=run_id, cursor=15000000, max_bytes=1000)["structuredContent"]
        equal(part["next_cursor"], 15001000)
        middle = part["data"].split("\n")[1:-1]
        first = int(middle[0])
        equal(middle, [str(first + i) for i in range(len(middle))])
        last = self.call("run_read", run_id=run_id, cursor=-8)["structuredContent"]
        equal((last["data"], last["end"]), ("4000000\n", True))

    def uses_a_terminal(self):
        started = self.call("exec", argv=["python3", "-q", "-i"], pty=True, rows=30, columns=100, yield_ms=0)
        holds(not started.get("isError"), text_of(started))
        run_id = started["structuredContent"]["run_id"]
        self.read_until(run_id, ">>> ")
        self.call("run_input", run_id=run_id, text="import os; 6 * 7, tuple(os.get_terminal_size())\n")
        self.read_until(run_id, "(42, (100, 30))")
        self.call("run_input", run_id=run_id, rows=40, columns=120)
        self.call("run_input", run_id=run_id, text="tuple(os.get_terminal_size())\n")
        self.read_until(run_id, "(120, 40)")
        self.call("run_input", run_id=run_id, text="raise SystemExit(3)\n")
        self.finish(run_id)

    def remembers_where_it_is(self):
        name = f"work-{random.randrange(10 ** 9)}"
        self.run("mkdir", "-p", "below")
        self.run("true", cwd="below", env={"COLOUR": "blue"}, session=name)
        is_in("/below\n", self.run("pwd", session=name))
        equal(self.run("printenv", "COLOUR", session=name), "blue\n")
        holds("/below\n" not in self.run("pwd"), "others have it too")

    def does_many_things_at_once(self):
        ids = [self.writ.ask_tool("exec", argv=["sh", "-c", f"sleep 0.1; echo {number}"]) for number in range(24)]
        for number, id in enumerate(ids):
            result = self.writ.result(id, 60)
            self.ledger.note(result)
            equal(result["structuredContent"]["stdout"], f"{number}\n")

    def reads_resources(self):
        uris = [one["uri"] for one in self.writ.request("resources/list")["resources"]]
        is_in("writ://runs", uris)
        run_id = self.call("exec", argv=["echo", "kept"])["structuredContent"]["run_id"]
        kept = self.writ.request("resources/read", {"uri": f"writ://run/{run_id}/stdout"})
        equal(kept["contents"][0]["text"], "kept\n")

    SCENES = [looks_around, edits_builds_and_tests, keeps_versions, serves_in_the_background, cancels,
              is_held_to_the_policy, asks_by_a_form, asks_by_the_queue, reads_huge_output, uses_a_terminal,
              remembers_where_it_is, does_many_things_at_once, reads_resources]
