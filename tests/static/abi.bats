#!/usr/bin/env bats
# bats file_tags=anyone
# What a later version of the library may not break: tools/abi, tests/abi.txt.

setup() {
	[[ $(uname -m) == x86_64 ]] || skip "the list is that of x86_64"
	libraries=("$WRIT_BUILD"/src/libwrit{,-mcp,-manifest}.so)
	[[ -e ${libraries[0]} && -e ${libraries[1]} && -e ${libraries[2]} ]] || skip "this build has no shared libraries"
	list=$BATS_TEST_TMPDIR/tree/tests/abi.txt
	mkdir -p "$BATS_TEST_TMPDIR/tree/tools" "$BATS_TEST_TMPDIR/tree/tests"
	cp "$WRIT_SOURCE/tools/abi" "$BATS_TEST_TMPDIR/tree/tools"
	cp -r "$WRIT_SOURCE/include" "$BATS_TEST_TMPDIR/tree"
	cp "$WRIT_SOURCE/tests/abi.txt" "$list"
}

check() { run "$BATS_TEST_TMPDIR/tree/tools/abi" --check "${libraries[@]}"; }

@test "nothing of the library's interface is gone or has moved" {
	check
	[ "$status" -eq 0 ] || { echo "$output" >&2; false; }
}

@test "what is gone, has moved or has become smaller is told" {
	echo 'symbol writ_that_was' >>"$list"
	check
	[ "$status" -ne 0 ]
	[[ $output == *"gone: symbol writ_that_was"* ]]
	cp "$WRIT_SOURCE/tests/abi.txt" "$list"
	sed -i 's/^struct writ_request.cwd .*/struct writ_request.cwd 8/' "$list"
	check
	[ "$status" -ne 0 ]
	[[ $output == *"moved: struct writ_request.cwd 8"* ]]
	cp "$WRIT_SOURCE/tests/abi.txt" "$list"
	sed -i 's/^struct writ_request [0-9]*/struct writ_request 9999/' "$list"
	check
	[ "$status" -ne 0 ]
	[[ $output == *"smaller: struct writ_request 9999"* ]]
}

@test "what is new is told, and is no failure" {
	sed -i '/symbol writ_run$/d' "$list"
	check
	[ "$status" -eq 0 ]
	[[ $output == *"new: symbol writ_run"* ]]
}
