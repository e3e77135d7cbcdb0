#!/usr/bin/env bats
# What holds the processes of a run together: which holds there are, and what a
# command does to get away from them.
load helpers
load running

setup() {
	need unshare setsid
}

@test "the machine's best hold is taken, and the result says which and how sure" {
	set_hold auto
	run -0 --separate-stderr "$WRIT" run --json "${TREE[@]}" -- true
	if can_cgroup; then
		[[ $(json "$output" 'd["tree_by"], d["tree"]') == "('cgroup', 'guaranteed')" ]]
	elif can_pidns; then
		[[ $(json "$output" 'd["tree_by"], d["tree"]') == "('pidns', 'guaranteed')" ]]
	else
		[[ $(json "$output" 'd["tree_by"], d["tree"]') == "('keeper', 'best_effort')" ]]
	fi
}

@test "each hold that is asked for is the one that is used" {
	for hold in cgroup pidns keeper; do
		! can_"$hold" 2>/dev/null && [[ $hold != keeper ]] && continue
		run -0 --separate-stderr "$WRIT" run --json --tree "$hold" -- true
		[[ $(json "$output" 'd["tree_by"]') == "$hold" ]]
	done
}

@test "a control group guarantees the tree for root" {
	can_cgroup || skip "no control group can be made here"
	run -0 --separate-stderr "$WRIT" run --json --tree cgroup -- true
	[[ $(json "$output" 'd["tree"]') == guaranteed ]]
}

@test "a pid namespace guarantees the tree" {
	can_pidns || skip "no pid namespace can be made here"
	run -0 --separate-stderr "$WRIT" run --json --tree pidns -- true
	[[ $(json "$output" 'd["tree"]') == guaranteed ]]
}

@test "without namespaces and control groups the result says best effort" {
	can_bare_kernel || skip "no user namespace can be made here, so none can be forbidden"
	set_hold bare_kernel
	run -0 --separate-stderr "${BEFORE[@]}" "$WRIT" run --json "${TREE[@]}" -- true
	[[ $(json "$output" 'd["tree_by"], d["tree"]') == "('keeper', 'best_effort')" ]]
}

@test "a hold that cannot be had is refused with the reason, and nothing runs" {
	can_bare_kernel || skip "no user namespace can be made here, so none can be forbidden"
	for hold in pidns cgroup; do
		run -125 --separate-stderr "$WRIT_TEST_PROGRAMS/bare_kernel" \
			"$WRIT" run --tree "$hold" -- touch "$BATS_TEST_TMPDIR/ran"
		expect_stdout ""
		expect_in_stderr "writ: cannot hold the run in a "
		expect_in_stderr "try:"
		[[ ! -e $BATS_TEST_TMPDIR/ran ]]
	done
}

# writ is killed at every moment of its start; sleep is the clock, so the
# moments differ from run to run.
kill_at_any_time() {
	local i
	for i in 0 1 2 3 4 5 6 7 8 9; do
		under_warden "$WARDEN_MS" "${BEFORE[@]}" "$WRIT" run "${TREE[@]}" -- sleep 61 </dev/null
		wait_for test -e "$REPORT.pid"
		sleep "0.00$i"
		kill -KILL "$(<"$REPORT.pid")"
		take_report
		[[ $status == 137 ]] || show_report
		expect_soon_gone
	done
}

@test "kill -9 of writ while it is starting a command leaves nothing" {
	each_hold kill_at_any_time
}

term_at_any_time() {
	local i
	for i in 0 1 2 3 4 5 6 7 8 9; do
		under_warden "$WARDEN_MS" "${BEFORE[@]}" "$WRIT" run --grace 100ms "${TREE[@]}" -- sleep 61 </dev/null
		wait_for test -e "$REPORT.pid"
		sleep "0.00$i"
		kill -TERM "$(<"$REPORT.pid")"
		take_report
		[[ $status == 143 ]] || show_report
		expect_nothing_left
	done
}

@test "SIGTERM to writ while it is starting a command leaves nothing" {
	each_hold term_at_any_time
}

# ---- other ways to get away

fork_faster() {
	# Each process makes the next and ends, so that no list of pids is current.
	under_warden "$WARDEN_MS" "${BEFORE[@]}" "$WRIT" run --json --timeout 300ms --grace 100ms "${TREE[@]}" \
		-- "$WRIT_TEST_PROGRAMS/runner" 8 </dev/null >"$BATS_TEST_TMPDIR/out"
	take_report
	[[ $status == 124 ]] || show_report
	if [[ $(json "$(<"$BATS_TEST_TMPDIR/out")" 'd["tree"]') == guaranteed ]]; then
		expect_nothing_left
	fi
}

