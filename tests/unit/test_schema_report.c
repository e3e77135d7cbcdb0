/* SPDX-License-Identifier: Apache-2.0 */

/* Messages about invalid values. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/encode.h"
#include "schema/schema.h"

static yyjson_doc *
read_doc(const char *text)
{
	yyjson_read_err why = {0};
	yyjson_doc *doc = yyjson_read_opts((char *)(uintptr_t)text,
	    strlen(text), YYJSON_READ_BIGNUM_AS_RAW, NULL, &why);

	if (doc == NULL)
		print_error("%s: %s\n", text, why.msg);
	assert_non_null(doc);
	return doc;
}

/* One line for each problem: PLACE: MESSAGE (SCHEMA) [SUGGESTION]. */
static char *
explain(const char *schema_text, const char *value_text)
{
	W_AUTO_REPORT struct w_schema_report report = {.problems = NULL};
	const struct w_schema_options options = {.formats = true};
	yyjson_doc *schema_doc = read_doc(schema_text);
	yyjson_doc *value_doc = read_doc(value_text);
	struct w_schema *schema = NULL;
	writ_error err = {0};
	struct w_buf buf;
	bool is_valid = false;

	w_buf_init(&buf, 65536);
	writ_status status = w_schema_compile(
	    yyjson_doc_get_root(schema_doc), &options, &schema, NULL, &err);
	if (status != WRIT_OK)
		print_error("%s: %s\n", schema_text, err.message);
	assert_int_equal(status, WRIT_OK);
	assert_int_equal(w_schema_check(schema, yyjson_doc_get_root(value_doc),
			     &is_valid, &report, &err),
	    WRIT_OK);
	assert_int_equal(is_valid, report.count == 0);
	w_buf_add_str(&buf, is_valid ? "valid" : "");
	for (size_t i = 0; i < report.count; i++) {
		const struct w_schema_problem *problem = &report.problems[i];
		assert_true(
		    w_utf8_valid(problem->message, strlen(problem->message)));
		w_buf_add_fmt(&buf, "%s%s: %s (%s)%s%s%s", i > 0 ? "\n" : "",
		    problem->instance, problem->message, problem->schema,
		    problem->suggestion != NULL ? " [" : "",
		    problem->suggestion != NULL ? problem->suggestion : "",
		    problem->suggestion != NULL ? "]" : "");
	}
	w_schema_free(schema);
	yyjson_doc_free(schema_doc);
	yyjson_doc_free(value_doc);
	return w_buf_take(&buf, NULL);
}

struct saying {
	const char *schema;
	const char *value;
	const char *report;
};

static void
check_sayings(const struct saying *sayings, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		char *report = explain(sayings[i].schema, sayings[i].value);
		assert_non_null(report);
		assert_string_equal(report, sayings[i].report);
		free(report);
	}
}

#define CHECK_SAYINGS(sayings) \
	check_sayings(sayings, sizeof(sayings) / sizeof((sayings)[0]))

