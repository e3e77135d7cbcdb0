#!/usr/bin/env bats
# bats file_tags=anyone
# writ output: what a run wrote, byte for byte.
# shellcheck disable=SC2016,SC2030,SC2031,SC2153,SC2154,SC2317
load helpers
load running
load detached

# keep OPTION... -- COMMAND...: a run that has ended, as RUN.
keep() {
	local line status=0
	line=$("$WRIT" run --json "$@" </dev/null) || status=$?
	[[ $line =~ \"run_id\":\"([0-9A-Z]{26})\" ]] || { echo "$line" >&2; return 1; }
	RUN=${BASH_REMATCH[1]}
}

both='echo out; echo err >&2; echo more; exit 7'

# ---- which run

@test "an id, its beginning and - name a run" {
	keep -- echo one
	first=$RUN
	sleep 0.05
	keep -- echo two
	run -0 --separate-stderr "$WRIT" output "$first"
	expect_stdout one
	run -0 --separate-stderr "$WRIT" output -
	expect_stdout two
	run -0 --separate-stderr "$WRIT" output "${RUN:0:20}"
	expect_stdout two
	expect_stderr ""
}

@test "an unknown run and an unclear one are errors" {
	keep -- echo one
	keep -- echo two
	run -1 --separate-stderr "$WRIT" output 00000
	expect_in_stderr "00000"
	run -1 --separate-stderr "$WRIT" output 0
	expect_stdout ""
	run -1 --separate-stderr "$WRIT" output --json 00000
	[[ $(json "$output" 'd["error"]["code"]') == not_found ]] || show_run
	run -2 --separate-stderr "$WRIT" output
	expect_in_stderr "say which RUN"
	run -2 --separate-stderr "$WRIT" output - -
	expect_in_stderr "unexpected word '-'"
}

# ---- what it wrote

@test "each stream goes to its own descriptor, whatever the run's status" {
	keep -- sh -c "$both"
	run -0 --separate-stderr "$WRIT" output "$RUN"
	expect_stdout $'out\nmore'
	expect_stderr err
	run -0 --separate-stderr "$WRIT" output --stdout "$RUN"
	expect_stdout $'out\nmore'
	expect_stderr ""
	run -0 --separate-stderr "$WRIT" output --stderr "$RUN"
	expect_stdout ""
	expect_stderr err
}

@test "bytes of any kind come out as they went in" {
	head -c 300000 /dev/urandom >"$DIR/bytes"
	keep -- cat "$DIR/bytes"
	"$WRIT" output "$RUN" >"$DIR/out"
	cmp "$DIR/bytes" "$DIR/out"
	keep -- sh -c 'printf "no newline"'
	[[ $("$WRIT" output "$RUN" | od -c | tail -1) == 0000012 ]]
}

@test "a run that was not recorded on purpose is kept, too" {
	"$WRIT" run -- sh -c "$both" >/dev/null 2>&1 </dev/null || true
	run -0 --separate-stderr "$WRIT" output -
	expect_stdout $'out\nmore'
	expect_stderr err
}

@test "--tail gives the last lines of each stream" {
	keep -- sh -c 'seq 100; seq 200 210 >&2; printf half'
	run -0 --separate-stderr "$WRIT" output --tail 3 "$RUN"
	expect_stdout $'99\n100\nhalf'
	expect_stderr $'208\n209\n210'
	run -0 --separate-stderr "$WRIT" output -n 0 "$RUN"
	expect_stdout ""
	run -0 --separate-stderr "$WRIT" output --tail 1000 --stdout "$RUN"
	[[ $output == "$(seq 100; printf half)" ]] || show_run
}

@test "--range gives bytes from and to, both included" {
	keep -- printf 0123456789
	run -0 --separate-stderr "$WRIT" output --range 2-4 "$RUN"
	expect_stdout 234
	run -0 --separate-stderr "$WRIT" output --range 7- "$RUN"
	expect_stdout 789
	run -0 --separate-stderr "$WRIT" output --range 0-0 "$RUN"
	expect_stdout 0
	run -0 --separate-stderr "$WRIT" output --range 50-60 "$RUN"
	expect_stdout ""
	for range in 4-2 x 5 -3 1-2-3 99999999999999999999-; do
		run -2 --separate-stderr "$WRIT" output --range="$range" "$RUN"
		expect_in_stderr "--range: '$range' is not"
	done
	run -2 --separate-stderr "$WRIT" output --range 0-1 --tail 3 "$RUN"
	run -2 --separate-stderr "$WRIT" output --tail many "$RUN"
	expect_in_stderr "'many' is not a number of lines"
}

@test "--json gives each piece with stream and time, and a summary" {
	keep -- sh -c 'echo out; sleep 0.1; echo err >&2; sleep 0.1; printf "\377"'
	run -0 --separate-stderr "$WRIT" output --json "$RUN"
	[[ $(json "${lines[0]}" 'd["stream"], d["data"]') == "('stdout', 'out\\n')" ]] || show_run
	[[ $(json "${lines[1]}" 'd["stream"], d["data"], d["at_us"] > 90000') == "('stderr', 'err\\n', True)" ]] || show_run
	[[ $(json "${lines[2]}" 'd["data"]') == "{'b64': '/w=='}" ]] || show_run
	[[ $(json "${lines[3]}" 'd["state"], d["stdout_kept"], d["stderr_kept"], d["whole"]') == "('ended', 5, 4, True)" ]] || show_run
}

# ---- what is missing

@test "output beyond the limit is cut, and said so" {
	keep --keep 1000B -- seq 1000
	run -0 --separate-stderr "$WRIT" output "$RUN"
	[[ $output == 1$'\n'* && ${#output} -le 1000 ]] || show_run
	expect_in_stderr "of which the first"
	run -0 --separate-stderr "$WRIT" output -q "$RUN"
	expect_stderr ""
}

@test "nothing written, not kept, pruned and refused are four different things" {
	keep -- true
	run -0 --separate-stderr "$WRIT" output "$RUN"
	expect_stderr "writ: $RUN wrote nothing"
	keep --keep 0B -- echo x
	run -1 --separate-stderr "$WRIT" output "$RUN"
	expect_in_stderr "was not kept"
	keep -- echo x
	rm "$WRIT_STATE_DIR/outputs/$RUN.rec"
	run -1 --separate-stderr "$WRIT" output "$RUN"
	expect_in_stderr "is kept no longer"
	run -127 "$WRIT" run -- no-such-program
	run -1 --separate-stderr "$WRIT" output -
	expect_in_stderr "never ran: it was refused (not_found)"
}

@test "a file that is no recording is an error, not output" {
	keep -- echo x
	echo 'something else entirely' >"$WRIT_STATE_DIR/outputs/$RUN.rec"
	run -1 --separate-stderr "$WRIT" output "$RUN"
	expect_stdout ""
	[[ -n $stderr ]]
}

# ---- while it runs

@test "what there is so far is shown without waiting" {
	detach -- sh -c 'echo begun; while [ ! -e "$1/go" ]; do sleep 0.02; done; echo done' sh "$DIR"
	begun() { [[ $("$WRIT" output "$RUN" 2>/dev/null) == begun ]]; }
	wait_for begun
	touch "$DIR/go"
	wait_for is_dead "$PID"
	run -0 --separate-stderr "$WRIT" output "$RUN"
	expect_stdout $'begun\ndone'
}

@test "a run without output so far says so" {
	until_told 0
	detach -- "${COMMAND[@]}"
	run -0 --separate-stderr "$WRIT" output "$RUN"
	expect_stdout ""
	expect_stderr "writ: $RUN has written nothing so far"
}

@test "two followers of a growing output get every byte and end with it" {
	local first second
	cat >"$DIR/grow" <<-'END'
		i=0
		sleep 0.2
		while [ $i -lt 120 ]; do
			head -c $((i * 37 % 5000 + 1)) /dev/urandom | tee -a "$1/all"
			[ $((i % 10)) != 0 ] || sleep 0.02
			i=$((i + 1))
		done
	END
	detach -- sh "$DIR/grow" "$DIR"
	timeout 30 "$WRIT" output --follow "$RUN" >"$DIR/first" 3>&- &
	first=$!
	sleep 0.3
	timeout 30 "$WRIT" output --follow --stdout "$RUN" >"$DIR/second" 3>&- &
	second=$!
	wait "$first"
	wait "$second"
	is_dead "$PID" || wait_for is_dead "$PID"
	cmp "$DIR/all" "$DIR/first"
	cmp "$DIR/all" "$DIR/second"
}

@test "--follow with --tail begins near the end and goes on" {
	detach -- sh -c 'seq 50; while [ ! -e "$1/go" ]; do sleep 0.02; done; echo last' sh "$DIR"
	written() { [[ $("$WRIT" output "$RUN" 2>/dev/null | tail -1) == 50 ]]; }
	wait_for written
	timeout 30 "$WRIT" output -f -n 2 "$RUN" >"$DIR/out" 3>&- &
	following=$!
	shown() { [[ $(paste -sd' ' "$DIR/out") == "49 50" ]]; }
	wait_for shown
	touch "$DIR/go"
	wait "$following"
	[[ $(paste -sd' ' "$DIR/out") == "49 50 last" ]]
}

@test "--follow ends by itself when the run is over, also with nothing written" {
	keep -- echo x
	run -0 --separate-stderr timeout 10 "$WRIT" output --follow "$RUN"
	expect_stdout x
	until_told 5
	detach -- "${COMMAND[@]}"
	timeout 20 "$WRIT" output --follow "$RUN" >"$DIR/out" 2>"$DIR/err" 3>&- &
	following=$!
	sleep 0.2
	touch "$DIR/go"
	wait "$following"
	[[ $(<"$DIR/err") == "writ: $RUN wrote nothing" && ! -s $DIR/out ]]
}

@test "--follow of a run whose process is killed gives what there is and ends" {
	detach -- sh -c 'echo begun; sleep 60' "$DIR"
	begun() { [[ $("$WRIT" output "$RUN" 2>/dev/null) == begun ]]; }
	wait_for begun
	timeout 20 "$WRIT" output --follow "$RUN" >"$DIR/out" 2>"$DIR/err" 3>&- &
	following=$!
	wait_for test -s "$DIR/out"
	kill -KILL "$PID"
	wait "$following"
	[[ $(<"$DIR/out") == begun ]]
	grep -q "$RUN was lost" "$DIR/err"
}

@test "Ctrl-C ends a follower and leaves the run alone" {
	local status=0
	until_told 0
	detach -- "${COMMAND[@]}"
	env --default-signal=INT "$WRIT" output --follow "$RUN" 3>&- &
	following=$!
	sleep 0.3
	kill -INT "$following"
	wait "$following" || status=$?
	[[ $status == 130 ]]
	is_alive "$PID"
}

@test "a reader that goes away ends it with 141" {
	keep -- seq 100000
	run -141 bash -c 'set -o pipefail; "$@" | head -n 1' bash "$WRIT" output "$RUN"
	run -141 bash -c 'set -o pipefail; "$@" | head -n 1' bash env --ignore-signal=PIPE "$WRIT" output "$RUN"
	run -1 --separate-stderr bash -c '"$@" >/dev/full' bash "$WRIT" output "$RUN"
	expect_in_stderr "No space left on device"
}
