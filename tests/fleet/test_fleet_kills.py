"""What dies: the server, agentd, the executor. One result for each host and request, and nothing runs twice."""
import os
import signal
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from household import Fleet, until  # noqa: E402
from cases import case, equal, holds, is_in, run  # noqa: E402

WAITS = ["sh", "-c", "echo x >>times; until test -e go; do sleep 0.05; done; echo done"]


def go(host):
    with open(host.path("go"), "w", encoding="utf-8"):
        pass


def begin(fleet, host, **changes):
    request = fleet.request(host.name, WAITS, **changes)
    fleet.give(host.name, fleet.sign(request))
    until(lambda: host.lines("times"), "it runs")
    return request["id"]


def one_result(fleet, host, order):
    result = fleet.wait_result(order, host.name)
    equal(len(fleet.messages("RES", f"writ.main.res.{order}.*")), 1)
    return result


@case("agentd dies in the middle of a run: the run goes on, and its result comes by the next one")
def _():
    with Fleet() as fleet:
        host = fleet.host("web1")
        order = begin(fleet, host)
        old = host.agentd()
        os.kill(old, signal.SIGKILL)
        go(host)
        result = one_result(fleet, host, order)
        equal(result["result"]["stdout"], "done\n")
        equal(host.lines("times"), ["x"])
        holds(host.agentd() not in (0, old), "there is a new one")


@case("the executor dies in the middle of a run: the run ends with it, is lost, and never runs again")
def _():
    with Fleet() as fleet:
        host = fleet.host("web1")
        order = begin(fleet, host)
        host.kill()
        host.start()
        result = one_result(fleet, host, order)
        equal(result["state"], "lost")
        is_in("nobody saw its end", result["error"]["message"])
        go(host)
        done = fleet.fleet("run", "--all", "--", "true")
        equal(done.status, 0, done)
        equal(host.lines("times"), ["x"])


@case("a run that says that it is idempotent runs again after that")
def _():
    with Fleet() as fleet:
        host = fleet.host("web1")
        order = begin(fleet, host, options={"idempotent": True, "cancels": ""})
        host.kill()
        go(host)
        host.start()
        result = one_result(fleet, host, order)
        equal(result["state"], "done")
        equal(host.lines("times"), ["x", "x"])


@case("the executor dies after the end of a run, before the server has the result: it is kept and published")
def _():
    with Fleet() as fleet:
        host = fleet.host("web1")
        order = begin(fleet, host)
        fleet.kill_server()
        go(host)
        ledger = os.path.join(host.state, "fleet", "host", "ledger")

        def is_done():
            text = ""
            for name in os.listdir(ledger):
                if name.endswith(".jsonl"):
                    with open(os.path.join(ledger, name), encoding="utf-8") as file:
                        text += file.read()
            return '"kind":"done"' in text
        until(is_done, "the end is in the ledger")
        host.kill()
        fleet.up()
        host.start()
        result = one_result(fleet, host, order)
        equal(result["result"]["stdout"], "done\n")
        equal(host.lines("times"), ["x"])


@case("the server dies between order and result: nothing is lost")
def _():
    with Fleet() as fleet:
        host = fleet.host("web1")
        order = begin(fleet, host)
        fleet.kill_server()
        fleet.up()
        go(host)
        one_result(fleet, host, order)
        equal(host.lines("times"), ["x"])
        until(host.is_there, "it answers again")


@case("SIGTERM ends the runs of a host, and their results are kept")
def _():
    with Fleet() as fleet:
        host = fleet.host("web1")
        order = begin(fleet, host)
        host.kill(signal.SIGTERM)
        host.start()
        equal(one_result(fleet, host, order)["result"]["outcome"], "cancelled")


@case("the operator dies: another one has the results")
def _():
    with Fleet() as fleet:
        host = fleet.host("web1")
        asking = fleet.begin("run", "--all", "--", *WAITS)
        until(lambda: host.lines("times"), "it runs")
        asking.kill()
        asking.communicate()
        go(host)
        order = fleet.fleet("status", "--json").json[-1]["id"]
        done = fleet.fleet("results", order, "--wait", "60s")
        equal(done.status, 0, done)
        is_in("done", done.out)


@case("Ctrl-C ends the wait, and the hosts go on")
def _():
    with Fleet() as fleet:
        host = fleet.host("web1")
        asking = fleet.begin("run", "--all", "--", *WAITS)
        until(lambda: host.lines("times"), "it runs")
        asking.send_signal(signal.SIGINT)
        out, err = asking.communicate(timeout=60)
        equal(asking.returncode, 5, (out, err))
        is_in("later: writ fleet results ", err)
        go(host)
        one_result(fleet, host, err.split("writ fleet results ")[1].split()[0])


@case("kills of every part, again and again, while orders come: one result each, nothing twice", full=True)
def _():
    with Fleet() as fleet:
        host = fleet.host("web1")
        orders = {}
        for number in range(60):
            request = fleet.request("web1", ["sh", "-c", f"echo {number} >>times"])
            orders[request["id"]] = number
            fleet.give("web1", fleet.sign(request))
            if number % 6 == 1:
                os.kill(host.agentd() or os.getpid(), signal.SIGKILL if host.agentd() else 0)
            elif number % 6 == 3:
                host.kill()
                host.start()
            elif number % 12 == 5:
                fleet.kill_server()
                fleet.up()
        for order in orders:
            one_result(fleet, host, order)
        times = host.lines("times")
        equal(len(times), len(set(times)), "runs twice")


run()
