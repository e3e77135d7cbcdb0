/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "inject.h"
#include "schema/schema.h"

/*
 * Every allocation fails once, of compiling a schema and of judging by it. No
 * value is ever valid for want of memory. What leaks is found by the address
 * sanitizer, in a build that has it.
 */

static const char schema_text[] =
    "{\"$id\":\"http://x/y\",\"type\":\"object\",\"properties\":{"
    "\"list\":{\"uniqueItems\":true,\"items\":{\"$ref\":\"#/$defs/a\"}},"
    "\"meta\":{\"$ref\":\"http://json-schema.org/draft-07/schema#\"},"
    "\"b\":{\"$ref\":\"#anchor\"}},\"patternProperties\":{\"^x\":{}},"
    "\"required\":[\"needed\"],\"unevaluatedProperties\":false,"
    "\"dependentRequired\":{\"b\":[\"c\"]},"
    "\"$defs\":{\"a\":{\"anyOf\":[{\"type\":\"string\"},{\"minimum\":5}]},"
    "\"b\":{\"$anchor\":\"anchor\",\"enum\":[\"one\",\"two\"]}}}";

static const char value_text[] =
    "{\"list\":[1,2,3,4,5,6,7,8,9,10,11,12,1],\"b\":\"too\",\"x1\":1,"
    "\"meta\":{\"type\":5},\"unknwon\":{}}";

static yyjson_doc *schema_doc;
static yyjson_doc *value_doc;

static int
set_up(void **state)
{
	(void)state;
	schema_doc = yyjson_read(schema_text, strlen(schema_text), 0);
	value_doc = yyjson_read(value_text, strlen(value_text), 0);
	assert_non_null(schema_doc);
	assert_non_null(value_doc);
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	yyjson_doc_free(schema_doc);
	yyjson_doc_free(value_doc);
	return 0;
}

static writ_status
judge(size_t *out_count, writ_error *err)
{
	W_AUTO_REPORT struct w_schema_report report = {.problems = NULL};
	struct w_schema *schema = NULL;
	bool is_valid = true;
	writ_status status = w_schema_compile(
	    yyjson_doc_get_root(schema_doc), NULL, &schema, NULL, err);

	if (status != WRIT_OK) {
		assert_null(schema);
		return status;
	}
	status = w_schema_check(
	    schema, yyjson_doc_get_root(value_doc), &is_valid, &report, err);
	w_schema_free(schema);
	if (status != WRIT_OK)
		return status;
	assert_false(is_valid);
	*out_count = report.count;
	return WRIT_OK;
}

static void
without_memory_nothing_is_valid(void **state)
{
	bool was_hit = true;
	size_t whole = 0;

	(void)state;
	assert_int_equal(judge(&whole, NULL), WRIT_OK);
	assert_true(whole > 5);
	for (unsigned nth = 1; was_hit; nth++) {
		writ_error err = {0};
		size_t count = 0;

		inject_arm("allocation", nth, 1, ENOMEM);
		writ_status status = judge(&count, &err);
		was_hit = inject_disarm();
		if (status == WRIT_OK) {
			assert_int_equal(count, whole);
		} else {
			assert_true(was_hit);
			assert_true(err.message[0] != '\0');
			/* A match without memory has no answer. */
			assert_true(status == WRIT_E_NOMEM ||
				    strstr(err.message, "too much memory"));
		}
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(without_memory_nothing_is_valid),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
