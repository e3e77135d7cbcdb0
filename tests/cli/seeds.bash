# What the tests of the presets that come from exec tools share.
# shellcheck shell=bash

# A project with directories of its own for everything that writ reads.
seed_setup() {
	export WRIT_CONFIG_DIR=$BATS_TEST_TMPDIR/config WRIT_SYSTEM_DIR=$BATS_TEST_TMPDIR/system
	export WRIT_CACHE_DIR=$BATS_TEST_TMPDIR/cache
	unset WRIT_POLICY
	mkdir -p "$BATS_TEST_TMPDIR"/{config,system,cache,project}
	cd "$BATS_TEST_TMPDIR/project" || return
	POLICY=$BATS_TEST_TMPDIR/config/of-the-test.yaml
}

# policy_of LINE...: a policy of the test, in which those lines follow `version`.
policy_of() {
	printf '%s\n' "version: 1" "$@" >"$POLICY"
}

# refused MESSAGE OPTION... -- WORD...: it did not run, and this is what its
# caller reads, to the letter.
refused() {
	local message=$1
	shift
	run -125 --separate-stderr "$WRIT" run --no-ask --json --policy "$POLICY" "$@"
	[[ $(json "$output" 'd["error"]["code"]') == denied ]] || show_run
	[[ $(json "$output" 'd["error"]["message"]') == "$message" ]] || show_run
}

# result_of OPTION... -- WORD...: the result of a run that was allowed.
result_of() {
	run --separate-stderr "$WRIT" run --no-ask --json --policy "$POLICY" "$@"
	[[ $status -eq 0 ]] || show_run
}

# expect_result EXPRESSION VALUE
expect_result() {
	[[ $(json "$output" "$1") == "$2" ]] || show_run
}
