#!/usr/bin/env python3
# The session of a client: /tmp and 127.0.0.1 last from call to call, what a
# command leaves behind runs on, and all of it ends with the connection.
import os
import signal
import socket
import tempfile
import time

from cases import case, equal, holds, is_in, run
from client import STATELESS, Client, processes, text_of, wait_until

POLICY = "developer"
SERVE = """exec python3 -c 'import socket
s = socket.create_server(("127.0.0.1", {0}))
print("ready", flush=True)
while True:
    c = s.accept()[0]
    c.sendall(b"served\\n")
    c.close()'"""
ASK = """python3 -c 'import socket
try:
    print(socket.create_connection(("127.0.0.1", {0}), 5).recv(99).decode(), end="")
except OSError as e:
    print(type(e).__name__)'"""
WORD = [os.getpid() % 10000 * 1000]


def exec_sh(writ, text, **more):
    return writ.call("exec", argv=["sh", "-c", text], **more)["structuredContent"]


def out(writ, text, **more):
    result = exec_sh(writ, text, **more)
    equal(result.get("outcome"), "exited", str(result))
    return result["stdout"]


def word():
    """A number of seconds by which a process is found."""
    WORD[0] += 1
    return f"4{WORD[0]:07}"


@case("a file in /tmp, /var/tmp or /dev/shm is there in the next call")
def _():
    for version in ("2025-11-25", STATELESS):
        with Client(version=version, policy=POLICY) as writ:
            equal(out(writ, "echo 'echo ran' >/tmp/x.sh; echo v >/var/tmp/v; echo s >/dev/shm/s"), "")
            equal(out(writ, "sh /tmp/x.sh; cat /var/tmp/v /dev/shm/s"), "ran\nv\ns\n")
            holds(not os.path.exists("/tmp/x.sh"), "nothing of it is the machine's")


@case("the result and the record name the session")
def _():
    with Client(policy=POLICY) as writ:
        name = exec_sh(writ, "true")["sandbox"]["session"]
        equal(exec_sh(writ, "true")["sandbox"]["session"], name)
        is_in(f'"session":"{name}"', writ.writ("audit", "export").stdout)


@case("a server in one call is reached from the next, and runs on after its call")
def _():
    with Client(policy=POLICY) as writ:
        server = exec_sh(writ, SERVE.format(3000) + " & sleep 0.1; while ! " + ASK.format(3000)
                         + " | grep -q served; do sleep 0.05; done; echo up")
        equal(server["outcome"], "running")
        is_in("up\n", server["stdout"])
        equal(out(writ, ASK.format(3000)), "served\n")
        equal(writ.call("run_kill", run_id=server["run_id"])["isError"], False)
        wait_until(lambda: out(writ, ASK.format(3000)) == "ConnectionRefusedError\n", "the port is free")


@case("a command that leaves nothing behind is answered at once")
def _():
    with Client(policy=POLICY) as writ:
        equal(exec_sh(writ, "sleep 0.01 & true", yield_ms=600000)["outcome"], "exited")


@case("a port that another call has is told by the program, and is free for other clients")
def _():
    bind = "python3 -c 'import socket; socket.create_server((\"127.0.0.1\", 3001)); print(\"bound\")' 2>&1"
    with Client(policy=POLICY) as writ, Client(policy=POLICY) as other:
        server = exec_sh(writ, SERVE.format(3001), yield_ms=1)
        wait_until(lambda: out(writ, ASK.format(3001)) == "served\n", "it listens")
        is_in("Address already in use", out(writ, bind + "; true"))
        equal(out(other, bind), "bound\n")
        equal(out(other, ASK.format(3001)), "ConnectionRefusedError\n")
        equal(server["outcome"], "running")


@case("clients see nothing of each other's /tmp")
def _():
    with Client(policy=POLICY) as writ, Client(policy=POLICY) as other:
        out(writ, "echo mine >/tmp/a")
        equal(out(other, "cat /tmp/a 2>/dev/null || echo none"), "none\n")


@case("a call cannot see or end the processes of another")
def _():
    with Client(policy=POLICY) as writ:
        seconds = word()
        server = exec_sh(writ, f"sleep {seconds}", yield_ms=1)
        equal(out(writ, "pkill -x sleep; pgrep -x sleep || echo unseen"), "unseen\n")
        equal(writ.call("run_read", run_id=server["run_id"])["structuredContent"]["outcome"], "running")


