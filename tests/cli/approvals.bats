#!/usr/bin/env bats
# Questions that wait in the queue, and their answers.
# `run` sets output and stderr, the helpers the rest.
# shellcheck disable=SC2016,SC2030,SC2031,SC2154
load helpers
load asking

setup() { make_project; }

# bats test_tags=smoke
@test "one asks, another approves, and it runs" {
	ask -- touch made
	wait_for grep -q "^writ: waiting for approval $ID (writ approvals approve $ID), .* left$" "$BATS_TEST_TMPDIR/err"
	[[ ! -e made ]]
	run -0 --separate-stderr "$WRIT" approvals approve "$ID"
	expect_stdout "approved (once): touch made"
	ended 0
	[[ -e made ]]
	[[ $(state_of "$ID") == used ]]
}

@test "a question shows the whole request and why it is asked" {
	ask --timeout 7s -e COLOUR=red -- touch made
	run -0 "$WRIT" approvals show "$ID"
	for text in "touch made" "$PROJECT" "$(realpath "$(command -v touch)")" "COLOUR" "local" \
		"write" "workspace" "files are counted here" "policy.yaml:5" "allow: touch"; do
		expect_in_stdout "$text"
	done
	run -0 "$WRIT" approvals
	expect_in_stdout "$ID"
	expect_in_stdout "touch made"
	"$WRIT" approvals deny "$ID"
	ended 125
}

@test "what a terminal would obey is shown as what it is" {
	ask -- touch $'a\033[2Jb' $'c\nd'
	run -0 "$WRIT" approvals show "$ID"
	expect_in_stdout "\$'a\\x1b[2Jb' \$'c\\nd'"
	[[ $output != *$'\033'* ]]
	run -0 "$WRIT" approvals list
	[[ $output != *$'\033'* ]]
	"$WRIT" approvals deny "$ID"
	ended 125
}

@test "a question shows what the command will read, without secrets and within bounds" {
	ask --secret text:hunter22 --stdin $'text:rm -rf build\nkey hunter22 \033]0;t\007\nend' -- touch made
	"$WRIT" approvals show "$ID" >"$BATS_TEST_TMPDIR/page"
	grep -qE '^  input +data, [0-9]+ bytes$' "$BATS_TEST_TMPDIR/page"
	grep -qE '^ +\| rm -rf build$' "$BATS_TEST_TMPDIR/page"
	grep -qF '| key [secret] \x1b]0;t\x07' "$BATS_TEST_TMPDIR/page"
	run ! grep -rq hunter22 "$WRIT_STATE_DIR"
	"$WRIT" approvals deny "$ID"
	ended 125
	# The secret lies where the head ends: no part of it is left.
	{ head -c 2040 /dev/zero | tr '\0' x && echo hunter22hunter22 && head -c 9000 /dev/zero && echo last; } >long
	ask --secret text:hunter22hunter22 --stdin "text:$(tr '\0' y <long)" -- touch made
	"$WRIT" approvals show "$ID" >"$BATS_TEST_TMPDIR/page"
	grep -qE '^ +\(7[0-9]+ bytes are not shown\)$' "$BATS_TEST_TMPDIR/page"
	grep -qE '^ +\| y*last$' "$BATS_TEST_TMPDIR/page"
	run ! grep -q hunter "$BATS_TEST_TMPDIR/page"
	(($(wc -c <"$BATS_TEST_TMPDIR/page") < 6000))
	"$WRIT" approvals deny "$ID"
	ended 125
}

@test "who is denied reads why" {
	ask -- touch made
	run -0 "$WRIT" approvals deny "$ID" --note "there are enough files"
	ended 125
	grep -q "there are enough files" "$BATS_TEST_TMPDIR/err"
	[[ ! -e made ]]
	run -1 --separate-stderr "$WRIT" approvals approve "$ID"
	expect_in_stderr "writ: "
	[[ $(state_of "$ID") == denied ]]
}

@test "a question that nobody answers in time is a no" {
	run -125 --separate-stderr "$WRIT" run --ask-timeout 1s -- touch made </dev/null
	expect_in_stderr "waiting for approval"
	[[ ! -e made ]]
	run -0 "$WRIT" approvals list --all
	expect_in_stdout "expired"
}

@test "who does not want to wait is told at once" {
	for options in --no-ask "--ask-timeout 0"; do
		# shellcheck disable=SC2086 # two words
		run -125 --separate-stderr "$WRIT" run $options --json -- touch made </dev/null
		[[ $(json "$output" 'd["error"]["code"]') == approval_required ]]
	done
	has_no_question
}

