/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "run/result/json_output.h"

static struct w_run_result *
read_bytes(const char *text, size_t len)
{
	struct w_run_result *storage = w_run_result_new(NULL);

	assert_non_null(storage);
	storage->result.out[WRIT_STDOUT] = (writ_output){
	    .head = text, .head_len = len, .tail = "", .bytes = len};
	w_run_result_read_json(storage, 1 << 20);
	return storage;
}

static void
expect_json(const char *text, const char *json)
{
	struct w_run_result *storage = read_bytes(text, strlen(text));

	assert_null(storage->result.json_error);
	assert_non_null(storage->result.json_output);
	assert_string_equal(storage->result.json_output, json);
	w_run_result_free(storage);
}

static void
expect_error(const char *text, size_t len, const char *why)
{
	struct w_run_result *storage = read_bytes(text, len);

	assert_null(storage->result.json_output);
	assert_non_null(storage->result.json_error);
	if (strstr(storage->result.json_error, why) == NULL)
		fail_msg(
		    "'%s' is not in '%s'", why, storage->result.json_error);
	w_run_result_free(storage);
}

static void
one_value_stays_as_it_was_written(void **state)
{
	(void)state;
	expect_json("{\"a\": 1}\n", "{\"a\":1}");
	expect_json("[1, 2,\n 3]", "[1,2,3]");
	expect_json("\"a b\\n\\u0041\"", "\"a b\\n\\u0041\"");
	expect_json(" null ", "null");
	expect_json("{\"n\":12345678901234567890123,\"f\":1.10}",
	    "{\"n\":12345678901234567890123,\"f\":1.10}");
	expect_json("{\"q\":\"\\\" \\\\\" , \"b\":true}",
	    "{\"q\":\"\\\" \\\\\",\"b\":true}");
}

static void
a_value_on_each_line_is_an_array(void **state)
{
	(void)state;
	expect_json("{\"a\":1}\n{\"a\":2}\n", "[{\"a\":1},{\"a\":2}]");
	expect_json("{\"a\":1}\r\n\r\n{\"a\":2}\r\n", "[{\"a\":1},{\"a\":2}]");
	expect_json("\n\n1\n\n2", "[1,2]");
	/* One value that spans several lines is not. */
	expect_json("[\n1\n]\n", "[1]");
	expect_json("{\"a\":1}\n", "{\"a\":1}");
}

static void
what_is_no_json_is_told_with_its_place(void **state)
{
	(void)state;
	expect_error("hello\n", 6, "the output is not JSON: line 1, column 1:");
	expect_error("{\"a\": x}", 8, "line 1, column 7");
	expect_error("{\n\"a\": 1,\n}", 11, "line 2, column 7");
	expect_error("{}\n{}\nno\n", 9, "line 3, column 1");
	expect_error("{\"a\":1,\"a\":2}", 13, "'a'");
	expect_error("\"\xff\"", 3, "the output is not JSON");
	expect_error("1\0", 2, "the output is not JSON");
}

static void
empty_output_is_no_json(void **state)
{
	(void)state;
	expect_error("", 0, "the output is empty");
	expect_error(" \n\t\r\n", 5, "the output is empty");
}

static void
a_bomb_of_brackets_is_refused(void **state)
{
	static char text[100000];

	(void)state;
	memset(text, '[', sizeof(text));
	expect_error(text, sizeof(text), "nested deeper");
}

static void
output_that_was_cut_is_not_read(void **state)
{
	struct w_run_result *storage = w_run_result_new(NULL);

	(void)state;
	assert_non_null(storage);
	storage->result.out[WRIT_STDOUT] = (writ_output){.head = "[]",
	    .head_len = 2,
	    .tail = "",
	    .bytes = 3000000,
	    .truncated = true};
	w_run_result_read_json(storage, 1 << 20);
	assert_null(storage->result.json_output);
	assert_string_equal(storage->result.json_error,
	    "the output was longer than the limit of 1MiB");
	w_run_result_free(storage);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(one_value_stays_as_it_was_written),
	    cmocka_unit_test(a_value_on_each_line_is_an_array),
	    cmocka_unit_test(what_is_no_json_is_told_with_its_place),
	    cmocka_unit_test(empty_output_is_no_json),
	    cmocka_unit_test(a_bomb_of_brackets_is_refused),
	    cmocka_unit_test(output_that_was_cut_is_not_read),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
