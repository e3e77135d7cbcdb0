/* SPDX-License-Identifier: Apache-2.0 */
#include "calling.h"

#define COUNTER                                               \
	"- module_id: cli.count\n"                            \
	"  target: exec:///bin/echo\n"                        \
	"  input_schema:\n"                                   \
	"    type: object\n"                                  \
	"    properties:\n"                                   \
	"      count: {type: integer}\n"                      \
	"      ratio: {type: number}\n"                       \
	"      names: {type: array, items: {type: string}}\n" \
	"      file: {type: string, x-apexe-positional: 0}\n" \
	"    additionalProperties: false\n"

static void
an_unknown_module_is_told_with_the_nearest(void **state)
{
	(void)state;
	use_modules(COUNTER);
	writ_error err = call_bad("cli.cuont", "{}", WRIT_ARGUMENTS_LITERAL);
	assert_int_equal(err.status, WRIT_E_NOTFOUND);
	assert_string_equal(err.message, "there is no module 'cli.cuont'");
	assert_string_equal(err.suggestion, "did you mean 'cli.count'?");
	err = call_bad("Cli..x", "{}", WRIT_ARGUMENTS_LITERAL);
	assert_int_equal(err.status, WRIT_E_INVALID);
}

static void
an_input_must_be_an_object(void **state)
{
	static const char *const bad[] = {"[]", "5", "\"x\"", "null", "true"};

	(void)state;
	use_modules(COUNTER);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		const writ_error err =
		    call_bad("cli.count", bad[i], WRIT_ARGUMENTS_LITERAL);

		assert_int_equal(err.status, WRIT_E_INVALID);
		assert_true(is_in("must be a JSON object", err.message));
	}
	expect_argv("cli.count", "", "/bin/echo");
	expect_argv("cli.count", " \n", "/bin/echo");
	expect_argv("cli.count", "{}", "/bin/echo");
}

static void
an_input_that_is_no_json_is_told_with_its_place(void **state)
{
	(void)state;
	use_modules(COUNTER);
	writ_error err = call_bad(
	    "cli.count", "{\n \"count\": five}", WRIT_ARGUMENTS_LITERAL);
	assert_int_equal(err.status, WRIT_E_INVALID);
	assert_int_equal(err.line, 2);
	assert_int_equal(err.column, 11);
	err = call_bad(
	    "cli.count", "{\"count\":1,\"count\":2}", WRIT_ARGUMENTS_LITERAL);
	assert_true(is_in("count", err.message));
}

static void
everything_that_is_wrong_is_listed(void **state)
{
	static const char input[] = "{\n"
				    "  \"count\": \"five\",\n"
				    "  \"nams\": [],\n"
				    "  \"names\": [\"a\", 7]\n"
				    "}";
	writ_call *call = NULL;
	writ_error err = {0};
	size_t count;

	(void)state;
	use_modules(COUNTER);
	assert_int_equal(writ_call_new(modules, "cli.count", input,
			     strlen(input), NULL, &call, &err),
	    WRIT_E_INVALID);
	assert_non_null(call);
	assert_null(writ_call_draft(call));
	assert_null(writ_call_request(call));
	const writ_problem *problems = writ_call_problems(call, &count);
	assert_int_equal(count, 3);
	assert_string_equal(problems[0].instance, "/count");
	assert_true(is_in("integer", problems[0].message));
	assert_true(is_in("five", problems[0].message));
	assert_int_equal(problems[0].line, 2);
	assert_int_equal(problems[0].column, 12);
	bool has_suggestion = false;
	for (size_t i = 0; i < count; i++) {
		assert_true(problems[i].line >= 2 && problems[i].line <= 4);
		has_suggestion |= problems[i].suggestion != NULL &&
				  is_in("names", problems[i].suggestion);
	}
	assert_true(has_suggestion);
	assert_true(is_in("argument 'count': ", err.message));
	assert_true(is_in("(and 2 more)", err.message));
	assert_int_equal(err.line, 2);
	writ_call_free(call);
}

static void
a_problem_of_a_number_has_its_place(void **state)
{
	(void)state;
	use_modules(COUNTER);
	const writ_error err = call_bad("cli.count",
	    "{\"names\":[\"a\"],\n   \"count\": 1.5}", WRIT_ARGUMENTS_LITERAL);
	assert_int_equal(err.line, 2);
	assert_int_equal(err.column, 13);
}

static void
a_module_without_a_schema_takes_no_argument(void **state)
{
	(void)state;
	use_modules("- module_id: cli.true\n"
		    "  target: exec:///bin/true\n");
	const writ_error err =
	    call_bad("cli.true", "{\"x\":1}", WRIT_ARGUMENTS_LITERAL);
	assert_int_equal(err.status, WRIT_E_INVALID);
	assert_true(is_in("'x'", err.message));
}

