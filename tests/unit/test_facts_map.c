/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "factual.h"

static struct w_arena arena;
static struct w_fact_map map;

static int
set_up(void **state)
{
	(void)state;
	w_fact_map_init(&map, &arena);
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	w_arena_done(&arena);
	return 0;
}

static void
members_keep_their_order(void **state)
{
	struct w_fact_map inner, empty;

	(void)state;
	w_fact_map_init(&inner, &arena);
	w_fact_map_init(&empty, &arena);
	for (uint64_t i = 0; i < 20; i++)
		w_fact_add_int(&inner, "n", i);
	w_fact_add_string(&map, "b", "text");
	w_fact_add_bool(&map, "a", true);
	w_fact_add_map(&map, "none", &empty);
	w_fact_add_list(&map, "list", &inner);
	w_fact_add_list(&map, "nothing", &empty);
	inner.count = 1;
	w_fact_add_map(&map, "map", &inner);
	expect_map(&map,
	    "{\"b\":\"text\",\"a\":true,\"list\":[0,1,2,3,4,5,6,7,8,9,10,"
	    "11,12,13,14,15,16,17,18,19],\"nothing\":[],"
	    "\"map\":{\"n\":0}}");
}

static void
what_can_be_no_value_is_left_out(void **state)
{
	(void)state;
	w_fact_add_string(&map, "null", NULL);
	w_fact_add_string(&map, "bytes", "\xff");
	w_fact_add_text(&map, "nul", "a\0b", 3);
	w_fact_add_int(&map, "large", UINT64_MAX);
	expect_map(&map, "{}");
}

#define FRESH(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    FRESH(members_keep_their_order),
	    FRESH(what_can_be_no_value_is_left_out),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
