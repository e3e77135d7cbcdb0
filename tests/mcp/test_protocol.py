#!/usr/bin/env python3
# The protocol as every client sees it first: the handshake of each version, the
# version without one, what is wrong with a request, and the end.
import os
import signal

from cases import case, equal, fails, holds, is_in, run
from client import META, STATELESS, Client, RpcError

HANDSHAKES = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]


@case("the version of the client is the one that is spoken")
def _():
    for version in HANDSHAKES:
        with Client(version=version) as writ:
            equal(writ.info["protocolVersion"], version)
            is_in("tools", writ.info["capabilities"])
            equal(writ.info["serverInfo"]["name"], "writ")


@case("a version that nobody knows is answered with the newest that begins so")
def _():
    for version in ("1999-01-01", "2099-01-01", STATELESS + "x"):
        with Client(version=version) as writ:
            equal(writ.info["protocolVersion"], HANDSHAKES[-1])


@case("server/discover tells what there is, with the fields of a cache")
def _():
    with Client(version=STATELESS) as writ:
        found = writ.request("server/discover")
        equal(found["supportedVersions"], [STATELESS])
        equal(found["resultType"], "complete")
        holds(isinstance(found["ttlMs"], int) and found["ttlMs"] >= 0, found)
        is_in(found["cacheScope"], ("public", "private"))
        equal(found["_meta"][META + "serverInfo"]["name"], "writ")


@case("both eras are served by one process")
def _():
    with Client() as writ:
        writ.version = STATELESS
        equal(writ.request("server/discover")["resultType"], "complete")
        writ.version = HANDSHAKES[-1]
        equal(writ.request("ping"), {})


@case("an unknown method is -32601, and the next request works")
def _():
    with Client() as writ:
        equal(fails(RpcError, writ.request, "no/such").code, -32601)
        equal(writ.request("ping"), {})


@case("what only a handshake has is not there without one")
def _():
    with Client(version=STATELESS) as writ:
        for method in ("initialize", "ping", "logging/setLevel", "resources/subscribe"):
            equal(fails(RpcError, writ.request, method, {}).code, -32601, method)


@case("ids come back as they were")
def _():
    with Client() as writ:
        for id in (0, -7, 9007199254740993, "", "a b", "\u20ac\"\\"):
            equal(writ.answer(writ.ask("ping", id=id)), {"jsonrpc": "2.0", "id": id, "result": {}})


@case("the end of its input is its end, with status 0 and nothing on standard error")
def _():
    writ = Client()
    equal(writ.close(), 0)
    equal(writ.stderr(), "")


@case("a probe that looks and is killed leaves no file")
def _():
    for number in (signal.SIGKILL, signal.SIGTERM):
        writ = Client(version=STATELESS)
        with writ:
            writ.request("server/discover")
            writ.signal(number)
            writ.wait()
            left = [os.path.join(at, name) for at, _, names in os.walk(writ.base) for name in names]
            equal(left, [])


run()
