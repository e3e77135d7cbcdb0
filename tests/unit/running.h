/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_TEST_RUNNING_H
#define W_TEST_RUNNING_H

/* A runner for each test, and what the tests of it share. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>

#include "leftovers.h"
#include "run/run.h"
#include "starting.h"
#include "temp.h"

static struct w_runner runner;
static struct temp temp;
static int fds_before;
static char mark[48];

static inline int
set_up(void **state)
{
	(void)state;
	(void)snprintf(mark, sizeof(mark), "WRIT_TEST_MARK=r%dx", getpid());
	temp_open(&temp);
	fds_before = count_fds();
	assert_int_equal(w_runner_init(&runner, NULL), WRIT_OK);
	runner.spill_dir = temp.path;
	return 0;
}

/* Whatever a test did, nothing is left of it. */
static inline int
tear_down(void **state)
{
	(void)state;
	w_runner_done(&runner);
	bool is_clean = settle_marked(mark, 0) == 0 && !has_child() &&
			count_fds() == fds_before;
	temp_close(&temp);
	return is_clean ? 0 : -1;
}

static inline writ_request
shell(const char *text)
{
	static const char *env[2];
	writ_request request = WRIT_REQUEST_INIT;

	env[0] = mark;
	request.shell = text;
	request.env = env;
	request.grace_ms = 200;
	return request;
}

static inline void
take(void *ctx, writ_job *job, writ_result *result)
{
	(void)job;
	*(writ_result **)ctx = result;
}

static inline void
drive(writ_result *const *result)
{
	while (*result == NULL)
		assert_int_equal(w_runner_dispatch(&runner, -1, NULL), WRIT_OK);
}

/* NULL: there is no such hold here. */
static inline writ_result *
run(const writ_request *request)
{
	writ_result *result = NULL;
	struct writ_job *job;
	writ_error err = {0};
	writ_status status =
	    start_run(&runner, request, take, &result, &job, &err);

	if (status == WRIT_E_SANDBOX) {
		print_message("# not to be had here: %s\n", err.message);
		return NULL;
	}
	assert_int_equal(status, WRIT_OK);
	assert_int_equal(runner.live_count, 1);
	drive(&result);
	assert_int_equal(runner.live_count, 0);
	assert_int_equal(settle_marked(mark, 0), 0);
	return result;
}

static inline void
done(writ_result *result)
{
	w_run_result_free((struct w_run_result *)result);
}

/* Gives the command its deadline once it has begun to listen: if it had not
 * said so by then, it runs again with a later one. A busy machine may take long
 * to start it. */
static inline writ_result *
run_past(writ_result *(*run_it)(const writ_request *), writ_request *request,
    const char *said)
{
	writ_result *result = run_it(request);

	while (result != NULL && request->timeout_ms < 60000 &&
	       (result->out[WRIT_STDOUT].head == NULL ||
		   strncmp(result->out[WRIT_STDOUT].head, said, strlen(said)) !=
		       0)) {
		done(result);
		request->timeout_ms *= 4;
		result = run_it(request);
	}
	return result;
}

static inline void
expect_text(const writ_output *out, const char *text)
{
	assert_string_equal(out->head, text);
	assert_int_equal(out->head_len, strlen(text));
	assert_int_equal(out->bytes, strlen(text));
	assert_false(out->truncated);
}

#define RUNNING(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

#endif /* W_TEST_RUNNING_H */