@case("what was left behind ends with the connection, however that ends")
def _():
    for end in ("input", signal.SIGTERM, signal.SIGKILL):
        with Client(policy=POLICY) as writ:
            seconds = word()
            for _ in range(20):
                equal(exec_sh(writ, f"sleep {seconds} >/dev/null 2>&1 & (setsid sleep {seconds} &) ; true",
                              yield_ms=1)["outcome"], "running")
            wait_until(lambda seconds=seconds: len(processes(seconds)) >= 40, "all of them run")
            if end == "input":
                writ.end_input()
            else:
                writ.signal(end)
            writ.wait()
            wait_until(lambda seconds=seconds: not processes(seconds), "all of them have gone", 10)


def children(process):
    with open(f"/proc/{process}/task/{process}/children", encoding="ascii") as file:
        return [int(one) for one in file.read().split()]


def kill_all(those):
    for one in those:
        os.kill(one, signal.SIGKILL)


def leave_behind(writ, seconds, count=20):
    for _ in range(count):
        exec_sh(writ, f"sleep {seconds} >/dev/null 2>&1 & (setsid sleep {seconds} &) ; true", yield_ms=1)
    wait_until(lambda: len(processes(seconds)) == 2 * count, "all of them run")


@case("a helper that is killed amid 20 runs takes only its own run along, and nothing of that is left")
def _():
    with Client(policy=POLICY) as writ:
        seconds = word()
        out(writ, "echo kept >/tmp/a")
        leave_behind(writ, seconds)
        helpers = children(writ.process.pid)
        inits = [one for one in helpers if set(children(one)) & set(processes(seconds))]
        equal(len(inits), 20)
        kill_all(inits[:1])
        wait_until(lambda: len(processes(seconds)) == 38, "one run has gone", 10)
        # Those that stand beside the runs: they start the next one, or clean up.
        kill_all(set(helpers) - set(inits))
        wait_until(lambda: exec_sh(writ, "cat /tmp/a").get("stdout") == "kept\n", "the session goes on")
        equal(len(processes(seconds)), 38)
        kill_all(inits[1:])
        wait_until(lambda: not processes(seconds), "all of them have gone", 10)
        wait_until(lambda: exec_sh(writ, "cat /tmp/a").get("stdout") == "kept\n", "the session goes on")


@case("server and helpers that are killed together amid 20 runs leave nothing")
def _():
    with Client(policy=POLICY) as writ:
        seconds = word()
        leave_behind(writ, seconds)
        kill_all([writ.process.pid, *children(writ.process.pid)])
        writ.wait()
        wait_until(lambda: not processes(seconds), "all of them have gone", 10)


@case("a full /tmp is told by the program, and the session goes on")
def _():
    with Client(policy="version: 1\ninclude: [developer]\nlimits: { tmp: 2MiB }\n") as writ:
        result = exec_sh(writ, "head -c 5000000 /dev/zero >/tmp/big")
        equal(result["outcome"], "exited", str(result))
        is_in("No space left", result["stderr"])
        equal(out(writ, "rm /tmp/big; echo fine"), "fine\n")


@case("a session's /tmp on disk lasts, is limited by sampling, and goes with the connection")
def _():
    policy = "version: 1\ninclude: [developer]\nlimits: { tmp: { size: 8MiB, on: disk } }\n"
    with Client(policy=policy) as writ:
        kept = os.path.join(writ.base, "state", "tmp")
        result = exec_sh(writ, "echo kept >/tmp/a; echo v >/var/tmp/v; stat -f -c %T /tmp")
        equal([result["sandbox"]["tmp"], result["sandbox"]["tmp_by"]], ["disk", "sampling"])
        equal(out(writ, "cat /tmp/a /var/tmp/v; stat -f -c %T /tmp"), "kept\nv\n" + result["stdout"])
        equal(len(os.listdir(kept)), 1)
        ended = writ.call("exec", argv=["sh", "-c", "head -c 20000000 /dev/zero >/tmp/big; sleep 100"])
        equal([ended["structuredContent"][key] for key in ("outcome", "limit")], ["limited", "disk"])
        is_in("8MiB (on disk, sampled)", text_of(ended))
        # It is still full: who makes room may do so, and the session goes on.
        equal(out(writ, "cat /tmp/a; rm /tmp/big; sleep 0.3; echo fine"), "kept\nfine\n")
        writ.signal(signal.SIGKILL)
        writ.wait()
        equal(len(os.listdir(kept)), 1)
        with Client(base=writ.base, policy=policy) as other:
            equal(out(other, "cat /tmp/a 2>/dev/null || echo none"), "none\n")
            equal(len(os.listdir(kept)), 1)
        equal(os.listdir(kept), [])


