/* SPDX-License-Identifier: Apache-2.0 */
/* Finds what model providers reject about a tool. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "mcp/tools/tool_list.h"

struct faults {
	size_t count;
	char first[400];
};

static void
take(void *ctx, const char *tool, const char *fault)
{
	struct faults *faults = ctx;

	assert_non_null(tool);
	if (faults->count++ == 0)
		(void)strncat(faults->first, fault, sizeof(faults->first) - 1);
}

static struct faults
lint(const struct w_tool *tool)
{
	struct faults faults = {.count = 0};

	assert_true(w_tool_lint(tool, take, &faults));
	return faults;
}

/* Expects this fault of a tool with this schema; NULL: none. */
static void
expect(const char *schema, const char *fault)
{
	const struct w_tool tool = {
	    .name = "tool", .description = "Does it", .input_schema = schema};
	const struct faults faults = lint(&tool);

	if (fault == NULL && faults.count > 0)
		fail_msg("%s: %s", schema, faults.first);
	if (fault != NULL && strstr(faults.first, fault) == NULL)
		fail_msg("%s: '%s', not '%s'", schema, faults.first, fault);
}

static void
expect_named(const char *name, bool is_good)
{
	const struct w_tool tool = {.name = name,
	    .description = "Does it",
	    .input_schema = "{\"type\":\"object\"}"};

	if ((lint(&tool).count == 0) != is_good)
		fail_msg("%s", name);
}

static void
names_are_short_and_plain(void **state)
{
	(void)state;
	expect_named("a", true);
	expect_named("run_read2", true);
	expect_named("forty_characters_are_as_many_as_there_be", true);
	expect_named("forty_one_characters_are_more_than_may_be", false);
	expect_named("", false);
	expect_named("Run", false);
	expect_named("run.read", false);
	expect_named("run-read", false);
	expect_named("r\xc3\xbcn", false);
}

static void
texts_have_their_lengths(void **state)
{
	char text[1100];
	struct w_tool tool = {.name = "tool",
	    .description = text,
	    .input_schema = "{\"type\":\"object\"}"};

	(void)state;
	memset(text, 'x', sizeof(text));
	text[1024] = '\0';
	assert_int_equal(lint(&tool).count, 0);
	text[1024] = 'x';
	text[1025] = '\0';
	assert_int_equal(lint(&tool).count, 1);
	text[0] = '\0';
	assert_int_equal(lint(&tool).count, 1);
	tool.description = "Does it";
	tool.title = "A title that would be a description, and a rather long "
		     "one at that";
	assert_int_equal(lint(&tool).count, 1);
}

static void
a_root_is_an_object_and_nothing_else(void **state)
{
	(void)state;
	expect("{\"type\":\"object\"}", NULL);
	expect("{\"type\":\"object\",\"properties\":{\"a\":{\"anyOf\":["
	       "{\"type\":\"string\"},{\"type\":\"integer\"}]}}}",
	    NULL);
	expect("{}", "not of type object");
	expect("true", "not of type object");
	expect("{\"type\":[\"object\",\"null\"]}", "not of type object");
	expect("{\"type\":\"object\",\"oneOf\":[{}]}", "has oneOf");
	expect("{\"type\":\"object\",\"anyOf\":[{}]}", "has anyOf");
	expect("{\"type\":\"object\",\"allOf\":[{}]}", "has allOf");
	expect("{\"type\":\"object\",\"not\":{}}", "has not");
	expect("{\"type\":\"object\",\"enum\":[{}]}", "has enum");
	expect("{\"type\":", "cannot be read");
}

static void
references_are_found_wherever_they_are(void **state)
{
	(void)state;
	expect("{\"type\":\"object\",\"$ref\":\"#/a\"}", "has a $ref");
	expect("{\"type\":\"object\",\"properties\":{\"a\":{\"type\":"
	       "\"array\",\"items\":{\"$ref\":\"#\"}}}}",
	    "'a' has a $ref");
	expect("{\"type\":\"object\",\"properties\":{\"b\":{\"anyOf\":[{"
	       "\"$dynamicRef\":\"#\"}]}}}",
	    "'b' has a $dynamicRef");
	expect("{\"type\":\"object\",\"$defs\":{\"c\":{\"$ref\":\"#\"}}}",
	    "'c' has a $ref");
	expect("{\"type\":\"object\",\"additionalProperties\":{\"$ref\":"
	       "\"#\"}}",
	    "has a $ref");
	/* An argument may have that name. */
	expect("{\"type\":\"object\",\"properties\":{\"ref\":{\"enum\":["
	       "\"$ref\"]}}}",
	    NULL);
}