static void
numbers_arrive_as_they_were_written(void **state)
{
	(void)state;
	use_modules(COUNTER);
	expect_argv("cli.count", "{\"count\":12345678901234567890123}",
	    "/bin/echo|--count|12345678901234567890123");
	expect_argv("cli.count", "{\"count\":-9223372036854775809}",
	    "/bin/echo|--count|-9223372036854775809");
	expect_argv("cli.count", "{\"count\":18446744073709551615}",
	    "/bin/echo|--count|18446744073709551615");
	expect_argv("cli.count", "{\"ratio\":0.25}", "/bin/echo|--ratio|0.25");
	expect_argv("cli.count", "{\"ratio\":3.10}", "/bin/echo|--ratio|3.10");
	expect_argv("cli.count", "{\"ratio\":-1e3}", "/bin/echo|--ratio|-1e3");
	expect_argv("cli.count", "{\"count\":2.0}", "/bin/echo|--count|2");
	expect_argv("cli.count", "{\"count\":-1e3}", "/bin/echo|--count|-1000");
	expect_argv("cli.count", "{\"count\":9007199254740993.0}",
	    "/bin/echo|--count|9007199254740993.0");
	expect_argv("cli.count", "{\"count\":-3}", "/bin/echo|--count|-3");
}

static void
numbers_are_judged_by_their_value(void **state)
{
	static const char *const good[] = {"{\"a\":0.10}", "{\"a\":1.0}",
	    "{\"a\":0.9999999999999999999999}", "{\"b\":0.50}", "{\"b\":5e-1}",
	    "{\"c\":0.30}", "{\"c\":1e2}", "{\"d\":[1.0,2]}"};
	static const char *const bad[] = {"{\"a\":0.09}", "{\"a\":1.01}",
	    "{\"a\":1e999}", "{\"b\":0.51}", "{\"c\":0.305}", "{\"d\":[1.0,1]}",
	    "{\"e\":1.5}", "{\"e\":1e400}"};

	(void)state;
	use_modules("- module_id: cli.num\n"
		    "  target: exec:///bin/echo\n"
		    "  input_schema:\n"
		    "    type: object\n"
		    "    properties:\n"
		    "      a: {type: number, minimum: 0.1, maximum: 1}\n"
		    "      b: {enum: [0.5, 7]}\n"
		    "      c: {type: number, multipleOf: 0.01}\n"
		    "      d: {type: array, uniqueItems: true}\n"
		    "      e: {type: integer, maximum: 9}\n");
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		writ_call_free(call_ok("cli.num", good[i]));
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		(void)call_bad("cli.num", bad[i], WRIT_ARGUMENTS_LITERAL);
}

#define PRINTER                                              \
	"- module_id: cli.printf\n"                          \
	"  argv: [/usr/bin/printf, '[%s]']\n"                \
	"  input_schema:\n"                                  \
	"    type: object\n"                                 \
	"    properties:\n"                                  \
	"      texts: {type: array, items: {type: string}, " \
	"x-apexe-positional: 0, x-writ-dash: allow}\n"

static void
hard_texts_arrive_byte_for_byte(void **state)
{
	(void)state;
	use_modules(PRINTER);
	assert_string_equal(
	    output_of_call("cli.printf",
		"{\"texts\":[\"it's \\\"quoted\\\"\\n\\ntwo\",\"\","
		"\".a[] | select(.b > 1)\",\"https://x/?a=1&b=$HOME#`id`\","
		"\"-5\",\"\\\\\",\"\\u00e4\\ud83d\\ude00\"]}"),
	    "[it's \"quoted\"\n\ntwo][][.a[] | select(.b > 1)]"
	    "[https://x/?a=1&b=$HOME#`id`][-5][\\]"
	    "[\xc3\xa4\xf0\x9f\x98\x80]");
}

/* Eight arguments of 128 KiB less one byte fit into one process. */
static void
arguments_of_a_megabyte_arrive(void **state)
{
	enum {
		WORD = 128 * 1024 - 1,
		WORDS = 8
	};
	char *input = malloc((WORD + 3) * WORDS + 100);
	size_t len = 0;

	(void)state;
	use_modules("- module_id: cli.sh\n"
		    "  argv: [/bin/sh, -c, 'printf %s \"$@\" | wc -c', sh]\n"
		    "  input_schema:\n"
		    "    type: object\n"
		    "    properties:\n"
		    "      texts: {type: array, x-apexe-positional: 0}\n");
	assert_non_null(input);
	len += (size_t)sprintf(input, "{\"texts\":[");
	for (int i = 0; i < WORDS; i++) {
		len += (size_t)sprintf(input + len, "%s\"", i == 0 ? "" : ",");
		memset(input + len, 'a' + i, WORD);
		len += WORD;
		input[len++] = '"';
	}
	(void)sprintf(input + len, "]}");
	assert_int_equal(atoi(output_of_call("cli.sh", input)), WORD * WORDS);
	free(input);
}

