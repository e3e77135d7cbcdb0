#!/usr/bin/env bats
# bats file_tags=anyone
# Names that a reader can rely on: tools/check-names.

setup() {
	tree=$BATS_TEST_TMPDIR/tree
	mkdir -p "$tree/src/base" "$tree/src/os"
}

plant() { # FILE LINE...
	file=$tree/src/$1
	shift
	mkdir -p "$(dirname "$file")"
	printf '%s\n' "$@" >"$file"
}

refused() { # MESSAGE
	run "$WRIT_SOURCE/tools/check-names" "$tree"
	[ "$status" -ne 0 ]
	[[ $output == *"$1"* ]]
}

@test "a tree with different names passes" {
	plant base/a.c 'struct w_a {' '};' 'w_a_new(void)'
	plant os/b.c 'struct w_b {' '};' 'w_b_new(void)'
	run "$WRIT_SOURCE/tools/check-names" "$tree"
	[ "$status" -eq 0 ]
	[ -z "$output" ]
}

@test "a file name that is taken is refused" {
	plant base/a.c ''
	plant os/sub/a.c ''
	refused "src/os/sub/a.c: the name is taken by src/base/a.c"
}

@test "a tag that is taken is refused, also of a struct that one file has" {
	plant base/a.c 'struct reading {'
	plant os/b.c 'struct reading {'
	refused "src/os/b.c:1: struct reading is also in src/base/a.c:1"
}

@test "a prefix belongs to one layer" {
	plant base/a.c 'w_thing_new(void)'
	plant base/c.c 'w_thing_free(void)'
	plant os/b.c 'w_thing_open(void)'
	refused "src/os/b.c:1: the prefix w_thing_ belongs to base (src/base/a.c:1)"
}

@test "a folder has at most 40 files" {
	for i in $(seq 42); do plant "base/file_$i.c" ''; done
	refused "src/base: 42 files, 40 are the most"
}
