/* SPDX-License-Identifier: Apache-2.0 */

#include "cli/manifest/progress_bar.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void
expect(const struct w_progress *progress, uint64_t ms, size_t columns,
    const char *wanted)
{
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, 4096);
	w_progress_add(&buf, progress, ms, columns);
	assert_string_equal(buf.data, wanted);
}

static void
the_bar_shows_how_far_where_and_how_long(void **state)
{
	struct w_progress progress = {.total = 4, .done = 1};

	(void)state;
	expect(&progress, 14900, 80, "[#####...............] 1/4  14s");
	w_progress_at(&progress, "exec", "build");
	expect(
	    &progress, 1000, 80, "[#####...............] 1/4  exec#build  1s");
	progress.done = 4;
	expect(&progress, 61000, 80,
	    "[####################] 4/4  exec#build  1m1s");
}

static void
nothing_to_do_is_an_empty_bar(void **state)
{
	const struct w_progress progress = {.total = 0};

	(void)state;
	expect(&progress, 0, 80, "[....................] 0/0  0s");
}

static void
a_line_never_reaches_the_last_column(void **state)
{
	struct w_progress progress = {.total = 1000000, .done = 999999};
	char name[300];

	(void)state;
	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	w_progress_at(&progress, "exec", name);
	for (size_t columns = 48; columns < 250; columns++) {
		W_AUTO_BUF struct w_buf buf;

		w_buf_init(&buf, 4096);
		w_progress_add(&buf, &progress, 5000, columns);
		assert_true(buf.len < columns + 2); /* an ellipsis is 3 bytes */
	}
}

static void
names_cannot_move_the_cursor(void **state)
{
	struct w_progress progress = {.total = 1};

	(void)state;
	w_progress_at(&progress, "exec", "a\033[2Jb\nc");
	expect(&progress, 0, 80,
	    "[....................] 0/1  exec#a\\x1b[2Jb\\nc  0s");
}

static void
one_that_is_not_wanted_is_never_drawn(void **state)
{
	struct w_progress progress;

	(void)state;
	w_progress_init(&progress, 3, false);
	w_progress_tick(&progress, 1);
	w_progress_tick(&progress, 100000);
	w_progress_redraw(&progress, 100000);
	assert_false(progress.is_shown);
	assert_false(w_progress_wipe(&progress));
	w_progress_done(&progress);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_bar_shows_how_far_where_and_how_long),
	    cmocka_unit_test(nothing_to_do_is_an_empty_bar),
	    cmocka_unit_test(a_line_never_reaches_the_last_column),
	    cmocka_unit_test(names_cannot_move_the_cursor),
	    cmocka_unit_test(one_that_is_not_wanted_is_never_drawn),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
