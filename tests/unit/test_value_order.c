/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "expressions.h"

static struct w_value
integer(int64_t value)
{
	return (struct w_value){.kind = W_VALUE_INT, .as.integer = value};
}

static struct w_value
number(double value)
{
	return (struct w_value){.kind = W_VALUE_FLOAT, .as.number = value};
}

static int
sign(int value)
{
	return (value > 0) - (value < 0);
}

static void
numbers_are_ordered_exactly(void **state)
{
	const struct {
		struct w_value a;
		struct w_value b;
		int way;
	} cases[] = {
	    {integer(1), integer(2), -1},
	    {integer(2), number(2), 0},
	    {integer(2), number(2.5), -1},
	    {integer(-2), number(-2.5), 1},
	    {integer(INT64_MAX), number(9223372036854775808.0), -1},
	    {integer(INT64_MIN), number(-9223372036854775808.0), 0},
	    {integer(INT64_C(9007199254740993)), number(9007199254740992.0), 1},
	    {number(-1e300), integer(INT64_MIN), -1},
	    {number(0.5), number(0.25), 1},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(
		    sign(w_value_order_numbers(&cases[i].a, &cases[i].b)),
		    cases[i].way);
		assert_int_equal(
		    sign(w_value_order_numbers(&cases[i].b, &cases[i].a)),
		    -cases[i].way);
	}
}

static void
equality_costs_what_it_looks_at(void **state)
{
	struct w_arena arena = {0};
	struct w_value a = expressing_json(&arena, "[1,[2,3],{\"a\":\"b\"}]");
	struct w_value b =
	    expressing_json(&arena, "[1.0,[2,3.0],{\"a\":\"b\"}]");
	struct w_value c = expressing_json(&arena, "[1,[2,4],{\"a\":\"b\"}]");
	size_t cost = 0;

	(void)state;
	assert_true(w_value_equal(&a, &b, &cost));
	assert_true(cost >= 7);
	assert_false(w_value_equal(&a, &c, &cost));
	assert_false(w_value_equal(&a, &a.as.list.items[0], &cost));
	w_arena_done(&arena);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(numbers_are_ordered_exactly),
	    cmocka_unit_test(equality_costs_what_it_looks_at),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
