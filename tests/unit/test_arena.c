/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"

static void
nothing_is_not_the_lack_of_memory(void **state)
{
	struct w_arena arena = {0};

	(void)state;
	assert_non_null(w_arena_alloc(&arena, 0, 8));
	assert_non_null(w_arena_alloc(&arena, 8, 0));
	assert_non_null(w_arena_text(&arena, NULL, 0));
	w_arena_done(&arena);
}

static void
memory_is_zeroed_aligned_and_apart(void **state)
{
	struct w_arena arena = {0};
	char *last = NULL;

	(void)state;
	for (size_t i = 1; i < 5000; i += 7) {
		char *memory = w_arena_alloc(&arena, i, 1);

		assert_non_null(memory);
		assert_int_equal((uintptr_t)memory % 16, 0);
		for (size_t at = 0; at < i; at++)
			assert_int_equal(memory[at], 0);
		memory[0] = 'x';
		memory[i - 1] = 'x';
		assert_ptr_not_equal(memory, last);
		last = memory;
	}
	assert_string_equal(w_arena_text(&arena, "abc", 2), "ab");
	w_arena_done(&arena);
	assert_null(arena.chunks);
}

static void
too_much_is_refused(void **state)
{
	struct w_arena arena = {0};

	(void)state;
	assert_null(w_arena_alloc(&arena, SIZE_MAX, 2));
	assert_null(w_arena_alloc(&arena, SIZE_MAX, 1));
	w_arena_done(&arena);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(nothing_is_not_the_lack_of_memory),
	    cmocka_unit_test(memory_is_zeroed_aligned_and_apart),
	    cmocka_unit_test(too_much_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
