#!/usr/bin/env bats
# bats file_tags=anyone
# Modules that run commands: construction, description, arguments, execution
# and preflight. All of them with real programs.
load helpers
load modules

setup() {
	modules_setup
	script_argv
}

show() {
	run -0 --separate-stderr "$WRIT" module show --json "$1"
}

# ---- construction

@test "test_cli_module_from_scanned_basic: a binding becomes a module with its fields" {
	bind cli.git.commit 'exec:///usr/bin/git commit' "$(properties '"message":{"type":"string"}')" \
		'version: "2.43.0"' 'tags: [cli, git]' 'annotations: {readonly: false, idempotent: true}' \
		'metadata: {json_flag: "--format json"}' 'timeout: 5s'
	show cli.git.commit
	expect_json 'd["id"] == "cli.git.commit"'
	expect_json 'd["description"] == "cli.git.commit for a test"'
	expect_json 'd["version"] == "2.43.0" and d["tags"] == ["cli", "git"]'
	expect_json 'd["annotations"]["idempotent"] is True and d["annotations"]["readonly"] is False'
	run -0 --separate-stderr "$WRIT" call --preview --json cli.git.commit '{"message":"x"}'
	expect_json 'd["argv"] == ["/usr/bin/git", "commit", "--message", "x", "--format", "json"]'
	expect_json 'd["timeout_ms"] == 5000'
}

@test "test_cli_module_from_scanned_no_json_flag: without one the output is not read as JSON" {
	bind cli.echo 'exec:///bin/echo {}' ''
	call 0 cli.echo
	expect_json 'd["stdout"] == "{}\n"'
	expect_json 'd.get("json_output") is None'
}

@test "test_cli_module_from_scanned_invalid_target: 'invalid' is a problem with its place" {
	bind cli.bad invalid ''
	bind cli.good exec:///bin/true ''
	run --separate-stderr "$WRIT" module check "$MODULES/cli.bad.binding.yaml"
	[[ $status == 1 ]] || show_run
	expect_in_stderr cli.bad.binding.yaml:4
	call 125 cli.bad
	expect_error invalid "Invalid target format: "
	call 0 cli.good
}

@test "test_cli_module_from_scanned_empty_target: 'exec://' is a problem with its place" {
	bind cli.bad exec:// ''
	run --separate-stderr "$WRIT" module check "$MODULES/cli.bad.binding.yaml"
	[[ $status == 1 ]] || show_run
	expect_in_stderr cli.bad.binding.yaml:4
	call 125 cli.bad
	expect_error invalid "Invalid target format: "
}

@test "test_cli_module_new_direct: every key that is given is the module's" {
	bind cli.all '' "$(properties '"n":{"type":"integer"}')" 'argv: [/bin/echo, two words]' \
		'output_schema: {type: object}' 'timeout: 1500' 'json_flag: ["--as", "json text"]' \
		'success: [0, 3]' 'documentation: All of it.' 'env: {A: "1"}' 'env_mode: clean'
	show cli.all
	expect_json 'd["documentation"] == "All of it." and d["output_schema"] == {"type": "object"}'
	run -0 --separate-stderr "$WRIT" call --preview --json cli.all '{"n":7}'
	expect_json 'd["argv"] == ["/bin/echo", "two words", "--n", "7", "--as", "json text"]'
	expect_json 'd["timeout_ms"] == 1500'
}

# ---- what a module says about itself

@test "test_cli_module_input_schema_returns_some" {
	bind cli.x exec:///bin/true "$(properties '"count":{"type":"integer","minimum":1}')"
	show cli.x
	expect_json 'd["input_schema"]["properties"]["count"] == {"type": "integer", "minimum": 1}'
}

@test "test_cli_module_output_schema_returns_some" {
	bind cli.x exec:///bin/true '' 'output_schema: {"type":"object","required":["stdout"]}'
	show cli.x
	expect_json 'd["output_schema"] == {"type": "object", "required": ["stdout"]}'
}

@test "test_cli_module_description_returns_string" {
	bind cli.x exec:///bin/true ''
	show cli.x
	expect_json 'd["description"] != ""'
	run -0 --separate-stderr "$WRIT" module list --json
	expect_in_stdout 'cli.x for a test'
}

# ---- arguments

# words SCHEMA INPUT WORDS
words() {
	bind cli.argv "exec://$BIN/argv" "$1"
	call 0 cli.argv "$2"
	expect_words "$3"
}

@test "test_build_arguments_string_value" {
	words "$(properties '"file":{"type":"string"}')" '{"file":"test.txt"}' '["--file","test.txt"]'
}

@test "test_build_arguments_boolean_true" {
	words "$(properties '"all":{"type":"boolean"}')" '{"all":true}' '["--all"]'
}

@test "test_build_arguments_boolean_false" {
	words "$(properties '"all":{"type":"boolean"}')" '{"all":false}' '[]'
}

