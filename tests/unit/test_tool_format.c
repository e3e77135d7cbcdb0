/* SPDX-License-Identifier: Apache-2.0 */

/* The text of a result, for durations too long to wait for. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include <writ/tool.h>

static char text[4096];
static writ_engine *engine;
static writ_tool *tool;

static int
open_tool(void **state)
{
	writ_tool_options options = WRIT_TOOL_OPTIONS_INIT;
	writ_engine_options plain = WRIT_ENGINE_OPTIONS_INIT;

	(void)state;
	options.shape = "oxios";
	plain.no_audit = true;
	assert_int_equal(writ_engine_new(&plain, &engine, NULL), WRIT_OK);
	assert_int_equal(writ_tool_new(engine, &options, &tool, NULL), WRIT_OK);
	return 0;
}

static int
close_tool(void **state)
{
	(void)state;
	writ_tool_free(tool);
	writ_engine_free(engine);
	return 0;
}

static const char *
format(const char *out, const char *err, int code, uint64_t ms)
{
	const writ_result result = {
	    .exit_code = code,
	    .status_known = true,
	    .duration_ms = ms,
	    .out = {{.head = out,
			.head_len = strlen(out),
			.tail = "",
			.bytes = strlen(out)},
		{.head = err,
		    .head_len = strlen(err),
		    .tail = "",
		    .bytes = strlen(err)}},
	};
	static const char input[] =
	    "{\"mode\":\"structured\",\"binary\":\"ls\"}";
	writ_tool_answer answer = {.status = WRIT_OK};
	writ_tool_run *run = NULL;

	assert_int_equal(
	    writ_tool_check(tool, input, sizeof(input) - 1, &run, NULL),
	    WRIT_OK);
	assert_int_equal(
	    writ_tool_run_answer(run, &result, NULL, &answer, NULL), WRIT_OK);
	writ_tool_run_free(run);
	assert_int_equal(answer.is_error, code != 0);
	(void)snprintf(text, sizeof(text), "%s", answer.text);
	writ_tool_answer_done(&answer);
	return text;
}

static void
test_format_exec_output_success(void **state)
{
	(void)state;
	assert_string_equal(format("hello", "", 0, 1500), "hello\n\nTook 1.5s");
}

static void
test_format_exec_output_failure(void **state)
{
	(void)state;
	assert_string_equal(format("", "error!", 1, 500),
	    "error!\n\nCommand exited with code 1\n\nTook 0.5s");
}

static void
test_format_exec_output_no_output(void **state)
{
	(void)state;
	assert_string_equal(format("", "", 0, 100), "(no output)\n\nTook 0.1s");
}

static void
test_format_exec_output_minutes(void **state)
{
	(void)state;
	assert_string_equal(
	    format("done", "", 0, 125000), "done\n\nTook 2m 5.0s");
}

static void
what_rounds_up_to_a_minute_is_one(void **state)
{
	(void)state;
	assert_string_equal(format("x", "", 0, 59949), "x\n\nTook 59.9s");
	assert_string_equal(format("x", "", 0, 59960), "x\n\nTook 1m 0.0s");
	assert_string_equal(format("x", "", 0, 119970), "x\n\nTook 2m 0.0s");
}

static void
both_streams_have_a_newline_between_them(void **state)
{
	(void)state;
	assert_string_equal(format("out", "err", -1, 0),
	    "out\nerr\n\nCommand exited with code -1\n\nTook 0.0s");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_format_exec_output_success),
	    cmocka_unit_test(test_format_exec_output_failure),
	    cmocka_unit_test(test_format_exec_output_no_output),
	    cmocka_unit_test(test_format_exec_output_minutes),
	    cmocka_unit_test(what_rounds_up_to_a_minute_is_one),
	    cmocka_unit_test(both_streams_have_a_newline_between_them),
	};

	return cmocka_run_group_tests(tests, open_tool, close_tool);
}
