#!/usr/bin/env bats
# bats file_tags=anyone
# writ wait: the status of runs of other processes.
# shellcheck disable=SC2016,SC2030,SC2031,SC2153,SC2154,SC2317
load helpers
load running
load detached

# bats test_tags=smoke
@test "it waits for the end and passes the status on" {
	local waiting status=0
	until_told 7
	detach -- "${COMMAND[@]}"
	timeout 20 "$WRIT" wait "$RUN" >"$DIR/out" 2>"$DIR/err" 3>&- &
	waiting=$!
	sleep 0.3
	is_alive "$waiting"
	touch "$DIR/go"
	wait "$waiting" || status=$?
	[[ $status == 7 && ! -s $DIR/out && ! -s $DIR/err ]]
}

@test "a run that has ended is answered at once, also one in the foreground" {
	run -3 "$WRIT" run -- sh -c 'exit 3'
	run -3 --separate-stderr "$WRIT" wait -
	expect_stderr ""
	run -0 "$WRIT" run -- true
	run -0 --separate-stderr "$WRIT" wait -
}

@test "the statuses are those of writ run" {
	"$WRIT" run --timeout 100ms -- sleep 9 2>/dev/null || true
	run -124 "$WRIT" wait -
	"$WRIT" run -- sh -c 'kill -9 $$' 2>/dev/null || true
	run -137 "$WRIT" wait -
	status=0
	"$WRIT" run --max-output 10B -- yes >/dev/null 2>&1 || status=$?
	((status > 128))
	run -"$status" "$WRIT" wait -
	"$WRIT" run -- no-such-program 2>/dev/null || true
	run -127 --separate-stderr "$WRIT" wait -
	expect_in_stderr "was refused: not_found"
	"$WRIT" run --cwd /no/such -- true 2>/dev/null || true
	run -125 --separate-stderr "$WRIT" wait -
}

@test "a run that was cancelled is 143, even if it took that well" {
	detach -- sh -c 'trap "exit 0" TERM; touch "$1/ready"; while :; do sleep 0.02; done' sh "$DIR"
	wait_for test -e "$DIR/ready"
	kill -TERM "$PID"
	run -143 timeout 20 "$WRIT" wait "$RUN"
}

@test "--timeout is 125 with a message, and the run goes on" {
	until_told 0
	detach -- "${COMMAND[@]}"
	run -125 --separate-stderr timeout 20 "$WRIT" wait --timeout 200ms "$RUN"
	expect_stderr "writ: $RUN is still running after 200ms"
	is_alive "$PID"
	run -125 --separate-stderr timeout 20 "$WRIT" wait --timeout 0 --any "$RUN"
	run -125 --separate-stderr "$WRIT" wait --timeout soon "$RUN"
	expect_in_stderr "writ: wait: --timeout"
}

@test "of several it waits for all, and gives the first status that is not 0" {
	local runs=()
	for status in 0 4 0 9; do
		detach -- sh -c "sleep 0.1; exit $status"
		runs+=("$RUN")
	done
	run -4 --separate-stderr timeout 20 "$WRIT" wait "${runs[@]}"
	run -9 --separate-stderr timeout 20 "$WRIT" wait "${runs[3]}" "${runs[1]}"
	for pid in $(<"$PIDS"); do
		is_dead "$pid" || wait_for is_dead "$pid"
	done
}

@test "--any ends with the first, and names it" {
	until_told 0
	detach -- "${COMMAND[@]}"
	slow=$RUN
	detach -- sh -c 'sleep 0.2; exit 6'
	run -6 --separate-stderr timeout 20 "$WRIT" wait --any "$slow" "$RUN"
	expect_stdout "$RUN"
	"$WRIT" ps --ids | grep -q "$slow"
}

@test "--json prints the end record" {
	detach -- sh -c 'echo x; exit 2'
	run -2 --separate-stderr timeout 20 "$WRIT" wait --json "$RUN"
	[[ $(json "$output" 'd["kind"], d["run"], d["exit_code"], d["stdout"]["bytes"]') == "('end', '$RUN', 2, 2)" ]] || show_run
	grep -qxF -- "$output" "$WRIT_STATE_DIR"/audit/trail-*.jsonl
}

@test "a run whose process is killed while somebody waits is lost: 125" {
	local waiting status=0
	detach_payload
	timeout 20 "$WRIT" wait "$RUN" 2>"$DIR/err" 3>&- &
	waiting=$!
	sleep 0.2
	kill -KILL "$PID"
	wait "$waiting" || status=$?
	[[ $status == 125 ]]
	grep -q "$RUN was lost" "$DIR/err"
	wait_for nobody_has "$WRIT_TEST_PROGRAMS/payload $DIR"
	run -125 --separate-stderr "$WRIT" wait --json "$RUN"
	expect_stdout "{\"run\":\"$RUN\",\"state\":\"lost\"}"
}

@test "Ctrl-C ends the waiting and not the run" {
	local status=0
	until_told 0
	detach -- "${COMMAND[@]}"
	env --default-signal=INT "$WRIT" wait "$RUN" 3>&- &
	waiting=$!
	sleep 0.2
	kill -INT "$waiting"
	wait "$waiting" || status=$?
	[[ $status == 130 ]]
	is_alive "$PID"
}

@test "no run and an unknown run are 125" {
	run -125 --separate-stderr "$WRIT" wait
	expect_in_stderr "say which RUN"
	run -125 --separate-stderr "$WRIT" wait 01ZZZ
	expect_in_stderr "01ZZZ"
}

@test "on a terminal a line says that it waits, and Ctrl-C wipes it" {
	local status=0
	until_told 0
	detach -- "${COMMAND[@]}"
	{
		sleep 3
		printf '\003'
		sleep 0.5
	} | TERM=xterm timeout 20 env --default-signal=INT,QUIT "$WRIT_TEST_PROGRAMS/onpty" \
		sh -c 'stty cols 100; exec "$@"' sh "$WRIT" wait "$RUN" >"$DIR/screen" || status=$?
	[[ $status == 130 ]]
	grep -q 'waiting [23]s .* Ctrl-C stops waiting, not the run' "$DIR/screen"
	[[ $(<"$DIR/screen") == *$'\r\033[K' ]]
	is_alive "$PID"
}
