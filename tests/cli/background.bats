#!/usr/bin/env bats
# --background keep: what a command leaves in the background lives on after a
# normal end, and only then.
load helpers
load running

# keep_payload OPTION...: the seven processes, kept; the warden leaves alone
# what lives on. teardown ends it.
keep_payload() {
	DIR=$(mktemp -d "$BATS_TEST_TMPDIR/payload.XXXXXX")
	under_warden "$1" "${BEFORE[@]}" "$WRIT" run --json --background keep --grace "${GRACE_MS}ms" "${TREE[@]}" "${@:2}" \
		-- "$WRIT_TEST_PROGRAMS/payload" "$DIR" 3 </dev/null >"$DIR/out" 2>"$DIR/err"
	await_payload
}

children() { cat "/proc/$1/task/$1/children" 2>/dev/null; }

# Whether a process is there; a zombie is not.
is_alive() { [[ -e /proc/$1/stat && $(sed 's/.*) \(.\).*/\1/' "/proc/$1/stat" 2>/dev/null) == [!ZX] ]]; }

is_dead() { ! is_alive "$1"; }

# Ends what was kept; the helper then ends by itself, and cleans up.
end_kept() {
	local pid
	for pid in ${KEPT-}; do
		kill -KILL "$pid" 2>/dev/null || true
	done
	[[ -z ${HELPER-} ]] || wait_for is_dead "$HELPER" || kill -KILL "$HELPER"
	KEPT='' HELPER=''
}

teardown() {
	end_kept
}

keep() {
	local pid living=0
	keep_payload 0+
	touch "$DIR/go"
	take_report
	HELPER=${pids% }
	KEPT=$(children "$HELPER")
	[[ $status == 3 && $left == 1 ]] || show_report
	[[ $(json "$(<"$DIR/out")" 'd["outcome"], d["killed"], d["background"], d["stdout"]') == \
		"('exited', 0, 7, 'held\\n')" ]]

	# Their parent is the helper, and they are all of them alive.
	for pid in $KEPT; do
		! is_alive "$pid" || living=$((living + 1))
	done
	((living == 7))
	sleep 0.3
	for pid in $KEPT; do
		is_alive "$pid"
	done

	# When the last of them ends, so does the helper.
	for pid in $KEPT; do
		kill -KILL "$pid"
	done
	wait_for is_dead "$HELPER"
	wait_for expect_no_group 2>/dev/null
	KEPT='' HELPER=''
}

@test "kept processes live on after a normal end, below the helper, and are reported" {
	each_hold keep
}

@test "a note says how many live on, and --quiet does not" {
	under_warden 0+ "$WRIT" run --background keep -- sh -c 'sleep 71 >/dev/null 2>&1 &' \
		</dev/null >/dev/null 2>"$BATS_TEST_TMPDIR/err"
	take_report
	HELPER=${pids% } KEPT=$(children "${pids% }")
	[[ $status == 0 && $(<"$BATS_TEST_TMPDIR/err") == "writ: 1 background process lives on" ]] || show_report
	end_kept
	under_warden 0+ "$WRIT" run -q --background keep -- sh -c 'sleep 71 >/dev/null 2>&1 &' \
		</dev/null >/dev/null 2>"$BATS_TEST_TMPDIR/err"
	take_report
	HELPER=${pids% } KEPT=$(children "${pids% }")
	[[ $status == 0 && ! -s $BATS_TEST_TMPDIR/err ]]
}

nothing_to_keep() {
	under_warden "$WARDEN_MS" "${BEFORE[@]}" "$WRIT" run --json --background keep "${TREE[@]}" -- sh -c 'exit 4' \
		</dev/null >"$BATS_TEST_TMPDIR/out"
	take_report
	[[ $status == 4 ]] || show_report
	expect_soon_gone
	[[ $(json "$(<"$BATS_TEST_TMPDIR/out")" 'd["background"]') == 0 ]]
}

@test "without background processes there is nothing to keep, and no helper stays" {
	each_hold nothing_to_keep
}

time_out() {
	keep_payload "$WARDEN_MS" --timeout 1s
	expect_payload_gone 124 1000
	[[ $(json "$(<"$DIR/out")" 'd["outcome"], d["background"]') == "('timed_out', 0)" ]]
}

@test "a timeout ends what was to be kept" {
	each_hold time_out
}

cancel() {
	keep_payload "$WARDEN_MS"
	kill -TERM "$(writ_pid)"
	expect_payload_gone 143
}

@test "SIGTERM to writ ends what was to be kept" {
	each_hold cancel
}

kill_writ() {
	keep_payload "$WARDEN_MS"
	kill -KILL "$(writ_pid)"
	take_report
	[[ $status == 137 ]] || show_report
	expect_soon_gone
	expect_no_group
}

@test "kill -9 of writ ends what was to be kept" {
	each_hold kill_writ
}

die_of_signal() {
	# shellcheck disable=SC2016 # for the command's shell
	under_warden "$WARDEN_MS" "${BEFORE[@]}" "$WRIT" run --json --background keep "${TREE[@]}" -- \
		sh -c 'sleep 72 >/dev/null 2>&1 & kill -9 $$' </dev/null >"$BATS_TEST_TMPDIR/out"
	take_report
	[[ $status == 137 ]] || show_report
	expect_nothing_left
	[[ $(json "$(<"$BATS_TEST_TMPDIR/out")" 'd["outcome"], d["background"]') == "('signaled', 0)" ]]
}

@test "a command that a signal ends takes its background with it" {
	each_hold die_of_signal
}

late_job() {
	# The background makes another process after writ has gone.
	under_warden 0+ "${BEFORE[@]}" "$WRIT" run --background keep "${TREE[@]}" -- \
		sh -c '(sleep 0.3; touch "$1"; sleep 0.1) >/dev/null 2>&1 &' sh "$BATS_TEST_TMPDIR/made-$RANDOM" </dev/null 2>/dev/null
	take_report
	[[ $status == 0 && $left == 1 ]] || show_report
	wait_for compgen -G "$BATS_TEST_TMPDIR/made-*" >/dev/null
	wait_for is_dead "${pids% }"
	rm -f "$BATS_TEST_TMPDIR"/made-*
}

@test "kept processes go on working, and the helper ends after them" {
	each_hold late_job
}
