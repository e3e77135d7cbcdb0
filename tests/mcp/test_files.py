#!/usr/bin/env python3
"""The file tools over the real server: what they do, and what they do not let out or in."""
import base64
import os
import socket
import threading

from cases import case, equal, holds, is_in, run, skip
from client import STATELESS, Client, text_of

TOOLS = ["read", "write", "edit", "list", "search"]
WALLS = "version: 1\nsandbox: workspace\nrules: [{allow: {}}]\n"
DEVELOPER = "version: 1\ninclude: [developer]\n"


def server(*options, policy=WALLS, **more):
    # The program that does the work has to be visible in the sandbox, where /tmp is private.
    if os.path.realpath(os.environ["WRIT"]).startswith(("/tmp/", "/var/tmp/", "/dev/shm/")):
        skip("this build is in a private directory of the sandbox", runs_elsewhere=True)
    return Client("--tools", "files", *options, policy=policy, **more)


def say(writ, tool, **arguments):
    """The text of a call that must succeed."""
    result = writ.call(tool, **arguments)
    if result["isError"]:
        raise AssertionError(f"{tool} {str(arguments)[:300]}: {text_of(result)}")
    return text_of(result)


def refusal(writ, tool, **arguments):
    """The text of a call that must fail."""
    result = writ.call(tool, **arguments)
    if not result["isError"]:
        raise AssertionError(f"{tool} {str(arguments)[:300]}: no error but {text_of(result)}")
    return text_of(result)


def put(writ, name, data):
    path = os.path.join(writ.project, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data if isinstance(data, bytes) else data.encode())
    return path


def get(writ, name):
    with open(os.path.join(writ.project, name), "rb") as file:
        return file.read()


def left(writ):
    """Files that a call forgot."""
    return [name for _, _, names in os.walk(writ.project) for name in names if name.startswith(".writ-")]


# ---- the list

@case("the tools are there only where they are wanted")
def _():
    with Client() as writ:
        names = [tool["name"] for tool in writ.request("tools/list")["tools"]]
        holds(not set(names) & set(TOOLS), names)
    with server() as writ:
        names = [tool["name"] for tool in writ.request("tools/list")["tools"]]
        equal(names[9:], TOOLS)


@case("with them the list is at most 8 KB")
def _():
    import json
    with server() as writ:
        size = len(json.dumps(writ.request("tools/list"), separators=(",", ":"), ensure_ascii=False))
        holds(size <= 8 * 1024, size)


@case("writ mcp check finds nothing wrong with them")
def _():
    with server() as writ:
        checked = writ.writ("mcp", "check", "--tools", "files", timeout=60)
        equal(checked.returncode, 0, checked.stdout + checked.stderr)


@case("answers are text without an object, in every version")
def _():
    for version in ("2024-11-05", STATELESS):
        with server(version=version) as writ:
            put(writ, "a", "x\n")
            result = writ.call("read", path="a")
            equal(text_of(result), "1\tx")
            holds("structuredContent" not in result, result)


# ---- read

@case("read shows lines with their numbers, and how to go on")
def _():
    with server() as writ:
        put(writ, "a", "".join(f"line {n}\n" for n in range(1, 101)))
        equal(say(writ, "read", path="a", offset=3, limit=2), "3\tline 3\n4\tline 4\n"
              "[lines 3 to 4 of 100; go on with offset 5]")
        equal(say(writ, "read", path="a", offset=-2), "99\tline 99\n100\tline 100")
        equal(say(writ, "read", path="a", offset=500), "[the file has 100 lines]")
        put(writ, "e", "")
        equal(say(writ, "read", path="e"), "[the file is empty]")


@case("read is bounded: long files, long lines, and a file of 100 MB")
def _():
    with server() as writ:
        put(writ, "a", "x" * 80 + "\n" * 1 + ("y" * 80 + "\n") * 5000)
        text = say(writ, "read", path="a")
        holds(len(text) <= 18 * 1024, len(text))
        is_in("of 5001; go on with offset", text)
        put(writ, "l", "z" * 100000)
        text = say(writ, "read", path="l")
        holds(len(text) < 2200, len(text))
        is_in("[98000 more bytes]", text)
        with open(put(writ, "big", ""), "wb") as file:
            for _ in range(100):
                file.write(b"0123456789abcde\n" * 65536)
        is_in("6553600\t0123456789abcde", say(writ, "read", path="big", offset=-1))
        is_in("1\t0123456789abcde", say(writ, "read", path="big", limit=1))


