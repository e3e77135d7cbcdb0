#!/usr/bin/env python3
# A day of an agent, with tools that keep caches in HOME: npm, pip, ccache, go,
# cargo, virtual environments. Each works as outside, nobody is asked, what it
# cached is warm in the next call and in the next session, and the person's HOME
# stays as it is.
import base64
import hashlib
import importlib.util
import io
import json
import os
import tarfile

from cases import case, equal, holds, is_in, run, skip
from household import Household, move_in, need, rust

# A registry for npm, on the loopback of the session.
REGISTRY = """import http.server, os, sys
os.chdir(sys.argv[1])
class Handler(http.server.SimpleHTTPRequestHandler):
    def send_head(self):
        name = self.path.split("?")[0].lstrip("/")
        self.path = "/" + (name + ".json" if os.path.exists(name + ".json") else name)
        return super().send_head()
http.server.ThreadingHTTPServer(("127.0.0.1", 4873), Handler).serve_forever()
"""
REGISTRY_URL = "http://127.0.0.1:4873"
FETCH = f"curl -fsS -o /dev/null --retry 100 --retry-delay 0 --retry-connrefused {REGISTRY_URL}/dep"


def place(home, path, content):
    path = os.path.join(home.home, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(content)


def packed_files(files):
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as tar:
        for name, text in files.items():
            info = tarfile.TarInfo(name)
            info.size, info.mode = len(text), 0o644
            tar.addfile(info, io.BytesIO(text))
    return packed.getvalue()


def npm_package(home):
    """dep 1.0.0, as a registry has it."""
    files = {"package/package.json": b'{"name":"dep","version":"1.0.0","main":"i.js"}',
             "package/i.js": b"module.exports = 'from dep';\n"}
    content = packed_files(files)
    integrity = "sha512-" + base64.b64encode(hashlib.sha512(content).digest()).decode()
    dist = {"tarball": f"{REGISTRY_URL}/dep-1.0.0.tgz", "integrity": integrity}
    place(home, "project/registry/dep-1.0.0.tgz", content)
    place(home, "project/registry/dep.json", json.dumps({
        "name": "dep", "dist-tags": {"latest": "1.0.0"},
        "versions": {"1.0.0": {"name": "dep", "version": "1.0.0", "dist": dist}}}).encode())


BACKEND = """import os, zipfile
def build_wheel(place, settings=None, metadata=None):
    name, info = "dep-1.0-py3-none-any.whl", "dep-1.0.dist-info"
    with zipfile.ZipFile(os.path.join(place, name), "w") as archive:
        archive.writestr("dep.py", "WORD = 'from dep'\\n")
        archive.writestr(info + "/METADATA", "Metadata-Version: 2.1\\nName: dep\\nVersion: 1.0\\n")
        archive.writestr(info + "/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        archive.writestr(info + "/RECORD", "".join(f"{one},,\\n" for one in archive.namelist()))
    return name
"""


def python_source(home):
    """dep 1.0 as source, with all that building it needs."""
    files = {"dep-1.0/pyproject.toml": b'[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n',
             "dep-1.0/backend.py": BACKEND.encode(), "dep-1.0/PKG-INFO": b"Metadata-Version: 2.1\nName: dep\nVersion: 1.0\n"}
    place(home, "project/registry/dep-1.0.tar.gz", packed_files(files))


def serve(home):
    """The registry, in a call of its own; its id."""
    place(home, "project/registry/serve.py", REGISTRY.encode())
    server = home.start("python3 registry/serve.py registry", yield_ms=0, timeout_ms=600000)
    home.run(FETCH)
    return server


def next_session(home):
    home.nobody_was_asked()
    home.writ.close()
    home.writ = None


def untouched(home, *names):
    """HOME outside of the session has none of these."""
    for name in names:
        holds(not os.path.exists(os.path.join(home.home, name)), f"{name} is in the person's HOME")


@case("npm ci: what was fetched is there in the next call and in the next session, without the registry", full=True)
def _():
    need("npm", "node", "curl")
    with Household({"project/package.json": '{"name":"p","version":"1.0.0","dependencies":{"dep":"1.0.0"}}'}) as home:
        npm_package(home)
        server = serve(home)
        # A target of make is not understood, and needs no question: it has the session's loopback and no more.
        place(home, "project/Makefile", f"deps:\n\tnpm install --registry {REGISTRY_URL} --no-audit --no-fund\n".encode())
        home.run("make deps && node -p \"require('dep')\"")
        home.kill(server)
        check = "rm -rf node_modules && npm ci --offline --no-audit --no-fund >/dev/null && node -p \"require('dep')\""
        equal(home.run(check), "from dep\n")
        next_session(home)
        equal(home.run(check), "from dep\n")
        untouched(home, ".npm", ".npmrc", ".config")


@case("npm install: scripts of a package are run, and npm test needs no question", full=True)
def _():
    need("npm", "node")
    package = {"name": "p", "version": "1.0.0", "scripts": {"test": "node --test", "postinstall": "echo built >made"}}
    test = "const test = require('node:test');\ntest('holds', () => {});\n"
    with Household({"project/package.json": json.dumps(package), "project/it.test.js": test}) as home:
        home.run("npm install --offline --no-audit --no-fund")
        equal(home.run("cat made"), "built\n")
        is_in("pass 1", home.run("npm test"))


@case("pip: a virtual environment in HOME is made, and what pip has built is there in the next session", full=True)
def _():
    if importlib.util.find_spec("ensurepip") is None:
        skip("the machine's python has no ensurepip")
    with Household() as home:
        python_source(home)
        install = "pip install -q --disable-pip-version-check --no-index --find-links registry dep"
        make = "python3 -m venv ~/.venvs/x && . ~/.venvs/x/bin/activate"
        home.run(make)
        home.run(f". ~/.venvs/x/bin/activate && {install} && python -c 'import dep; print(dep.WORD)'")
        equal(home.run(". ~/.venvs/x/bin/activate && python -c 'import dep; print(dep.WORD)'"), "from dep\n")
        # The environment ends with the session, the cache does not.
        next_session(home)
        is_in("No such file", home.fail("~/.venvs/x/bin/python -V"))
        home.run(f"{make} && pip cache list | grep dep-1.0 && {install} && python -c 'import dep'")
        untouched(home, ".venvs", ".cache")


@case("pip: an environment that a person made in HOME is used, and cannot be changed")
def _():
    with Household() as home:
        home.outside("/usr/bin/python3", "-m", "venv", "--without-pip", os.path.join(home.home, "venvs/x"))
        equal(home.run("~/venvs/x/bin/python -c 'import sys; print(sys.prefix)'"), f"{home.home}/venvs/x\n")
        is_in("Read-only file system", home.fail("touch ~/venvs/x/pyvenv.cfg"))


@case("ccache: the second compilation is a hit, also in the next session")
def _():
    need("ccache", "gcc")
    make = "prog: a.o b.o\n\tgcc -o prog a.o b.o\n%.o: %.c\n\tccache gcc -O2 -c $<\nclean:\n\trm -f *.o prog\n"
    files = {"project/Makefile": make, "project/a.c": "int b(void);\nint main(void) { return b(); }\n",
             "project/b.c": "int b(void) { return 0; }\n"}
    hits = "ccache --print-stats | awk '/^(direct|preprocessed)_cache_hit/ { n += $2 } END { print n }'"
    with Household(files) as home:
        home.run("make && ./prog")
        home.run("make clean && make")
        equal(home.run(hits), "2\n")
        next_session(home)
        home.run("make clean && make && ./prog")
        equal(home.run(hits), "4\n")
        untouched(home, ".cache", ".config")


@case("go: what was built is cached, modules of the project too", full=True)
def _():
    need("go")
    files = {"project/go.mod": "module p\n\ngo 1.19\n", "project/main.go":
             'package main\n\nimport (\n\t"fmt"\n\n\t"p/words"\n)\n\nfunc main() { fmt.Println(words.Hello()) }\n',
             "project/words/words.go": 'package words\n\n// Hello greets.\nfunc Hello() string { return "hello" }\n',
             "project/words/words_test.go": 'package words\n\nimport "testing"\n\nfunc TestHello(t *testing.T) {\n'
             '\tif Hello() != "hello" {\n\t\tt.Fatal(Hello())\n\t}\n}\n'}
    with Household(files) as home:
        home.env.update({"GOTOOLCHAIN": "local", "GOFLAGS": "-mod=mod", "GOPROXY": "off"})
        home.run("go build -o prog . && go vet ./...")
        equal(home.run("./prog"), "hello\n")
        is_in("ok", home.run("go test ./words"))
        # Nothing is compiled again: -x would show it.
        equal(home.run("go build -x -o prog . 2>&1 | grep -c /compile || true"), "0\n")
        next_session(home)
        equal(home.run("go build -x -o prog . 2>&1 | grep -c /compile || true"), "0\n")
        is_in("(cached)", home.run("go test ./words"))
        untouched(home, ".cache", "go", ".config")


@case("cargo: a dependency from git is fetched once, and is there in the next session", full=True)
def _():
    need("git")
    path = rust()
    files = {"project/dep/Cargo.toml": '[package]\nname = "dep"\nversion = "0.1.0"\nedition = "2021"\n',
             "project/dep/src/lib.rs": 'pub fn word() -> &\'static str { "from dep" }\n',
             "project/src/main.rs": "fn main() { println!(\"{}\", dep::word()); }\n"}
    with Household(files) as home:
        dep = os.path.join(home.home, "project/dep")
        for words in (["init", "-q"], ["add", "."], ["-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qm", "x"]):
            home.outside("git", *words, cwd=dep)
        place(home, "project/Cargo.toml", f'[package]\nname = "p"\nversion = "0.1.0"\nedition = "2021"\n\n'
              f'[dependencies]\ndep = {{ git = "file://{dep}" }}\n'.encode())
        home.env["PATH"] = f"{path}:{home.env['PATH']}"
        equal(home.run("cargo run -q"), "from dep\n")
        next_session(home)
        home.run("rm -rf target")
        equal(home.run("cargo run -q --offline"), "from dep\n")
        untouched(home, ".cargo")


@case("two sessions of a project build at once, each with a cache that works")
def _():
    need("ccache", "gcc")
    with Household({"project/a.c": "int main(void) { return 0; }\n"}) as home:
        other = Household.__new__(Household)
        other.__dict__.update(home.__dict__, writ=None, runs={})
        try:
            home.run("ccache gcc -c a.c -o a.o && ccache gcc -c a.c -o a.o")
            other.run("ccache gcc -c a.c -o b.o && ccache gcc -c a.c -o b.o")
            home.run("gcc a.o -o prog && ./prog && gcc b.o -o prog && ./prog")
        finally:
            if other.writ is not None:
                other.writ.close()


move_in()
run()
