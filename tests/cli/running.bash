# What the tests of running commands share: ways to hold a process tree, the
# payload, and the warden that sees whatever a run leaves behind.
# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # used by the tests; set by the report
: "${WRIT_TEST_PROGRAMS:?set WRIT_TEST_PROGRAMS to the folder of the test programs}"

GRACE_MS=300
LATE_MS=1300  # the grace and a second
WARDEN_MS=5000 # then a survivor counts as one

is_root() { [[ $(id -u) == 0 ]]; }

now_ms() { echo $((${EPOCHREALTIME/[.,]/} / 1000)); }

# within MS TOOK_MS WHAT: fails when something took longer than it may. On a
# machine that is busy with other things nothing can be timed sharply: then ten
# times as long is in order.
within() {
	local running most=$1
	read -r _ _ _ running _ </proc/loadavg
	((${running%/*} <= 2 * $(nproc) && $(cut -d. -f1 /proc/loadavg) <= 2 * $(nproc))) || most=$((most * 10))
	(($2 <= most)) && return
	echo "$3 took $2 ms, not $most" >&2
	return 1
}

# The holds are probed without writ: what the machine can do, writ must do.
can_cgroup() {
	local mount
	is_root || return 1
	for mount in /sys/fs/cgroup /sys/fs/cgroup/unified; do
		[[ $(stat -f -c %T "$mount" 2>/dev/null) == cgroup2fs && -w $mount/cgroup.procs ]] && return
	done
	return 1
}

can_pidns() {
	if is_root; then unshare -p true 2>/dev/null; else unshare -U -p true 2>/dev/null; fi
}

can_bare_kernel() { "$WRIT_TEST_PROGRAMS/bare_kernel" true 2>/dev/null; }

# holds: the ways to hold a tree on this machine; "bare_kernel" is the automatic
# choice where there are no namespaces and no control groups.
holds() {
	echo auto
	! can_cgroup || echo cgroup
	! can_pidns || echo pidns
	echo keeper
	! can_bare_kernel || echo bare_kernel
}

# set_hold HOLD: BEFORE and TREE are what a command line needs for it.
set_hold() {
	BEFORE=()
	TREE=(--tree "$1")
	if [[ $1 == bare_kernel ]]; then
		BEFORE=("$WRIT_TEST_PROGRAMS/bare_kernel")
		TREE=(--tree auto)
	fi
}

# each_hold COMMAND...: runs it once for each hold. Not in a condition: there
# the shell would overlook what fails inside.
each_hold() {
	local hold
	for hold in $(holds); do
		echo "hold: $hold" >&2
		set_hold "$hold"
		"$@"
	done
}

# under_warden WAIT_MS COMMAND...: runs it below a warden whose report goes to
# $REPORT, in the background; WARDEN is its pid.
under_warden() {
	REPORT=$(mktemp -u "$BATS_TEST_TMPDIR/report.XXXXXX")
	# The tests themselves may run under nohup, which is not meant here.
	# Without the redirection the shell would give it /dev/null for its input.
	env --default-signal=HUP "$WRIT_TEST_PROGRAMS/warden" "$REPORT" "$@" <&0 3>&- &
	WARDEN=$!
}

# take_report: waits for the warden; its findings become the variables status,
# zombies, alive, left, wait_ms and pids.
take_report() {
	wait "$WARDEN" || true
	# shellcheck disable=SC1090 # written by the warden
	source "$REPORT"
}

writ_pid() {
	wait_for test -e "$REPORT.pid"
	cat "$REPORT.pid"
}

# start_payload OPTION...: the seven processes, under writ, under a warden.
# Returns when all are there.
start_payload() {
	DIR=$(mktemp -d "$BATS_TEST_TMPDIR/payload.XXXXXX")
	under_warden "$WARDEN_MS" "${BEFORE[@]}" "$WRIT" run --grace "${GRACE_MS}ms" "${TREE[@]}" "$@" \
		-- "$WRIT_TEST_PROGRAMS/payload" "$DIR" 3 </dev/null >"$DIR/out" 2>"$DIR/err"
	await_payload
}

await_payload() {
	wait_for test -e "$DIR/ready"
	began_ms=$(now_ms)
}

show_report() {
	printf 'status=%s zombies=%s alive=%s left=%s wait_ms=%s pids=%s\n' \
		"$status" "$zombies" "$alive" "$left" "$wait_ms" "$pids" >&2
	[[ ! -e ${DIR-}/err ]] || cat "$DIR/out" "$DIR/err" >&2
	return 1
}

# expect_nothing_left: no process was alive when writ had ended.
expect_nothing_left() {
	[[ $alive == 0 && $left == 0 ]] || show_report
}

# expect_soon_gone: for an end that takes writ itself by surprise: whatever was
# alive is gone within the grace and a second.
expect_soon_gone() {
	[[ $left == 0 ]] || show_report
	within "$LATE_MS" "$wait_ms" "the end of the others"
}

# The control group that the payload was in, and writ's own above it.
expect_no_group() {
	local path mount
	path=$(sed -n 's/^0:://p' "$DIR/cgroup")
	[[ $path == */writ.* ]] || return 0
	for mount in /sys/fs/cgroup /sys/fs/cgroup/unified; do
		if [[ -e $mount${path%/r[0-9]*} ]]; then
			echo "left: $mount${path%/r[0-9]*}" >&2
			return 1
		fi
	done
}

# expect_payload_gone STATUS [MORE_MS]: the run ended with this status, all of
# it within the grace and a second (and MORE_MS, until something made it end).
expect_payload_gone() {
	local took_ms
	take_report
	took_ms=$(($(now_ms) - began_ms))
	[[ $status == "$1" ]] || show_report
	expect_nothing_left
	expect_no_group
	within $((LATE_MS + ${2:-0})) "$took_ms" "the end"
}
