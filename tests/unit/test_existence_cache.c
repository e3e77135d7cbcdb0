/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sandbox/path/existence_cache.h"
#include "temp.h"

static struct temp temp;
static struct w_existence_cache glance;

static int
set_up(void **state)
{
	(void)state;
	temp_open(&temp);
	temp_dir(&temp, "dir");
	temp_file(&temp, "dir/here", 0600, "");
	glance = (struct w_existence_cache){.count = 0};
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	w_existence_cache_done(&glance);
	temp_close(&temp);
	return 0;
}

static bool
may(const char *name)
{
	return w_existence_cache_may_exist(&glance, temp_path(&temp, name));
}

static void
what_is_missing_is_known(void **state)
{
	(void)state;
	assert_false(may("dir/missing"));
	assert_true(may("dir/here"));
	assert_true(may("dir"));
	assert_false(may("none/x"));
	assert_false(may("none/y"));
	assert_true(w_existence_cache_may_exist(&glance, "/"));
	assert_true(w_existence_cache_may_exist(&glance, "/etc"));
}

/* Asks until the directory is read. */
static void
warm_up(const char *name)
{
	for (int i = 0; i < 3; i++)
		(void)may(name);
}

static void
a_directory_that_was_read_answers_for_its_names(void **state)
{
	char name[64];

	(void)state;
	for (int i = 0; i < 60; i++) {
		(void)snprintf(name, sizeof(name), "dir/f%d", i);
		temp_file(&temp, name, 0600, "");
	}
	warm_up("dir/x");
	temp_file(&temp, "dir/after", 0600, "");
	assert_false(may("dir/after"));
	for (int i = 0; i < 60; i++) {
		(void)snprintf(name, sizeof(name), "dir/f%d", i);
		assert_true(may(name));
	}
}

/* Their listing is longer than the directory is on the disk. */
static void
short_names_do_not_make_a_directory_too_long(void **state)
{
	char name[64];

	(void)state;
	temp_dir(&temp, "short");
	for (int i = 0; i < 180; i++) {
		(void)snprintf(name, sizeof(name), "short/f%d", i);
		temp_file(&temp, name, 0600, "");
	}
	warm_up("short/x");
	temp_file(&temp, "short/after", 0600, "");
	assert_false(may("short/after"));
	assert_true(may("short/f179"));
}

static void
a_look_tells_what_is_there(void **state)
{
	struct stat st;

	(void)state;
	temp_link(&temp, "here", "dir/link");
	for (int i = 0; i < 5; i++) {
		assert_true(w_existence_cache_look(
		    &glance, temp_path(&temp, "dir/here"), &st));
		assert_true(S_ISREG(st.st_mode));
		assert_true(w_existence_cache_look(
		    &glance, temp_path(&temp, "dir/link"), &st));
		assert_true(S_ISLNK(st.st_mode));
		assert_false(w_existence_cache_look(
		    &glance, temp_path(&temp, "dir/missing"), &st));
	}
	/* A file where a directory should be is a doubt. */
	assert_true(w_existence_cache_look(
	    &glance, temp_path(&temp, "dir/here/x"), &st));
	assert_int_equal(st.st_mode, 0);
	/* It was listed, and is gone since. */
	assert_int_equal(unlinkat(temp.fd, "dir/here", 0), 0);
	assert_true(may("dir/here"));
	assert_false(
	    w_existence_cache_look(&glance, temp_path(&temp, "dir/here"), &st));
}

static void
case_is_not_trusted(void **state)
{
	(void)state;
	temp_file(&temp, "dir/.GIT", 0600, "");
	warm_up("dir/x");
	assert_true(may("dir/.git"));
	assert_true(may("dir/.Git"));
}

static void
names_beyond_ascii_mean_that_each_is_asked_for(void **state)
{
	(void)state;
	temp_file(&temp, "dir/.g\xe2\x80\x8cit", 0600, "");
	warm_up("dir/x");
	temp_file(&temp, "dir/.git", 0600, "");
	assert_true(may("dir/.git"));
	assert_false(may("dir/.got"));
}

static void
a_large_directory_is_not_read(void **state)
{
	char name[64];

	(void)state;
	temp_dir(&temp, "huge");
	for (int i = 0; i < 500; i++) {
		(void)snprintf(name, sizeof(name), "huge/long-name-%d", i);
		temp_file(&temp, name, 0600, "");
	}
	warm_up("huge/x");
	temp_file(&temp, "huge/x", 0600, "");
	assert_true(may("huge/x"));
}

static void
every_doubt_is_a_maybe(void **state)
{
	(void)state;
	temp_link(&temp, "nowhere", "dir/dangling");
	temp_link(&temp, "loop", "dir/loop");
	assert_true(may("dir/dangling"));
	assert_true(may("dir/loop/x"));
	/* A file where a directory should be. */
	assert_true(may("dir/here/x"));
	if (geteuid() != 0) {
		temp_dir(&temp, "closed");
		assert_int_equal(fchmodat(temp.fd, "closed", 0, 0), 0);
		assert_true(may("closed/x"));
	}
}

static void
more_directories_than_are_kept_are_no_harm(void **state)
{
	char name[64];

	(void)state;
	for (int i = 0; i < 40; i++) {
		(void)snprintf(name, sizeof(name), "d%d", i);
		temp_dir(&temp, name);
		(void)snprintf(name, sizeof(name), "d%d/x", i);
		assert_false(may(name));
	}
	temp_file(&temp, "d39/x", 0600, "");
	assert_true(may("d39/x"));
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    CASE(what_is_missing_is_known),
	    CASE(a_directory_that_was_read_answers_for_its_names),
	    CASE(short_names_do_not_make_a_directory_too_long),
	    CASE(a_look_tells_what_is_there),
	    CASE(case_is_not_trusted),
	    CASE(names_beyond_ascii_mean_that_each_is_asked_for),
	    CASE(a_large_directory_is_not_read),
	    CASE(every_doubt_is_a_maybe),
	    CASE(more_directories_than_are_kept_are_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
