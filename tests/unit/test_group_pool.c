/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <sys/syscall.h>

#include "leftovers.h"
#include "os/cgroup.h"
#include "os/file.h"
#include "run/launch/helper_file.h"
#include "run/limits/group_pool.h"

struct scene {
	struct w_spawner spawner;
	struct w_group_pool groups;
	struct w_watchdog watchdog;
};

/* 0, or -1 where groups are not available. */
static int
open_scene(struct scene *scene)
{
	int engine_fd = (int)syscall(SYS_pidfd_open, getpid(), 0);

	assert_int_equal(w_spawner_init(&scene->spawner, NULL), WRIT_OK);
	w_group_pool_init(&scene->groups);
	scene->watchdog = W_WATCHDOG_NONE;
	scene->watchdog.spawner = &scene->spawner;
	assert_int_equal(
	    w_helper_open(&scene->watchdog.helper_fd, NULL), WRIT_OK);
	assert_int_equal(w_fd_raise(&engine_fd), 0);
	scene->watchdog.engine_fd = engine_fd;
	if (!w_group_pool_available(&scene->groups))
		return -1;
	return w_group_pool_open(&scene->groups, &scene->watchdog) == 0 ? 0
									: -1;
}

static void
close_scene(struct scene *scene)
{
	w_watchdog_done(&scene->watchdog, w_group_pool_done(&scene->groups));
	(void)close(scene->watchdog.helper_fd);
	(void)close(scene->watchdog.engine_fd);
	w_spawner_done(&scene->spawner);
}

static void
need_scene(struct scene *scene)
{
	if (open_scene(scene) == 0)
		return;
	(void)fprintf(stderr, "no groups can be made here\n");
	close_scene(scene);
	skip();
}

/* Whether the engine's group still exists below our own. */
static int
base_exists(const char *base_name)
{
	int parent = w_cgroup_open_own();
	int found = faccessat(parent, base_name, F_OK, 0) == 0;

	(void)close(parent);
	return found;
}

static pid_t
fork_member(const struct w_group *group)
{
	int ends[2];
	char byte;

	assert_int_equal(pipe(ends), 0);
	pid_t pid = fork();
	if (pid == 0) {
		(void)w_file_write_at(group->fd, "cgroup.procs", "0");
		(void)!write(ends[1], "x", 1);
		(void)close(ends[1]);
		for (;;)
			(void)pause();
	}
	assert_true(pid > 0);
	assert_int_equal(read(ends[0], &byte, 1), 1);
	(void)close(ends[0]);
	(void)close(ends[1]);
	return pid;
}

static void
the_group_of_an_engine_goes_with_it(void **state)
{
	struct scene scene;
	char name[sizeof(scene.groups.base_name)];
	int before = count_fds();

	(void)state;
	need_scene(&scene);
	memcpy(name, scene.groups.base_name, sizeof(name));
	assert_true(base_exists(name));
	assert_true(has_child());
	close_scene(&scene);
	assert_false(base_exists(name));
	assert_false(has_child());
	assert_int_equal(count_fds(), before);
}

static void
an_empty_group_is_used_again_and_a_killed_one_is_not(void **state)
{
	struct scene scene;
	struct w_group one, two;

	(void)state;
	need_scene(&scene);
	assert_int_equal(w_group_pool_take(&scene.groups, &one), 0);
	assert_true(one.fd >= W_FD_SAFE);
	unsigned first = one.number;
	w_group_pool_return(&scene.groups, &one, false);
	assert_int_equal(one.fd, -1);
	assert_int_equal(w_group_pool_take(&scene.groups, &two), 0);
	assert_int_equal(two.number, first);
	w_group_pool_return(&scene.groups, &two, true);
	assert_int_equal(w_group_pool_take(&scene.groups, &one), 0);
	assert_int_not_equal(one.number, first);
	w_group_pool_return(&scene.groups, &one, false);
	w_group_pool_return(&scene.groups, &one, false);
	close_scene(&scene);
}

static void
a_group_used_again_tells_of_its_new_members(void **state)
{
	struct scene scene;
	struct w_group group;
	int before = count_fds();

	(void)state;
	need_scene(&scene);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(w_group_pool_take(&scene.groups, &group), 0);
		assert_int_equal(group.number, 0);
		assert_int_equal(w_group_populated(&group), 0);
		pid_t member = fork_member(&group);
		assert_int_equal(w_group_populated(&group), 1);
		assert_int_equal(kill(member, SIGKILL), 0);
		assert_int_equal(waitpid(member, NULL, 0), member);
		assert_int_equal(w_group_populated(&group), 0);
		w_group_pool_return(&scene.groups, &group, false);
		assert_int_equal(group.events_fd, -1);
	}
	close_scene(&scene);
	assert_int_equal(count_fds(), before);
}

static void
a_removed_group_is_known_to_be_gone(void **state)
{
	struct scene scene;
	struct w_group group;

	(void)state;
	need_scene(&scene);
	assert_int_equal(w_group_pool_take(&scene.groups, &group), 0);
	assert_int_equal(w_group_populated(&group), 0);
	assert_int_equal(w_cgroup_remove(scene.groups.base_fd, "r0"), 0);
	assert_int_equal(w_group_populated(&group), -ENODEV);
	w_group_pool_return(&scene.groups, &group, true);
	close_scene(&scene);
}

