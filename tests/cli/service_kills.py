#!/usr/bin/env python3
"""A service is brought up from nothing, changed, killed and resumed.

  service_kills.py KILLS     in a copy of a Debian machine, see machine_copy

The package, its repository, dpkg, useradd and the rest are real; systemctl is a
stand-in, since no systemd runs in the copy.
"""
import json
import os
import random
import shutil
import subprocess
import sys
import time

WRIT = os.environ["WRIT"]
HERE = os.path.dirname(os.path.abspath(__file__))
SITE = os.environ["WRIT_SOURCE"] + "/examples/manifests/service/site.yaml"
SESSIONS = os.environ["WRIT_STATE_DIR"] + "/sessions"
VERSIONS = ("1.0", "2.0")

# What the service does: it says whether a configuration is right, changes what
# an older version wrote, and reads its configuration when it starts.
SHOPD = """#!/bin/sh
set -eu
case $1 in
--check) ! grep -q broken "$2" ;;
--migrate) echo VERSION >>"$2/migrations" ;;
*) cat "$1" >/tmp/shop-runs-with && echo VERSION >>/tmp/shop-runs-with ;;
esac
"""


def run(*words, **more):
    return subprocess.run(words, check=True, capture_output=True, text=True, **more).stdout


def make_repository():
    for folder in ("/etc/apt/sources.list.d", "/var/lib/apt/lists", "/etc/apt/apt.conf.d"):
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
    os.makedirs("/repo")
    with open("/etc/apt/sources.list", "w", encoding="utf-8") as out:
        out.write("deb [trusted=yes] file:/repo ./\n")
    for version in VERSIONS:
        root = f"/tmp/shopd-{version}"
        os.makedirs(root + "/DEBIAN")
        os.makedirs(root + "/usr/bin")
        control = (f"Package: shopd\nVersion: {version}\nArchitecture: all\n"
                   "Maintainer: x <x@example.com>\nDescription: a shop\n")
        with open(root + "/DEBIAN/control", "w", encoding="utf-8") as out:
            out.write(control)
        with open(root + "/usr/bin/shopd", "w", encoding="utf-8") as out:
            out.write(SHOPD.replace("VERSION", version))
        os.chmod(root + "/usr/bin/shopd", 0o755)
        name = f"/repo/shopd_{version}.deb"
        run("dpkg-deb", "-b", root, name)
        digest = run("sha256sum", name).split()[0]
        with open("/repo/Packages", "a", encoding="utf-8") as out:
            out.write(f"{control}Filename: ./shopd_{version}.deb\nSize: {os.path.getsize(name)}\nSHA256: {digest}\n\n")
    shutil.copy(HERE + "/systemctl_stand_in", "/usr/bin/systemctl")
    if os.path.exists("/usr/bin/journalctl"):
        os.unlink("/usr/bin/journalctl")


def wipe():
    """Back to nothing."""
    subprocess.run(["dpkg", "--purge", "--force-all", "shopd"], capture_output=True, check=False)
    for command in (["userdel", "shop"], ["groupdel", "shop"]):
        subprocess.run(command, capture_output=True, check=False)
    for path in ("/etc/shop", "/var/lib/shop", "/var/lib/units"):
        shutil.rmtree(path, ignore_errors=True)
    for path in ("/etc/systemd/system/shop.service", "/tmp/shop-runs-with"):
        if os.path.exists(path):
            os.unlink(path)


def words(version, port, *options):
    return [WRIT, "apply", *options, "--fact", f"version={version}", "--fact", f"port={port}", SITE]


