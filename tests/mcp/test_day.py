#!/usr/bin/env python3
# A day of an agent: what agents and developers do, call by call, with the real
# programs, under the default policy and without anybody to ask.
import os

from cases import case, equal, holds, is_in, run
from household import Household, move_in, need

LISTENS = """import http.server, threading, unittest, urllib.request

class Test(unittest.TestCase):
    def test_it_is_served(self):
        server = http.server.HTTPServer(("127.0.0.1", 0), http.server.SimpleHTTPRequestHandler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with urllib.request.urlopen(f"http://127.0.0.1:{server.server_port}/") as answer:
            self.assertEqual(answer.status, 200)
        server.shutdown()
        server.server_close()
"""


def make_repository(home, path="project"):
    """A project with one commit, as a person made it."""
    place = os.path.join(home.home, path)
    os.makedirs(place, exist_ok=True)
    home.outside("git", "init", "-q", "-b", "main", place)
    home.outside("git", "-C", place, "config", "user.name", "a")
    home.outside("git", "-C", place, "config", "user.email", "a@example.org")
    with open(os.path.join(place, "a.txt"), "w", encoding="utf-8") as file:
        file.write("one\n")
    home.outside("git", "-C", place, "add", ".")
    home.outside("git", "-C", place, "commit", "-qm", "first")
    return place


@case("a script that one call writes to /tmp runs in the next")
def _():
    with Household() as home:
        home.run("cat >/tmp/x.py <<'EOF'\nprint(6 * 7)\nEOF")
        equal(home.run("python3 /tmp/x.py"), "42\n")
        equal(home.run("mktemp -d /var/tmp/x.XXXX | tee /tmp/name | wc -l; test -d $(cat /tmp/name)"), "1\n")


@case("a directory that one call moves to /tmp comes back in the next")
def _():
    with Household({"project/src/a.c": "int a;\n", "project/src/deep/b.c": "int b;\n"}) as home:
        home.run("mv src /tmp/bak")
        holds(not os.path.exists(os.path.join(home.project, "src")), "it was moved")
        equal(home.run("find /tmp/bak -type f | sort"), "/tmp/bak/a.c\n/tmp/bak/deep/b.c\n")
        home.run("mv /tmp/bak src")
        with open(os.path.join(home.project, "src/deep/b.c"), encoding="utf-8") as file:
            equal(file.read(), "int b;\n")


@case("a server of one call is asked by the next, and is gone when it is killed")
def _():
    need("curl")
    with Household({"project/index.html": "hello\n"}) as home:
        server = home.start("python3 -m http.server --bind 127.0.0.1 8000 >/tmp/server.log 2>&1 &", yield_ms=1)
        fetch = "curl -fsS --retry 50 --retry-delay 0 --retry-connrefused http://127.0.0.1:8000/index.html"
        equal(home.run(fetch), "hello\n")
        is_in("GET /index.html", home.run("cat /tmp/server.log"))
        home.kill(server)
        is_in("exit code 7", home.fail("curl -sS http://127.0.0.1:8000/"))


@case("a server without & runs on in the background with yield_ms 0")
def _():
    need("curl")
    with Household({"project/index.html": "hello\n"}) as home:
        server = home.start("python3 -m http.server --bind 127.0.0.1 8001", yield_ms=0)
        equal(home.run("curl -fsS --retry 50 --retry-delay 0 --retry-connrefused http://localhost:8001/"), "hello\n")
        home.kill(server)


@case("a test suite that listens on 127.0.0.1 passes")
def _():
    with Household({"project/test_it.py": LISTENS}) as home:
        home.run("python3 -m unittest -q test_it")


@case("a test suite of node that listens passes")
def _():
    need("node")
    test = """const test = require('node:test'), http = require('node:http'), assert = require('node:assert');
test('it is served', async () => {
  const server = http.createServer((_, answer) => answer.end('hello')).listen(0, '127.0.0.1');
  await new Promise(done => server.on('listening', done));
  const answer = await fetch(`http://127.0.0.1:${server.address().port}/`);
  assert.equal(await answer.text(), 'hello');
  server.close();
});
"""
    with Household({"project/it.test.js": test}) as home:
        is_in("pass 1", home.run("node --test it.test.js"))


@case("git commits in a linked work tree")
def _():
    need("git")
    with Household(project="main") as home:
        make_repository(home, "main")
        home.outside("git", "worktree", "add", "-q", "../tree", "-b", "feature")
        home.project = os.path.join(home.home, "tree")
        home.run("echo two >b.txt && git add b.txt && git commit -qm second")
        equal(home.run("git status --short; git log -1 --format=%s"), "second\n")
        equal(home.outside("git", "log", "-1", "--format=%s", "feature", cwd=os.path.join(home.home, "main")), "second\n")


@case("git makes a linked work tree in the project, and works there")
def _():
    need("git")
    with Household() as home:
        make_repository(home)
        home.run("git worktree add -q wt -b other && cd wt && echo two >b.txt && git add b.txt && git commit -qm second")
        equal(home.run("git log -1 --format=%s && git worktree list | wc -l"), "second\n2\n")


@case("git does what it does daily: branches, settings, remotes, a push to a path")
def _():
    need("git")
    with Household() as home:
        make_repository(home, "upstream")
        home.outside("git", "clone", "-q", "../upstream", ".")
        home.run("git checkout -q -b feature origin/main && git branch -m renamed && git config user.name b")
        home.run("git config user.email b@example.org && git remote add fork https://example.org/x.git")
        equal(home.run("git branch --show-current; git remote; git config user.name"), "renamed\nfork\norigin\nb\n")
        home.run("echo two >a.txt && git commit -qam \"$(cat <<'EOF'\nsecond\n\nwhy\nEOF\n)\"")
        home.run("git rebase -q main && git tag v1 && git stash list && git diff main --stat")
        home.run("git init -q --bare /tmp/there.git && git push -q /tmp/there.git renamed")
        equal(home.run("git -C /tmp/there.git log -1 --format='%an %s' renamed"), "b second\n")
        equal(home.outside("git", "log", "-1", "--format=%an %s", "renamed"), "b second\n")


@case("a venv in the project is made, entered and used")
def _():
    with Household({"project/test_it.py": LISTENS}) as home:
        home.run("python3 -m venv --without-pip --system-site-packages venv")
        equal(home.run(". venv/bin/activate && python -c 'import sys; print(sys.prefix)'"), f"{home.project}/venv\n")
        home.run("venv/bin/python -m unittest -q test_it")


@case("a venv in HOME is entered and used")
def _():
    with Household({"project/test_it.py": LISTENS}) as home:
        home.outside("/usr/bin/python3", "-m", "venv", "--without-pip", os.path.join(home.home, "venvs/x"))
        equal(home.run(". ~/venvs/x/bin/activate && python -c 'import sys; print(sys.prefix)'"), f"{home.home}/venvs/x\n")
        home.run("~/venvs/x/bin/python -m unittest -q test_it")


move_in()
run()
