/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <sys/file.h>

#include "index_sample.h"
#include "module/registry/registry_cache.h"
#include "temp.h"

static struct temp temp;

static int
set_up(void **state)
{
	return temp_begin(&temp, state);
}

static const char *
cache_dir(void)
{
	return temp_path(&temp, "cache");
}

static void
keep_sample(void)
{
	struct w_module_index module_index = sample_image();

	w_registry_cache_write(cache_dir(), SAMPLE_DIR, &module_index);
	w_module_index_done(&module_index);
}

static bool
is_kept(const char *dir)
{
	struct w_module_index module_index = {0};
	bool is_read = w_registry_cache_read(cache_dir(), dir, &module_index);

	if (is_read)
		assert_memory_equal(
		    module_index.texts, "{\"x\":1}{\"x\":1}", 14);
	w_module_index_done(&module_index);
	return is_read;
}

/* The name of the only file in the cache; "" if there is none. */
static const char *
only_file(void)
{
	static char name[300];
	DIR *stream = opendir(cache_dir());
	const struct dirent *entry;

	name[0] = '\0';
	assert_non_null(stream);
	while ((entry = readdir(stream)) != NULL) {
		if (entry->d_name[0] == '.')
			continue;
		assert_string_equal(name, "");
		(void)snprintf(name, sizeof(name), "cache/%s", entry->d_name);
	}
	(void)closedir(stream);
	return name;
}

static void
what_is_kept_is_found_again(void **state)
{
	struct stat st;

	(void)state;
	assert_false(is_kept(SAMPLE_DIR));
	keep_sample();
	assert_true(is_kept(SAMPLE_DIR));
	assert_false(is_kept("/srv/other"));
	assert_int_equal(fstatat(temp.fd, only_file(), &st, 0), 0);
	assert_int_equal(st.st_mode, S_IFREG | 0600);
	keep_sample();
	assert_true(is_kept(SAMPLE_DIR));
	(void)only_file();
}

static void
a_file_that_others_can_write_is_not_believed(void **state)
{
	(void)state;
	keep_sample();
	assert_int_equal(fchmodat(temp.fd, only_file(), 0620, 0), 0);
	assert_false(is_kept(SAMPLE_DIR));
	assert_int_equal(fchmodat(temp.fd, only_file(), 0602, 0), 0);
	assert_false(is_kept(SAMPLE_DIR));
	keep_sample();
	assert_true(is_kept(SAMPLE_DIR));
}

static void
a_file_of_another_user_is_not_believed(void **state)
{
	(void)state;
	if (geteuid() != 0)
		skip();
	keep_sample();
	assert_int_equal(fchownat(temp.fd, only_file(), 65534, 65534, 0), 0);
	assert_false(is_kept(SAMPLE_DIR));
}

static void
a_link_is_not_followed(void **state)
{
	char name[300];

	(void)state;
	keep_sample();
	(void)snprintf(name, sizeof(name), "%s", only_file());
	assert_int_equal(renameat(temp.fd, name, temp.fd, "moved"), 0);
	temp_link(&temp, "../moved", name);
	assert_false(is_kept(SAMPLE_DIR));
	keep_sample();
	assert_true(is_kept(SAMPLE_DIR));
}

static void
a_pipe_in_its_place_holds_nobody_up(void **state)
{
	char name[300];

	(void)state;
	keep_sample();
	(void)snprintf(name, sizeof(name), "%s", only_file());
	assert_int_equal(unlinkat(temp.fd, name, 0), 0);
	assert_int_equal(mkfifoat(temp.fd, name, 0600), 0);
	assert_false(is_kept(SAMPLE_DIR));
}

static void
a_shorter_or_empty_file_is_none(void **state)
{
	struct stat st;

	(void)state;
	keep_sample();
	int fd = openat(temp.fd, only_file(), O_RDWR | O_CLOEXEC);
	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(ftruncate(fd, st.st_size - 1), 0);
	assert_false(is_kept(SAMPLE_DIR));
	assert_int_equal(ftruncate(fd, 0), 0);
	assert_false(is_kept(SAMPLE_DIR));
	(void)close(fd);
}

static void
the_cache_of_one_directory_does_not_pass_for_that_of_another(void **state)
{
	struct w_module_index module_index = sample_image();

	(void)state;
	w_registry_cache_write(cache_dir(), "/srv/other", &module_index);
	assert_false(is_kept("/srv/other"));
	w_module_index_done(&module_index);
}

static void
a_directory_that_cannot_be_made_is_no_harm(void **state)
{
	(void)state;
	temp_file(&temp, "cache", 0600, "in the way");
	keep_sample();
	assert_false(is_kept(SAMPLE_DIR));
}

static void
what_a_dead_writer_left_is_used_again(void **state)
{
	char draft[320];

	(void)state;
	keep_sample();
	(void)snprintf(draft, sizeof(draft), "%s.new", only_file());
	temp_file(&temp, draft, 0600, "half of");
	keep_sample();
	assert_true(is_kept(SAMPLE_DIR));
	assert_false(temp_has(&temp, draft));
}

static void
who_writes_at_the_same_time_is_left_alone(void **state)
{
	char draft[320];

	(void)state;
	keep_sample();
	(void)snprintf(draft, sizeof(draft), "%s.new", only_file());
	temp_file(&temp, draft, 0600, "half of");
	int fd = openat(temp.fd, draft, O_RDWR | O_CLOEXEC);
	assert_int_equal(flock(fd, LOCK_EX | LOCK_NB), 0);
	keep_sample();
	assert_true(temp_has(&temp, draft));
	assert_true(is_kept(SAMPLE_DIR));
	(void)close(fd);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, temp_tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(what_is_kept_is_found_again),
	    TEST(a_file_that_others_can_write_is_not_believed),
	    TEST(a_file_of_another_user_is_not_believed),
	    TEST(a_link_is_not_followed),
	    TEST(a_pipe_in_its_place_holds_nobody_up),
	    TEST(a_shorter_or_empty_file_is_none),
	    TEST(the_cache_of_one_directory_does_not_pass_for_that_of_another),
	    TEST(a_directory_that_cannot_be_made_is_no_harm),
	    TEST(what_a_dead_writer_left_is_used_again),
	    TEST(who_writes_at_the_same_time_is_left_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