static void
a_word_that_no_process_can_be_given_is_refused(void **state)
{
	enum {
		LEN = 128 * 1024
	};
	char *input = malloc(LEN + 100);

	(void)state;
	use_modules(COUNTER);
	assert_non_null(input);
	size_t len = (size_t)sprintf(input, "{\"file\":\"");
	memset(input + len, 'a', LEN);
	(void)sprintf(input + len + LEN, "\"}");
	const writ_error err =
	    call_bad("cli.count", input, WRIT_ARGUMENTS_LITERAL);
	assert_int_equal(err.status, WRIT_E_INVALID);
	assert_true(is_in("file", err.message));
	free(input);
}

/* ---- the request ---- */

static void
a_call_has_thirty_seconds_unless_somebody_says(void **state)
{
	(void)state;
	use_modules("- module_id: cli.a\n"
		    "  target: exec:///bin/true\n"
		    "- module_id: cli.b\n"
		    "  target: exec:///bin/true\n"
		    "  timeout: 2m\n");
	writ_call *call = call_ok("cli.a", "{}");
	assert_int_equal(writ_call_request(call)->timeout_ms, 30000);
	assert_int_equal(
	    writ_draft_set(writ_call_draft(call), "timeout_ms", "7s", NULL),
	    WRIT_OK);
	assert_int_equal(writ_call_request(call)->timeout_ms, 7000);
	assert_string_equal(writ_call_request(call)->module, "cli.a");
	writ_call_free(call);
	call = call_ok("cli.b", "{}");
	assert_int_equal(writ_call_request(call)->timeout_ms, 120000);
	writ_call_free(call);
}

static void
the_places_of_a_request_are_filled_in(void **state)
{
	(void)state;
	use_modules("- module_id: cli.show\n"
		    "  command: [/bin/sh, -c, 'pwd; echo \"$GREETING\"; cat']\n"
		    "  input_schema:\n"
		    "    type: object\n"
		    "    properties:\n"
		    "      dir: {type: string}\n"
		    "      who: {type: string}\n"
		    "  cwd: \"{{args.dir}}\"\n"
		    "  stdin: \"for {{args.who}}\"\n"
		    "  env: {GREETING: \"hello {{args.who}}\"}\n");
	assert_string_equal(
	    output_of_call("cli.show", "{\"dir\":\"/usr\",\"who\":\"$(id)\"}"),
	    "/usr\nhello $(id)\nfor $(id)");
}

static void
an_argument_with_a_place_elsewhere_is_no_word_as_well(void **state)
{
	(void)state;
	use_modules("- module_id: cli.login\n"
		    "  argv: [/bin/sh, -c, 'echo \"$#:$*:$TOKEN\"; cat', sh]\n"
		    "  input_schema:\n"
		    "    type: object\n"
		    "    properties:\n"
		    "      text: {type: string}\n"
		    "      token: {type: string, x-sensitive: true}\n"
		    "      user: {type: string, x-apexe-flag: -u}\n"
		    "      site: {type: string, x-apexe-positional: 0}\n"
		    "      loud: {type: boolean}\n"
		    "  stdin: \"{{args.text}} from {{args.user}}\"\n"
		    "  env: {TOKEN: \"{{args.token}}{{args.site}}\"}\n");
	assert_string_equal(
	    output_of_call("cli.login",
		"{\"text\":\"hello\",\"token\":\"t0p\",\"user\":\"me\","
		"\"site\":\"here\",\"loud\":true}"),
	    "4:-u me --loud here:t0phere\nhello from me");
}

static void
the_input_can_go_to_stdin_as_json(void **state)
{
	(void)state;
	use_modules("- module_id: cli.cat\n"
		    "  target: exec:///bin/cat\n"
		    "  input: {as: json}\n"
		    "  input_schema: {type: object}\n");
	assert_string_equal(
	    output_of_call(
		"cli.cat", "{ \"n\": 12345678901234567890123, \"f\": 1.10 }\n"),
	    "{\"n\":12345678901234567890123,\"f\":1.10}");
	assert_string_equal(output_of_call("cli.cat", ""), "{}");
}

