/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "factual.h"
#include "temp.h"

static void
lines_end_with_a_newline_or_the_text(void **state)
{
	static const char text[] = "one\n\nthree";
	struct w_fact_lines lines = {.at = text, .end = text + 10};
	const char *line;
	size_t len;

	(void)state;
	assert_true(w_fact_lines_next(&lines, &line, &len));
	assert_int_equal(len, 3);
	assert_true(w_fact_lines_next(&lines, &line, &len));
	assert_int_equal(len, 0);
	assert_true(w_fact_lines_next(&lines, &line, &len));
	assert_int_equal(len, 5);
	assert_memory_equal(line, "three", 5);
	assert_false(w_fact_lines_next(&lines, &line, &len));
}

static void
a_file_is_read_whole_or_not_at_all(void **state)
{
	const struct temp *temp = *state;
	struct w_buf buf;

	temp_file(temp, "f", 0600, "12345");
	assert_int_equal(mkfifoat(temp->fd, "pipe", 0600), 0);
	w_buf_init(&buf, 5);
	assert_true(w_fact_file_read(&buf, temp_path(temp, "f")));
	assert_string_equal(buf.data, "12345");
	w_buf_done(&buf);
	w_buf_init(&buf, 4);
	assert_false(w_fact_file_read(&buf, temp_path(temp, "f")));
	w_buf_done(&buf);
	w_buf_init(&buf, 100);
	assert_false(w_fact_file_read(&buf, temp_path(temp, "none")));
	assert_false(w_fact_file_read(&buf, temp->path));
	/* A FIFO without a writer does not block. */
	assert_true(w_fact_file_read(&buf, temp_path(temp, "pipe")));
	assert_int_equal(buf.len, 0);
	w_buf_done(&buf);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(lines_end_with_a_newline_or_the_text),
	    cmocka_unit_test_setup_teardown(a_file_is_read_whole_or_not_at_all,
		temp_set_up, temp_tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
