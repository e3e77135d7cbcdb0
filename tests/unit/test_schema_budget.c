/* SPDX-License-Identifier: Apache-2.0 */

/* How long a whole value may take, whatever the patterns of its schema. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/buf.h"
#include "schema/schema.h"

#define TEXT_MAX ((size_t)64 << 20)

/* A bound that a slow machine keeps too; without one it is a minute. */
#define CPU_MS_MAX 3000

static double
cpu_ms(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/* Appends PREFIX, number, SUFFIX so many times, with commas between. */
static void
add_many(
    struct w_buf *buf, size_t count, const char *prefix, const char *suffix)
{
	for (size_t i = 0; i < count; i++)
		w_buf_add_fmt(
		    buf, "%s%s%zu%s", i > 0 ? "," : "", prefix, i, suffix);
}

struct judged {
	writ_status status;
	bool is_valid;
	size_t problems;
	char message[sizeof(((writ_error *)NULL)->message)];
};

/* Judges in no more than the time that there is for it. */
static struct judged
judge(const struct w_buf *schema_text, const struct w_buf *value_text)
{
	W_AUTO_REPORT struct w_schema_report report = {.problems = NULL};
	yyjson_doc *schema_doc =
	    yyjson_read(schema_text->data, schema_text->len, 0);
	yyjson_doc *value_doc =
	    yyjson_read(value_text->data, value_text->len, 0);
	struct w_schema *schema = NULL;
	struct judged judged = {.is_valid = false};
	writ_error err = {0};

	assert_non_null(schema_doc);
	assert_non_null(value_doc);
	assert_int_equal(w_schema_compile(yyjson_doc_get_root(schema_doc), NULL,
			     &schema, NULL, &err),
	    WRIT_OK);
	const double before = cpu_ms();

	judged.status = w_schema_check(schema, yyjson_doc_get_root(value_doc),
	    &judged.is_valid, &report, &err);
	const double took = cpu_ms() - before;

	if (took > CPU_MS_MAX)
		fail_msg("took %.0f ms", took);
	judged.problems = report.count;
	memcpy(judged.message, err.message, sizeof(judged.message));
	w_schema_free(schema);
	yyjson_doc_free(value_doc);
	yyjson_doc_free(schema_doc);
	return judged;
}

/* So many patterns against so many keys, each of which ends with these. */
static struct judged
judge_keys(size_t patterns, const char *pattern, size_t keys, const char *end)
{
	W_AUTO_BUF struct w_buf schema;
	W_AUTO_BUF struct w_buf value;
	char suffix[256];

	w_buf_init(&schema, TEXT_MAX);
	w_buf_init(&value, TEXT_MAX);
	(void)snprintf(suffix, sizeof(suffix), "%s\":{}", pattern);
	w_buf_add_str(&schema, "{\"patternProperties\":{");
	add_many(&schema, patterns, "\"^", suffix);
	w_buf_add_str(&schema, "}}");
	(void)snprintf(suffix, sizeof(suffix), "%s\":1", end);
	w_buf_add_str(&value, "{");
	add_many(&value, keys, "\"", suffix);
	w_buf_add_str(&value, "}");
	assert_false(schema.failed || value.failed);
	return judge(&schema, &value);
}

static void
patterns_that_are_slow_each_are_not_all_tried(void **state)
{
	struct judged judged = judge_keys(200, "?[0-9]*(a|a)*$", 200,
	    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab");

	(void)state;
	assert_int_equal(judged.status, WRIT_E_INVALID);
	assert_non_null(strstr(judged.message, "cannot be judged"));
}

/* Each of them ends within its own limit. */
static void
patterns_that_are_slow_together_have_a_limit_together(void **state)
{
	struct judged judged =
	    judge_keys(200, "?[0-9]*(a|a)*$", 200, "aaaaaaaaaaab");

	(void)state;
	assert_int_equal(judged.status, WRIT_E_INVALID);
	assert_non_null(strstr(judged.message, "cannot be judged"));
	assert_non_null(strstr(judged.message, "patterns"));
}

static void
thousands_of_short_texts_are_judged(void **state)
{
	struct judged judged =
	    judge_keys(50, "?[0-9]*[a-z][a-z0-9-]*[a-z]$", 2000, "some-name");

	(void)state;
	assert_int_equal(judged.status, WRIT_OK);
	assert_true(judged.is_valid);
}

static void
the_limit_grows_with_the_number_of_values(void **state)
{
	W_AUTO_BUF struct w_buf schema;
	W_AUTO_BUF struct w_buf value;

	(void)state;
	w_buf_init(&schema, TEXT_MAX);
	w_buf_init(&value, TEXT_MAX);
	w_buf_add_str(&schema,
	    "{\"items\":{\"pattern\":\"^[0-9]+(-[a-z]+)*[.][a-z]+$\"}}");
	w_buf_add_str(&value, "[");
	add_many(&value, 1000000, "\"", "-some-name.text\"");
	w_buf_add_str(&value, ",\"Bad\"]");
	assert_false(value.failed);
	struct judged judged = judge(&schema, &value);

	assert_int_equal(judged.status, WRIT_OK);
	assert_false(judged.is_valid);
	assert_int_equal(judged.problems, 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(patterns_that_are_slow_each_are_not_all_tried),
	    cmocka_unit_test(
		patterns_that_are_slow_together_have_a_limit_together),
	    cmocka_unit_test(thousands_of_short_texts_are_judged),
	    cmocka_unit_test(the_limit_grows_with_the_number_of_values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
