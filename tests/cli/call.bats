#!/usr/bin/env bats
# bats file_tags=anyone
# writ call: what is checked, what runs, what is told.
# shellcheck disable=SC2154,SC2016
load helpers
load shower

setup() { make_modules; }

# bats test_tags=smoke
@test "a call with JSON runs the command" {
	run -0 --separate-stderr "$WRIT" call test.show '{"max_count":3,"paths":["a","b"],"all":true}'
	[[ $("$WRIT" call test.show '{"max_count":3,"paths":["a","b"],"all":true}' | tr '\0' ' ') == "sub -a -n 3 a b " ]]
	[[ $("$WRIT" call test.show | tr '\0' ' ') == "sub " ]]
	[[ $("$WRIT" call test.show '{"paths":["a"],"max_count":3}' | tr '\0' ' ') == "sub -n 3 a " ]]
}

@test "null and false are nothing" {
	[[ $("$WRIT" call test.show '{"all":false}' | tr '\0' ' ') == "sub " ]]
}

@test "output and status are the command's own" {
	run -3 --separate-stderr "$WRIT" call test.fail
	expect_stdout out
	expect_stderr err
	run -3 --separate-stderr "$WRIT" call --json test.fail
	[[ $(json "$output" 'd["module_id"], d["exit_code"], d["success"], d["stdout"], d["stderr"]') == \
		"('test.fail', 3, True, 'out\\n', 'err\\n')" ]]
	expect_stderr ""
}

@test "the result says the module and the trace" {
	run -0 --separate-stderr "$WRIT" call --json --trace-id t-1 test.show '{"paths":["a"]}'
	[[ $(json "$output" 'd["module_id"], d["trace_id"], d["success"], d["outcome"], d["timeout_ms"]') == \
		"('test.show', 't-1', True, 'exited', 30000)" ]]
	[[ $(json "$output" 'd["stdout"]') == $'sub\0a\0' || $(json "$output" 'repr(d["stdout"])') == "'sub\\x00a\\x00'" ]]
}

