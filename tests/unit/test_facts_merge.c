/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "data/json.h"
#include "factual.h"
#include "manifest/facts/facts.h"

static struct w_arena arena;

static int
tear_down(void **state)
{
	(void)state;
	w_arena_done(&arena);
	return 0;
}

static struct w_value
value_of(const char *text)
{
	const struct w_json_limits limits = {
	    .bytes_max = 100000, .depth_max = 60};
	struct w_json *json = NULL;
	struct w_value value;

	assert_int_equal(
	    w_json_read(text, strlen(text), &limits, &json, NULL), WRIT_OK);
	assert_int_equal(
	    w_value_from_json(&arena, w_json_root(json), &value, NULL),
	    WRIT_OK);
	w_json_free(json);
	return value;
}

static void
expect_merged(const char *under, const char *over, const char *expected)
{
	const struct w_value low = value_of(under);
	const struct w_value high = value_of(over);
	struct w_value merged;

	assert_int_equal(
	    w_facts_merge(&arena, &low, &high, &merged, NULL), WRIT_OK);
	expect_json(&merged, expected);
	/* The original is unchanged. */
	expect_json(&low, under);
	expect_json(&high, over);
}

static void
maps_are_merged_and_all_else_replaced(void **state)
{
	(void)state;
	expect_merged("{}", "{}", "{}");
	expect_merged("{\"a\":1}", "{}", "{\"a\":1}");
	expect_merged("{}", "{\"a\":1}", "{\"a\":1}");
	expect_merged("{\"a\":{\"b\":1,\"c\":2},\"d\":[1,2]}",
	    "{\"a\":{\"c\":{\"x\":1},\"e\":null},\"d\":[3]}",
	    "{\"a\":{\"b\":1,\"c\":{\"x\":1},\"e\":null},\"d\":[3]}");
	expect_merged("{\"a\":{\"b\":1}}", "{\"a\":\"x\"}", "{\"a\":\"x\"}");
}

static void
large_maps_are_merged_too(void **state)
{
	(void)state;
	expect_merged("{\"a\":0,\"b\":1,\"c\":2,\"d\":3,\"e\":4,\"f\":5,"
		      "\"g\":6,\"h\":7,\"i\":{\"x\":8},\"j\":9}",
	    "{\"k\":10,\"i\":{\"y\":1},\"a\":true}",
	    "{\"a\":true,\"b\":1,\"c\":2,\"d\":3,\"e\":4,\"f\":5,"
	    "\"g\":6,\"h\":7,\"i\":{\"x\":8,\"y\":1},\"j\":9,\"k\":10}");
}

static void
expect_set(const char *assignment, const char *expected)
{
	const struct w_value under = value_of("{\"a\":{\"b\":1},\"c\":2}");
	struct w_value set;

	assert_int_equal(
	    w_facts_set(&arena, &under, assignment, &set, NULL), WRIT_OK);
	expect_json(&set, expected);
}

static void
an_assignment_sets_one(void **state)
{
	(void)state;
	expect_set("a.b=x", "{\"a\":{\"b\":\"x\"},\"c\":2}");
	expect_set("a.d.e=", "{\"a\":{\"b\":1,\"d\":{\"e\":\"\"}},\"c\":2}");
	expect_set("c.x=1", "{\"a\":{\"b\":1},\"c\":{\"x\":1}}");
	expect_set("a=b=c", "{\"a\":\"b=c\",\"c\":2}");
}

static void
numbers_and_truth_are_known(void **state)
{
	(void)state;
	expect_set("a=12", "{\"a\":12,\"c\":2}");
	expect_set("a=-1.5", "{\"a\":-1.5,\"c\":2}");
	expect_set("a=true", "{\"a\":true,\"c\":2}");
	expect_set("a=false", "{\"a\":false,\"c\":2}");
	/* Each of these would be written differently. */
	expect_set("a=1.10", "{\"a\":\"1.10\",\"c\":2}");
	expect_set("a=007", "{\"a\":\"007\",\"c\":2}");
	expect_set("a=1e3", "{\"a\":\"1e3\",\"c\":2}");
	expect_set("a=truely", "{\"a\":\"truely\",\"c\":2}");
	expect_set("a=null", "{\"a\":\"null\",\"c\":2}");
	expect_set("a=1 2", "{\"a\":\"1 2\",\"c\":2}");
}

static void
what_is_no_assignment_is_refused(void **state)
{
	static const char *const bad[] = {"", "a", "=1", ".=1", "a.=1", ".a=1",
	    "a..b=1", "a=\xff", "\xff=1",
	    ("a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a"
	     "=1")};
	const struct w_value under = {.kind = W_VALUE_MAP};
	struct w_value set;
	writ_error err;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_int_equal(
		    w_facts_set(&arena, &under, bad[i], &set, &err),
		    WRIT_E_INVALID);
}

#define FRESH(test) cmocka_unit_test_setup_teardown(test, NULL, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    FRESH(maps_are_merged_and_all_else_replaced),
	    FRESH(large_maps_are_merged_too),
	    FRESH(an_assignment_sets_one),
	    FRESH(numbers_and_truth_are_known),
	    FRESH(what_is_no_assignment_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
