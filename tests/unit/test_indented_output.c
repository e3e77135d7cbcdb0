/* SPDX-License-Identifier: Apache-2.0 */

#include "cli/manifest/indented_output.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void
add(struct w_indented_output *live, struct w_buf *out, writ_stream stream,
    const char *text)
{
	w_indented_output_add(live, out, stream, text, strlen(text));
}

static void
lines_are_indented_however_they_come(void **state)
{
	struct w_indented_output live = {.is_sanitized = false};
	W_AUTO_BUF struct w_buf out;

	(void)state;
	w_buf_init(&out, 4096);
	add(&live, &out, WRIT_STDOUT, "one\ntw");
	assert_true(live.is_mid_line);
	add(&live, &out, WRIT_STDOUT, "o\n\nthree");
	w_indented_output_end(&live, &out);
	w_indented_output_end(&live, &out);
	assert_string_equal(out.data, "    one\n    two\n    \n    three\n");
}

static void
streams_do_not_share_a_line(void **state)
{
	struct w_indented_output live = {.is_sanitized = false};
	W_AUTO_BUF struct w_buf out;

	(void)state;
	w_buf_init(&out, 4096);
	add(&live, &out, WRIT_STDOUT, "out");
	add(&live, &out, WRIT_STDERR, "err\n");
	add(&live, &out, WRIT_STDOUT, "put\n");
	w_indented_output_end(&live, &out);
	assert_string_equal(out.data, "    out\n    err\n    put\n");
}

static void
a_pipe_gets_the_bytes_and_a_terminal_only_harmless_ones(void **state)
{
	struct w_indented_output plain = {.is_sanitized = false};
	struct w_indented_output sanitized = {.is_sanitized = true};
	W_AUTO_BUF struct w_buf a;
	W_AUTO_BUF struct w_buf b;

	(void)state;
	w_buf_init(&a, 4096);
	w_buf_init(&b, 4096);
	add(&plain, &a, WRIT_STDOUT, "x\033[2Jy\xff\n");
	add(&sanitized, &b, WRIT_STDOUT, "x\033[2Jy\xff\n");
	assert_string_equal(a.data, "    x\033[2Jy\xff\n");
	assert_string_equal(b.data, "    xy\xef\xbf\xbd\n");
}

static void
a_colour_does_not_outlive_the_command(void **state)
{
	struct w_indented_output live = {.is_sanitized = true};
	W_AUTO_BUF struct w_buf out;

	(void)state;
	w_buf_init(&out, 4096);
	add(&live, &out, WRIT_STDOUT, "\033[31mred");
	w_indented_output_end(&live, &out);
	assert_string_equal(out.data, "    \033[31mred\033[0m\n");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(lines_are_indented_however_they_come),
	    cmocka_unit_test(streams_do_not_share_a_line),
	    cmocka_unit_test(
		a_pipe_gets_the_bytes_and_a_terminal_only_harmless_ones),
	    cmocka_unit_test(a_colour_does_not_outlive_the_command),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
