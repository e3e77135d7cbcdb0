#!/usr/bin/env bats
# bats file_tags=anyone
# tests/seeds/requirements.tsv: what the first documents ask, and where it is
# tested or said to differ. tools/check-seeds.

setup() {
	tree=$BATS_TEST_TMPDIR/tree
	mkdir -p "$tree/tests/seeds" "$tree/tests/cli" "$tree/docs"
	printf '@test "it is so" {\n}\n' >"$tree/tests/cli/a.bats"
	printf '# Page\n\n## 000: what differs\n' >"$tree/docs/seeds.md"
}

row() { # STATE WHERE
	printf 'seed\trequirement\tstate\twhere\n000\tit is so\t%s\t%s\n' "$1" "$2" >"$tree/tests/seeds/requirements.tsv"
	run "$WRIT_SOURCE/tools/check-seeds" "$tree"
}

@test "every row has a test, or a heading that says what differs" {
	run "$WRIT_SOURCE/tools/check-seeds"
	[ "$status" -eq 0 ] || { echo "$output" >&2; false; }
	[[ $output == "461 rows: "* ]]
}

@test "a row with a test passes, and so does one with a heading" {
	row yes 'tests/cli/a.bats: it is so'
	[ "$status" -eq 0 ]
	row differs 'docs/seeds.md#000: what differs'
	[ "$status" -eq 0 ]
}

@test "a row that has lost its test is refused" {
	row yes 'tests/cli/a.bats: it was so'
	[ "$status" -ne 0 ]
	[[ $output == *"requirements.tsv:2: no case 'it was so' in tests/cli/a.bats"* ]]
	row yes 'tests/cli/b.bats: it is so'
	[ "$status" -ne 0 ]
	row differs 'docs/seeds.md#001: what differs'
	[ "$status" -ne 0 ]
	row yes ''
	[ "$status" -ne 0 ]
	row no 'tests/cli/a.bats: it is so'
	[ "$status" -ne 0 ]
}
