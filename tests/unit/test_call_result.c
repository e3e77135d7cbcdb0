/* SPDX-License-Identifier: Apache-2.0 */
#include "calling.h"

/* A module that writes what its argument says. */
#define PRINT(id, more)                                                     \
	"- module_id: " id "\n"                                             \
	"  argv: [/usr/bin/printf, '%b']\n"                                 \
	"  input_schema: {type: object, properties: {text: {type: string, " \
	"x-apexe-positional: 0}}}\n" more

#define JSON_PRINT PRINT("cli.json", "  output: {as: json}\n")

static yyjson_val *
at(yyjson_doc *doc, const char *pointer)
{
	return yyjson_doc_ptr_get(doc, pointer);
}

static void
json_output_is_an_object_or_an_array(void **state)
{
	(void)state;
	use_modules(JSON_PRINT);
	yyjson_doc *doc =
	    json_of_call("cli.json", "{\"text\":\"{\\\"a\\\": [1, 2]}\\\\n\"}");
	assert_int_equal(yyjson_get_int(at(doc, "/json_output/a/1")), 2);
	assert_null(at(doc, "/json_error"));
	yyjson_doc_free(doc);

	doc = json_of_call("cli.json", "{\"text\":\"[true]\"}");
	assert_true(yyjson_is_true(at(doc, "/json_output/0")));
	yyjson_doc_free(doc);
}

static void
a_value_on_each_line_makes_an_array(void **state)
{
	(void)state;
	use_modules(JSON_PRINT);
	yyjson_doc *doc = json_of_call(
	    "cli.json", "{\"text\":\"{\\\"a\\\":1}\\\\n{\\\"a\\\":2}\\\\n\"}");
	assert_int_equal(yyjson_get_int(at(doc, "/json_output/1/a")), 2);
	yyjson_doc_free(doc);
}

static void
output_that_is_no_json_says_why(void **state)
{
	(void)state;
	use_modules(JSON_PRINT);
	yyjson_doc *doc = json_of_call("cli.json", "{\"text\":\"{oops}\"}");
	assert_null(at(doc, "/json_output"));
	assert_true(is_in("line 1, column 2", text_in(doc, "/json_error")));
	assert_true(yyjson_is_true(at(doc, "/success")));
	assert_string_equal(text_in(doc, "/stdout"), "{oops}");
	yyjson_doc_free(doc);

	doc = json_of_call("cli.json", "{\"text\":\"\"}");
	assert_string_equal(text_in(doc, "/json_error"), "the output is empty");
	yyjson_doc_free(doc);
}

static void
output_that_was_cut_is_no_json(void **state)
{
	(void)state;
	use_modules(JSON_PRINT);
	writ_call *call = call_ok("cli.json", "{\"text\":\"[1,2,3,4,5]\"}");
	assert_int_equal(
	    writ_draft_set(writ_call_draft(call), "output_limit", "4B", NULL),
	    WRIT_OK);
	writ_result *result = run_call(call);
	assert_null(result->json_output);
	assert_string_equal(
	    result->json_error, "the output was longer than the limit of 4B");
	writ_result_free(result);
	writ_call_free(call);
}

static void
without_a_json_flag_nothing_is_parsed(void **state)
{
	(void)state;
	use_modules(PRINT("cli.text", ""));
	yyjson_doc *doc = json_of_call("cli.text", "{\"text\":\"[1]\"}");
	assert_null(at(doc, "/json_output"));
	assert_null(at(doc, "/json_error"));
	yyjson_doc_free(doc);
}

static void
output_against_its_schema_is_told_and_no_error(void **state)
{
	(void)state;
	use_modules(PRINT("cli.json",
	    "  output: {as: json}\n"
	    "  output_schema: {type: object, properties: {n: {type: "
	    "integer}}, required: [n]}\n"));
	yyjson_doc *doc =
	    json_of_call("cli.json", "{\"text\":\"{\\\"n\\\":1}\"}");
	assert_null(at(doc, "/output_problems"));
	yyjson_doc_free(doc);

	doc = json_of_call("cli.json", "{\"text\":\"{\\\"n\\\":\\\"x\\\"}\"}");
	assert_string_equal(text_in(doc, "/output_problems/0/instance"), "/n");
	assert_true(
	    is_in("integer", text_in(doc, "/output_problems/0/message")));
	assert_true(yyjson_is_true(at(doc, "/success")));
	yyjson_doc_free(doc);
}

/* As other tools write it: a schema of the whole result. */
static void
a_schema_of_the_whole_result_judges_that(void **state)
{
	(void)state;
	use_modules(PRINT("cli.text",
	    "  output_schema: {type: object, properties: {stdout: {type: "
	    "string, maxLength: 3}, stderr: {type: string}, exit_code: {type: "
	    "integer}}, required: [stdout, stderr, exit_code]}\n"));
	yyjson_doc *doc = json_of_call("cli.text", "{\"text\":\"abc\"}");
	assert_null(at(doc, "/output_problems"));
	yyjson_doc_free(doc);
	doc = json_of_call("cli.text", "{\"text\":\"abcd\"}");
	assert_string_equal(
	    text_in(doc, "/output_problems/0/instance"), "/stdout");
	yyjson_doc_free(doc);
}

