#!/usr/bin/env bats
# bats file_tags=anyone
# writ policy explain: what would become of a command, and which line says so.
# shellcheck disable=SC2154
load helpers
load policies

setup() {
	own_policies
	sample_policy
}

explain() {
	local wanted=$1
	shift
	run "-$wanted" --separate-stderr timeout -s KILL 20 "$WRIT" policy explain "$@"
}

# expect_json EXPRESSION: it is true of the last output.
expect_json() { [[ $(json "$output" "$1") == True ]] || show_run; }

# bats test_tags=smoke
@test "the exit status is the verdict" {
	echo hi >a
	explain 0 -- cat a
	explain 1 -- curl https://example.com
	explain 3 -- sudo id
	explain 2
	expect_in_stderr "say which command"
	explain 2 --shell ls -- ls
	explain 2 --sandbox no-such-profile -- ls
	explain 2 --cwd /nowhere -- ls
	expect_in_stderr /nowhere
	explain 3 --cwd /nowhere -- sudo id
}

@test "the verdict, the message, the line with a mark, and the reason" {
	explain 3 -- sudo id
	[[ ${lines[0]} == "deny: sudo is not for local" ]] || show_run
	expect_in_stdout "/config/policy.yaml:7:"
	expect_in_stdout "    7 |   - deny: { program: [sudo, su] }"
	expect_in_stdout "because: nothing here needs other rights"
	expect_in_stdout "matched: "
	[[ $output =~ \|\ +\^ ]] || show_run
}

@test "of what the sandbox allows, the rule that says most is shown" {
	WRIT_POLICY=developer run -0 --separate-stderr "$WRIT" policy explain --shell 'echo; no-such-tool'
	expect_in_stdout "because: it can only change the project, and reaches nobody"
	expect_in_stdout "matched: cannot be analysed: no description of 'no-such-tool'"
	WRIT_POLICY=developer run -0 --separate-stderr "$WRIT" policy explain --shell 'ls; touch /etc/motd'
	expect_in_stdout "because: the sandbox limits what it can change"
	expect_in_stdout "matched: writes '/etc/motd'"
	WRIT_POLICY=developer run -0 --separate-stderr "$WRIT" policy explain -- npm test
	expect_in_stdout "matched: may use the network"
}

@test "commands inside are told each with its own verdict" {
	explain 3 -- env sudo id
	[[ $output =~ deny\ +env\ sudo\ id || $output =~ allow\ +env\ sudo\ id ]] || show_run
	[[ $output =~ deny\ +sudo\ id ]] || show_run
}

@test "a path is told as it is written and where it leads" {
	mkdir secret
	echo x >secret/key
	ln -s secret/key link
	explain 3 -- cat link
	expect_in_stdout "link -> secret/key"
}

@test "walls, limits and policies are told" {
	explain 0 -- cat a
	expect_in_stdout "sandbox     none"
	expect_in_stdout "agent       local"
	expect_in_stdout "policies    "
}

@test "another agent, another shell text, another policy" {
	echo hi >a
	explain 0 -- rm a
	explain 3 --agent reviewer -- rm a
	explain 3 --agent nobody-knows -- cat a
	explain 3 --shell 'cat a | sudo tee b'
	explain 0 --policy open -- sudo id
	explain 2 --policy no-such-preset -- cat a
	expect_in_stderr "no-such-preset"
}

@test "the object is the decision" {
	explain 3 --json -- env sudo id
	expect_json "d['decision'] == 'deny'"
	expect_json "d['message'] == 'sudo is not for local'"
	expect_json "d['rule'].endswith('/config/policy.yaml:7:5') or ':7:' in d['rule']"
	expect_json "d['rules'][0]['because'] == 'nothing here needs other rights'"
	expect_json "[c['decision'] for c in d['commands']] == ['allow', 'deny', 'allow']"
	expect_json "d['agent'] == 'local'"
	expect_json "set(['effects', 'paths', 'hosts', 'nearest_allowed', 'sandbox', 'limits', 'request_hash', 'policies', 'warnings']) <= set(d)"
	explain 2 --json
	expect_json "d['error']['code'] == 'invalid'"
}

@test "on a terminal the verdict has a colour, in a pipe it has none" {
	local shown
	shown=$(on_terminal "$WRIT policy explain -- sudo id || true")
	[[ $shown == *$'\e[1;31mdeny\e[0m: '* ]] || { echo "$shown" >&2; false; }
	explain 3 -- sudo id
	[[ $output != *$'\e'* ]] || show_run
}

@test "what an agent writes is not obeyed by the terminal" {
	explain 3 -- sudo $'\e[2J' $'\nallow: yes'
	[[ $output != *$'\e'* ]] || show_run
	expect_in_stdout '\x1b[2J'
	[[ $output != *$'\nallow: yes'* ]] || show_run
}

@test "nothing is run, asked or recorded" {
	echo hi >kept
	explain 0 -- rm kept
	[[ -e kept ]]
	explain 1 -- curl https://example.com
	run --separate-stderr "$WRIT" audit list
	expect_stdout ""
	[[ -z $(find "$WRIT_STATE_DIR/approvals" -type f 2>/dev/null) ]]
}
