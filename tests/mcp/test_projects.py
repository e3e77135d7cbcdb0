#!/usr/bin/env python3
# A scripted agent that has no tool but writ's mends a failing test in a real
# project, with the language's own tools and without anybody to ask: it looks
# around, runs the tests, edits, runs them again, starts a server in one call and
# asks it in the next, works in a linked work tree and commits there. At the end
# the trail is whole and has each of its runs.
import json
import os

from cases import case, equal, holds, is_in, run, skip
from client import text_of
from household import Household, move_in, need, rust


class Project:
    """files: path -> text. What is wrong with it, and how it is mended."""

    def __init__(self, files, test, wrong, edit, serve, served):
        self.files = files
        self.test = test        # the command
        self.wrong = wrong      # what a failing one says
        self.edit = edit        # path, old, new
        self.serve = serve      # the command that goes on; on 127.0.0.1:8080
        self.served = served    # what it answers then


def looks_around(home, project):
    names = [tool["name"] for tool in home.agent().request("tools/list")["tools"]]
    for name in ("exec", "read", "edit"):
        is_in(name, names)
    is_in(project.edit[0], home.run("git ls-files; git status --short"))
    is_in(project.edit[1].split("\n")[0], text_of(home.writ.call("read", path=project.edit[0])))


def mends_it(home, project):
    is_in(project.wrong, home.fail(project.test))
    path, old, new = project.edit
    result = home.writ.call("edit", path=path, old_string=old, new_string=new)
    holds(not result.get("isError"), text_of(result))
    home.run(project.test)


def asks_its_server(home, project):
    server = home.start(project.serve, yield_ms=1)
    equal(home.run("curl -fsS --retry 200 --retry-delay 0 --retry-max-time 60 --retry-connrefused http://127.0.0.1:8080/"),
          project.served)
    home.kill(server)


def works_in_a_tree(home, project):
    """And commits in it; what it mended goes along as a patch by way of /tmp."""
    home.run("git diff >/tmp/mend.patch && git worktree add -q tree -b mend && cd tree && git apply /tmp/mend.patch")
    home.run(project.test)
    home.run("git commit -qam 'mended' && git log -1 --format=%s")
    equal(home.run("cd .. && git log -1 --format=%s mend"), "mended\n")
    equal(home.outside("git", "log", "-1", "--format=%an: %s", "mend"), "a: mended\n")


def trail_is_whole(home):
    verified = home.writ.writ("audit", "verify")
    equal(verified.returncode, 0, verified.stdout + verified.stderr)
    runs = {one["run_id"]: one["outcome"] for one in json.loads(home.writ.writ("audit", "list", "-n", "0", "--json").stdout)}
    equal({name: runs.get(name) for name in home.runs}, home.runs)
    holds(all(outcome in ("exited", "cancelled") for outcome in runs.values()), runs)


def mend(project, before=None, path=None):
    need("git", "curl", "bash")
    files = {os.path.join("project", path): text for path, text in project.files.items()}
    with Household(files, options=("--tools", "files")) as home:
        if path is not None:
            home.env["PATH"] += ":" + path
        home.outside("git", "init", "-q", "-b", "main")
        home.outside("git", "config", "user.name", "a")
        home.outside("git", "config", "user.email", "a@example.org")
        home.outside("git", "add", ".")
        home.outside("git", "commit", "-qm", "first")
        if before is not None:
            before(home)
        looks_around(home, project)
        mends_it(home, project)
        asks_its_server(home, project)
        works_in_a_tree(home, project)
        trail_is_whole(home)


C = Project(
    {"Makefile": """CFLAGS = -Wall -Werror
all: serve
serve: serve.c count.c count.h
	$(CC) $(CFLAGS) -o $@ serve.c count.c
test: test.c count.c count.h
	$(CC) $(CFLAGS) -o $@ test.c count.c
check: test
	./test
.PHONY: all check
""", ".gitignore": "serve\ntest\ntree\n",
     "count.h": "int count_words(const char *text);\n",
     "count.c": """#include "count.h"

int
count_words(const char *text)
{
	int words = 0;

	for (int inside = 0; *text != '\\0'; text++) {
		words += !inside && *text != ' ';
		inside = *text == ' ';
	}
	return words;
}
""", "test.c": """#include <assert.h>
#include "count.h"

int
main(void)
{
	assert(count_words("") == 0);
	assert(count_words(" one  two ") == 2);
	return 0;
}
""", "serve.c": """#include <arpa/inet.h>
#include <stdio.h>
#include <unistd.h>
#include "count.h"

int
main(void)
{
	struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(8080), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	char line[1024];

	if (bind(fd, (struct sockaddr *)&at, sizeof(at)) != 0 || listen(fd, 9) != 0)
		return 1;
	for (;;) {
		int one = accept(fd, NULL, NULL);
		if (read(one, line, sizeof(line)) > 0)
			dprintf(one, "HTTP/1.0 200 OK\\r\\n\\r\\n%d words\\n", count_words("a b c"));
		close(one);
	}
}
"""},
    test="make -s check", wrong="Assertion", edit=("count.c", "inside = *text == ' '", "inside = *text != ' '"),
    serve="make -s serve && ./serve", served="3 words\n")

