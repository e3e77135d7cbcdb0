"""What providers of models speak, as far as a turn with one tool needs it: what
the client offers, what its calls brought, and the answer to it.

    wire = speaker("/v1/messages")
    wire.offers(body)                 # the name under which the client offers `exec`, or None
    wire.results(body)                # what the calls brought so far, as the model sees it
    wire.answer(body, call)           # content type and text; call: None, or its number, name and arguments
"""
import json

DONE = "done"


def text_of(content):
    """A string, or parts that have one."""
    if isinstance(content, str):
        return content
    return "".join(part.get("text", "") for part in content or [])


def find_exec(names):
    """Most clients put the name of the server before that of the tool, each in its own way."""
    return next((name for name in names if name == "exec" or "writ" in name and name.endswith("exec")), None)


def events(pairs):
    return "text/event-stream", "".join(f"event: {name}\ndata: {json.dumps({'type': name, **more})}\n\n" for name, more in pairs)


class Messages:
    """Claude Code."""

    def offers(self, body):
        return find_exec(tool.get("name", "") for tool in body.get("tools") or [])

    def results(self, body):
        blocks = [block for message in body.get("messages", []) if isinstance(message["content"], list)
                  for block in message["content"]]
        return [text_of(block.get("content")) for block in blocks if block["type"] == "tool_result"]

    def answer(self, body, call):
        block, delta, why = {"type": "text", "text": ""}, {"type": "text_delta", "text": DONE}, "end_turn"
        if call is not None:
            number, name, arguments = call
            block = {"type": "tool_use", "id": f"call_{number}", "name": name, "input": {}}
            delta, why = {"type": "input_json_delta", "partial_json": json.dumps(arguments)}, "tool_use"
        message = {"id": "msg_1", "type": "message", "role": "assistant", "model": body.get("model"),
                   "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1}}
        if not body.get("stream"):
            return "application/json", json.dumps({**message, "content": [{"type": "text", "text": DONE}], "stop_reason": why})
        return events([
            ("message_start", {"message": {**message, "content": [], "stop_reason": None}}),
            ("content_block_start", {"index": 0, "content_block": block}),
            ("content_block_delta", {"index": 0, "delta": delta}),
            ("content_block_stop", {"index": 0}),
            ("message_delta", {"delta": {"stop_reason": why, "stop_sequence": None}, "usage": {"output_tokens": 1}}),
            ("message_stop", {}),
        ])


class Responses:
    """Codex, which puts the tools of a server into a namespace."""

    def offers(self, body):
        tools = body.get("tools") or []
        spaces = [tool for tool in tools if tool.get("type") == "namespace" and "writ" in tool["name"]]
        if any(tool["name"] == "exec" for space in spaces for tool in space["tools"]):
            return "exec"
        return find_exec(tool.get("name", "") for tool in tools)

    def namespace(self, body):
        return next((tool["name"] for tool in body.get("tools") or []
                     if tool.get("type") == "namespace" and "writ" in tool["name"]), None)

    def results(self, body):
        return [text_of(item.get("output")) for item in body.get("input", [])
                if isinstance(item, dict) and item.get("type") == "function_call_output"]

    def answer(self, body, call):
        item = {"type": "message", "id": "m", "role": "assistant", "content": [{"type": "output_text", "text": DONE}]}
        if call is not None:
            number, name, arguments = call
            item = {"type": "function_call", "id": f"item_{number}", "call_id": f"call_{number}", "name": name,
                    "arguments": json.dumps(arguments)}
            space = self.namespace(body)
            if space is not None:
                item["namespace"] = space
        return events([
            ("response.created", {"response": {"id": "r"}}),
            ("response.output_item.done", {"output_index": 0, "item": item}),
            ("response.completed", {"response": {"id": "r", "usage": {
                "input_tokens": 1, "input_tokens_details": None, "output_tokens": 1, "output_tokens_details": None,
                "total_tokens": 2}}}),
        ])


class Completions:
    """What takes any provider that speaks like OpenAI's older interface."""

    def offers(self, body):
        return find_exec(tool["function"]["name"] for tool in body.get("tools") or [])

    def results(self, body):
        return [text_of(message.get("content")) for message in body.get("messages", []) if message["role"] == "tool"]

    def answer(self, body, call):
        message, why = {"role": "assistant", "content": DONE}, "stop"
        if call is not None:
            number, name, arguments = call
            message, why = {"role": "assistant", "tool_calls": [{
                "index": 0, "id": f"call_{number}", "type": "function",
                "function": {"name": name, "arguments": json.dumps(arguments)}}]}, "tool_calls"
        whole = {"id": "c", "created": 1, "model": body.get("model"),
                 "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}}
        if not body.get("stream"):
            return "application/json", json.dumps({**whole, "object": "chat.completion", "choices": [
                {"index": 0, "message": message, "finish_reason": why}]})
        chunk = {**whole, "object": "chat.completion.chunk"}
        parts = [{**chunk, "choices": [{"index": 0, "delta": message, "finish_reason": None}]},
                 {**chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": why}]}]
        return "text/event-stream", "".join(f"data: {part}\n\n" for part in [*map(json.dumps, parts), "[DONE]"])


class Contents:
    """Gemini CLI."""

    def __init__(self, path):
        self.is_stream = "stream" in path

    def offers(self, body):
        return find_exec(one["name"] for tool in body.get("tools") or [] for one in tool.get("functionDeclarations", []))

    def results(self, body):
        parts = [part for content in body.get("contents", []) for part in content.get("parts", [])]
        answers = [part["functionResponse"]["response"] for part in parts if "functionResponse" in part]
        return [answer.get("output") or answer.get("error") or "" for answer in answers]

    def answer(self, _, call):
        part = {"text": DONE}
        if call is not None:
            _, name, arguments = call
            part = {"functionCall": {"name": name, "args": arguments}}
        answer = json.dumps({
            "candidates": [{"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}],
            "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}})
        return ("text/event-stream", f"data: {answer}\n\n") if self.is_stream else ("application/json", answer)


def speaker(path):
    """By the address that was asked; None: nothing that a model answers."""
    if "count_tokens" in path or "countTokens" in path:
        return None
    if "enerateContent" in path:
        return Contents(path)
    for part, kind in (("/messages", Messages), ("/responses", Responses), ("/chat/completions", Completions)):
        if part in path:
            return kind()
    return None