@test "without a terminal and with nobody who answers it fails at once, and says how to go on" {
	for options in "" --detach; do
		# shellcheck disable=SC2086 # perhaps no word
		run -125 --separate-stderr timeout 60 "$WRIT" run $options -- touch made </dev/null
		id=$(open_ids | tail -n 1)
		expect_in_stderr "approval needed"
		expect_in_stderr "try: writ approvals approve $id, then run the same again with --approval $id"
	done
	"$WRIT" approvals deny "$id"
	run -125 --separate-stderr "$WRIT" run --json -- touch made </dev/null
	[[ $(json "$output" 'd["error"]["code"]') == approval_required ]]
	id=$(json "$output" 'd["error"]["details"]["approval"]')
	is_state "$id" pending
	# Nobody waits; who tries again gets the same question.
	run -125 --separate-stderr "$WRIT" run --json -- touch made </dev/null
	[[ $(json "$output" 'd["error"]["details"]["approval"]') == "$id" ]]
	run -125 --separate-stderr "$WRIT" run --json --approval "$id" -- touch made </dev/null
	[[ $(json "$output" 'd["error"]["code"]') == approval_required ]]
	[[ ! -e made ]]
	"$WRIT" approvals approve "$id"
	run -0 "$WRIT" run --json --approval "$id" -- touch made </dev/null
	[[ -e made ]]
	run -125 --separate-stderr "$WRIT" call cli.touch other </dev/null
	expect_in_stderr "try: writ approvals approve "
}

@test "a person is told the command that allows it for good, an agent what it can do" {
	sed -i '1a agents: { bot: {} }' "$BATS_TEST_TMPDIR/policy.yaml"
	run -125 --separate-stderr "$WRIT" run -- touch made </dev/null
	expect_in_stderr "try: writ policy allow 'touch made' to allow it for good"
	# In a shape this would mean more than itself.
	run -125 --separate-stderr "$WRIT" run -- touch '*' </dev/null
	[[ $stderr != *"policy allow"* ]]
	run -125 --separate-stderr "$WRIT" run --agent bot -- touch made </dev/null
	expect_in_stderr "try: a person has to approve "
	[[ $stderr != *"writ approvals"* && $stderr != *"writ policy"* ]]
	run -125 --separate-stderr "$WRIT" run --no-ask --agent bot -- touch made </dev/null
	expect_in_stderr "try: ask the user to approve it, or do it another way"
	[[ $stderr != *"writ policy"* ]]
	run -125 --separate-stderr "$WRIT" run --agent bot -- rm made </dev/null
	expect_in_stderr "try: do it another way, or tell the user"
}

@test "as long as somebody watches it waits" {
	"$WRIT" approvals watch >"$BATS_TEST_TMPDIR/events" 3>&- &
	local watcher=$!
	attended() { [[ -e $WRIT_STATE_DIR/approvals/attended ]]; }
	wait_for attended
	"$WRIT" run -- touch made </dev/null >/dev/null 2>"$BATS_TEST_TMPDIR/err" 3>&- &
	ASKER=$!
	wait_for has_question
	"$WRIT" approvals approve "$(open_ids)"
	ended 0
	[[ -e made ]]
	kill "$watcher"
	wait "$watcher" || true
	run -125 --separate-stderr "$WRIT" run -- touch other </dev/null
	expect_in_stderr "writ approvals approve"
}

@test "a wrong time to wait is wrong usage" {
	run -125 --separate-stderr "$WRIT" run --ask-timeout soon -- touch made </dev/null
	expect_in_stderr "writ: run: --ask-timeout: "
}

@test "Ctrl-C while waiting withdraws the question" {
	ask -- touch made
	kill -INT "$ASKER"
	ended 130
	[[ $(state_of "$ID") == abandoned ]]
	run -1 "$WRIT" approvals approve "$ID"
	has_no_question
}

@test "a question ends with who asked" {
	ask -- touch made
	kill -KILL "$ASKER"
	ended 137
	wait_for is_state "$ID" abandoned
	run -1 "$WRIT" approvals approve "$ID"
}

@test "an approval is for nothing but its request, and for one time" {
	ask -- touch made
	kill -STOP "$ASKER"
	"$WRIT" approvals approve "$ID"
	run -125 --separate-stderr "$WRIT" run --json --approval "$ID" -- touch other </dev/null
	[[ $(json "$output" 'd["error"]["code"]') == approval_refused ]]
	run -125 "$WRIT" run --approval "$ID" -e A=1 -- touch made </dev/null
	run -125 "$WRIT" run --approval "$ID" --cwd "$BATS_TEST_TMPDIR" -- touch made </dev/null
	[[ ! -e made && ! -e other ]]
	run -0 "$WRIT" run --approval "$ID" -- touch made </dev/null
	[[ -e made ]]
	rm made
	run -125 "$WRIT" run --approval "$ID" -- touch made </dev/null
	kill -CONT "$ASKER"
	ended 125
	[[ ! -e made ]]
}

