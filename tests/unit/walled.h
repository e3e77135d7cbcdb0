/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_TEST_WALLED_H
#define W_TEST_WALLED_H

/* Runs in a sandbox: the first of a ward is built from nothing, the second
 * opens its spawner, the third finds a cell that stands ready. */

#include "running.h"

#include "kin.h"

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

/* The ward that was used last, with its spawner. */
static inline struct w_run_sandbox *
warm_up(void)
{
	writ_request request = walled("exit 7");

	for (int i = 0; i < RUNS; i++)
		expect_code(&request, 7);
	assert_non_null(runner.launcher.sandbox_cache.first);
	assert_true(runner.launcher.sandbox_cache.first->spawner.pidfd >= 0);
	return runner.launcher.sandbox_cache.first;
}

/* The cell that stands ready: our child that is not the spawner. */
static inline pid_t
ready_sandbox_init(const struct w_run_sandbox *sandbox)
{
	for (int i = 0; i < 500; i++) {
		struct kin kin = children_of(getpid());

		for (int k = 0; k < kin.count; k++) {
			if (kin.pids[k] != sandbox->spawner.pid &&
			    children_of(kin.pids[k]).count > 0)
				return kin.pids[k];
		}
		(void)usleep(10000);
	}
	fail_msg("no cell stands ready");
	return -1;
}

/* Ends a process and sees it end. */
static inline void
strike_down(pid_t pid)
{
	const struct kin it = {.pids = {pid}, .count = 1};

	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(settle_kin(&it), 0);
}

#endif /* W_TEST_WALLED_H */