static void
arguments_have_plain_names_and_arrays_their_items(void **state)
{
	(void)state;
	expect("{\"type\":\"object\",\"properties\":{\"a-b.C_1\":{}}}", NULL);
	expect("{\"type\":\"object\",\"properties\":{\"a b\":{}}}", "'a b'");
	expect("{\"type\":\"object\",\"properties\":{\"\":{}}}", "argument ''");
	expect("{\"type\":\"object\",\"properties\":{\"$ref\":{}}}",
	    "argument '$ref'");
	expect("{\"type\":\"object\",\"properties\":{\"a\":{\"type\":"
	       "\"array\"}}}",
	    "items are not described");
	expect("{\"type\":\"object\",\"properties\":{\"a\":{\"type\":"
	       "\"array\",\"items\":{}}}}",
	    NULL);
}

static void
depth_and_number_are_bounded(void **state)
{
	static const char inner[] =
	    "{\"type\":\"object\",\"properties\":{\"a\":";
	W_AUTO_BUF struct w_buf buf;

	(void)state;
	for (unsigned depth = 10; depth <= 12; depth++) {
		w_buf_init(&buf, 1 << 16);
		for (unsigned i = 0; i < depth; i++)
			w_buf_add_str(&buf, inner);
		w_buf_add_str(&buf, "{}");
		for (unsigned i = 0; i < depth; i++)
			w_buf_add_str(&buf, "}}");
		expect(buf.data, depth <= 10 ? NULL : "levels deep");
		w_buf_done(&buf);
	}
	for (unsigned count = 128; count <= 129; count++) {
		w_buf_init(&buf, 1 << 16);
		w_buf_add_str(&buf, "{\"type\":\"object\",\"properties\":{");
		for (unsigned i = 0; i < count; i++)
			w_buf_add_fmt(
			    &buf, "%s\"p%u\":{}", i > 0 ? "," : "", i);
		w_buf_add_str(&buf, "}}");
		expect(buf.data, count <= 128 ? NULL : "129 arguments");
		w_buf_done(&buf);
	}
	w_buf_init(&buf, 1 << 16);
	w_buf_add_str(&buf, "{\"type\":\"object\",\"description\":\"");
	for (unsigned i = 0; i < 16 * 1024; i++)
		w_buf_add_char(&buf, 'x');
	w_buf_add_str(&buf, "\"}");
	expect(buf.data, "bytes, more than 16384");
}

static void
schemas_of_answers_are_looked_at_too(void **state)
{
	struct w_tool tool = {.name = "tool",
	    .description = "Does it",
	    .input_schema = "{\"type\":\"object\"}",
	    .output_schema = "{\"type\":\"object\"}"};

	(void)state;
	assert_int_equal(lint(&tool).count, 0);
	tool.output_schema = "{\"type\":\"string\"}";
	assert_int_equal(lint(&tool).count, 1);
}

static void
the_core_is_without_fault(void **state)
{
	static const struct w_tool *const core[] = {&w_tool_exec,
	    &w_tool_run_read, &w_tool_run_input, &w_tool_run_kill,
	    &w_tool_run_list, &w_tool_module_search, &w_tool_module_describe,
	    &w_tool_module_call, &w_tool_policy_check};

	(void)state;
	for (size_t i = 0; i < sizeof(core) / sizeof(core[0]); i++) {
		const struct faults faults = lint(core[i]);

		if (faults.count > 0)
			fail_msg("%s: %s", core[i]->name, faults.first);
		assert_true(strlen(core[i]->description) <= 400);
		assert_true(strlen(core[i]->name) <= 24);
		assert_non_null(strstr(
		    core[i]->input_schema, "\"additionalProperties\":false"));
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(names_are_short_and_plain),
	    cmocka_unit_test(texts_have_their_lengths),
	    cmocka_unit_test(a_root_is_an_object_and_nothing_else),
	    cmocka_unit_test(references_are_found_wherever_they_are),
	    cmocka_unit_test(arguments_have_plain_names_and_arrays_their_items),
	    cmocka_unit_test(depth_and_number_are_bounded),
	    cmocka_unit_test(schemas_of_answers_are_looked_at_too),
	    cmocka_unit_test(the_core_is_without_fault),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
