#!/usr/bin/env bats
# Sessions by name under pressure: many at once, the same name at once, a full
# /tmp, commands that attack what they can reach, and kill -9 of every part.
# shellcheck disable=SC2016,SC2154
load helpers

setup() {
	mkdir -p "$BATS_TEST_TMPDIR/work"
	cd "$BATS_TEST_TMPDIR/work" || return
	seconds=$((400000 + BASHPID % 100000)) # by which processes of this case are found
}

teardown() {
	"$WRIT" session end --all --force --quiet 2>/dev/null || true
}

walled() {
	local name=$1
	shift
	"$WRIT" run --session "$name" --sandbox workspace --network loopback "$@"
}

holder() { json "$("$WRIT" session show "$1" --json)" 'd["pid"]'; }
runs_are() { [[ $(json "$("$WRIT" session show "$1" --json)" 'd["runs"]') == "$2" ]]; }
left() { pgrep -r R,S,D,T -cfx "sleep $seconds" || true; } # not one that has ended
left_are() { [[ $(left) == "$1" ]]; }

is_gone() { [[ ! -e /proc/$1 || $(ps -o stat= -p "$1") == Z* ]]; } # nobody may have reaped it

# The processes that run something, each a writ.
runners() { "$WRIT" ps --json | grep -o '"pid":[0-9]*' | cut -d: -f2; }

# twenty NAME: 20 runs in it, each with a process that left it and one in the background.
twenty() {
	local i
	for ((i = 0; i < 20; i++)); do
		walled "$1" --detach -- sh -c "sleep $seconds & (setsid sleep $seconds &); sleep $seconds; :" >/dev/null
	done
	wait_for runs_are "$1" 20
	wait_for left_are 60
}

@test "of those who start the same name at once one does, and the others are told" {
	local i pids=()
	for ((i = 0; i < 12; i++)); do
		{ "$WRIT" session start -q dev 2>"said.$i" && echo "$i" >>started; } 3>&- &
		pids+=($!)
	done
	for i in "${pids[@]}"; do wait "$i" || true; done
	[[ $(wc -l <started) == 1 ]]
	[[ $(cat said.* | grep -c "there is a session 'dev' already") == 11 ]]
	run -0 --separate-stderr walled dev -- echo fine
	expect_stdout fine
	[[ $(find "$WRIT_STATE_DIR/held" -name 'dev*' | wc -l) == 1 ]]
}

@test "those who use and end a session at once have run in it or are told" {
	local i pids=()
	"$WRIT" session start -q dev
	for ((i = 0; i < 12; i++)); do
		{
			code=0
			walled dev -- echo ran >"out.$i" 2>"said.$i" || code=$?
			echo "$code" >"status.$i"
		} 3>&- &
		pids+=($!)
	done
	"$WRIT" session end -q dev
	for i in "${pids[@]}"; do wait "$i" || true; done
	for ((i = 0; i < 12; i++)); do
		case $(<"status.$i") in
		0) [[ $(<"out.$i") == ran ]] ;;
		137) grep -q 'session dev has ended, and this run with it' "said.$i" ;;
		125) grep -qE "there is no session 'dev'|session 'dev' has (just )?ended" "said.$i" ;;
		*) false ;;
		esac || { tail -n 5 "status.$i" "out.$i" "said.$i" >&2; return 1; }
	done
	[[ -z $("$WRIT" ps --ids 2>/dev/null) ]]
}

# bats test_tags=full
@test "200 sessions at once, each with a /tmp of its own" {
	local i name
	for ((i = 0; i < 200; i++)); do "$WRIT" session start -q "s$i" --tmp-size 1MiB; done
	[[ $(json "$("$WRIT" session list --live --json)" 'len(d)') == 200 ]]
	for name in s0 s99 s199; do walled "$name" -- sh -c "echo $name >/tmp/me"; done
	for name in s0 s99 s199; do
		run -0 --separate-stderr walled "$name" -- cat /tmp/me
		expect_stdout "$name"
	done
	run ! walled s100 -- cat /tmp/me
	local most=0 kib
	for name in s0 s99 s199; do
		kib=$(awk '/^VmRSS/ { print $2 }' "/proc/$(holder "$name")/status")
		((kib <= most)) || most=$kib
	done
	((most < 1500)) || { echo "a holder has $most KiB" >&2; return 1; }
	local pid
	pid=$(holder s7)
	"$WRIT" session end -q --all
	wait_for is_gone "$pid"
	run -0 --separate-stderr "$WRIT" session list --live
	expect_stderr 'writ: there are no sessions yet'
	[[ -z $(find "$WRIT_STATE_DIR/held" -type s) ]]
}

