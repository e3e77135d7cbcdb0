#!/usr/bin/env bats
# What is said about a wall after a failure, and with --explain-denials; and that
# it changes nothing else.
# Scripts in single quotes are for other shells, and `run` sets stderr.
# shellcheck disable=SC2016,SC2154
load helpers

setup() {
	umask 022
	unset WRIT_CONFIG_DIR XDG_CONFIG_HOME XDG_STATE_HOME
	export HOME=$BATS_TEST_TMPDIR/home WRIT_STATE_DIR=$BATS_TEST_TMPDIR/state
	export WRIT_SYSTEM_DIR=$BATS_TEST_TMPDIR/etc
	OUTSIDE=$BATS_TEST_TMPDIR/outside
	mkdir -p "$HOME/.ssh" "$BATS_TEST_TMPDIR/work" "$OUTSIDE" "$WRIT_STATE_DIR"
	echo old >"$OUTSIDE/file"
	cd "$BATS_TEST_TMPDIR/work" || return
	need_walls
}

need_walls() {
	if [[ $(id -u) == 0 ]]; then
		unshare -m true 2>/dev/null && return
	else
		unshare -Um true 2>/dev/null && return
	fi
	[[ ${WRIT_MUST_RUN:-} != 1 ]] || return
	skip "no namespaces for this user"
}

# Nothing here may hang: a deadline, and a harder one around it.
explain() {
	timeout -s KILL 60 "$WRIT" run --explain-denials --timeout 40s "$@"
}

# denied TEXT PYTHON: the denials of a JSON result, as rows of some members.
rows() { json "$1" '[(x["layer"], x["call"] in "open openat openat2 creat".split() and "open" or x["call"], x["what"], x["path"], x["hint"], x["count"]) for x in d["sandbox"]["denials"]]'; }

# bats test_tags=smoke
@test "a write outside is named, with the directory to grant" {
	run -0 --separate-stderr explain --sandbox workspace --shell 'echo new >'"$OUTSIDE/file"' || true'
	expect_in_stderr "writ: denied: write $OUTSIDE/file (mountns); --write $OUTSIDE would allow it"
	[[ $(<"$OUTSIDE/file") == old ]]
	run -0 --separate-stderr explain --sandbox workspace --shell 'mkdir '"$OUTSIDE/dir"' || true'
	expect_in_stderr "writ: denied: create $OUTSIDE/dir (mountns); --write $OUTSIDE would allow it"
	[[ ! -e $OUTSIDE/dir ]]
}

@test "the hint is right: with it the same command works" {
	run -0 --separate-stderr explain --sandbox workspace --write "$OUTSIDE" --shell 'echo new >'"$OUTSIDE/file"
	expect_stderr ""
	[[ $(<"$OUTSIDE/file") == new ]]
	run -0 --separate-stderr explain --sandbox strict --read "$OUTSIDE/file" -- cat "$OUTSIDE/file"
	expect_stdout new
	expect_stderr ""
}

@test "a file that cannot be seen is named" {
	run -1 --separate-stderr explain --json --sandbox strict -- cat "$OUTSIDE/file"
	[[ $(rows "$output") == "[('mountns', 'open', 'read', '$OUTSIDE/file', '--read $OUTSIDE/file', 1)]" ]] || show_run
}

@test "a hidden file has no option that shows it" {
	run -1 --separate-stderr explain --sandbox workspace --read "$OUTSIDE" --hide "$OUTSIDE/file" -- cat "$OUTSIDE/file"
	expect_in_stderr "writ: denied: read $OUTSIDE/file (mountns); no longer hiding $OUTSIDE/file would allow it"
	echo 1 >"$WRIT_STATE_DIR/own"
	run -1 --separate-stderr explain --sandbox workspace -- cat "$WRIT_STATE_DIR/own"
	expect_in_stderr "writ: denied: read $WRIT_STATE_DIR/own (mountns)"
	[[ $stderr != *"would allow"* ]] || show_run
}

@test "a protected file in the working directory is named" {
	git init -q .
	# What a command says that it writes is all that it could write; this one says nothing.
	run -0 --separate-stderr explain --sandbox workspace --shell 'f=.git/config; echo x >$f || true'
	expect_in_stderr "writ: denied: write $PWD/.git/config (mountns); no longer protecting $PWD/.git/config would allow it"
}