@case("a call with walls that somebody agreed to leaves nothing behind")
def _():
    policy = ("version: 1\ninclude: [developer]\nrules:\n"
              "  - allow: { effect: [net, code, exec, unknown, publish], network: host, sandbox: workspace }\n")
    with Client(policy=policy) as writ:
        seconds = word()
        result = exec_sh(writ, f"sleep {seconds} >/dev/null 2>&1 & echo started", network="host")
        if result.get("outcome") is not None:
            equal(result["outcome"], "exited", str(result))
        equal(processes(seconds), [])


def bash(writ, text, **more):
    return writ.call("exec", argv=["bash", "-c", text], **more)


@case("a bash leaves its directory and plain variables to the next call, and the answer says where")
def _():
    with Client(policy=POLICY) as writ:
        os.makedirs(os.path.join(writ.project, "a b"))
        text = text_of(bash(writ, "cd 'a b'; export MARK='x y' PATH=/tmp:$PATH LD_PRELOAD=/tmp/x.so; other=1"))
        is_in(f"[now in {writ.project}/a b]", text)
        result = bash(writ, "pwd; echo $MARK; echo ${LD_PRELOAD-none} ${other-none}; case $PATH in /tmp*) echo bad;; esac")
        equal(result["structuredContent"]["stdout"], f"{writ.project}/a b\nx y\nnone none\n")
        holds("now in" not in text_of(result), "it is said once")
        equal(out(writ, "pwd; echo $MARK"), f"{writ.project}/a b\nx y\n")
        # A directory that is given goes first, and is not kept.
        equal(exec_sh(writ, "pwd", cwd=writ.project)["stdout"], f"{writ.project}\n")
        equal(out(writ, "pwd"), f"{writ.project}/a b\n")


@case("a directory of the session's /tmp lasts like any other, and so do programs in it")
def _():
    with Client(policy=POLICY) as writ:
        text = text_of(bash(writ, "mkdir -p /tmp/build/a && cd /tmp/build && printf '#!/bin/sh\necho ran in $PWD\n' >x && "
                                  "chmod +x x && ln -s x link && cp /bin/echo prog && ln -s /bin/echo out"))
        is_in("[now in /tmp/build]", text)
        equal(bash(writ, "pwd; ./x; ls -d a")["structuredContent"]["stdout"], "/tmp/build\nran in /tmp/build\na\n")
        equal(out(writ, "touch made; cd a; pwd"), "/tmp/build/a\n")
        for argv in (["./x"], ["/tmp/build/x"], ["./link"], ["a/../x"]):
            equal(writ.call("exec", argv=argv)["structuredContent"].get("stdout"), "ran in /tmp/build\n", str(argv))
        for argv in (["./prog", "hi"], ["/tmp/build/prog", "hi"], ["./out", "hi"]):
            equal(writ.call("exec", argv=argv)["structuredContent"].get("stdout"), "hi\n", str(argv))
        for place in ("/var/tmp", "/dev/shm"):
            equal(bash(writ, f"mkdir {place}/d && cd {place}/d")["structuredContent"]["outcome"], "exited")
            equal(out(writ, "pwd"), f"{place}/d\n")
        equal(exec_sh(writ, "pwd", cwd="/tmp/build/a")["stdout"], "/tmp/build/a\n")
        holds(not os.path.exists("/tmp/build/made"), "nothing of it is the machine's")


@case("a directory of the session's /tmp is not the machine's of the same name")
def _():
    with Client(policy=POLICY) as writ, tempfile.TemporaryDirectory(dir="/tmp") as theirs:
        with open(os.path.join(theirs, "secret"), "w", encoding="utf-8") as file:
            file.write("secret\n")
        bash(writ, f"mkdir -p {theirs}; cd {theirs}; echo mine >secret")
        equal(out(writ, "cat secret; echo changed >secret; pwd"), f"mine\n{theirs}\n")
        with open(os.path.join(theirs, "secret"), encoding="utf-8") as file:
            equal(file.read(), "secret\n")


