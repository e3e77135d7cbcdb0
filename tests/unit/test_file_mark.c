/* SPDX-License-Identifier: Apache-2.0 */

/* What tells that a file or directory has changed. */

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "os/file_mark.h"
#include "temp.h"

static struct w_file_mark
mark_of(const char *path)
{
	struct stat st;

	assert_int_equal(stat(path, &st), 0);
	return w_file_mark_of(&st);
}

/* Changes it until the file system's clock has moved on. */
static void
expect_change(
    const struct temp *temp, void (*change)(const struct temp *, unsigned))
{
	const struct w_file_mark before = mark_of(temp->path);
	struct w_file_mark now = before;

	for (unsigned i = 0; w_file_mark_is_same(&before, &now); i++) {
		assert_true(i < 10000000);
		change(temp, i);
		now = mark_of(temp->path);
	}
}

static void
name_comes_and_goes(const struct temp *temp, unsigned turn)
{
	if (turn % 2 == 0)
		temp_link(temp, "/bin/sh", "name");
	else
		assert_int_equal(unlink(temp_path(temp, "name")), 0);
}

static void
a_directory_has_another_mark_when_a_name_comes_or_goes(void **state)
{
	expect_change(*state, name_comes_and_goes);
}

static void
what_is_not_touched_keeps_its_mark(void **state)
{
	const struct temp *temp = *state;
	const struct w_file_mark none = {.changed_ns = 0};

	temp_file(temp, "one", 0600, "x");
	temp_file(temp, "other", 0600, "x");
	const struct w_file_mark one = mark_of(temp_path(temp, "one"));
	const struct w_file_mark again = mark_of(temp_path(temp, "one"));
	const struct w_file_mark other = mark_of(temp_path(temp, "other"));
	assert_true(w_file_mark_is_same(&one, &again));
	assert_false(w_file_mark_is_same(&one, &other));
	assert_false(w_file_mark_is_same(&none, &none));
}

/* Time stamps are coarse, and those of /proc mean nothing. */
static void
what_may_change_unseen_is_not_settled(void **state)
{
	const struct temp *temp = *state;
	const struct w_file_mark new = mark_of(temp->path);
	struct w_file_mark old = mark_of("/proc");
	const int proc = open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC);

	assert_true(proc >= 0);
	assert_false(w_file_mark_is_settled(&new, temp->fd));
	old.changed_ns = 1;
	assert_false(w_file_mark_is_settled(&old, proc));
	(void)close(proc);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(
		a_directory_has_another_mark_when_a_name_comes_or_goes,
		temp_set_up, temp_tear_down),
	    cmocka_unit_test_setup_teardown(what_is_not_touched_keeps_its_mark,
		temp_set_up, temp_tear_down),
	    cmocka_unit_test_setup_teardown(
		what_may_change_unseen_is_not_settled, temp_set_up,
		temp_tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
