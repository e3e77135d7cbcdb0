#!/usr/bin/env bats
# writ run --detach: a run that goes on without its caller.
# Scripts in single quotes are for other shells; `run` and detach set variables.
# shellcheck disable=SC2016,SC2030,SC2031,SC2154
load helpers
load running
load detached

# ---- starting

# bats test_tags=smoke
@test "it prints the id of the run, alone on a line, and returns" {
	until_told 0
	run -0 --separate-stderr "$WRIT" run --detach -- "${COMMAND[@]}"
	[[ $output =~ ^[0-9A-Z]{26}$ ]] || show_run
	expect_stderr ""
	pgrep -f -- "$DIR" >/dev/null
	touch "$DIR/go"
	wait_for nobody_has "$DIR"
}

@test "--json prints the id and the process that runs it" {
	until_told 0
	detach -- "${COMMAND[@]}"
	[[ $RUN =~ ^[0-9A-Z]{26}$ ]]
	[[ $(tr '\0' ' ' <"/proc/$PID/cmdline") == *"run --detach --json"* ]]
	kill "$PID"
	wait_for nobody_has "$DIR"
}

@test "a caller that reads the id through a pipe does not wait for the run" {
	local began
	began=$(now_ms)
	id=$("$WRIT" run --detach -- sh -c 'sleep 20; :' "$DIR")
	within 3000 $(($(now_ms) - began)) "the start"
	[[ $id =~ ^[0-9A-Z]{26}$ ]]
	kill -TERM "$(pgrep -of "run --detach -- sh -c sleep 20; : $DIR")"
	wait_for nobody_has "$DIR"
}

@test "what does not start is an error with the usual status" {
	run -127 --separate-stderr "$WRIT" run --detach -- no-such-program
	expect_stdout ""
	expect_in_stderr "writ: no program 'no-such-program' in PATH"
	run -126 --separate-stderr "$WRIT" run --detach -- /etc/passwd
	run -125 --separate-stderr "$WRIT" run --detach --cwd /no/such -- true
	expect_in_stderr "/no/such"
	run -127 --separate-stderr "$WRIT" run --detach --json -- no-such-program
	[[ $(json "$output" 'd["error"]["code"]') == not_found ]] || show_run
}

@test "a wrong command line is told before anything starts" {
	run -125 --separate-stderr "$WRIT" run --detach --timeout soon -- true
	expect_in_stderr "writ: run: --timeout"
	run -125 --separate-stderr "$WRIT" run --detach
	expect_in_stderr "nothing to run"
}

@test "the request may come from standard input" {
	echo "{\"argv\":[\"touch\",\"$DIR/made\"]}" |
		"$WRIT" run --detach --request - >"$DIR/id"
	wait_for test -e "$DIR/made"
}

@test "a start that nobody hears of ends the run" {
	run -125 --separate-stderr bash -c '"$@" >/dev/full' bash \
		"$WRIT" run --detach --grace 300ms -- "$WRIT_TEST_PROGRAMS/payload" "$DIR"
	expect_in_stderr "cannot write to standard output"
	wait_for nobody_has "$DIR"
}

@test "a caller that is killed before it has passed the id on ends the run" {
	local starter
	mkfifo "$DIR/full"
	exec 7<>"$DIR/full"
	# A pipe without room for one more byte.
	timeout 1 dd if=/dev/zero bs=4096 count=1000 >&7 2>/dev/null || true
	"$WRIT" run --detach --grace 300ms -- "$WRIT_TEST_PROGRAMS/payload" "$DIR" 3 >&7 7>&- 3>&- &
	starter=$!
	wait_for test -e "$DIR/ready"
	kill -KILL "$starter"
	wait "$starter" || true
	exec 7>&-
	wait_for nobody_has "$WRIT_TEST_PROGRAMS/payload $DIR"
}

# ---- what it starts with

@test "the command reads nothing by default, and a text or a file when told" {
	echo from the caller | "$WRIT" run --detach -- sh -c 'cat >"$1/in"; echo end >>"$1/in"' sh "$DIR"
	wait_for grep -q end "$DIR/in"
	[[ $(<"$DIR/in") == end ]]
	"$WRIT" run --detach --stdin text:hello -- sh -c 'cat >"$1/text.new"; mv "$1/text.new" "$1/text"' sh "$DIR"
	wait_for test -e "$DIR/text"
	[[ $(<"$DIR/text") == hello ]]
	echo of a file >"$DIR/source"
	"$WRIT" run --detach --stdin "@$DIR/source" -- sh -c 'cat >"$1/file.new"; mv "$1/file.new" "$1/file"' sh "$DIR"
	wait_for test -e "$DIR/file"
	[[ $(<"$DIR/file") == "of a file" ]]
}

