/* SPDX-License-Identifier: Apache-2.0 */

/* The text of a result, for durations too long to wait for. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "mcp/runs/output_view.h"
#include "mcp/tools/exec_shape.h"

static char text[4096];

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
	W_AUTO_OUTPUT_VIEW struct w_output_view view;
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, sizeof(text));
	w_output_view_result(&view, &result, UINT64_MAX);
	w_shape_seed003_add_text(&buf, &result, &view);
	assert_false(buf.failed);
	memcpy(text, buf.data, buf.len + 1);
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

	return cmocka_run_group_tests(tests, NULL, NULL);
}
