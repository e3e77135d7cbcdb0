#!/usr/bin/env bats
# writ attach: further terminals at a run with a terminal of its own.
# `run` sets output and stderr, the helpers the rest.
# shellcheck disable=SC2016,SC2030,SC2031,SC2154
load helpers

setup() {
	mkdir -p "$BATS_TEST_TMPDIR/work"
	cd "$BATS_TEST_TMPDIR/work" || return
}

teardown() { "$WRIT" kill --all >/dev/null 2>&1 || true; }

# seats: what is on standard input, in Python, with terminals at hand.
seats() {
	local prelude='
import socket, subprocess

def begin(*words):
    return subprocess.run([WRIT, "run", "--detach", "--pty", "--stdin", "attach", *words],
                          stdout=subprocess.PIPE, check=True).stdout.decode().strip()

SHELL = ("env", "PS1=READY ", "bash", "--norc", "--noediting", "-i")

def attach(*words, **more):
    seat = Seat(WRIT, "attach", *words, **more)
    seat.sees("attached to")
    return seat

def running():
    return subprocess.run([WRIT, "ps", "--ids"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.decode().split()

def plug(id):
    plug = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    os.chdir(os.environ["WRIT_STATE_DIR"] + "/attach")
    plug.connect(id)
    plug.settimeout(20)
    return plug
'
	timeout -s KILL 100 env --default-signal=INT,QUIT,TSTP python3 -c "$(cat "$BATS_TEST_DIRNAME/seat.py")$prelude$(cat)" </dev/null 3>&-
}

# bats test_tags=smoke
@test "several terminals see a run and type into it; it goes on when all have left" {
	seats <<-'END'
		id = begin("--", *SHELL)
		one = attach(id, rows=30, columns=100)
		one.sees("READY ")
		assert one.is_raw()
		one.type("stty size; echo o''ne\r")
		one.sees("30 100")
		one.sees("one")
		# By a prefix; it sees what was there before, and sets the size.
		two = attach(id[:24], rows=20, columns=60)
		two.sees("one")
		two.type("stty size; echo t''wo\r")
		two.sees("20 60")
		one.sees("two")
		two.resize(25, 70)
		two.type("until [ \"$(stty size)\" = '25 70' ]; do sleep 0.05; done; echo fol''lowed\r")
		one.sees("followed")
		two.type("\x1c\x1c")
		rest, status = two.rest()
		assert status == 0 and b"detached from" in rest, rest
		# The size is that of the one that is left.
		one.type("until [ \"$(stty size)\" = '30 100' ]; do sleep 0.05; done; echo ba''ck\r")
		one.sees("back")
		one.type("\x1c\x1c")
		assert one.rest()[1] == 0
		assert running() == [id]
		three = attach("-")
		three.sees("back")
		three.type("exit 7\r")
		rest, status = three.rest()
		assert status == 7 and b"has ended with 7" in rest, rest
		assert running() == []
		assert os.listdir(os.environ["WRIT_STATE_DIR"] + "/attach") == []
	END
}

@test "a run in the foreground can be shared, and its own terminal gets its size back" {
	seats <<-'END'
		owner = Seat(WRIT, "run", "--pty", "--", *SHELL, rows=33, columns=99)
		owner.sees("READY ")
		guest = attach("-", rows=20, columns=60)
		guest.sees("READY ")
		guest.type("stty size; echo gu''est\r")
		owner.sees("20 60")
		owner.sees("guest")
		# However often it changes.
		for i in range(200):
		    guest.resize(10 + i % 50, 40 + i % 90)
		guest.resize(20, 60)
		guest.type("until [ \"$(stty size)\" = '20 60' ]; do sleep 0.05; done; echo ca''lm\r")
		owner.sees("calm")
		# It is the guest's, whatever happens to the window of the owner.
		owner.resize(40, 120)
		owner.type("stty size; echo st''ill\r")
		guest.sees("20 60")
		guest.sees("still")
		guest.type("\x1c\x1c")
		assert guest.rest()[1] == 0
		owner.type("until [ \"$(stty size)\" = '40 120' ]; do sleep 0.05; done; exit 3\r")
		assert owner.status() == 3
	END
}

@test "--read-only types nothing and sets no size" {
	seats <<-'END'
		id = begin("--rows", "31", "--columns", "97", "--", *SHELL)
		one = attach("--read-only", id, rows=10, columns=20)
		one.sees("READY ")
		one.type("echo b''ad\r")
		two = attach(id, rows=30, columns=100)
		two.type("echo go''od\r")
		one.sees("good")
		assert b"bad" not in two.seen and b"bad" not in one.seen
		one.type("\x1c\x1c")
		assert one.rest()[1] == 0
		two.type("exit\r")
		seen, status = two.rest()
		assert status == 0 and b"bad" not in seen
		# Nor does a read-only one that does not keep to it.
		id = begin("--", *SHELL)
		rogue = plug(id)
		rogue.send(b"H\0\0\0\0\1")
		rogue.send(b"Iexit\r")
		while rogue.recv(10000):
		    pass
		assert running() == [id]
	END
}

@test "Ctrl-\\ once is the run's, also after a while" {
	seats <<-'END'
		id = begin("--", "bash", "-c", "trap 'echo qu\"\"it' QUIT; echo READY; while :; do sleep 0.1; done")
		one = attach(id)
		one.sees("READY")
		one.type("\x1c")
		one.sees("quit")
		one.type("\x1c")
		one.sees("quit")
		one.type("\x1cx")
		one.sees("quit")
		one.type("\x1c\x1c")
		assert one.rest()[1] == 0
	END
}

@test "a program cannot make the terminal answer, nor set titles or the clipboard" {
	seats <<-'END'
		bad = r"\033]0;title\007\033]52;c;eA==\007\033[6n\033[c\033[5i\033P+q544e\033\\"
		id = begin("--", "bash", "-c", "printf 'begin%s\\033[31mred\\033[2J\\033[5;5Hend\\n'; read x" % bad)
		one = attach(id)
		text = b"attached" + one.sees(r"begin[^\0]*end").encode()
		for part in (b"title", b"]52", b"[6n", b"[c", b"[5i", b"+q"):
		    assert part not in text, text
		assert b"\x1b[31m" in text and b"\x1b[5;5H" in text, text
		raw = attach("--raw", id)
		raw.sees(r"begin\x1b\]0;title\x07")
		one.type("\r")
		rest, status = one.rest()
		assert status == 0
		# Colours are off again.
		assert b"\x1b[0m" in rest, rest
	END
}

@test "what cannot be attached is told" {
	"$WRIT" run -- true
	run -125 --separate-stderr "$WRIT" attach
	expect_in_stderr "say which RUN"
	seats <<-'END'
		def refused(word, *argv):
		    seat = Seat(WRIT, "attach", *argv)
		    rest, status = seat.rest()
		    assert status == 125 and word in rest.decode(), (rest, status)
		refused("has ended already: exited with 0", "-")
		refused("no run 'zzz'", "zzz")
		id = subprocess.run([WRIT, "run", "--detach", "--", "sleep", "100"], stdout=subprocess.PIPE).stdout.decode().strip()
		refused("has no terminal: it was started without --pty", id)
		subprocess.run([WRIT, "kill", id], check=True, stdout=subprocess.DEVNULL)
		inside = Seat(WRIT, "run", "--pty", "--sandbox", "none", "--", WRIT, "attach", "-")
		rest, status = inside.rest()
		assert status == 125 and "only a person at the command line can" in rest.decode(), rest
	END
	id=$("$WRIT" run --detach --pty --stdin attach -- sleep 100)
	run -125 --separate-stderr "$WRIT" attach "$id"
	expect_in_stderr "standard input and output must be a terminal"
	run -125 --separate-stderr "$WRIT" run --stdin attach -- true
	expect_in_stderr "only a run with --detach and --pty can wait for a terminal"
}

@test "a run that ends in that moment is told, or has its status" {
	seats <<-'END'
		for i in range(20):
		    id = begin("--", "sh", "-c", "exit 3")
		    seat = Seat(WRIT, "attach", id)
		    rest, status = seat.rest()
		    assert status in (3, 125), (rest, status)
	END
}

@test "who is killed harms no other, and leaves the terminal as it was" {
	seats <<-'END'
		id = begin("--", *SHELL)
		one, two = attach(id), attach(id)
		one.sees("READY ")
		two.sees("READY ")
		os.kill(one.pid, signal.SIGKILL)
		one.waits_raw(False)
		two.type("echo th''ere\r")
		two.sees("there")
		owner = subprocess.run([WRIT, "ps", "--json"], stdout=subprocess.PIPE).stdout
		import json
		os.kill(json.loads(owner)[0]["pid"], signal.SIGKILL)
		rest, status = two.rest()
		assert status == 125 and b"is gone" in rest, rest
		# The next run removes the socket that was left.
		assert os.listdir(os.environ["WRIT_STATE_DIR"] + "/attach") == [id]
		other = begin("--", *SHELL)
		assert os.listdir(os.environ["WRIT_STATE_DIR"] + "/attach") == [other]
	END
}

@test "a terminal that does not read does not hold up the run" {
	seats <<-'END'
		id = begin("--", "sh", "-c", "read x; head -c 20000000 /dev/zero | tr '\\0' x; echo; echo d''one; exit 4")
		slow, fast = attach(id), attach(id)
		os.kill(slow.pid, signal.SIGSTOP)
		fast.type("\r")
		rest, status = fast.rest()
		assert status == 4 and b"done" in rest[-200:], (rest[-200:], status)
		os.kill(slow.pid, signal.SIGCONT)
		assert slow.rest()[1] in (4, 125)
	END
}

@test "what is no packet of ours ends that connection, and nothing else" {
	seats <<-'END'
		id = begin("--", *SHELL)
		good = attach(id)
		good.sees("READY ")
		hello = b"H\0\x18\0\x50\0"
		for packets in ([b"x"], [b"Iexit\r"], [b"H"], [hello, hello], [hello, b"S\0"], [hello, b"I" + b"x" * 2000],
		                [hello, b"O" + b"x"], [hello, b"E\0"], [b"H" * 100000], [hello + b"\0"]):
		    bad = plug(id)
		    for packet in packets:
		        try:
		            bad.send(packet)
		        except OSError:
		            pass
		    try:
		        while bad.recv(10000):
		            pass
		    except ConnectionResetError:
		        pass
		# More than there is room for.
		many = [plug(id) for _ in range(20)]
		for one in many:
		    one.close()
		good.type("echo th''ere\r")
		good.sees("there")
	END
}

@test "no run and no other user reaches the socket" {
	id=$("$WRIT" run --detach --pty --stdin attach -- sleep 100)
	[[ $(stat -c %a "$WRIT_STATE_DIR/attach") == 700 ]]
	[[ -S $WRIT_STATE_DIR/attach/$id ]]
	for profile in readonly workspace strict; do
		"$WRIT" run --sandbox "$profile" -- true 2>/dev/null || continue
		run "$WRIT" run --sandbox "$profile" -- sh -c 'ls "$1" && echo seen' sh "$WRIT_STATE_DIR/attach"
		[[ $output != *seen* && $output != *"$id"* ]] || show_run
	done
	# Who is behind walls is turned away even where the socket can be reached;
	# so is another user.
	chmod 755 "$WRIT_STATE_DIR/attach"
	chmod 777 "$WRIT_STATE_DIR/attach/$id"
	turned_away() {
		"$@" python3 -c 'import os, socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
s.settimeout(20)
os.chdir(sys.argv[1])
if "AS_NOBODY" in os.environ:
    os.setgroups([])
    os.setuid(65534)
try:
    s.connect(sys.argv[2])
    s.send(b"H\0\x18\0\x50\0")
    sys.exit(s.recv(10000) != b"")
except (ConnectionResetError, BrokenPipeError, PermissionError):
    sys.exit(0)' "$WRIT_STATE_DIR/attach" "$id"
	}
	# The test can fail: from here it is welcome.
	run -1 timeout 20 bash -c "$(declare -f turned_away); turned_away"
	turned_away setpriv --no-new-privs
	turned_away "$WRIT" run --sandbox none --
	if [[ $(id -u) == 0 ]]; then
		turned_away env AS_NOBODY=1
		turned_away unshare -m
	fi
}

@test "output of a terminal is shown and recorded as before" {
	run -0 --separate-stderr "$WRIT" run --pty --stdin null -- seq 100000
	[[ $(tr -d '\r' <<<"$output" | sha256sum) == "$(seq 100000 | sha256sum)" ]] || show_run
	[[ -z $stderr ]] || show_run
}
