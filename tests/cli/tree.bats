#!/usr/bin/env bats
# However a run ends, nothing of its tree is left: no process, no zombie, no
# control group, no helper.
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
	can_fence || skip "no user namespace can be made here, so none can be forbidden"
	set_hold fenced
	run -0 --separate-stderr "${BEFORE[@]}" "$WRIT" run --json "${TREE[@]}" -- true
	[[ $(json "$output" 'd["tree_by"], d["tree"]') == "('keeper', 'best_effort')" ]]
}

@test "a hold that cannot be had is refused with the reason, and nothing runs" {
	can_fence || skip "no user namespace can be made here, so none can be forbidden"
	for hold in pidns cgroup; do
		run -125 --separate-stderr "$WRIT_TEST_PROGRAMS/fenced" \
			"$WRIT" run --tree "$hold" -- touch "$BATS_TEST_TMPDIR/ran"
		expect_stdout ""
		expect_in_stderr "writ: cannot hold the run in a "
		expect_in_stderr "try:"
		[[ ! -e $BATS_TEST_TMPDIR/ran ]]
	done
}

# ---- the seven processes, under every ending and every hold

end_by_itself() {
	start_payload --json
	touch "$DIR/go"
	expect_payload_gone 3
	[[ $(json "$(<"$DIR/out")" 'd["outcome"], d["exit_code"], d["killed"], d["background"], d["stdout"]') == \
		"('exited', 3, 7, 0, 'held\\n')" ]]
}

@test "seven processes: the command ends by itself" {
	each_hold end_by_itself
}

end_by_timeout() {
	start_payload --json --timeout 1s
	expect_payload_gone 124 1000
	[[ $(json "$(<"$DIR/out")" 'd["outcome"], d["exit_code"], d["timeout_ms"], d["stdout"]') == \
		"('timed_out', -1, 1000, 'held\\n')" ]]
}

@test "seven processes: the timeout" {
	each_hold end_by_timeout
}

end_by_idle_timeout() {
	start_payload --json --idle-timeout 1s
	expect_payload_gone 124 1000
	[[ $(json "$(<"$DIR/out")" 'd["outcome"]') == idle_timed_out ]]
}

@test "seven processes: the idle timeout" {
	each_hold end_by_idle_timeout
}

end_by_signal() { # SIGNAL STATUS
	start_payload --json
	kill -"$1" "$(writ_pid)"
	expect_payload_gone "$2"
	[[ $(json "$(<"$DIR/out")" 'd["outcome"], d["stdout"]') == "('cancelled', 'held\\n')" ]]
}

@test "seven processes: SIGTERM to writ" {
	each_hold end_by_signal TERM 143
}

# A shell starts background jobs with SIGINT ignored; here it must count.
end_by_interrupt() {
	BEFORE=(env --default-signal=INT "${BEFORE[@]}")
	end_by_signal INT 130
}

@test "seven processes: SIGINT to writ" {
	each_hold end_by_interrupt
}

@test "seven processes: SIGHUP to writ" {
	each_hold end_by_signal HUP 129
}

end_by_limit() {
	start_payload --json --max-output 100KiB --output-limit 1KiB --spill-limit 0
	touch "$DIR/flood"
	expect_payload_gone 143
	[[ $(json "$(<"$DIR/out")" 'd["outcome"], d["limit"], d["stdout_bytes"] > 100 << 10') == \
		"('limited', 'output', True)" ]]
}

@test "seven processes: a limit" {
	each_hold end_by_limit
}

# end_on_terminal STATUS KEY KEY: both keys are typed on writ's terminal, the
# second a little later.
end_on_terminal() {
	DIR=$(mktemp -d "$BATS_TEST_TMPDIR/payload.XXXXXX")
	mkfifo "$DIR/keys"
	exec 8<>"$DIR/keys"
	under_warden "$WARDEN_MS" env --default-signal=INT,QUIT "$WRIT_TEST_PROGRAMS/onpty" "${BEFORE[@]}" "$WRIT" run "${TREE[@]}" \
		--grace "$([[ -z $3 ]] && echo "${GRACE_MS}ms" || echo 30s)" \
		-- "$WRIT_TEST_PROGRAMS/payload" "$DIR" 3 <&8 >"$DIR/out" 2>"$DIR/err"
	await_payload
	printf '%s' "$2" >&8
	[[ -z $3 ]] || sleep 0.3
	printf '%s' "$3" >&8
	exec 8>&-
	expect_payload_gone "$1" "$([[ -z $3 ]] && echo 0 || echo 300)"
	grep -q held "$DIR/out"
}

@test "seven processes: Ctrl-C on the terminal" {
	each_hold end_on_terminal 130 $'\003' ""
}

@test "seven processes: a second Ctrl-C does not wait for the grace" {
	each_hold end_on_terminal 130 $'\003' $'\003'
}

@test "seven processes: Ctrl-\\ on the terminal" {
	each_hold end_on_terminal 131 $'\034' ""
}

end_by_hangup() {
	DIR=$(mktemp -d "$BATS_TEST_TMPDIR/payload.XXXXXX")
	under_warden "$WARDEN_MS" env --default-signal=INT,QUIT "$WRIT_TEST_PROGRAMS/onpty" "${BEFORE[@]}" "$WRIT" run "${TREE[@]}" \
		--grace "${GRACE_MS}ms" -- "$WRIT_TEST_PROGRAMS/payload" "$DIR" 3 </dev/null >"$DIR/out" 2>"$DIR/err"
	await_payload
	kill -KILL "$(writ_pid)" # the terminal itself; writ is below it
	take_report
	expect_soon_gone
	expect_no_group
}

@test "seven processes: the terminal hangs up" {
	each_hold end_by_hangup
}

end_by_kill() {
	start_payload
	kill -KILL "$(writ_pid)"
	take_report
	[[ $status == 137 ]] || show_report
	expect_soon_gone
	expect_no_group
}

@test "seven processes: kill -9 of writ itself" {
	each_hold end_by_kill
}

end_by_kill_in_grace() {
	# The payload has to be there before the deadline: who is asked to end
	# before it listens is gone.
	start_payload --timeout 2s --grace 30s
	sleep 2.2
	kill -KILL "$(writ_pid)"
	take_report
	[[ $status == 137 ]] || show_report
	expect_soon_gone
	expect_no_group
}

@test "seven processes: kill -9 of writ in the grace time" {
	each_hold end_by_kill_in_grace
}

end_by_group_kill() {
	DIR=$(mktemp -d "$BATS_TEST_TMPDIR/payload.XXXXXX")
	under_warden "$WARDEN_MS" setsid "${BEFORE[@]}" "$WRIT" run "${TREE[@]}" \
		-- "$WRIT_TEST_PROGRAMS/payload" "$DIR" 3 </dev/null >"$DIR/out" 2>"$DIR/err"
	await_payload
	kill -KILL -- "-$(writ_pid)"
	take_report
	[[ $status == 137 ]] || show_report
	expect_soon_gone
	expect_no_group
}

@test "seven processes: kill -9 of writ's whole process group" {
	each_hold end_by_group_kill
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

no_zombie() {
	start_payload
	touch "$DIR/go"
	take_report
	[[ $status == 3 && $zombies == 0 ]] || show_report
	start_payload
	kill -TERM "$(writ_pid)"
	take_report
	[[ $status == 143 && $zombies == 0 ]] || show_report
}

@test "seven processes: no zombie is left for others to reap" {
	each_hold no_zombie
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
