#!/usr/bin/env bats
# bats file_tags=anyone
# Regular expressions of JSON Schema are those of ECMAScript: what node says
# about thousands of random ones.
# `run` sets stderr.
# shellcheck disable=SC2154
load helpers

@test "node and writ agree on what is a pattern, and where it is found" {
	need node
	for seed in 31 32; do
		run -0 timeout 120 node "$WRIT_SOURCE/tests/node/patterns.js" "$WRIT" 3000 "$seed"
		[[ $output == *"3000 patterns, "*", 0 differences" ]] || show_run
	done
}

# A comparison that cannot find anything would pass as well.
@test "a dialect that is not ECMAScript's is found out" {
	need node
	cat >"$BATS_TEST_TMPDIR/other" <<-'SCRIPT'
		#!/bin/sh
		"$WRIT" "$@" | sed 's/"valid":false/"valid":true/; s/"problems":\[[^]]*\]/"problems":[]/'
	SCRIPT
	chmod +x "$BATS_TEST_TMPDIR/other"
	run -1 timeout 120 node "$WRIT_SOURCE/tests/node/patterns.js" "$BATS_TEST_TMPDIR/other" 300 1
	expect_in_stdout "writ true, node false"
}
