# What the tests of detached runs share. Each test has a state directory of its
# own, and whatever it started is ended with it.
# shellcheck shell=bash
# shellcheck disable=SC2034 # used by the tests

setup() {
	export WRIT_STATE_DIR=$BATS_TEST_TMPDIR/state
	DIR=$(mktemp -d "$BATS_TEST_TMPDIR/work.XXXXXX")
	PIDS=$BATS_TEST_TMPDIR/pids
	: >"$PIDS"
}

teardown() {
	local pid
	while read -r pid; do
		kill -KILL "$pid" 2>/dev/null || true
	done <"$PIDS"
	wait_for nobody_has "$DIR"
}

# detach OPTION... -- COMMAND...: RUN and PID are the id of the run and the
# process that runs it.
detach() {
	local line
	line=$(timeout -s KILL 20 "$WRIT" run --detach --json "$@" </dev/null 3>&-)
	RUN=$(json "$line" 'd["run_id"]')
	PID=$(json "$line" 'd["pid"]')
	echo "$PID" >>"$PIDS"
}

# detach_payload OPTION...: the seven processes that do not want to end.
detach_payload() {
	detach --grace "${GRACE_MS}ms" "$@" -- "$WRIT_TEST_PROGRAMS/payload" "$DIR" 3
	wait_for test -e "$DIR/ready"
}

# nobody_has TEXT: no process has it in its command line. What a run started is
# found by the directory that it was given.
nobody_has() { ! pgrep -f -- "$1" >/dev/null; }

# tree_is_gone: nothing that a run started is left; the writ that ran it may be
# on its way out, as its command line ends in that of the command.
tree_is_gone() {
	local pid
	for pid in $(pgrep -f -- "$DIR"); do
		[[ $(readlink "/proc/$pid/exe" 2>/dev/null) != "$(readlink -f "$WRIT")" ]] || continue
		is_dead "$pid" || return 1
	done
}

# Whether a process is there; a zombie is not.
is_alive() { [[ -e /proc/$1/stat && $(sed 's/.*) \(.\).*/\1/' "/proc/$1/stat" 2>/dev/null) == [!ZX] ]]; }

is_dead() { ! is_alive "$1"; }

# A command that runs until the file DIR/go is there, then exits with $1.
until_told() {
	# shellcheck disable=SC2016 # for the command's shell
	COMMAND=(sh -c 'while [ ! -e "$1/go" ]; do sleep 0.02; done; exit "$2"' sh "$DIR" "$1")
}