def apply(version, port, *options):
    done = subprocess.run(words(version, port, "--json", *options), capture_output=True, text=True, timeout=120, check=False)
    summary = json.loads(done.stdout.splitlines()[-1]) if done.stdout else {}
    return done, summary


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def check(version, port, most):
    wanted = f"# made by writ\nsite blog {{\n    listen 8001;\n}}\nsite shop {{\n    listen {port} tls;\n}}\n"
    assert read("/etc/shop/sites.conf") == wanted, read("/etc/shop/sites.conf")
    # It was restarted since the last change of its package and configuration.
    assert read("/tmp/shop-runs-with") == wanted + version + "\n", read("/tmp/shop-runs-with")
    assert run("dpkg-query", "-W", "-f", "${Version} ${db:Status-Abbrev}", "shopd") == version + " ii "
    assert run("id", "-gn", "shop") == "shop\n"
    assert run("stat", "-c", "%U %a", "/var/lib/shop") == "shop 750\n"
    assert run("systemctl", "show", "shop").count("=active\n") == 1
    assert "UnitFileState=enabled" in run("systemctl", "show", "shop")
    migrations = read("/var/lib/shop/migrations").split()
    assert migrations[-1] == version and 1 <= migrations.count(version) <= most, migrations
    assert not os.path.exists("/etc/shop/.sites.conf.writ-check")
    assert json.loads(run(WRIT, "session", "owed", "--json")) == []


def bring_up(version, port):
    """Until it succeeds; a kill may have left dpkg half done."""
    for _ in range(6):
        done, summary = apply(version, port)
        if done.returncode == 0:
            return summary
    # What the commands of the last resource wrote says why.
    said = ""
    for line in done.stdout.splitlines():
        for one in json.loads(line).get("run_ids", []):
            said += subprocess.run([WRIT, "output", one], capture_output=True, text=True, check=False).stdout[-2000:]
    raise AssertionError(done.stdout + done.stderr + said)


def without_kills():
    done, summary = apply("1.0", 8002, "--noop")
    assert done.returncode == 0 and summary["changed_resources"] >= 8, done.stdout + done.stderr
    assert not os.path.exists("/etc/shop")
    done, summary = apply("1.0", 8002)
    assert done.returncode == 0 and summary["changed_resources"] == 9, done.stdout + done.stderr
    check("1.0", 8002, 1)
    done, summary = apply("1.0", 8002)
    assert done.returncode == 0 and summary["changed_resources"] == 0, done.stdout
    log = read("/var/lib/units/log")
    # A new port is a restart, and no migration; a new version is both.
    done, summary = apply("1.0", 8003)
    assert summary["changed_resources"] == 2, done.stdout
    check("1.0", 8003, 1)
    assert read("/var/lib/units/log")[len(log):] == "restart shop\n"
    done, summary = apply("2.0", 8003)
    assert summary["changed_resources"] == 3, done.stdout
    check("2.0", 8003, 1)
    assert read("/var/lib/shop/migrations") == "1.0\n2.0\n"
    # What is not right does not get there.
    done, summary = apply("2.0", "broken")
    assert done.returncode == 4 and "listen 8003 tls" in read("/etc/shop/sites.conf"), done.stdout
    assert apply("2.0", 8003)[1]["changed_resources"] == 0


def with_kills(wanted):
    kills, turns, port = 0, 0, 9000
    longest = 0.5
    while kills < wanted:
        turns += 1
        port += 1
        version = random.choice(VERSIONS)
        if turns % 3 == 1:
            wipe()
        done_before = 0
        options = []
        for _ in range(random.randint(1, 4)):
            begun = time.monotonic()
            process = subprocess.Popen(words(version, port, *options),
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                process.wait(random.random() * longest)
                longest = max(0.2, 0.7 * longest + 0.3 * (time.monotonic() - begun))
                break
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait(60)
                kills += 1
                done_before += 1
                longest *= 1.05
            if random.random() < 0.6:
                options = ["--resume", sorted(os.listdir(SESSIONS))[-1]]
            else:
                options = []
        bring_up(version, port)
        check(version, port, 1 + done_before + turns)
        done, summary = apply(version, port)
        assert done.returncode == 0 and summary["changed_resources"] == 0, done.stdout
    print(f"{kills} kills in {turns} turns")


def main():
    seed = os.environ.get("WRIT_TEST_SEED", "clock")
    seed = time.time_ns() % 1000000 if seed == "clock" else int(seed)
    print("seed", seed)
    random.seed(seed)
    make_repository()
    without_kills()
    with_kills(int(sys.argv[1]))


if __name__ == "__main__":
    main()
