"""Orders to hosts, and what comes back."""
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from household import Fleet, WRIT, until  # noqa: E402
from cases import case, equal, holds, is_in, run  # noqa: E402


@case("writ itself never loads the library of NATS")
def _():
    done = subprocess.run(["ldd", WRIT], capture_output=True, text=True, check=False)
    holds("libnats" not in done.stdout, done.stdout)


@case("two hosts: ping, facts, a run, grouped results, exit statuses")
def _():
    with Fleet() as fleet:
        fleet.host("web1", "--tag", "web")
        fleet.host("db1")
        done = fleet.fleet("ping")
        equal(done.status, 0, done)
        is_in("db1: there", done.out)
        is_in("web1: there", done.out)
        done = fleet.fleet("facts", "kernel.name")
        equal((done.status, done.out), (0, "db1 web1: Linux\n"), done)
        done = fleet.fleet("run", "--all", "--", "printf", "a\\nb")
        equal(done.status, 0, done)
        is_in("db1 web1: exited 0 (2 hosts)\n  a\n  b\n", done.out)
        done = fleet.fleet("run", "--where", "Facts.tags.web", "--", "pwd")
        equal(done.status, 0, done)
        is_in("1 good, 0 failed, 0 missing, 1 skipped", done.out)
        is_in(fleet.hosts[0].base, done.out)
        done = fleet.fleet("run", "--host", "db1", "--shell", "exit 3", "--json")
        equal(done.status, 4, done)
        equal(done.json["results"]["db1"]["result"]["exit_code"], 3)
        equal(done.json["results"]["db1"]["key"], "default")
        done = fleet.fleet("run", "--host", "nobody", "--", "true")
        equal(done.status, 1, done)
        is_in("there is no host 'nobody'", done.err)
        equal(fleet.fleet("run", "--", "true").status, 2)
        done = fleet.fleet("doctor", "--json")
        equal([row for row in done.json if not row["ok"]], [])


@case("a command that a host's policy denies is a failure there, with its rule, and runs nowhere")
def _():
    with Fleet() as fleet:
        path = os.path.join(fleet.dir, "policy.yaml")
        with open(path, "w", encoding="utf-8") as file:
            file.write("version: 1\ndefault: allow\nagents:\n  'fleet:default':\n    rules:\n"
                       "      - deny: { program: touch }\n")
        os.chmod(path, 0o644)
        host = fleet.host("web1", policy=path)
        done = fleet.fleet("run", "--all", "--json", "--", "touch", "ran")
        equal(done.status, 4, done)
        result = done.json["results"]["web1"]
        equal((result["state"], result["error"]["code"]), ("denied", "denied"), result)
        holds(not host.has("ran"), "it ran")


@case("what a host writes is harmless on the operator's terminal")
def _():
    with Fleet() as fleet:
        fleet.host("web1")
        done = fleet.fleet("run", "--all", "--", "printf", "\\033]0;title\\007\\033[2Jx")
        holds("\033" not in done.out, done.out)


@case("a host that is off does queued work when it comes back, once; other orders name it as missing")
def _():
    with Fleet() as fleet:
        host = fleet.host("web1")
        host.kill()
        done = fleet.fleet("run", "--all", "--wait", "1s", "--expires", "1s", "--", "sh", "-c", "echo now >>ran")
        equal(done.status, 5, done)
        is_in("web1: no answer yet", done.out)
        late = done.out.split("order ")[1].split(":")[0]
        order = fleet.fleet("run", "--all", "--queued", "--no-wait", "--", "sh", "-c", "echo queued >>ran").out.strip()
        host.start()
        fleet.wait_result(order, "web1")
        equal(host.lines("ran"), ["queued"])
        until(lambda: fleet.results(late).get("web1"), "the late one is refused")
        result = fleet.results(late)["web1"]
        equal(result["state"], "refused")
        is_in("it expired at ", result["error"]["message"])
        is_in("the clock here says", result["error"]["message"])
        equal(fleet.fleet("results", order).status, 0)
        is_in(order, fleet.fleet("status").out)
        equal(fleet.fleet("status", order).status, 0)


@case("cancel: what waits does not begin, what runs ends, what has not come never runs")
def _():
    with Fleet() as fleet:
        host = fleet.host("web1")
        order = fleet.fleet("run", "--all", "--no-wait", "--", "sh", "-c", "touch began; sleep 600").out.strip()
        until(lambda: host.has("began"), "it began")
        done = fleet.fleet("cancel", order)
        equal(done.status, 0, done)
        result = fleet.wait_result(order, "web1")
        equal(result["result"]["outcome"], "cancelled")
        host.kill()
        order = fleet.fleet("run", "--all", "--queued", "--no-wait", "--", "touch", "never").out.strip()
        # The cancel is handed over behind it; before it is for an id that is not known yet.
        cancel = fleet.sign(fleet.request("web1", [], kind="cancel", request=None,
                                          options={"idempotent": False, "cancels": "01" + "Z" * 24}))
        fleet.give("web1", cancel)
        fleet.give("web1", fleet.sign(fleet.request("web1", ["touch", "buried"], id="01" + "Z" * 24)))
        host.start()
        until(lambda: host.has("never"), "it came first")
        until(lambda: [row for row in fleet.events("web1") if "cancelled" in json.dumps(row)], "the buried one is refused")
        holds(not host.has("buried"), "it ran")
        equal(fleet.results("01" + "Z" * 24)["web1"]["state"], "cancelled")


@case("a canary that fails stops the rest; batches stop after too many failures")
def _():
    with Fleet() as fleet:
        hosts = [fleet.host(f"h{number}") for number in range(1, 5)]
        os.mkdir(hosts[0].path("bad"))
        done = fleet.fleet("run", "--all", "--canary", "1", "--", "sh", "-c", "touch ran; test ! -d bad")
        equal(done.status, 4, done)
        equal([host.has("ran") for host in hosts], [True, False, False, False], done)
        is_in("3 hosts were not handed the order", done.err)
        os.rmdir(hosts[0].path("bad"))
        os.mkdir(hosts[1].path("bad"))
        done = fleet.fleet("run", "--all", "--canary", "1", "--batch", "25%", "--", "sh", "-c", "touch two; test ! -d bad")
        equal([host.has("two") for host in hosts], [True, True, False, False], done)
        done = fleet.fleet("run", "--all", "--batch", "2", "--max-failures", "1", "--", "sh", "-c",
                           "touch three; test ! -d bad")
        equal([host.has("three") for host in hosts], [True] * 4, done)
        done = fleet.fleet("run", "--all", "--limit", "2", "--", "true")
        is_in("2 good, 0 failed, 0 missing, 0 skipped", done.out)


run()