static void
the_pool_has_a_bound(void **state)
{
	enum {
		MANY = W_GROUP_POOL_MAX + 10
	};
	static struct w_group many[MANY];
	struct scene scene;

	(void)state;
	need_scene(&scene);
	for (int i = 0; i < MANY; i++)
		assert_int_equal(w_group_pool_take(&scene.groups, &many[i]), 0);
	for (int i = 0; i < MANY; i++)
		w_group_pool_return(&scene.groups, &many[i], false);
	assert_int_equal(scene.groups.pool_count, W_GROUP_POOL_MAX);
	close_scene(&scene);
}

static void
members_are_signalled_and_woken(void **state)
{
	struct scene scene;
	struct w_group group;
	char path[64];
	int status;

	(void)state;
	need_scene(&scene);
	assert_int_equal(w_group_pool_take(&scene.groups, &group), 0);
	pid_t member = fork_member(&group);
	assert_int_equal(kill(member, SIGSTOP), 0);
	assert_int_equal(waitpid(member, &status, WUNTRACED), member);
	(void)snprintf(
	    path, sizeof(path), "%s/r%u", scene.groups.base_name, group.number);
	w_cgroup_signal(group.fd, path, SIGTERM);
	assert_int_equal(waitpid(member, &status, 0), member);
	assert_int_equal(WTERMSIG(status), SIGTERM);
	w_group_pool_return(&scene.groups, &group, false);
	close_scene(&scene);
}

static void
what_is_left_is_killed_at_the_end(void **state)
{
	struct scene scene;
	struct w_group group;
	char name[sizeof(scene.groups.base_name)];
	int status;

	(void)state;
	need_scene(&scene);
	memcpy(name, scene.groups.base_name, sizeof(name));
	assert_int_equal(w_group_pool_take(&scene.groups, &group), 0);
	pid_t member = fork_member(&group);
	int group_fd = group.fd;
	w_group_pool_done(&scene.groups);
	assert_int_equal(waitpid(member, &status, 0), member);
	assert_int_equal(WTERMSIG(status), SIGKILL);
	(void)close(group_fd);
	(void)name;
	close_scene(&scene);
}

static void
a_guard_that_was_killed_is_replaced(void **state)
{
	struct scene scene;

	(void)state;
	need_scene(&scene);
	pid_t first = scene.watchdog.child.pid;
	assert_int_equal(kill(first, SIGKILL), 0);
	siginfo_t info;
	assert_int_equal(
	    waitid(P_PID, (id_t)first, &info, WEXITED | WNOWAIT), 0);
	assert_int_equal(w_group_pool_open(&scene.groups, &scene.watchdog), 0);
	assert_int_not_equal(scene.watchdog.child.pid, first);
	close_scene(&scene);
	assert_false(has_child());
}

/* Opens groups, puts a process into one, prints its pid, and waits. */
static pid_t
fork_engine(int *out_fd)
{
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	pid_t pid = fork();
	if (pid == 0) {
		struct scene scene;
		struct w_group group;

		if (open_scene(&scene) < 0 ||
		    w_group_pool_take(&scene.groups, &group) != 0)
			_exit(1);
		(void)close(ends[0]);
		pid_t member = fork_member(&group);
		(void)!write(ends[1], &member, sizeof(member));
		(void)!write(ends[1], scene.groups.base_name,
		    sizeof(scene.groups.base_name));
		for (;;)
			(void)pause();
	}
	assert_true(pid > 0);
	(void)close(ends[1]);
	*out_fd = ends[0];
	return pid;
}

static void
the_guard_ends_everything_when_the_engine_is_killed(void **state)
{
	struct scene probe;
	char name[sizeof(probe.groups.base_name)] = {0};
	pid_t member = 0;
	int fd;

	(void)state;
	need_scene(&probe);
	close_scene(&probe);
	pid_t engine = fork_engine(&fd);
	assert_int_equal(read(fd, &member, sizeof(member)), sizeof(member));
	assert_int_equal(read(fd, name, sizeof(name)), sizeof(name));
	(void)close(fd);
	assert_true(base_exists(name));
	assert_int_equal(kill(engine, SIGKILL), 0);
	assert_int_equal(waitpid(engine, NULL, 0), engine);
	for (int i = 0; i < 1000 && base_exists(name); i++)
		(void)usleep(10000);
	assert_false(base_exists(name));
}

static void
where_there_are_none_the_reason_is_kept(void **state)
{
	struct w_group_pool groups;

	(void)state;
	w_group_pool_init(&groups);
	groups.error = EACCES;
	assert_false(w_group_pool_available(&groups));
	assert_int_equal(groups.parent_fd, -1);
	w_group_pool_done(&groups);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_group_of_an_engine_goes_with_it),
	    cmocka_unit_test(
		an_empty_group_is_used_again_and_a_killed_one_is_not),
	    cmocka_unit_test(a_group_used_again_tells_of_its_new_members),
	    cmocka_unit_test(a_removed_group_is_known_to_be_gone),
	    cmocka_unit_test(the_pool_has_a_bound),
	    cmocka_unit_test(members_are_signalled_and_woken),
	    cmocka_unit_test(what_is_left_is_killed_at_the_end),
	    cmocka_unit_test(a_guard_that_was_killed_is_replaced),
	    cmocka_unit_test(
		the_guard_ends_everything_when_the_engine_is_killed),
	    cmocka_unit_test(where_there_are_none_the_reason_is_kept),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
