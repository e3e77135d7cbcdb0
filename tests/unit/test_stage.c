/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <errno.h>

#include "leftovers.h"
#include "os/stage.h"
#include "temp.h"

static const struct w_stage_end replacing = {
    .may_replace = true, .is_lasting = true};
static const struct w_stage_end sparing = {.is_lasting = true};

static int
count_entries(const struct temp *temp)
{
	DIR *dir = opendir(temp->path);
	int count = 0;

	assert_non_null(dir);
	while (readdir(dir) != NULL)
		count++;
	(void)closedir(dir);
	return count - 2;
}

static ino_t
inode(const struct temp *temp, const char *name)
{
	struct stat st;

	assert_int_equal(fstatat(temp->fd, name, &st, 0), 0);
	return st.st_ino;
}

static void
publish_both_ways(const struct temp *temp, bool is_nameless)
{
	struct w_stage stage;
	bool is_named;

	assert_int_equal(w_stage_file(&stage, temp->fd, is_nameless), 0);
	assert_int_equal(write(stage.fd, "x", 1), 1);
	assert_int_equal(w_stage_chown(&stage, (uid_t)-1, (gid_t)-1, 0604), 0);
	assert_int_equal(w_stage_publish(&stage, "f", &sparing, &is_named), 0);
	assert_true(is_named);
	w_stage_drop(&stage);
	const ino_t first = inode(temp, "f");

	assert_int_equal(w_stage_file(&stage, temp->fd, is_nameless), 0);
	assert_int_equal(
	    w_stage_publish(&stage, "f", &sparing, &is_named), EEXIST);
	assert_false(is_named);
	assert_int_equal(inode(temp, "f"), first);
	assert_int_equal(
	    w_stage_publish(&stage, "f", &replacing, &is_named), 0);
	w_stage_drop(&stage);
	assert_true(inode(temp, "f") != first);
	assert_int_equal(count_entries(temp), 1);
	assert_int_equal(unlinkat(temp->fd, "f", 0), 0);
}

static void
a_file_gets_its_name_when_it_is_ready(void **state)
{
	const struct temp *temp = *state;

	publish_both_ways(temp, true);
	publish_both_ways(temp, false);
}

static void
what_is_dropped_leaves_nothing(void **state)
{
	const struct temp *temp = *state;
	const int fds = count_fds();
	struct w_stage stage;

	for (int i = 0; i < 3; i++) {
		assert_int_equal(i == 2 ? w_stage_dir(&stage, temp->fd)
					: w_stage_file(&stage, temp->fd, i),
		    0);
		w_stage_drop(&stage);
	}
	assert_int_equal(count_entries(temp), 0);
	assert_int_equal(count_fds(), fds);
}

static void
a_directory_replaces_nothing(void **state)
{
	const struct temp *temp = *state;
	struct w_stage stage;
	bool is_named;

	temp_dir(temp, "there");
	assert_int_equal(w_stage_dir(&stage, temp->fd), 0);
	assert_int_equal(w_stage_chown(&stage, (uid_t)-1, (gid_t)-1, 0751), 0);
	assert_int_equal(
	    w_stage_publish(&stage, "there", &sparing, &is_named), EEXIST);
	assert_int_equal(
	    w_stage_publish(&stage, "new", &sparing, &is_named), 0);
	w_stage_drop(&stage);
	assert_int_equal(count_entries(temp), 2);
}

#define TEMP(test) \
	cmocka_unit_test_setup_teardown(test, temp_set_up, temp_tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEMP(a_file_gets_its_name_when_it_is_ready),
	    TEMP(what_is_dropped_leaves_nothing),
	    TEMP(a_directory_replaces_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