@test "an approval for a session is for the same request in that session" {
	ask -- touch made
	"$WRIT" approvals approve "$ID" --scope session
	ended 0
	rm made
	run -0 "$WRIT" run --no-ask -- touch made </dev/null
	[[ -e made ]]
	run -125 "$WRIT" run --no-ask -- touch other </dev/null
	run -125 setsid -w "$WRIT" run --no-ask -- touch made </dev/null
}

@test "a rule that is remembered allows what it matches until it is revoked" {
	ask -- touch made
	run -0 "$WRIT" approvals approve "$ID" --rule "allow: touch *" --for 1h
	ended 0
	run -0 "$WRIT" run --no-ask -- touch other </dev/null
	run -125 "$WRIT" run --no-ask -- touch one two </dev/null
	run -0 "$WRIT" approvals grants
	expect_in_stdout "allow: touch *"
	expect_in_stdout "shape"
	local grant
	grant=$("$WRIT" approvals grants --ids)
	run -0 "$WRIT" approvals revoke "$grant"
	run -125 "$WRIT" run --no-ask -- touch third </dev/null
	[[ -e made && -e other && ! -e third ]]
}

@test "the proposed rule is remembered when nothing else is said" {
	ask -- touch made
	run -0 --separate-stderr "$WRIT" approvals approve "$ID" --scope shape --json
	[[ $(json "$output" 'd["answer"]["scope"]') == shape ]]
	[[ $(json "$output" 'd["answer"]["rule"]') == "$(json "$output" 'd["rule"]')" ]]
	ended 0
}

@test "for good, in this project and everywhere" {
	cat >"$BATS_TEST_TMPDIR/policy.yaml" <<-'END'
		version: 1
		default: allow
		rules:
		  - ask: { program: [touch, pip] }
	END
	mkdir .git other other/.git
	ask -- touch made
	run -0 "$WRIT" approvals approve "$ID" --scope project --rule 'allow: touch *'
	ended 0
	run -0 "$WRIT" run --no-ask -- touch more </dev/null
	cd other
	run -125 "$WRIT" run --no-ask -- touch more </dev/null
	cd ..
	run -0 "$WRIT" approvals grants --json
	[[ $(json "$output" 'd[0]["project"]') == "$(realpath .)" && $(json "$output" 'd[0]["until"] > d[0]["at"] + 9 * 365 * 86400000') == True ]]
	# The proposed rule is about other packages too, and no other command.
	stand_in pip
	ask -- pip install six --dry-run --no-index
	run -0 --separate-stderr "$WRIT" approvals approve "$ID" --scope always --json
	[[ $(json "$output" 'd["answer"]["rule"]') == "allow: pip install ..."* ]] || show_run
	wait "$ASKER" || true
	cd other
	run -0 --separate-stderr "$WRIT" policy explain -- pip install attrs
	run -1 --separate-stderr "$WRIT" policy explain -- pip uninstall attrs
}

@test "more than the walls is not remembered beyond the session" {
	cat >"$BATS_TEST_TMPDIR/policy.yaml" <<-'END'
		version: 1
		include: [developer]
		agents: { "*": {} }
	END
	ask --agent coder --write /srv -- touch made
	run -0 --separate-stderr "$WRIT" approvals show --json "$ID"
	[[ $(json "$output" 'd["rule"]') == None ]] || show_run
	local scope
	for scope in shape project always; do
		run -1 --separate-stderr "$WRIT" approvals approve "$ID" --scope "$scope"
		expect_in_stderr "more than the sandbox allows"
	done
	run -0 "$WRIT" approvals deny "$ID"
	wait "$ASKER" || true
}

@test "a rule that is not in order or not about the request is refused" {
	ask -- touch made
	for rule in "alow: touch" "deny: touch made" "allow: rm *" "allow: [" ""; do
		run -1 --separate-stderr "$WRIT" approvals approve "$ID" --rule "$rule"
		expect_in_stderr "writ: "
	done
	is_state "$ID" pending
	"$WRIT" approvals deny "$ID"
	ended 125
}

@test "scopes and durations are checked" {
	run -2 --separate-stderr "$WRIT" approvals approve x --scope forever
	expect_in_stderr "writ: approvals approve: --scope: unknown word 'forever', expected once, session, shape, project or always"
	run -2 --separate-stderr "$WRIT" approvals approve x --scope once --rule "allow: ls"
	expect_in_stderr "a rule is for --scope shape, project or always, not 'once'"
	run -2 --separate-stderr "$WRIT" approvals approve x --for never
	expect_in_stderr "writ: approvals approve: --for: "
	run -2 --separate-stderr "$WRIT" approvals approve
	expect_in_stderr "writ: approvals approve: say which ID"
	run -1 --separate-stderr "$WRIT" approvals approve x --edit </dev/null
	expect_in_stderr "there is no question 'x'"
}

