#!/usr/bin/env python3
# Hosts of a client's session: none at first, granted with a call, and then open
# to every later one. The hosts are in a network of the test's own.
import os
import subprocess
import sys
import tempfile

from cases import case, equal, holds, is_in, run, skip
from client import Client

HERE = os.path.dirname(os.path.abspath(__file__))
OUTSIDE = os.path.join(HERE, "..", "cli", "outside.py")
GET = """python3 -c 'import urllib.request
try:
    print(urllib.request.urlopen("http://{0}/", timeout=20).read().decode().strip())
except OSError as e:
    print(type(getattr(e, "reason", e)).__name__)'"""


def get(writ, host, **more):
    result = writ.call("exec", argv=["sh", "-c", GET.format(host)], sandbox="workspace", network=more.pop("network", "loopback"), **more)
    holds("structuredContent" in result, str(result))
    return result["structuredContent"]


def inside():
    with Client(policy="open") as writ:
        first = get(writ, "good.example")
        holds("stdout" in first, str(first))
        equal(first["stdout"].strip(), "gaierror")
        second = get(writ, "good.example", hosts=["good.example"], network="hosts")
        equal(second["stdout"].strip(), "hello from good.example", str(second))
        equal(second["sandbox"]["network"], "hosts")
        # Hosts belong to the session.
        equal(get(writ, "good.example")["stdout"].strip(), "hello from good.example")
        equal(get(writ, "evil.example")["stdout"].strip(), "gaierror")
        third = get(writ, "evil.example", hosts=["evil.example"], network="hosts")
        equal(third["stdout"].strip(), "hello from evil.example")


@case("a session without hosts is granted some")
def _():
    with tempfile.TemporaryDirectory() as place:
        done = subprocess.run([sys.executable, OUTSIDE, os.path.join(place, "world"), sys.executable, os.path.abspath(__file__), "--inside"],
                              capture_output=True, text=True)
        if done.returncode == 77:
            skip("no network of its own can be made here")
        equal(done.returncode, 0, done.stdout + done.stderr)
        with open(os.path.join(place, "world", "packets")) as packets:
            is_in("203.0.113.10 tcp 80", packets.read())


if sys.argv[1:] == ["--inside"]:
    inside()
else:
    run()