static void
the_environment_is_minimal_unless_the_module_says(void **state)
{
	(void)state;
	(void)setenv("CALL_TEST_ONE", "1", 1);
	use_modules("- module_id: cli.env\n"
		    "  target: exec:///usr/bin/env\n"
		    "- module_id: cli.env.more\n"
		    "  target: exec:///usr/bin/env\n"
		    "  env_pass: [CALL_TEST_*]\n");
	assert_false(is_in("CALL_TEST_ONE", output_of_call("cli.env", "{}")));
	assert_true(
	    is_in("CALL_TEST_ONE=1", output_of_call("cli.env.more", "{}")));
	(void)unsetenv("CALL_TEST_ONE");
}

static void
what_only_an_absent_argument_says_is_not_set(void **state)
{
	(void)state;
	use_modules("- module_id: cli.where\n"
		    "  command: [/usr/bin/env]\n"
		    "  cwd: \"{{args.dir}}\"\n"
		    "  env: {WHO: \"{{args.who}}\", HOW: \"x\"}\n"
		    "  input_schema: {properties: {dir: {}, who: {}}}\n");
	writ_call *call = call_ok("cli.where", "{\"dir\":null}");
	const writ_request *request = writ_call_request(call);
	assert_null(request->cwd);
	assert_string_equal(request->env[0], "HOW=x");
	assert_null(request->env[1]);
	writ_call_free(call);

	call = call_ok("cli.where", "{\"dir\":\"/\",\"who\":\"\"}");
	request = writ_call_request(call);
	assert_string_equal(request->cwd, "/");
	assert_string_equal(request->env[0], "WHO=");
	writ_call_free(call);
	(void)call_bad("cli.where", "{\"dir\":\"\"}", WRIT_ARGUMENTS_LITERAL);
}

#define FINDER                                                   \
	"- module_id: cli.finder\n"                              \
	"  target: exec:///bin/echo\n"                           \
	"  input_schema:\n"                                      \
	"    $schema: http://json-schema.org/draft-07/schema#\n" \
	"    $id: urn:x:y\n"                                     \
	"    type: object\n"                                     \
	"    required: [expr]\n"                                 \
	"    definitions: {kind: {enum: [f, d]}}\n"              \
	"    properties:\n"                                      \
	"      expr: {type: array, x-writ-sequence: true}\n"     \
	"      type: {$ref: '#/definitions/kind'}\n"             \
	"      a/b~%c: {type: integer, x-apexe-flag: -n}\n"      \
	"      not: {type: boolean}\n"                           \
	"    additionalProperties: false\n"

static void
a_step_is_as_its_property_says(void **state)
{
	writ_call *call = NULL;
	writ_error err = {0};
	size_t count;
	static const char wrong[] =
	    "{\"expr\":[{\"not\":true},{\"a/b~%c\":\"-delete\"}]}";

	(void)state;
	use_modules(FINDER);
	writ_call_free(call_ok("cli.finder",
	    "{\"expr\":[{\"type\":\"f\"},{\"not\":true},{\"a/b~%c\":5}]}"));
	assert_int_equal(writ_call_new(modules, "cli.finder", wrong,
			     strlen(wrong), NULL, &call, &err),
	    WRIT_E_INVALID);
	const writ_problem *problems = writ_call_problems(call, &count);
	assert_int_equal(count, 1);
	assert_string_equal(problems[0].instance, "/expr/1/a~1b~0%c");
	assert_string_equal(
	    problems[0].message, "expected an integer, got \"-delete\"");
	assert_int_equal(problems[0].column, 33);
	writ_call_free(call);
	err = call_bad("cli.finder", "{\"expr\":[{\"type\":\"x\"}]}",
	    WRIT_ARGUMENTS_LITERAL);
	assert_true(is_in("expr/0/type", err.message));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    CALLING(an_unknown_module_is_told_with_the_nearest),
	    CALLING(an_input_must_be_an_object),
	    CALLING(an_input_that_is_no_json_is_told_with_its_place),
	    CALLING(everything_that_is_wrong_is_listed),
	    CALLING(a_problem_of_a_number_has_its_place),
	    CALLING(a_module_without_a_schema_takes_no_argument),
	    CALLING(numbers_arrive_as_they_were_written),
	    CALLING(numbers_are_judged_by_their_value),
	    CALLING(hard_texts_arrive_byte_for_byte),
	    CALLING(arguments_of_a_megabyte_arrive),
	    CALLING(a_word_that_no_process_can_be_given_is_refused),
	    CALLING(a_call_has_thirty_seconds_unless_somebody_says),
	    CALLING(the_places_of_a_request_are_filled_in),
	    CALLING(an_argument_with_a_place_elsewhere_is_no_word_as_well),
	    CALLING(the_input_can_go_to_stdin_as_json),
	    CALLING(what_only_an_absent_argument_says_is_not_set),
	    CALLING(a_step_is_as_its_property_says),
	    CALLING(the_environment_is_minimal_unless_the_module_says),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
