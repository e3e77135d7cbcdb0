#!/usr/bin/env bats
# writ kill: ends runs of other processes, with everything they started.
# shellcheck disable=SC2016,SC2030,SC2031,SC2153,SC2154,SC2317
load helpers
load running
load detached

# bats test_tags=smoke
@test "when it returns nothing of the run is left, and it says so" {
	detach_payload
	run -0 --separate-stderr timeout 20 "$WRIT" kill "$RUN"
	tree_is_gone
	[[ $output == "$RUN cancelled"*" after "* ]] || show_run
	expect_stderr ""
	run -0 --separate-stderr "$WRIT" ps
	expect_stderr "writ: nothing is running"
}

@test "a run in the foreground ends as by Ctrl-C" {
	local status=0
	until_told 0
	"$WRIT" run -- "${COMMAND[@]}" </dev/null 3>&- &
	running=$!
	listed() { [[ -n $("$WRIT" ps --ids) ]]; }
	wait_for listed
	run -0 --separate-stderr timeout 20 "$WRIT" kill -
	wait "$running" || status=$?
	[[ $status == 143 ]]
}

@test "the command may answer SIGTERM within its grace time" {
	detach --grace 10s -- sh -c 'trap "echo well; exit 0" TERM; touch "$1/ready"; while :; do sleep 0.02; done' sh "$DIR"
	wait_for test -e "$DIR/ready"
	run -0 --separate-stderr timeout 20 "$WRIT" kill "$RUN" "$RUN"
	run -0 --separate-stderr "$WRIT" output "$RUN"
	expect_stdout well
}

@test "--now does not wait for the grace time" {
	local began
	detach --grace 30s -- sh -c 'trap "" TERM; touch "$1/ready"; while :; do sleep 0.02; done' sh "$DIR"
	wait_for test -e "$DIR/ready"
	began=$(now_ms)
	run -0 --separate-stderr timeout 20 "$WRIT" kill --now "$RUN"
	within 3000 $(($(now_ms) - began)) "the end"
	tree_is_gone
}

@test "several, and --all, are told together" {
	local runs=() began
	for _ in 1 2 3; do
		detach --grace 500ms -- sh -c 'trap "" TERM; mktemp "$1/ready.XXXXXX" >/dev/null; while :; do sleep 0.02; done' sh "$DIR"
		runs+=("$RUN")
	done
	three() { [[ $(find "$DIR" -name 'ready.*' | wc -l) == 3 ]]; }
	wait_for three
	began=$(now_ms)
	run -0 --separate-stderr timeout 20 "$WRIT" kill "${runs[0]}" "${runs[1]}"
	[[ ${#lines[@]} == 2 ]] || show_run
	within 1400 $(($(now_ms) - began)) "the end of two"
	run -0 --separate-stderr timeout 20 "$WRIT" kill --all
	[[ $output == "${runs[2]} "* ]] || show_run
	tree_is_gone
	run -0 --separate-stderr "$WRIT" kill --all
	expect_stderr "writ: nothing is running"
}

@test "what has ended, was lost or never was is said, each in its own words" {
	"$WRIT" run -- true
	run -1 --separate-stderr "$WRIT" kill -
	expect_in_stderr "has ended already: exited with 0"
	detach_payload
	kill -KILL "$PID"
	wait_for nobody_has "$DIR"
	run -1 --separate-stderr "$WRIT" kill "$RUN"
	expect_in_stderr "was lost"
	run -1 --separate-stderr "$WRIT" kill 01ZZZ
	expect_in_stderr "01ZZZ"
	expect_stdout ""
}

@test "one that cannot be ended does not keep the others alive" {
	until_told 0
	detach -- "${COMMAND[@]}"
	run -1 --separate-stderr timeout 20 "$WRIT" kill 01ZZZ "$RUN"
	expect_in_stdout "$RUN cancelled"
	expect_in_stderr 01ZZZ
	tree_is_gone
}

@test "--json tells what became of each" {
	until_told 0
	detach -- "${COMMAND[@]}"
	run -1 --separate-stderr timeout 20 "$WRIT" kill --json "$RUN" 01ZZZ
	[[ $(json "$output" 'd[0]["run_id"], d[0]["is_gone"], d[0]["outcome"]') == "('$RUN', True, 'cancelled')" ]] || show_run
	[[ $(json "$output" 'd[1]["is_gone"], "01ZZZ" in d[1]["error"]') == "(False, True)" ]] || show_run
}

@test "--quiet is silent about what is gone" {
	until_told 0
	detach -- "${COMMAND[@]}"
	run -0 --separate-stderr timeout 20 "$WRIT" kill -q "$RUN"
	expect_stdout ""
	expect_stderr ""
}

# Makes the record of the run say that another program runs it, without giving
# the file a new inode: its writer has it open.
pretend_library() {
	python3 - "$WRIT_STATE_DIR/audit/trail-000001.jsonl" <<-'END'
		import sys
		with open(sys.argv[1], "r+b") as trail:
		    text = trail.read()
		    trail.seek(text.index(b'"door":"cli"'))
		    trail.write(b'"door":"lib"')
	END
}

@test "a run of a program of its own has to be asked itself" {
	until_told 0
	detach -- "${COMMAND[@]}"
	pretend_library
	run -1 --separate-stderr "$WRIT" kill "$RUN"
	expect_in_stderr "belongs to process $PID, which runs it through 'lib'"
	run -0 --separate-stderr "$WRIT" kill --all
	expect_in_stderr "1 run belongs to other programs"
	is_alive "$PID"
}

@test "it has to be told what to end, in one way" {
	run -2 --separate-stderr "$WRIT" kill
	expect_in_stderr "say which RUN"
	run -2 --separate-stderr "$WRIT" kill --all -
	expect_in_stderr "cannot be used together"
}

@test "twenty detached runs are all ended" {
	local i
	until_told 0
	for ((i = 0; i < 20; i++)); do
		"$WRIT" run --detach -- "${COMMAND[@]}" >"$DIR/id.$i" 3>&- &
	done
	wait
	[[ $("$WRIT" ps --ids | wc -l) == 20 ]]
	run -0 --separate-stderr timeout 60 "$WRIT" kill --all
	((${#lines[@]} == 20)) || show_run
	tree_is_gone
}
