/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The scenarios in which commands as modules were first described, by their
 * names there: construction, description, arguments, execution, preflight.
 */

#include "calling.h"

/* ---- construction ---- */

#define GIT_LOG                                                        \
	"- module_id: cli.git.log\n"                                   \
	"  target: exec:///usr/bin/git log\n"                          \
	"  description: Show commit logs\n"                            \
	"  metadata: {json_flag: \"--format json\"}\n"                 \
	"  input_schema:\n"                                            \
	"    type: object\n"                                           \
	"    properties: {max_count: {type: integer}}\n"               \
	"  output_schema: {type: object, properties: {stdout: {type: " \
	"string}}}\n"

static yyjson_doc *
module_json(const char *id)
{
	char *json = NULL;
	size_t len;
	writ_error err = {0};

	if (writ_modules_json(modules, id, &json, &len, &err) != WRIT_OK)
		fail_msg("%s", err.message);
	yyjson_doc *doc = yyjson_read(json, len, YYJSON_READ_NOFLAG);
	assert_non_null(doc);
	free(json);
	return doc;
}

static void
cli_module_from_scanned_basic(void **state)
{
	const writ_module *module = NULL;

	(void)state;
	use_modules(GIT_LOG);
	assert_int_equal(
	    writ_modules_find(modules, "cli.git.log", &module, NULL), WRIT_OK);
	assert_string_equal(module->id, "cli.git.log");
	assert_string_equal(module->command, "/usr/bin/git log");
	yyjson_doc *doc = module_json("cli.git.log");
	assert_string_equal(text_in(doc, "/argv/0"), "/usr/bin/git");
	assert_string_equal(text_in(doc, "/argv/1"), "log");
	assert_string_equal(text_in(doc, "/json_flag/0"), "--format");
	assert_string_equal(text_in(doc, "/json_flag/1"), "json");
	yyjson_doc_free(doc);
}

static void
cli_module_from_scanned_no_json_flag(void **state)
{
	(void)state;
	use_modules("- module_id: cli.ls\n"
		    "  target: exec:///bin/ls\n");
	yyjson_doc *doc = module_json("cli.ls");
	assert_int_equal(
	    yyjson_arr_size(yyjson_doc_ptr_get(doc, "/json_flag")), 0);
	yyjson_doc_free(doc);
}

/* The one problem of a file with one binding. */
static writ_error
problem_of(const char *binding)
{
	size_t count;

	put_modules("bad", binding);
	load_modules();
	assert_int_equal(writ_modules_count(modules), 0);
	const writ_module_problem *problems =
	    writ_modules_problems(modules, &count);
	assert_int_equal(count, 1);
	assert_int_equal(problems[0].error.status, WRIT_E_INVALID);
	return problems[0].error;
}

static void
cli_module_from_scanned_invalid_target(void **state)
{
	(void)state;
	const writ_error error = problem_of("- module_id: cli.x\n"
					    "  target: invalid\n");
	assert_true(is_in("invalid", error.message));
	assert_int_equal(error.line, 4);
}

static void
cli_module_from_scanned_empty_target(void **state)
{
	(void)state;
	const writ_error error = problem_of("- module_id: cli.x\n"
					    "  target: exec://\n");
	assert_true(is_in("exec://", error.message));
	assert_int_equal(error.line, 4);
}

static void
cli_module_new_direct(void **state)
{
	(void)state;
	use_modules("- module_id: cli.docker.container.ls\n"
		    "  argv: [/usr/bin/docker, container, ls]\n"
		    "  description: List containers\n"
		    "  json_flag: [--format, json]\n"
		    "  timeout: 5s\n"
		    "  annotations: {readonly: true, destructive: false, "
		    "requires_approval: false}\n"
		    "  input_schema: {type: object, properties: {all: {type: "
		    "boolean}}}\n"
		    "  output_schema: {type: array}\n");
	yyjson_doc *doc = module_json("cli.docker.container.ls");
	assert_string_equal(text_in(doc, "/argv/2"), "ls");
	assert_int_equal(
	    yyjson_get_uint(yyjson_doc_ptr_get(doc, "/timeout_ms")), 5000);
	assert_true(
	    yyjson_get_bool(yyjson_doc_ptr_get(doc, "/annotations/readonly")));
	assert_false(yyjson_get_bool(
	    yyjson_doc_ptr_get(doc, "/annotations/requires_approval")));
	assert_string_equal(text_in(doc, "/output_schema/type"), "array");
	yyjson_doc_free(doc);
}

