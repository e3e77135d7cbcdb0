/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bindings.h"

#define GOOD "{module_id: cli.a, target: 'exec://a'}"

static void
refused(const char *text, const char *message, unsigned line, unsigned column)
{
	struct collected got;
	const struct w_binding_sink sink = collecting(&got);
	writ_error err = {.message = ""};

	assert_int_equal(
	    w_binding_read_text(text, strlen(text), false, &sink, &err),
	    WRIT_E_INVALID);
	assert_string_equal(err.message, message);
	assert_int_equal(err.line, line);
	assert_int_equal(err.column, column);
	assert_int_equal(got.elements, 0);
	assert_int_equal(
	    w_binding_read_text(text, strlen(text), false, &sink, NULL),
	    WRIT_E_INVALID);
}

static void
elements_come_with_their_place(void **state)
{
	struct collected got;

	(void)state;
	read_bindings("# a comment\n"
		      "spec_version: \"1.0\"\n"
		      "bindings:\n"
		      "- module_id: cli.a\n"
		      "  target: exec://a\n"
		      "- {module_id: cli.b, target: exec://b}\n",
	    &got);
	assert_int_equal(got.elements, 2);
	assert_int_equal(got.problems, 0);
	assert_string_equal(
	    got.first, "{\"module_id\":\"cli.a\",\"target\":\"exec://a\"}");
	assert_int_equal(got.line, 4);
	assert_int_equal(got.column, 3);
}

static void
one_that_is_wrong_does_not_hide_the_others(void **state)
{
	struct collected got;

	(void)state;
	read_bindings("spec_version: \"1.0\"\n"
		      "bindings:\n"
		      "- module_id: cli.a\n"
		      "  taget: exec://a\n"
		      "- 5\n"
		      "- " GOOD "\n"
		      "- module_id: cli.c\n"
		      "  target: invalid\n",
	    &got);
	assert_int_equal(got.elements, 1);
	assert_int_equal(got.line, 6);
	assert_int_equal(got.problems, 3);
	assert_string_equal(got.problem.message, "cli.a: unknown key 'taget'");
	assert_string_equal(got.problem.suggestion, "did you mean 'target'?");
	assert_int_equal(got.problem.line, 4);
	assert_int_equal(got.problem.column, 3);
	assert_string_equal(
	    got.last.message, "cli.c: Invalid target format: invalid");
	assert_int_equal(got.last.line, 8);
	assert_int_equal(got.last.column, 11);
}

static void
a_file_says_its_version(void **state)
{
	(void)state;
	refused("bindings: []\n", "there is no spec_version", 1, 1);
	refused("spec_version: \"2.0\"\nbindings: []\n",
	    "spec_version '2.0' is not supported, only 1.0", 1, 15);
	refused("spec_version: 1.0\nbindings: []\n",
	    "spec_version must be text, not a number", 1, 15);
}

static void
a_file_has_a_list_of_bindings(void **state)
{
	struct collected got;

	(void)state;
	refused("spec_version: \"1.0\"\n", "there are no bindings", 1, 1);
	refused("spec_version: \"1.0\"\nbindings: {}\n",
	    "bindings must be a list, not a map", 2, 11);
	refused("- a\n", "a binding file must be a map, not a list", 1, 1);
	refused("", "the document is empty", 0, 0);
	read_bindings("spec_version: \"1.0\"\nbindings: []\n", &got);
	assert_int_equal(got.elements + got.problems, 0);
	read_bindings("spec_version: \"1.0\"\nbindngs: []\n"
		      "bindings: [" GOOD "]\n",
	    &got);
	assert_int_equal(got.elements, 1);
	assert_int_equal(got.problems, 1);
	assert_string_equal(got.problem.message, "unknown key 'bindngs'");
	assert_int_equal(got.problem.line, 2);
}

static void
bad_yaml_has_its_place(void **state)
{
	(void)state;
	refused("spec_version: \"1.0\"\nbindings:\n- a: b: c\n",
	    "not valid YAML: mapping values are not allowed in this context", 3,
	    7);
	refused("spec_version: \"1.0\"\nspec_version: \"1.0\"\n",
	    "duplicate key 'spec_version', first at 1:1", 2, 1);
	refused("a: \xff\n", "the document is not valid UTF-8", 0, 0);
}