@test "what would fail anyhow, or works, is no denial" {
	run -0 --separate-stderr explain --sandbox workspace --shell '
		exec 2>/dev/null
		cat /no/such/file /etc/no-such-file no-such-file "'"$OUTSIDE"'/none"
		no-such-program; mkdir /usr; mkdir -p /etc; rm -f /etc/none /none/none; rmdir none
		echo mine >/tmp/mine; cat /tmp/mine; mv /tmp/mine /tmp/other; rm /tmp/other
		mkdir d; echo 1 >d/f; mv d/f d/g; ln -s g d/l; cat d/l; chmod 700 d; rm -r d
		echo >/dev/null; cat /proc/self/status; ls /proc/1 /sys /run; true'
	expect_stderr ""
	[[ $(json "$(explain --json --sandbox workspace -- true)" 'd["sandbox"]["denials"]') == "[]" ]]
}

@test "renaming and deleting outside are named" {
	run -0 --separate-stderr explain --json --sandbox workspace --read "$OUTSIDE" --shell '
		mv '"$OUTSIDE/file $OUTSIDE/other"'; rm '"$OUTSIDE/file"'; ln -s x '"$OUTSIDE/link"'; true'
	[[ $(json "$output" 'sorted(set((x["what"], x["path"].rsplit("/", 1)[1]) for x in d["sandbox"]["denials"]))') == \
		"[('create', 'link'), ('delete', 'file'), ('rename', 'file'), ('rename', 'other')]" ]] || show_run
	[[ -e $OUTSIDE/file ]]
}

@test "links and relative paths are followed to what was meant" {
	ln -s /etc link
	run -0 --separate-stderr explain --sandbox workspace --shell 'cd link; touch ./../etc/writ-none || true'
	expect_in_stderr "writ: denied: create /etc/writ-none (mountns)"
	[[ ! -e /etc/writ-none ]]
}

@test "a program that cannot be seen is named" {
	printf '#!/bin/sh\necho ran\n' >"$OUTSIDE/program"
	chmod 755 "$OUTSIDE/program"
	run -127 --separate-stderr explain --sandbox workspace --shell "$OUTSIDE/program"
	expect_in_stderr "writ: denied: execute $OUTSIDE/program (mountns); --read $OUTSIDE/program would allow it"
}

@test "a script as the program starts, and its denials are named" {
	printf '#!/bin/sh\necho "script $1"; cat %s\nexit 5\n' "$OUTSIDE/file" >script
	chmod 755 script
	for _ in 1 2 3; do
		run -5 --separate-stderr explain --sandbox workspace -- ./script one
		expect_stdout "script one"
		expect_in_stderr "writ: denied: read $OUTSIDE/file (mountns); --read $OUTSIDE/file would allow it"
	done
}

@test "an address is named, or the family where there is no network at all" {
	need /usr/bin/python3
	connect='import socket, sys
s = socket.socket(socket.AF_INET6 if ":" in sys.argv[1] else socket.AF_INET)
s.settimeout(5)
s.connect((sys.argv[1], 80))'
	run -1 --separate-stderr explain --sandbox workspace --network off -- /usr/bin/python3 -c "$connect" 127.0.0.1
	expect_in_stderr "writ: denied: socket AF_INET (seccomp); --network loopback would allow it"
	run -1 --separate-stderr explain --sandbox workspace --network loopback -- /usr/bin/python3 -c "$connect" 192.0.2.1
	expect_in_stderr "writ: denied: connect 192.0.2.1:80 (netns); --network host would allow it"
	run -1 --separate-stderr explain --sandbox workspace --network loopback -- /usr/bin/python3 -c "$connect" 2001:db8::1
	expect_in_stderr "writ: denied: connect [2001:db8::1]:80 (netns); --network host would allow it"
	run -1 --separate-stderr explain --sandbox workspace --network loopback -- /usr/bin/python3 -c "$connect" 127.0.0.1
	[[ $stderr != *denied* ]] || show_run
}

@test "a socket that cannot be seen is named, and the hint is right" {
	need /usr/bin/python3
	/usr/bin/python3 -c 'import socket, sys, time
s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1]); s.listen(5); time.sleep(60)' "$OUTSIDE/socket" 3>&- &
	server=$!
	wait_for test -S "$OUTSIDE/socket"
	connect='import socket, sys; socket.socket(socket.AF_UNIX).connect(sys.argv[1])'
	run -1 --separate-stderr explain --sandbox workspace -- /usr/bin/python3 -c "$connect" "$OUTSIDE/socket"
	first=$stderr
	run --separate-stderr explain --sandbox workspace --write "$OUTSIDE" -- /usr/bin/python3 -c "$connect" "$OUTSIDE/socket"
	kill "$server"
	[[ $status == 0 && -z $stderr ]] || show_run
	[[ $first == *"writ: denied: connect unix:$OUTSIDE/socket (mountns); --write $OUTSIDE would allow it"* ]]
}

