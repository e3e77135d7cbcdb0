#!/usr/bin/env bats
# bats file_tags=anyone
# shellcheck disable=SC2016,SC2030,SC2031
# The preset allowlist does what the exec tool of the third seed says, in its
# order and its words. The tests have the names of the seed's own. Those of its
# tool's parameters (test_parameters_schema, test_name_and_label,
# test_agent_tool_missing_mode, _invalid_mode, _shell_missing_command,
# _structured_missing_binary) are the business of the door that has such a tool;
# test_format_exec_output_* are those of the text form of a result.
load helpers
load seeds

NOT_LISTED="structured_exec: binary '%s' is not in the allowlist"
CHARACTERS="structured_exec: shell metacharacters or path traversal not allowed in arguments"

setup() { seed_setup; }

# listed PROGRAM...: a policy that allows these. The seed's empty list allows
# every program in structured mode; here it allows none.
listed() {
	local IFS=,
	policy_of "include: [allowlist]" "programs: [$*]"
}

# with_shell PROGRAM...: the same, with shell texts.
with_shell() {
	listed "$@"
	echo "shell: allow" >>"$POLICY"
}

# for_agent NAME TOOL...: shell texts, and one agent with these tools, as the
# preset's own comment has it.
for_agent() {
	local name=$1
	shift
	with_shell echo ls bash
	local IFS=,
	local tools="$*"
	cat >>"$POLICY" <<-END
		agents:
		  $name:
		    rules:
		      - deny: { shell: "" }
		        message: "shell_exec: command must not be empty"
	END
	[[ ,$tools, == *,bash,* ]] || cat >>"$POLICY" <<-END
		      - deny: { shell: true }
		        message: "shell_exec: agent '{agent}' is not allowed to execute 'bash'"
	END
	cat >>"$POLICY" <<-END
		    tools: [$tools]
		    message: "structured_exec: agent '{agent}' is not allowed to execute '{command}'"
	END
}

@test "test_shell_exec_echo" {
	with_shell
	result_of --shell "echo hello"
	expect_result 'd["stdout"], d["exit_code"]' "('hello\\n', 0)"
}

@test "test_shell_exec_pipeline" {
	with_shell
	result_of --shell "echo foo | tr f b"
	expect_result 'd["stdout"]' "boo"
}

@test "test_shell_exec_nonzero_exit" {
	with_shell
	run -42 --separate-stderr "$WRIT" run --no-ask --json --policy "$POLICY" --shell "exit 42"
	expect_result 'd["exit_code"]' 42
}

@test "test_shell_exec_empty_command" {
	with_shell
	refused "shell_exec: command must not be empty" --shell " "
	refused "shell_exec: command must not be empty" --shell "   "
}

@test "test_shell_exec_timeout" {
	with_shell
	run -124 --separate-stderr "$WRIT" run --no-ask --policy "$POLICY" --timeout 1s --shell "sleep 300"
	expect_in_stderr "timed out after 1s"
}

@test "shell texts are for bash" {
	with_shell echo
	result_of --shell '[[ abc == a* ]] && echo "${BASH_VERSION:+bash}"'
	expect_result 'd["stdout"]' "bash"
}

@test "shell texts are refused before anything else, unless the policy has them" {
	listed echo
	local message="shell_exec: shell mode is disabled by configuration (allow_shell_mode = false). Use mode='structured' instead, or set allow_shell_mode=true in config.toml"
	refused "$message" --shell "echo hello"
	refused "$message" --shell " "
}

@test "test_structured_exec_echo" {
	listed echo
	result_of -- echo hello
	expect_result 'd["stdout"], d["exit_code"]' "('hello\\n', 0)"
}

@test "test_structured_exec_blocked_binary" {
	listed echo
	# shellcheck disable=SC2059
	refused "$(printf "$NOT_LISTED" rm)" -- rm -rf /
}

@test "test_structured_exec_path_binary" {
	listed echo
	refused "structured_exec: binary must be a bare name, not a path" -- /usr/bin/echo
	POLICY=allowlist
	refused "structured_exec: binary must be a bare name, not a path" -- /usr/bin/echo
}

@test "test_structured_exec_traversal_binary" {
	POLICY=allowlist
	refused "structured_exec: path traversal in binary name" -- ../bin/evil
	refused "structured_exec: path traversal in binary name" -- /usr/../bin/echo
}

@test "test_structured_exec_metachar_args" {
	listed echo
	refused "$CHARACTERS" -- echo "foo; rm -rf /"
}

@test "test_structured_exec_path_traversal_args" {
	listed cat
	refused "$CHARACTERS" -- cat ../etc/passwd
}

@test "test_structured_exec_clean_args" {
	listed echo
	result_of -- echo hello world
	expect_result 'd["stdout"]' "hello world"
}

