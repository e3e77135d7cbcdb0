#!/usr/bin/env bats
# writ session start, run, show, end: sessions that runs share by name.
# shellcheck disable=SC2016,SC2154
load helpers

setup() {
	mkdir -p "$BATS_TEST_TMPDIR/work/sub"
	cd "$BATS_TEST_TMPDIR/work" || return
	here=$(pwd -P)
}

teardown() {
	"$WRIT" session end --all --force --quiet 2>/dev/null || true
}

# walled NAME WORD...: a run in the session, with walls.
walled() {
	local name=$1
	shift
	"$WRIT" run --session "$name" --sandbox workspace --network loopback "$@"
}

holder() { json "$("$WRIT" session show "$1" --json)" 'd["pid"]'; }
runs_are() { [[ $(json "$("$WRIT" session show "$1" --json)" 'd["runs"]') == "$2" ]]; }
nothing_runs() { [[ -z $("$WRIT" ps --ids 2>/dev/null) ]]; }

# bats test_tags=smoke
@test "what a run leaves in /tmp is there in the next, and gone with the session" {
	run -0 --separate-stderr "$WRIT" session start dev
	expect_stdout ''
	expect_in_stderr 'writ run --session dev -- PROGRAM'
	walled dev -- sh -c 'echo one >/tmp/a; echo two >/dev/shm/a'
	run -0 --separate-stderr walled dev -- cat /tmp/a /dev/shm/a
	expect_stdout $'one\ntwo'
	run -0 --separate-stderr "$WRIT" session run dev --sandbox workspace -- cat /tmp/a
	expect_stdout one
	[[ ! -e /tmp/a || $(cat /tmp/a) != one ]]
	run -0 --separate-stderr "$WRIT" session list
	expect_in_stdout 'LIVE SESSION'
	expect_in_stdout "$here"
	run -0 "$WRIT" session end dev
	run -125 --separate-stderr walled dev -- true
	expect_in_stderr "there is no session 'dev'"
	expect_in_stderr 'writ session start dev'
	run -0 --separate-stderr "$WRIT" session list --live
	expect_stderr 'writ: there are no sessions yet'
}

@test "each run keeps its own status, output, record and terminal" {
	"$WRIT" session start -q dev
	run -7 walled dev -- sh -c 'exit 7'
	run -0 --separate-stderr walled dev -- sh -c 'echo out; echo err >&2'
	expect_stdout out
	expect_stderr err
	run -0 --separate-stderr walled dev --pty -- sh -c 'test -t 0 && echo terminal'
	expect_in_stdout terminal
	run -0 --separate-stderr walled dev --json -- true
	[[ $(json "$output" 'd["sandbox"]["session"]') == dev ]]
	[[ $("$WRIT" audit list --json | grep -c '"session":"dev"') -ge 1 ]] ||
		"$WRIT" audit export | grep -q '"session":"dev"'
	run -0 "$WRIT" audit verify
}

@test "where a shell was, and what it exported, holds for the next run" {
	need bash
	"$WRIT" session start -q dev
	walled dev --shell 'cd sub; export A=1; B=2; f() { echo f; }; alias ls=id'
	run -0 --separate-stderr walled dev --shell 'pwd; echo "$A$B"; type f 2>/dev/null || echo none'
	expect_stdout "$here/sub"$'\n1\nnone'
	run -0 --separate-stderr walled dev --cwd "$here" -- pwd
	expect_stdout "$here"
	run -0 --separate-stderr "$WRIT" session show dev
	expect_in_stdout "directory   $here/sub"
	expect_in_stdout 'variables   A=1'
	cd / # wherever its caller is
	run -0 --separate-stderr walled dev -- pwd
	expect_stdout "$here/sub"
}

@test "a server in one run is reached from the next, and ends with the session" {
	need python3
	"$WRIT" session start -q dev
	"$WRIT" session start -q other
	cat >serve.py <<-'END'
		import socket
		s = socket.create_server(("127.0.0.1", 3000))
		open("/tmp/up", "w").close()
		while True:
		    c = s.accept()[0]
		    c.sendall(b"served")
		    c.close()
	END
	cat >ask.py <<-'END'
		import socket
		try:
		    print(socket.create_connection(("127.0.0.1", 3000), 5).recv(9).decode())
		except OSError as e:
		    print(type(e).__name__)
	END
	walled dev --detach -- python3 serve.py
	wait_for walled dev -- test -e /tmp/up
	run -0 --separate-stderr walled dev -- python3 ask.py
	expect_stdout served
	run -0 --separate-stderr walled other -- python3 ask.py
	expect_stdout ConnectionRefusedError
	runs_are dev 1
	run -0 "$WRIT" session end dev
	nothing_runs
	run -0 --separate-stderr walled other -- echo fine
	expect_stdout fine
}