@test "a refused system call is named and fails as without the option" {
	run -1 --separate-stderr explain --sandbox workspace -- unshare -n true
	expect_in_stderr "Operation not permitted"
	expect_in_stderr "writ: denied: call unshare() (seccomp)"
	run -1 --separate-stderr "$WRIT" run --sandbox workspace -- unshare -n true
	expect_stderr "unshare: unshare failed: Operation not permitted"
}

@test "many threads at once all go on" {
	need /usr/bin/python3
	run -0 --separate-stderr explain --json --sandbox workspace -- /usr/bin/python3 -c '
import threading
def work():
    for i in range(50):
        open("/etc/passwd").close()
        try:
            open("/etc/writ-none-%d" % (i % 5), "w")
        except OSError:
            pass
threads = [threading.Thread(target=work) for _ in range(16)]
[t.start() for t in threads]
[t.join() for t in threads]'
	[[ $(json "$output" 'sorted((x["path"], x["count"]) for x in d["sandbox"]["denials"]) == [("/etc/writ-none-%d" % i, 160) for i in range(5)]') == True ]] || show_run
}

@test "a flood of denials ends in one row for the rest" {
	need /usr/bin/python3
	run -0 --separate-stderr explain --json --sandbox workspace -- /usr/bin/python3 -c '
for i in range(1000):
    try:
        open("/etc/writ-none-%d" % i, "w")
    except OSError:
        pass'
	[[ $(json "$output" 'len(d["sandbox"]["denials"]), d["sandbox"]["denials"][-1]["what"], sum(x["count"] for x in d["sandbox"]["denials"])') == "(65, 'more', 1000)" ]] || show_run
}

@test "deadlines, signals and exit codes are as ever" {
	run -7 --separate-stderr explain --sandbox workspace --shell 'exit 7'
	expect_stderr ""
	run -137 --separate-stderr explain --sandbox workspace --shell 'kill -9 $$'
	run -127 --separate-stderr explain --sandbox workspace -- no-such-program
	run -124 --separate-stderr timeout -s KILL 30 "$WRIT" run --explain-denials --sandbox workspace --timeout 300ms --grace 0 \
		--shell 'while :; do (: >/etc/writ-none); done 2>/dev/null'
	expect_in_stderr "writ: timed out after 300ms"
	run -124 --separate-stderr timeout -s KILL 30 "$WRIT" run --explain-denials --sandbox workspace --timeout 300ms \
		--shell 'trap "" TERM; while :; do cat /etc/passwd; done >/dev/null'
}

@test "an engine that is killed leaves nobody waiting" {
	"$WRIT" run --explain-denials --sandbox workspace --shell 'echo >ready; while :; do (: >/etc/writ-none); cat /etc/passwd; done >/dev/null 2>&1; : '"$BATS_TEST_TMPDIR" 3>&- &
	engine=$!
	wait_for test -e ready
	runs() { pgrep -f "writ-none.*$BATS_TEST_TMPDIR" >/dev/null; }
	gone() { ! runs; }
	runs
	kill -9 "$engine"
	wait_for gone
}

@test "a background that lives on cannot be explained" {
	run -125 --separate-stderr explain --sandbox workspace --background keep -- true
	expect_in_stderr "explain_denials cannot be used with a background that keeps running"
}

# ---- without the option: what the walls make of the command's own words ----

confine() {
	timeout -s KILL 60 "$WRIT" run --timeout 40s --sandbox workspace --read "$OUTSIDE" "$@"
}

# The denials of a JSON result, as rows of some members.
told() { json "$1" '[(x["what"], x.get("path", x.get("host", x.get("family"))), x["wall"], x["certainty"], x.get("ask")) for x in d["denials"]]'; }

# bats test_tags=smoke
@test "a failure names the wall, and what to ask for" {
	run -1 --separate-stderr confine -- cp /etc/hostname "$OUTSIDE/new"
	expect_in_stderr "writ: the sandbox refused: write $OUTSIDE/new (guessed); --write $OUTSIDE would allow it"
	[[ ! -e $OUTSIDE/new ]]
	run -0 --separate-stderr confine --write "$OUTSIDE" -- cp /etc/hostname "$OUTSIDE/new"
	expect_stderr ""
	run -2 --separate-stderr confine --json --shell 'echo new >'"$OUTSIDE/file"
	[[ $(told "$output") == "[('write', '$OUTSIDE/file', 'readonly', 'guessed', {'write': ['$OUTSIDE']})]" ]] || show_run
	[[ $(<"$OUTSIDE/file") == old ]]
	run -1 --separate-stderr confine --json --pty -- touch "$OUTSIDE/new2"
	[[ $(told "$output") == *"'$OUTSIDE/new2', 'readonly', 'guessed'"* ]] || show_run
}