/* ---- what it says of itself ---- */

static void
cli_module_input_schema_returns_some(void **state)
{
	(void)state;
	use_modules(GIT_LOG);
	yyjson_doc *doc = module_json("cli.git.log");
	assert_string_equal(
	    text_in(doc, "/input_schema/properties/max_count/type"), "integer");
	yyjson_doc_free(doc);
}

static void
cli_module_output_schema_returns_some(void **state)
{
	(void)state;
	use_modules(GIT_LOG);
	yyjson_doc *doc = module_json("cli.git.log");
	assert_string_equal(
	    text_in(doc, "/output_schema/properties/stdout/type"), "string");
	yyjson_doc_free(doc);
}

static void
cli_module_description_returns_string(void **state)
{
	const writ_module *module = NULL;

	(void)state;
	use_modules(GIT_LOG);
	assert_int_equal(
	    writ_modules_find(modules, "cli.git.log", &module, NULL), WRIT_OK);
	assert_string_equal(module->description, "Show commit logs");
}

/* ---- arguments ---- */

/* Takes everything, and renders it by the plain rules. */
#define TOOL                           \
	"- module_id: cli.tool\n"      \
	"  target: exec:///bin/echo\n" \
	"  input_schema: {type: object}\n"

static void
build_arguments_string_value(void **state)
{
	(void)state;
	use_modules(TOOL);
	expect_argv(
	    "cli.tool", "{\"file\":\"test.txt\"}", "/bin/echo|--file|test.txt");
}

static void
build_arguments_boolean_true(void **state)
{
	(void)state;
	use_modules(TOOL);
	expect_argv("cli.tool", "{\"all\":true}", "/bin/echo|--all");
}

static void
build_arguments_boolean_false(void **state)
{
	(void)state;
	use_modules(TOOL);
	expect_argv("cli.tool", "{\"all\":false}", "/bin/echo");
}

static void
build_arguments_null_skipped(void **state)
{
	(void)state;
	use_modules(TOOL);
	expect_argv("cli.tool", "{\"x\":null}", "/bin/echo");
}

static void
build_arguments_array_values(void **state)
{
	(void)state;
	use_modules(TOOL);
	expect_argv("cli.tool", "{\"include\":[\"a\",\"b\"]}",
	    "/bin/echo|--include|a|--include|b");
}

static void
build_arguments_underscore_to_hyphen(void **state)
{
	(void)state;
	use_modules(TOOL);
	expect_argv("cli.tool", "{\"no_cache\":true}", "/bin/echo|--no-cache");
}

static void
build_arguments_integer_value(void **state)
{
	(void)state;
	use_modules(TOOL);
	expect_argv("cli.tool", "{\"count\":5}", "/bin/echo|--count|5");
}

static void
build_arguments_injection_blocked(void **state)
{
	(void)state;
	use_modules(TOOL);
	const writ_error err = call_bad(
	    "cli.tool", "{\"msg\":\"hi; rm\"}", WRIT_ARGUMENTS_STRICT_MODULES);
	assert_int_equal(err.status, WRIT_E_INVALID);
	assert_true(is_in("msg", err.message));
	/* Without a shell it is a text like any other. */
	expect_argv(
	    "cli.tool", "{\"msg\":\"hi; rm\"}", "/bin/echo|--msg|hi; rm");
}

/* ---- execution ---- */

static void
execute_echo_returns_stdout(void **state)
{
	(void)state;
	use_modules("- module_id: cli.echo\n"
		    "  target: exec:///bin/echo hello\n");
	yyjson_doc *doc = json_of_call("cli.echo", "{}");
	assert_string_equal(text_in(doc, "/stdout"), "hello\n");
	assert_int_equal(
	    yyjson_get_int(yyjson_doc_ptr_get(doc, "/exit_code")), 0);
	assert_string_equal(text_in(doc, "/module_id"), "cli.echo");
	assert_true(yyjson_get_bool(yyjson_doc_ptr_get(doc, "/success")));
	yyjson_doc_free(doc);
}

static void
execute_false_nonzero_exit(void **state)
{
	(void)state;
	use_modules("- module_id: cli.false\n"
		    "  target: exec:///bin/false\n");
	yyjson_doc *doc = json_of_call("cli.false", "{}");
	assert_int_equal(
	    yyjson_get_int(yyjson_doc_ptr_get(doc, "/exit_code")), 1);
	assert_false(yyjson_get_bool(yyjson_doc_ptr_get(doc, "/success")));
	yyjson_doc_free(doc);
}