@test "everything that is wrong is told at once, and nothing runs" {
	run -125 --separate-stderr "$WRIT" call test.show '{"max_count":"five","all":1,"mesage":"x"}'
	expect_stdout ""
	[[ ${#stderr_lines[@]} == 3 ]] || show_run
	expect_in_stderr 'writ: call: /max_count: expected an integer, got "five"'
	expect_in_stderr 'writ: call: /all: expected '
	expect_in_stderr "did you mean 'message'?"
	run -0 --separate-stderr "$WRIT" audit list --json
	[[ $(json "$output" '[(r["state"], r["outcome"]) for r in d]') == "[('refused', 'invalid')]" ]] || show_run
}

@test "with --json the problems are details of the error" {
	run -125 --separate-stderr "$WRIT" call --json test.show '{"max_count":"five","mesage":"x"}'
	expect_stderr ""
	[[ $(json "$output" 'd["error"]["code"], len(d["error"]["details"]["problems"])') == "('invalid', 2)" ]]
	[[ $(json "$output" '[(p["instance"], p["line"], p["column"]) for p in d["error"]["details"]["problems"]][0]') == \
		"('/max_count', 1, 14)" ]]
	[[ $(json "$output" '[p["suggestion"] for p in d["error"]["details"]["problems"]]') == *"did you mean 'message'?"* ]]
	run -125 --separate-stderr "$WRIT" call --json test.show --max-count five
	[[ $(json "$output" '[(p["instance"], p["line"], p["column"]) for p in d["error"]["details"]["problems"]]') == \
		"[('/max_count', None, None)]" ]]
}

@test "an input that is no JSON is told with its place" {
	run -125 --separate-stderr "$WRIT" call test.show '{a:.b}'
	expect_stdout ""
	expect_in_stderr "writ: input:1:2: not valid JSON"
	expect_in_stderr "try: a text must be in double quotes; an operand that begins with '{' goes after '--'"
	run -125 --separate-stderr "$WRIT" call test.show '{"all":true,"all":false}'
	expect_stderr "writ: input:1:13: duplicate key 'all', first at 1:2"
	run -125 --separate-stderr "$WRIT" call test.fail '{a:.b}'
	expect_in_stderr "try: a text must be in double quotes"
	[[ $stderr != *operand* ]] || show_run
	run -125 --separate-stderr "$WRIT" call test.show --all '{"a":'
	expect_in_stderr "writ: input:1:"
	printf '{\n  "max_count": 3,\n  oops\n}' >input.json
	run -125 --separate-stderr "$WRIT" call --input input.json test.show
	expect_in_stderr "writ: input.json:3:3: "
	printf '{\n  "max_count": "five"\n}' >input.json
	run -125 --separate-stderr "$WRIT" call --input input.json test.show
	expect_in_stderr 'writ: input.json:2:16: /max_count: expected an integer, got "five"'
	run -125 --separate-stderr "$WRIT" call --input - test.show <input.json
	expect_in_stderr 'writ: stdin:2:16: /max_count: '
	run -125 --separate-stderr "$WRIT" call test.show '{"all":true,"all":false}'
	expect_in_stderr "all"
	run -125 --separate-stderr "$WRIT" call --input absent.json test.show
	expect_in_stderr "cannot open the input 'absent.json': No such file or directory"
	run -125 --separate-stderr "$WRIT" call --input input.json test.show '{}'
	expect_in_stderr "--input and a word that is JSON cannot be used together"
}

@test "the input comes from a file or from standard input" {
	echo '{"paths":["a"]}' >input.json
	[[ $("$WRIT" call --input input.json test.show | tr '\0' ' ') == "sub a " ]]
	[[ $("$WRIT" call --input - test.show --all <input.json | tr '\0' ' ') == "sub -a a " ]]
}

@test "an input that nobody wrote is not one without arguments" {
	run -125 --separate-stderr bash -c 'false | "$0" call --input - test.show' "$WRIT"
	expect_stdout ""
	expect_stderr $'writ: the input is empty\n  try: {} is an input without arguments'
	printf '\n' >blank.json
	run -125 --separate-stderr "$WRIT" call --input blank.json test.show
	run -0 --separate-stderr bash -c 'echo "{}" | "$0" call --input - test.show' "$WRIT"
}

@test "NUL is refused wherever it stands" {
	run -125 --separate-stderr "$WRIT" call test.show '{"message":"a\u0000b"}'
	expect_stdout ""
	expect_in_stderr "NUL"
	run -125 --separate-stderr "$WRIT" call test.show '{"paths":["a","b\u0000"]}'
	expect_in_stderr "NUL"
}

@test "arguments that exclude each other are refused" {
	run -125 --separate-stderr "$WRIT" call test.show --all --quiet
	expect_stdout ""
	expect_in_stderr "all"
	expect_in_stderr "quiet"
	[[ $("$WRIT" call test.show --all --no-quiet | tr '\0' ' ') == "sub -a " ]]
}

@test "strict modes refuse what a shell would obey" {
	local mode
	for mode in strict-modules strict-exec; do
		run -125 --separate-stderr "$WRIT" call --arguments $mode test.show --message 'hi; rm'
		expect_stdout ""
		expect_in_stderr "message"
		run -0 --separate-stderr "$WRIT" call --arguments $mode test.show --message 'plain words'
	done
	run -125 --separate-stderr "$WRIT" call --arguments strict-modules test.show -I ok -I 'bad$'
	run -125 --separate-stderr "$WRIT" call --arguments loose test.show
	expect_in_stderr "expected literal, strict-modules or strict-exec"
}

@test "an unknown module is 127, with the nearest" {
	run -127 --separate-stderr "$WRIT" call test.shwo
	expect_in_stderr "test.shwo"
	expect_in_stderr "did you mean 'test.show'?"
	run -127 --separate-stderr "$WRIT" call --json test.shwo
	[[ $(json "$output" 'd["error"]["code"]') == not_found ]]
	run -127 --separate-stderr "$WRIT" call test
	expect_in_stderr "try: writ module list --prefix test."
	run -125 --separate-stderr "$WRIT" call '../etc/passwd'
	run -125 --separate-stderr "$WRIT" call
	expect_in_stderr "say which module"
}

@test "a module whose file is wrong is told with its place" {
	printf 'spec_version: "1.0"\nbindings:\n- module_id: test.bad\n  target: exec://\n' >"$modules/bad.binding.yaml"
	run -125 --separate-stderr "$WRIT" call test.bad
	expect_in_stderr "bad.binding.yaml:4:11: Invalid target format: exec://"
}

@test "a missing or unusable program is told as writ run does" {
	cat >"$modules/gone.binding.yaml" <<-EOF
		spec_version: "1.0"
		bindings:
		- {module_id: test.gone, target: "exec:///nonexistent/program"}
		- {module_id: test.data, target: "exec:///etc/passwd"}
	EOF
	run -127 --separate-stderr "$WRIT" call test.gone
	expect_in_stderr "/nonexistent/program"
	run -126 --separate-stderr "$WRIT" call test.data
}

@test "a preview shows the words and runs nothing" {
	run -0 --separate-stderr "$WRIT" call --preview --timeout 5s --sandbox strict test.show --message "it's" x
	[[ ${lines[0]} == "$shower sub --message 'it'\\''s' x" ]] || show_run
	expect_in_stdout "cwd: $PWD"
	expect_in_stdout "timeout: 5s"
	expect_in_stdout "sandbox: strict"
	expect_stderr ""
	run -0 --separate-stderr "$WRIT" call --preview --json test.show '{"paths":["a b"]}'
	[[ $(json "$output" 'd["module_id"], d["argv"], d["timeout_ms"]') == "('test.show', ['$shower', 'sub', 'a b'], 30000)" ]]
	[[ ! -e $WRIT_STATE_DIR/audit ]]
	run -125 --separate-stderr "$WRIT" call --preview test.show --max-count five
	run -125 --separate-stderr bash -c '"$0" call --preview test.show x >/dev/full' "$WRIT"
	expect_in_stderr "No space left on device"
}

@test "a preview shows what is passed on beside the words" {
	cat >"$modules/beside.binding.yaml" <<-'EOF'
		spec_version: "1.0"
		bindings:
		- module_id: test.beside
		  target: exec:///bin/cat
		  stdin: "dear {{args.who}}"
		  env: {GREETING: "hello {{args.who}}", LOGIN: "{{args.password}}"}
		  input_schema:
		    type: object
		    additionalProperties: false
		    properties: {who: {type: string}, password: {type: string, x-sensitive: true}}
	EOF
	run -0 --separate-stderr "$WRIT" call --preview test.beside '{"who":"you\nand me","password":"hunter2hunter2"}'
	[[ ${lines[0]} == /bin/cat ]] || show_run
	expect_in_stdout 'variable: GREETING=hello you\nand me'
	expect_in_stdout 'variable: LOGIN=[secret]'
	expect_in_stdout 'stdin: dear you\nand me'
	expect_in_stdout "cwd: $PWD"
	run -0 --separate-stderr "$WRIT" call --preview --isolated test.beside --who you
	expect_in_stdout 'cwd: a fresh one, removed afterwards'
	run -0 --separate-stderr "$WRIT" call --preview --isolated --sandbox strict test.beside --who you
	expect_in_stdout "cwd: $PWD"
}

@test "a preview shows no secret" {
	run -0 --separate-stderr "$WRIT" call --preview test.show --token hunter2hunter2
	[[ $output != *hunter2* ]] || show_run
	run -0 --separate-stderr "$WRIT" call --preview --json test.show --token hunter2hunter2
	[[ $output != *hunter2* ]] || show_run
	"$WRIT" call test.show --token hunter2hunter2 >/dev/null
	run -0 --separate-stderr "$WRIT" audit show -
	[[ $output != *hunter2* ]] || show_run
}

@test "the record names the module" {
	"$WRIT" call --agent reviewer test.show >/dev/null
	run -0 --separate-stderr "$WRIT" audit show --json -
	[[ $output == *'"module":"test.show"'* || $output == *'"module_id":"test.show"'* ]] || show_run
	expect_in_stdout reviewer
}

@test "the options of a request are those of the call" {
	cat >"$modules/sh.binding.yaml" <<-'EOF'
		spec_version: "1.0"
		bindings:
		- module_id: test.sh
		  target: exec:///bin/sh
		  input_schema:
		    type: object
		    additionalProperties: false
		    properties: {script: {type: string, x-apexe-flag: -c}}
		- module_id: test.slow
		  argv: [/bin/sleep, "60"]
		  timeout: 300ms
	EOF
	mkdir there
	run -0 --separate-stderr "$WRIT" call --cwd there test.sh --script pwd
	expect_stdout "$PWD/there"
	run -0 --separate-stderr "$WRIT" call -e A=1 test.sh --script 'echo $A'
	expect_stdout 1
	TOKENISH=2 run -0 --separate-stderr "$WRIT" call test.sh --script 'echo "$TOKENISH."'
	expect_stdout .
	TOKENISH=2 run -0 --separate-stderr "$WRIT" call --pass TOKENISH test.sh --script 'echo "$TOKENISH."'
	expect_stdout 2.
	run -0 --separate-stderr "$WRIT" call --stdin text:hello test.sh --script cat
	expect_stdout hello
	run -0 --separate-stderr "$WRIT" call test.sh --script cat < <(echo piped)
	expect_stdout piped
	run -124 --separate-stderr "$WRIT" call --timeout 200ms --grace 100ms test.sh --script 'sleep 60'
	run -124 --separate-stderr "$WRIT" call test.slow
	expect_in_stderr "timed out after 300ms"
	run -124 --separate-stderr "$WRIT" call --json test.slow
	[[ $(json "$output" 'd["outcome"], d["success"]') == "('timed_out', False)" ]]
	run -143 --separate-stderr "$WRIT" call --max-output 64KiB test.sh --script 'yes'
	run -125 --separate-stderr "$WRIT" call --timeout soon test.sh
	expect_in_stderr "writ: call: --timeout"
	run -125 --separate-stderr "$WRIT" call --stdin nonsense test.sh
	expect_in_stderr "writ: call: --stdin: unknown input 'nonsense'"
	run -125 --separate-stderr "$WRIT" call --input - --stdin inherit test.sh <<<'{}'
	expect_in_stderr "standard input was the input of the module"
	run -125 --separate-stderr "$WRIT" call --secret text: test.sh
	expect_in_stderr "writ: call: --secret: the text is empty"
}

@test "Ctrl-C ends a call as it ends a run" {
	cat >"$modules/sleep.binding.yaml" <<-'EOF'
		spec_version: "1.0"
		bindings:
		- module_id: test.sleep
		  argv: [/bin/sh, -c, "echo started; sleep 60"]
	EOF
	"$WRIT" call test.sleep >out 2>err &
	local pid=$!
	wait_for grep -q started out
	kill -TERM "$pid"
	local status=0
	wait "$pid" || status=$?
	[[ $status == 143 ]]
}

@test "output that is JSON is in the result as JSON" {
	cat >"$modules/json.binding.yaml" <<-'EOF'
		spec_version: "1.0"
		bindings:
		- module_id: test.json
		  argv: [/bin/sh, -c, 'test "$*" = "--format json" && echo "{\"a\":[1,2]}" || echo "plain $*"', sh]
		  json_flag: --format json
		- module_id: test.nojson
		  argv: [/bin/echo, not, json]
		  output: {as: json}
	EOF
	run -0 --separate-stderr "$WRIT" call --json test.json
	[[ $(json "$output" 'd["json_output"]') == "{'a': [1, 2]}" ]]
	run -0 --separate-stderr "$WRIT" call test.json
	expect_stdout '{"a":[1,2]}'
	run -0 --separate-stderr "$WRIT" call --json test.nojson
	[[ $(json "$output" 'd.get("json_output"), bool(d["json_error"])') == "(None, True)" ]]
}
