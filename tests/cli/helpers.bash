# What the command line tests share. WRIT is the program under test.
# shellcheck shell=bash
bats_require_minimum_version 1.5.0

: "${WRIT:?set WRIT to the writ program}"
[[ -x $WRIT ]] || {
	echo "WRIT is '$WRIT', which is no program" >&2
	exit 1
}
: "${WRIT_SOURCE:=$(cd "${BATS_TEST_DIRNAME}/../.." && pwd)}"

# Each test has a state directory of its own, beside its other files: no run of
# a test is recorded in the machine's trail.
[[ -z ${BATS_TEST_TMPDIR-} ]] || export WRIT_STATE_DIR=$BATS_TEST_TMPDIR.state

# Files get the usual modes under any umask.
umask 022

# What is not about policy runs as it is told to; what is, says which one.
export WRIT_POLICY=${WRIT_POLICY-open}

# need PROGRAM...: skips the test where one is missing. Where skipping is not
# allowed (WRIT_MUST_RUN=1) the test fails instead.
need() {
	local program
	for program; do
		command -v "$program" >/dev/null && continue
		if [[ ${WRIT_MUST_RUN:-} == 1 ]]; then
			echo "$program is not installed" >&2
			return 1
		fi
		skip "$program is not installed"
	done
}

# stand_in NAME: a program of that name that does nothing, for tests of what is
# decided about it where it may not be installed.
stand_in() {
	mkdir -p "$BATS_TEST_TMPDIR/bin"
	printf '#!/bin/sh\n' >"$BATS_TEST_TMPDIR/bin/$1"
	chmod +x "$BATS_TEST_TMPDIR/bin/$1"
	PATH=$BATS_TEST_TMPDIR/bin:$PATH
}

# Shows what a `run` produced when an expectation fails.
show_run() {
	printf 'status: %s\nstdout: %s\nstderr: %s\n' "${status-}" "${output-}" "${stderr-}" >&2
	return 1
}

expect_stdout() { [[ $output == "$1" ]] || show_run; }
expect_stderr() { [[ $stderr == "$1" ]] || show_run; }
expect_in_stdout() { [[ $output == *"$1"* ]] || show_run; }
expect_in_stderr() { [[ $stderr == *"$1"* ]] || show_run; }

# json TEXT EXPRESSION: the value of a Python expression over the document d,
# as Python prints it. Fails when the text is not one JSON document. Python
# itself takes twenty times as long, so it gets only what json_value leaves to it.
json() {
	"$WRIT_TEST_PROGRAMS/json_value" "$1" "$2" ||
		python3 -ISE -c 'import json, sys; d = json.loads(sys.argv[1]); print(eval(sys.argv[2]))' "$1" "$2"
}

# bats notes the place of every command of a test, to show where it failed. In a
# test with a loop that takes most of the time. These note it at the failure only.
bats_debug_trap() { :; }
bats_error_trap() {
	bats_check_status_from_trap
	[[ -n $BATS_DEBUG_LAST_STACK_TRACE_IS_VALID ]] || bats_capture_stack_trace
	BATS_DEBUG_LAST_STACK_TRACE_IS_VALID=1
}

# open_to_others: lets every user come to this test's directory, and to a copy of
# writ in it. The build itself may be where only root can look.
open_to_others() {
	local dir=$BATS_TEST_TMPDIR
	while [[ $dir == "$BATS_RUN_TMPDIR"* ]]; do
		chmod o+x "$dir"
		dir=$(dirname "$dir")
	done
	install -m 755 "$WRIT" "$BATS_TEST_TMPDIR/writ"
	WRIT=$BATS_TEST_TMPDIR/writ
}

# wait_for COMMAND...: waits until it succeeds, at most a minute: a machine may be
# that busy.
wait_for() {
	local i
	for ((i = 0; i < 3000; i++)); do
		"$@" && return
		sleep 0.02
	done
	echo "never true: $*" >&2
	return 1
}

# on_terminal COMMAND: runs a shell command with a terminal as its standard
# streams, 100 columns wide, and prints what appeared on it.
on_terminal() {
	TERM=xterm command script -qec "stty cols 100; $1" /dev/null </dev/null
}