static void
every_keyword_has_its_sentence(void **state)
{
	static const struct saying sayings[] = {
	    {"false", "1", ": nothing may be here, got 1 ()"},
	    {"{\"type\":\"integer\"}", "\"five\"",
		": expected an integer, got \"five\" (/type)"},
	    {"{\"type\":[\"null\",\"string\",\"integer\"]}", "[1,2]",
		": expected a string, an integer or null, got [1,2] (/type)"},
	    {"{\"type\":[\"integer\",\"number\"]}", "{}",
		": expected a number, got {} (/type)"},
	    {"{\"const\":{\"a\":1}}", "[]",
		": must be {\"a\":1}, got [] (/const)"},
	    {"{\"enum\":[\"a\",\"b\"]}", "\"c\"",
		": must be one of \"a\", \"b\", got \"c\" (/enum)"},
	    {"{\"enum\":[7]}", "8", ": must be 7, got 8 (/enum)"},
	    {"{\"enum\":[]}", "8", ": no value is allowed, got 8 (/enum)"},
	    {"{\"enum\":[\"always\",\"never\"]}", "\"alwys\"",
		": must be one of \"always\", \"never\", got \"alwys\" "
		"(/enum) [did you mean 'always'?]"},
	    {"{\"minimum\":1}", "0", ": must be at least 1, got 0 (/minimum)"},
	    {"{\"maximum\":1.5}", "2",
		": must be at most 1.5, got 2 (/maximum)"},
	    {"{\"exclusiveMinimum\":1}", "1",
		": must be more than 1, got 1 (/exclusiveMinimum)"},
	    {"{\"exclusiveMaximum\":1}", "1.0",
		": must be less than 1, got 1.0 (/exclusiveMaximum)"},
	    {"{\"multipleOf\":0.01}", "19.999",
		": must be a multiple of 0.01, got 19.999 (/multipleOf)"},
	    {"{\"minLength\":1}", "\"\"", ": must not be empty (/minLength)"},
	    {"{\"minLength\":3}", "\"\\u00e4b\"",
		": must have at least 3 characters, got 2 (/minLength)"},
	    {"{\"maxLength\":1}", "\"ab\"",
		": must have at most 1 character, got 2 (/maxLength)"},
	    {"{\"pattern\":\"^[a-z]+$\"}", "\"X1\"",
		": must match the pattern \"^[a-z]+$\", got \"X1\" "
		"(/pattern)"},
	    {"{\"format\":\"date\"}", "\"today\"",
		": must have the format 'date', got \"today\" (/format)"},
	    {"{\"minItems\":2}", "[1]",
		": must have at least 2 items, got 1 (/minItems)"},
	    {"{\"maxItems\":0}", "[1]",
		": must have at most 0 items, got 1 (/maxItems)"},
	    {"{\"uniqueItems\":true}", "[1,2,1.0]",
		"/2: every item must be there once, but 1.0 is there again "
		"(/uniqueItems)"},
	    {"{\"contains\":{\"type\":\"string\"}}", "[1]",
		": no item is what one of them must be: {\"type\":\"string\"} "
		"(/contains)"},
	    {"{\"contains\":true,\"minContains\":2}", "[1]",
		": at least 2 items must fit 'contains', 1 does "
		"(/minContains)"},
	    {"{\"contains\":true,\"maxContains\":1}", "[1,2]",
		": at most 1 item may fit 'contains', 2 do (/maxContains)"},
	    {"{\"items\":false}", "[1]",
		"/0: the array must be empty, got 1 (/items)"},
	    {"{\"prefixItems\":[true],\"items\":false}", "[1,\"x\"]",
		"/1: there may be no more than 1 item, got \"x\" (/items)"},
	    {"{\"unevaluatedItems\":false}", "[1]",
		"/0: this item is not expected, got 1 (/unevaluatedItems)"},
	    {"{\"minProperties\":1}", "{}",
		": must not be empty (/minProperties)"},
	    {"{\"maxProperties\":1}", "{\"a\":1,\"b\":2}",
		": must have at most 1 key, got 2 (/maxProperties)"},
	    {"{\"required\":[\"path\"]}", "{}",
		": missing key 'path' (/required)"},
	    {"{\"dependentRequired\":{\"a\":[\"b\"]}}", "{\"a\":1}",
		": missing key 'b', which the key 'a' needs "
		"(/dependentRequired)"},
	    {"{\"properties\":{\"a\":false}}", "{\"a\":1}",
		": the key 'a' may not be here (/properties/a)"},
	    {"{\"propertyNames\":{\"maxLength\":3}}", "{\"abcd\":1}",
		": the key 'abcd' is not allowed: must have at most 3 "
		"characters, got 4 (/propertyNames)"},
	    {"{\"not\":{\"type\":\"string\"}}", "\"s\"",
		": not valid here: \"s\" fits what it must not: "
		"{\"type\":\"string\"} (/not)"},
	    {"{\"if\":{\"type\":\"integer\"},\"then\":{\"minimum\":5}}", "3",
		": must be at least 5, got 3 (/then/minimum)"},
	};

	(void)state;
	CHECK_SAYINGS(sayings);
}

static void
unknown_keys_are_named_with_what_is_near(void **state)
{
	static const struct saying sayings[] = {
	    {"{\"properties\":{\"count\":{}},\"additionalProperties\":false}",
		"{\"cuont\":1}",
		": unknown key 'cuont' (/additionalProperties) [did you mean "
		"'count'?]"},
	    {"{\"allOf\":[{\"$ref\":\"#/$defs/a\"}],"
	     "\"unevaluatedProperties\":false,"
	     "\"$defs\":{\"a\":{\"properties\":{\"verbose\":{}}}}}",
		"{\"verbsoe\":1,\"verbose\":2}",
		": unknown key 'verbsoe' (/unevaluatedProperties) [did you "
		"mean 'verbose'?]"},
	    {"{\"additionalProperties\":false}", "{\"a\":1}",
		": unknown key 'a' (/additionalProperties)"},
	};

	(void)state;
	CHECK_SAYINGS(sayings);
}