@test "of many who answer at once one counts" {
	ask -- touch made
	local pids=() wins=0 pid i
	for i in 1 2 3 4 5 6; do
		"$WRIT" approvals approve "$ID" >/dev/null 2>&1 3>&- &
		pids+=($!)
	done
	for pid in "${pids[@]}"; do
		! wait "$pid" || wins=$((wins + 1))
	done
	((wins == 1))
	ended 0
}

@test "many may ask at once" {
	local pids=() id pid i
	for i in 1 2 3 4; do
		"$WRIT" run --ask-timeout 5m -- touch "made$i" </dev/null >/dev/null 2>&1 3>&- &
		pids+=($!)
	done
	four_ask() { (($(open_ids | wc -l) == 4)); }
	wait_for four_ask
	for id in $(open_ids); do
		"$WRIT" approvals approve "$id"
	done
	for pid in "${pids[@]}"; do
		wait "$pid"
	done
	[[ -e made1 && -e made2 && -e made3 && -e made4 ]]
}

@test "what runs in a sandbox sees no question and answers none" {
	echo "  - allow: { program: \"$WRIT\" }" >>"$BATS_TEST_TMPDIR/policy.yaml"
	ask -- touch made
	inside() {
		# Who is confined cannot look for leaks.
		"$WRIT" run --no-ask --sandbox workspace --read "${WRIT%/*}" --pass 'WRIT_*' --env ASAN_OPTIONS=detect_leaks=0 \
			-- "$WRIT" approvals "$@" </dev/null
	}
	run -1 --separate-stderr inside approve "$ID"
	expect_in_stderr "the sandbox"
	run -0 --separate-stderr inside list
	expect_in_stderr "as far as a sandbox lets this process see"
	is_state "$ID" pending
	"$WRIT" approvals deny "$ID"
	ended 125
}

@test "where nothing hides the queue nobody but a terminal is asked" {
	run -125 --separate-stderr "$WRIT" run --sandbox none --json -- touch made </dev/null
	[[ $(json "$output" 'd["error"]["code"]') == denied ]]
	has_no_question
}

@test "a detached run waits too, and says so" {
	ask --detach -- touch made
	wait_for grep -q "^writ: waiting for approval $ID " "$BATS_TEST_TMPDIR/err"
	"$WRIT" approvals approve "$ID"
	ended 0
	"$WRIT" wait "$(cat "$BATS_TEST_TMPDIR/out")"
	[[ -e made ]]
}

@test "a detached run whose starter gives up asks no more" {
	ask --detach -- touch made
	kill -KILL "$ASKER"
	ended 137
	wait_for is_state "$ID" abandoned
	[[ ! -e made ]]
}

@test "a detached run that is denied does not start" {
	ask --detach -- touch made
	"$WRIT" approvals deny "$ID" --note "not now"
	ended 125
	grep -q "not now" "$BATS_TEST_TMPDIR/err"
}

@test "a program can watch: a line for each change" {
	"$WRIT" approvals watch >"$BATS_TEST_TMPDIR/events" 3>&- &
	local watcher=$!
	ask -- touch made
	"$WRIT" approvals approve "$ID"
	ended 0
	used() { grep -q '"state":"used"' "$BATS_TEST_TMPDIR/events"; }
	wait_for used
	kill "$watcher"
	wait "$watcher" || true
	while read -r line; do
		[[ $(json "$line" 'd["id"]') == "$ID" ]]
	done <"$BATS_TEST_TMPDIR/events"
	[[ $(head -n 1 "$BATS_TEST_TMPDIR/events") == *'"state":"pending"'* ]]
}

@test "the record says who was asked and what they said" {
	ask -- touch made
	"$WRIT" approvals approve "$ID" --note "for once"
	ended 0
	run -0 "$WRIT" audit show -
	expect_in_stdout "$ID"
	run -0 "$WRIT" audit tail --json -n 100
	expect_in_stdout "for once"
	run -0 "$WRIT" audit verify
}

@test "ids of questions and grants are completed" {
	ask -- touch made
	mkdir "$BATS_TEST_TMPDIR/bin"
	ln -s "$WRIT" "$BATS_TEST_TMPDIR/bin/writ"
	run -0 env PATH="$BATS_TEST_TMPDIR/bin:$PATH" bash --norc --noprofile -c '
		. /dev/stdin
		COMP_WORDS=(writ approvals approve "")
		COMP_CWORD=3
		_writ
		echo "${COMPREPLY[@]}"' < <("$WRIT" completion bash)
	expect_stdout "$ID"
	"$WRIT" approvals deny "$ID"
	ended 125
}