static void
a_module_says_which_codes_are_good(void **state)
{
	(void)state;
	use_modules("- module_id: cli.grep\n"
		    "  target: exec:///bin/grep x /dev/null\n"
		    "  success: [0, 1]\n"
		    "- module_id: cli.grep.strict\n"
		    "  target: exec:///bin/grep x /dev/null\n");
	yyjson_doc *doc = json_of_call("cli.grep", "{}");
	assert_int_equal(yyjson_get_int(at(doc, "/exit_code")), 1);
	assert_true(yyjson_is_true(at(doc, "/success")));
	yyjson_doc_free(doc);
	doc = json_of_call("cli.grep.strict", "{}");
	assert_true(yyjson_is_false(at(doc, "/success")));
	yyjson_doc_free(doc);
}

static void
an_image_is_content(void **state)
{
	(void)state;
	use_modules(
	    PRINT("cli.png", "  output: {as: image, mime_type: image/png}\n")
		PRINT("cli.any", "  output: {as: resource}\n"));
	yyjson_doc *doc =
	    json_of_call("cli.png", "{\"text\":\"\\\\0377\\\\0330\\\\0377x\"}");
	assert_string_equal(text_in(doc, "/content/type"), "image");
	assert_string_equal(text_in(doc, "/content/mime_type"), "image/png");
	assert_string_equal(text_in(doc, "/content/data"), "/9j/eA==");
	yyjson_doc_free(doc);

	doc = json_of_call("cli.any", "{\"text\":\"GIF89a\"}");
	assert_string_equal(text_in(doc, "/content/mime_type"), "image/gif");
	assert_string_equal(text_in(doc, "/content/data"), "R0lGODlh");
	yyjson_doc_free(doc);

	doc = json_of_call("cli.png", "{\"text\":\"\"}");
	assert_null(at(doc, "/content"));
	assert_string_equal(
	    text_in(doc, "/content_error"), "the output is empty");
	yyjson_doc_free(doc);
}

static void
a_resource_has_its_address(void **state)
{
	(void)state;
	use_modules(PRINT(
	    "cli.page", "  output: {as: resource, uri: \"file:///x\"}\n"));
	yyjson_doc *doc = json_of_call("cli.page", "{\"text\":\"words\"}");
	assert_string_equal(text_in(doc, "/content/type"), "resource");
	assert_string_equal(text_in(doc, "/content/uri"), "file:///x");
	assert_string_equal(text_in(doc, "/content/mime_type"), "text/plain");
	assert_string_equal(text_in(doc, "/content/data"), "d29yZHM=");
	yyjson_doc_free(doc);
}

static void
half_an_image_is_none(void **state)
{
	char *json = NULL;
	size_t len;

	(void)state;
	use_modules(
	    PRINT("cli.png", "  output: {as: image, mime_type: image/png}\n"));
	writ_call *call = call_ok("cli.png", "{\"text\":\"GIF89a12345678\"}");
	assert_int_equal(
	    writ_draft_set(writ_call_draft(call), "output_limit", "8B", NULL),
	    WRIT_OK);
	writ_result *result = run_call(call);
	assert_int_equal(
	    writ_call_result_json(call, result, &json, &len, NULL), WRIT_OK);
	assert_false(is_in("\"content\":", json));
	assert_true(is_in("\"content_error\":\"the output was longer", json));
	free(json);
	writ_result_free(result);
	writ_call_free(call);
}

static void
a_failed_command_has_no_content(void **state)
{
	(void)state;
	use_modules("- module_id: cli.bad\n"
		    "  argv: [/bin/sh, -c, 'echo GIF89a; exit 3']\n"
		    "  output: {as: image, mime_type: image/png}\n");
	yyjson_doc *doc = json_of_call("cli.bad", "{}");
	assert_null(at(doc, "/content"));
	assert_string_equal(
	    text_in(doc, "/content_error"), "the command did not succeed");
	yyjson_doc_free(doc);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    CALLING(json_output_is_an_object_or_an_array),
	    CALLING(a_value_on_each_line_makes_an_array),
	    CALLING(output_that_is_no_json_says_why),
	    CALLING(output_that_was_cut_is_no_json),
	    CALLING(without_a_json_flag_nothing_is_parsed),
	    CALLING(output_against_its_schema_is_told_and_no_error),
	    CALLING(a_schema_of_the_whole_result_judges_that),
	    CALLING(a_module_says_which_codes_are_good),
	    CALLING(an_image_is_content),
	    CALLING(a_resource_has_its_address),
	    CALLING(half_an_image_is_none),
	    CALLING(a_failed_command_has_no_content),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
