#!/usr/bin/env bats
# bats file_tags=anyone
# Options of writ run and writ call that are about policies, and what a refused
# caller reads.
# shellcheck disable=SC2154
load helpers
load policies

setup() {
	own_policies
	sample_policy
}

writ_run() {
	local wanted=$1
	shift
	run "-$wanted" --separate-stderr timeout -s KILL 20 "$WRIT" run "$@" </dev/null
}

expect_json() { [[ $(json "$output" "$1") == True ]] || show_run; }

# bats test_tags=smoke
@test "a denied run says what, why, by which line" {
	writ_run 125 -- sudo id
	expect_stdout ""
	expect_in_stderr "writ: denied: sudo is not for local"
	expect_in_stderr "  because: nothing here needs other rights"
	expect_in_stderr "  rule: $WRIT_CONFIG_DIR/policy.yaml:7:"
}

@test "a denied run as JSON has the decision in its details" {
	writ_run 125 --json -- sudo id
	expect_json "d['error']['code'] == 'denied'"
	expect_json "d['error']['details']['decision']['decision'] == 'deny'"
	expect_json "':7:' in d['error']['details']['decision']['rule']"
}

@test "a detached run that is denied says so as well" {
	writ_run 125 --detach -- sudo id
	expect_in_stderr "writ: denied: "
}

@test "--dry-run says what explain says, and runs nothing" {
	writ_run 0 --dry-run -- touch made
	[[ ! -e made && ${lines[0]} == allow* ]] || show_run
	writ_run 3 --dry-run -- sudo id
	writ_run 1 --dry-run -- curl https://example.com
	writ_run 3 --dry-run --json -- sudo id
	expect_json "d['decision'] == 'deny'"
	writ_run 125 --dry-run --sandbox no-such-profile -- ls
}

@test "--explain says why on standard error, and runs" {
	echo hi >a
	writ_run 0 --explain -- cat a
	expect_stdout hi
	expect_in_stderr "allow"
	expect_in_stderr "policy.yaml:5:"
	rm "$WRIT_CONFIG_DIR/policy.yaml"
	writ_run 0 --explain -- cat a
	[[ $(grep -c "no policy found" <<<"$stderr") == 1 ]] || show_run
}

@test "--policy and --agent" {
	echo hi >a
	writ_run 0 -- cat a
	writ_run 125 --agent reviewer -- tee b
	expect_in_stderr "denied"
	writ_run 0 --policy open -- sh -c 'exit 0'
	writ_run 125 --policy missing-preset -- cat a
	expect_in_stderr "missing-preset"
	WRIT_POLICY=open writ_run 0 -- sh -c 'exit 0'
	run -0 env WRIT_POLICY=open "$WRIT" config show policy
	expect_stdout open
}

@test "the machine's policy counts besides --policy" {
	cat >"$WRIT_SYSTEM_DIR/policy.yaml" <<-'END'
		version: 1
		default: allow
		rules:
		  - deny: { program: cat }
	END
	writ_run 125 --policy open -- cat a
	expect_in_stderr "$WRIT_SYSTEM_DIR/policy.yaml:4:"
}

@test "a call is decided about too" {
	run -3 --separate-stderr "$WRIT" call --dry-run --agent reviewer cli.touch made
	[[ ! -e made ]]
	run -0 --separate-stderr "$WRIT" call --dry-run cli.touch made
	[[ ! -e made ]]
	run -125 --separate-stderr "$WRIT" call --agent reviewer cli.touch made
	expect_in_stderr "writ: denied: "
}

@test "a denial outranks a program that is not there" {
	user_policy <<-'END'
		version: 1
		rules:
		  - deny: { program: no-such-program }
	END
	writ_run 125 -- no-such-program
	expect_in_stderr "writ: denied: "
}

@test "a text that no shell can read is a syntax error, and nobody is asked" {
	printf 'version: 1\ndefault: ask\nrules:\n  - deny: {program: sudo}\n' >"$BATS_TEST_TMPDIR/asks.yaml"
	for text in 'ls |' 'if true; then echo' "echo 'a" 'fi'; do
		writ_run 125 --policy "$BATS_TEST_TMPDIR/asks.yaml" --shell "$text"
		expect_in_stderr "syntax error"
		[[ $stderr != *approv* ]] || show_run
		writ_run 125 --policy "$BATS_TEST_TMPDIR/asks.yaml" -- sh -c "$text"
		expect_in_stderr "syntax error"
	done
	# What is denied in it stays denied.
	writ_run 125 --policy "$BATS_TEST_TMPDIR/asks.yaml" --shell 'sudo id; ls |'
	expect_in_stderr "denied"
}
