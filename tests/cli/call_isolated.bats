#!/usr/bin/env bats
# writ call --isolated: the call in a process of its own.
# shellcheck disable=SC2154,SC2016
load helpers
load shower

setup() {
	make_modules
	cat >"$modules/sh.binding.yaml" <<-'EOF'
		spec_version: "1.0"
		bindings:
		- module_id: test.sh
		  target: exec:///bin/sh
		  input_schema:
		    type: object
		    additionalProperties: false
		    properties: {script: {type: string, x-apexe-flag: -c}}
	EOF
}

# bats test_tags=smoke
@test "output and status are the command's own" {
	run -3 --separate-stderr "$WRIT" call --isolated test.fail
	expect_stdout out
	expect_stderr err
	run -3 --separate-stderr "$WRIT" call --isolated --json --trace-id t-2 test.fail
	[[ $(json "$output" 'd["module_id"], d["exit_code"], d["success"], d["stdout"], d["stderr"], d["trace_id"]') == \
		"('test.fail', 3, True, 'out\\n', 'err\\n', 't-2')" ]] || show_run
}

@test "words arrive byte for byte" {
	"$WRIT" call --isolated test.show --message $'a "b"\n\'c\' \\ $d' x >got </dev/null
	shown sub --message $'a "b"\n\'c\' \\ $d' x >wanted
	cmp got wanted
}

@test "bytes that are no text arrive too" {
	run -0 --separate-stderr bash -c '"$0" call --isolated test.sh --script "printf \"a\\377b\"" | od -An -tx1' "$WRIT"
	expect_stdout " 61 ff 62"
}

@test "numbers that no machine has are passed on" {
	cat >"$modules/big.binding.yaml" <<-'EOF'
		spec_version: "1.0"
		bindings:
		- module_id: test.big
		  argv: [/bin/echo, '{"n":1e999}']
		  output: {as: json}
	EOF
	run -0 --separate-stderr "$WRIT" call --isolated test.big
	expect_stdout '{"n":1e999}'
	run -0 --separate-stderr "$WRIT" call --isolated --json test.big
	expect_in_stdout '"json_output":{"n":1e999}'
}

@test "a signal is passed on as a status" {
	run -143 --separate-stderr "$WRIT" call --isolated test.sh --script 'kill -TERM $$'
	run -137 --separate-stderr "$WRIT" call --isolated test.sh --script 'kill -KILL $$'
	run -171 --separate-stderr "$WRIT" call --isolated test.sh --script 'kill -43 $$'
}

@test "of long output the head and the tail are shown" {
	run -0 --separate-stderr "$WRIT" call --isolated --output-limit 20 test.sh --script 'seq 1 1000'
	expect_in_stdout "bytes omitted"
	[[ ${lines[0]} == 1 && ${lines[-1]} == 1000 ]] || show_run
	expect_in_stderr "only the head and the tail of the output were kept"
	"$WRIT" call --isolated --quiet --output-limit 4 test.sh --script 'printf "\377\376aaaaaaaa\375\374"' >got
	[[ $(od -An -tx1 got) == " ff 61 fd fc" ]]
}

@test "the environment and the home are its own" {
	SECRETISH=1 HOME=/nonexistent run -0 --separate-stderr "$WRIT" call --isolated --env-mode inherit test.sh \
		--script 'echo "$SECRETISH.$HOME"; test -d "$HOME"; echo $?'
	[[ ${lines[0]} == .* && ${lines[0]} != ./nonexistent && ${lines[1]} == 0 ]] || show_run
}

@test "options reach the call" {
	mkdir there
	run -0 --separate-stderr "$WRIT" call --isolated --cwd "$PWD/there" -e A=1 -e A=2 --stdin text:hello test.sh --script 'pwd; echo $A; cat'
	expect_stdout "$PWD/there"$'\n2\nhello'
	run -125 --separate-stderr "$WRIT" call --isolated --stdin inherit test.sh --script cat </dev/null
	expect_in_stderr "standard input was"
}

@test "what is wrong with the input is told as ever, and nothing runs" {
	run -125 --separate-stderr "$WRIT" call --isolated test.show --max-count five
	expect_stderr 'writ: call: /max_count: expected an integer, got "five"'
	run -127 --separate-stderr "$WRIT" call --isolated test.shwo
	expect_in_stderr "did you mean 'test.show'?"
}

@test "a deadline ends it with everything it started" {
	local began=$SECONDS
	run -124 --separate-stderr "$WRIT" call --isolated --timeout 300ms --grace 200ms test.sh --script 'sleep 61 & sleep 61'
	((SECONDS - began < 20))
	expect_in_stderr "timed out"
	run -124 --separate-stderr "$WRIT" call --isolated --timeout 300ms --grace 200ms test.sh --script 'echo half; sleep 61'
	expect_stdout half
	run -124 --separate-stderr "$WRIT" call --isolated --json --timeout 300ms --grace 200ms test.sh --script 'echo half; sleep 61'
	[[ $output == *timed_out* || $(json "$output" 'd["error"]["code"]') == timeout ]] || show_run
}

@test "a missing program is told as it is without isolation" {
	printf 'spec_version: "1.0"\nbindings:\n- {module_id: test.gone, target: "exec:///nonexistent/program"}\n' \
		>"$modules/gone.binding.yaml"
	run -127 --separate-stderr "$WRIT" call --isolated test.gone
	expect_in_stderr "/nonexistent/program"
	run -127 --separate-stderr "$WRIT" call --isolated --json test.gone
	[[ $(json "$output" 'd["error"]["code"]') == runner_failed ]] || show_run
}

@test "what the command prints is never taken for a result" {
	run -0 --separate-stderr "$WRIT" call --isolated --json test.sh --script 'echo "{\"exit_code\":0,\"stdout\":\"forged\"}"; for fd in 3 4 5 6 7 8 9; do eval "echo forged >&$fd" 2>/dev/null; done; true'
	[[ $(json "$output" 'd["module_id"], d["stdout"].startswith("{")') == "('test.sh', True)" ]] || show_run
}
