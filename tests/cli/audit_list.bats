#!/usr/bin/env bats
# bats file_tags=anyone
# writ audit list, search and stats.
# Scripts in single quotes are for other shells, and `run` sets stderr.
# shellcheck disable=SC2016,SC2154
load helpers

setup() {
	export WRIT_STATE_DIR=$BATS_TEST_TMPDIR/state TZ=UTC
	cd "$BATS_TEST_TMPDIR" || return
}

# Four runs: one good, one that fails, one refused, one ended by a signal.
some_runs() {
	"$WRIT" run --agent reviewer -- echo hello >/dev/null
	"$WRIT" run --agent builder -- sh -c 'exit 3' || true
	"$WRIT" run -- no-such-program 2>/dev/null || true
	"$WRIT" run -- sh -c 'kill -9 $$' 2>/dev/null || true
}

commands_of() { json "$1" '[r["command"] for r in d]'; }

# bats test_tags=smoke
@test "a trail that is not there yet has no runs" {
	run -1 --separate-stderr "$WRIT" audit list
	expect_stdout ""
	expect_stderr "writ: no run matches"
	run -1 --separate-stderr "$WRIT" audit list --json
	expect_stdout "[]"
	expect_stderr ""
	[[ ! -e $WRIT_STATE_DIR ]]
}

