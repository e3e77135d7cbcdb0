"""The builds that are measured inside and outside of a session: projects as
they are common, made of text, so that nothing has to be fetched."""
import base64
import hashlib
import io
import json
import os
import subprocess
import tarfile


class Build:
    """name, the programs it needs, what fills its caches, what is done before each time, what is measured."""

    def __init__(self, name, needs, command, before="true", fill=()):
        self.name = name
        self.needs = needs
        self.command = command
        self.before = before
        self.fill = list(fill)

    def prepare(self, home):
        raise NotImplementedError


def put(home, path, content):
    path = os.path.join(home.project, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(content.encode() if isinstance(content, str) else content)


class Make(Build):
    """60 files of C, each with functions enough to take a compiler some time."""

    FILES = 60

    def __init__(self):
        super().__init__("make -j2, 60 files of C", ["make", "gcc"], "make -s -j2", before="make -s clean")

    def prepare(self, home):
        names = [f"part{number}" for number in range(self.FILES)]
        for name in names:
            put(home, f"{name}.c", "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n" + "".join(
                f"int {name}_{i}(int n) {{ char t[64]; snprintf(t, sizeof t, \"%d\", n + {i}); return (int)strlen(t) + atoi(t); }}\n"
                for i in range(40)))
        put(home, "main.c", "".join(f"int {name}_0(int);\n" for name in names)
            + "int main(void) { return (" + " + ".join(f"{name}_0(1)" for name in names) + ") == 0; }\n")
        objects = " ".join(f"{name}.o" for name in names)
        put(home, "Makefile", f"prog: main.o {objects}\n\tgcc -o $@ $^\n%.o: %.c\n\tgcc -O1 -c $<\n"
            "clean:\n\trm -f *.o prog\n.PHONY: clean\n")


class Npm(Build):
    """80 packages of 20 files, from the cache."""

    PACKAGES = 80
    FILES = 20

    def __init__(self):
        super().__init__("npm ci, 80 packages cached", ["npm", "node"], "npm ci --offline --no-audit --no-fund --silent",
                         before="make -s clean", fill=["make -s cache"])

    def prepare(self, home):
        locked = {"": {"name": "p", "version": "1.0.0", "dependencies": {}}}
        for number in range(self.PACKAGES):
            name = f"dep{number}"
            content = self.package(name)
            put(home, f"packages/{name}.tgz", content)
            integrity = "sha512-" + base64.b64encode(hashlib.sha512(content).digest()).decode()
            locked[""]["dependencies"][name] = "1.0.0"
            locked[f"node_modules/{name}"] = {
                "version": "1.0.0", "resolved": f"http://127.0.0.1:4873/{name}/-/{name}-1.0.0.tgz", "integrity": integrity}
        put(home, "package.json", json.dumps(locked[""]))
        put(home, "package-lock.json", json.dumps({"name": "p", "version": "1.0.0", "lockfileVersion": 3, "requires": True,
                                                   "packages": locked}))
        # What npm has under its content is found by its sum, wherever it came from.
        put(home, "Makefile", "cache:\n\tnpm cache add --silent ./packages/*.tgz\nclean:\n\trm -rf node_modules\n.PHONY: cache clean\n")

    def package(self, name):
        packed = io.BytesIO()
        with tarfile.open(fileobj=packed, mode="w:gz") as tar:
            files = {"package.json": json.dumps({"name": name, "version": "1.0.0"})}
            files.update({f"lib/file{i}.js": f"module.exports = {i}; // {name}\n" * 30 for i in range(self.FILES)})
            for path, text in files.items():
                info = tarfile.TarInfo("package/" + path)
                info.size, info.mode = len(text), 0o644
                tar.addfile(info, io.BytesIO(text.encode()))
        return packed.getvalue()


class Go(Build):
    """20 packages of the project and net/http of the library, all of it cached but one."""

    PACKAGES = 20

    def __init__(self):
        super().__init__("go build, warm", ["go"], "go build -o prog .", before="date +'package last // %N' >last/changed.go")

    def prepare(self, home):
        home.env.update({"GOTOOLCHAIN": "local", "GOFLAGS": "-mod=mod", "GOPROXY": "off"})
        put(home, "go.mod", "module p\n\ngo 1.19\n")
        put(home, "last/last.go", "package last\n\nfunc Last() int { return 1 }\n")
        for number in range(self.PACKAGES):
            put(home, f"part{number}/part.go", f"package part{number}\n\nfunc Part() int {{ return {number} }}\n")
        imports = "".join(f'\t"p/part{number}"\n' for number in range(self.PACKAGES))
        total = " + ".join(f"part{number}.Part()" for number in range(self.PACKAGES))
        put(home, "main.go", f'package main\n\nimport (\n\t"fmt"\n\t"net/http"\n\t"p/last"\n{imports})\n\n'
            f"func main() {{ fmt.Println(http.StatusOK + last.Last() + {total}) }}\n")


class Pytest(Build):
    """400 tests in 40 files, some of which listen on the loopback."""

    FILES = 40

    def __init__(self):
        super().__init__("pytest, 400 tests", ["python3"], "python3 -m pytest -q -p no:cacheprovider")

    def prepare(self, home):
        for number in range(self.FILES):
            put(home, f"tests/test_{number}.py", "import json, socket\nimport pytest\n\n"
                "@pytest.mark.parametrize('n', range(9))\ndef test_text(n, tmp_path):\n"
                "    (tmp_path / 'a').write_text(json.dumps(list(range(n))))\n"
                "    assert json.loads((tmp_path / 'a').read_text()) == list(range(n))\n\n"
                "def test_port():\n    with socket.create_server(('127.0.0.1', 0)) as server:\n"
                "        with socket.create_connection(server.getsockname()):\n            pass\n")


class Git(Build):
    """10,000 files in 100 directories."""

    def __init__(self, count):
        super().__init__(f"git status, 10,000 files, {count}x", ["git"],
                         "git status --short" if count == 1 else f"for i in $(seq {count}); do git status --short; done")

    def prepare(self, home):
        for number in range(10000):
            put(home, f"d{number % 100}/f{number}.txt", f"{number}\n" * 10)
        for words in (["init", "-q"], ["add", "."], ["-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qm", "all"]):
            subprocess.run(["git", *words], cwd=home.project, env=home.env, check=True, stdout=subprocess.DEVNULL)


ALL = [Make(), Npm(), Go(), Pytest(), Git(10), Git(1)]
