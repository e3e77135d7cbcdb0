/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "os/parent_dir.h"
#include "temp.h"

static int
open_in(const struct temp *temp, const char *name, struct w_parent_dir *out)
{
	return w_parent_dir_open(temp_path(temp, name), out);
}

/* Which directory it is. */
static void
assert_is(const struct temp *temp, const struct w_parent_dir *parent,
    const char *name)
{
	struct stat got, wanted;

	assert_int_equal(fstat(parent->fd, &got), 0);
	assert_int_equal(fstatat(temp->fd, name, &wanted, 0), 0);
	assert_true(got.st_ino == wanted.st_ino);
}

static void
directories_are_entered_and_missing_ones_told(void **state)
{
	const struct temp *temp = *state;
	struct w_parent_dir parent;

	temp_dir(temp, "a");
	assert_int_equal(open_in(temp, "a/f", &parent), 0);
	assert_is(temp, &parent, "a");
	assert_string_equal(parent.name, "f");
	assert_true(w_parent_dir_exists(&parent));
	w_parent_dir_close(&parent);
	assert_int_equal(open_in(temp, "a/b/c/f", &parent), 0);
	assert_is(temp, &parent, "a");
	assert_string_equal(parent.rest, "b/c/f");
	assert_string_equal(parent.name, "f");
	assert_false(w_parent_dir_exists(&parent));
	w_parent_dir_close(&parent);
	assert_int_equal(w_parent_dir_open("/x", &parent), 0);
	assert_string_equal(parent.rest, "x");
	w_parent_dir_close(&parent);
	temp_file(temp, "file", 0600, "");
	assert_int_equal(open_in(temp, "file/f", &parent), ENOTDIR);
}

static void
links_of_our_own_are_followed(void **state)
{
	const struct temp *temp = *state;
	struct w_parent_dir parent;

	temp_dir(temp, "a");
	temp_dir(temp, "a/b");
	temp_link(temp, "a/../a//b/.", "short");
	temp_link(temp, temp_path(temp, "short"), "whole");
	assert_int_equal(open_in(temp, "whole/f", &parent), 0);
	assert_is(temp, &parent, "a/b");
	assert_string_equal(parent.rest, "f");
	w_parent_dir_close(&parent);
	temp_link(temp, "a/none", "dangling");
	assert_int_equal(open_in(temp, "dangling/f", &parent), 0);
	assert_is(temp, &parent, "a");
	assert_string_equal(parent.rest, "none/f");
	w_parent_dir_close(&parent);
	temp_link(temp, "none/../../x", "crooked");
	assert_int_equal(open_in(temp, "crooked/f", &parent), ENOENT);
	temp_link(temp, "loop", "loop");
	assert_int_equal(open_in(temp, "loop/f", &parent), ELOOP);
}

static void
links_that_others_could_have_made_are_not(void **state)
{
	const struct temp *temp = *state;
	struct w_parent_dir parent;

	temp_dir(temp, "open");
	temp_dir(temp, "there");
	temp_link(temp, "../there", "open/link");
	assert_int_equal(fchmodat(temp->fd, "open", 0777, 0), 0);
	assert_int_equal(open_in(temp, "open/link/f", &parent), ELOOP);
	/* There nobody can replace it. */
	assert_int_equal(fchmodat(temp->fd, "open", 01777, 0), 0);
	assert_int_equal(open_in(temp, "open/link/f", &parent), 0);
	w_parent_dir_close(&parent);
	if (geteuid() != 0)
		skip();
	assert_int_equal(
	    fchownat(temp->fd, "open/link", 1234, 1234, AT_SYMLINK_NOFOLLOW),
	    0);
	assert_int_equal(open_in(temp, "open/link/f", &parent), ELOOP);
	temp_dir(temp, "theirs");
	temp_link(temp, "../there", "theirs/link");
	assert_int_equal(fchownat(temp->fd, "theirs", 1234, 1234, 0), 0);
	assert_int_equal(open_in(temp, "theirs/link/f", &parent), ELOOP);
	/* A directory of another user is no problem. */
	assert_int_equal(open_in(temp, "theirs/f", &parent), 0);
	w_parent_dir_close(&parent);
}

static void
names_that_are_too_long_are_refused(void **state)
{
	const struct temp *temp = *state;
	char name[300];
	struct w_parent_dir parent;

	memset(name, 'a', sizeof(name));
	name[sizeof(name) - 1] = '\0';
	assert_int_equal(open_in(temp, name, &parent), ENAMETOOLONG);
}

static int
open_file_in(const struct temp *temp, const char *name)
{
	int fd = -1;
	int error = w_parent_dir_open_file(
	    temp_path(temp, name), O_RDONLY | O_CLOEXEC, &fd);

	if (fd >= 0)
		(void)close(fd);
	/* Untouched on failure. */
	assert_true((error == 0) == (fd >= 0));
	return error;
}

static void
files_are_opened_through_links_of_our_own(void **state)
{
	const struct temp *temp = *state;

	temp_dir(temp, "a");
	temp_file(temp, "a/file", 0600, "x");
	temp_link(temp, "a", "dir");
	temp_link(temp, "../dir/file", "a/last");
	assert_int_equal(open_file_in(temp, "a/file"), 0);
	assert_int_equal(open_file_in(temp, "dir/file"), 0);
	assert_int_equal(open_file_in(temp, "dir/last"), 0);
	assert_int_equal(open_file_in(temp, "a/none"), ENOENT);
	assert_int_equal(open_file_in(temp, "dir/none"), ENOENT);
	assert_int_equal(open_file_in(temp, "dir/file/x"), ENOTDIR);
	temp_link(temp, "loop", "loop");
	assert_int_equal(open_file_in(temp, "loop"), ELOOP);
}

static void
files_are_not_opened_through_links_of_others(void **state)
{
	const struct temp *temp = *state;

	temp_dir(temp, "open");
	temp_file(temp, "private", 0600, "x");
	temp_link(temp, "../private", "open/link");
	temp_link(temp, "open/link", "ours");
	assert_int_equal(open_file_in(temp, "open/link"), 0);
	assert_int_equal(fchmodat(temp->fd, "open", 0777, 0), 0);
	assert_int_equal(open_file_in(temp, "open/link"), ELOOP);
	/* A link of ours to a directory of another user. */
	assert_int_equal(open_file_in(temp, "ours"), ELOOP);
	temp_file(temp, "open/file", 0600, "x");
	assert_int_equal(open_file_in(temp, "open/file"), 0);
}

#define TEMP(test) \
	cmocka_unit_test_setup_teardown(test, temp_set_up, temp_tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEMP(directories_are_entered_and_missing_ones_told),
	    TEMP(links_of_our_own_are_followed),
	    TEMP(links_that_others_could_have_made_are_not),
	    TEMP(files_are_opened_through_links_of_our_own),
	    TEMP(files_are_not_opened_through_links_of_others),
	    TEMP(names_that_are_too_long_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
