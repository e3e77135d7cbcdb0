#!/usr/bin/env bats
# bats file_tags=anyone
# writ config show.
# Scripts in single quotes are for other shells, and `run` sets stderr.
# shellcheck disable=SC2016,SC2154
load helpers

setup() {
	unset "${!WRIT_@}" 2>/dev/null || true
	unset XDG_CONFIG_HOME XDG_STATE_HOME XDG_CACHE_HOME
	WRIT=$writ
}

# setup() clears every WRIT_ variable, this name stays.
writ=$WRIT

# bats test_tags=smoke
@test "config show is a table of key, value and origin" {
	run -0 --separate-stderr "$WRIT" config show
	expect_stderr ""
	for key in config_dir system_dir state_dir cache_dir spill_dir; do
		grep -qE "^$key +/[^ ]+ +default\$" <<<"$output"
	done
	grep -qE '^audit_durability +batch +default$' <<<"$output"
	grep -qE '^audit_failure +refuse +default$' <<<"$output"
	grep -qE '^audit_key +none +default$' <<<"$output"
	grep -qE '^outputs_age +14d +default$' <<<"$output"
}

@test "the columns are aligned, in a pipe too" {
	run -0 --separate-stderr "$WRIT" config show
	[[ $(awk '{ print index($0, $2) }' <<<"$output" | sort -u | wc -l) == 1 ]]
	[[ $(awk '{ print index($0, " default") }' <<<"$output" | sort -u | wc -l) == 1 ]]
}

@test "a variable overrides the default, an option the variable" {
	WRIT_STATE_DIR=/from/env run -0 --separate-stderr "$WRIT" config show
	grep -qE '^state_dir +/from/env +environment$' <<<"$output"
	grep -qE '^spill_dir +/from/env/outputs +default$' <<<"$output"
	WRIT_STATE_DIR=/from/env run -0 --separate-stderr "$WRIT" config show --state-dir /from/option
	grep -qE '^state_dir +/from/option +option$' <<<"$output"
}

@test "every setting has an option" {
	for key in config_dir system_dir state_dir cache_dir spill_dir; do
		run -0 --separate-stderr "$WRIT" config show "--${key/_/-}" /set/here "$key"
		expect_stdout /set/here
	done
	for pair in audit_durability=sync audit_failure=run audit_key=/k audit_sign_key=/s audit_segment=1MiB \
		outputs_age=1h outputs_size=2GiB output_keep=0B undo_age=2d undo_size=1GiB modules=/a:/b policy=open \
		approval_timeout=1m form_time=2s; do
		key=${pair%%=*}
		run -0 --separate-stderr "$WRIT" config show "--${key//_/-}" "${pair#*=}" "$key"
		expect_stdout "${pair#*=}"
	done
	[[ $("$WRIT" config show | wc -l) == 19 ]]
}

@test "a value that a setting cannot have is refused and named" {
	run -2 --separate-stderr "$WRIT" config show --audit-durability snyc
	expect_stderr "writ: config show: --audit-durability must be sync, batch or none, got 'snyc', did you mean 'sync'?"
	WRIT_AUDIT_FAILURE=maybe run -1 --separate-stderr "$WRIT" config show
	expect_in_stderr "WRIT_AUDIT_FAILURE must be refuse or run, got 'maybe'"
	WRIT_OUTPUTS_AGE=14 run -1 --separate-stderr "$WRIT" config show
	expect_in_stderr "WRIT_OUTPUTS_AGE: "
	WRIT_AUDIT_SEGMENT=1 run -1 --separate-stderr "$WRIT" config show
	expect_in_stderr "WRIT_AUDIT_SEGMENT must be at least 4KiB, got '1'"
}

@test "one key is one value" {
	run -0 --separate-stderr "$WRIT" config show --state-dir /srv/w state_dir
	expect_stdout /srv/w
}

@test "options may stand before and after the words" {
	diff <("$WRIT" config --state-dir /x show state_dir) <("$WRIT" config show state_dir --state-dir /x)
}

@test "config show --json is a list of objects" {
	run -0 --separate-stderr "$WRIT" config show --json --state-dir '/with "quotes"'
	[[ $(json "$output" '[s["value"] for s in d if s["key"] == "state_dir"][0]') == '/with "quotes"' ]]
	[[ $(json "$output" 'sorted(d[0])') == "['env', 'help', 'key', 'origin', 'value']" ]]
	[[ $(json "$output" 'len(d)') == "$("$WRIT" config show | wc -l)" ]]
	run -0 --separate-stderr "$WRIT" config show --json state_dir
	[[ $(json "$output" '[s["key"] for s in d]') == "['state_dir']" ]]
}

@test "an unknown setting suggests the nearest" {
	run -2 --separate-stderr "$WRIT" config show stat_dir
	expect_stdout ""
	expect_in_stderr "writ: config show: unknown setting 'stat_dir', did you mean 'state_dir'?"
	run -2 --separate-stderr "$WRIT" config show --json stat_dir
	[[ $(json "$output" 'd["error"]["code"]') == invalid ]]
}

@test "a path that is not absolute is refused and named" {
	run -2 --separate-stderr "$WRIT" config show --state-dir here
	expect_stderr "writ: config show: --state-dir must be an absolute path, got 'here'"
	WRIT_STATE_DIR=here run -1 --separate-stderr "$WRIT" config show
	expect_in_stderr "WRIT_STATE_DIR must be an absolute path, got 'here'"
}

@test "config wants the word show" {
	run -2 --separate-stderr "$WRIT" config
	expect_in_stderr "writ: config: say what: show"
	run -2 --separate-stderr "$WRIT" config list
	expect_in_stderr "writ: config: unknown word 'list', expected show"
	run -2 --separate-stderr "$WRIT" config show state_dir cache_dir
	expect_in_stderr "writ: config show: unexpected word 'cache_dir'"
}

@test "showing the settings creates nothing" {
	run -0 env HOME="$BATS_TEST_TMPDIR" "$WRIT" config show --state-dir "$BATS_TEST_TMPDIR/state"
	[[ -z $(ls -A "$BATS_TEST_TMPDIR") ]]
}
