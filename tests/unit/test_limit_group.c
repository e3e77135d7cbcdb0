/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "base/auto.h"
#include "leftovers.h"
#include "os/file.h"
#include "run/launch/helper_file.h"
#include "run/limits/limit_group.h"

#define MIB (UINT64_C(1) << 20)

struct scene {
	struct w_spawner spawner;
	struct w_limiter limiter;
	struct w_watchdog watchdog;
};

static void
open_scene(struct scene *scene)
{
	int engine_fd = (int)syscall(SYS_pidfd_open, getpid(), 0);

	assert_int_equal(w_spawner_init(&scene->spawner, NULL), WRIT_OK);
	w_limiter_init(&scene->limiter);
	scene->watchdog = W_WATCHDOG_NONE;
	scene->watchdog.spawner = &scene->spawner;
	assert_int_equal(
	    w_helper_open(&scene->watchdog.helper_fd, NULL), WRIT_OK);
	assert_int_equal(w_fd_raise(&engine_fd), 0);
	scene->watchdog.engine_fd = engine_fd;
}

static void
close_scene(struct scene *scene)
{
	w_watchdog_done(&scene->watchdog, w_limiter_done(&scene->limiter));
	(void)close(scene->watchdog.helper_fd);
	(void)close(scene->watchdog.engine_fd);
	w_spawner_done(&scene->spawner);
}

static void
make(struct scene *scene, uint64_t memory, uint64_t processes,
    struct w_limit_group *out_group)
{
	const struct w_limits limits = {
	    .memory = memory, .processes = processes, .has_own_memory = true};

	w_limit_group_make(
	    &scene->limiter, &scene->watchdog, &limits, out_group);
}

/* The default: the same for every run. */
static void
make_default(struct scene *scene, uint64_t memory, uint64_t processes,
    struct w_limit_group *out_group)
{
	const struct w_limits limits = {
	    .memory = memory, .processes = processes};

	w_limit_group_make(
	    &scene->limiter, &scene->watchdog, &limits, out_group);
}

/* Creates groups for both, or skips where this user cannot. */
static void
need(struct scene *scene, uint64_t memory, uint64_t processes,
    struct w_limit_group *out_group)
{
	unsigned wanted = (memory != 0 ? W_COUNTS_MEMORY : 0) |
			  (processes != 0 ? W_COUNTS_PROCESSES : 0);

	open_scene(scene);
	make(scene, memory, processes, out_group);
	if (out_group->counts == wanted)
		return;
	(void)fprintf(stderr, "no group that counts can be made here\n");
	w_limit_group_remove(out_group);
	close_scene(scene);
	skip();
}

/* Without the threads that a sanitizer adds to each process, which would be
 * counted. */
