"""A whole turn of a client that a model drives: six things that agents do all day,
some of them in two calls, and how many bytes of each answer the model gets. The
policy is the default one, and nobody is there to ask.
"""
import re

from model import Model
from place import expect

FETCH = "curl -fsS --retry 50 --retry-delay 0 --retry-connrefused http://127.0.0.1:8000/hello.txt"
# What is done, its call, and what the model has to be told.
CALLS = (
    ("`echo hi`", {"command": "echo hi"}, "hi"),
    ("a script goes to /tmp", {"command": "echo 'echo $((6 * 7))' >/tmp/answer.sh"}, "(no output)"),
    ("the next call runs it", {"command": "sh /tmp/answer.sh"}, "42"),
    ("a server starts with `&`", {"command": "python3 -m http.server --bind 127.0.0.1 8000 >/tmp/server.log 2>&1 &"}, "running"),
    ("the next call asks it", {"command": FETCH}, "hello"),
    ("`sudo ls`, denied", {"command": "sudo ls"}, "denied: "),
    ("`grep`, no match", {"command": "grep -rn nothing ."}, "exit code 1"),
    ("`seq 20000`, 106 KiB", {"command": "seq 20000"}, "500"),
)
# On a loaded machine.
TIMES = re.compile(r"(?<=running) for [0-9.m ]+s|(\n|\\n)took [0-9.m ]+s")
ECHO_MAX, DENIAL_MAX, LONG_MAX = 50, 300, 20 * 1024


def check(sizes, results, own):
    for (what, _, words), text in zip(CALLS, results):
        expect(words in text, f"{what}: {text}")
    for what, most in ((CALLS[0][0], ECHO_MAX), (CALLS[5][0], DENIAL_MAX), (CALLS[7][0], LONG_MAX)):
        expect(sizes[what] <= most + own, f"{what}: {sizes[what]} bytes")


def take_turn(place, protocol, how, drive, own=0):
    """drive: starts the client with the model's address. own: bytes that the client adds to each answer."""
    model = Model(arguments for _, arguments, _ in CALLS)
    sizes = {}

    def turn():
        place.write("project/hello.txt", "hello\n")
        said = drive(model.address)
        expect(len(model.results) == len(CALLS), f"{len(model.results)} calls: {model.results} {said}")
        sizes.update((what, len(TIMES.sub("", text).encode())) for (what, _, _), text in zip(CALLS, model.results))
        check(sizes, model.results, own)

    place.attempt(protocol, f"{how}: a whole turn of calls", turn, sizes)
