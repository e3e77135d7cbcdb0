/* SPDX-License-Identifier: Apache-2.0 */
#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/auto.h"
#include "sandbox/path/name_index.h"
#include "temp.h"

static struct temp temp;
static struct w_name_index names;
static char state_dir[512];

static int
set_up(void **state)
{
	(void)state;
	temp_open(&temp);
	temp_dir(&temp, "state");
	(void)snprintf(
	    state_dir, sizeof(state_dir), "%s", temp_path(&temp, "state"));
	names = (struct w_name_index){.state_dir = state_dir};
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	names.state_dir = NULL;
	w_name_index_done(&names);
	temp_close(&temp);
	return 0;
}

/* What one process does with a directory, to its end; then the next begins.
 * Whether the index knew it. */
static bool
process_asks(const char *path)
{
	const char *kept_in = names.state_dir;
	struct stat st;

	assert_int_equal(stat(path, &st), 0);
	const bool is_known = w_name_index_find(&names, path, &st) != NULL;
	w_name_index_done(&names);
	names.state_dir = kept_in;
	return is_known;
}

/* A directory of the machine that nobody has changed for a while. */
static const char *
settled_directory(void)
{
	static const char *const places[] = {"/usr/share", "/usr", "/usr/lib",
	    "/usr/include", "/usr/games", "/opt", "/srv", "/"};

	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		struct stat st;
		W_AUTO_FD int fd =
		    open(places[i], O_RDONLY | O_DIRECTORY | O_CLOEXEC);

		if (fd < 0 || fstat(fd, &st) < 0)
			continue;
		const struct w_file_mark mark = w_file_mark_of(&st);
		if (w_file_mark_is_settled(&mark, fd) &&
		    st.st_ctim.tv_sec + W_NAME_INDEX_AGE_S < time(NULL))
			return places[i];
	}
	skip();
	return NULL;
}

static void
the_third_process_knows_the_names(void **state)
{
	const char *path = settled_directory();
	const struct dirent *entry;
	struct stat st;

	(void)state;
	assert_false(process_asks(path));
	assert_false(process_asks(path));
	assert_int_equal(stat(path, &st), 0);
	const struct w_name_index_dir *dir =
	    w_name_index_find(&names, path, &st);
	assert_non_null(dir);
	DIR *list = opendir(path);
	while ((entry = readdir(list)) != NULL) {
		if (entry->d_name[0] != '.')
			assert_false(w_name_index_lacks(
			    dir, entry->d_name, strlen(entry->d_name)));
	}
	(void)closedir(list);

	unsigned lacking = 0;
	for (int i = 0; i < 100; i++) {
		char name[32];
		const int len =
		    snprintf(name, sizeof(name), "no such name %d", i);

		lacking += w_name_index_lacks(dir, name, (size_t)len);
	}
	assert_true(lacking > 80);
	assert_true(w_name_index_lacks(dir, "USR no", 6) ==
		    w_name_index_lacks(dir, "usr NO", 6));
}

static void
a_directory_that_changed_lately_is_not_kept(void **state)
{
	(void)state;
	for (int i = 0; i < 4; i++)
		assert_false(process_asks(temp_path(&temp, "state")));
}

static void
without_a_state_directory_nothing_is_kept(void **state)
{
	const char *path = settled_directory();

	(void)state;
	names.state_dir = NULL;
	for (int i = 0; i < 4; i++)
		assert_false(process_asks(path));
}

static size_t
read_index(char *bytes, size_t size)
{
	W_AUTO_FD int fd =
	    open(temp_path(&temp, "state/" W_NAME_INDEX_FILE), O_RDONLY);
	const ssize_t len = read(fd, bytes, size);

	assert_true(len > 8);
	return (size_t)len;
}

static void
a_damaged_file_is_an_empty_index(void **state)
{
	static char bytes[1 << 20];
	const char *path = settled_directory();

	(void)state;
	assert_false(process_asks(path));
	assert_false(process_asks(path));
	const size_t len = read_index(bytes, sizeof(bytes));
	names.state_dir = NULL;
	for (size_t cut = 0; cut < 100; cut++) {
		const bool is_whole = w_name_index_parse(&names, bytes, cut);

		assert_true(is_whole == (cut == 8));
		assert_true(names.count == 0);
		w_name_index_done(&names);
	}
	assert_true(w_name_index_parse(&names, bytes, len));
	assert_true(names.count == 1);
}

static void
a_file_that_others_can_read_or_a_link_is_ignored(void **state)
{
	const char *path = settled_directory();
	char file[256], other[256];

	(void)state;
	(void)snprintf(file, sizeof(file), "%s",
	    temp_path(&temp, "state/" W_NAME_INDEX_FILE));
	(void)snprintf(other, sizeof(other), "%s", temp_path(&temp, "other"));
	assert_false(process_asks(path));
	assert_false(process_asks(path));
	assert_int_equal(chmod(file, 0644), 0);
	assert_false(process_asks(path));
	assert_int_equal(chmod(file, 0600), 0);
	assert_int_equal(rename(file, other), 0);
	assert_int_equal(symlink(other, file), 0);
	assert_false(process_asks(path));
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    CASE(the_third_process_knows_the_names),
	    CASE(a_directory_that_changed_lately_is_not_kept),
	    CASE(without_a_state_directory_nothing_is_kept),
	    CASE(a_damaged_file_is_an_empty_index),
	    CASE(a_file_that_others_can_read_or_a_link_is_ignored),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
