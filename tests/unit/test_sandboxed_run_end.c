/* SPDX-License-Identifier: Apache-2.0 */

/* How runs in sandboxes end: by themselves, by a limit, by the caller, and with
 * the process that asked for them. */

#include "sandboxed_runs.h"

#include <poll.h>

static void
a_deadline_ends_the_tree(void **state)
{
	writ_request request = walled("trap '' TERM; setsid sleep 300 & "
				      "echo out; while :; do sleep 300; done");

	(void)state;
	request.timeout_ms = 150;
	for (int i = 0; i < RUNS; i++) {
		writ_result *result = run_past(run_walled, &request, "out");

		assert_int_equal(result->outcome, WRIT_TIMED_OUT);
		assert_int_equal(result->signal, SIGKILL);
		expect_text(&result->out[WRIT_STDOUT], "out\n");
		done(result);
	}
}

static void
who_ends_when_asked_keeps_its_status(void **state)
{
	writ_request request = walled("trap 'echo bye; exit 3' TERM; echo hi; "
				      "while :; do sleep 0.05; done");

	(void)state;
	request.timeout_ms = 300;
	request.grace_ms = 20000;
	for (int i = 0; i < RUNS; i++) {
		writ_result *result = run_past(run_walled, &request, "hi");

		assert_int_equal(result->outcome, WRIT_TIMED_OUT);
		assert_int_equal(result->exit_code, 3);
		expect_text(&result->out[WRIT_STDOUT], "hi\nbye\n");
		done(result);
	}
}

static void
a_run_can_be_cancelled(void **state)
{
	writ_request request = walled("sleep 300 & sleep 300");

	(void)state;
	for (int i = 0; i < RUNS; i++) {
		writ_result *result = NULL;
		struct writ_job *job;
		writ_status status =
		    start_run(&runner, &request, take, &result, &job, NULL);

		if (status == WRIT_E_SANDBOX)
			skip();
		assert_int_equal(status, WRIT_OK);
		w_run_cancel(job, SIGTERM);
		drive(&result);
		assert_int_equal(result->outcome, WRIT_CANCELLED);
		done(result);
		assert_int_equal(settle_marked(mark, 0), 0);
	}
}

static void
background_jobs_are_ended(void **state)
{
	writ_request request = walled(
	    "sleep 300 & setsid sleep 300 & (setsid sleep 300 &); exit 7");

	(void)state;
	for (int i = 0; i < RUNS; i++) {
		writ_result *result = run_walled(&request);

		assert_int_equal(result->exit_code, 7);
		assert_in_range(result->killed, 1, 4);
		done(result);
	}
}

static void
end_marked(void)
{
	struct family all = descendants_of(getpid());
	char path[64];

	for (int i = 0; i < all.count; i++) {
		(void)snprintf(
		    path, sizeof(path), "/proc/%d/environ", (int)all.pids[i]);
		if (file_holds(path, mark))
			(void)kill(all.pids[i], SIGKILL);
	}
}

static void
background_that_is_kept_lives_on(void **state)
{
	writ_request request =
	    walled("sleep 300 >/dev/null 2>&1 & echo out; exit 7");

	(void)state;
	request.background = WRIT_BACKGROUND_KEEP;
	for (int i = 0; i < RUNS; i++) {
		writ_result *result = NULL;
		struct writ_job *job;
		writ_status status =
		    start_run(&runner, &request, take, &result, &job, NULL);

		if (status == WRIT_E_SANDBOX)
			skip();
		assert_int_equal(status, WRIT_OK);
		drive(&result);
		assert_int_equal(result->exit_code, 7);
		assert_int_equal(result->background, 1);
		expect_text(&result->out[WRIT_STDOUT], "out\n");
		done(result);
		assert_int_equal(count_marked(mark), 1);
		end_marked();
		assert_int_equal(settle_marked(mark, 0), 0);
	}
	/* Their helpers end with them. */
	for (int i = 0; i < 100 && runner.detached != NULL; i++)
		assert_int_equal(
		    w_runner_dispatch(&runner, 100, NULL), WRIT_OK);
	assert_null(runner.detached);
}

static void
reap_all(int sig)
{
	int saved = errno;

	(void)sig;
	while (waitpid(-1, NULL, WNOHANG) > 0)
		continue;
	errno = saved;
}

