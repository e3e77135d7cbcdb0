#!/usr/bin/env bats
# tools/check-child-symbols finds what it is there to find.

# archive SOURCE: lib.a, made of that text
archive() {
	cd "$BATS_TEST_TMPDIR" || return
	printf '%s\n' "$1" | cc -x c -O2 -fno-stack-protector -c -o child.o -
	rm -f lib.a
	ar rc lib.a child.o
}

symbols() {
	run "$WRIT_SOURCE/tools/check-child-symbols" lib.a
}

@test "code that calls nothing passes" {
	archive 'static int one(void) { return 1; } int two(void) { return one() + 1; }'
	symbols
	[ "$status" -eq 0 ]
}

@test "a call of the C library is found and named" {
	archive 'int puts(const char *); int main(void) { return puts("x"); }'
	symbols
	[ "$status" -ne 0 ]
	[ "$output" = "the child half may not use: puts " ]
}

@test "even errno is found" {
	archive '#include <errno.h>
int get(void); int get(void) { return errno; }'
	symbols
	[ "$status" -ne 0 ]
	[[ $output == *__errno_location* ]]
}

@test "an empty archive is not taken for a clean one" {
	archive ''
	symbols
	[ "$status" -ne 0 ]
}
