#!/usr/bin/env bats
# bats file_tags=anyone
# JSON Schema: what ajv says about thousands of random schemas and values.
# `run` sets stderr.
# shellcheck disable=SC2154
load helpers

setup() {
	need node
	modules=${WRIT_NODE_PACKAGES:-$WRIT_SOURCE/build-node}
	[[ -d $modules/node_modules/ajv ]] || skip "ajv is not there; tools/node-packages fetches it"
}

# agree DRAFT SEED
agree() {
	run -0 timeout 600 node "$WRIT_SOURCE/tests/node/compare.js" "$WRIT" "$modules" "$1" 300 "$2"
	[[ $output == *"300 schemas, 3600 values, "*" of them valid, 0 differences" ]] || show_run
}

@test "ajv and writ agree on draft 2020-12" {
	agree 2020-12 11
	agree 2020-12 12
}

@test "ajv and writ agree on draft-07" {
	agree 07 21
	agree 07 22
}

# A comparison that cannot find anything would pass as well.
@test "a validator that says yes to everything is found out" {
	cat >"$BATS_TEST_TMPDIR/yes" <<-'SCRIPT'
		#!/bin/sh
		eval "values=\${$#}"
		awk 'BEGIN { printf "{\"results\":[" }
			{ printf "%s{\"valid\":true}", (NR > 1) ? "," : "" }
			END { print "]}" }' "$values"
	SCRIPT
	chmod +x "$BATS_TEST_TMPDIR/yes"
	run -1 timeout 600 node "$WRIT_SOURCE/tests/node/compare.js" "$BATS_TEST_TMPDIR/yes" "$modules" 2020-12 20 1
	expect_in_stdout "writ true, ajv false"
}