@case("read tells of line ends, escapes what is no UTF-8, and names what is binary")
def _():
    with server() as writ:
        put(writ, "a", b"a\r\nb\xff\xe9c\r\n\x1b[31m")
        equal(say(writ, "read", path="a"), "1\ta\n2\tb\\xff\\xe9c\n3\t\\x1b[31m\n[its lines end with CR LF]\n"
              "[no line end at the end of the file]")
        put(writ, "b", b"\x7fELF\x02\0\0\0")
        is_in("[ELF program or library, 8 bytes", say(writ, "read", path="b"))
        put(writ, "c", b"a\0b")
        is_in("[binary, 3 bytes", say(writ, "read", path="c"))


@case("an image is an image, unless it is too large")
def _():
    with server() as writ:
        data = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 40
        put(writ, "a.png", data)
        block = writ.call("read", path="a.png")["content"][0]
        equal([block["type"], block["mimeType"]], ["image", "image/png"])
        equal(base64.b64decode(block["data"]), data)
        put(writ, "b.png", data + b"\0" * (4 << 20))
        is_in("[PNG image, ", say(writ, "read", path="b.png"))


@case("what is no file is told, and not waited for")
def _():
    with server() as writ:
        os.mkfifo(os.path.join(writ.project, "fifo"))
        with socket.socket(socket.AF_UNIX) as sock:
            here = os.getcwd()
            os.chdir(writ.project)
            sock.bind("sock")
            os.chdir(here)
            for tool, more in (("read", {}), ("write", {"content": "x"}),
                               ("edit", {"old_string": "a", "new_string": "b"})):
                is_in("is a FIFO", refusal(writ, tool, path="fifo", **more))
                is_in("is a socket", refusal(writ, tool, path="sock", **more))
                is_in("is a directory", refusal(writ, tool, path=".", **more))
                is_in("is a device", refusal(writ, tool, path="/dev/null", **more))
        is_in("No such file", refusal(writ, "read", path="none"))


# ---- list and search

@case("list shows a directory, or what matches below it")
def _():
    with server() as writ:
        put(writ, "src/a.c", "1234")
        put(writ, "src/deep/b.c", "")
        put(writ, "src/deep/b.h", "")
        os.symlink("a.c", os.path.join(writ.project, "src", "l"))
        equal(say(writ, "list", path="src"), "a.c\t4\ndeep/\nl -> a.c")
        equal(say(writ, "list", match="*.c"), "src/a.c\t4\nsrc/deep/b.c\t0")
        equal(say(writ, "list", match="src/**/*.{c,h}"), "src/a.c\t4\nsrc/deep/b.c\t0\nsrc/deep/b.h\t0")
        equal(say(writ, "list", match="src/*.c"), "src/a.c\t4")
        equal(say(writ, "list", match="*.x"), "[no file matches]")
        for n in range(150):
            open(os.path.join(writ.project, "src", "deep", f"file-{n:0200}"), "wb").close()
        text = say(writ, "list", path="src/deep")
        holds(len(text) <= 18 * 1024, len(text))
        is_in("[cut after ", text)


@case("what git ignores is left out, and said")
def _():
    with server() as writ:
        put(writ, ".git/HEAD", "needle\n")
        put(writ, ".gitignore", "*.o\n/build/\n!keep.o\n# x\n")
        put(writ, "sub/.gitignore", "x/\n!deep.o\n")
        for name in ("a.c", "a.o", "keep.o", "build/b.c", "sub/build/c.c", "sub/x/d.c", "sub/deep.o",
                     "node_modules/m.js"):
            put(writ, name, "needle\n")
        is_in("[ignored files are left out; all: true shows them]", say(writ, "list", match="*"))
        found = say(writ, "search", pattern="needle", files_only=True)
        equal(found, "a.c\nkeep.o\nsub/build/c.c\nsub/deep.o")
        found = say(writ, "search", pattern="needle", files_only=True, all=True)
        for name in ("a.o", "build/b.c", "sub/x/d.c", "node_modules/m.js", ".git/HEAD"):
            is_in(name, found)
        # What is named is searched, and a directory above counts.
        equal(say(writ, "search", pattern="needle", path="a.o"), "a.o\n1:needle")
        equal(say(writ, "search", pattern="needle", path="sub", files_only=True), "sub/build/c.c\nsub/deep.o")


