"""A model on loopback, for clients that are driven by one. It makes a list of
calls of `exec`, one after the other, and then says that it is done. When a result says that a
person has to agree, it has the question approved and makes the same call again.
"""
import http.server
import json
import re
import threading

from wire import speaker

ASKED = re.compile(r"writ approvals approve ([0-9a-z]{16})")


class Model:
    def __init__(self, calls, approve=None):
        """calls: the arguments of each; approve: called with the id of a question."""
        self.calls = list(calls)
        self.approve = approve
        self.results = []  # what they brought, as the model sees it
        self.lock = threading.Lock()
        self.listener = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self.handler())
        threading.Thread(target=self.listener.serve_forever, daemon=True).start()

    @property
    def address(self):
        return f"http://127.0.0.1:{self.listener.server_port}"

    def take(self, results):
        """What has come back so far; approves what is asked, for which the same call follows."""
        for text in results[len(self.results):]:
            self.results.append(text)
            found = ASKED.search(text)
            if found and self.approve is not None:
                self.approve(found[1])
                self.calls.insert(len(self.results), self.calls[len(self.results) - 1])

    def answer(self, wire, body):
        """The next call; or none, also to what the client asks about on the side: a title, a summary."""
        name = wire.offers(body)
        if name is None:
            return wire.answer(body, None)
        with self.lock:
            self.take(wire.results(body))
            number = len(self.results)
            return wire.answer(body, (number, name, self.calls[number]) if number < len(self.calls) else None)

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
                body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
                wire = speaker(self.path)
                if wire is None:
                    self.reply("application/json", '{"input_tokens": 1, "totalTokens": 1}')
                    return
                self.reply(*model.answer(wire, body))

        return Handler
