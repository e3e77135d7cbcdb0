#!/usr/bin/env bats
# What only readers of the audit trail need is never linked, and no run loads
# it.

setup() {
	export WRIT_STATE_DIR=$BATS_TEST_TMPDIR/state
}

needed() {
	readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'
}

@test "neither the program nor the library needs SQLite or libcrypto" {
	for file in "$WRIT" "$WRIT_BUILD"/src/libwrit.so; do
		needed "$file" >"$BATS_TEST_TMPDIR/needed"
		grep -q '^libc\.so' "$BATS_TEST_TMPDIR/needed"
		run grep -E 'sqlite|crypto|ssl' "$BATS_TEST_TMPDIR/needed"
		[ "$output" = "" ]
	done
}

@test "a run loads neither, a search loads the one it uses" {
	LD_DEBUG=files LD_DEBUG_OUTPUT=$BATS_TEST_TMPDIR/run "$WRIT" run -- true
	cat "$BATS_TEST_TMPDIR"/run.* >"$BATS_TEST_TMPDIR/loaded"
	grep -q 'libyyjson' "$BATS_TEST_TMPDIR/loaded"
	run grep -E 'sqlite|crypto' "$BATS_TEST_TMPDIR/loaded"
	[ "$output" = "" ]

	LD_DEBUG=files LD_DEBUG_OUTPUT=$BATS_TEST_TMPDIR/list "$WRIT" audit list
	cat "$BATS_TEST_TMPDIR"/list.* >"$BATS_TEST_TMPDIR/loaded"
	run grep -c 'crypto' "$BATS_TEST_TMPDIR/loaded"
	[ "$output" = 0 ]
	[ -s "$WRIT_STATE_DIR/audit/index.sqlite" ] || skip "no SQLite on this machine"
	grep -q 'libsqlite3' "$BATS_TEST_TMPDIR/loaded"
}
