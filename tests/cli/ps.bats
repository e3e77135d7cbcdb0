#!/usr/bin/env bats
# bats file_tags=anyone
# writ ps: what is running now.
# shellcheck disable=SC2016,SC2030,SC2031,SC2153,SC2154,SC2317
load helpers
load running
load detached

# bats test_tags=smoke
@test "where nothing runs it says so and succeeds" {
	run -0 --separate-stderr "$WRIT" ps
	expect_stdout ""
	expect_stderr "writ: nothing is running"
	run -0 --separate-stderr "$WRIT" ps --json
	expect_stdout "[]"
	run -0 --separate-stderr "$WRIT" ps --ids
	expect_stdout ""
	expect_stderr ""
}

@test "a run is listed with its id, agent, process, sandbox and command" {
	until_told 0
	detach --agent tester --sandbox env -- "${COMMAND[@]}"
	run -0 --separate-stderr "$WRIT" ps
	[[ ${lines[0]} =~ ^RUN\ +SINCE\ +AGENT\ +PID\ +SANDBOX\ +COMMAND$ ]] || show_run
	read -r id since agent pid sandbox command <<<"${lines[1]}"
	[[ $id == "$RUN" && $since =~ ^[0-9:]{8}$ && $agent == tester && $pid == "$PID" ]] || show_run
	[[ $sandbox == env && $command == "sh -c "* && ${#lines[@]} == 2 ]] || show_run
	expect_stderr ""
}

@test "a run in the foreground is listed too, and gone when it has ended" {
	until_told 0
	"$WRIT" run -- "${COMMAND[@]}" </dev/null 3>&- &
	listed() { [[ $("$WRIT" ps --ids | wc -l) == 1 ]]; }
	wait_for listed
	touch "$DIR/go"
	wait
	run -0 --separate-stderr "$WRIT" ps
	expect_stderr "writ: nothing is running"
}

@test "the oldest comes first, and --ids is only the ids" {
	local first
	until_told 0
	detach -- "${COMMAND[@]}"
	first=$RUN
	detach -- "${COMMAND[@]}"
	run -0 --separate-stderr "$WRIT" ps --ids
	expect_stdout "$first"$'\n'"$RUN"
}

@test "--json has everything, exactly" {
	until_told 0
	(cd "$DIR" && detach --agent 'a "b"' -- "${COMMAND[@]}")
	run -0 --separate-stderr "$WRIT" ps --json
	[[ $(json "$output" 'd[0]["state"], d[0]["agent"], d[0]["door"], d[0]["sandbox"]') == \
		"('running', 'a \"b\"', 'cli', 'none')" ]] || show_run
	[[ $(json "$output" 'd[0]["cwd"]') == "$(cd "$DIR" && pwd -P)" ]] || show_run
	[[ $(json "$output" 'd[0]["since"]') =~ ^20[0-9-]{8}T[0-9:.]{15}Z$ ]] || show_run
	is_alive "$(json "$output" 'd[0]["pid"]')"
}

@test "a run whose process was killed is lost: counted, and listed with --all" {
	detach_payload
	kill -KILL "$PID"
	wait_for nobody_has "$DIR"
	run -0 --separate-stderr "$WRIT" ps
	expect_stdout ""
	expect_in_stderr "1 was lost, without a record of the end: writ ps --all"
	run -0 --separate-stderr "$WRIT" ps --all
	[[ ${lines[0]} =~ ^RUN\ +STATE\  && ${lines[1]} =~ ^$RUN\ +lost\  ]] || show_run
	run -0 --separate-stderr "$WRIT" ps --all --json
	[[ $(json "$output" 'd[0]["run_id"], d[0]["state"]') == "('$RUN', 'lost')" ]] || show_run
}

@test "what a terminal would obey is written out" {
	detach -- sh -c 'sleep 60; : "$1"' "$DIR" $'\033[31m\nred'
	run -0 --separate-stderr "$WRIT" ps
	[[ $output != *$'\033'* && $output == *'\x1b[31m'* ]] || show_run
	((${#lines[@]} == 2)) || show_run
}

@test "a terminal has no line that wraps, a pipe has all of it" {
	need script
	local long
	long=$(printf 'x%.0s' {1..300})
	detach -- sh -c 'sleep 60' "$DIR" "$long"
	run -0 on_terminal "'$WRIT' ps"
	while read -r line; do
		line=${line//$'\r'/}
		line=${line//$'\033'[\[][0-9]m/}
		((${#line} <= 100)) || show_run
	done <<<"$output"
	expect_in_stdout "…"
	run -0 --separate-stderr "$WRIT" ps
	expect_in_stdout "$long"
}

@test "another state directory is another list" {
	until_told 0
	detach -- "${COMMAND[@]}"
	run -0 --separate-stderr "$WRIT" ps --ids --state-dir "$BATS_TEST_TMPDIR/other"
	expect_stdout ""
	run -0 --separate-stderr env -u WRIT_STATE_DIR "$WRIT" ps --ids --state-dir "$BATS_TEST_TMPDIR/state"
	expect_stdout "$RUN"
}

@test "words that mean nothing are refused" {
	run -2 --separate-stderr "$WRIT" ps now
	expect_in_stderr "writ: ps: unexpected word 'now'"
}