@case("search shows lines, with those around them, bounded")
def _():
    with server() as writ:
        put(writ, "a", "one\ntwo\nthree\nfour\nfive\nsix\n")
        equal(say(writ, "search", pattern="^t", context=1), "a\n1-one\n2:two\n3:three\n4-four")
        equal(say(writ, "search", pattern="ON", ignore_case=True), "a\n1:one")
        equal(say(writ, "search", pattern="o.", literal=True), "[no line matches]")
        equal(say(writ, "search", pattern="o", match="*.x"), "[no line matches]")
        is_in("is no regular expression", refusal(writ, "search", pattern="("))
        put(writ, "b", b"caf\xe9 x\n")
        equal(say(writ, "search", pattern="x$", path="b"), "b\n1:caf\\xe9 x")
        put(writ, "c", b"x\0x\n")
        equal(say(writ, "search", pattern="x", path="c"), "[no line matches]")
        put(writ, "m", "match\n" * 100000)
        text = say(writ, "search", pattern="match")
        holds(len(text) <= 18 * 1024, len(text))
        is_in("[there is more", text)


@case("a pattern that would take for ever is ended")
def _():
    with server() as writ:
        put(writ, "a", "a" * 5000 + "b\n")
        is_in("takes too long", refusal(writ, "search", pattern="(a+)+(a+)+(a+)+$", path="a"))


@case("neither follows a link")
def _():
    with server() as writ:
        put(writ, "in/a", "needle\n")
        os.symlink("in", os.path.join(writ.project, "link"))
        os.symlink(".", os.path.join(writ.project, "in", "loop"))
        equal(say(writ, "search", pattern="needle", files_only=True), "in/a")
        equal(say(writ, "list", match="a"), "in/a\t7")
        # One that is named leads where it leads.
        equal(say(writ, "search", pattern="needle", path="link", files_only=True), "link/a")


# ---- write

@case("write makes a file and its directories, and says what it did")
def _():
    with server() as writ:
        equal(say(writ, "write", path="a/b/c", content="x\ny\n"), "made a/b/c: 2 lines")
        equal(get(writ, "a/b/c"), b"x\ny\n")
        equal(say(writ, "write", path="a/b/c", content="z"), "changed a/b/c: 1 line, was 2 lines")
        equal(say(writ, "write", path="a/b/c", content="z"), "unchanged: the file has this text already")
        equal(say(writ, "write", path="e", content=""), "made e: 0 lines")
        equal(get(writ, "e"), b"")
        equal(left(writ), [])


@case("a file keeps its mode, and gets a new inode: readers see the old or the new one")
def _():
    with server() as writ:
        path = put(writ, "a.sh", "1\n")
        os.chmod(path, 0o754)
        os.link(path, os.path.join(writ.project, "other"))
        with open(path, "rb") as old:
            is_in("its other names (hard links) keep the old text", say(writ, "write", path="a.sh", content="2\n"))
            equal(old.read(), b"1\n")
        equal(os.stat(path).st_mode & 0o7777, 0o754)
        equal(get(writ, "a.sh"), b"2\n")
        equal(get(writ, "other"), b"1\n")
        os.chmod(path, 0o6755)
        say(writ, "edit", path="a.sh", old_string="2", new_string="3")
        equal(os.stat(path).st_mode & 0o7777, 0o755, "set-id bits do not stay")
        equal(left(writ), [])


@case("a file of 16 MB is written and edited")
def _():
    with server() as writ:
        text = "0123456789abcde\n" * (1 << 20) + "the end\n"
        is_in("made big: ", say(writ, "write", path="big", content=text, timeout=60))
        is_in("line 1048577", say(writ, "edit", path="big", old_string="the end", new_string="THE END", timeout=60))
        with open(os.path.join(writ.project, "big"), "rb") as file:
            file.seek(-8, os.SEEK_END)
            equal(file.read(), b"THE END\n")


