/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_ENGINE_FIXTURE_H
#define TESTS_ENGINE_FIXTURE_H

/* An engine for each test, and what the tests of it share. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>

#include <writ/writ.h>

#include "leftovers.h"
#include "own_state.h"
#include "temp.h"

__attribute__((unused)) static const writ_hold holds[] = {WRIT_HOLD_AUTO,
    WRIT_HOLD_CGROUP, WRIT_HOLD_PIDNS, WRIT_HOLD_KEEPER, WRIT_HOLD_CALLER};

enum {
	HOLDS = sizeof(holds) / sizeof(*holds)
};

static writ_engine *engine;
static struct temp temp;
static int fds_before;
static char mark[48];

static inline int
set_up(void **state)
{
	writ_engine_options options = WRIT_ENGINE_OPTIONS_INIT;

	(void)state;
	(void)snprintf(mark, sizeof(mark), "WRIT_TEST_MARK=e%dx", getpid());
	temp_open(&temp);
	fds_before = count_fds();
	options.spill_dir = temp.path;
	assert_int_equal(writ_engine_new(&options, &engine, NULL), WRIT_OK);
	return 0;
}

static inline int
tear_down(void **state)
{
	(void)state;
	writ_engine_free(engine);
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

/* What a callback saw. */
struct seen {
	writ_result *result;
	int calls;
	char output[256];
	size_t output_len;
	int pauses; /* how often still to answer with a pause */
	int cancels;
};

static inline void
on_done(void *ctx, writ_job *job, writ_result *result)
{
	struct seen *seen = ctx;

	(void)job;
	seen->calls++;
	seen->result = result;
}

static inline int
on_output(
    void *ctx, writ_job *job, writ_stream stream, const char *bytes, size_t len)
{
	struct seen *seen = ctx;

	(void)stream;
	for (size_t i = 0; i < len && seen->output_len < 255; i++)
		seen->output[seen->output_len++] = bytes[i];
	if (seen->cancels)
		writ_job_cancel(job, SIGTERM);
	return seen->pauses-- > 0;
}

static inline writ_job *
start(const writ_request *request, struct seen *seen)
{
	writ_job *job = NULL;

	assert_int_equal(
	    writ_start(engine, request, on_done, seen, &job, NULL), WRIT_OK);
	assert_non_null(job);
	return job;
}

static inline void
dispatch(int timeout_ms)
{
	assert_int_equal(
	    writ_engine_dispatch(engine, timeout_ms, NULL), WRIT_OK);
}

static inline void
drive(const struct seen *seen)
{
	while (seen->result == NULL)
		dispatch(-1);
}

/* Dispatches until the command has written so many bytes. */
static inline void
drive_output(const struct seen *seen, size_t len)
{
	for (int i = 0; i < 1000 && seen->output_len < len; i++)
		dispatch(100);
	assert_true(seen->output_len >= len);
}

/* ---- blocking ---- */

#define ENGINE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

#endif /* TESTS_ENGINE_FIXTURE_H */
