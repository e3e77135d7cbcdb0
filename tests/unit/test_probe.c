/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sandbox/probe/probe_child.h"

static volatile sig_atomic_t child_signals;

static void
count_child(int sig)
{
	(void)sig;
	child_signals++;
}

static int
count_fds(void)
{
	DIR *dir = opendir("/proc/self/fd");
	int count = 0;

	assert_non_null(dir);
	while (readdir(dir) != NULL)
		count++;
	(void)closedir(dir);
	return count;
}

static long
now_ms(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void
a_probe_is_available_or_says_why_not(void **state)
{
	struct w_probes probes;

	(void)state;
	w_probe_all(&probes);
	for (int i = 0; i < W_LAYER_COUNT; i++) {
		const struct w_probe *probe = &probes.layers[i];
		struct w_remedy remedy = {.cause = ""};

		assert_int_equal(probe->is_available, probe->error == 0);
		if (probe->is_available)
			continue;
		assert_true(probe->step[0] != '\0');
		w_probe_remedy(&probes, (enum w_layer)i, &remedy);
		assert_true(remedy.cause[0] != '\0');
		assert_true(remedy.remedy[0] != '\0');
	}
	/* The tests could not have come this far otherwise. */
	assert_true(probes.clone3.is_available);
	assert_true(probes.layers[W_LAYER_NO_NEW_PRIVS].is_available);
}

static void
probing_leaves_no_child_no_descriptor_and_sends_no_signal(void **state)
{
	const struct sigaction counting = {.sa_handler = count_child};
	struct sigaction before;
	struct w_probes probes;
	int fds = count_fds();

	(void)state;
	child_signals = 0;
	assert_int_equal(sigaction(SIGCHLD, &counting, &before), 0);
	w_probe_all(&probes);
	assert_int_equal(child_signals, 0);
	assert_int_equal(waitpid(-1, NULL, __WALL | WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
	assert_int_equal(count_fds(), fds);
	assert_int_equal(sigaction(SIGCHLD, &before, NULL), 0);
}

static void
the_caller_keeps_its_privileges_and_names(void **state)
{
	struct w_host_info before, after;
	struct w_probes probes;
	char host[128] = "", host_after[128] = "";

	(void)state;
	w_probe_host(&before);
	assert_int_equal(gethostname(host, sizeof(host)), 0);
	w_probe_all(&probes);
	w_probe_host(&after);
	assert_int_equal(gethostname(host_after, sizeof(host_after)), 0);
	assert_int_equal(before.capabilities, after.capabilities);
	assert_int_equal(before.is_no_new_privs, after.is_no_new_privs);
	assert_int_equal(before.is_filtered, after.is_filtered);
	assert_string_equal(host, host_after);
	assert_int_equal(access("/proc/self/status", R_OK), 0);
}

/* Holds the allocator's lock as often as it can. */
static void *
churn(void *stop)
{
	while (!__atomic_load_n((bool *)stop, __ATOMIC_ACQUIRE)) {
		char *block = malloc(100000);

		if (block != NULL)
			memset(block, 1, 100);
		free(block);
	}
	return NULL;
}

static void
a_host_with_threads_may_probe(void **state)
{
	bool is_over = false;
	pthread_t thread;
	struct w_probes probes;

	(void)state;
	assert_int_equal(pthread_create(&thread, NULL, churn, &is_over), 0);
	for (int i = 0; i < 5; i++)
		w_probe_all(&probes);
	__atomic_store_n(&is_over, true, __ATOMIC_RELEASE);
	assert_int_equal(pthread_join(thread, NULL), 0);
	assert_true(probes.clone3.is_available);
}

static int
try_nothing(struct w_probe_child *child)
{
	child->value = 42;
	return 0;
}

static int
try_to_die(struct w_probe_child *child)
{
	(void)child;
	(void)raise(SIGKILL);
	return 0;
}

static int
try_to_fail(struct w_probe_child *child)
{
	errno = EXDEV;
	return w_probe_child_fail(child, "crossing the line");
}

static void
a_trial_tells_success_failure_and_death_apart(void **state)
{
	struct w_probe probe;
	long value = 0;

	(void)state;
	w_probe_child_run(try_nothing, false, &probe, &value);
	assert_true(probe.is_available);
	assert_int_equal(value, 42);
	w_probe_child_run(try_to_fail, false, &probe, &value);
	assert_false(probe.is_available);
	assert_int_equal(probe.error, EXDEV);
	assert_string_equal(probe.step, "crossing the line");
	w_probe_child_run(try_to_die, false, &probe, &value);
	assert_false(probe.is_available);
	assert_int_equal(probe.error, EPERM);
	assert_string_equal(probe.step, "surviving the trial");
}

static int
try_to_hang(struct w_probe_child *child)
{
	child->step = "waiting for ever";
	/* A signal does not end the wait, only the process. */
	while (pause() < 0)
		continue;
	return 0;
}

static void
a_trial_that_hangs_ends_within_seconds(void **state)
{
	struct w_probe probe;
	long value = 0;
	long start = now_ms();

	(void)state;
	w_probe_child_run(try_to_hang, false, &probe, &value);
	assert_false(probe.is_available);
	assert_int_equal(probe.error, ETIMEDOUT);
	assert_true(now_ms() - start < 20000);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_probe_is_available_or_says_why_not),
	    cmocka_unit_test(
		probing_leaves_no_child_no_descriptor_and_sends_no_signal),
	    cmocka_unit_test(the_caller_keeps_its_privileges_and_names),
	    cmocka_unit_test(a_host_with_threads_may_probe),
	    cmocka_unit_test(a_trial_tells_success_failure_and_death_apart),
	    cmocka_unit_test(a_trial_that_hangs_ends_within_seconds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
