#!/usr/bin/env bats
# bats file_tags=anyone
# People at terminals who are asked.
# `run` sets output and stderr, the helpers the rest.
# shellcheck disable=SC2016,SC2030,SC2031,SC2154
load helpers
load asking

setup() { make_project; }

@test "who sits at the terminal is asked, and y lets it run" {
	sit one "$WRIT" run -- touch made
	sees one "[y] once"
	shows one "touch made"
	shows one "files are counted here"
	[[ ! -e made ]]
	press one y
	leaves one 0
	[[ -e made ]]
}

@test "n does not let it run" {
	sit one "$WRIT" run -- touch made
	sees one "[n] no"
	press one n
	leaves one 125
	[[ ! -e made ]]
	run -0 "$WRIT" approvals list --all
	expect_in_stdout denied
}

@test "Ctrl-C is a no" {
	sit one "$WRIT" run -- touch made
	sees one "[n] no"
	press one '\003'
	leaves one 130
	[[ ! -e made ]]
	run -0 "$WRIT" approvals list --all
	expect_in_stdout denied
}

@test "what was typed before the question is no answer to it" {
	sit one bash -c 'sleep 1; exec "$@"' bash "$WRIT" run -- touch made
	press one yyyy
	sees one "[y] once"
	has_question
	[[ ! -e made ]]
	press one n
	leaves one 125
}

@test "the question on a terminal shows what the command will read" {
	sit one "$WRIT" run --stdin $'text:first line\nlast line' -- touch made
	sees one "first line\\nlast line"
	sees one "[y] once"
	press one d
	sees one "| first line"
	sees one "| last line"
	press one n
	leaves one 125
}

@test "Enter and other keys answer nothing, and ? helps" {
	sit one "$WRIT" run -- touch made
	sees one "[y] once"
	press one '\rY?'
	sees one "let exactly this run, one time"
	has_question
	press one n
	leaves one 125
}

@test "a rule can be changed before it is remembered" {
	sit one "$WRIT" run -- touch made
	sees one "[e] edit"
	press one e
	sees one "rule: allow: "
	press one '\025allow: rm *\r'
	sees one "writ: "
	has_question
	press one e
	press one '\025allow: touch *\r'
	leaves one 0
	[[ -e made ]]
	run -0 "$WRIT" approvals grants
	expect_in_stdout "allow: touch *"
}

@test "a rule is remembered only if all of it was shown" {
	local long
	long=$(printf 'a%.0s' {1..200})
	sit one "$WRIT" run -- touch made "$long"
	sees one "  rule   allow: touch made aaaa"
	for key in r p a; do
		press one "$key"
		sees one "not all of the rule was shown"
		has_question
		: >"$BATS_TEST_TMPDIR/one.screen"
		press one '?'
		sees one "let exactly this run, one time"
		: >"$BATS_TEST_TMPDIR/one.screen"
		press one d
		sees one "[y] once"
	done
	[[ ! -e made ]]
	: >"$BATS_TEST_TMPDIR/one.screen"
	press one d
	sees one "page 1 of"
	press one dd
	sees one "[y] once"
	press one p
	leaves one 0
	[[ -e made ]]
	run -0 "$WRIT" approvals grants
	expect_in_stdout "allow: touch made aaaa"
}

@test "another terminal may answer first" {
	sit one "$WRIT" run -- touch made
	sees one "[y] once"
	sit two "$WRIT" approvals watch
	sees two "touch made"
	press two y
	leaves one 0
	shows one approved
	[[ -e made ]]
	sees two "waiting for questions"
	press two '\003'
	leaves two 130
}

@test "who watches may leave a question to others" {
	sit two "$WRIT" approvals watch
	sees two "waiting for questions"
	ask -- touch made
	sees two "[l] later"
	press two l
	is_state "$ID" pending
	"$WRIT" approvals approve "$ID"
	ended 0
	press two '\003'
	leaves two 130
}

@test "at a terminal even weak walls are asked about" {
	sit one "$WRIT" run --sandbox none -- touch made
	sees one "[y] once"
	press one y
	leaves one 0
	[[ -e made ]]
}

@test "approve --edit changes the rule at the terminal" {
	ask -- touch made
	sit two "$WRIT" approvals approve "$ID" --edit
	sees two "rule: allow: "
	press two '\025allow: touch *\r'
	leaves two 0
	ended 0
	run -0 "$WRIT" approvals grants
	expect_in_stdout "allow: touch *"
}

@test "approve --edit can be given up" {
	ask -- touch made
	sit two "$WRIT" approvals approve "$ID" --edit
	sees two "rule: allow: "
	press two '\003'
	leaves two 1
	is_state "$ID" pending
	"$WRIT" approvals deny "$ID"
	ended 125
}

@test "the terminal is as it was afterwards" {
	sit one bash -c 'stty -g >"$0.before"; "$@"; stty -g >"$0.after"' "$BATS_TEST_TMPDIR/stty" "$WRIT" run -- touch made
	sees one "[y] once"
	press one n
	leaves one 0
	diff "$BATS_TEST_TMPDIR/stty.before" "$BATS_TEST_TMPDIR/stty.after"
}

@test "a call is asked about like a run" {
	sit one "$WRIT" call cli.touch made
	sees one "[y] once"
	press one y
	leaves one 0
	[[ -e made ]]
}