@test "test_has_metacharacters: every character, and two points" {
	listed echo
	for argument in "foo;bar" "a | b" "a&b" '$(whoami)' '`id`' "a<b" "a>b" "(a" "a)" "{a" "a}" $'a\nb' $'a\rb' ../etc/passwd a..b; do
		refused "$CHARACTERS" -- echo "$argument"
		refused "$CHARACTERS" -- echo fine "$argument" fine
	done
	for argument in hello "two words" "*" "~" "a.b" "a?b" "!x" "#" "'q'" '"q"' "back\\slash" "[a]" "a=b" $'a\tb' "ä€" "50%" %d -; do
		result_of -- echo "$argument"
	done
}

# Each request fails several checks, and is told of the first.
@test "structured checks come in this order: agent, .., /, list, arguments" {
	for_agent helper ls
	refused "structured_exec: agent 'helper' is not allowed to execute '../bin/evil'" --agent helper -- ../bin/evil "a;b"
	listed echo
	refused "structured_exec: path traversal in binary name" -- ../bin/evil "a;b"
	refused "structured_exec: binary must be a bare name, not a path" -- /bin/evil "a;b"
	# shellcheck disable=SC2059
	refused "$(printf "$NOT_LISTED" evil)" -- evil "a;b"
	refused "$CHARACTERS" -- echo "a;b"
}

@test "shell checks come in this order: configuration, empty, agent" {
	for_agent helper ls
	refused "shell_exec: command must not be empty" --agent helper --shell " "
	refused "shell_exec: agent 'helper' is not allowed to execute 'bash'" --agent helper --shell "echo hello"
}

@test "test_agent_tool_nonzero_exit" {
	with_shell
	run -7 --separate-stderr "$WRIT" run --no-ask --policy "$POLICY" --shell "exit 7"
}

@test "test_for_agent_structured_exec_allowed" {
	for_agent test-agent echo ls
	result_of --agent test-agent -- echo hello
	expect_result 'd["stdout"]' "hello"
}

@test "test_for_agent_structured_exec_denied" {
	for_agent test-agent ls
	refused "structured_exec: agent 'test-agent' is not allowed to execute 'echo'" --agent test-agent -- echo hello
}

@test "test_for_agent_shell_exec_allowed" {
	for_agent test-agent bash echo
	result_of --agent test-agent --shell "echo hello"
	expect_result 'd["stdout"]' "hello"
}

@test "test_for_agent_shell_exec_denied" {
	for_agent test-agent ls
	refused "shell_exec: agent 'test-agent' is not allowed to execute 'bash'" --agent test-agent --shell "echo hello"
}

# The seed lets nobody in particular do everything. Here he is the default agent,
# and the policy counts for him as well.
@test "test_no_agent_name_bypasses_access_control: not here" {
	for_agent test-agent ls
	result_of -- echo "the default agent has no tools to keep to"
	refused "$CHARACTERS" -- echo "but the rules hold;"
	echo "default_agent: test-agent" >>"$POLICY"
	refused "structured_exec: agent 'test-agent' is not allowed to execute 'echo'" -- echo hello
}

@test "an agent that nobody knows is denied" {
	for_agent test-agent echo
	run -125 --separate-stderr "$WRIT" run --no-ask --json --policy "$POLICY" --agent stranger -- echo hello
	expect_result 'd["error"]["code"]' denied
	[[ $(json "$output" 'd["error"]["message"]') == *stranger* ]] || show_run
}

@test "an empty list allows nothing, where the seed's allows everything" {
	POLICY=allowlist
	# shellcheck disable=SC2059
	refused "$(printf "$NOT_LISTED" echo)" -- echo hello
}

@test "a run has two minutes, and at most ten" {
	listed pwd
	result_of -- pwd
	expect_result 'd["timeout_ms"]' 120000
	result_of --timeout 9m -- pwd
	expect_result 'd["timeout_ms"]' 540000
	result_of --timeout 2h -- pwd
	expect_result 'd["timeout_ms"]' 600000
}

# TMPDIR is not the seed's: the walls have a /tmp of their own.
@test "the environment has six variables" {
	listed env
	SECRET=1 HOME=/ USER=me LOGNAME=me LANG=C.UTF-8 result_of -- env
	[[ $(json "$output" 'sorted(l.split("=")[0] for l in d["stdout"].split("\n") if l)') == \
		"['HOME', 'LANG', 'LOGNAME', 'PATH', 'TERM', 'TMPDIR', 'USER']" ]] || show_run
	expect_result '"TERM=dumb" in d["stdout"]' True
}

@test "a variable that makes a listed program run something is named" {
	listed ls
	run -125 --separate-stderr "$WRIT" run --no-ask --policy "$POLICY" --env LD_PRELOAD=./evil.so -- ls
	expect_in_stderr "the policy does not allow 'ls': it runs code of 'LD_PRELOAD', and no rule allows it"
}

@test "a listed program starts no other" {
	printf '#!/bin/sh\n: >started\n' >evil
	chmod +x evil
	listed env nice
	run --separate-stderr "$WRIT" run --no-ask --policy "$POLICY" -- env nice ./evil
	[[ $status -ne 0 && ! -e started ]] || show_run
}