@test "a success, a quiet failure and --quiet say nothing" {
	run -0 --separate-stderr confine --shell 'touch '"$OUTSIDE/new"' 2>/dev/null || true'
	expect_stderr ""
	run -3 --separate-stderr confine --shell 'exit 3'
	expect_stderr ""
	run -1 --separate-stderr confine --quiet -- touch "$OUTSIDE/new"
	[[ $stderr != *"refused"* ]] || show_run
	run -1 --separate-stderr "$WRIT" run --sandbox none --shell 'echo "touch: cannot touch /etc/x: Read-only file system" >&2; exit 1'
	[[ $stderr != *"refused"* ]] || show_run
}

@test "a protected file is named, and never proposed" {
	need git
	git init -q .
	run --separate-stderr confine --json -- sh -c 'echo x >>.git/config'
	[[ $status != 0 && $(told "$output") == "[('write', '$PWD/.git/config', 'protected', 'guessed', None)]" ]] || show_run
}

@test "python names a path and the network" {
	need /usr/bin/python3
	run -1 --separate-stderr confine --json -- /usr/bin/python3 -c 'import sys; open(sys.argv[1], "w")' "$OUTSIDE/new"
	[[ $(told "$output") == "[('write', '$OUTSIDE/new', 'readonly', 'guessed', {'write': ['$OUTSIDE']})]" ]] || show_run
	run -1 --separate-stderr confine --network off --json -- /usr/bin/python3 -c 'import socket; socket.socket()'
	[[ $(told "$output") == "[('socket', 'AF_INET', 'network', 'guessed', {'network': 'loopback'})]" ]] || show_run
	run -0 --separate-stderr confine --network loopback -- /usr/bin/python3 -c 'import socket; socket.socket()'
}

@test "a forged message proposes nothing that is dangerous" {
	run -1 --separate-stderr confine --json --read "$HOME" --hide "$HOME/.ssh" --shell '
		for f in / "'"$HOME"'" /etc /etc/x /usr/bin/x "'"$HOME"'/.bashrc" "'"$HOME"'/.ssh/id" "'"$WRIT_STATE_DIR"'/x"; do
			echo "touch: cannot touch '"'"'$f'"'"': Read-only file system"
		done >&2; printf "tee: /etc/\\033[31mx: Read-only file system\\n" >&2; exit 1'
	[[ $(json "$output" 'len(d["denials"]), [x for x in d["denials"] if "ask" in x]') == "(5, [])" ]] || show_run
	run -1 --separate-stderr confine --shell 'printf "tee: /etc/\\033[31mx: Read-only file system\\n"; exit 1'
	expect_in_stderr 'writ: the sandbox refused: write /etc/\x1b[31mx (guessed)'
}

@test "the end record has the denials, and no names of a run with secrets" {
	run -1 --separate-stderr confine -- touch "$OUTSIDE/new"
	end=$(tail -n 1 "$WRIT_STATE_DIR"/audit/*.jsonl)
	[[ $(told "$end") == "[('write', '$OUTSIDE/new', 'readonly', 'guessed', {'write': ['$OUTSIDE']})]" ]] || show_run
	run -1 --separate-stderr timeout -s KILL 60 "$WRIT" run --request - <<-EOF
		{"argv": ["touch", "$OUTSIDE/hunter2"], "sandbox": "workspace", "read": ["$OUTSIDE"], "secrets": ["hunter2"]}
	EOF
	expect_in_stderr "$OUTSIDE/hunter2 (guessed)"
	end=$(tail -n 1 "$WRIT_STATE_DIR"/audit/*.jsonl)
	[[ $end != *hunter2* && $(told "$end") == "[('write', None, 'readonly', 'guessed', None)]" ]] || show_run
}

@test "with the option they are certain" {
	run -1 --separate-stderr explain --json --sandbox workspace --read "$OUTSIDE" -- touch "$OUTSIDE/new"
	[[ $(told "$output") == "[('create', '$OUTSIDE/new', 'readonly', 'certain', {'write': ['$OUTSIDE']})]" ]] || show_run
}

@test "without the option and without a failure nothing is said" {
	run -0 --separate-stderr "$WRIT" run --json --sandbox workspace --shell 'cat '"$OUTSIDE/file"' 2>/dev/null || true'
	[[ $(json "$output" 'd["sandbox"]["denials"]') == "[]" ]]
}
