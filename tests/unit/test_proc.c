/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "os/proc.h"

/* Forks a child that sleeps until it is killed. */
static pid_t
fork_sleeper(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		for (;;)
			(void)pause();
	}
	assert_true(pid > 0);
	return pid;
}

static void
end(pid_t pid)
{
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static bool
holds(const struct w_pids *pids, pid_t pid)
{
	for (size_t i = 0; i < pids->count; i++) {
		if (pids->items[i] == pid)
			return true;
	}
	return false;
}

static void
a_list_grows_as_needed(void **state)
{
	struct w_pids pids = {0};

	(void)state;
	for (pid_t pid = 1; pid <= 1000; pid++)
		assert_true(w_pids_add(&pids, pid));
	assert_int_equal(pids.count, 1000);
	for (size_t i = 0; i < 1000; i++)
		assert_int_equal(pids.items[i], (pid_t)i + 1);
	w_pids_done(&pids);
	assert_null(pids.items);
	assert_int_equal(pids.count, 0);
	w_pids_done(&pids);
}

static void
numbers_are_read_from_text_and_zeros_left_out(void **state)
{
	struct w_pids pids = {0};

	(void)state;
	assert_true(w_pids_parse(&pids, ""));
	assert_true(w_pids_parse(&pids, "\n"));
	assert_int_equal(pids.count, 0);
	assert_true(w_pids_parse(&pids, "12 0 7 \n"));
	assert_true(w_pids_parse(&pids, "1\n2\n3\n"));
	assert_int_equal(pids.count, 5);
	assert_int_equal(pids.items[0], 12);
	assert_int_equal(pids.items[1], 7);
	assert_int_equal(pids.items[4], 3);
	w_pids_done(&pids);
}

/* A child with a child of its own, whose pid comes through the pipe. */
static pid_t
fork_family(int *out_fd)
{
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	pid_t pid = fork();
	if (pid == 0) {
		pid_t grandchild = fork_sleeper();

		(void)!write(ends[1], &grandchild, sizeof(grandchild));
		for (;;)
			(void)pause();
	}
	assert_true(pid > 0);
	(void)close(ends[1]);
	*out_fd = ends[0];
	return pid;
}

static void
descendants_are_found_over_generations(void **state)
{
	struct w_pids pids = {0};
	pid_t grandchild = 0;
	int fd;

	(void)state;
	pid_t child = fork_family(&fd);
	assert_int_equal(
	    read(fd, &grandchild, sizeof(grandchild)), sizeof(grandchild));
	(void)close(fd);
	assert_true(w_pids_descend(&pids, getpid()));
	assert_true(holds(&pids, child));
	assert_true(holds(&pids, grandchild));
	assert_false(holds(&pids, getpid()));

	w_pids_done(&pids);
	assert_true(w_pids_descend(&pids, child));
	assert_int_equal(pids.count, 1);
	w_pids_done(&pids);
	(void)kill(grandchild, SIGKILL);
	end(child);
}

struct thread {
	pthread_t id;
	pthread_barrier_t forked;
	pthread_barrier_t leave;
	pid_t child;
};

static void *
fork_in_thread(void *arg)
{
	struct thread *self = arg;

	self->child = fork_sleeper();
	(void)pthread_barrier_wait(&self->forked);
	(void)pthread_barrier_wait(&self->leave);
	return NULL;
}

static void
children_of_other_threads_are_found(void **state)
{
	struct w_pids pids = {0};
	struct thread other;

	(void)state;
	assert_int_equal(pthread_barrier_init(&other.forked, NULL, 2), 0);
	assert_int_equal(pthread_barrier_init(&other.leave, NULL, 2), 0);
	assert_int_equal(
	    pthread_create(&other.id, NULL, fork_in_thread, &other), 0);
	(void)pthread_barrier_wait(&other.forked);
	assert_true(w_pids_descend(&pids, getpid()));
	assert_true(holds(&pids, other.child));
	(void)pthread_barrier_wait(&other.leave);
	assert_int_equal(pthread_join(other.id, NULL), 0);
	end(other.child);
	w_pids_done(&pids);
	(void)pthread_barrier_destroy(&other.forked);
	(void)pthread_barrier_destroy(&other.leave);
}

static void
a_process_without_children_has_no_descendants(void **state)
{
	struct w_pids pids = {0};
	pid_t child = fork_sleeper();

	(void)state;
	assert_true(w_pids_descend(&pids, child));
	assert_int_equal(pids.count, 0);
	end(child);
	assert_true(w_pids_descend(&pids, child));
	assert_int_equal(pids.count, 0);
	w_pids_done(&pids);
}

static void
usage_of_this_process_is_plausible(void **state)
{
	struct w_usage usage = {0};
	volatile unsigned long work = 0;

	(void)state;
	for (unsigned long i = 0; i < 50000000; i++)
		work = work + i;
	assert_true(w_proc_usage(getpid(), &usage));
	assert_true(usage.memory_bytes > 4096);
	assert_true(usage.cpu_ms > 0);
	assert_false(usage.is_zombie);
}

static void
a_name_with_brackets_and_blanks_does_not_confuse(void **state)
{
	struct w_usage usage = {.is_zombie = true};
	char saved[16];

	(void)state;
	assert_int_equal(prctl(PR_GET_NAME, saved), 0);
	assert_int_equal(prctl(PR_SET_NAME, "x) Z 1 (2 3"), 0);
	bool found = w_proc_usage(getpid(), &usage);
	assert_int_equal(prctl(PR_SET_NAME, saved), 0);
	assert_true(found);
	assert_false(usage.is_zombie);
}

static void
an_unreaped_child_is_a_zombie_and_a_reaped_one_is_gone(void **state)
{
	struct w_usage usage = {0};
	siginfo_t info;
	pid_t child = fork_sleeper();

	(void)state;
	assert_int_equal(kill(child, SIGKILL), 0);
	assert_int_equal(
	    waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT), 0);
	assert_true(w_proc_usage(child, &usage));
	assert_true(usage.is_zombie);
	assert_int_equal(usage.memory_bytes, 0);
	assert_int_equal(waitpid(child, NULL, 0), child);

	usage.cpu_ms = 77;
	assert_false(w_proc_usage(child, &usage));
	assert_int_equal(usage.cpu_ms, 77);
}

static void
a_process_is_told_by_when_it_was_started(void **state)
{
	uint64_t ours = 0;
	uint64_t theirs = 0;
	siginfo_t info;

	(void)state;
	assert_int_equal(w_proc_start(getpid(), &ours), 0);
	assert_true(ours > 0);
	pid_t child = fork();
	assert_true(child >= 0);
	if (child == 0)
		_exit(0);
	assert_int_equal(
	    waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT), 0);
	assert_int_equal(w_proc_start(child, &theirs), ESRCH);
	assert_true(theirs >= ours);
	assert_int_equal(waitpid(child, NULL, 0), child);
	assert_int_equal(w_proc_start(child, &theirs), ENOENT);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_list_grows_as_needed),
	    cmocka_unit_test(numbers_are_read_from_text_and_zeros_left_out),
	    cmocka_unit_test(descendants_are_found_over_generations),
	    cmocka_unit_test(children_of_other_threads_are_found),
	    cmocka_unit_test(a_process_without_children_has_no_descendants),
	    cmocka_unit_test(usage_of_this_process_is_plausible),
	    cmocka_unit_test(a_name_with_brackets_and_blanks_does_not_confuse),
	    cmocka_unit_test(
		an_unreaped_child_is_a_zombie_and_a_reaped_one_is_gone),
	    cmocka_unit_test(a_process_is_told_by_when_it_was_started),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