@case("/tmp is the session's: what is written there is read there, and the machine's is not seen")
def _():
    with server() as writ:
        name = f"/tmp/writ-test-{os.getpid()}"
        is_in("made ", say(writ, "write", path=name, content="mine\n"))
        holds(not os.path.exists(name), "it was written outside")
        is_in("mine", say(writ, "read", path=name))
        equal(text_of(writ.call("exec", argv=["cat", name])).split("\n")[0], "mine")
        name += "-outside"
        with open(name, "w", encoding="utf-8") as file:
            file.write("x")
        try:
            is_in("a directory of its own there", refusal(writ, "read", path=name))
        finally:
            os.unlink(name)


# ---- edit

@case("edit replaces what is there once, or everywhere, or several texts at once")
def _():
    with server() as writ:
        put(writ, "a", "one two\ntwo\n")
        equal(say(writ, "edit", path="a", old_string="one", new_string="1"), "changed a: line 1")
        is_in("2 times, in lines 1, 2", refusal(writ, "edit", path="a", old_string="two", new_string="2"))
        equal(say(writ, "edit", path="a", old_string="two", new_string="2", replace_all=True),
              "changed a: 2 places, lines 1 to 2")
        say(writ, "edit", path="a", edits=[{"old_string": "1 2", "new_string": "x"},
                                           {"old_string": "\n2\n", "new_string": "\nx\n"}])
        equal(get(writ, "a"), b"x\nx\n")


@case("edits that fail leave the file alone and say what is near")
def _():
    with server() as writ:
        path = put(writ, "a", "def f():\n\treturn 1\n")
        before = os.stat(path)
        text = refusal(writ, "edit", path="a", old_string="def f():\n    return 1", new_string="x")
        is_in("nearest, from line 1 (only white space differs):\n1\tdef f():\n2\t\treturn 1", text)
        is_in("nothing was written", text)
        is_in("edit 2: old_string is not in the file", refusal(
            writ, "edit", path="a", edits=[{"old_string": "def", "new_string": "x"},
                                           {"old_string": "nowhere", "new_string": "y"}]))
        is_in("edits 1 and 2 overlap in line 1", refusal(
            writ, "edit", path="a", edits=[{"old_string": "def f", "new_string": "x"},
                                           {"old_string": "f()", "new_string": "y"}]))
        is_in("use write", refusal(writ, "edit", path="a", old_string="", new_string="x"))
        is_in("are the same", refusal(writ, "edit", path="a", old_string="def", new_string="def"))
        is_in("No such file", refusal(writ, "edit", path="none", old_string="a", new_string="b"))
        is_in("expected path", refusal(writ, "edit", path="a"))
        after = os.stat(path)
        equal([after.st_ino, after.st_mtime_ns], [before.st_ino, before.st_mtime_ns])
        equal(left(writ), [])


@case("CRLF, a missing line end and bytes that are no UTF-8 stay as they are")
def _():
    with server() as writ:
        put(writ, "a", b"one\r\n\xff\xfe\r\ntwo")
        say(writ, "edit", path="a", old_string="one\n", new_string="1\n2\n")
        equal(get(writ, "a"), b"1\r\n2\r\n\xff\xfe\r\ntwo")
        say(writ, "edit", patch="--- a/a\n+++ b/a\n@@ -4 +4 @@\n-two\n+3\n")
        equal(get(writ, "a"), b"1\r\n2\r\n\xff\xfe\r\n3")


# ---- patches

