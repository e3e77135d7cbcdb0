#!/usr/bin/env bats
# bats file_tags=anyone
# Output as it comes, and signals to writ.
# Scripts in single quotes are for other shells, and `run` sets stderr.
# shellcheck disable=SC2016,SC2154
load helpers

# start COMMAND...: runs it in the background and sets pid. A shell ignores
# some signals for its background jobs; signals says what they are to be.
signals=--default-signal=INT,QUIT,HUP,TERM
start() {
	env "$signals" "$@" <&0 &
	pid=$!
}

# ends_with CODE: waits for pid and compares its exit status.
ends_with() {
	local code=0
	wait "$pid" || code=$?
	[[ $code == "$1" ]] || {
		echo "exit status $code, not $1" >&2
		return 1
	}
}

# bats test_tags=smoke
@test "output and status are the command's own" {
	run -7 --separate-stderr "$WRIT" run -- sh -c 'echo out; echo err >&2; exit 7'
	expect_stdout out
	expect_stderr err
}

@test "output comes while the command runs" {
	mkfifo "$BATS_TEST_TMPDIR/go"
	exec 5< <("$WRIT" run -- sh -c 'echo first; read x; echo second' <"$BATS_TEST_TMPDIR/go")
	exec 6>"$BATS_TEST_TMPDIR/go"
	read -r -t 10 line <&5
	[[ $line == first ]]
	echo >&6
	read -r -t 10 line <&5
	[[ $line == second ]]
	exec 5<&- 6>&-
}

@test "bytes are passed on as they are" {
	head -c 3000000 /dev/urandom >"$BATS_TEST_TMPDIR/bytes"
	"$WRIT" run -- cat "$BATS_TEST_TMPDIR/bytes" | cmp - "$BATS_TEST_TMPDIR/bytes"
	"$WRIT" run -- cat "$BATS_TEST_TMPDIR/bytes" >"$BATS_TEST_TMPDIR/copy"
	cmp "$BATS_TEST_TMPDIR/copy" "$BATS_TEST_TMPDIR/bytes"
	"$WRIT" run --shell "cat '$BATS_TEST_TMPDIR/bytes' >&2" 2>&1 >/dev/null | cmp - "$BATS_TEST_TMPDIR/bytes"
}

@test "a slow reader gets every byte, and the exit status is kept" {
	run -0 bash -c 'set -o pipefail; "$1" run -- sh -c "head -c 3000000 /dev/zero; exit 3" | { sleep 1; wc -c; echo "${PIPESTATUS[0]}"; } || true' \
		bash "$WRIT"
	expect_in_stdout 3000000
	run -3 bash -c 'set -o pipefail; "$1" run -- sh -c "head -c 300000 /dev/zero; exit 3" | { sleep 0.3; cat >/dev/null; }' bash "$WRIT"
}

@test "a full stdout does not hold up stderr" {
	mkfifo "$BATS_TEST_TMPDIR/out"
	exec 5<>"$BATS_TEST_TMPDIR/out"
	start "$WRIT" run -- sh -c 'echo early >&2; head -c 1000000 /dev/zero & sleep 0.2; echo late >&2; wait' \
		>"$BATS_TEST_TMPDIR/out" 2>"$BATS_TEST_TMPDIR/err"
	wait_for grep -q late "$BATS_TEST_TMPDIR/err"
	cat <&5 >/dev/null &
	local reader=$!
	ends_with 0
	kill "$reader"
	exec 5>&-
}