static void
json_is_read_as_json(void **state)
{
	struct collected got;

	(void)state;
	read_bindings("{\"spec_version\":\"1.0\",\n"
		      " \"bindings\":[\n"
		      "  {\"module_id\":\"cli.a\",\"target\":\"exec://a\",\n"
		      "   \"description\":\"\\ud83d\\ude00 a\u2028b\"},\n"
		      "  {\"module_id\":\"cli.b\",\"timeout\":0,\n"
		      "   \"target\":\"exec://b\"}, 5]}",
	    &got);
	assert_int_equal(got.elements, 1);
	assert_non_null(strstr(got.first, "\xf0\x9f\x98\x80 a\u2028b"));
	assert_int_equal(got.line, 3);
	assert_int_equal(got.column, 4);
	assert_int_equal(got.problems, 2);
	assert_string_equal(
	    got.problem.message, "cli.b: timeout must not be 0");
	assert_int_equal(got.problem.line, 5);
	assert_int_equal(got.problem.column, 24);
	assert_int_equal(got.last.line, 6);
	/* YAML has braces and commas, too. */
	read_bindings(
	    "{\"spec_version\":\"1.0\",bindings: [" GOOD ",],}", &got);
	assert_int_equal(got.elements, 1);
	refused("{spec_version: '1.0'\n",
	    "not valid YAML: did not find expected "
	    "',' or '}'",
	    2, 1);
	read_bindings("{spec_version: '1.0', bindings: [" GOOD "]}", &got);
	assert_int_equal(got.elements, 1);
	refused("{\"spec_version\":\"1.0\" \"a\"}",
	    "not valid JSON: unexpected character, expected a comma or a "
	    "closing brace",
	    1, 23);
}

static void
too_many_problems_are_cut_short(void **state)
{
	W_AUTO_BUF struct w_buf text;
	struct collected got;

	(void)state;
	w_buf_init(&text, 1 << 20);
	w_buf_add_str(&text, "spec_version: \"1.0\"\nbindings:\n");
	for (int i = 0; i < 500; i++)
		w_buf_add_str(&text, "- 5\n");
	w_buf_add_str(&text, "- " GOOD "\n");
	read_bindings(text.data, &got);
	assert_int_equal(got.elements, 1);
	assert_int_equal(got.problems, 100);
	assert_string_equal(got.last.message,
	    "this and more is wrong with the file, after 99 other problems");
}

static writ_status
stop(void *ctx, yyjson_val *element, unsigned line, unsigned column,
    writ_error *err)
{
	(void)element;
	(void)line;
	(void)column;
	++*(int *)ctx;
	return w_fail(err, WRIT_E_SYSTEM, "test", 0, "enough");
}

static void
the_reader_of_elements_can_end_it(void **state)
{
	static const char text[] =
	    "{spec_version: '1.0', bindings: [" GOOD "," GOOD "]}";
	int calls = 0;
	const struct w_binding_sink sink = {.ctx = &calls, .element = stop};
	writ_error err = {.message = ""};

	(void)state;
	assert_int_equal(
	    w_binding_read_text(text, strlen(text), false, &sink, &err),
	    WRIT_E_SYSTEM);
	assert_string_equal(err.message, "enough");
	assert_int_equal(calls, 1);
}

/* Read thoroughly, the text's only module has a problem that begins so, at this
 * place; read quickly it has none. left is the number of usable modules. */
static void
thoroughly_wrong(const char *text, const char *message, unsigned line,
    unsigned column, size_t left)
{
	struct collected got;
	writ_error err = {.message = ""};
	struct w_binding_sink sink;

	read_bindings(text, &got);
	assert_int_equal(got.elements, 1);
	sink = collecting(&got);
	assert_int_equal(
	    w_binding_read_text(text, strlen(text), true, &sink, &err),
	    WRIT_OK);
	assert_int_equal(got.elements, left);
	assert_int_equal(got.problems, 1);
	if (strncmp(got.problem.message, message, strlen(message)) != 0)
		fail_msg("%s", got.problem.message);
	assert_int_equal(got.problem.line, line);
	assert_int_equal(got.problem.column, column);
}

#define BEGINNING               \
	"spec_version: '1.0'\n" \
	"bindings:\n"           \
	"- module_id: cli.a\n"  \
	"  target: exec://a\n"

