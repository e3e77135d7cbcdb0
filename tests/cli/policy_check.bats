#!/usr/bin/env bats
# bats file_tags=anyone
# writ policy check: the hook of agent programs.
# shellcheck disable=SC2154
load helpers
load policies

setup() {
	own_policies
	sample_policy
}

# check STATUS EVENT OPTION...
check() {
	local wanted=$1 event=$2
	shift 2
	run "-$wanted" --separate-stderr timeout -s KILL 20 "$WRIT" policy check "$@" <<<"$event"
}

expect_json() { [[ $(json "$output" "$1") == True ]] || show_run; }

# claude TOOL INPUT: an event of it.
claude() {
	printf '{"session_id":"s1","cwd":"%s","hook_event_name":"PreToolUse","tool_name":"%s","tool_input":%s}' \
		"$PWD" "$1" "$2"
}

says() { expect_json "d['hookSpecificOutput']['permissionDecision'] == '$1'"; }

# bats test_tags=smoke
@test "Claude Code: allow, ask and deny, with a reason" {
	echo hi >a
	check 0 "$(claude Bash '{"command":"cat a"}')"
	says allow
	check 0 "$(claude Bash '{"command":"curl https://example.com"}')"
	says ask
	check 0 "$(claude Bash '{"command":"sudo id"}')"
	says deny
	expect_json "d['hookSpecificOutput']['hookEventName'] == 'PreToolUse'"
	expect_json "'sudo is not for local' in d['hookSpecificOutput']['permissionDecisionReason']"
	expect_json "'nothing here needs other rights' in d['hookSpecificOutput']['permissionDecisionReason']"
	expect_json "':7:' in d['hookSpecificOutput']['permissionDecisionReason']"
}

@test "every command of a text counts" {
	check 0 "$(claude Bash '{"command":"true && sudo id"}')"
	says deny
	check 0 "$(claude Bash '{"command":"ls; env sudo id"}')"
	says deny
	# What is expanded when it runs is not understood: never allowed.
	# shellcheck disable=SC2016 # as it is written
	check 0 "$(claude Bash '{"command":"cat $(echo a)"}')"
	says ask
}

@test "a text that no shell runs is told as that, and nobody is asked" {
	for text in 'ls |' 'curl https://example.com |' 'fi'; do
		check 0 "$(claude Bash "{\"command\":\"$text\"}")"
		says deny
		expect_json "d['hookSpecificOutput']['permissionDecisionReason'].startswith('writ: syntax error: ')"
	done
	check 0 "$(claude Bash '{"command":"sudo id |"}')"
	expect_json "'sudo is not for local' in d['hookSpecificOutput']['permissionDecisionReason']"
}

@test "tools for files go by the same rules" {
	mkdir secret
	echo x >secret/key
	echo hi >a
	check 0 "$(claude Read "{\"file_path\":\"$PWD/a\"}")"
	says allow
	check 0 "$(claude Read "{\"file_path\":\"$PWD/secret/key\"}")"
	says deny
	check 0 "$(claude Write "{\"file_path\":\"$PWD/b\",\"content\":\"x\"}")"
	says allow
	check 0 "$(claude Edit "{\"file_path\":\"$PWD/secret/key\"}")"
	says deny
	check 0 "$(claude Write "{\"file_path\":\"$PWD/b\",\"content\":\"x\"}")" --agent reviewer
	says deny
	ln -s secret/key link
	check 0 "$(claude Read "{\"file_path\":\"$PWD/link\"}")"
	says deny
}

@test "about other tools and events there is no opinion" {
	check 0 "$(claude Task '{"prompt":"x"}')"
	expect_stdout ""
	check 0 '{"hook_event_name":"SessionStart","session_id":"s"}'
	expect_stdout ""
	[[ -z $stderr ]] || show_run
}

@test "whatever is not in order is a no" {
	check 2 ''
	check 2 '{'
	check 2 'null'
	check 2 '{}'
	expect_in_stderr "not the event of a hook"
	check 2 "$(claude Bash '{}')"
	check 2 "$(claude Bash '{"command":7}')"
	check 2 "$(claude Read '{"file_path":"/a","path":"/b"}')"
	expect_in_stderr "only one of them"
	expect_stdout ""
	echo 'version: 7' >"$WRIT_CONFIG_DIR/policy.yaml"
	check 2 "$(claude Bash '{"command":"ls"}')"
	expect_in_stderr "policy.yaml"
	check 2 "$(claude Bash '{"command":"ls"}')" --no-such-option
	check 2 "$(claude Bash '{"command":"ls"}')" --format other
	check 2 "$(claude Bash '{"command":"ls"}')" --policy no-such-preset
}

@test "a directory that is not there is a no" {
	check 2 '{"hook_event_name":"PreToolUse","cwd":"/nowhere","tool_name":"Bash","tool_input":{"command":"ls"}}'
}

