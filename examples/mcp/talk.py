#!/usr/bin/env python3
"""A client of `writ mcp` in fifty lines: what an agent program does, without the agent.

    talk.py [PROGRAM ARGUMENT...]

Starts the server, shakes hands, lists its tools, runs a command, and shows what a model would
see. The environment variable WRIT names the program, if it is not in PATH.
"""
import json
import os
import subprocess
import sys


class Server:
    """One line is one message; requests are numbered, and the answer has the number."""

    def __init__(self, *options):
        self.process = subprocess.Popen(
            [os.environ.get("WRIT", "writ"), "mcp", *options],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.number = 0

    def send(self, message):
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.process.stdin.flush()

    def ask(self, method, **params):
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        for line in self.process.stdout:
            message = json.loads(line)
            if message.get("id") == self.number and "method" not in message:
                if "error" in message:
                    raise RuntimeError(message["error"]["message"])
                return message["result"]
            # Else it is a notification, which nobody here waits for.
        raise RuntimeError("the server has ended")

    def end(self):
        """The end of its input ends it, and every run with it."""
        self.process.stdin.close()
        return self.process.wait()


def main(argv):
    server = Server()
    hello = server.ask("initialize", protocolVersion="2025-11-25", capabilities={},
                       clientInfo={"name": "talk.py", "version": "1"})
    server.send({"method": "notifications/initialized"})
    print("server:", hello["serverInfo"]["name"], hello["serverInfo"]["version"])
    print("tools: ", ", ".join(tool["name"] for tool in server.ask("tools/list")["tools"]))

    result = server.ask("tools/call", name="exec", arguments={"argv": argv})
    print("answer:", "error" if result.get("isError") else "good")
    print(result["content"][0]["text"])
    return server.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or ["echo", "hello from inside of the walls"]))
