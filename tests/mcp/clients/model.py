"""A model on loopback, for clients that are driven by one: it calls a tool of
the server, and when a result says that a person has to agree, it has the
question approved and calls the tool again, with the same arguments.

It speaks as much of two protocols as the clients need: Messages (streamed, for
Claude Code) and Responses (for Codex).
"""
import http.server
import json
import re
import threading

ASKED = re.compile(r"writ approvals approve ([0-9a-z]{16})")


class Model:
    def __init__(self, server, arguments, approve):
        """server: the name under which the client knows writ; approve: called with the id of a question."""
        self.server = server
        self.arguments = arguments
        self.approve = approve
        self.results = []  # what the calls brought, as text
        self.listener = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self.handler())
        threading.Thread(target=self.listener.serve_forever, daemon=True).start()

    @property
    def address(self):
        return f"http://127.0.0.1:{self.listener.server_port}"

    def take(self, results):
        """What has come back so far; approves what is asked. Whether to call once more."""
        for result in results[len(self.results):]:
            text = json.dumps(result)
            self.results.append(text)
            found = ASKED.search(text)
            if found:
                self.approve(found[1])
        return len(self.results) < 2

    # --- Messages

    def message(self, body):
        name = f"mcp__{self.server}__exec"
        blocks = [block for message in body.get("messages", []) if isinstance(message["content"], list)
                  for block in message["content"]]
        results = [block.get("content") for block in blocks if block["type"] == "tool_result"]
        if name in [tool.get("name") for tool in body.get("tools", [])] and self.take(results):
            return {"type": "tool_use", "id": f"call_{len(results)}", "name": name, "input": {}}, json.dumps(self.arguments)
        return {"type": "text", "text": ""}, "done"

    def message_events(self, body):
        block, text = self.message(body)
        is_call = block["type"] == "tool_use"
        delta = {"type": "input_json_delta", "partial_json": text} if is_call else {"type": "text_delta", "text": text}
        yield "message_start", {"message": {"id": "msg_1", "type": "message", "role": "assistant", "content": [],
                                            "model": body.get("model"), "stop_reason": None, "stop_sequence": None,
                                            "usage": {"input_tokens": 1, "output_tokens": 1}}}
        yield "content_block_start", {"index": 0, "content_block": block}
        yield "content_block_delta", {"index": 0, "delta": delta}
        yield "content_block_stop", {"index": 0}
        yield "message_delta", {"delta": {"stop_reason": "tool_use" if is_call else "end_turn", "stop_sequence": None},
                                "usage": {"output_tokens": 1}}
        yield "message_stop", {}

    # --- Responses

    def response_events(self, body):
        results = [item.get("output") for item in body.get("input", []) if item.get("type") == "function_call_output"]
        item = {"type": "message", "id": "m", "role": "assistant", "content": [{"type": "output_text", "text": "done"}]}
        if self.take(results):
            item = {"type": "function_call", "id": f"item_{len(results)}", "call_id": f"call_{len(results)}", "name": "exec",
                    "namespace": f"mcp__{self.server}", "arguments": json.dumps(self.arguments)}
        yield "response.created", {"response": {"id": "r"}}
        yield "response.output_item.done", {"output_index": 0, "item": item}
        yield "response.completed", {"response": {"id": "r", "usage": {
            "input_tokens": 1, "input_tokens_details": None, "output_tokens": 1, "output_tokens_details": None,
            "total_tokens": 2}}}

    # --- HTTP

    def handler(self):
        model = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):  # pylint: disable=arguments-differ
                pass

            def reply(self, kind, text):
                data = text.encode()
                self.send_response(200)
                self.send_header("content-type", kind)
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def do_HEAD(self):
                self.reply("text/plain", "")

            def do_GET(self):
                self.reply("application/json", '{"data": [], "models": []}')

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["content-length"])) or b"{}")
                if "count_tokens" in self.path:
                    self.reply("application/json", '{"input_tokens": 1}')
                    return
                events = model.response_events(body) if "/responses" in self.path else model.message_events(body)
                self.reply("text/event-stream", "".join(
                    f"event: {name}\ndata: {json.dumps({'type': name, **more})}\n\n" for name, more in events))

        return Handler
