#!/usr/bin/env bats
# Exit statuses, signals to and from the command, and what it starts with.
load helpers
load running

# ---- the exit status

@test "every exit status of the command is writ's own" {
	local code got
	for code in {0..255}; do
		got=0
		"$WRIT" run --tree caller -- sh -c "exit $code" || got=$?
		[[ $got == "$code" ]] || { echo "$code became $got" >&2; false; }
	done
}

same_code() {
	local code
	for code in 0 1 42 124 125 126 127 128 130 255; do
		run -"$code" --separate-stderr "${BEFORE[@]}" "$WRIT" run "${TREE[@]}" -- sh -c "exit $code"
		expect_stderr ""
	done
}

@test "the exit status passes under every hold" {
	each_hold same_code
}

@test "JSON tells a command's own 124..127 from writ's" {
	for code in 124 125 126 127; do
		run -"$code" --separate-stderr "$WRIT" run --json -- sh -c "exit $code"
		[[ $(json "$output" 'd["outcome"], d["exit_code"]') == "('exited', $code)" ]] || show_run
	done
	run -127 --separate-stderr "$WRIT" run --json -- no-such-program
	[[ $(json "$output" '"error" in d and "outcome" not in d') == True ]] || show_run
}

died_of() {
	local name number
	for name in HUP:1 INT:2 QUIT:3 ABRT:6 KILL:9 USR1:10 SEGV:11 PIPE:13 ALRM:14 TERM:15 XCPU:24; do
		number=${name#*:}
		# shellcheck disable=SC2016 # for the command's shell
		run -$((128 + number)) --separate-stderr "${BEFORE[@]}" "$WRIT" run --json "${TREE[@]}" -- \
			sh -c 'kill -"$1" $$; sleep 5' sh "$number"
		[[ $(json "$output" 'd["outcome"], d["exit_code"], d["signal"]') == "('signaled', -1, 'SIG${name%:*}')" ]] || show_run
	done
}

@test "a signal that ends the command is 128 and its number" {
	each_hold died_of
}

@test "a real-time signal, too" {
	# shellcheck disable=SC2016 # for the command's shell
	run -168 --separate-stderr "$WRIT" run --json -- sh -c 'kill -40 $$; sleep 5'
	[[ $(json "$output" 'd["signal"]') == SIGRTMIN+6 ]] || show_run
}

@test "a signal from outside ends the command: 143, 130, 129, 131" {
	local name
	for name in TERM:143 INT:130 HUP:129 QUIT:131; do
		under_warden "$WARDEN_MS" env --default-signal=INT,QUIT "$WRIT" run -- \
			sh -c 'echo >"$1"; exec sleep 60' sh "$BATS_TEST_TMPDIR/ready-$name" </dev/null >/dev/null
		wait_for test -s "$BATS_TEST_TMPDIR/ready-$name"
		kill -"${name%:*}" "$(writ_pid)"
		take_report
		[[ $status == "${name#*:}" ]] || show_report
		expect_nothing_left
	done
}

@test "the command gets the very signal, and may answer it" {
	for name in TERM INT HUP QUIT; do
		under_warden "$WARDEN_MS" env --default-signal=INT,QUIT "$WRIT" run -- sh -c \
			"trap 'echo got $name; exit 0' $name; echo >'$BATS_TEST_TMPDIR/on-$name'; while :; do sleep 0.05; done" \
			</dev/null >"$BATS_TEST_TMPDIR/out"
		wait_for test -s "$BATS_TEST_TMPDIR/on-$name"
		kill -"$name" "$(writ_pid)"
		take_report
		grep -q "got $name" "$BATS_TEST_TMPDIR/out"
	done
}

# ---- what the command starts with

# The commands look at themselves; /proc/self is that of the machine, so it is
# right in a pid namespace as well.

only_three() {
	run -0 --separate-stderr bash -c 'exec 5</etc/passwd 9>/dev/null 200</; exec "$@"' bash \
		"${BEFORE[@]}" "$WRIT" run "${TREE[@]}" -- sh -c 'echo /proc/self/fd/*' </dev/null
	# The shell's own glob opens the directory, as descriptor 3.
	expect_stdout "/proc/self/fd/0 /proc/self/fd/1 /proc/self/fd/2 /proc/self/fd/3"
}

@test "the command has the three standard streams and no other descriptor" {
	each_hold only_three
}

@test "the standard streams are a pipe each, and not writ's own files" {
	run -0 --separate-stderr "$WRIT" run -- sh -c 'readlink /proc/self/fd/1; readlink /proc/self/fd/2 >&2'
	[[ $output == pipe:* && $stderr == pipe:* && $output != "$stderr" ]] || show_run
}

clean_signals() {
	local field
	run -0 --separate-stderr env --ignore-signal=PIPE --ignore-signal=INT --ignore-signal=TERM --ignore-signal=CHLD \
		--ignore-signal=USR1 --ignore-signal=TTOU --ignore-signal=40 --block-signal=USR2 --block-signal=ALRM \
		"${BEFORE[@]}" "$WRIT" run "${TREE[@]}" -- grep -E '^Sig(Blk|Ign|Pnd)|^ShdPnd' /proc/self/status
	((${#lines[@]} == 4))
	for field in "${lines[@]}"; do
		[[ $field == *$'\t'0000000000000000 ]] || show_run
	done
}

@test "no signal is blocked or ignored in the command, whatever writ was started with" {
	each_hold clean_signals
}

own_session() {
	# Fields 5, 6, 7: process group, session, terminal.
	run -0 --separate-stderr "${BEFORE[@]}" "$WRIT" run "${TREE[@]}" -- cut -d' ' -f1,5,6,7 /proc/self/stat
	read -r pid group session terminal <<<"$output"
	[[ $pid == "$group" && $pid == "$session" && $terminal == 0 ]] || show_run
}

@test "the command leads a session of its own and has no terminal" {
	each_hold own_session
}

@test "the command is never process 1" {
	can_pidns || skip "no pid namespace can be made here"
	# shellcheck disable=SC2016 # for the command's shell
	run -0 --separate-stderr "$WRIT" run --tree pidns -- sh -c 'echo $$'
	((output > 1))
}

@test "an ordinary user's command has no capability, not even in a namespace" {
	! is_root || skip "root has them"
	no_capability() {
		run -0 --separate-stderr "${BEFORE[@]}" "$WRIT" run "${TREE[@]}" -- grep -E '^Cap(Inh|Prm|Eff|Amb)' /proc/self/status
		for field in "${lines[@]}"; do
			[[ $field == *$'\t'0000000000000000 ]] || show_run
		done
	}
	each_hold no_capability
}

same_ids() {
	run -0 --separate-stderr "${BEFORE[@]}" "$WRIT" run "${TREE[@]}" -- id -u
	expect_stdout "$(id -u)"
	run -0 --separate-stderr "${BEFORE[@]}" "$WRIT" run "${TREE[@]}" -- id -g
	expect_stdout "$(id -g)"
}

@test "the command has writ's user and group under every hold" {
	each_hold same_ids
}

# ---- signals that writ was told to ignore

@test "writ under nohup does not end on SIGHUP" {
	under_warden "$WARDEN_MS" env --ignore-signal=HUP "$WRIT" run -- \
		sh -c 'echo >"$1"; sleep 0.6; exit 4' sh "$BATS_TEST_TMPDIR/ready" </dev/null >/dev/null
	wait_for test -s "$BATS_TEST_TMPDIR/ready"
	kill -HUP "$(writ_pid)"
	take_report
	[[ $status == 4 ]] || show_report
}

@test "SIGCHLD ignored or blocked by writ's parent changes nothing" {
	run -5 --separate-stderr env --ignore-signal=CHLD "$WRIT" run -- sh -c 'sleep 0.1; exit 5'
	run -5 --separate-stderr env --block-signal=CHLD "$WRIT" run -- sh -c 'sleep 0.1; exit 5'
	run -5 --separate-stderr env --ignore-signal=CHLD "$WRIT" run --tree caller -- sh -c 'sleep 0.1; exit 5'
}

@test "signals that were blocked when writ started still end it" {
	under_warden "$WARDEN_MS" env --block-signal=TERM "$WRIT" run -- \
		sh -c 'echo >"$1"; exec sleep 60' sh "$BATS_TEST_TMPDIR/ready" </dev/null >/dev/null
	wait_for test -s "$BATS_TEST_TMPDIR/ready"
	kill -TERM "$(writ_pid)"
	take_report
	[[ $status == 143 ]] || show_report
}

@test "a command that is stopped and continued goes on" {
	under_warden "$WARDEN_MS" "$WRIT" run --tree keeper -- \
		sh -c 'echo >"$1"; sleep 0.3; echo end; exit 6' sh "$BATS_TEST_TMPDIR/ready" </dev/null >"$BATS_TEST_TMPDIR/out"
	wait_for test -s "$BATS_TEST_TMPDIR/ready"
	kill -STOP "$(writ_pid)"
	sleep 0.5
	kill -CONT "$(writ_pid)"
	take_report
	[[ $status == 6 && $(<"$BATS_TEST_TMPDIR/out") == end ]] || show_report
}
