/* SPDX-License-Identifier: Apache-2.0 */

/* How a view comes to be and goes: templates and their copies, files that
 * change while it is built, steps that fail, what is left afterwards. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sys/mount.h>

#include "sample_workspace.h"

/* What step failed, as the exit status of a process that enters. */
enum {
	STALE = 1,
	LINKED,
	WENT_WELL
};

static int
enter_after(struct workspace *workspace, const char *from, const char *to,
    const char *replacement)
{
	struct plan plan;
	const enum power power = geteuid() == 0 ? AS_ROOT : AS_USER;

	plan_make(&plan, &workspace->resolved);
	assert_int_equal(
	    renameat(workspace->temp.fd, from, workspace->temp.fd, to), 0);
	temp_link(&workspace->temp, replacement, from);
	long pid = fork_with(power, FRESH);
	if (pid == 0) {
		uint32_t failed = UINT32_MAX;
		const long ret = plan_enter(&plan, 0, &failed);

		CLAIM(ret == 0 || failed < plan.mounts.count);
		_exit(ret == -ESTALE  ? STALE
		      : ret == -ELOOP ? LINKED
				      : WENT_WELL);
	}
	const int code = exit_of(pid);
	assert_int_equal(unlinkat(workspace->temp.fd, from, 0), 0);
	assert_int_equal(
	    renameat(workspace->temp.fd, to, workspace->temp.fd, from), 0);
	plan_free(&plan);
	return code;
}

static void
a_place_that_was_swapped_since_is_refused(void **state)
{
	const enum power power = geteuid() == 0 ? AS_ROOT : AS_USER;

	(void)state;
	for (int walls = W_WALLS_WORKSPACE; walls <= W_WALLS_STRICT; walls++) {
		struct workspace workspace;

		site_open(&workspace, (enum w_walls)walls, power);
		assert_int_equal(
		    enter_after(&workspace, "work", "moved", "beside"), STALE);
		assert_int_equal(
		    enter_after(&workspace, "readable", "moved", "beside"),
		    STALE);
		assert_int_equal(enter_after(&workspace, "work/.git/config",
				     "moved", "../plain"),
		    LINKED);
		assert_int_equal(
		    enter_after(&workspace, "work/a/b", "moved", "../.git"),
		    LINKED);
		assert_int_equal(
		    enter_after(&workspace, "work/secret", "moved", "plain"),
		    LINKED);
		site_close(&workspace);
	}
}

static void
copy_of_template(
    const struct plan *plan, const struct workspace *workspace, int number)
{
	uint32_t failed;
	char name[32];

	CLAIM(plan_enter(plan, 1, &failed) == 0);
	drop_capabilities();
	CLAIM(opens("/tmp", "mark", O_RDONLY) == ENOENT);
	CLAIM(opens("/dev/shm", "mark", O_RDONLY) == ENOENT);
	CLAIM(opens("/tmp", "mark", O_WRONLY | O_CREAT | O_EXCL) == 0);
	(void)snprintf(name, sizeof(name), "run%d", number);
	CLAIM(opens(workspace->work, name, O_WRONLY | O_CREAT | O_EXCL) == 0);
	try_guarded(workspace);
	try_hidden(workspace);
	try_devices(workspace);
	try_proc(workspace);
	_exit(0);
}

static void
run_template(const struct plan *plan, const struct workspace *workspace)
{
	uint32_t failed;

	CLAIM(plan_enter(plan, 0, &failed) == 0);
	for (int i = 0; i < 3; i++) {
		int status = 0;
		long pid = fork_into(CLONE_NEWNS | CLONE_NEWPID);

		CLAIM(pid >= 0);
		if (pid == 0)
			copy_of_template(plan, workspace, i);
		CLAIM(waitpid((pid_t)pid, &status, __WALL) == pid);
		CLAIM(status == 0);
	}
	_exit(0);
}

static void
runs_from_one_template_do_not_see_each_other(void **state)
{
	(void)state;
	for (int power = 0; power < POWERS; power++) {
		for (int walls = W_WALLS_WORKSPACE; walls <= W_WALLS_STRICT;
		     walls++) {
			struct workspace workspace;
			struct plan plan;

			if (!can_have((enum power)power))
				continue;
			site_open(
			    &workspace, (enum w_walls)walls, (enum power)power);
			plan_make(&plan, &workspace.resolved);
			long pid = fork_with((enum power)power, CLONE_NEWNS);
			if (pid == 0)
				run_template(&plan, &workspace);
			assert_int_equal(exit_of(pid), 0);
			assert_true(temp_has(&workspace.temp, "work/run2"));
			plan_free(&plan);
			site_close(&workspace);
		}
	}
}

/* What happens to the machine's files while a template waits. */
static void
replace_file(const char *path)
{
	CLAIM(unlink(path) == 0);
	const int fd =
	    open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	CLAIM(fd >= 0 && write(fd, "fresh secret\n", 13) == 13);
	(void)close(fd);
}

static void
run_old_template(const struct plan *plan, int go, int ready)
{
	uint32_t failed = UINT32_MAX;
	char byte = 0;

	CLAIM(plan_enter(plan, 0, &failed) == 0);
	CLAIM(write(ready, "x", 1) == 1 && read(go, &byte, 1) == 1);
	long pid = fork_into(CLONE_NEWNS | CLONE_NEWPID);
	CLAIM(pid >= 0);
	if (pid == 0) {
		CLAIM(plan_enter(plan, 1, &failed) == -ESTALE);
		CLAIM(plan->mounts.ops[failed].kind == W_MOUNT_CHECK);
		_exit(0);
	}
	int status = 0;
	CLAIM(waitpid((pid_t)pid, &status, __WALL) == pid);
	_exit(status == 0 ? 0 : 1);
}

