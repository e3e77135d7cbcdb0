#!/usr/bin/env python3
# HOME in a session: programs write to its directories with a dot, in a layer;
# the person's HOME stays as it is.
import os
import signal
import stat

from cases import case, equal, holds, is_in, run, skip
from client import Client
from household import Household, move_in, need

FILES = {".cache/old": "old\n", ".config/git/config": "[user]\n\tname = Person\n", ".bashrc": "person\n",
         ".ssh/id": "SECRET\n", ".config/gh/hosts.yml": "SECRET\n", ".cargo/credentials.toml": "SECRET\n",
         "notes.txt": "notes\n", "src/lib/x.c": "machine\n", ".netrc": "SECRET\n"}
# Not understood, so nothing is known of where it writes.
CODE = "python3 - <<'EOF'\nimport os, sys\nhome = os.environ['HOME']\n{0}\nEOF"


def code(text):
    return CODE.format(text)


def tree(home):
    """What HOME holds, without what the test itself keeps there."""
    seen = {}
    for place, dirs, files in os.walk(home):
        if place == home:
            for name in ("project", "state", "config", "cache", "system", "home", "policy.yaml"):
                if name in dirs:
                    dirs.remove(name)
                if name in files:
                    files.remove(name)
        for name in files:
            path = os.path.join(place, name)
            with open(path, "rb") as file:
                seen[os.path.relpath(path, home)] = file.read()
        for name in dirs:
            seen[os.path.relpath(os.path.join(place, name), home)] = "dir"
    return seen


def result_of(home, command, **more):
    return home.agent().call("exec", 60, command=command, yield_ms=60000, **more)["structuredContent"]


@case("a program writes to the directories of HOME with a dot, and the next call sees it")
def _():
    with Household(FILES) as home:
        before = tree(home.home)
        state, _ = home.call(code("open(home + '/.cache/new', 'w').write('new\\n')\n"
                                  "open(home + '/.cache/old', 'a').write('more\\n')\n"
                                  "os.makedirs(home + '/.npm/_cacache/a')\n"
                                  "os.remove(home + '/.config/git/config')"))
        equal(state["sandbox"]["home"], "overlay")
        equal(home.run("cat ~/.cache/new ~/.cache/old; ls ~/.npm/_cacache"), "new\nold\nmore\na\n")
        is_in("No such file", home.fail("cat ~/.config/git/config"))
        equal(tree(home.home), before)


@case("what is understood writes to a directory of HOME that it names")
def _():
    with Household(FILES) as home:
        home.run("mkdir -p ~/.npm/a && touch ~/.npm/a/b && cp ~/.cache/old ~/.local/copy")
        equal(home.run("ls ~/.npm/a; cat ~/.local/copy"), "b\nold\n")


@case("everywhere else in HOME the wall refuses, and says so")
def _():
    with Household(FILES) as home:
        before = tree(home.home)
        for place in ("~/new", "~/notes.txt", "~/src/lib/x.c", "~/src/new"):
            text = home.fail(f"sh -c 'echo x >>{place}'")
            # Another project is hidden: hosts may be asked for.
            is_in("Permission denied" if "src" in place else "Read-only file system", text)
            is_in("the sandbox refused: write", text)
        equal(tree(home.home), before)


@case("what is hidden in HOME stays hidden in the layer")
def _():
    with Household(FILES) as home:
        out = home.run(code("""
def look(path):
    try:
        if os.path.isdir(path):
            return sorted(os.listdir(path))
        with open(path) as file:
            return file.read()
    except OSError as error:
        return type(error).__name__
for name in ('.ssh', '.config/gh', '.cargo/credentials.toml', '.netrc', '.ssh/id', '.config/gh/hosts.yml'):
    print(name, look(home + '/' + name))
for name in ('.config/gh', '.cargo/credentials.toml'):
    try:
        os.rename(home + '/' + name, home + '/.cache/moved')
        print('renamed', look(home + '/.cache/moved'))
    except OSError as error:
        print('kept')
"""))
        holds("SECRET" not in out, out)
        equal(out.count("kept"), 2)


