/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "leftovers.h"
#include "os/mountinfo.h"
#include "temp.h"

enum {
	NO_NAMESPACE = 77
};

static struct w_mountinfo table;

static int
set_up(void **state)
{
	w_mountinfo_init(&table);
	return temp_set_up(state);
}

static int
tear_down(void **state)
{
	w_mountinfo_done(&table);
	return temp_tear_down(state);
}

/* Whether the answer becomes this one: it may be a millisecond old. */
static bool
becomes(const char *path, bool is_mounted)
{
	for (int i = 0; i < 10000; i++) {
		if (w_mountinfo_has(&table, path) == is_mounted)
			return true;
		(void)usleep(1000);
	}
	return false;
}

/* Mounts something, takes it away again, and looks each time; the number of the
 * look that was wrong. */
static int
mount_and_look(const char *around, const char *inside, const char *beside)
{
	if (w_mountinfo_has(&table, around))
		return 1;
	for (int i = 0; i < 3; i++) {
		if (mount("none", inside, "tmpfs", 0, NULL) < 0)
			return 2;
		if (!becomes(inside, true) || !becomes(around, true))
			return 3;
		if (w_mountinfo_has(&table, beside))
			return 4;
		if (umount(inside) < 0)
			return 5;
		if (!becomes(around, false) || !becomes(inside, false))
			return 6;
	}
	return 0;
}

static void
what_is_mounted_meanwhile_is_seen(void **state)
{
	const struct temp *temp = *state;
	char around[300], inside[310], beside[300];
	int how = 0;

	(void)snprintf(around, sizeof(around), "%s/a", temp->path);
	(void)snprintf(inside, sizeof(inside), "%s/b", around);
	(void)snprintf(beside, sizeof(beside), "%s/ab", temp->path);
	assert_int_equal(mkdir(around, 0700), 0);
	assert_int_equal(mkdir(inside, 0700), 0);
	const pid_t pid = fork();
	if (pid == 0) {
		const int flags =
		    CLONE_NEWNS | (geteuid() == 0 ? 0 : CLONE_NEWUSER);

		if (unshare(flags) < 0 ||
		    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
			_exit(NO_NAMESPACE);
		_exit(mount_and_look(around, inside, beside));
	}
	assert_int_equal(waitpid(pid, &how, 0), pid);
	assert_true(WIFEXITED(how));
	if (WEXITSTATUS(how) == NO_NAMESPACE)
		skip();
	assert_int_equal(WEXITSTATUS(how), 0);
}

static void
the_root_and_its_parts_are_told_apart(void **state)
{
	(void)state;
	assert_true(w_mountinfo_has(&table, "/proc"));
	assert_false(w_mountinfo_has(&table, "/pro"));
	assert_false(w_mountinfo_has(&table, "/proc2"));
}

/* The kernel writes them in another way. */
static void
names_that_are_escaped_are_taken_to_have_one(void **state)
{
	static const char *const names[] = {
	    "/no such", "/no\tsuch", "/no\nsuch", "/no\\such"};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		assert_true(w_mountinfo_has(&table, names[i]));
	assert_false(w_mountinfo_has(&table, "/no_such"));
}

static void
it_holds_one_descriptor(void **state)
{
	const int before = count_fds();

	(void)state;
	for (int i = 0; i < 100; i++)
		assert_true(w_mountinfo_has(&table, "/proc"));
	assert_int_equal(count_fds(), before + 1);
	w_mountinfo_done(&table);
	assert_int_equal(count_fds(), before);
	w_mountinfo_init(&table);
}

#define IN_TEMP(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    IN_TEMP(what_is_mounted_meanwhile_is_seen),
	    IN_TEMP(the_root_and_its_parts_are_told_apart),
	    IN_TEMP(names_that_are_escaped_are_taken_to_have_one),
	    IN_TEMP(it_holds_one_descriptor),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