@test "Codex is not told to ask, since it would not" {
	local event='{"session_id":"s","turn_id":"1","cwd":"/","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"%s"}}'
	# shellcheck disable=SC2059
	check 0 "$(printf "${event/\"\/\"/\"$PWD\"}" 'curl https://example.com')"
	says deny
	expect_json "'a person would have to approve' in d['hookSpecificOutput']['permissionDecisionReason']"
	# shellcheck disable=SC2059
	check 0 "$(printf "${event/\"\/\"/\"$PWD\"}" 'ls')"
	expect_stdout ""
}

@test "Cursor, Gemini CLI and Copilot hear their own words" {
	check 0 "{\"hook_event_name\":\"beforeShellExecution\",\"conversation_id\":\"c\",\"cwd\":\"$PWD\",\"command\":\"sudo id\"}"
	expect_json "d['permission'] == 'deny' and 'sudo' in d['user_message']"
	check 0 "{\"hook_event_name\":\"beforeShellExecution\",\"conversation_id\":\"c\",\"cwd\":\"$PWD\",\"command\":\"curl https://example.com\"}"
	expect_json "d['permission'] == 'ask'"
	check 0 "{\"hook_event_name\":\"BeforeTool\",\"cwd\":\"$PWD\",\"tool_name\":\"run_shell_command\",\"tool_input\":{\"command\":\"sudo id\"}}"
	expect_json "d['decision'] == 'deny' and 'sudo' in d['reason']"
	check 0 "{\"cwd\":\"$PWD\",\"toolName\":\"bash\",\"toolArgs\":\"{\\\"command\\\":\\\"sudo id\\\"}\"}"
	expect_json "d['permissionDecision'] == 'deny'"
	check 0 "{\"cwd\":\"$PWD\",\"toolName\":\"bash\",\"toolArgs\":\"{\\\"command\\\":\\\"ls\\\"}\"}"
	expect_json "d['permissionDecision'] == 'allow'"
}

@test "--no-ask denies what a person would be asked about" {
	check 0 "$(claude Bash '{"command":"curl https://example.com"}')" --no-ask
	says deny
}

@test "the shell has no walls, and is judged so" {
	user_policy <<-'END'
		version: 1
		default: deny
		rules:
		  - allow: { effect: read }
		  - allow: { effect: [code, write, unknown], sandbox: workspace, network: [off, loopback] }
	END
	printf '#!/bin/sh\n' >own
	chmod +x own
	check 0 "$(claude Bash '{"command":"./own"}')"
	says deny
	check 0 "$(claude Bash '{"command":"./own"}')" --confine
	says allow
}

@test "--confine lets the text run through writ run" {
	user_policy <<-'END'
		version: 1
		default: allow
		rules:
		  - deny: { program: sudo }
	END
	check 0 "$(claude Bash '{"command":"echo \"it'"'"'s\" | tee out","timeout":5}')" --confine
	says allow
	expect_json "d['hookSpecificOutput']['updatedInput']['timeout'] == 5"
	local command
	command=$(json "$output" "d['hookSpecificOutput']['updatedInput']['command']")
	[[ $command == *" run "*"--approval-session s1"*"--shell "* ]] || show_run
	run -0 --separate-stderr timeout -s KILL 20 sh -c "$command"
	expect_stdout "it's"
	[[ $(cat out) == "it's" ]]
	run -0 --separate-stderr "$WRIT" audit list
	expect_in_stdout "it's"
	check 0 "$(claude Bash '{"command":"sudo id"}')" --confine
	says deny
	check 2 '{"hook_event_name":"beforeShellExecution","conversation_id":"c","command":"ls"}' --confine
	expect_in_stderr "preToolUse"
}

@test "what a person has granted by its shape counts here too" {
	user_policy <<-'END'
		version: 1
		default: deny
		rules:
		  - allow: { effect: read }
		  - allow: { write: ["./**"] }
		  - ask: { program: touch }
	END
	check 0 "$(claude Bash '{"command":"touch made"}')"
	says ask
	timeout -s KILL 30 "$WRIT" run --ask-timeout 20s -- touch made </dev/null >/dev/null 2>&1 &
	is_asked() { [[ -n $("$WRIT" approvals list 2>/dev/null) && -n $(asked) ]]; }
	asked() { "$WRIT" approvals list --json | grep -o '"id":"[^"]*"' | head -1 | cut -d'"' -f4; }
	wait_for is_asked
	run -0 "$WRIT" approvals approve --scope shape "$(asked)"
	wait
	[[ -e made ]]
	check 0 "$(claude Bash '{"command":"touch made"}')"
	says allow
	expect_json "'grant' in d['hookSpecificOutput']['permissionDecisionReason']"
	check 0 "$(claude Bash '{"command":"touch made && sudo id"}')"
	says deny
}

@test "what is denied is on record" {
	check 0 "$(claude Bash '{"command":"sudo id"}')"
	run -0 --separate-stderr "$WRIT" audit list --json
	[[ $output == *'"refused"'* || $output == *denied* ]] || show_run
	run -0 "$WRIT" audit verify
}