@case("directories without a dot are the machine's, also when a person changes them meanwhile")
def _():
    if os.getuid() != 0:
        skip("in the user namespace of the test no policy file can be trusted", runs_elsewhere=True)
    # The preset may ask for hosts, so that other projects are hidden.
    policy = "version: 1\nrules:\n  - allow: { sandbox: workspace, network: [off, loopback] }\n"
    with Household(FILES, policy=policy) as home:
        equal(home.run("cat ~/src/lib/x.c"), "machine\n")
        with open(os.path.join(home.home, "src/lib/n"), "w", encoding="utf-8") as file:
            file.write("changed\n")
        os.rename(os.path.join(home.home, "src/lib/n"), os.path.join(home.home, "src/lib/x.c"))
        equal(home.run("cat ~/src/lib/x.c"), "changed\n")


@case("a program that an earlier call installed in HOME is found, and runs")
def _():
    with Household(FILES) as home:
        home.env["PATH"] = f"{home.home}/.local/bin:{home.env['PATH']}"
        home.run(code("path = home + '/.local/bin'\nos.makedirs(path)\n"
                      "open(path + '/tool', 'w').write('#!/bin/sh\\necho made $1\\n')\n"
                      "os.chmod(path + '/tool', 0o755)\nos.symlink('bin', home + '/.local/share')\n"
                      "os.symlink('tool', path + '/other')"))
        writ = home.agent()
        for argv in (["tool", "a"], [f"{home.home}/.local/bin/tool", "a"], [f"{home.home}/.local/share/tool", "a"],
                     ["other", "a"]):
            result = writ.call("exec", argv=argv)["structuredContent"]
            equal(result.get("stdout"), "made a\n", str(result))
        equal(home.run("tool b; cd ~/.local/bin && ./tool c"), "made b\nmade c\n")
        equal(home.run("pwd; ./tool d"), f"{home.home}/.local/bin\nmade d\n")


@case("a person's own program in HOME runs, and is no code of the agent")
def _():
    if os.getuid() != 0:
        skip("in the user namespace of the test no policy file can be trusted", runs_elsewhere=True)
    policy = "version: 1\nrules:\n  - allow: { program: [mine, ls, cp, bash] }\n"
    with Household({".local/bin/mine": "#!/bin/sh\necho mine\n"}, policy=policy) as home:
        os.chmod(os.path.join(home.home, ".local/bin/mine"), 0o755)
        home.env["PATH"] = f"{home.home}/.local/bin:{home.env['PATH']}"
        writ = home.agent()
        result = writ.call("exec", argv=["mine"])["structuredContent"]
        equal(result.get("stdout"), "mine\n", str(result))
        equal(writ.call("exec", argv=["cp", "/bin/ls", f"{home.home}/.local/bin/ls"])
              ["structuredContent"].get("exit_code"), 0)
        asked = writ.call("exec", argv=["ls"])["structuredContent"]
        equal(asked.get("error", {}).get("code"), "approval_required", str(asked))
        writ.writ("approvals", "deny", asked["error"]["details"]["approval_id"])


@case("caches are warm in the next session of the project; the rest is not there")
def _():
    with Household(FILES) as home:
        home.run(code("open(home + '/.cache/c', 'w').write('c\\n')\nos.makedirs(home + '/.npm/n')\n"
                      "open(home + '/.config/planted', 'w').write('p\\n')"))
        home.writ.close()
        home.writ = None
        equal(home.run("cat ~/.cache/c; ls ~/.npm; ls ~/.config"), "c\nn\ngh\ngit\n")


@case("another project has none of it, and neither has another directory at the same path")
def _():
    with Household(FILES) as home:
        home.run(code("open(home + '/.cache/c', 'w').write('c\\n')"))
        home.writ.close()
        home.writ = None
        first = home.project
        home.project = os.path.join(home.home, "other")
        os.mkdir(home.project)
        is_in("No such file", home.fail("cat ~/.cache/c"))
        home.writ.close()
        home.writ = None
        os.rename(first, first + ".old")
        home.project = first
        os.mkdir(first)
        is_in("No such file", home.fail("cat ~/.cache/c"))