@test "the descriptors that others share keep their flags" {
	run -0 --separate-stderr bash -c '{ "$1" run -- echo hi; grep ^flags /proc/self/fdinfo/1 >&2; } | cat' bash "$WRIT"
	expect_stdout hi
	local flags=${stderr##*[[:space:]]}
	(((8#$flags & 8#4000) == 0))
}

@test "a socket is a fine place for output" {
	need python3
	run -0 python3 - "$WRIT" <<-'END'
		import socket, subprocess, sys
		ours, theirs = socket.socketpair()
		p = subprocess.Popen([sys.argv[1], "run", "--", "head", "-c", "2000000", "/dev/zero"], stdout=theirs)
		theirs.close()
		total = 0
		while True:
		    chunk = ours.recv(65536)
		    if not chunk:
		        break
		    total += len(chunk)
		assert total == 2000000, total
		assert p.wait() == 0
	END
}

@test "a reader that goes away ends the run, as in a pipeline" {
	run -0 bash -c '"$1" run -- yes | head -n 1; echo "${PIPESTATUS[0]}"' bash "$WRIT"
	expect_stdout $'y\n141'
}

@test "a full disk ends the run with a message" {
	run -125 --separate-stderr timeout 30 bash -c '"$1" run -- yes >/dev/full' bash "$WRIT"
	expect_stderr "writ: cannot write to standard output: No space left on device"
}

@test "a closed stdout is an error only when there is output" {
	run -0 --separate-stderr bash -c '"$1" run -- true >&-' bash "$WRIT"
	run -125 --separate-stderr bash -c '"$1" run -- echo hi >&-' bash "$WRIT"
	expect_in_stderr "writ: cannot write to standard output: Bad file descriptor"
}

@test "--json prints exactly one line and nothing on stderr" {
	run -3 --separate-stderr "$WRIT" run --json -- sh -c 'echo out; echo err >&2; exit 3'
	((${#lines[@]} == 1))
	[[ $(json "$output" 'd["outcome"], d["exit_code"], d["stdout"], d["stderr"]') == "('exited', 3, 'out\n', 'err\n')" ]]
	expect_stderr ""
}

@test "--json for what never ran is an error object" {
	PATH=/usr/bin:/bin run -127 --separate-stderr "$WRIT" run --json -- no-such-program-here
	[[ $(json "$output" 'd["error"]["code"]') == not_found ]]
	expect_stderr ""
	PATH=/usr/bin:/bin run -127 --separate-stderr "$WRIT" run -- no-such-program-here
	expect_stdout ""
	[[ $stderr == "writ: "*"'no-such-program-here'"* ]]
}

@test "a timeout exits 124 with a note, and --quiet without" {
	run -124 --separate-stderr "$WRIT" run --timeout 200ms -- sleep 30
	[[ $stderr == "writ: timed out after 200ms"* ]] || show_run
	run -124 --separate-stderr "$WRIT" run --quiet --timeout 200ms -- sleep 30
	expect_stderr ""
}

@test "an idle timeout exits 124 with a note" {
	run -124 --separate-stderr "$WRIT" run --idle-timeout 200ms -- sh -c 'echo hi; sleep 30'
	expect_stdout hi
	[[ $stderr == "writ: ended: no output for 200ms"* ]] || show_run
}

@test "a limit on output is told with its size" {
	run --separate-stderr "$WRIT" run --max-output 64KiB -- sh -c 'yes'
	((status > 128)) || show_run
	[[ $stderr == "writ: ended: output limit 64KiB reached"* ]] || show_run
}

@test "kept output is told with its file, and the live stream is whole" {
	run -0 --separate-stderr "$WRIT" run --output-limit 1KiB --spill-dir "$BATS_TEST_TMPDIR/spill" -- \
		sh -c 'head -c 100000 /dev/zero | tr "\0" x'
	((${#output} == 100000))
	[[ $stderr =~ ^writ:\ stdout:\ all\ 100000\ bytes\ in\ \'(.*)\'$ ]] || show_run
	[[ $(stat -c %s "${BASH_REMATCH[1]}") == 100000 ]]
	[[ ${BASH_REMATCH[1]} == "$BATS_TEST_TMPDIR/spill/"* ]]
}

@test "live output is not spilled unless asked, and its beginning is kept with the record" {
	run -0 --separate-stderr "$WRIT" run --state-dir "$BATS_TEST_TMPDIR/state" -- head -c 3000000 /dev/zero
	expect_stderr ""
	[[ $(ls "$BATS_TEST_TMPDIR/state/outputs") == ??????????????????????????.rec ]]
	(($(stat -c %s "$BATS_TEST_TMPDIR"/state/outputs/*) < 1100000))
	run -0 --separate-stderr "$WRIT" run --state-dir "$BATS_TEST_TMPDIR/other" --keep 0 -- head -c 3000000 /dev/zero
	[[ ! -e $BATS_TEST_TMPDIR/other/outputs ]]
}

@test "--json keeps the spill file" {
	run -0 --separate-stderr "$WRIT" run --json --output-limit 1KiB --spill-dir "$BATS_TEST_TMPDIR/spill" -- \
		head -c 100000 /dev/zero
	[[ $(json "$output" 'd["stdout_bytes"], d["stdout_truncated"]') == "(100000, True)" ]]
	[[ $(stat -c %s "$BATS_TEST_TMPDIR"/spill/*) == 100000 ]]
}

@test "signals to writ end the run and give their status" {
	for case in INT:130 TERM:143 HUP:129 QUIT:131; do
		rm -f "$BATS_TEST_TMPDIR/ready"
		start "$WRIT" run -- sh -c 'echo >"$1"; exec sleep 30' sh "$BATS_TEST_TMPDIR/ready"
		wait_for test -e "$BATS_TEST_TMPDIR/ready"
		kill -s "${case%:*}" "$pid"
		ends_with "${case#*:}"
	done
}

@test "a second signal kills at once" {
	start "$WRIT" run --grace 5m -- sh -c 'trap "" INT TERM; echo >"$1"; while :; do sleep 1; done' \
		sh "$BATS_TEST_TMPDIR/ready"
	wait_for test -e "$BATS_TEST_TMPDIR/ready"
	kill -INT "$pid"
	# Two pending signals of a kind are one: let the first be taken.
	wait_for bash -c '! grep -q "^ShdPnd:.*[^0]$" /proc/$1/status' bash "$pid"
	kill -INT "$pid"
	ends_with 130
}

@test "a signal that was ignored at the start stays ignored" {
	mkfifo "$BATS_TEST_TMPDIR/go"
	exec 6<>"$BATS_TEST_TMPDIR/go"
	signals=--ignore-signal=INT,HUP
	start "$WRIT" run -- sh -c 'echo >"$1"; read x; echo done' sh "$BATS_TEST_TMPDIR/ready" \
		<"$BATS_TEST_TMPDIR/go" >"$BATS_TEST_TMPDIR/out"
	wait_for test -e "$BATS_TEST_TMPDIR/ready"
	kill -INT "$pid"
	kill -HUP "$pid"
	echo >&6
	ends_with 0
	exec 6>&-
	[[ $(<"$BATS_TEST_TMPDIR/out") == "done" ]]
}

@test "a cancelled run with --json still prints its result" {
	start "$WRIT" run --json -- sh -c 'echo partial; echo >"$1"; exec sleep 30' sh "$BATS_TEST_TMPDIR/ready" \
		>"$BATS_TEST_TMPDIR/out"
	wait_for test -e "$BATS_TEST_TMPDIR/ready"
	kill -INT "$pid"
	ends_with 130
	[[ $(json "$(<"$BATS_TEST_TMPDIR/out")" 'd["outcome"], d["stdout"]') == "('cancelled', 'partial\n')" ]]
}

@test "a signal ends writ although nobody reads its output" {
	mkfifo "$BATS_TEST_TMPDIR/out"
	exec 5<>"$BATS_TEST_TMPDIR/out"
	start "$WRIT" run -- sh -c 'echo >"$1"; exec cat /dev/zero' sh "$BATS_TEST_TMPDIR/ready" >"$BATS_TEST_TMPDIR/out"
	wait_for test -e "$BATS_TEST_TMPDIR/ready"
	kill -TERM "$pid"
	ends_with 143
	exec 5>&-
}

@test "a long silent run shows a status line on a terminal and wipes it" {
	need script
	run -0 on_terminal "LANG=C.UTF-8 LC_CTYPE= LC_ALL= '$WRIT' run --timeout 1m -- sleep 2.5"
	expect_in_stdout $'\r\033[K\033[2mrunning 2s · timeout 1m · Ctrl-C stops it\033[0m'
	[[ $output == *$'\r\033[K' ]] || show_run
}

@test "the status line is plain where colour or UTF-8 is not wanted" {
	need script
	run -0 on_terminal "LANG=C LC_CTYPE= LC_ALL= NO_COLOR=1 '$WRIT' run -- sleep 2.5"
	expect_in_stdout $'\r\033[Krunning 2s - Ctrl-C stops it'
}

@test "no status line with --quiet, on a dumb terminal, in the middle of a line, or in a pipe" {
	need script
	run -0 on_terminal "'$WRIT' run -q -- sleep 2.5 &
		TERM=dumb '$WRIT' run -- sleep 2.5 &
		'$WRIT' run -- sleep 2.5 2>/dev/null & wait"
	[[ $output != *running* ]] || show_run
	run -0 on_terminal "'$WRIT' run -- sh -c 'printf abc; sleep 3; echo'"
	expect_in_stdout "abc"
	[[ $output != *running* ]] || show_run
	run -0 "$WRIT" run -- sleep 2.5
	expect_stdout ""
}