@test "a /tmp without room for another file is told, and is that session's alone" {
	"$WRIT" session start -q dev --tmp-size 64KiB
	"$WRIT" session start -q other --tmp-size 64KiB
	run ! --separate-stderr walled dev -- sh -c 'i=0; while : >/tmp/$i; do i=$((i + 1)); done'
	expect_in_stderr 'No space left on device'
	run -0 --separate-stderr walled other -- sh -c 'echo x >/tmp/b && cat /tmp/b'
	expect_stdout x
	# It can still be used, looked at and emptied.
	run -0 --separate-stderr walled dev -- echo fine
	expect_stdout fine
	run -0 --separate-stderr "$WRIT" session show dev
	expect_in_stdout '/tmp'
	walled dev -- sh -c 'find /tmp -maxdepth 1 -type f -delete'
	run -0 --separate-stderr walled dev -- sh -c 'echo y >/tmp/c && cat /tmp/c'
	expect_stdout y
}

@test "a run that kills all it can reach ends nothing but itself" {
	"$WRIT" session start -q dev
	"$WRIT" session start -q other
	walled dev --detach -- sleep "$seconds" >/dev/null
	walled other --detach -- sleep "$seconds" >/dev/null
	wait_for left_are 2
	run walled dev -- sh -c 'kill -STOP -1; kill -KILL -1; for p in /proc/[0-9]*; do kill -KILL "${p#/proc/}"; done'
	((status != 0))
	left_are 2
	runs_are dev 1
	run -0 --separate-stderr walled dev -- echo fine
	expect_stdout fine
}

@test "a run that unshares, mounts and moves changes nothing for the next" {
	need python3 unshare
	"$WRIT" session start -q dev
	walled dev -- sh -c 'mkdir /tmp/d; echo kept >/tmp/d/a'
	cat >attack.py <<-'END'
		import ctypes, os
		libc = ctypes.CDLL(None, use_errno=True)
		done = []
		for flags in (0x20000, 0x10000000, 0x40000000, 0x30020000, 0x10020000, 0x20000000):
		    if libc.unshare(flags) == 0:
		        done.append(hex(flags))
		for source, target, kind, flags in (("none", "/tmp", "tmpfs", 0), ("/etc", "/tmp/d", None, 0x1000),
		                                    (None, "/", None, 0x44000), (None, "/tmp", None, 0x20 | 0x1000),
		                                    ("/tmp", "/dev/shm", None, 0x2000)):
		    text = [None if one is None else one.encode() for one in (source, target, kind)]
		    if libc.mount(text[0], text[1], text[2], flags, None) == 0:
		        done.append("mount " + target)
		for target in ("/tmp", "/dev/shm", "/proc", os.path.expanduser("~")):
		    for flags in (0, 2):
		        if libc.umount2(target.encode(), flags) == 0:
		            done.append("umount " + target)
		for fd in range(3, 300):
		    if libc.setns(fd, 0) == 0:
		        done.append("setns")
		for one in ("/tmp", "/var/tmp", "/dev/shm"):
		    try:
		        os.rename(one, one + ".away")
		        done.append("rename " + one)
		    except OSError:
		        pass
		print(done)
	END
	run -0 --separate-stderr walled dev -- python3 attack.py
	expect_stdout '[]'
	run ! walled dev -- unshare -rm true
	run -0 --separate-stderr walled dev -- cat /tmp/d/a
	expect_stdout kept
}

@test "kill -9 of the holder amid 20 runs leaves nothing, and other sessions see nothing of it" {
	need pgrep
	"$WRIT" session start -q dev
	"$WRIT" session start -q other
	walled other -- sh -c 'echo kept >/tmp/a'
	twenty dev
	kill -KILL "$(holder dev)"
	wait_for left_are 0
	wait_for test -z "$("$WRIT" ps --ids 2>/dev/null)"
	run -0 --separate-stderr walled other -- cat /tmp/a
	expect_stdout kept
	run -0 "$WRIT" audit verify
}

@test "kill -9 of those who run, amid 20 runs, leaves nothing of these, and the session goes on" {
	need pgrep
	"$WRIT" session start -q dev
	walled dev -- sh -c 'echo kept >/tmp/a'
	twenty dev
	runners | xargs kill -KILL
	wait_for left_are 0
	wait_for runs_are dev 0
	run -0 --separate-stderr walled dev -- cat /tmp/a
	expect_stdout kept
}

@test "kill -9 of holder, runs and helpers at once leaves nothing" {
	need pgrep
	"$WRIT" session start -q dev
	twenty dev
	local all pid kids
	all=("$(holder dev)")
	for pid in $(runners); do
		read -ra kids <"/proc/$pid/task/$pid/children" || true
		all+=("$pid" "${kids[@]}")
	done
	kill -KILL "${all[@]}"
	wait_for left_are 0
}
