"""Orders that are not to be done: refused with the reason, recorded on both sides, 0 executed."""
import json
import os
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from household import Fleet, new_id, until  # noqa: E402
from cases import case, equal, holds, is_in, run  # noqa: E402

TOUCH = ["touch", "ran"]


def refused(fleet, host, order, why, id_of=None):
    """Gives it to the host; waits until the operator is told why; nothing ran, and the host's trail has it."""
    before = len(fleet.events(host.name))
    fleet.give(host.name, order)
    told = until(lambda: [row for row in fleet.events(host.name)[before:] if row["state"] == "refused"],
                 f"{host.name} tells a refusal: {why}")
    is_in(why, told[0]["error"]["message"])
    done = host.writ("audit", "list", "--json")
    is_in(why.replace('"', '\\"'), done.out + host.writ("audit", "export").out)
    holds(not host.has("ran"), f"it ran: {why}")
    if id_of is not None:
        equal(fleet.results(id_of).get(host.name, {}).get("state"), "refused")
    return told[0]


@case("forged, foreign, truncated, flipped, expired, early, misdirected, not allowed: refused and recorded, 0 executed")
def _():
    with Fleet() as fleet:
        host = fleet.host("web1")
        now = int(time.time() * 1000)
        good = fleet.sign(fleet.request("web1", TOUCH))
        equal(fleet.fleet("key", "new", "stranger").status, 0)
        refused(fleet, host, fleet.sign(fleet.request("web1", TOUCH), fleet.key("stranger")), "is not known here")
        head, body = good.split(b"\n", 1)
        stranger = fleet.sign(body.decode(), fleet.key("stranger")).split(b"\n", 1)[0]
        forged = b" ".join(head.split(b" ")[:2] + stranger.split(b" ")[2:]) + b"\n" + body
        refused(fleet, host, forged, "the signature is not that of the key 'default'")
        refused(fleet, host, good[:-1], "the signature is not that of")
        refused(fleet, host, good[:40], "are no order")
        refused(fleet, host, b"{}", "are no order")
        for at in (20, 60, len(head) + 20, len(good) - 3):
            flipped = bytearray(good)
            flipped[at] ^= 1
            refused(fleet, host, bytes(flipped), "")
        request = fleet.request("web1", TOUCH, not_before=now - 120000, expires=now - 60000)
        told = refused(fleet, host, fleet.sign(request), "it expired at ", request["id"])
        is_in(", and the clock here says ", told["error"]["message"])
        request = fleet.request("web1", TOUCH, not_before=now + 3600000, expires=now + 7200000)
        refused(fleet, host, fleet.sign(request), "it is not valid before", request["id"])
        request = fleet.request("web1", TOUCH, collective="other")
        refused(fleet, host, fleet.sign(request), "for the collective 'other'", request["id"])
        refused(fleet, host, fleet.sign(fleet.request("web2", TOUCH)), "it is for other hosts")
        loose = json.dumps(fleet.request("web1", TOUCH))
        refused(fleet, host, fleet.sign(loose), "not the canonical one")
        refused(fleet, host, fleet.sign(json.dumps(dict(fleet.request("web1", TOUCH), more=1), separators=(",", ":"))),
                "unknown key 'more'")
        request = fleet.request("web1", TOUCH, kind="ping", request=None)
        refused(fleet, host, fleet.sign(request), "ping and facts are not queued", request["id"])
        # After all of it the host does what it should.
        fleet.give("web1", good)
        until(lambda: host.has("ran"), "the good one runs")


@case("an order that comes twice runs once; its id cannot be used for another")
def _():
    with Fleet() as fleet:
        host = fleet.host("web1")
        request = fleet.request("web1", ["sh", "-c", "echo x >>times"])
        order = fleet.sign(request)
        fleet.give("web1", order)
        fleet.wait_result(request["id"], "web1")
        for _ in range(3):
            fleet.give("web1", order)
        until(lambda: len([row for row in fleet.events("web1") if row["state"] == "repeated"]) == 3, "three are known")
        other = fleet.sign(dict(request, request={"argv": TOUCH}))
        refused(fleet, host, other, "its id is that of another order")
        host.kill()
        host.start()
        fleet.give("web1", order)
        until(lambda: len([row for row in fleet.events("web1") if row["state"] == "repeated"]) == 4,
              "it is known after a new start")
        equal(host.lines("times"), ["x"])
        equal(len(fleet.results(request["id"])), 1)