@test "a name is taken once" {
	"$WRIT" session start -q dev
	run -1 --separate-stderr "$WRIT" session start dev
	expect_in_stderr "there is a session 'dev' already"
	run -1 --separate-stderr "$WRIT" session start a/b
	expect_in_stderr 'the name of a session must be'
	run -2 --separate-stderr "$WRIT" session start
	expect_in_stderr 'say the NAME'
	run -2 "$WRIT" session start dev two
	run -2 --separate-stderr "$WRIT" session end
	expect_in_stderr 'a NAME or --all'
	run -1 --separate-stderr "$WRIT" session show none
	expect_in_stderr "there is no session 'none'"
	run -125 --separate-stderr "$WRIT" session run
	expect_in_stderr 'say the NAME'
	run -2 --separate-stderr "$WRIT" session list --live --applies
	expect_in_stderr 'cannot be used together'
}

@test "a session is for the agent that it was started for" {
	"$WRIT" session start -q mine
	"$WRIT" session start -q --agent bot bots
	run -125 --separate-stderr walled mine --agent bot -- true
	expect_in_stderr "session 'mine' is a person's"
	run -125 --separate-stderr walled bots -- true
	expect_in_stderr '--agent bot'
	run -125 --separate-stderr walled bots --agent other -- true
	run -0 --separate-stderr walled bots --agent bot -- echo in
	expect_stdout in
}

@test "what runs beneath writ neither uses, starts nor ends a session" {
	"$WRIT" session start -q dev
	local free=("$WRIT" run --sandbox none --)
	run -125 --separate-stderr "${free[@]}" "$WRIT" run --session dev -- true
	expect_in_stderr 'a run cannot start, use or end a session'
	run -125 --separate-stderr "${free[@]}" "$WRIT" run --session dev --detach -- true
	run -1 --separate-stderr "${free[@]}" "$WRIT" session start other
	run -1 --separate-stderr "${free[@]}" "$WRIT" session end dev
	run -1 --separate-stderr "${free[@]}" "$WRIT" session end --all
	runs_are dev 0
	# Nor does it see the sockets, in a session or not.
	run ! "$WRIT" run --sandbox workspace -- ls "$WRIT_STATE_DIR/held"
	run ! walled dev -- ls "$WRIT_STATE_DIR/held"
}

@test "a killed holder ends its runs, and the next writ removes what is left" {
	"$WRIT" session start -q dev
	walled dev -- sleep 1000 2>note &
	local job=$!
	wait_for runs_are dev 1
	kill -KILL "$(holder dev)"
	local status=0
	wait "$job" || status=$?
	[[ $status == 137 ]] || { echo "status $status" >&2; return 1; }
	grep -q 'session dev has ended, and this run with it' note
	[[ -e $WRIT_STATE_DIR/held/dev ]]
	run -0 "$WRIT" session list
	[[ ! -e $WRIT_STATE_DIR/held/dev ]]
	"$WRIT" session start -q dev
	walled dev -- true
}

@test "a writ that is killed leaves nothing of its run, and the session goes on" {
	"$WRIT" session start -q dev
	"$WRIT" run --session dev --sandbox workspace -- sh -c 'echo up >/tmp/up; sleep 1000' &
	local job=$!
	wait_for walled dev -- test -s /tmp/up
	kill -KILL "$job"
	wait "$job" || true
	wait_for runs_are dev 0
	run -0 --separate-stderr walled dev -- echo fine
	expect_stdout fine
}

@test "a holder that is stopped is told, and can be ended" {
	"$WRIT" session start -q dev
	"$WRIT" session start -q other
	local pid
	pid=$(holder dev)
	kill -STOP "$pid"
	run -125 --separate-stderr timeout -s KILL 30 "$WRIT" run --session dev -- true
	expect_in_stderr "process $pid, does not answer: it is stopped"
	expect_in_stderr "kill -CONT $pid"
	run -0 --separate-stderr timeout -s KILL 30 "$WRIT" session list --live
	expect_in_stdout broken
	expect_in_stdout "$here"
	run -0 --separate-stderr walled other -- echo fine
	expect_stdout fine
	kill -CONT "$pid"
	run -0 --separate-stderr walled dev -- echo again
	expect_stdout again
	kill -STOP "$pid"
	run -0 "$WRIT" session end --force dev
}