/* With a handler that waits for everybody, and with none at all. */
static void
a_host_that_reaps_everybody_gets_its_status(void **state)
{
	const struct sigaction ways[] = {
	    {.sa_handler = reap_all, .sa_flags = SA_RESTART},
	    {.sa_handler = reap_all},
	    {.sa_handler = SIG_IGN},
	};
	writ_request request = walled("sleep 0.05; exit 7");
	struct sigaction saved;

	(void)state;
	for (int i = 0; i < 3; i++) {
		assert_int_equal(sigaction(SIGCHLD, &ways[i], &saved), 0);
		for (int k = 0; k < RUNS; k++) {
			writ_result *result = run(&request);

			if (result == NULL)
				break;
			assert_int_equal(result->exit_code, 7);
			assert_true(result->status_known);
			done(result);
		}
		assert_int_equal(sigaction(SIGCHLD, &saved, NULL), 0);
	}
}

/* Has copies of all descriptors, and uses none. */
static void
a_forked_host_does_not_keep_sandboxes_alive(void **state)
{
	int gate[2];

	(void)state;
	(void)warm_up();
	(void)ready_sandbox_init(runner.launcher.sandbox_cache.first);
	struct family before = children_of(getpid());
	assert_int_equal(pipe2(gate, O_CLOEXEC), 0);
	pid_t copy = fork();
	if (copy == 0) {
		char byte;

		(void)close(gate[1]);
		_exit(read(gate[0], &byte, 1) == 0 ? 0 : 1);
	}
	w_runner_done(&runner);
	assert_int_equal(settle_family(&before), 0);
	(void)close(gate[0]);
	(void)close(gate[1]);
	assert_int_equal(waitpid(copy, NULL, 0), copy);
	/* For the fixture to end. */
	assert_int_equal(w_runner_init(&runner, NULL), WRIT_OK);
}

/* In a process of its own: warm, one run going, one sandbox init ready. */
static _Noreturn void
be_a_host(int ready_fd)
{
	writ_request request = walled("exit 7");
	writ_request endless = walled("setsid sleep 300 & sleep 300");
	struct writ_job *job;

	if (w_runner_init(&runner, NULL) != WRIT_OK)
		_exit(1);
	for (int i = 0; i < RUNS; i++) {
		writ_result *result = NULL;

		if (start_run(&runner, &request, take, &result, &job, NULL) !=
		    WRIT_OK)
			_exit(1);
		while (result == NULL)
			(void)w_runner_dispatch(&runner, -1, NULL);
		done(result);
	}
	if (start_run(&runner, &endless, NULL, NULL, &job, NULL) != WRIT_OK)
		_exit(1);
	(void)usleep(200000);
	if (write(ready_fd, "r", 1) == 1)
		(void)pause();
	_exit(1);
}

static void
everything_ends_with_a_host_that_is_killed(void **state)
{
	int ready[2];
	char byte;

	(void)state;
	w_runner_done(&runner);
	assert_int_equal(pipe2(ready, O_CLOEXEC), 0);
	pid_t host = fork();
	if (host == 0)
		be_a_host(ready[1]);
	(void)close(ready[1]);
	ssize_t n = read(ready[0], &byte, 1);
	(void)close(ready[0]);
	struct family all = descendants_of(host);
	(void)kill(host, SIGKILL);
	assert_int_equal(waitpid(host, NULL, 0), host);
	assert_int_equal(w_runner_init(&runner, NULL), WRIT_OK);
	if (n != 1)
		skip();
	/* The fork server; an init that waits; an init, its command, and
	 * what that started. */
	assert_in_range(all.count, 6, 12);
	assert_int_equal(settle_family(&all), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    RUNNING(a_deadline_ends_the_tree),
	    RUNNING(who_ends_when_asked_keeps_its_status),
	    RUNNING(a_run_can_be_cancelled),
	    RUNNING(background_jobs_are_ended),
	    RUNNING(background_that_is_kept_lives_on),
	    RUNNING(a_host_that_reaps_everybody_gets_its_status),
	    RUNNING(a_forked_host_does_not_keep_sandboxes_alive),
	    RUNNING(everything_ends_with_a_host_that_is_killed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