@case("a patch changes, makes, moves and deletes files")
def _():
    with server() as writ:
        os.chmod(put(writ, "moved", "m\n"), 0o755)
        put(writ, "changed", "a\nb\nc\n")
        put(writ, "deleted", "x\n")
        text = say(writ, "edit", patch="*** Begin Patch\n*** Update File: changed\n@@\n a\n-b\n+B\n"
                   "*** Update File: moved\n*** Move to: to/here\n@@\n-m\n+n\n"
                   "*** Delete File: deleted\n*** Add File: new/file\n+1\n+2\n*** End Patch")
        equal(text, "changed changed\nmoved moved to to/here\ndeleted deleted\nmade new/file")
        equal(get(writ, "changed"), b"a\nB\nc\n")
        equal(get(writ, "to/here"), b"n\n")
        equal(os.stat(os.path.join(writ.project, "to/here")).st_mode & 0o777, 0o755)
        equal(get(writ, "new/file"), b"1\n2\n")
        for name in ("moved", "deleted"):
            holds(not os.path.exists(os.path.join(writ.project, name)), name)
        say(writ, "edit", patch="diff --git a/changed b/changed\n--- a/changed\n+++ b/changed\n@@ -2,2 +2,1 @@\n B\n-c\n"
            "--- a/new/file\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-1\n-2\n")
        equal(get(writ, "changed"), b"a\nB\n")
        holds(not os.path.exists(os.path.join(writ.project, "new/file")), "new/file")
        equal(left(writ), [])


@case("a patch of which a part does not fit changes nothing")
def _():
    with server() as writ:
        put(writ, "a", "a\n")
        put(writ, "b", "b\n")
        head = "*** Begin Patch\n*** Update File: a\n-a\n+A\n"
        for tail, why in (("*** Update File: b\n-x\n+y\n", "'b': the lines of hunk 1"),
                          ("*** Update File: none\n-x\n+y\n", "No such file"),
                          ("*** Add File: b\n+x\n", "is there already"),
                          ("*** Delete File: none\n", "No such file"),
                          ("*** Update File: ./a\n-a\n+x\n", "are the same file"),
                          ("*** Update File: b\n*** Move to: a/x\n-b\n+x\n", ""),
                          ("*** Update File: b\nx\n", "line 6 of the patch")):
            is_in(why, refusal(writ, "edit", patch=head + tail + "*** End Patch\n"))
            equal([get(writ, "a"), get(writ, "b")], [b"a\n", b"b\n"], tail)
        # Directories that were made for it go, too; one with something in it stays.
        os.mkdir(os.path.join(writ.project, "kept"))
        refusal(writ, "edit", patch="*** Begin Patch\n*** Add File: x/y/z\n+x\n*** Add File: kept/x/z\n+x\n"
                "*** Update File: b\n-x\n+y\n*** End Patch\n")
        equal(sorted(os.listdir(writ.project)), ["a", "b", "kept"])
        equal(os.listdir(os.path.join(writ.project, "kept")), [])
        is_in("was the patch cut?", refusal(writ, "edit", patch=head))
        equal(left(writ), [])


@case("what a wall refuses in the middle is put back")
def _():
    with server() as writ:
        put(writ, "a", "a\n")
        put(writ, "gone", "g\n")
        protected = put(writ, ".mcp.json", "{}\n")
        text = refusal(writ, "edit", patch="*** Begin Patch\n*** Update File: a\n-a\n+A\n*** Delete File: gone\n"
                       "*** Add File: new\n+x\n*** Update File: .mcp.json\n-{}\n+{1}\n*** End Patch\n")
        is_in(".mcp.json", text)
        equal([get(writ, "a"), get(writ, "gone"), get(writ, ".mcp.json")], [b"a\n", b"g\n", b"{}\n"])
        holds(not os.path.exists(os.path.join(writ.project, "new")), "new")
        equal(left(writ), [])
        holds(os.path.exists(protected), protected)


# ---- the policy

@case("a denial is short, and says what would be allowed")
def _():
    with server(policy=DEVELOPER) as writ:
        put(writ, ".git/config", "[core]\n")
        for tool, path, more in (("write", ".git/config", {"content": "x"}),
                                 ("edit", ".git/config", {"old_string": "core", "new_string": "x"}),
                                 ("read", "/etc/shadow", {}), ("read", "~/.ssh/id_rsa", {}),
                                 ("search", "~/.ssh", {"pattern": "KEY"}),
                                 ("write", "x/" * 100 + ".bashrc", {"content": "x"})):
            result = writ.call(tool, path=path, **more)
            text = text_of(result)
            equal(result["isError"], True)
            holds(text.startswith("denied: it "), text)
            holds(len(text.encode()) <= 300, len(text))
            is_in("\nallowed: ", text)
        equal(get(writ, ".git/config"), b"[core]\n")
        is_in("denied: ", refusal(writ, "edit", patch="--- a/.git/config\n+++ b/.git/config\n@@ -1 +1 @@\n-[core]\n+x\n"))
        is_in("denied: ", refusal(writ, "edit", patch="*** Begin Patch\n*** Delete File: .git/config\n*** End Patch\n"))