static pid_t
plain_fork(void)
{
	return (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
}

/* Runs a child that joins the group; returns its status. */
static int
in_group(const struct w_limit_group *group, void (*what)(void))
{
	int fds[W_LIMIT_HIERARCHIES], status = 0;
	size_t count = w_limit_group_procs(group, fds);

	pid_t pid = plain_fork();
	if (pid == 0) {
		for (size_t i = 0; i < count; i++) {
			if (write(fds[i], "0", 1) != 1)
				_exit(99);
		}
		what();
		_exit(0);
	}
	assert_true(pid > 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status;
}

static void
take_memory(void)
{
	const size_t len = 64 * MIB;
	char *memory = mmap(NULL, len, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	for (size_t i = 0; memory != MAP_FAILED && i < len; i += 4096)
		memory[i] = 1;
}

static void
reserve_memory(void)
{
	if (mmap(NULL, 1024 * MIB, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
		0) == MAP_FAILED)
		_exit(1);
}

static void
fork_much(void)
{
	int failed = 0;
	pid_t pids[8];

	for (int i = 0; i < 8; i++) {
		pids[i] = plain_fork();
		if (pids[i] == 0)
			for (;;)
				(void)pause();
		failed += pids[i] < 0 ? 1 : 0;
	}
	for (int i = 0; i < 8; i++) {
		if (pids[i] > 0) {
			(void)kill(pids[i], SIGKILL);
			(void)waitpid(pids[i], NULL, 0);
		}
	}
	_exit(failed);
}

static void
do_nothing(void)
{
}

static void
too_much_memory_is_seen(void **state)
{
	struct scene scene;
	struct w_limit_group group;

	(void)state;
	need(&scene, 16 * MIB, 0, &group);
	assert_int_equal(w_limit_group_met(&group), WRIT_LIMIT_NONE);
	int status = in_group(&group, take_memory);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGKILL);
	assert_int_equal(w_limit_group_met(&group), WRIT_LIMIT_MEMORY);
	w_limit_group_remove(&group);
	close_scene(&scene);
}

static void
memory_that_is_only_reserved_does_not_count(void **state)
{
	struct scene scene;
	struct w_limit_group group;

	(void)state;
	need(&scene, 16 * MIB, 0, &group);
	assert_int_equal(in_group(&group, reserve_memory), 0);
	assert_int_equal(w_limit_group_met(&group), WRIT_LIMIT_NONE);
	w_limit_group_remove(&group);
	close_scene(&scene);
}

static void
too_many_processes_are_refused_and_seen(void **state)
{
	struct scene scene;
	struct w_limit_group group;

	(void)state;
	need(&scene, 0, 5, &group);
	assert_int_equal(in_group(&group, do_nothing), 0);
	assert_int_equal(w_limit_group_met(&group), WRIT_LIMIT_NONE);
	int status = in_group(&group, fork_much);
	assert_int_equal(WEXITSTATUS(status), 4);
	assert_int_equal(w_limit_group_met(&group), WRIT_LIMIT_PROCESSES);
	w_limit_group_remove(&group);
	close_scene(&scene);
}

static void
each_run_has_a_count_of_its_own(void **state)
{
	struct scene scene;
	struct w_limit_group one, two;

	(void)state;
	need(&scene, 16 * MIB, 5, &one);
	(void)in_group(&one, fork_much);
	make(&scene, 16 * MIB, 5, &two);
	assert_int_equal(two.counts, W_COUNTS_MEMORY | W_COUNTS_PROCESSES);
	assert_int_equal(in_group(&two, do_nothing), 0);
	assert_int_equal(w_limit_group_met(&one), WRIT_LIMIT_PROCESSES);
	assert_int_equal(w_limit_group_met(&two), WRIT_LIMIT_NONE);
	w_limit_group_remove(&one);
	w_limit_group_remove(&two);
	close_scene(&scene);
}

/* Sets up groups with the default limits, or skips. */
static void
need_default(struct scene *scene, struct w_limit_group *out_group)
{
	need(scene, 16 * MIB, 5, out_group);
	w_limit_group_remove(out_group);
	make_default(scene, 16 * MIB, 5, out_group);
}

static void
groups_of_default_limits_are_used_again(void **state)
{
	struct scene scene;
	struct w_limit_group group;

	(void)state;
	need_default(&scene, &group);
	const unsigned number = group.dirs[0].number;
	assert_int_equal(in_group(&group, do_nothing), 0);
	w_limit_group_joined(&group);
	w_limit_group_remove(&group);
	assert_int_equal(scene.limiter.spare_count, 1);

	make(&scene, 16 * MIB, 5, &group);
	assert_int_not_equal(group.dirs[0].number, number);
	w_limit_group_remove(&group);
	make_default(&scene, 32 * MIB, 5, &group);
	assert_int_not_equal(group.dirs[0].number, number);
	w_limit_group_remove(&group);

	make_default(&scene, 16 * MIB, 5, &group);
	assert_int_equal(group.dirs[0].number, number);
	assert_int_equal(group.counts, W_COUNTS_MEMORY | W_COUNTS_PROCESSES);
	int status = in_group(&group, fork_much);
	assert_int_equal(WEXITSTATUS(status), 4);
	assert_int_equal(w_limit_group_met(&group), WRIT_LIMIT_PROCESSES);
	w_limit_group_remove(&group);
	close_scene(&scene);
}

static void
a_group_whose_limit_was_met_is_not_used_again(void **state)
{
	struct scene scene;
	struct w_limit_group group;

	(void)state;
	need_default(&scene, &group);
	assert_true(WIFSIGNALED(in_group(&group, take_memory)));
	w_limit_group_remove(&group);
	assert_int_equal(scene.limiter.spare_count, 0);
	close_scene(&scene);
}

static void
a_group_that_somebody_is_in_is_not_used_again(void **state)
{
	struct scene scene;
	struct w_limit_group group;
	int fds[W_LIMIT_HIERARCHIES], joined[2];
	char byte;

	(void)state;
	need_default(&scene, &group);
	size_t count = w_limit_group_procs(&group, fds);
	assert_int_equal(pipe(joined), 0);
	pid_t pid = plain_fork();
	if (pid == 0) {
		for (size_t i = 0; i < count; i++)
			(void)!write(fds[i], "0", 1);
		(void)!write(joined[1], "j", 1);
		for (;;)
			(void)pause();
	}
	assert_int_equal(read(joined[0], &byte, 1), 1);
	w_limit_group_remove(&group);
	assert_int_equal(scene.limiter.spare_count, 0);
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	(void)close(joined[0]);
	(void)close(joined[1]);
	close_scene(&scene);
}

static int kept_file;

static void
fill_kept_file(void)
{
	static const char block[65536];

	for (int i = 0; i < 64; i++) {
		if (write(kept_file, block, sizeof(block)) < 0)
			_exit(98);
	}
}

/* Its pages stay charged to the group of their writer. */
static void
a_group_that_a_file_in_memory_is_charged_to_is_not_used_again(void **state)
{
	struct scene scene;
	struct w_limit_group group;

	(void)state;
	need_default(&scene, &group);
	kept_file = memfd_create("kept", MFD_CLOEXEC);
	assert_true(kept_file >= 0);
	assert_int_equal(in_group(&group, fill_kept_file), 0);
	w_limit_group_remove(&group);
	assert_int_equal(scene.limiter.spare_count, 0);
	(void)close(kept_file);
	close_scene(&scene);
}

static void
who_joins_a_group_of_version_1_stops_nobody_else(void **state)
{
	struct scene scene;
	struct w_limit_group group;

	(void)state;
	need(&scene, 16 * MIB, 5, &group);
	for (int i = 0; i < W_LIMIT_HIERARCHIES; i++) {
		char link[32], path[512] = "";

		if (group.procs[i] < 0)
			continue;
		(void)snprintf(
		    link, sizeof(link), "/proc/self/fd/%d", group.procs[i]);
		assert_true(readlink(link, path, sizeof(path) - 1) > 0);
		assert_string_equal(strrchr(path, '/'),
		    scene.limiter.is_v2[i] ? "/cgroup.procs" : "/tasks");
	}
	w_limit_group_remove(&group);
	close_scene(&scene);
}

/* How many groups of ours there are in all hierarchies; names are relative to
 * their own parents. */
static int
count_bases(const struct scene *scene)
{
	int count = 0;

	for (int i = 0; i < W_LIMIT_HIERARCHIES; i++) {
		const struct w_group_pool *groups = &scene->limiter.groups[i];

		if (groups->parent_fd >= 0 && *groups->base_name != '\0' &&
		    faccessat(groups->parent_fd, groups->base_name, F_OK, 0) ==
			0)
			count++;
	}
	return count;
}

static void
nothing_is_left_in_the_end(void **state)
{
	struct scene scene, copy;
	struct w_limit_group group;
	int before = count_fds();

	(void)state;
	need(&scene, 16 * MIB, 5, &group);
	assert_true(count_bases(&scene) > 0);
	assert_true(has_child());
	w_limit_group_remove(&group);
	w_limit_group_remove(&group);
	assert_int_equal(w_limit_group_met(&group), WRIT_LIMIT_NONE);
	copy = scene;
	for (int i = 0; i < W_LIMIT_HIERARCHIES; i++)
		copy.limiter.groups[i].parent_fd =
		    dup(scene.limiter.groups[i].parent_fd);
	close_scene(&scene);
	assert_int_equal(count_bases(&copy), 0);
	for (int i = 0; i < W_LIMIT_HIERARCHIES; i++)
		(void)close(copy.limiter.groups[i].parent_fd);
	assert_false(has_child());
	assert_int_equal(count_fds(), before);
}

static void
what_an_engine_left_that_was_killed_with_its_guard_is_swept(void **state)
{
	struct scene scene;
	struct w_limit_group group;
	struct w_group_pool *groups = &scene.limiter.groups[0];
	char name[W_GROUP_NAME];

	(void)state;
	need(&scene, 16 * MIB, 0, &group);
	memcpy(name, groups->base_name, sizeof(name));
	/* As if both were dead: no lock, no watchdog. */
	w_child_kill_and_reap(&scene.watchdog.child);
	w_close(&groups->claim_fd);
	struct scene other;
	struct w_limit_group its;
	open_scene(&other);
	make(&other, 16 * MIB, 0, &its);
	assert_int_equal(
	    faccessat(other.limiter.groups[0].parent_fd, name, F_OK, 0), -1);
	/* And the next one leaves the live one alone. */
	memcpy(name, other.limiter.groups[0].base_name, sizeof(name));
	struct scene third;
	struct w_limit_group last;
	open_scene(&third);
	make(&third, 16 * MIB, 0, &last);
	assert_int_equal(
	    faccessat(other.limiter.groups[0].parent_fd, name, F_OK, 0), 0);
	w_limit_group_remove(&last);
	w_limit_group_remove(&its);
	w_limit_group_remove(&group);
	close_scene(&third);
	close_scene(&other);
	close_scene(&scene);
	assert_false(has_child());
}

/* The names of the groups of an engine; empty where there is none. */
struct base_names {
	char of[W_LIMIT_HIERARCHIES][W_GROUP_NAME];
};

/* An engine with groups for its limits, which waits to be killed. */
static pid_t
fork_engine(uint64_t processes, bool loses_watchdog, int out)
{
	pid_t engine = fork();

	if (engine == 0) {
		struct scene own;
		struct w_limit_group its;
		struct base_names names;

		open_scene(&own);
		make(&own, 16 * MIB, processes, &its);
		if (loses_watchdog) {
			w_child_kill_and_reap(&own.watchdog.child);
			make(&own, 16 * MIB, 0, &its);
		}
		for (int i = 0; i < W_LIMIT_HIERARCHIES; i++)
			memcpy(names.of[i], own.limiter.groups[i].base_name,
			    W_GROUP_NAME);
		(void)!write(out, &names, sizeof(names));
		for (;;)
			(void)pause();
	}
	assert_true(engine > 0);
	return engine;
}

static int
count_left(const struct scene *scene, const struct base_names *names)
{
	int count = 0;

	for (int i = 0; i < W_LIMIT_HIERARCHIES; i++) {
		if (names->of[i][0] != '\0' &&
		    faccessat(scene->limiter.groups[i].parent_fd, names->of[i],
			F_OK, 0) == 0)
			count++;
	}
	return count;
}

/* Kills an engine with such limits and sees that no group of it is left. */
static void
kill_engine(uint64_t processes, bool loses_watchdog)
{
	struct scene scene;
	struct w_limit_group group;
	struct base_names names;
	int ends[2];

	need(&scene, 16 * MIB, processes, &group);
	const int expected = count_bases(&scene);
	assert_int_equal(scene.watchdog.watched_count, expected);
	assert_int_equal(pipe(ends), 0);
	pid_t engine = fork_engine(processes, loses_watchdog, ends[1]);
	assert_int_equal(read(ends[0], &names, sizeof(names)), sizeof(names));
	assert_int_equal(count_left(&scene, &names), expected);
	assert_int_equal(kill(engine, SIGKILL), 0);
	assert_int_equal(waitpid(engine, NULL, 0), engine);
	for (int i = 0; i < 1000 && count_left(&scene, &names) > 0; i++)
		(void)usleep(10000);
	assert_int_equal(count_left(&scene, &names), 0);
	(void)close(ends[0]);
	(void)close(ends[1]);
	w_limit_group_remove(&group);
	close_scene(&scene);
	assert_false(has_child());
}

static void
the_guard_removes_what_a_killed_engine_leaves(void **state)
{
	(void)state;
	kill_engine(0, false);
}

static void
one_watchdog_removes_the_groups_of_every_hierarchy(void **state)
{
	(void)state;
	kill_engine(5, false);
	kill_engine(5, true);
}

static void
a_limit_too_small_for_a_start_is_not_counted(void **state)
{
	struct scene scene;
	struct w_limit_group group;

	(void)state;
	open_scene(&scene);
	make(&scene, 65536, 0, &group);
	assert_int_equal(group.counts, 0);
	int fds[W_LIMIT_HIERARCHIES];
	assert_int_equal(w_limit_group_procs(&group, fds), 0);
	w_limit_group_remove(&group);
	close_scene(&scene);
}

static void
the_empty_one_is_harmless(void **state)
{
	struct w_limit_group none = {0};
	struct w_group_pool *groups;
	struct w_group hold;
	int fds[W_LIMIT_HIERARCHIES];

	(void)state;
	assert_int_equal(w_limit_group_met(&none), WRIT_LIMIT_NONE);
	assert_int_equal(w_limit_group_procs(&none, fds), 0);
	assert_false(w_limit_group_take_hold(&none, &groups, &hold));
	w_limit_group_joined(&none);
	w_limit_group_remove(&none);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(too_much_memory_is_seen),
	    cmocka_unit_test(memory_that_is_only_reserved_does_not_count),
	    cmocka_unit_test(too_many_processes_are_refused_and_seen),
	    cmocka_unit_test(each_run_has_a_count_of_its_own),
	    cmocka_unit_test(groups_of_default_limits_are_used_again),
	    cmocka_unit_test(a_group_whose_limit_was_met_is_not_used_again),
	    cmocka_unit_test(a_group_that_somebody_is_in_is_not_used_again),
	    cmocka_unit_test(
		a_group_that_a_file_in_memory_is_charged_to_is_not_used_again),
	    cmocka_unit_test(who_joins_a_group_of_version_1_stops_nobody_else),
	    cmocka_unit_test(nothing_is_left_in_the_end),
	    cmocka_unit_test(
		what_an_engine_left_that_was_killed_with_its_guard_is_swept),
	    cmocka_unit_test(the_guard_removes_what_a_killed_engine_leaves),
	    cmocka_unit_test(
		one_watchdog_removes_the_groups_of_every_hierarchy),
	    cmocka_unit_test(a_limit_too_small_for_a_start_is_not_counted),
	    cmocka_unit_test(the_empty_one_is_harmless),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