@test "processes that fork and end without pause do not outrun a guaranteed hold" {
	each_hold fork_faster
}

kill_parent() {
	# shellcheck disable=SC2016 # for the command's shell
	under_warden "$WARDEN_MS" "${BEFORE[@]}" "$WRIT" run --json --tree pidns -- \
		sh -c 'kill -9 $PPID 1; kill -STOP 1; sleep 0.2; echo still here' </dev/null >"$BATS_TEST_TMPDIR/out" 2>/dev/null
	take_report
	[[ $status == 0 ]] || show_report
	expect_nothing_left
	[[ $(json "$(<"$BATS_TEST_TMPDIR/out")" 'd["stdout"]') == $'still here' ]]
}

@test "a command cannot kill or stop the init of its pid namespace" {
	can_pidns || skip "no pid namespace can be made here"
	BEFORE=()
	kill_parent
}

# strike NUMBER COUNT: the command sends this signal to its parent as soon as it
# runs; again and again, for the sake of the moments in between.
strike() {
	local i began
	for ((i = 0; i < $2; i++)); do
		began=$(now_ms)
		under_warden "$WARDEN_MS" "${BEFORE[@]}" "$WRIT" run --json --timeout 200ms --grace 50ms \
			"${TREE[@]}" -- "$WRIT_TEST_PROGRAMS/strike" "$1" </dev/null >"$BATS_TEST_TMPDIR/out"
		take_report
		[[ $status != 137 && $left == 0 ]] || show_report
		within 4000 $(($(now_ms) - began)) "the end"
		[[ $status == 124 || $1 == 9 ]] || show_report
	done
}

@test "a command that stops its parent at once cannot hang writ" {
	each_hold strike 19 3
}

@test "a command that kills its parent is not left running" {
	each_hold strike 9 5
}

# ---- a held pipe

held_pipe() {
	local began
	began=$(now_ms)
	under_warden "$WARDEN_MS" "${BEFORE[@]}" "$WRIT" run --json "${TREE[@]}" -- \
		sh -c 'echo out; echo err >&2; sleep 64 & exit 5' </dev/null >"$BATS_TEST_TMPDIR/out"
	take_report
	[[ $status == 5 ]] || show_report
	expect_nothing_left
	within 1000 $(($(now_ms) - began)) "the return"
	[[ $(json "$(<"$BATS_TEST_TMPDIR/out")" 'd["stdout"], d["stderr"], d["killed"]') == "('out\\n', 'err\\n', 1)" ]]
}

@test "a background child that holds the output does not delay the return" {
	each_hold held_pipe
}

@test "with the tree left to the caller a held pipe delays only for the drain limit" {
	local began
	began=$(now_ms)
	under_warden 0+ "$WRIT" run --json --tree caller -- \
		sh -c 'echo out; sleep 65 & exit 5' </dev/null >"$BATS_TEST_TMPDIR/out"
	take_report
	# shellcheck disable=SC2086 # one word for each pid
	kill -KILL $pids
	[[ $status == 5 && $left == 1 ]] || show_report
	within 1000 $(($(now_ms) - began)) "the return"
	[[ $(json "$(<"$BATS_TEST_TMPDIR/out")" 'd["stdout"], d["tree"], d["tree_by"]') == "('out\\n', 'caller', None)" ]]
}

@test "processes that end on SIGTERM are not kept waiting for the grace" {
	tree_ends_early() {
		local began
		began=$(now_ms)
		under_warden "$WARDEN_MS" "${BEFORE[@]}" "$WRIT" run --timeout 200ms --grace 30s "${TREE[@]}" -- \
			sh -c 'sleep 66 & sleep 67' </dev/null 2>/dev/null
		take_report
		[[ $status == 124 ]] || show_report
		expect_nothing_left
		within 1500 $(($(now_ms) - began)) "the end"
	}
	each_hold tree_ends_early
}

@test "a command may take its leave in the grace time, and its output is kept" {
	takes_leave() {
		run -124 --separate-stderr "${BEFORE[@]}" "$WRIT" run --json --timeout 1s --grace 10s "${TREE[@]}" -- \
			sh -c 'trap "sleep 0.2; echo bye; exit 9" TERM; echo hi; while :; do sleep 0.05; done'
		[[ $(json "$output" 'd["outcome"], d["exit_code"], d["signal"], d["stdout"]') == \
			"('timed_out', 9, None, 'hi\\nbye\\n')" ]]
	}
	each_hold takes_leave
}
