/* SPDX-License-Identifier: Apache-2.0 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/arena.h"

static void
memory_is_zeroed_also_after_a_reset(void **state)
{
	struct w_arena arena = {.chunks = NULL};
	static const char zeros[1000];

	(void)state;
	for (int round = 0; round < 3; round++) {
		for (int i = 0; i < 20; i++) {
			char *bytes = w_arena_alloc(&arena, 1000, 1);

			assert_non_null(bytes);
			assert_memory_equal(bytes, zeros, sizeof(zeros));
			memset(bytes, 0xff, sizeof(zeros));
		}
		w_arena_reset(&arena);
	}
	w_arena_done(&arena);
}

static void
reset_keeps_a_chunk_for_what_comes_next(void **state)
{
	struct w_arena arena = {.chunks = NULL};

	(void)state;
	char *first = w_arena_alloc(&arena, 16, 1);
	assert_non_null(w_arena_alloc(&arena, 100000, 1));
	w_arena_reset(&arena);
	assert_ptr_equal(w_arena_alloc(&arena, 16, 1), first);
	w_arena_done(&arena);
}

static void
reset_of_an_arena_with_large_things_alone_is_empty(void **state)
{
	struct w_arena arena = {.chunks = NULL};

	(void)state;
	w_arena_reset(&arena);
	assert_non_null(w_arena_alloc(&arena, 100000, 1));
	w_arena_reset(&arena);
	assert_null(arena.chunks);
	assert_string_equal(w_arena_text(&arena, "abc", 2), "ab");
	w_arena_done(&arena);
}

static void
sizes_that_cannot_be_are_refused(void **state)
{
	struct w_arena arena = {.chunks = NULL};

	(void)state;
	assert_null(w_arena_alloc(&arena, SIZE_MAX / 2, 4));
	assert_null(w_arena_alloc(&arena, SIZE_MAX, 1));
	w_arena_done(&arena);
}

static void
nothing_is_not_the_end_of_memory(void **state)
{
	struct w_arena arena = {.chunks = NULL};

	(void)state;
	assert_non_null(w_arena_alloc(&arena, 0, 8));
	w_arena_done(&arena);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(memory_is_zeroed_also_after_a_reset),
	    cmocka_unit_test(reset_keeps_a_chunk_for_what_comes_next),
	    cmocka_unit_test(
		reset_of_an_arena_with_large_things_alone_is_empty),
	    cmocka_unit_test(sizes_that_cannot_be_are_refused),
	    cmocka_unit_test(nothing_is_not_the_end_of_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