@case("of two sessions of a project one has its caches, and they see nothing of each other")
def _():
    with Household(FILES) as home:
        home.run(code("open(home + '/.cache/c', 'w').write('first\\n')"))
        with Client(base=home.home, cwd=home.project, policy="developer", env=home.env) as other:
            result = other.call("exec", command="cat ~/.cache/c")["structuredContent"]
            is_in("No such file", result["stderr"])
            result = other.call("exec", command=code("open(home + '/.cache/c', 'w').write('second\\n')"))
            equal(result["structuredContent"]["exit_code"], 0)
            equal(home.run("cat ~/.cache/c"), "first\n")
        home.writ.close()
        home.writ = None
        equal(home.run("cat ~/.cache/c"), "first\n")


@case("a server that is killed leaves nothing mounted, and the next one clears up")
def _():
    with Household(FILES) as home:
        home.run(code("open(home + '/.cache/c', 'w').write('c\\n')\nopen(home + '/.config/p', 'w').write('p\\n')"))
        home.writ.signal(signal.SIGKILL)
        home.writ.wait()
        with open("/proc/self/mountinfo", encoding="utf-8") as file:
            holds(" overlay " not in "".join(line for line in file if home.home in line), "nothing is mounted")
        home.writ.close()
        home.writ = None
        # Its last processes could still have it mounted.
        is_in("No such file", home.fail("cat ~/.cache/c"))
        home.writ.close()
        home.writ = None
        caches = os.path.join(home.home, "state", "caches")
        left = os.path.join(caches, os.listdir(caches)[0], "left")
        os.utime(left, (0, 0))
        equal(home.run("cat ~/.cache/c; ls ~/.config"), "c\ngh\ngit\n")
        home.writ.signal(signal.SIGKILL)
        home.writ.wait()
        home.writ.close()
        home.writ = None
        # After a crash of the machine nobody knows what was written.
        with open(left, "w", encoding="utf-8") as file:
            file.write("another boot\n")
        is_in("No such file", home.fail("cat ~/.cache/c"))


def agreed(home, command):
    """A call with the host's network, to which a person agrees."""
    writ = home.agent()
    asked = writ.call("exec", command=command, network="host")["structuredContent"]
    id = asked.get("error", {}).get("details", {}).get("approval_id")
    holds(id is not None, str(asked))
    writ.writ("approvals", "approve", id)
    return writ.call("exec", command=command, network="host")["structuredContent"]


@case("a run that gets more sees nothing that the session wrote to HOME, and leaves nothing there")
def _():
    with Household(FILES) as home:
        home.env["PATH"] = f"{home.home}/.local/bin:{home.env['PATH']}"
        home.run(code("open(home + '/.config/git/config', 'w').write('[alias]\\n\\tx = !planted\\n')\n"
                      "open(home + '/.cache/planted', 'w').write('p\\n')"))
        result = agreed(home, "cat ~/.config/git/config; ls ~/.cache; echo x >~/.cache/mine; cat ~/.cache/mine")
        equal(result.get("stdout"), "[user]\n\tname = Person\nold\nx\n", str(result))
        equal(result["sandbox"]["home"], "overlay")
        is_in("No such file", home.fail("cat ~/.cache/mine"))
        home.run(code("path = home + '/.local/bin'\nos.makedirs(path)\nopen(path + '/git', 'w').write('#!/bin/sh\\n"
                      "echo planted\\n')\nos.chmod(path + '/git', 0o755)"))
        equal(home.run("git"), "planted\n")
        result = agreed(home, "git --version")
        holds("planted" not in str(result.get("stdout")), str(result))


@case("npm install: one that a person agreed to can write to ~/.npm, of which nothing stays")
def _():
    need("npm", "node", runs_elsewhere=True)
    with Household({**FILES, "project/package.json": '{"name":"p","version":"1.0.0","scripts":{"postinstall":"echo built >made"}}'}) as home:
        before = tree(home.home)
        command = "npm install --no-audit --no-fund && ls -d ~/.npm/_*"
        asked = home.agent().call("exec", command=command)["structuredContent"]
        home.writ.writ("approvals", "approve", asked["error"]["details"]["approval_id"])
        result = home.writ.call("exec", 120, command=command)["structuredContent"]
        equal(result.get("exit_code"), 0, str(result))
        is_in("/.npm/_", result["stdout"])
        equal(home.run("cat made"), "built\n")
        is_in("No such file", home.fail("ls -d ~/.npm/_*"))
        equal(tree(home.home), before)


