#!/usr/bin/env bats
# However a run ends, nothing of its seven processes is left: under every ending
# and every hold.
load helpers
load running

setup() {
	need unshare setsid
}

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