@test "list has the newest first: id, when, agent, outcome, time, sandbox, command" {
	some_runs
	run -0 --separate-stderr "$WRIT" audit list
	expect_stderr ""
	[[ ${#lines[@]} == 5 ]] || show_run
	[[ ${lines[0]} =~ ^RUN\ +WHEN\ +AGENT\ +OUTCOME\ +TOOK\ +SANDBOX\ +COMMAND$ ]] || show_run
	[[ ${lines[1]} =~ ^[0-9A-Z]{26}\ +20..-..-..T..:..:..\....Z\ +local\ +signaled\ KILL\ +[0-9a-z]+\ +none\ +sh\ -c ]] || show_run
	[[ ${lines[2]} =~ local\ +refused\ not_found\ +-\ +-\ +no-such-program$ ]] || show_run
	[[ ${lines[3]} =~ builder\ +exited\ 3\ +[0-9a-z]+\ +none\ +"sh -c 'exit 3'"$ ]] || show_run
	[[ ${lines[4]} =~ reviewer\ +exited\ 0\ +[0-9a-z]+\ +none\ +"echo hello"$ ]] || show_run
}

@test "list --json has every fact of a run" {
	some_runs
	run -0 --separate-stderr "$WRIT" audit list --json
	[[ $(json "$output" 'len(d)') == 4 ]]
	[[ $(json "$output" 'sorted(d[0])') == "['agent', 'begin', 'begin_seq', 'command', 'cwd', 'door', 'duration_ms', 'end', 'end_seq', 'exit_code', 'outcome', 'pid', 'program', 'recording', 'run_id', 'sandbox', 'signal', 'state', 'stderr_bytes', 'stdout_bytes', 'uid']" ]] || show_run
	[[ $(json "$output" '[(r["state"], r["outcome"], r["exit_code"], r["signal"]) for r in d]') == \
		"[('ended', 'signaled', -1, 'SIGKILL'), ('refused', 'not_found', -1, None), ('ended', 'exited', 3, None), ('ended', 'exited', 0, None)]" ]] || show_run
	[[ $(json "$output" 'd[3]["agent"], d[3]["door"], d[3]["uid"], d[3]["stdout_bytes"]') == "('reviewer', 'cli', $(id -u), 6)" ]] || show_run
}

@test "list shows twenty, --limit says how many, 0 all" {
	local i
	for i in {1..25}; do "$WRIT" run -- true "$i"; done
	[[ $("$WRIT" audit list | wc -l) == 21 ]]
	[[ $("$WRIT" audit list -n 3 | wc -l) == 4 ]]
	[[ $("$WRIT" audit list --limit 0 | wc -l) == 26 ]]
	[[ $("$WRIT" audit search | wc -l) == 26 ]]
	run -0 "$WRIT" audit list --json --limit 2
	[[ $(commands_of "$output") == "['true 25', 'true 24']" ]] || show_run
	run -0 "$WRIT" audit list --json --limit 2 --oldest-first
	[[ $(commands_of "$output") == "['true 1', 'true 2']" ]] || show_run
}

@test "search by agent, program, outcome and text" {
	some_runs
	run -0 "$WRIT" audit search --json --agent builder
	[[ $(commands_of "$output") == "[\"sh -c 'exit 3'\"]" ]] || show_run
	run -0 "$WRIT" audit search --json --program echo
	[[ $(commands_of "$output") == "['echo hello']" ]] || show_run
	run -0 "$WRIT" audit search --json --program "$(realpath /bin/echo)"
	[[ $(commands_of "$output") == "['echo hello']" ]] || show_run
	run -0 "$WRIT" audit search --json --outcome ok
	[[ $(commands_of "$output") == "['echo hello']" ]] || show_run
	run -0 "$WRIT" audit search --json --outcome failed
	[[ $(json "$output" '[r["outcome"] for r in d]') == "['signaled', 'exited']" ]] || show_run
	run -0 "$WRIT" audit search --json --outcome refused
	[[ $(commands_of "$output") == "['no-such-program']" ]] || show_run
	run -0 "$WRIT" audit search --json --outcome not_found
	[[ $(commands_of "$output") == "['no-such-program']" ]] || show_run
	run -0 "$WRIT" audit search --json --outcome signaled
	[[ $(json "$output" 'len(d)') == 1 ]] || show_run
	run -0 "$WRIT" audit search --json --text HELLO
	[[ $(commands_of "$output") == "['echo hello']" ]] || show_run
	run -0 "$WRIT" audit search --json --program sh --outcome exited
	[[ $(commands_of "$output") == "[\"sh -c 'exit 3'\"]" ]] || show_run
	run -1 --separate-stderr "$WRIT" audit search --agent nobody-of-this-name
	expect_stderr "writ: no run matches"
}

@test "the same answers without the index" {
	some_runs
	for filter in "--agent builder" "--program sh" "--outcome failed" "--text hello" "--since today" "-n 2"; do
		# shellcheck disable=SC2086 # two words
		diff <("$WRIT" audit search --ids $filter) <("$WRIT" audit search --ids --no-index $filter)
	done
}

@test "search by time" {
	"$WRIT" run -- true before
	local between
	between=$(date -u +%Y-%m-%dT%H:%M:%S.%NZ)
	"$WRIT" run -- true after
	run -0 "$WRIT" audit search --json --since "$between"
	[[ $(commands_of "$output") == "['true after']" ]] || show_run
	run -0 "$WRIT" audit search --json --until "$between"
	[[ $(commands_of "$output") == "['true before']" ]] || show_run
	run -0 "$WRIT" audit search --json --since 1h
	[[ $(json "$output" 'len(d)') == 2 ]] || show_run
	run -0 "$WRIT" audit search --json --since today --until "$(date +%F)"
	[[ $(json "$output" 'len(d)') == 2 ]] || show_run
	run -1 "$WRIT" audit search --until yesterday
	run -1 "$WRIT" audit search --since 2099-01-01
}

@test "times are local unless they have a zone" {
	"$WRIT" run -- true
	local now east
	now=$(date -u +%s)
	east=$(TZ=XXX-7 date -d "@$((now - 60))" +%FT%T)
	TZ=XXX-7 run -0 "$WRIT" audit search --since "$east"
	TZ=XXX-7 run -1 "$WRIT" audit search --until "$east"
	TZ=XXX7 run -1 "$WRIT" audit search --since "$east"
	TZ=XXX7 run -0 "$WRIT" audit search --since "$east+07:00"
	TZ=XXX-7 run -0 "$WRIT" audit list
	[[ $output == *"+07:00"* ]] || show_run
}

@test "on a terminal ids are short and lines do not wrap, in a pipe all is whole" {
	need script
	local long
	long=$(printf 'x%.0s' {1..300})
	"$WRIT" run -- true "$long"
	"$WRIT" run -- true short
	run -0 on_terminal "'$WRIT' audit list"
	awk '{ gsub(/\033\[[0-9;]*m|\r/, ""); gsub(/…/, "."); if (length > 100) { print; bad = 1 } } END { exit bad }' <<<"$output" || show_run
	[[ $output == *"…"* ]] || show_run
	local id
	id=$(grep -o '^[0-9A-Z]\{12,25\} ' <<<"$output" | tail -n 1)
	run -0 "$WRIT" audit show "${id% }"
	expect_in_stdout "$long"
	[[ $("$WRIT" audit list) == *"$long"* ]]
}

@test "colours on a terminal only, and not with NO_COLOR" {
	need script
	some_runs
	[[ $("$WRIT" audit list) != *$'\033'* ]]
	run -0 on_terminal "'$WRIT' audit list"
	expect_in_stdout $'\033[32mexited 0\033[0m'
	expect_in_stdout $'\033[31mexited 3\033[0m'
	run -0 on_terminal "NO_COLOR=1 '$WRIT' audit list"
	[[ $output != *$'\033'* ]] || show_run
}

@test "nothing that a run was called can drive the terminal" {
	need script
	local evil
	evil=$(printf 'a\033[2J\033]0;title\007b\302\2332Jc\342\200\256d\rover\nnew line')
	mkdir "dir$evil"
	"$WRIT" run --cwd "dir$evil" -- true "$evil"
	in_pipe() { sh -c "$1" | cat; }
	for where in in_pipe on_terminal; do
		for what in list search stats "stats --by agent" "show -" tail; do
			run -0 "$where" "NO_COLOR=1 '$WRIT' audit $what"
			[[ $output != *$'\033'* && $output != *$'\302\233'* && $output != *$'\342\200\256'* ]] || show_run
			output=${output//$'\r\n'/}
			[[ ${output%$'\r'} != *$'\r'* ]] || show_run
		done
	done
	run -0 "$WRIT" audit list
	expect_in_stdout 'a\x1b[2J\x1b]0;title\x07b\x9b2Jc\u{202e}d\rover\nnew line'
	[[ $("$WRIT" audit list | wc -l) == 2 ]]
	run -0 "$WRIT" audit show -
	grep -qF 'dira\x1b[2J\x1b]0;title' <<<"$output" || show_run
}

@test "--ids is one id on a line" {
	some_runs
	run -0 --separate-stderr "$WRIT" audit list --ids
	[[ ${#lines[@]} == 4 ]] || show_run
	[[ $(grep -cx '[0-9A-Z]\{26\}' <<<"$output") == 4 ]] || show_run
}

@test "stats count by program, agent, outcome, day and sandbox" {
	some_runs
	run -0 --separate-stderr "$WRIT" audit stats
	[[ ${lines[0]} =~ ^PROGRAM\ +RUNS\ +FAILED\ +REFUSED\ +TIME ]] || show_run
	grep -qE '^sh +2 +2 +- ' <<<"$output" || show_run
	grep -qE '^echo +1 +- +- ' <<<"$output" || show_run
	expect_in_stdout $'\ndisk\n'
	expect_in_stdout "$WRIT_STATE_DIR/audit"
	expect_in_stdout "outputs_age"
	grep -qE '^  undo +0B of 0 runs  writ undo$' <<<"$output" || show_run
	run -0 --separate-stderr "$WRIT" audit stats --by agent --json
	[[ $(json "$output" 'sorted((r["name"], r["runs"]) for r in d["rows"] if r["name"] in ("builder", "reviewer"))') == "[('builder', 1), ('reviewer', 1)]" ]] || show_run
	[[ $(json "$output" 'sum(r["runs"] for r in d["rows"])') == 4 ]] || show_run
	[[ $(json "$output" 'd["disk"]["trail_files"], d["disk"]["output_files"], d["disk"]["trail_bytes"] > 0') == "(1, 1, True)" ]] || show_run
	[[ $(json "$output" 'd["settings"]["outputs_age"], d["disk"]["undo_runs"]') == "('14d', 0)" ]] || show_run
	for by in outcome day sandbox; do
		run -0 --separate-stderr "$WRIT" audit stats --by "$by" --json
		[[ $(json "$output" 'd["by"], sum(r["runs"] for r in d["rows"])') == "('$by', 4)" ]] || show_run
	done
	run -0 --separate-stderr "$WRIT" audit stats --by program --agent builder --json
	[[ $(json "$output" '[r["name"] for r in d["rows"]]') == "['sh']" ]] || show_run
}

@test "bars only on a terminal" {
	need script
	some_runs
	[[ $("$WRIT" audit stats) != *"##"* ]]
	run -0 on_terminal "'$WRIT' audit stats"
	expect_in_stdout "####################"
}

@test "wrong usage is said exactly" {
	run -2 --separate-stderr "$WRIT" audit
	expect_stderr "writ: audit: say what: list, show, tail, search, stats, net, triggers, verify, replay, export, prune or checkpoint"$'\n'"  try: writ audit --help"
	run -2 --separate-stderr "$WRIT" audit lst
	expect_in_stderr "writ: audit: unknown word 'lst', did you mean 'list'?"
	run -2 --separate-stderr "$WRIT" audit list --since tomorrow
	expect_in_stderr "writ: audit list: --since: expected a time like 2h, 3d, 2026-11-16 or 2026-11-16T04:20, got 'tomorrow'"
	run -2 --separate-stderr "$WRIT" audit search --outcome faild
	expect_in_stderr "writ: audit search: --outcome: unknown word 'faild', did you mean 'failed'?"
	run -2 --separate-stderr "$WRIT" audit list --limit many
	expect_in_stderr "writ: audit list: --limit: expected a number, got 'many'"
	run -2 --separate-stderr "$WRIT" audit list --limit 1.5
	expect_in_stderr "expected a number, got '1.5'"
	run -2 --separate-stderr "$WRIT" audit list --agent ''
	expect_in_stderr "writ: audit list: --agent: must not be empty"
	run -2 --separate-stderr "$WRIT" audit list run
	expect_in_stderr "writ: audit list: unexpected word 'run'"
	run -2 --separate-stderr "$WRIT" audit stats --by colour
	expect_in_stderr "writ: audit stats: --by: unknown word 'colour', expected one of program|agent|outcome|day|sandbox"
	run -2 --separate-stderr "$WRIT" audit list --state-dir here
	expect_in_stderr "writ: audit list: --state-dir must be an absolute path"
	run -2 --separate-stderr "$WRIT" audit list --json --limit x
	[[ $(json "$output" 'd["error"]["code"]') == invalid ]] || show_run
}

@test "a trail that others can write is not believed" {
	"$WRIT" run -- true
	chmod 777 "$WRIT_STATE_DIR/audit"
	run -1 --separate-stderr "$WRIT" audit list
	expect_stdout ""
	[[ $stderr == "writ: "* ]] || show_run
}

@test "output that cannot be written is a failure" {
	"$WRIT" run -- true
	for what in list "list --json" "list --ids" "show -" tail stats; do
		run -1 --separate-stderr sh -c "'$WRIT' audit $what >/dev/full"
		expect_stderr "writ: cannot write to standard output: No space left on device"
	done
}
