#!/usr/bin/env python3
# An agent at work: the scenes of agent.py in both eras, then by turns for as long
# as WRIT_AGENT_SECONDS says (0), and what the trail has of it.
import json
import os
import random
import shutil
import tempfile
import time

from agent import Agent
from cases import case, equal, holds, run
from client import NEWEST, STATELESS, is_sanitized

# Not in /tmp, of which a sandbox has one of its own.
BASE = tempfile.mkdtemp(prefix="writ-agent-", dir=os.environ.get("TMPDIR", "/var/tmp"))
AGENTS = {version: Agent(version, os.path.join(BASE, version)) for version in (NEWEST, STATELESS)}
SECONDS = float(os.environ.get("WRIT_AGENT_SECONDS", "0"))


def named(scene):
    return "an agent " + scene.__name__.replace("_", " ")


for version, agent in AGENTS.items():
    for scene in Agent.SCENES:
        case(f"{version}: {named(scene)}")(lambda agent=agent, scene=scene: scene(agent))


@case("the scenes in any order, for as long as was asked for")
def _():
    until = time.monotonic() + SECONDS
    seed = int(os.environ.get("WRIT_AGENT_SEED", random.randrange(10 ** 6)))
    order = random.Random(seed)
    while time.monotonic() < until:
        agent = order.choice(list(AGENTS.values()))
        scene = order.choice(Agent.SCENES)
        try:
            scene(agent)
        except Exception as error:
            raise AssertionError(f"{scene.__name__} with seed {seed}") from error


@case("memory does not grow with the work")
def _():
    most = 1024 * 1024 if is_sanitized() else 32 * 1024
    for agent in AGENTS.values():
        holds(agent.writ.memory() < most, f"{agent.writ.memory()} KiB")


@case("it ends at once, and says nothing on standard error")
def _():
    for agent in AGENTS.values():
        began = time.monotonic()
        equal(agent.close(), 0)
        holds(time.monotonic() - began < 5, "it took its time")
        equal(agent.writ.stderr(), "")


@case("the trail is whole, and has exactly these runs")
def _():
    for agent in AGENTS.values():
        verified = agent.writ.writ("audit", "verify")
        equal(verified.returncode, 0, verified.stdout + verified.stderr)
        listed = agent.writ.writ("audit", "list", "-n", "0", "--json")
        runs = json.loads(listed.stdout)
        ledger = agent.ledger
        started = {one["run_id"]: one["outcome"] for one in runs if one["run_id"] in ledger.outcomes}
        equal(started, ledger.outcomes)
        others = [one["outcome"] for one in runs if one["run_id"] not in ledger.outcomes]
        equal(others.count("cancelled"), ledger.cancelled, "cancelled")
        equal(len(others) - ledger.cancelled, ledger.refused, f"refused: {others}")


try:
    run()
finally:
    for agent in AGENTS.values():
        agent.close()
    shutil.rmtree(BASE, ignore_errors=True)