@case("links in the session's /tmp lead nowhere else")
def _():
    with Client(policy=POLICY) as writ, tempfile.TemporaryDirectory(dir="/tmp") as theirs:
        with open(os.path.join(theirs, "tool"), "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\necho theirs\n")
        os.chmod(os.path.join(theirs, "tool"), 0o755)
        with open(os.path.join(theirs, "text"), "w", encoding="utf-8") as file:
            file.write("theirs\n")
        bash(writ, f"mkdir /tmp/d; cd /tmp/d; ln -s {theirs} dir; ln -s {theirs}/tool tool; ln -s loop loop; "
                   f"ln -s {theirs}/text text; ln -s / root; mkfifo fifo; ln -s /etc etc")
        for argv in (["./dir/tool"], ["./tool"], ["./loop"], ["./fifo"], ["./root/bin/echo"], [f"{theirs}/tool"]):
            result = writ.call("exec", argv=argv)["structuredContent"]
            holds("theirs" not in str(result.get("stdout")), str(result))
            holds(result.get("outcome") is None or result["exit_code"] != 0, str(result))
        for cwd in ("/tmp/d/loop", "/tmp/d/text", "/tmp/d/fifo", "/tmp/d/dir"):
            result = exec_sh(writ, "pwd", cwd=cwd)
            holds(result.get("stdout") is None, str(result))
        equal(out(writ, "pwd"), "/tmp/d\n")


@case("a program of the session is code, whatever it is called")
def _():
    policy = "version: 1\nrules:\n  - allow: { program: [bash, echo, mkdir, cp, ls] }\n"
    with Client(policy=policy) as writ:
        bash(writ, "mkdir /tmp/d; cp /bin/ls /tmp/d")
        equal(writ.call("exec", argv=["ls", "/tmp/d"])["structuredContent"].get("stdout"), "ls\n")
        for argv in (["/tmp/d/ls"], ["bash", "-c", "/tmp/d/ls"]):
            result = writ.call("exec", argv=argv)["structuredContent"]
            equal(result.get("error", {}).get("code"), "approval_required", str(result))
            is_in("/tmp/d/ls", result["error"]["message"])


@case("what gets more than the session's walls uses none of its directories")
def _():
    def agreed(writ, argv):
        asked = writ.call("exec", argv=argv, network="host")["structuredContent"]
        id = asked.get("error", {}).get("details", {}).get("approval_id")
        holds(id is not None, str(asked))
        writ.writ("approvals", "approve", id)
        return writ.call("exec", argv=argv, network="host")["structuredContent"]

    with Client(policy=POLICY) as writ:
        bash(writ, "mkdir /tmp/d; cd /tmp/d; cp /bin/pwd /tmp/pwd")
        result = agreed(writ, ["bash", "-c", "pwd"])
        equal(result.get("stdout"), f"{writ.project}\n", str(result))
        result = agreed(writ, ["/tmp/pwd"])
        equal(result.get("error", {}).get("code"), "invalid", str(result))
        is_in("gets more than the session's walls", result["error"]["message"])


@case("a directory that has gone is dropped, and that is said")
def _():
    with Client(policy=POLICY) as writ:
        for text in ("mkdir -p gone; cd gone", "mkdir -p /tmp/gone; cd /tmp/gone"):
            bash(writ, text)
            exec_sh(writ, "rm -rf /tmp/gone", cwd=writ.project)
            if os.path.exists(os.path.join(writ.project, "gone")):
                os.rmdir(os.path.join(writ.project, "gone"))
            result = bash(writ, "pwd")
            equal(result["structuredContent"].get("stdout"), f"{writ.project}\n", str(result))
            is_in("cannot be used", text_of(result))
            equal(out(writ, "pwd"), f"{writ.project}\n")


@case("what needs a question starts where the server did, without what was left")
def _():
    policy = "version: 1\ninclude: [developer]\nrules:\n  - ask: touch ...\n"
    with Client(policy=policy) as writ:
        os.makedirs(os.path.join(writ.project, "sub"))
        bash(writ, "cd sub; export MARK=planted")
        asked = writ.call("exec", argv=["bash", "-c", "touch x; echo $MARK"])
        equal(asked["structuredContent"]["error"]["code"], "approval_required", str(asked))
        shown = writ.writ("approvals", "list", "--json").stdout
        holds("planted" not in shown and "/sub" not in shown, shown)


