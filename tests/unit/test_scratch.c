/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run/resolve/scratch.h"

static char *
make(const struct w_identity *identity)
{
	char *path = NULL;

	assert_int_equal(w_scratch_make(identity, NULL, &path, NULL), WRIT_OK);
	assert_non_null(path);
	return path;
}

static void
the_directory_is_new_private_and_empty(void **state)
{
	const struct w_identity self = {.uid = geteuid()};
	struct stat st;

	(void)state;
	char *one = make(&self);
	char *two = make(&self);
	assert_string_not_equal(one, two);
	assert_int_equal(lstat(one, &st), 0);
	assert_true(S_ISDIR(st.st_mode));
	assert_int_equal(st.st_mode & 07777, 0700);
	assert_int_equal(st.st_uid, geteuid());
	assert_int_equal(rmdir(one), 0);
	w_scratch_remove(one);
	w_scratch_remove(two);
}

static void
where_it_is_made_is_looked_up_once(void **state)
{
	const struct w_identity self = {.uid = geteuid()};
	struct w_scratch_place place = {0};
	char *path = NULL;

	(void)state;
	assert_int_equal(w_scratch_make(&self, &place, &path, NULL), WRIT_OK);
	assert_true(place.is_known);
	assert_int_equal(place.has_memory, strncmp(path, "/dev/shm/", 9) == 0);
	w_scratch_remove(path);
	place.has_memory = false;
	assert_int_equal(w_scratch_make(&self, &place, &path, NULL), WRIT_OK);
	assert_memory_equal(path, "/tmp/", 5);
	w_scratch_remove(path);
}

static void
it_belongs_to_the_user_the_command_runs_as(void **state)
{
	const struct w_identity other = {
	    .is_set = true, .uid = 65534, .gid = 12};
	struct stat st;

	(void)state;
	if (geteuid() != 0) {
		(void)fprintf(stderr, "only root can hand it over\n");
		skip();
	}
	char *path = make(&other);
	assert_int_equal(lstat(path, &st), 0);
	assert_int_equal(st.st_uid, 65534);
	assert_int_equal(st.st_gid, 12);
	w_scratch_remove(path);
}

static void
what_cannot_be_handed_over_is_not_left_behind(void **state)
{
	const struct w_identity root = {.is_set = true};
	char *path = NULL;
	writ_error err = {0};

	(void)state;
	if (geteuid() == 0) {
		(void)fprintf(stderr, "root can hand it over\n");
		skip();
	}
	assert_int_equal(
	    w_scratch_make(&root, NULL, &path, &err), WRIT_E_SYSTEM);
	assert_null(path);

	/* The message names it. */
	char *name = strstr(err.message, "/writ-");
	assert_non_null(name);
	char gone[64];
	char *start = strchr(err.message, '\'');
	assert_non_null(start);
	(void)snprintf(gone, sizeof(gone), "%.*s", (int)strcspn(start + 1, "'"),
	    start + 1);
	assert_int_equal(access(gone, F_OK), -1);
}

static void
removal_takes_everything_in_it_along(void **state)
{
	const struct w_identity self = {.uid = geteuid()};
	char name[128];

	(void)state;
	char *path = make(&self);
	char *copy = strdup(path);
	assert_non_null(copy);
	(void)snprintf(name, sizeof(name), "%s/dir", path);
	assert_int_equal(mkdir(name, 0700), 0);
	(void)snprintf(name, sizeof(name), "%s/dir/file", path);
	int fd = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0400);
	assert_true(fd >= 0);
	(void)close(fd);
	w_scratch_remove(path);
	assert_int_equal(access(copy, F_OK), -1);
	free(copy);
}

static void
what_took_its_own_rights_or_place_is_removed_all_the_same(void **state)
{
	const struct w_identity self = {.uid = geteuid()};
	char elsewhere[] = "/tmp/test-scratch-XXXXXX", name[128];

	(void)state;
	char *closed = make(&self);
	(void)snprintf(name, sizeof(name), "%s", closed);
	assert_int_equal(chmod(closed, 0), 0);
	w_scratch_remove(closed);
	assert_int_equal(access(name, F_OK), -1);

	/* A link in its place is not followed. */
	assert_non_null(mkdtemp(elsewhere));
	char *swapped = make(&self);
	(void)snprintf(name, sizeof(name), "%s", swapped);
	assert_int_equal(rmdir(swapped), 0);
	assert_int_equal(symlink(elsewhere, swapped), 0);
	w_scratch_remove(swapped);
	assert_int_equal(access(elsewhere, F_OK), 0);
	(void)unlink(name);
	assert_int_equal(rmdir(elsewhere), 0);
}

static void
nothing_to_remove_is_fine(void **state)
{
	(void)state;
	w_scratch_remove(NULL);
	w_scratch_remove(strdup("/no/such/directory"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_directory_is_new_private_and_empty),
	    cmocka_unit_test(where_it_is_made_is_looked_up_once),
	    cmocka_unit_test(it_belongs_to_the_user_the_command_runs_as),
	    cmocka_unit_test(what_cannot_be_handed_over_is_not_left_behind),
	    cmocka_unit_test(removal_takes_everything_in_it_along),
	    cmocka_unit_test(
		what_took_its_own_rights_or_place_is_removed_all_the_same),
	    cmocka_unit_test(nothing_to_remove_is_fine),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
