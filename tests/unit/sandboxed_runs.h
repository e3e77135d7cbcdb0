/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_TEST_SANDBOXED_RUNS_H
#define W_TEST_SANDBOXED_RUNS_H

/* Runs in a sandbox: the first is built from nothing, the second starts its
 * fork server, the third finds a sandbox init that stands ready. */

#include "running.h"

#include <poll.h>

#include "process_family.h"

enum {
	RUNS = 3
};

static inline writ_request
walled(const char *text)
{
	writ_request request = shell(text);

	request.sandbox = "workspace";
	request.cwd = temp.path;
	return request;
}

/* Where this machine has no sandboxes, there is nothing to see. */
static inline writ_result *
run_walled(const writ_request *request)
{
	writ_result *result = run(request);

	if (result == NULL)
		skip();
	return result;
}

static inline void
expect_code(const writ_request *request, int code)
{
	writ_result *result = run_walled(request);

	assert_int_equal(result->outcome, WRIT_EXITED);
	assert_true(result->status_known);
	assert_int_equal(result->exit_code, code);
	done(result);
}

/* The sandbox that was used last, with its fork server, which does nothing
 * now. */
static inline struct w_run_sandbox *
warm_up(void)
{
	writ_request request = walled("exit 7");
	const struct w_run_sandbox *sandbox;

	for (int i = 0; i < RUNS; i++)
		expect_code(&request, 7);
	assert_non_null(runner.launcher.sandbox_cache.first);
	sandbox = runner.launcher.sandbox_cache.first;
	assert_true(sandbox->spawner.pidfd >= 0);
	struct pollfd answer = {
	    .fd = sandbox->fork_server_socket, .events = POLLIN};
	if (sandbox->is_asked)
		assert_int_equal(poll(&answer, 1, 10000), 1);
	return runner.launcher.sandbox_cache.first;
}

/* The sandbox init that stands ready: our child that is not the fork
 * server. */
static inline pid_t
ready_sandbox_init(const struct w_run_sandbox *sandbox)
{
	for (int i = 0; i < 500; i++) {
		struct family family = children_of(getpid());

		for (int k = 0; k < family.count; k++) {
			if (family.pids[k] != sandbox->spawner.pid &&
			    children_of(family.pids[k]).count > 0)
				return family.pids[k];
		}
		(void)usleep(10000);
	}
	fail_msg("no sandbox init stands ready");
	return -1;
}

/* Ends a process and sees it end. */
static inline void
strike_down(pid_t pid)
{
	const struct family it = {.pids = {pid}, .count = 1};

	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(settle_family(&it), 0);
}

#endif /* W_TEST_SANDBOXED_RUNS_H */