@test "a full /tmp is that session's alone" {
	"$WRIT" session start -q small --tmp-size 1MiB
	"$WRIT" session start -q other --tmp-size 1MiB
	run ! walled small -- sh -c 'head -c 2000000 /dev/zero >/tmp/a'
	run ! walled small -- sh -c 'echo x >/tmp/b && test -s /tmp/b'
	run -0 --separate-stderr walled other -- sh -c 'echo x >/tmp/b && cat /tmp/b'
	expect_stdout x
	walled small -- rm /tmp/a
	run -0 walled small -- sh -c 'echo x >/tmp/b && test -s /tmp/b'
}

@test "a /tmp on disk is removed with the session" {
	"$WRIT" session start -q dev --tmp disk
	walled dev -- sh -c 'echo x >/tmp/a'
	run -0 --separate-stderr walled dev -- cat /tmp/a
	expect_stdout x
	[[ -n $(ls "$WRIT_STATE_DIR/tmp") ]]
	run -0 --separate-stderr "$WRIT" session show dev
	expect_in_stdout 'on disk'
	"$WRIT" session end dev
	[[ -z $(ls "$WRIT_STATE_DIR/tmp") ]]
	"$WRIT" session start -q dev --tmp disk
	kill -KILL "$(holder dev)"
	wait_for test ! -d "/proc/$(holder dev 2>/dev/null || echo none)"
	"$WRIT" session list
	[[ -z $(ls "$WRIT_STATE_DIR/tmp") ]]
}

@test "what a session wrote to HOME is listed, also after its end" {
	# A HOME that no view has a directory of its own for.
	local home=$HOME/.writ-test-$BATS_TEST_NUMBER-$$
	mkdir -p "$home/project" "$home/.config" 2>/dev/null || skip "HOME cannot be written here"
	echo old >"$home/.config/gone"
	cd "$home/project"
	local listed=()
	HOME=$home "$WRIT" session start -q dev
	HOME=$home walled dev -- sh -c 'echo x >~/.config/made; mkdir -p ~/.npm/a; echo y >~/.npm/a/b; rm ~/.config/gone' || true
	if [[ $(HOME=$home "$WRIT" run --json --session dev --sandbox workspace -- true) != *'"home":"overlay"'* ]]; then
		HOME=$home "$WRIT" session end -q dev
		rm -rf "$home"
		skip "no overlay here"
	fi
	run -0 "$WRIT" session show dev
	listed+=("$output")
	"$WRIT" session end -q dev
	run -0 "$WRIT" session show dev
	listed+=("$output")
	run -0 "$WRIT" session show dev --json
	cd "$BATS_TEST_TMPDIR"
	rm -rf "$home"
	[[ ${listed[0]} == *'~/.config/made  2B in 1 file'* && ${listed[0]} == *'~/.config/gone deleted'* ]]
	[[ ${listed[0]} == *'~/.npm/a  2B in 1 file'* ]]
	# Caches are the project's.
	[[ ${listed[1]} == *'has ended'*'~/.config/made'* && ${listed[1]} != *.npm* ]]
	[[ $(json "$output" 'sorted(one["path"] for one in d["written"])') == "['.config/gone', '.config/made']" ]]
	run -1 "$WRIT" session show none
}

@test "a session without a network shares none" {
	"$WRIT" session start -q dev --network off
	[[ $(json "$("$WRIT" session show dev --json)" 'd["network"]') == off ]]
	run -0 walled dev -- true
}

@test "a profile without a /tmp of its own is said to be in no session" {
	"$WRIT" session start -q dev
	run -0 --separate-stderr "$WRIT" run --session dev --sandbox none -- echo ran
	expect_stdout ran
	expect_in_stderr 'this run was not in session dev'
}

@test "a directory that others may use is refused" {
	mkdir -p "$WRIT_STATE_DIR/held"
	chmod 0755 "$WRIT_STATE_DIR/held"
	run -1 --separate-stderr "$WRIT" session start dev
	expect_in_stderr 'must belong to you alone'
	run -125 --separate-stderr "$WRIT" run --session dev -- true
	expect_in_stderr 'must belong to you alone'
}