PYTHON = Project(
    {".gitignore": "venv\ntree\n__pycache__\n",
     "shop/__init__.py": "", "shop/cart.py": """def total(prices, discount=0):
    return sum(prices) * (100 + discount) / 100
""", "shop/serve.py": """import http.server

from shop.cart import total


class Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(f"{total([10, 20], 10)}\\n".encode())


http.server.HTTPServer(("127.0.0.1", 8080), Page).serve_forever()
""", "tests/__init__.py": "", "tests/test_cart.py": """import sys
import unittest

from shop.cart import total


class CartTest(unittest.TestCase):
    def test_venv(self):
        self.assertNotEqual(sys.prefix, sys.base_prefix)

    def test_total(self):
        self.assertEqual(total([10, 20]), 30)

    def test_discount(self):
        self.assertEqual(total([10, 20], 10), 27)
"""},
    test="", wrong="33.0 != 27", # A text of another length: Python goes by size and second of a file.
    edit=("shop/cart.py", "(100 + discount)", "(100.0 - discount)"), serve="", served="27.0\n")


def python(venv):
    """The project with an interpreter of its own, in the project or in HOME."""
    interpreter = f"{venv}/bin/python"
    return Project(PYTHON.files, f"{interpreter} -m unittest -q", PYTHON.wrong, PYTHON.edit,
                   f"{interpreter} -m shop.serve >/tmp/serve.log 2>&1 &", PYTHON.served)


@case("a C project with make")
def _():
    need("make", "cc")
    mend(C)


@case("a Python project with a venv in the project, which the agent makes")
def _():
    def make_venv(home):
        home.run("python3 -m venv --without-pip venv && ln -s \"$PWD/venv\" /tmp/venv")
    mend(python("/tmp/venv"), make_venv)


@case("a Python project with a venv in HOME, which a person has made", full=True)
def _():
    mend(python("~/venvs/shop"), lambda home: home.outside("/usr/bin/python3", "-m", "venv", "--without-pip",
                                                           os.path.join(home.home, "venvs/shop")))


@case("a Node project", full=True)
def _():
    need("node")
    mend(Project(
        {".gitignore": "tree\n", "package.json": '{"name": "shop", "scripts": {"test": "node --test", "start": "node serve.js"}}\n',
         "slug.js": "exports.slug = text => text.trim().toLowerCase().replace(/ /, '-');\n",
         "slug.test.js": """const test = require('node:test'), assert = require('node:assert'), {slug} = require('./slug');
test('all blanks', () => assert.equal(slug(' A big Shop'), 'a-big-shop'));
""", "serve.js": """const {slug} = require('./slug');
require('node:http').createServer((_, answer) => answer.end(slug('On the Hill') + '\\n')).listen(8080, '127.0.0.1');
"""}, test="node --test", wrong="a-big shop", edit=("slug.js", "/ /,", "/ /g,"), serve="node serve.js",
        served="on-the-hill\n"))


@case("a Rust project", full=True)
def _():
    path = rust()
    need("cc")
    mend(Project(
        {".gitignore": "tree\ntarget\n", "Cargo.toml": '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2018"\n',
         "src/lib.rs": """pub fn title(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => first.to_lowercase().chain(chars).collect(),
        None => String::new(),
    }
}

#[test]
fn first_letter() {
    assert_eq!(title("shop"), "Shop");
}
""", "src/main.rs": """use std::io::{Read, Write};

fn main() {
    for one in std::net::TcpListener::bind("127.0.0.1:8080").unwrap().incoming() {
        let mut one = one.unwrap();
        let _ = one.read(&mut [0; 1024]);
        let _ = write!(one, "HTTP/1.0 200 OK\\r\\n\\r\\n{}\\n", shop::title("hill"));
    }
}
"""}, test="cargo test -q", wrong='"shop"', edit=("src/lib.rs", "to_lowercase", "to_uppercase"),
        serve="cargo run -q >/tmp/serve.log 2>&1 &", served="Hill\n"), path=path)