@case("a run that gets more still works where the session is in HOME")
def _():
    with Household(FILES) as home:
        home.run("cd ~")
        result = agreed(home, "pwd; cat ~/.cache/old")
        is_in("old\n", str(result.get("stdout")))


@case("attributes of the overlay, whiteouts and opaque directories reach nothing")
def _():
    with Household(FILES) as home:
        before = tree(home.home)
        out = home.run(code("""
def tried(what, function):
    try:
        function()
        print(what, 'done')
    except OSError as error:
        print(what, error.errno)
config = home + '/.config'
for name in ('user.overlay.redirect', 'user.overlay.opaque', 'trusted.overlay.redirect', 'user.overlay.metacopy'):
    os.makedirs(config + '/d', exist_ok=True)
    tried(name, lambda: os.setxattr(config + '/d', name, b'/.ssh'))
print(sorted(os.listdir(config + '/d')))
tried('whiteout', lambda: os.mknod(config + '/w', 0o020000, 0))
tried('link', lambda: os.link(config + '/gh/hosts.yml', config + '/l'))
tried('link of a hidden file', lambda: os.link(home + '/.cargo/credentials.toml', home + '/.cargo/l'))
tried('rmdir', lambda: os.rmdir(config + '/gh'))
tried('unlink', lambda: os.unlink(home + '/.cargo/credentials.toml'))
tried('rename over', lambda: os.rename(config + '/d', config + '/gh'))
tried('state', lambda: print(os.listdir(home + '/state')))
for place, dirs, files in os.walk(home):
    for file in files:
        try:
            with open(os.path.join(place, file), errors='replace') as opened:
                if 'SECRET' in opened.read(1000):
                    print('FOUND', os.path.join(place, file))
        except OSError:
            pass
"""))
        holds("FOUND" not in out, out)
        holds("whiteout done" not in out and "rmdir done" not in out and "unlink done" not in out, out)
        is_in("Permission denied", home.fail(code("print(os.listdir(home + '/.config/gh'))")))
        equal(tree(home.home), before)


@case("a project in a directory with a dot is written for real")
def _():
    with Household({".work/p/a.txt": "a\n", ".work/q/b.txt": "b\n"}, project=".work/p") as home:
        home.run("echo more >>a.txt; echo x >>../q/b.txt")
        with open(os.path.join(home.home, ".work/p/a.txt"), encoding="utf-8") as file:
            equal(file.read(), "a\nmore\n")
        with open(os.path.join(home.home, ".work/q/b.txt"), encoding="utf-8") as file:
            equal(file.read(), "b\n")


@case("modes and owners of the layer are those of HOME")
def _():
    with Household(FILES) as home:
        os.chmod(home.home, 0o711)
        mode = stat.S_IMODE(os.stat(home.home).st_mode)
        equal(home.run("stat -c %a:%u ~ ~/.cache"), f"{mode:o}:{os.getuid()}\n"
              f"{stat.S_IMODE(os.stat(home.home + '/.cache').st_mode):o}:{os.getuid()}\n")


@case("a session in which nothing is written to HOME leaves nothing")
def _():
    with Household(FILES) as home:
        home.run("cat ~/.cache/old")
        home.writ.close()
        home.writ = None
        homes = os.path.join(home.home, "state", "homes")
        equal(os.listdir(homes) if os.path.exists(homes) else [], [])


@case("what a session wrote is kept after its end, without caches")
def _():
    with Household(FILES) as home:
        home.run(code("open(home + '/.cache/c', 'w').write('c')\nopen(home + '/.config/p', 'w').write('p')"))
        home.writ.close()
        home.writ = None
        homes = os.path.join(home.home, "state", "homes")
        kept = os.listdir(homes)
        equal(len(kept), 1)
        equal(os.listdir(os.path.join(homes, kept[0], "upper")), [".config"])
        with open(os.path.join(homes, kept[0], "upper/.config/p"), encoding="utf-8") as file:
            equal(file.read(), "p")


move_in()
run()