static void
try_old_template(enum w_walls walls, enum power power, bool is_guarded)
{
	struct workspace workspace;
	struct plan plan;
	int go[2], ready[2];
	char byte = 0;

	site_open(&workspace, walls, power);
	plan_make(&plan, &workspace.resolved);
	assert_int_equal(pipe(go), 0);
	assert_int_equal(pipe(ready), 0);
	long pid = fork_with(power, CLONE_NEWNS);
	if (pid == 0)
		run_old_template(&plan, go[0], ready[1]);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	replace_file(is_guarded ? workspace.config : workspace.secret);
	assert_int_equal(write(go[1], "x", 1), 1);
	assert_int_equal(exit_of(pid), 0);
	for (int i = 0; i < 2; i++) {
		(void)close(go[i]);
		(void)close(ready[i]);
	}
	plan_free(&plan);
	site_close(&workspace);
}

static void
a_template_whose_walls_were_taken_away_is_stale(void **state)
{
	(void)state;
	for (int power = 0; power < POWERS; power++) {
		for (int walls = W_WALLS_WORKSPACE; walls <= W_WALLS_STRICT;
		     walls++) {
			if (!can_have((enum power)power))
				continue;
			try_old_template(
			    (enum w_walls)walls, (enum power)power, true);
			try_old_template(
			    (enum w_walls)walls, (enum power)power, false);
		}
	}
}

static size_t
read_mounts(char *text, size_t size)
{
	const int fd = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC);
	size_t len = 0;
	ssize_t n;

	assert_true(fd >= 0);
	while ((n = read(fd, text + len, size - len)) > 0)
		len += (size_t)n;
	(void)close(fd);
	return len;
}

static void
no_mount_and_no_file_is_left_behind(void **state)
{
	static char before[65536], after[65536];
	struct workspace workspace;
	struct plan plan;
	const enum power power = geteuid() == 0 ? AS_ROOT : AS_USER;

	(void)state;
	const size_t len = read_mounts(before, sizeof(before));
	for (int walls = W_WALLS_WORKSPACE; walls <= W_WALLS_STRICT; walls++) {
		site_open(&workspace, (enum w_walls)walls, power);
		plan_make(&plan, &workspace.resolved);
		long pid = fork_with(power, FRESH);
		if (pid == 0) {
			enter(&plan);
			_exit(0);
		}
		assert_int_equal(exit_of(pid), 0);
		assert_int_equal(count_entries(workspace.temp.path), 3);
		assert_int_equal(count_entries(workspace.work), 4);
		assert_int_equal(count_entries(workspace.git), 2);
		assert_int_equal(count_entries(workspace.vault), 2);
		plan_free(&plan);
		site_close(&workspace);
	}
	assert_int_equal(read_mounts(after, sizeof(after)), len);
	assert_memory_equal(before, after, len);
}

/* On most machines every mount is shared: what happens in a copy of the
 * namespace would happen in all. */
static void
shared_mounts_carry_nothing_back(void **state)
{
	static char before[65536], after[65536];
	struct workspace workspace;
	struct plan plan;
	const enum power power = geteuid() == 0 ? AS_ROOT : AS_USER;

	(void)state;
	site_open(&workspace, W_WALLS_WORKSPACE, power);
	plan_make(&plan, &workspace.resolved);
	long outer = fork_with(power, CLONE_NEWNS);
	if (outer == 0) {
		CLAIM(mount(NULL, "/", NULL, MS_REC | MS_SHARED, NULL) == 0);
		const size_t len = read_mounts(before, sizeof(before));
		long pid = fork_into(FRESH);

		if (pid == 0) {
			enter(&plan);
			_exit(0);
		}
		int status = 0;
		CLAIM(waitpid((pid_t)pid, &status, __WALL) == pid);
		CLAIM(status == 0);
		CLAIM(read_mounts(after, sizeof(after)) == len);
		CLAIM(memcmp(before, after, len) == 0);
		_exit(0);
	}
	assert_int_equal(exit_of(outer), 0);
	plan_free(&plan);
	site_close(&workspace);
}

static void
a_refusal_of_the_kernel_names_the_step(void **state)
{
	struct workspace workspace;
	struct plan plan;

	(void)state;
	site_open(&workspace, W_WALLS_WORKSPACE, AS_USER);
	plan_make(&plan, &workspace.resolved);
	/* Without a process namespace of its own, a user namespace may not
	 * show processes. */
	long pid = fork_with(AS_USER, CLONE_NEWNS);
	if (pid == 0) {
		uint32_t failed = UINT32_MAX;

		CLAIM(plan_enter(&plan, 0, &failed) == 0);
		CLAIM(plan_enter(&plan, 1, &failed) == -EPERM);
		CLAIM(failed < plan.mounts.count);
		CLAIM(plan.mounts.ops[failed].kind == W_MOUNT_PROC);
		_exit(0);
	}
	assert_int_equal(exit_of(pid), 0);
	plan_free(&plan);
	site_close(&workspace);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_place_that_was_swapped_since_is_refused),
	    cmocka_unit_test(runs_from_one_template_do_not_see_each_other),
	    cmocka_unit_test(a_template_whose_walls_were_taken_away_is_stale),
	    cmocka_unit_test(no_mount_and_no_file_is_left_behind),
	    cmocka_unit_test(shared_mounts_carry_nothing_back),
	    cmocka_unit_test(a_refusal_of_the_kernel_names_the_step),
	};

	return cmocka_run_group_tests(tests, need_namespaces, NULL);
}