@test "input from the caller is refused, not silently empty" {
	run -125 --separate-stderr "$WRIT" run --detach --stdin inherit -- cat </dev/null
	expect_in_stderr "a detached run has no input from its caller"
	for path in /dev/stdin /dev/fd/0 /proc/self/fd/0; do
		run -125 --separate-stderr "$WRIT" run --detach --stdin "file:$path" -- cat </dev/null
		expect_in_stderr "'$path' belongs to the caller"
	done
}

@test "the process that runs it holds nothing of the caller open" {
	local link
	echo held >"$DIR/held"
	until_told 0
	exec 8<"$DIR/held" 9>>"$DIR/other"
	detach -- "${COMMAND[@]}"
	exec 8<&- 9>&-
	for fd in 0 1 2; do
		[[ $(readlink "/proc/$PID/fd/$fd") == /dev/null ]]
	done
	for link in $(pgrep -f -- "$DIR"); do
		[[ -z $(find "/proc/$link/fd" "(" -lname "$DIR/held" -o -lname "$DIR/other" ")" 2>/dev/null) ]]
	done
}

@test "it leads a session without a terminal" {
	until_told 0
	detach -- "${COMMAND[@]}"
	read -r session terminal < <(sed 's/.*) //' "/proc/$PID/stat" | cut -d' ' -f4,5)
	[[ $session == "$PID" && $terminal == 0 ]]
}

@test "signals that the caller ignores or blocks are at their default" {
	until_told 0
	line=$(env --ignore-signal=HUP --ignore-signal=USR1 --ignore-signal=TERM --block-signal=USR2 \
		"$WRIT" run --detach --json -- "${COMMAND[@]}")
	PID=$(json "$line" 'd["pid"]')
	echo "$PID" >>"$PIDS"
	[[ $(sed -n 's/^SigIgn:\t//p' "/proc/$PID/status") == 0000000000000000 ]]
	kill -TERM "$PID"
	wait_for nobody_has "$DIR"
}

@test "working directory and umask are those of the caller" {
	(
		cd "$DIR"
		umask 027
		"$WRIT" run --detach -- sh -c '{ pwd; umask; } >"$1/new"; mv "$1/new" "$1/facts"' sh "$DIR"
	)
	wait_for test -e "$DIR/facts"
	[[ $(paste -sd' ' "$DIR/facts") == "$(cd "$DIR" && pwd -P) 0027" ]]
}

# ---- going on

@test "it survives its caller" {
	until_told 0
	bash -c '"$@" >"$0/id"; kill -KILL $$' "$DIR" "$WRIT" run --detach -- "${COMMAND[@]}" 3>&- || true
	[[ -s $DIR/id ]]
	sleep 0.2
	pgrep -f -- "$DIR" >/dev/null
	touch "$DIR/go"
	wait_for nobody_has "$DIR"
}

@test "it survives the hangup of its terminal" {
	local pty
	"$WRIT_TEST_PROGRAMS/onpty" bash -c '"$@" >"$0/id"; sleep 60' "$DIR" \
		"$WRIT" run --detach -- sh -c 'while [ ! -e "$1/go" ]; do sleep 0.02; done; touch "$1/end"' sh "$DIR" \
		<>/dev/null >/dev/null 3>&- &
	pty=$!
	wait_for test -s "$DIR/id"
	kill -KILL "$pty"
	wait "$pty" || true
	sleep 0.3
	touch "$DIR/go"
	wait_for test -e "$DIR/end"
	wait_for nobody_has "$DIR"
}

@test "limits hold: a timeout ends everything it started" {
	detach_payload --timeout 700ms
	wait_for is_dead "$PID"
	nobody_has "$DIR"
}

# ---- ending

told_to_end() {
	rm -rf "$DIR"
	mkdir "$DIR"
	detach_payload "${TREE[@]}"
	kill -TERM "$PID"
	wait_for is_dead "$PID"
	nobody_has "$DIR"
}

@test "SIGTERM to the process that runs it ends everything" {
	local hold
	for hold in auto keeper; do
		set_hold "$hold"
		told_to_end
	done
}

killed() {
	rm -rf "$DIR"
	mkdir "$DIR"
	detach_payload "${TREE[@]}"
	kill -KILL "$PID"
	wait_for nobody_has "$DIR"
}

@test "SIGKILL of the process that runs it leaves nothing of the tree" {
	local hold
	for hold in auto keeper; do
		set_hold "$hold"
		killed
	done
}

@test "twenty at once are twenty runs" {
	local i
	until_told 0
	for ((i = 0; i < 20; i++)); do
		"$WRIT" run --detach -- "${COMMAND[@]}" >"$DIR/id.$i" 3>&- &
	done
	wait
	[[ $(cat "$DIR"/id.* | sort -u | wc -l) == 20 ]]
	(($(pgrep -f -- "$WRIT run --detach -- sh -c while .* $DIR" | wc -l) == 20))
	touch "$DIR/go"
	wait_for nobody_has "$DIR"
}
