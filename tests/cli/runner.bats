#!/usr/bin/env bats
# The runner of modules by itself: `writ --internal-sandbox-runner ID`.
load helpers
load modules

setup() {
	modules_setup
	bind cli.echo 'exec:///bin/echo hello' ''
	bind cli.false exec:///bin/false ''
}

# runner STATUS ID INPUT: the runner by itself.
runner() {
	run "-$1" --separate-stderr timeout -s KILL 60 "$WRIT" --internal-sandbox-runner "$2" <<<"$3"
}

# expect_refusal CODE: nothing on stdout, and why as the last line of stderr.
expect_refusal() {
	expect_stdout ""
	[[ $(json "${stderr##*$'\n'}" 'd["error"]["code"]') == "$1" ]] || show_run
}

@test "the runner is recognised before options are parsed" {
	runner 0 cli.echo '{}'
	expect_json 'd["stdout"] == "hello\n" and d["exit_code"] == 0 and d["module_id"] == "cli.echo"'
	[[ ${#lines[@]} == 1 ]] || show_run
	# Words that mean something to the option parser are only an id here.
	runner 125 --help '{}'
	expect_stdout ""
	run -125 --separate-stderr "$WRIT" --internal-sandbox-runner
	expect_stdout ""
	expect_in_stderr --internal-sandbox-runner
	run -125 --separate-stderr "$WRIT" --internal-sandbox-runner cli.echo --json
	expect_stdout ""
}

@test "the runner exits with 0 whenever the module ran, however that ended" {
	runner 0 cli.false '{}'
	expect_json 'd["exit_code"] == 1 and d["success"] is False'
	bind cli.short 'exec:///bin/sleep 1000' '' 'timeout: 100ms'
	runner 0 cli.short '{}'
	expect_json 'd["outcome"] == "timed_out"'
}

@test "a runner whose module does not run writes nothing to stdout and why to stderr" {
	bind cli.gone exec:///nonexistent ''
	bind cli.count exec:///bin/true "$(properties '"count":{"type":"integer"}')"
	runner 127 cli.unknown '{}'
	expect_refusal not_found
	runner 127 cli.gone '{}'
	expect_refusal not_found
	runner 125 cli.count '{"count":"x"}'
	expect_refusal invalid
	runner 125 cli.count 'no json'
	expect_refusal invalid
}

@test "a runner reads its input to the end and gives it to the module" {
	script copy cat
	bind cli.copy "exec://$BIN/copy" '{"type":"object"}' 'input: {as: json}'
	python3 -c 'import json; print(json.dumps({"a": "x" * 1000000, "b": [1, 2.5, None, "ä\n"]}))' >input
	run -0 --separate-stderr timeout -s KILL 60 "$WRIT" --internal-sandbox-runner cli.copy <input
	python3 -c 'import json, sys
r = json.loads(sys.stdin.read())
assert json.loads(r["stdout"]) == json.load(open("input")), "not the input"' <<<"$output"
}

@test "a runner with its standard descriptors closed opens nothing in their place" {
	run -0 --separate-stderr timeout -s KILL 60 bash -c "'$WRIT' --internal-sandbox-runner cli.echo <<<'{}' 2>&-"
	expect_json 'd["stdout"] == "hello\n"'
	run -125 --separate-stderr timeout -s KILL 60 bash -c "'$WRIT' --internal-sandbox-runner cli.echo <&- 2>&-"
	expect_stdout ""
	run --separate-stderr timeout -s KILL 60 bash -c "'$WRIT' --internal-sandbox-runner cli.echo </dev/null >&-"
	[[ $status != 0 ]] || show_run
}

@test "SIGTERM to a runner ends its module, and the result says so" {
	local code=0
	bind cli.up 'exec:///bin/sh -c' "$(properties '"text":{"type":"string","x-apexe-positional":0}')"
	"$WRIT" --internal-sandbox-runner cli.up <<<"{\"text\":\"touch $PWD/up; exec 9>>$PWD/lock; flock 9; sleep 1000\"}" >out 2>err 3>&- &
	local pid=$!
	wait_for test -e up
	kill -TERM $pid
	wait $pid || code=$?
	[[ $code == 0 ]] || { cat err >&2; false; }
	[[ $(json "$(cat out)" 'd["outcome"]') == cancelled ]]
	nothing_holds lock
}

@test "a runner is no way around the record" {
	runner 0 cli.echo '{}'
	local id
	id=$(json "$output" 'd["run_id"]')
	run -0 --separate-stderr "$WRIT" audit show --json "$id"
	expect_in_stdout runner
	expect_in_stdout cli.echo
	run -0 --separate-stderr "$WRIT" audit verify
}

@test "a result that cannot be written is a failure with words" {
	[[ -w /dev/full ]] || skip "there is no /dev/full"
	run -125 --separate-stderr bash -c "timeout -s KILL 60 '$WRIT' --internal-sandbox-runner cli.echo <<<'{}' >/dev/full"
	expect_in_stderr 'cannot write the result'
}

@test "an input that is too long is refused before anything runs" {
	run -125 --separate-stderr bash -c "head -c 70000000 /dev/zero | timeout -s KILL 60 '$WRIT' --internal-sandbox-runner cli.echo"
	expect_stdout ""
	expect_in_stderr '64 MiB'
}
