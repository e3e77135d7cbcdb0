#!/usr/bin/env python3
# What real clients said, word for word as it was recorded (recorded/*.jsonl: one
# message on a line, an empty line before each new process): everything that
# wants an answer gets the right one.
#
# Three things cannot be as recorded, since they depend on what our server says:
# the id of its question, its sealed state, and the form that is filled in.
import json
import os

from cases import case, equal, holds, is_in, run
from client import META, STATELESS, Client

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "recorded")
POLICY = """version: 1
default: allow
shell: allow
rules:
  - allow: {}
  - ask: { program: rm }
"""
YES = {"action": "accept", "content": {"decision": "once"}}


def conversations(name):
    with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
        return [[line for line in part.split("\n") if line] for part in file.read().split("\n\n")]


class Replay:
    """One conversation with a process of its own."""

    def __init__(self, lines, fills_in):
        self.lines = lines
        self.fills_in = fills_in   # the form as ours has it; else as recorded
        self.state = None
        self.question = None
        self.answered = []
        self.client = None

    def play(self):
        handlers = {"elicitation/create": self.keep_question}
        with Client(version=None, handlers=handlers, policy=POLICY, env={"WRIT_FORM_TIME": "0"}) as self.client:
            for line in self.lines:
                self.say(line, json.loads(line))
            holds(self.client.is_silent(), "more is said than was asked for")
            equal(self.client.strays, [])
        return self

    def keep_question(self, params):
        self.question = params

    def say(self, line, message):
        if "method" not in message:
            self.answer_question(message)
            return
        if "requestState" in message.get("params", {}):
            line = self.with_state(message)
        if "id" in message:
            self.client.asked.add(message["id"])
        self.client.send_line(line)
        if "id" in message:
            self.hear(message)

    def with_state(self, message):
        holds(self.state, "the server gave no state")
        message["params"]["requestState"] = self.state["requestState"]
        key = next(iter(self.state["inputRequests"]))
        recorded = message["params"]["inputResponses"]["approve"]
        message["params"]["inputResponses"] = {key: YES if self.fills_in else recorded}
        return json.dumps(message)

    def hear(self, message):
        self.client.until(lambda: message["id"] in self.client.answers or self.question)
        if message["id"] not in self.client.answers:
            return   # the next line answers the question
        answer = self.client.answers.pop(message["id"])
        self.judge(message, answer)

    def answer_question(self, message):
        holds(self.question, "the server asked nothing")
        is_in("rm", self.question["message"])
        self.client.send({"jsonrpc": "2.0", "id": self.client.requests[-1]["id"],
                          "result": YES if self.fills_in else message["result"]})
        asked = json.loads(self.lines[self.lines.index(json.dumps(message, separators=(",", ":"))) - 1])
        self.question = None
        self.judge(asked, self.client.answer(asked["id"]))

    def judge(self, message, answer):
        equal(answer["jsonrpc"], "2.0")
        if "result" in answer and META + "protocolVersion" in message.get("params", {}).get("_meta", {}):
            is_in(answer["result"]["resultType"], ("complete", "input_required"))
            equal(answer["result"]["_meta"][META + "serverInfo"]["name"], "writ")
        getattr(self, "judge_" + message["method"].replace("/", "_"))(message, answer)
        self.answered.append(message["method"])

    # --- one for each method that was recorded

    @staticmethod
    def judge_initialize(message, answer):
        equal(answer["result"]["protocolVersion"], message["params"]["protocolVersion"])

    @staticmethod
    def judge_ping(_, answer):
        equal(answer["result"], {})

    @staticmethod
    def judge_server_discover(_, answer):
        equal(answer["result"]["supportedVersions"], [STATELESS])

    @staticmethod
    def judge_tools_list(_, answer):
        is_in("exec", [tool["name"] for tool in answer["result"]["tools"]])

    def judge_tools_call(self, message, answer):
        params = message["params"]
        if params["name"] != "exec":
            equal(answer["error"]["code"], -32602)
        elif params["arguments"]["argv"] == 5:
            equal(answer["result"]["isError"], True)
        elif params["arguments"]["argv"][0] == "echo":
            equal(answer["result"]["structuredContent"]["stdout"], "hi\n")
        else:
            self.judge_rm(answer["result"])

    def judge_rm(self, result):
        if result.get("resultType") == "input_required" and (self.state is None or not self.fills_in):
            self.state = result
        elif self.fills_in:
            holds(not result.get("isError"), result)
        else:
            # A form that was filled in with something else is no approval.
            equal(result["isError"], True)


def replay(name, fills_in):
    methods = []
    for lines in conversations(name):
        methods += Replay(lines, fills_in).play().answered
    return methods


@case("what Claude Code says for its health check")
def _():
    equal(replay("claude-code-2.1.197.jsonl", True), ["initialize", "tools/list"])


@case("what gemini-cli says for its health check")
def _():
    equal(replay("gemini-cli-0.61.jsonl", True), ["initialize", "ping"])


@case("what the second SDK says to find out the version, in a process for that")
def _():
    equal(replay("sdk-2.4-auto.jsonl", True), ["server/discover", "initialize", "tools/list"])


@case("what the second SDK says with a handshake: calls, a question, mistakes")
def _():
    equal(replay("sdk-2.4-legacy.jsonl", True), ["initialize", "tools/list"] + 4 * ["tools/call"])


@case("what the second SDK says without one: calls, a question, mistakes")
def _():
    equal(replay("sdk-2.4-modern.jsonl", True), ["server/discover", "tools/list"] + 5 * ["tools/call"])


@case("the recorded answers, to another form, approve nothing")
def _():
    for name in ("sdk-2.4-legacy.jsonl", "sdk-2.4-modern.jsonl"):
        is_in("tools/call", replay(name, False))


run()