@case("the path is judged as it is spelled and as what it leads to")
def _():
    policy = WALLS.replace("[{allow: {}}]", "[{allow: {}}, {deny: {read: ['./secret/**', './named/**']}}]")
    with server(policy=policy) as writ:
        put(writ, "secret/key", "needle\n")
        put(writ, "open/key", "open\n")
        os.symlink("secret", os.path.join(writ.project, "link"))
        os.symlink("open", os.path.join(writ.project, "named"))
        for path in ("secret/key", "link/key", "./link/../link/key", "open/../secret/key", "named/key"):
            holds(refusal(writ, "read", path=path).startswith("denied: "), path)
        equal(say(writ, "read", path="open/key"), "1\topen")


@case("an agent that may use few programs gets the tools by the name writ-file")
def _():
    policy = "version: 1\nsandbox: workspace\nagents: {a: {tools: [cat]}, b: {tools: [writ-file]}}\nrules: [{allow: {}}]\n"
    for agent, is_error in (("a", True), ("b", False)):
        with server("--agent", agent, policy=policy) as writ:
            put(writ, "x", "x\n")
            equal(writ.call("read", path="x")["isError"], is_error)


@case("where the policy asks, a person is asked, and the answer holds for that text only")
def _():
    policy = WALLS.replace("[{allow: {}}]", "[{allow: {}}, {ask: {write: ['./a']}}]")
    with server(policy=policy) as writ:
        text = refusal(writ, "write", path="a", content="yes\n")
        is_in("approval_required", text)
        holds(not os.path.exists(os.path.join(writ.project, "a")), "it was written before the answer")


# ---- the walls

@case("no path leads out")
def _():
    with server() as writ:
        base = os.path.join(writ.base, "outside")
        os.makedirs(base)
        if base.startswith(("/tmp/", "/var/tmp/", "/dev/shm/")):
            base = os.path.dirname(os.path.realpath(os.environ["WRIT"]))
        target = os.path.join(base, "writ-none")
        os.symlink(base, os.path.join(writ.project, "dir"))
        os.symlink(target, os.path.join(writ.project, "file"))
        up = os.path.relpath(target, writ.project)
        say(writ, "write", path="inside", content="x")
        for path in (target, "dir/writ-none", "file", up, "/proc/self/root" + target, "/proc/self/cwd/" + up):
            refusal(writ, "write", path=path, content="x")
            holds(not os.path.lexists(target), path)
            refusal(writ, "edit", patch=f"*** Begin Patch\n*** Add File: {path}\n+x\n*** End Patch\n")
            holds(not os.path.lexists(target), path)


@case("what is hidden stays hidden, and what is protected stays as it is")
def _():
    with server() as writ:
        os.makedirs(os.path.join(writ.env["HOME"], ".ssh"))
        with open(os.path.join(writ.env["HOME"], ".ssh", "id_rsa"), "w", encoding="utf-8") as file:
            file.write("needle\n")
        put(writ, ".git/config", "[core]\n")
        put(writ, ".git/hooks/x", "old\n")
        key = os.path.join(writ.env["HOME"], ".ssh", "id_rsa")
        os.symlink(key, os.path.join(writ.project, "key"))
        equal(say(writ, "read", path=".git/config"), "1\t[core]")
        for path in ("~/.ssh/id_rsa", key, "key", "/proc/self/root" + key, f"/proc/{writ.pid}/environ",
                     f"/proc/{writ.pid}/cwd/key"):
            holds("needle" not in refusal(writ, "read", path=path), path)
        for arguments in ({"path": writ.env["HOME"]}, {"path": "."}, {"path": writ.env["HOME"] + "/.ssh"}):
            result = writ.call("search", pattern="needle", all=True, **arguments)
            holds("id_rsa" not in text_of(result) and ":needle" not in text_of(result), text_of(result))
        for path in (".git/config", ".git/hooks/x", ".git/hooks/new"):
            refusal(writ, "write", path=path, content="x")
        refusal(writ, "edit", path=".git/config", old_string="core", new_string="x")
        refusal(writ, "edit", patch="*** Begin Patch\n*** Delete File: .git/hooks/x\n*** End Patch\n")
        equal([get(writ, ".git/config"), get(writ, ".git/hooks/x")], [b"[core]\n", b"old\n"])


