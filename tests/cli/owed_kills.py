#!/usr/bin/env python3
"""Applies are killed, interrupted and made to fail; no refresh may be lost.

  owed_kills.py sweep FOLDER PAIRS      a kill at each interesting system call
  owed_kills.py random FOLDER KILLS     kills at random, and other trouble

Each resource is a file; the command that subscribes to it copies the file,
which stands for a service that reads it when it starts. Whatever happened in
between: once an apply succeeds, each copy must be equal to its file.
"""
import json
import os
import random
import signal
import subprocess
import sys
import time

WRIT = os.environ["WRIT"]
mode, folder = sys.argv[1:3]
manifest = folder + "/owed.yaml"
CALLS = ("fsync", "fdatasync", "linkat", "renameat2", "write", "pwrite64")


def write_manifest(count, fails=False):
    with open(manifest, "w", encoding="utf-8") as out:
        out.write("ccm:\n")
        if fails:
            out.write("  fail_on_error: true\n")
        out.write("  resources:\n    - file:\n")
        for i in range(count):
            out.write(f"        - {folder}/conf{i}: {{ content: \"{{{{ Facts.v }}}} {i}\\n\" }}\n")
        out.write("    - exec:\n")
        for i in range(count):
            # It fails while "broken" has a number above 0, and counts down.
            out.write(
                f"        - restart{i}: {{ provider: shell, refreshonly: true, "
                f"subscribe: [\"file#{folder}/conf{i}\"], command: "
                f"'n=$(cat {folder}/broken{i} 2>/dev/null || echo 0); "
                f"if test $n -gt 0; then echo $((n - 1)) >{folder}/broken{i}; exit 1; fi; "
                f"cp {folder}/conf{i} {folder}/running{i}; echo x >>{folder}/log{i}' }}\n")


def command(version, *options):
    return [WRIT, "apply", *options, "--fact", f"v={version}", manifest]


def read(name):
    try:
        with open(f"{folder}/{name}", encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return None


def session():
    parent = os.environ["WRIT_STATE_DIR"] + "/sessions"
    return sorted(os.listdir(parent))[-1]


def apply(version, *options, wanted=0):
    done = subprocess.run(command(version, *options), capture_output=True, text=True, timeout=120)
    assert wanted is None or done.returncode == wanted, (options, done.returncode, done.stdout, done.stderr)
    return done


def check(count, version, most=None):
    for i in range(count):
        assert read(f"conf{i}") == f"v{version} {i}\n", (i, read(f"conf{i}"))
        assert read(f"running{i}") == read(f"conf{i}"), f"the refresh of {i} is lost: runs {read(f'running{i}')!r}"
        times = len((read(f"log{i}") or "").split())
        assert most is None or times <= most, f"{i} was refreshed {times} times"
    listed = subprocess.run([WRIT, "session", "owed", "--json"], capture_output=True, text=True, check=True)
    assert json.loads(listed.stdout) == [], listed.stdout


def forget_logs(count):
    for i in range(count):
        if os.path.exists(f"{folder}/log{i}"):
            os.unlink(f"{folder}/log{i}")


def sweep(pairs):
    write_manifest(pairs)
    version = kills = 0
    environ = dict(os.environ)
    environ["ASAN_OPTIONS"] = environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"
    apply("v0")
    for call in CALLS:
        for when in range(1, 200):
            version += 1
            forget_logs(pairs)
            before = session()
            done = subprocess.run(
                ["strace", "-qq", "-o", "/dev/null", "-e", "trace=" + call, "-e",
                 f"inject={call}:signal=SIGKILL:when={when}", *command(f"v{version}")],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environ, timeout=120)
            if done.returncode == 0:
                break
            kills += 1
            # By turns as a new apply, and as the same one.
            if version % 2 == 0 and session() != before:
                apply(f"v{version}", "--resume", session(), wanted=None)
            apply(f"v{version}")
            check(pairs, version, most=2)
        else:
            raise AssertionError(f"{call} has no end")
    print(f"{kills} kills, nothing lost")


def disturb(process, count, version):
    """One kind of trouble while an apply is under way; whether it was a kill."""
    moment = random.random() * count * 0.02
    try:
        process.wait(moment)
        return False
    except subprocess.TimeoutExpired:
        pass
    if random.random() < 0.15:
        process.send_signal(signal.SIGINT)
        process.wait(60)
        return False
    process.kill()
    process.wait(60)
    return True


def options_of(count):
    turn = random.random()
    if turn < 0.35:
        return ["--resume", session()]
    if turn < 0.5:
        i = random.randrange(count)
        return ["--only", random.choice([f"file#{folder}/conf{i}", f"exec#restart{i}"])]
    return []


def at_random(kills_wanted):
    count, kills, rounds, version = 12, 0, 0, 0
    given = os.environ.get("WRIT_TEST_SEED", "clock")
    seed = time.time_ns() % 1000000 if given == "clock" else int(given)
    print(f"seed {seed}")
    random.seed(seed)
    while kills < kills_wanted:
        rounds += 1
        version += 1
        write_manifest(count, fails=random.random() < 0.3)
        for i in range(count):
            with open(f"{folder}/broken{i}", "w", encoding="utf-8") as out:
                out.write("2\n" if random.random() < 0.15 else "0\n")
        options = []
        for _ in range(random.randint(1, 6)):
            process = subprocess.Popen(command(f"v{version}", *options),
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            kills += disturb(process, count, version)
            options = options_of(count)
        # With restarts that fail twice, and fail_on_error, it may take some.
        for _ in range(3 * count):
            if apply(f"v{version}", wanted=None).returncode == 0:
                break
        check(count, version)
    print(f"{kills} kills in {rounds} rounds, nothing lost")


if mode == "sweep":
    sweep(int(sys.argv[3]))
else:
    at_random(int(sys.argv[3]))
