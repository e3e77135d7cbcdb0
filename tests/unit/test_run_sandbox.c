/* SPDX-License-Identifier: Apache-2.0 */

/* Sandboxes over their life: cached, replaced, and freed without a trace. */

#include "counting.h"
#include "sandboxed_runs.h"

#include <time.h>

static void
a_sandbox_is_used_again(void **state)
{
	(void)state;
	struct w_run_sandbox *sandbox = warm_up();
	pid_t spawner = sandbox->spawner.pid;

	assert_ptr_equal(warm_up(), sandbox);
	assert_int_equal(sandbox->spawner.pid, spawner);
	assert_int_equal(runner.launcher.sandbox_cache.count, 1);
}

static void
a_spawner_that_was_killed_is_replaced(void **state)
{
	writ_request request = walled("exit 7");

	(void)state;
	struct w_run_sandbox *sandbox = warm_up();
	pid_t spawner = sandbox->spawner.pid;

	strike_down(spawner);
	for (int i = 0; i < RUNS; i++)
		expect_code(&request, 7);
	assert_true(sandbox->spawner.pidfd >= 0);
	assert_int_not_equal(sandbox->spawner.pid, spawner);
}

static double
seconds(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void
a_spawner_that_was_stopped_is_not_waited_for_long(void **state)
{
	writ_request request = walled("exit 7");

	(void)state;
	struct w_run_sandbox *sandbox = warm_up();
	pid_t spawner = sandbox->spawner.pid;
	double start = seconds();

	assert_int_equal(kill(spawner, SIGSTOP), 0);
	/* One sandbox init may be ready already. */
	expect_code(&request, 7);
	expect_code(&request, 7);
	assert_true(seconds() - start < 15);
	assert_int_not_equal(kill(spawner, 0), 0);
}

static void
a_stopped_spawner_does_not_keep_an_engine_from_ending(void **state)
{
	(void)state;
	struct w_run_sandbox *sandbox = warm_up();

	assert_int_equal(kill(sandbox->spawner.pid, SIGSTOP), 0);
}

static void
a_ready_sandbox_init_that_was_killed_is_not_used(void **state)
{
	writ_request request = walled("exit 7");

	(void)state;
	struct w_run_sandbox *sandbox = warm_up();

	strike_down(ready_sandbox_init(sandbox));
	expect_code(&request, 7);
	expect_code(&request, 7);
}

static void
nor_is_one_whose_process_was_killed(void **state)
{
	writ_request request = walled("exit 7");

	(void)state;
	struct w_run_sandbox *sandbox = warm_up();
	struct family waiting = children_of(ready_sandbox_init(sandbox));

	assert_int_equal(waiting.count, 1);
	strike_down(waiting.pids[0]);
	for (int i = 0; i < RUNS; i++)
		expect_code(&request, 7);
}

/* What it counts is not lost with the sandbox init. */
static void
a_sandbox_init_that_takes_its_place_has_the_same_limits(void **state)
{
	writ_request request = walled("exit 7");
	const char *by = counter("pids");

	(void)state;
	request.processes = 100;
	for (int i = 0; i < RUNS + 2; i++) {
		writ_result *result = run_walled(&request);

		assert_int_equal(result->exit_code, 7);
		assert_string_equal(result->processes_by, by);
		done(result);
		if (i > 0)
			strike_down(ready_sandbox_init(
			    runner.launcher.sandbox_cache.first));
	}
}

static void
run_once(void)
{
	writ_request request = walled("exit 7");
	struct writ_job *job;
	writ_result *result = NULL;

	assert_int_equal(
	    start_run(&runner, &request, take, &result, &job, NULL), WRIT_OK);
	drive(&result);
	assert_int_equal(result->exit_code, 7);
	done(result);
}

/* A sandbox that was just rebuilt, because something on the machine has
 * changed, gets a fork server in its second run. */
static void
count_up_to(int runs)
{
	for (int i = 0; i < runs; i++)
		run_once();
	while (runner.launcher.sandbox_cache.first->spawner.pidfd < 0)
		run_once();
	(void)w_runner_dispatch(&runner, 50, NULL);
}

static void
hundreds_of_runs_let_nothing_grow(void **state)
{
	(void)state;
	(void)warm_up();
	count_up_to(20);
	int fds = count_fds(), children = children_of(getpid()).count;

	count_up_to(300);
	assert_in_range(count_fds(), fds - 4, fds + 4);
	assert_in_range(children_of(getpid()).count,
	    children < 2 ? 0 : children - 2, children + 2);
}

enum {
	CROWD = 100
};

static void
many_at_once_share_a_sandbox(void **state)
{
	static writ_result *results[CROWD];
	struct writ_job *job;
	char text[64];

	(void)state;
	(void)warm_up();
	for (int i = 0; i < CROWD; i++) {
		(void)snprintf(
		    text, sizeof(text), "sleep 0.3; echo %d; exit %d", i, i);
		writ_request request = walled(text);

		results[i] = NULL;
		assert_int_equal(
		    start_run(&runner, &request, take, &results[i], &job, NULL),
		    WRIT_OK);
	}
	for (int i = 0; i < CROWD; i++) {
		drive(&results[i]);
		assert_int_equal(results[i]->exit_code, i);
		assert_int_equal(
		    strtol(results[i]->out[WRIT_STDOUT].head, NULL, 10), i);
		done(results[i]);
	}
	assert_int_equal(runner.launcher.sandbox_cache.count, 1);
}

/* More of them than the cache holds, each with its fork server. */
static void
sandboxes_beyond_the_number_kept_are_let_go(void **state)
{
	struct writ_job *job;

	(void)state;
	(void)warm_up();
	for (unsigned i = 1; i <= 40; i++) {
		writ_request request = walled("exit 7");
		writ_result *result = NULL;

		request.tmp_size = (UINT64_C(1) << 20) * (1 + i / 2);
		assert_int_equal(
		    start_run(&runner, &request, take, &result, &job, NULL),
		    WRIT_OK);
		drive(&result);
		assert_int_equal(result->exit_code, 7);
		done(result);
		assert_in_range(runner.launcher.sandbox_cache.count, 1, 16);
	}
	(void)w_runner_dispatch(&runner, 50, NULL);
	/* A fork server and a sandbox init for each, and those just exiting. */
	assert_in_range(children_of(getpid()).count, 1, 2 * 16 + 2);
	assert_int_equal(runner.launcher.sandbox_cache.count, 16);
}

static void
a_sandbox_goes_on_after_it_was_looked_up_again(void **state)
{
	(void)state;
	struct w_run_sandbox *sandbox = warm_up();
	pid_t spawner = sandbox->spawner.pid;

	(void)usleep(1100000);
	writ_request request = walled("exit 7");
	expect_code(&request, 7);
	assert_ptr_equal(runner.launcher.sandbox_cache.first, sandbox);
	assert_int_equal(sandbox->spawner.pid, spawner);
}

/* Within the second in which nothing is resolved again. */
static void
a_hidden_file_that_is_replaced_stays_hidden(void **state)
{
	static const char *const hide[] = {"secret", NULL};
	writ_request request = walled("cat secret 2>/dev/null; exit 7");

	(void)state;
	request.hide = hide;
	temp_file(&temp, "secret", 0644, "old\n");
	for (int i = 0; i < RUNS + 2; i++) {
		writ_result *result = run_walled(&request);

		expect_text(&result->out[WRIT_STDOUT], "");
		assert_int_equal(result->exit_code, 7);
		done(result);
		temp_file(&temp, "other", 0644, "new\n");
		assert_int_equal(
		    renameat(temp.fd, "other", temp.fd, "secret"), 0);
	}
}

static void
a_program_that_is_replaced_is_the_new_one(void **state)
{
	const char *const argv[] = {temp_path(&temp, "script"), "a b", NULL};
	writ_request request = walled(NULL);
	char text[64], expected[32];

	(void)state;
	request.argv = argv;
	for (int i = 0; i < RUNS + 2; i++) {
		(void)snprintf(text, sizeof(text),
		    "#!/bin/sh\necho %d \"$1\"; exit 7\n", i);
		temp_file(&temp, "other", 0755, text);
		assert_int_equal(
		    renameat(temp.fd, "other", temp.fd, "script"), 0);
		writ_result *result = run_walled(&request);
		(void)snprintf(expected, sizeof(expected), "%d a b\n", i);
		expect_text(&result->out[WRIT_STDOUT], expected);
		assert_int_equal(result->exit_code, 7);
		done(result);
	}
}

static void
a_script_without_its_interpreter_costs_no_sandbox(void **state)
{
	const char *const argv[] = {temp_path(&temp, "script"), NULL};
	writ_request request = walled(NULL);
	struct writ_job *job;

	(void)state;
	temp_file(&temp, "script", 0755, "#!/no/such/interpreter\n");
	request.argv = argv;
	const struct w_run_sandbox *sandbox = warm_up();
	pid_t spawner = sandbox->spawner.pid;
	assert_int_equal(start_run(&runner, &request, NULL, NULL, &job, NULL),
	    WRIT_E_NOTEXEC);
	assert_ptr_equal(runner.launcher.sandbox_cache.first, sandbox);
	assert_int_equal(sandbox->spawner.pid, spawner);
}

static void
two_engines_have_sandboxes_of_their_own(void **state)
{
	static struct w_runner other;
	writ_request request = walled("exit 7");
	struct writ_job *job;

	(void)state;
	pid_t spawner = warm_up()->spawner.pid;
	assert_int_equal(w_runner_init(&other, NULL), WRIT_OK);
	for (int i = 0; i < RUNS; i++) {
		writ_result *result = NULL;

		assert_int_equal(
		    start_run(&other, &request, take, &result, &job, NULL),
		    WRIT_OK);
		while (result == NULL)
			assert_int_equal(
			    w_runner_dispatch(&other, -1, NULL), WRIT_OK);
		assert_int_equal(result->exit_code, 7);
		done(result);
	}
	assert_int_not_equal(
	    other.launcher.sandbox_cache.first->spawner.pid, spawner);
	w_runner_done(&other);
	expect_code(&request, 7);
	assert_int_equal(
	    runner.launcher.sandbox_cache.first->spawner.pid, spawner);
}

static void
best_effort_says_what_is_missing_each_time(void **state)
{
	writ_request request = walled("exit 7");

	(void)state;
	expect_code(&request, 7);
	runner.missing = W_LAYER_BIT(W_LAYER_KEYRING);
	request.best_effort = true;
	for (int i = 0; i < RUNS; i++) {
		writ_result *result = run_walled(&request);

		assert_int_equal(result->exit_code, 7);
		assert_string_equal(result->missing[0], "keyring");
		assert_null(result->missing[1]);
		done(result);
	}
	request.best_effort = false;
	for (int i = 0; i < RUNS; i++) {
		writ_result *result = run_walled(&request);

		assert_null(result->missing[0]);
		done(result);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    RUNNING(a_sandbox_is_used_again),
	    RUNNING(a_spawner_that_was_killed_is_replaced),
	    RUNNING(a_spawner_that_was_stopped_is_not_waited_for_long),
	    RUNNING(a_stopped_spawner_does_not_keep_an_engine_from_ending),
	    RUNNING(a_ready_sandbox_init_that_was_killed_is_not_used),
	    RUNNING(nor_is_one_whose_process_was_killed),
	    RUNNING(a_sandbox_init_that_takes_its_place_has_the_same_limits),
	    RUNNING(hundreds_of_runs_let_nothing_grow),
	    RUNNING(many_at_once_share_a_sandbox),
	    RUNNING(sandboxes_beyond_the_number_kept_are_let_go),
	    RUNNING(a_sandbox_goes_on_after_it_was_looked_up_again),
	    RUNNING(a_hidden_file_that_is_replaced_stays_hidden),
	    RUNNING(a_program_that_is_replaced_is_the_new_one),
	    RUNNING(a_script_without_its_interpreter_costs_no_sandbox),
	    RUNNING(two_engines_have_sandboxes_of_their_own),
	    RUNNING(best_effort_says_what_is_missing_each_time),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
