/* SPDX-License-Identifier: Apache-2.0 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "base/grow.h"

static void
a_list_keeps_its_items_while_it_grows(void **state)
{
	int *items = NULL;
	size_t cap = 0;

	(void)state;
	for (size_t count = 0; count < 1000; count++) {
		assert_true(w_grow(&items, count, &cap));
		assert_true(cap > count);
		items[count] = (int)count;
	}
	for (int i = 0; i < 1000; i++)
		assert_int_equal(items[i], i);
	free(items);
}

static void
a_list_with_room_is_left_alone(void **state)
{
	int item = 7;
	int *items = &item;
	size_t cap = 1;

	(void)state;
	assert_true(w_grow(&items, 0, &cap));
	assert_ptr_equal(items, &item);
	assert_int_equal(cap, 1);
}

static void
a_size_that_overflows_leaves_the_list_unchanged(void **state)
{
	int item = 7;
	int *items = &item;
	size_t cap = SIZE_MAX / 2 + 1;

	(void)state;
	assert_false(w_grow(&items, cap, &cap));
	cap = SIZE_MAX / 4;
	assert_false(w_grow(&items, cap, &cap));
	assert_ptr_equal(items, &item);
	assert_int_equal(cap, SIZE_MAX / 4);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_list_keeps_its_items_while_it_grows),
	    cmocka_unit_test(a_list_with_room_is_left_alone),
	    cmocka_unit_test(a_size_that_overflows_leaves_the_list_unchanged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