static void
alternatives_are_explained_by_the_nearest(void **state)
{
	static const struct saying sayings[] = {
	    /* Only the types are wrong. */
	    {"{\"anyOf\":[{\"type\":\"integer\"},{\"type\":\"null\"}]}",
		"\"x\"", ": expected an integer or null, got \"x\" (/anyOf)"},
	    /* One alternative is for this type. */
	    {"{\"anyOf\":[{\"type\":\"integer\",\"minimum\":1},"
	     "{\"type\":\"null\"}]}",
		"0", ": must be at least 1, got 0 (/anyOf/0/minimum)"},
	    /* One alternative is of the right kind. */
	    {"{\"oneOf\":[{\"properties\":{\"kind\":{\"const\":\"a\"}}},"
	     "{\"properties\":{\"kind\":{\"const\":\"b\"}},"
	     "\"required\":[\"x\",\"y\"]}]}",
		"{\"kind\":\"b\"}",
		": missing key 'x' (/oneOf/1/required)\n"
		": missing key 'y' (/oneOf/1/required)"},
	    {"{\"anyOf\":[{\"required\":[\"a\",\"b\"]},{\"properties\":{"
	     "\"c\":{\"type\":\"string\"}}}]}",
		"{\"c\":1}",
		": fits none of 2 alternatives; the nearest is number 2: /c: "
		"expected a string, got 1 (/anyOf)"},
	    {"{\"oneOf\":[{\"type\":\"integer\"},{\"minimum\":2}]}", "3",
		": must fit one alternative only, but fits number 1 and "
		"number 2 (/oneOf)"},
	};

	(void)state;
	CHECK_SAYINGS(sayings);
}

static void
all_problems_come_in_the_order_of_the_value(void **state)
{
	static const struct saying sayings[] = {
	    {"{\"required\":[\"z\"],\"properties\":{\"a\":{\"type\":"
	     "\"string\"},\"b\":{\"items\":{\"minimum\":2}}}}",
		"{\"b\":[1,3,0],\"a\":null}",
		": missing key 'z' (/required)\n"
		"/b/0: must be at least 2, got 1 "
		"(/properties/b/items/minimum)\n"
		"/b/2: must be at least 2, got 0 "
		"(/properties/b/items/minimum)\n"
		"/a: expected a string, got null (/properties/a/type)"},
	    /* The same error from two schemas is reported once. */
	    {"{\"allOf\":[{\"required\":[\"a\"]},{\"required\":[\"a\"]}]}",
		"{}", ": missing key 'a' (/allOf/0/required)"},
	    {"{\"properties\":{\"a/b\":{\"properties\":{\"c~d\":{\"type\":"
	     "\"string\"}}}}}",
		"{\"a/b\":{\"c~d\":1}}",
		"/a~1b/c~0d: expected a string, got 1 "
		"(/properties/a~1b/properties/c~0d/type)"},
	    {"{\"$ref\":\"https://json-schema.org/draft/2020-12/schema\"}",
		"{\"minLength\":-1}",
		"/minLength: must be at least 0, got -1 "
		"(https://json-schema.org/draft/2020-12/meta/validation#"
		"/$defs/nonNegativeInteger/minimum)"},
	};

	(void)state;
	CHECK_SAYINGS(sayings);
}

static void
values_are_shown_short_and_harmless(void **state)
{
	static const struct saying sayings[] = {
	    {"{\"type\":\"null\"}",
		"\"\\u001b[31m\\u202e\\u0085\\u2028\\n\\\"\"",
		": expected null, got "
		"\"\\u001b[31m\\u202e\\u0085\\u2028\\n\\\"\" (/type)"},
	    {"{\"type\":\"null\"}",
		"\"0123456789012345678901234567890123456789012345678901234567"
		"8\\u00e4901\"",
		": expected null, got \"0123456789012345678901234567890123456"
		"789012345678901234567" /* the character is not split */
		"8\"... (/type)"},
	    {"{\"type\":\"null\"}", "[1,2,3,4,5,6,7,8,9,10,11,12,13]",
		": expected null, got an array of 13 items (/type)"},
	    {"{\"type\":\"null\"}",
		"{\"a\":{\"b\":[1,2,3,4,5,6,7,8,9,10,11,12,13]}}",
		": expected null, got an object with 1 key (/type)"},
	    {"{\"additionalProperties\":false}", "{\"\\u001b[2J\":1}",
		": unknown key '\\u001b[2J' (/additionalProperties)"},
	};

	(void)state;
	CHECK_SAYINGS(sayings);
}