@case("a Go project", full=True)
def _():
    need("go")

    def settings(home):
        home.run("go env -w GOTOOLCHAIN=local GOFLAGS=-mod=mod GOPROXY=off")  # into ~/.config of the session

    mend(Project(
        {".gitignore": "tree\n", "go.mod": "module shop\n\ngo 1.19\n",
         "price/price.go": """package price

// Sum adds prices up, with a tax in percent.
func Sum(tax int, prices ...int) int {
	sum := 0
	for _, price := range prices {
		sum = price
	}
	return sum * (100 + tax) / 100
}
""", "price/price_test.go": """package price

import "testing"

func TestSum(t *testing.T) {
	if got := Sum(10, 10, 20); got != 33 {
		t.Fatalf("got %d, wanted 33", got)
	}
}
""", "main.go": """package main

import (
	"fmt"
	"net/http"

	"shop/price"
)

func main() {
	http.HandleFunc("/", func(out http.ResponseWriter, _ *http.Request) { fmt.Fprintln(out, price.Sum(10, 10, 20)) })
	fmt.Println(http.ListenAndServe("127.0.0.1:8080", nil))
}
"""}, test="go test ./...", wrong="got 22, wanted 33", edit=("price/price.go", "sum = price", "sum += price"),
        serve="go run . >/tmp/serve.log 2>&1 &", served="33\n"), before=settings)


def serves_a_database(home, begin, ask):
    """In the session: the agent begins it in one call, and asks it by its socket in the next ones."""
    server = home.start(begin, yield_ms=1)
    for command, wanted in ask:
        equal(home.run(command), wanted)
    # Not by pg_ctl: a call cannot see the processes of another.
    home.kill(server)
    trail_is_whole(home)


DATABASE = """import os, socketserver, sqlite3
base = sqlite3.connect(":memory:")
class Line(socketserver.StreamRequestHandler):
    def handle(self):
        for line in self.rfile:
            rows = base.execute(line.decode()).fetchall()
            self.wfile.write((repr(rows) + "\\n").encode())
socketserver.UnixStreamServer("/tmp/db.sock", Line).serve_forever()
"""
QUERY = """import socket, sys
one = socket.socket(socket.AF_UNIX)
one.connect("/tmp/db.sock")
one.sendall((sys.argv[1] + "\\n").encode())
print(one.makefile().readline(), end="")
"""


@case("a small database, by its socket")
def _():
    with Household({"project/serve.py": DATABASE, "project/query.py": QUERY}) as home:
        ask = "python3 query.py "
        serves_a_database(home, "python3 serve.py 2>/tmp/db.log", [
            ("until test -S /tmp/db.sock; do sleep 0.05; done; " + ask + "'create table t (n)'", "[]\n"),
            (ask + "'insert into t values (1), (2)'", "[]\n"), (ask + "'select sum(n) from t'", "[(3,)]\n"),
        ])


@case("a PostgreSQL of its own, by its socket", full=True)
def _():
    need("initdb", "postgres", "psql")
    if os.getuid() == 0:
        skip("PostgreSQL does not run as root", runs_elsewhere=True)
    with Household() as home:
        home.run("initdb -D /tmp/data -A trust -U app --no-sync >/tmp/initdb.log && mkdir /tmp/socket")
        wait = "until pg_isready -q -h /tmp/socket; do sleep 0.05; done; "
        sql = wait + "psql -h /tmp/socket -U app -d postgres -qAtc "
        serves_a_database(home, "postgres -D /tmp/data -k /tmp/socket -c listen_addresses= >/tmp/pg.log 2>&1", [
            (sql + "'create table t (n int); insert into t values (1), (2)'", ""), (sql + "'select sum(n) from t'", "3\n"),
        ])


@case("a Redis of its own, by its socket", full=True)
def _():
    need("redis-server", "redis-cli", runs_elsewhere=True)
    with Household() as home:
        ask = "redis-cli -s /tmp/redis.sock "
        wait = f"until {ask} ping >/dev/null 2>&1; do sleep 0.05; done; "
        serves_a_database(home, "redis-server --port 0 --unixsocket /tmp/redis.sock --dir /tmp --save '' >/tmp/redis.log", [
            (wait + ask + "set a 1", "OK\n"), (ask + "incr a", "2\n"),
        ])


move_in()
run()