static void
schemas_and_examples_are_looked_at_on_request(void **state)
{
	(void)state;
	thoroughly_wrong(BEGINNING "  output_schema: {minimum: x}\n",
	    "cli.a: output_schema/minimum: ", 5, 28, 0);
	thoroughly_wrong(BEGINNING
	    "  input_schema:\n"
	    "    properties: {n: {type: string, pattern: '('}}\n",
	    "cli.a: input_schema/properties/n/pattern: ", 6, 45, 0);
	thoroughly_wrong(BEGINNING
	    "  input_schema: {properties: {n: {type: integer}}}\n"
	    "  examples: [{title: a, inputs: {n: 1}}, {title: b},\n"
	    "    {title: c, inputs: {n: five}}]\n",
	    "cli.a: examples[2].inputs/n: expected an integer, got \"five\"", 7,
	    28, 1);
}

/* As a scanner of the project that the format comes from writes them. */
static void
files_of_others_are_read(void **state)
{
	static const char text[] =
	    "# Auto-generated by a scanner\n"
	    "# Generated: 2026-07-31T10:00:00+00:00\n"
	    "# Do not edit manually unless you intend to customize schemas.\n"
	    "\n"
	    "spec_version: '1.0'\n"
	    "bindings:\n"
	    "- module_id: cli.git.commit\n"
	    "  target: exec:///usr/bin/git commit\n"
	    "  description: Record changes to the repository\n"
	    "  documentation: |-\n"
	    "    git commit [-a | --interactive]\n"
	    "\n"
	    "        -m <msg>   the message: \"it\"\n"
	    "  tags:\n"
	    "  - cli\n"
	    "  - git\n"
	    "  - man\n"
	    "  version: 2.43.0\n"
	    "  annotations:\n"
	    "    readonly: false\n"
	    "    destructive: false\n"
	    "    idempotent: true\n"
	    "    requires_approval: true\n"
	    "    open_world: false\n"
	    "    streaming: false\n"
	    "    cacheable: false\n"
	    "    cache_ttl: 0\n"
	    "    cache_key_fields: null\n"
	    "    paginated: false\n"
	    "    pagination_style: cursor\n"
	    "    discoverable: true\n"
	    "    extra: {}\n"
	    "  examples:\n"
	    "  - title: git commit -a -m msg\n"
	    "    inputs: null\n"
	    "    output: null\n"
	    "  metadata:\n"
	    "    scan_tier: 2\n"
	    "    help_format: man\n"
	    "    binary_path: /usr/bin/git\n"
	    "    suggested_alias: git_commit\n"
	    "    command_path:\n"
	    "    - git\n"
	    "    - commit\n"
	    "    display:\n"
	    "      alias: git_commit\n"
	    "      mcp:\n"
	    "        alias: git_commit\n"
	    "  input_schema:\n"
	    "    type: object\n"
	    "    properties:\n"
	    "      all:\n"
	    "        type: boolean\n"
	    "        description: 'Stage: everything'\n"
	    "        x-apexe-flag: --all\n"
	    "      message:\n"
	    "        type: string\n"
	    "        x-apexe-flag: -m\n"
	    "      pathspec:\n"
	    "        type: array\n"
	    "        items:\n"
	    "          type: string\n"
	    "        x-apexe-positional: 0\n"
	    "        x-apexe-path: true\n"
	    "    additionalProperties: false\n"
	    "    required:\n"
	    "    - message\n"
	    "    x-apexe-end-of-options: true\n"
	    "  output_schema:\n"
	    "    type: object\n"
	    "    properties:\n"
	    "      stdout:\n"
	    "        type: string\n"
	    "      exit_code:\n"
	    "        type: integer\n"
	    "    required:\n"
	    "    - stdout\n"
	    "    - exit_code\n";
	struct collected got;

	(void)state;
	read_bindings(text, &got);
	assert_string_equal(got.problem.message, "");
	assert_int_equal(got.elements, 1);
	assert_int_equal(got.line, 7);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(elements_come_with_their_place),
	    cmocka_unit_test(one_that_is_wrong_does_not_hide_the_others),
	    cmocka_unit_test(a_file_says_its_version),
	    cmocka_unit_test(a_file_has_a_list_of_bindings),
	    cmocka_unit_test(bad_yaml_has_its_place),
	    cmocka_unit_test(json_is_read_as_json),
	    cmocka_unit_test(too_many_problems_are_cut_short),
	    cmocka_unit_test(the_reader_of_elements_can_end_it),
	    cmocka_unit_test(schemas_and_examples_are_looked_at_on_request),
	    cmocka_unit_test(files_of_others_are_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