@case("a port is published, and a service let in, for a client whose server has the options")
def _():
    with socket.create_server(("127.0.0.1", 0)) as service, socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
        probe.close()
        there = service.getsockname()[1]
        with Client("--publish", f"{port}:3000", "--connect", f"127.0.0.1:{there}", policy=POLICY) as writ:
            begun = exec_sh(writ, SERVE.format(3000) + " & while ! " + ASK.format(3000) + " | grep -q served; do sleep 0.05; done")
            equal(begun["outcome"], "running")
            with socket.create_connection(("127.0.0.1", port), 10) as seen:
                equal(seen.recv(99), b"served\n")
            asked = writ.call("exec", argv=["sh", "-c", ASK.format(there)], yield_ms=0)["structuredContent"]["run_id"]
            with service.accept()[0] as client:
                client.sendall(b"let in\n")
            wait_until(lambda: "let in" in writ.call("run_read", run_id=asked, wait_ms=100)["structuredContent"]["data"], "the service")
        refused = []

        def gone():
            try:
                socket.create_connection(("127.0.0.1", port), 5).close()
            except ConnectionRefusedError:
                refused.append(port)
            return refused
        wait_until(gone, "the port is free again")


@case("a port that is taken refuses calls by its number")
def _():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with Client("--publish", str(port), policy=POLICY) as writ:
            is_in(f"port {port} of this machine is taken", text_of(writ.call("exec", argv=["true"])))


# A machine without bash: the policy names the shell, as `sh` is there.
@case("a text that sh runs leaves its directory and plain variables behind, and nothing that runs code")
def _():
    policy = "version: 1\ninclude: [developer]\nshell: {program: sh}\n"
    with Client(policy=policy) as writ:
        def said(command):
            return text_of(writ.call("exec", command=command))

        is_in("[now in ", said("mkdir -p sub && cd sub; export MARK=\"it's kept\" LONG='a b'"))
        is_in(f"{writ.project}/sub|it's kept|a b|", said('echo "$PWD|$MARK|$LONG|"'))
        said("export PATH=/tmp:$PATH GIT_SSH_COMMAND=x PS4=y; git() { echo planted; }; alias ls=x; export LINES='a\nb'")
        is_in("||git version", said('case $PATH in /tmp:*) echo bad;; esac; echo "$GIT_SSH_COMMAND|$LINES|$(git --version)"'))
        result = writ.call("exec", command="cd ..; export MARK=3; exit 3")["structuredContent"]
        equal(result["exit_code"], 3)
        is_in(f"{writ.project}|3", said('echo "$PWD|$MARK"'))
        is_in("it's kept", said("MARK=\"it's kept\"; echo \"$MARK\"; exec true"))
        # What it wrote itself is read as what a stranger wrote.
        said("trap 'printf \"/etc\\nexport A=\\$(id)\\n\" >/tmp/.writ-shell-*' EXIT")
        is_in(f"{writ.project}|3", said('echo "$PWD|$MARK"'))
        shown = writ.writ("audit", "export").stdout
        holds("trap '{" not in shown, "the record has the text as it was sent")


def triggers(writ, text):
    result = exec_sh(writ, text)
    equal(result.get("outcome"), "exited", str(result))
    return [one["path"] for one in result.get("triggers", [])]


# The directories of a project are known from the call before when they have not just changed.
@case("what runs later is found in directories that a call has known", full=True)
def _():
    with Client(policy=POLICY) as writ:
        place = os.path.join(writ.project, "a/b")
        os.makedirs(place)
        os.makedirs(os.path.join(writ.project, ".git/hooks"))
        with open(os.path.join(place, ".envrc"), "w", encoding="ascii") as file:
            file.write("true\n")
        wait_until(lambda: time.time() - os.stat(place).st_ctime > 3, "the age of a directory")
        for _ in range(2):
            equal(triggers(writ, "true # what it changes is not known"), [])
        equal(triggers(writ, "echo export A=1 >a/b/.envrc"), [os.path.join(place, ".envrc")])
        is_in(os.path.join(writ.project, "a/.envrc"), triggers(writ, "echo true >a/.envrc; touch -r a/b a/.envrc; touch -d 2020-01-01 a"))
        is_in(os.path.join(place, "c/.vscode/tasks.json"), triggers(writ, "d=$(echo .vscode); mkdir -p a/b/c/$d; echo {} >a/b/c/$d/tasks.json"))


run()