@test "test_build_arguments_null_skipped" {
	words "$(properties '"x":{"type":["string","null"]}')" '{"x":null}' '[]'
}

@test "test_build_arguments_array_values" {
	words "$(properties '"include":{"type":"array","items":{"type":"string"}}')" '{"include":["a","b"]}' \
		'["--include","a","--include","b"]'
}

@test "test_build_arguments_underscore_to_hyphen" {
	words "$(properties '"no_cache":{"type":"boolean"}')" '{"no_cache":true}' '["--no-cache"]'
}

@test "test_build_arguments_integer_value" {
	words "$(properties '"count":{"type":"integer"}')" '{"count":5}' '["--count","5"]'
}

@test "test_build_arguments_injection_blocked: strict by option, literal otherwise" {
	bind cli.argv "exec://$BIN/argv" "$(properties '"msg":{"type":"string"}')"
	call 125 --arguments strict-modules cli.argv '{"msg":"hi; rm"}'
	expect_error invalid msg "';'"
	call 0 cli.argv '{"msg":"hi; rm"}'
	expect_words '["--msg","hi; rm"]'
}

# ---- execution

@test "test_execute_echo_returns_stdout" {
	bind cli.echo 'exec:///bin/echo hello' ''
	call 0 cli.echo
	expect_json 'd["stdout"] == "hello\n" and d["exit_code"] == 0 and d["outcome"] == "exited"'
	expect_json 'd["module_id"] == "cli.echo" and d["success"] is True'
}

@test "test_execute_false_nonzero_exit" {
	bind cli.false exec:///bin/false ''
	call 1 cli.false
	expect_json 'd["exit_code"] == 1 and d["success"] is False'
}

@test "test_execute_json_output_parsed" {
	script tool 'test "$1" = --json && echo "{\"a\":[1,2]}" || echo plain'
	bind cli.tool "exec://$BIN/tool" '' 'json_flag: --json'
	call 0 cli.tool
	expect_json 'd["json_output"] == {"a": [1, 2]}'
}

@test "test_execute_timeout_returns_error" {
	bind cli.hang 'exec:///bin/sleep 1000' '' 'timeout: 1ms'
	call 124 cli.hang
	expect_json 'd["outcome"] == "timed_out" and d["timeout_ms"] == 1'
	bind cli.hang 'exec:///bin/sleep 1000' ''
	call 124 --timeout 1ms cli.hang
	expect_json 'd["outcome"] == "timed_out"'
}

@test "test_execute_nonexistent_binary" {
	bind cli.missing exec:///nonexistent ''
	call 127 cli.missing
	expect_error not_found /nonexistent
}

# ---- preflight

preflight() {
	bind cli.argv "exec://$BIN/argv" "$(properties '"file":{"type":"string"},"arg":{"type":"string"},"args":{"type":"array","items":{"type":"string"}},"count":{"type":"integer"}')"
	call "$1" --arguments strict-modules cli.argv "$2"
}

@test "test_preflight_clean_input_passes" {
	preflight 0 '{"file":"/path/to/file"}'
	expect_words '["--file","/path/to/file"]'
}

@test "test_preflight_injection_semicolon" {
	preflight 125 '{"arg":"a;b"}'
	expect_error invalid arg "';'"
}

@test "test_preflight_injection_pipe" {
	preflight 125 '{"arg":"a|b"}'
	expect_error invalid arg "'|'"
}

@test "test_preflight_injection_in_array" {
	preflight 125 '{"args":["ok","bad$"]}'
	expect_error invalid args "'\$'"
}

@test "test_preflight_non_string_passes" {
	preflight 0 '{"count":5}'
	expect_words '["--count","5"]'
}

@test "each forbidden character is refused by itself, and every other one passes" {
	local c
	for c in ';' '|' '&' '$' '`' '\\' "'" '\"' '\n' '\r'; do
		preflight 125 "{\"arg\":\"a${c}b\"}"
		expect_error invalid arg
	done
	preflight 0 '{"arg":"a b\t(c) <d> {e} [f] *? ~ # ! % ^ ä 漢"}'
	expect_words '["--arg","a b\t(c) <d> {e} [f] *? ~ # ! % ^ ä 漢"]'
}

@test "the stricter set of an exec tool refuses its characters and '..'" {
	local c
	bind cli.argv "exec://$BIN/argv" "$(properties '"arg":{"type":"string"}')"
	for c in '|' '&' ';' '$' '`' '<' '>' '(' ')' '{' '}' '\n' '\r' '..'; do
		call 125 --arguments strict-exec cli.argv "{\"arg\":\"a${c}b\"}"
		expect_error invalid arg
	done
	call 0 --arguments strict-exec cli.argv "{\"arg\":\"it's \\\"a\\\\b\\\"\"}"
	expect_words '["--arg","it'"'"'s \"a\\b\""]'
}