@case("a key orders what it may; revoked, it orders nothing, not even what waits already")
def _():
    with Fleet() as fleet:
        host = fleet.host("web1")
        public = fleet.fleet("key", "new", "looker").out.strip()
        equal(host.writ("fleet", "key", "trust", "--may", "ping,facts", "looker", public).status, 0)
        equal(fleet.fleet("ping", "--key", "looker").status, 0)
        request = fleet.request("web1", TOUCH, **{"from": "looker"})
        refused(fleet, host, fleet.sign(request, fleet.key("looker")), "the key 'looker' may not order 'run' here",
                request["id"])
        # Eight sleep, the ninth waits for a place.
        sleeper = fleet.request("web1", ["sleep", "600"])
        sleepers = [dict(sleeper, id=new_id()) for _ in range(8)]
        for one in sleepers:
            fleet.give("web1", fleet.sign(one))
        until(lambda: len([row for row in fleet.events("web1") if row["state"] == "started"]) == 8, "eight run")
        waits = fleet.request("web1", TOUCH)
        fleet.give("web1", fleet.sign(waits))
        until(lambda: [row for row in fleet.events("web1", waits["id"]) if row["state"] == "received"], "it waits")
        equal(host.writ("fleet", "key", "revoke", "default").status, 0)
        equal(fleet.fleet("ping", "--wait", "1s").status, 5)
        refused(fleet, host, fleet.sign(fleet.request("web1", TOUCH)), "is revoked since")
        host.kill()
        host.start()
        equal(fleet.wait_result(waits["id"], "web1")["state"], "refused")
        holds(not host.has("ran"), "it ran")
        done = host.writ("fleet", "key", "trust", "again", fleet.fleet("key", "show", "default").out.strip())
        equal(done.status, 1, done)
        is_in("was revoked", done.err)


@case("an order says what to run, and nothing that belongs to the host")
def _():
    with Fleet() as fleet:
        host = fleet.host("web1")
        for name, value in (("agent", "root"), ("user", "root"), ("approval", "x"), ("session", "x"), ("secrets", ["x"]),
                            ("background", "keep"), ("best_effort", True)):
            request = fleet.request("web1", TOUCH, request={"argv": TOUCH, name: value})
            fleet.give("web1", fleet.sign(request))
            result = fleet.wait_result(request["id"], "web1")
            equal(result["state"], "denied")
            is_in(f"an order cannot say '{name}'", result["error"]["message"])
        holds(not host.has("ran"), "it ran")


@case("the server lets a host speak for itself alone, order nothing, and see no other's work")
def _():
    with Fleet() as fleet:
        fleet.host("web1")
        thief = fleet.host("db1")
        nkey = os.path.join(thief.state, "fleet", "host", "nkey") + ",db1"
        order = new_id()
        holds(fleet.publish(f"writ.main.res.{order}.web1", b'{"state":"done"}', nkey) != "stored", "it lied for web1")
        equal(fleet.results(order), {})
        holds(fleet.publish("writ.main.work.web1", b"x", nkey) != "stored", "it ordered")
        fleet.publish("writ.main.req.all", fleet.sign(fleet.request("web1", TOUCH)), nkey, "send")
        holds(fleet.publish("$KV.HOSTS_main.evil", b"{}", nkey) != "stored", "it made a host")
        equal([row["host"] for row in fleet.fleet("nodes", "--json").json], ["db1", "web1"])


@case("a trust.json that others can write makes the host refuse everything")
def _():
    with Fleet() as fleet:
        host = fleet.host("web1")
        os.chmod(os.path.join(host.state, "fleet", "host", "trust.json"), 0o666)
        equal(fleet.fleet("ping", "--wait", "1s").status, 5)
        order = fleet.sign(fleet.request("web1", TOUCH))
        refused(fleet, host, order, "others can write")


@case("a flood of forged orders does not fill the trail")
def _():
    with Fleet() as fleet:
        host = fleet.host("web1")
        for _ in range(150):
            fleet.give("web1", b"x" * 300)
        until(lambda: host.is_there(), "it still answers")
        holds(len(fleet.events("web1")) <= 130, "each was told")


run()