@case("a link that is swapped all the time never leads to what was denied")
def _():
    policy = WALLS.replace("[{allow: {}}]", "[{allow: {}}, {deny: {read: ['./denied/**'], write: ['./denied/**']}}]")
    with server(policy=policy) as writ:
        put(writ, "denied/f", "needle\n")
        put(writ, "in/f", "harmless\n")
        link = os.path.join(writ.project, "link")
        stop = threading.Event()

        def swap():
            n = 0
            while not stop.is_set():
                n += 1
                temp = f"{link}.{n % 2}"
                os.symlink(("denied", "in")[n % 2], temp)
                os.rename(temp, link)

        os.symlink("in", link)
        equal(say(writ, "read", path="link/f"), "1\tharmless")
        thread = threading.Thread(target=swap)
        thread.start()
        try:
            for n in range(60):
                holds("needle" not in text_of(writ.call("read", path="link/f")), "it was read")
                writ.call("write", path="link/f", content=f"{n}\n")
                equal(get(writ, "denied/f"), b"needle\n")
        finally:
            stop.set()
            thread.join()


@case("a change of somebody else is never undone by an edit that began before it")
def _():
    with server() as writ:
        path = put(writ, "a", "0 old\n")
        stop = threading.Event()
        last = [0]

        def replace():
            while not stop.is_set():
                last[0] += 1
                with open(path + ".next", "w", encoding="utf-8") as file:
                    file.write(f"{last[0]} old\n")
                os.rename(path + ".next", path)

        thread = threading.Thread(target=replace)
        thread.start()
        try:
            for _ in range(40):
                # Else it could be as the last edit left it.
                before = last[0]
                while last[0] < before + 2:
                    thread.join(0.001)
                result = writ.call("edit", path="a", old_string="old", new_string="new")
                if result["isError"]:
                    is_in("by somebody else", text_of(result))
        finally:
            stop.set()
            thread.join()
        equal(get(writ, "a").split()[0], str(last[0]).encode())
        equal(left(writ), [])


@case("writ-file by itself is a command like any other")
def _():
    with server() as writ:
        put(writ, "a", "x\n")
        program = os.path.join(os.path.dirname(os.path.realpath(os.environ["WRIT"])), "writ-file")
        if not os.path.exists(program):
            skip("not a build tree")
        # It lies in no directory of programs, so it is not taken for what is described.
        result = writ.call("exec", argv=[program, "read", "--", "a"])
        equal(result["isError"], False)
        for words in ([], ["read"], ["read", "--nonsense", "a"], ["patch"], ["write", "--from", "x", "a"], ["other", "a"]):
            equal(writ.call("exec", argv=[program, *words])["structuredContent"]["exit_code"], 2, words)


@case("what will run later because of a file is said")
def _():
    with server() as writ:
        is_in("made .envrc: 1 line\nRuns later: ", say(writ, "write", path=".envrc", content="x\n"))


# ---- the record

@case("the record has each call with its paths, and the difference that it made")
def _():
    with server() as writ:
        put(writ, "a", "one\ntwo\n")
        say(writ, "edit", path="a", old_string="two", new_string="2")
        page = writ.writ("audit", "show", "-").stdout
        is_in("writ-file edit -- a", page)
        is_in("\ndifference\n  --- a\n  +++ a\n  @@ -1,2 +1,2 @@\n   one\n  -two\n  +2\n", page)
        say(writ, "read", path="a")
        holds("difference" not in writ.writ("audit", "show", "-").stdout, "a read changes nothing")
        say(writ, "write", path="b", content="x" * 200 + "\n" + "line\n" * 20000)
        page = writ.writ("audit", "show", "-").stdout
        is_in("[the difference is longer]", page)
        holds(len(page) < 60000, len(page))
        refusal(writ, "edit", path="a", old_string="nowhere", new_string="2")
        is_in("exited 1", writ.writ("audit", "show", "-").stdout)
        equal(writ.writ("audit", "verify").returncode, 0)


run()