static void
numbers_of_any_size_are_numbers(void **state)
{
	static const struct saying sayings[] = {
	    {"{\"type\":\"integer\"}", "123456789012345678901234567890",
		"valid"},
	    {"{\"type\":\"integer\"}", "1e400", "valid"},
	    {"{\"type\":\"number\",\"minimum\":3}",
		"123456789012345678901234567890", "valid"},
	    {"{\"type\":\"integer\"}", "1.5",
		": expected an integer, got 1.5 (/type)"},
	    {"{\"type\":\"integer\"}", "1.0", "valid"},
	    {"{\"maximum\":3}", "123456789012345678901234567890",
		": must be at most 3, got 123456789012345678901234567890 "
		"(/maximum)"},
	    {"{\"minimum\":3}", "-1e400",
		": must be at least 3, got -1e400 (/minimum)"},
	    {"{\"const\":1e400}", "10e399", "valid"},
	    {"{\"const\":1e400}", "-1e400",
		": must be 1e400, got -1e400 (/const)"},
	    {"{\"const\":20000000000000000000}", "2e19", "valid"},
	    {"{\"multipleOf\":7}", "70000000000000000000000000000007", "valid"},
	    {"{\"multipleOf\":7}", "70000000000000000000000000000008",
		": must be a multiple of 7, got "
		"70000000000000000000000000000008 (/multipleOf)"},
	    {"{\"multipleOf\":0.1}", "0.3", "valid"},
	    {"{\"multipleOf\":0.01}", "19.99", "valid"},
	    {"{\"multipleOf\":18446744073709551615}", "18446744073709551615",
		"valid"},
	    {"{\"multipleOf\":2}", "-9223372036854775808", "valid"},
	    {"{\"uniqueItems\":true}",
		"[1,2,3,4,5,6,7,8,9,20000000000000000000,2e19]",
		"/10: every item must be there once, but "
		"20000000000000000000.0 is there again "
		"(/uniqueItems)"},
	    {"{\"minimum\":9007199254740993}", "9007199254740992",
		": must be at least 9007199254740993, got 9007199254740992 "
		"(/minimum)"},
	    {"{\"exclusiveMaximum\":18446744073709551615}",
		"18446744073709551614", "valid"},
	};

	(void)state;
	CHECK_SAYINGS(sayings);
}

static void
no_more_than_the_most_problems_are_kept(void **state)
{
	W_AUTO_REPORT struct w_schema_report report = {.problems = NULL};
	yyjson_doc *schema_doc = read_doc("{\"items\":{\"type\":\"string\"}}");
	struct w_schema *schema = NULL;
	struct w_buf buf;
	bool is_valid = true;

	(void)state;
	w_buf_init(&buf, 65536);
	for (int i = 0; i < 150; i++)
		w_buf_add_fmt(&buf, "%c%d", i == 0 ? '[' : ',', i);
	w_buf_add_char(&buf, ']');
	yyjson_doc *value_doc = read_doc(buf.data);
	assert_int_equal(w_schema_compile(yyjson_doc_get_root(schema_doc), NULL,
			     &schema, NULL, NULL),
	    WRIT_OK);
	assert_int_equal(w_schema_check(schema, yyjson_doc_get_root(value_doc),
			     &is_valid, &report, NULL),
	    WRIT_OK);
	assert_false(is_valid);
	assert_int_equal(report.count, W_SCHEMA_PROBLEMS_MAX);
	assert_int_equal(report.more, 50);
	assert_string_equal(report.problems[99].instance, "/99");
	w_schema_free(schema);
	w_buf_done(&buf);
	yyjson_doc_free(schema_doc);
	yyjson_doc_free(value_doc);
}

/* The value itself or the key, so that a caller can find line and column. */
static void
problems_lead_to_the_value(void **state)
{
	W_AUTO_REPORT struct w_schema_report report = {.problems = NULL};
	yyjson_doc *schema_doc =
	    read_doc("{\"properties\":{\"a\":{\"type\":\"string\"}},"
		     "\"additionalProperties\":false}");
	yyjson_doc *value_doc = read_doc("{\"a\":1,\"b\":2}");
	yyjson_val *value = yyjson_doc_get_root(value_doc);
	struct w_schema *schema = NULL;
	bool is_valid = true;

	(void)state;
	assert_int_equal(w_schema_compile(yyjson_doc_get_root(schema_doc), NULL,
			     &schema, NULL, NULL),
	    WRIT_OK);
	assert_int_equal(
	    w_schema_check(schema, value, &is_valid, &report, NULL), WRIT_OK);
	assert_int_equal(report.count, 2);
	assert_ptr_equal(report.problems[0].at, yyjson_obj_get(value, "a"));
	assert_string_equal(yyjson_get_str(report.problems[1].at), "b");
	w_schema_free(schema);
	yyjson_doc_free(schema_doc);
	yyjson_doc_free(value_doc);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_keyword_has_its_sentence),
	    cmocka_unit_test(unknown_keys_are_named_with_what_is_near),
	    cmocka_unit_test(alternatives_are_explained_by_the_nearest),
	    cmocka_unit_test(all_problems_come_in_the_order_of_the_value),
	    cmocka_unit_test(values_are_shown_short_and_harmless),
	    cmocka_unit_test(numbers_of_any_size_are_numbers),
	    cmocka_unit_test(no_more_than_the_most_problems_are_kept),
	    cmocka_unit_test(problems_lead_to_the_value),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
