/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <sys/resource.h>

#include "os/file.h"
#include "os/replace.h"
#include "os/trust.h"
#include "temp.h"

static const struct w_replace over = {
    .mode = 0640, .may_replace = true, .is_lasting = true};
static const struct w_replace fresh = {.mode = 0600};

static void
has_text(const struct temp *temp, const char *name, const char *text)
{
	char got[64];

	assert_true(w_file_read_at(temp->fd, name, got, sizeof(got)) >= 0);
	assert_string_equal(got, text);
}

/* Nothing else is left in the directory. */
static void
has_entries(const struct temp *temp, int expected)
{
	DIR *dir = opendir(temp->path);
	int count = 0;

	assert_non_null(dir);
	while (readdir(dir) != NULL)
		count++;
	assert_int_equal(closedir(dir), 0);
	assert_int_equal(count - 2, expected);
}

static void
a_file_is_replaced_whole(void **state)
{
	const struct temp *temp = *state;
	struct stat st;

	assert_int_equal(w_replace_file(temp->fd, "a", "one", 3, &over), 0);
	has_text(temp, "a", "one");
	int old = openat(temp->fd, "a", O_RDONLY | O_CLOEXEC);
	assert_int_equal(w_replace_file(temp->fd, "a", "second", 6, &over), 0);
	has_text(temp, "a", "second");
	/* A process that had it open still reads the old one. */
	assert_int_equal(fstat(old, &st), 0);
	assert_int_equal(st.st_size, 3);
	assert_int_equal(close(old), 0);
	assert_int_equal(fstatat(temp->fd, "a", &st, 0), 0);
	assert_int_equal(st.st_mode & 07777, 0640);
	has_entries(temp, 1);
}

static void
a_name_that_is_taken_stays_as_it_is(void **state)
{
	const struct temp *temp = *state;

	assert_int_equal(w_replace_file(temp->fd, "a", "one", 3, &fresh), 0);
	assert_int_equal(
	    w_replace_file(temp->fd, "a", "two", 3, &fresh), EEXIST);
	has_text(temp, "a", "one");
	temp_link(temp, "nowhere", "link");
	assert_int_equal(
	    w_replace_file(temp->fd, "link", "two", 3, &fresh), EEXIST);
	has_entries(temp, 2);
}

static void
a_link_is_replaced_not_followed(void **state)
{
	const struct temp *temp = *state;

	temp_file(temp, "victim", 0600, "old");
	temp_link(temp, "victim", "link");
	assert_int_equal(w_replace_file(temp->fd, "link", "new", 3, &over), 0);
	has_text(temp, "victim", "old");
	has_text(temp, "link", "new");
}

static void
what_fails_leaves_nothing_behind(void **state)
{
	const struct temp *temp = *state;
	struct rlimit before;

	temp_dir(temp, "dir");
	temp_file(temp, "dir/x", 0600, "x");
	assert_int_equal(
	    w_replace_file(temp->fd, "dir", "a", 1, &over), EISDIR);
	assert_int_equal(w_replace_file(-1, "a", "a", 1, &over), EBADF);
	has_entries(temp, 1);

	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	const struct rlimit little = {2, before.rlim_max};
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &little), 0);
	int error = w_replace_file(temp->fd, "a", "one", 3, &over);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	assert_int_equal(error, EFBIG);
	has_entries(temp, 1);
}

static void
trust_is_a_matter_of_owner_and_mode(void **state)
{
	const uid_t other = geteuid() == 1000 ? 1001 : 1000;
	const struct {
		uid_t uid;
		mode_t mode;
		bool is_foreign;
		bool is_foreign_dir;
	} rows[] = {
	    {geteuid(), 0755, false, false},
	    {0, 0644, false, false},
	    {geteuid(), 0775, true, true},
	    {geteuid(), 0757, true, true},
	    {geteuid(), 01777, true, false},
	    {other, 0600, true, true},
	    {other, 01755, true, true},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct stat st = {
		    .st_uid = rows[i].uid, .st_mode = rows[i].mode};

		assert_int_equal(w_trust_is_foreign(&st), rows[i].is_foreign);
		assert_int_equal(
		    w_trust_is_foreign_dir(&st), rows[i].is_foreign_dir);
	}
}

#define WITH_TEMP(test) \
	cmocka_unit_test_setup_teardown(test, temp_set_up, temp_tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    WITH_TEMP(a_file_is_replaced_whole),
	    WITH_TEMP(a_name_that_is_taken_stays_as_it_is),
	    WITH_TEMP(a_link_is_replaced_not_followed),
	    WITH_TEMP(what_fails_leaves_nothing_behind),
	    cmocka_unit_test(trust_is_a_matter_of_owner_and_mode),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