static void
execute_json_output_parsed(void **state)
{
	(void)state;
	use_modules(
	    "- module_id: cli.echo\n"
	    "  argv: [/bin/sh, -c, 'echo \"{\\\"flag\\\":\\\"$1\\\"}\"', sh]\n"
	    "  json_flag: [--json]\n");
	yyjson_doc *doc = json_of_call("cli.echo", "{}");
	assert_string_equal(text_in(doc, "/json_output/flag"), "--json");
	yyjson_doc_free(doc);
}

static void
execute_timeout_returns_error(void **state)
{
	(void)state;
	use_modules("- module_id: cli.sleep\n"
		    "  target: exec:///bin/sleep 60\n"
		    "  timeout: 1\n");
	yyjson_doc *doc = json_of_call("cli.sleep", "{}");
	assert_string_equal(text_in(doc, "/outcome"), "timed_out");
	assert_false(yyjson_get_bool(yyjson_doc_ptr_get(doc, "/success")));
	yyjson_doc_free(doc);
}

static void
execute_nonexistent_binary(void **state)
{
	writ_result *result = NULL;
	writ_error err = {0};

	(void)state;
	use_modules("- module_id: cli.gone\n"
		    "  target: exec:///nonexistent\n");
	writ_call *call = call_ok("cli.gone", "{}");
	assert_int_equal(
	    writ_run(engine, writ_call_request(call), &result, &err),
	    WRIT_E_NOTFOUND);
	assert_true(is_in("/nonexistent", err.message));
	writ_call_free(call);
}

/* ---- preflight ---- */

static void
expect_preflight(const char *input, const char *word)
{
	const writ_error err =
	    call_bad("cli.tool", input, WRIT_ARGUMENTS_STRICT_MODULES);

	assert_int_equal(err.status, WRIT_E_INVALID);
	if (!is_in(word, err.message))
		fail_msg("'%s' is not in '%s'", word, err.message);
	writ_call_free(call_ok("cli.tool", input));
}

static void
preflight_clean_input_passes(void **state)
{
	(void)state;
	use_modules(TOOL);
	writ_call_free(call_with("cli.tool", "{\"file\":\"/path/to/file\"}",
	    WRIT_ARGUMENTS_STRICT_MODULES));
}

static void
preflight_injection_semicolon(void **state)
{
	(void)state;
	use_modules(TOOL);
	expect_preflight("{\"arg\":\"a;b\"}", ";");
}

static void
preflight_injection_pipe(void **state)
{
	(void)state;
	use_modules(TOOL);
	expect_preflight("{\"arg\":\"a|b\"}", "|");
}

static void
preflight_injection_in_array(void **state)
{
	(void)state;
	use_modules(TOOL);
	expect_preflight("{\"args\":[\"ok\",\"bad$\"]}", "$");
}

static void
preflight_non_string_passes(void **state)
{
	(void)state;
	use_modules(TOOL);
	writ_call_free(call_with(
	    "cli.tool", "{\"count\":5}", WRIT_ARGUMENTS_STRICT_MODULES));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    CALLING(cli_module_from_scanned_basic),
	    CALLING(cli_module_from_scanned_no_json_flag),
	    CALLING(cli_module_from_scanned_invalid_target),
	    CALLING(cli_module_from_scanned_empty_target),
	    CALLING(cli_module_new_direct),
	    CALLING(cli_module_input_schema_returns_some),
	    CALLING(cli_module_output_schema_returns_some),
	    CALLING(cli_module_description_returns_string),
	    CALLING(build_arguments_string_value),
	    CALLING(build_arguments_boolean_true),
	    CALLING(build_arguments_boolean_false),
	    CALLING(build_arguments_null_skipped),
	    CALLING(build_arguments_array_values),
	    CALLING(build_arguments_underscore_to_hyphen),
	    CALLING(build_arguments_integer_value),
	    CALLING(build_arguments_injection_blocked),
	    CALLING(execute_echo_returns_stdout),
	    CALLING(execute_false_nonzero_exit),
	    CALLING(execute_json_output_parsed),
	    CALLING(execute_timeout_returns_error),
	    CALLING(execute_nonexistent_binary),
	    CALLING(preflight_clean_input_passes),
	    CALLING(preflight_injection_semicolon),
	    CALLING(preflight_injection_pipe),
	    CALLING(preflight_injection_in_array),
	    CALLING(preflight_non_string_passes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
