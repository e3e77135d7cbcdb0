/* SPDX-License-Identifier: Apache-2.0 */
#include "engine_fixture.h"

static void
a_blocking_run_returns_its_result(void **state)
{
	writ_request request = shell("echo out; echo err >&2; exit 3");
	writ_result *result = NULL;

	(void)state;
	request.trace_id = "my-trace";
	assert_int_equal(writ_run(engine, &request, &result, NULL), WRIT_OK);
	assert_int_equal(result->outcome, WRIT_EXITED);
	assert_int_equal(result->exit_code, 3);
	assert_string_equal(result->out[WRIT_STDOUT].head, "out\n");
	assert_string_equal(result->out[WRIT_STDERR].head, "err\n");
	assert_string_equal(result->trace_id, "my-trace");
	assert_int_equal(strlen(result->run_id), 26);
	assert_int_equal(writ_engine_live(engine), 0);
	writ_result_free(result);
}

static void
a_command_that_cannot_run_is_an_error_not_a_result(void **state)
{
	static const char *const missing[] = {"/no/such/program", NULL};
	writ_request request = WRIT_REQUEST_INIT;
	writ_result *result = NULL;
	writ_error err = {0};

	(void)state;
	request.argv = missing;
	assert_int_equal(
	    writ_run(engine, &request, &result, &err), WRIT_E_NOTFOUND);
	assert_null(result);
	assert_non_null(strstr(err.message, "/no/such/program"));

	request.cwd = "/no/such/directory";
	assert_int_equal(
	    writ_run(engine, &request, &result, &err), WRIT_E_INVALID);
	assert_string_equal(err.stage, "cwd");
	assert_int_equal(
	    writ_run(engine, &request, &result, NULL), WRIT_E_INVALID);
}

static void
standard_input_reaches_the_command(void **state)
{
	writ_request request = shell("tr a-z A-Z");
	writ_result *result = NULL;

	(void)state;
	request.stdin_kind = WRIT_STDIN_DATA;
	request.stdin_data = "hello";
	request.stdin_len = 5;
	assert_int_equal(writ_run(engine, &request, &result, NULL), WRIT_OK);
	assert_string_equal(result->out[WRIT_STDOUT].head, "HELLO");
	writ_result_free(result);
}

static void
a_spill_is_read_back_by_range(void **state)
{
	writ_request request = shell("seq 1 10000");
	writ_result *result = NULL;
	char buf[6];
	size_t n;

	(void)state;
	request.output_limit = 100;
	assert_int_equal(writ_run(engine, &request, &result, NULL), WRIT_OK);
	assert_true(result->out[WRIT_STDOUT].truncated);
	assert_int_equal(
	    writ_result_read(result, WRIT_STDOUT, 3888 + 1000 * 5, buf, 5, &n),
	    WRIT_OK);
	assert_int_equal(n, 5);
	assert_memory_equal(buf, "2000\n", 5);
	writ_result_free(result);
}

static void
other_runs_go_on_during_a_blocking_one(void **state)
{
	writ_request other = shell("echo other");
	writ_request request = shell("sleep 0.5");
	struct seen seen = {0};
	writ_result *result = NULL;

	(void)state;
	(void)start(&other, &seen);
	assert_int_equal(writ_run(engine, &request, &result, NULL), WRIT_OK);
	assert_int_equal(seen.calls, 1);
	writ_result_free(result);
	writ_result_free(seen.result);
}

/* The helper of an ended run may not be reaped yet; then the engine has
 * nothing to do. */
static void
expect_rest(void)
{
	struct pollfd ready = {.fd = writ_engine_fd(engine), .events = POLLIN};

	for (int i = 0; i < 100 && poll(&ready, 1, 20) != 0; i++)
		dispatch(0);
	assert_int_equal(poll(&ready, 1, 20), 0);
}

/* ---- start, dispatch, cancel ---- */

static void
a_started_run_is_driven_through_its_descriptor(void **state)
{
	writ_request request = shell("echo hi");
	struct seen seen = {0};
	struct pollfd ready = {.events = POLLIN};

	(void)state;
	ready.fd = writ_engine_fd(engine);
	expect_rest();
	writ_job *job = start(&request, &seen);
	char id[27];
	memcpy(id, writ_job_id(job), sizeof(id));
	assert_int_equal(writ_engine_live(engine), 1);
	while (seen.result == NULL) {
		assert_int_equal(poll(&ready, 1, 20000), 1);
		dispatch(0);
	}
	assert_int_equal(writ_engine_live(engine), 0);
	assert_int_equal(seen.calls, 1);
	assert_string_equal(seen.result->run_id, id);
	expect_rest();
	writ_result_free(seen.result);
}

static void
dispatching_without_runs_returns_at_once(void **state)
{
	(void)state;
	(void)alarm(20);
	dispatch(-1);
	dispatch(0);
	(void)alarm(0);
}

static void
a_cancelled_run_ends_with_what_it_had_written(void **state)
{
	(void)state;
	for (int i = 0; i < HOLDS; i++) {
		writ_request request = shell("echo begun; exec sleep 300");
		struct seen seen = {0};
		writ_job *job = NULL;

		request.hold = holds[i];
		request.on_output = on_output;
		request.output_ctx = &seen;
		if (writ_start(engine, &request, on_done, &seen, &job, NULL) ==
		    WRIT_E_SANDBOX)
			continue;
		drive_output(&seen, 6);
		writ_job_cancel(job, SIGTERM);
		drive(&seen);
		assert_int_equal(seen.result->outcome, WRIT_CANCELLED);
		assert_int_equal(seen.result->signal, SIGTERM);
		assert_string_equal(seen.result->out[0].head, "begun\n");
		writ_result_free(seen.result);
	}
}

static void
a_second_cancel_kills_at_once(void **state)
{
	(void)state;
	for (int i = 0; i < HOLDS; i++) {
		writ_request request = shell("trap '' TERM; echo begun; "
					     "while :; do sleep 0.1; done");
		struct seen seen = {0};
		writ_job *job = NULL;

		request.hold = holds[i];
		request.grace_ms = 3600000;
		request.on_output = on_output;
		request.output_ctx = &seen;
		if (writ_start(engine, &request, on_done, &seen, &job, NULL) ==
		    WRIT_E_SANDBOX)
			continue;
		drive_output(&seen, 6);
		writ_job_cancel(job, SIGTERM);
		dispatch(50);
		assert_null(seen.result);
		writ_job_cancel(job, SIGTERM);
		drive(&seen);
		assert_int_equal(seen.result->outcome, WRIT_CANCELLED);
		assert_int_equal(seen.result->signal, SIGKILL);
		assert_int_equal(seen.calls, 1);
		writ_result_free(seen.result);
	}
}

static void
a_run_may_be_cancelled_from_its_output_callback(void **state)
{
	writ_request request = shell("while :; do echo x; sleep 0.01; done");
	struct seen seen = {.cancels = 1};

	(void)state;
	request.on_output = on_output;
	request.output_ctx = &seen;
	(void)start(&request, &seen);
	drive(&seen);
	assert_int_equal(seen.result->outcome, WRIT_CANCELLED);
	writ_result_free(seen.result);
}

static void
a_signal_reaches_the_command_and_does_not_end_the_run(void **state)
{
	(void)state;
	for (int i = 0; i < HOLDS; i++) {
		writ_request request =
		    shell("trap 'echo got; exit 5' USR1; echo begun; "
			  "while :; do sleep 0.05; done");
		struct seen seen = {0};
		writ_job *job = NULL;

		request.hold = holds[i];
		request.on_output = on_output;
		request.output_ctx = &seen;
		if (writ_start(engine, &request, on_done, &seen, &job, NULL) ==
		    WRIT_E_SANDBOX)
			continue;
		drive_output(&seen, 6);
		writ_job_signal(job, SIGUSR1);
		drive(&seen);
		assert_int_equal(seen.result->outcome, WRIT_EXITED);
		assert_int_equal(seen.result->exit_code, 5);
		writ_result_free(seen.result);
	}
}

/* ---- pausing ---- */

static void
a_paused_stream_waits_and_loses_nothing(void **state)
{
	writ_request request = shell("seq 1 500000; echo end >&2");
	struct seen seen = {.pauses = 1};

	(void)state;
	request.on_output = on_output;
	request.output_ctx = &seen;
	writ_job *job = start(&request, &seen);
	drive_output(&seen, 1);
	for (int i = 0; i < 5; i++)
		dispatch(20);
	assert_null(seen.result);

	/* With a full pipe and no reader, the engine is idle. */
	expect_rest();
	writ_job_resume(job, WRIT_STDOUT);
	drive(&seen);
	assert_int_equal(seen.result->out[WRIT_STDOUT].bytes, 3388895);
	assert_int_equal(seen.result->exit_code, 0);
	writ_result_free(seen.result);
}

static void
a_stream_paused_beyond_the_end_is_delivered_when_resumed(void **state)
{
	writ_request request = shell("printf abc");
	struct seen seen = {.pauses = 1};

	(void)state;
	request.on_output = on_output;
	request.output_ctx = &seen;
	writ_job *job = start(&request, &seen);
	drive_output(&seen, 3);
	for (int i = 0; i < 20; i++)
		dispatch(20);
	assert_null(seen.result);
	writ_job_resume(job, WRIT_STDOUT);
	writ_job_resume(job, WRIT_STDERR);
	drive(&seen);
	assert_string_equal(seen.result->out[WRIT_STDOUT].head, "abc");
	writ_result_free(seen.result);
}

/* ---- standard input ---- */

static void
bytes_written_to_a_pipe_arrive_and_end(void **state)
{
	writ_request request = shell("cat");
	struct seen seen = {0};
	size_t n = 0;

	(void)state;
	request.stdin_kind = WRIT_STDIN_PIPE;
	writ_job *job = start(&request, &seen);
	assert_int_equal(writ_job_write(job, "one ", 4, &n), WRIT_OK);
	assert_int_equal(n, 4);
	assert_int_equal(writ_job_write(job, "two", 3, &n), WRIT_OK);
	writ_job_close_stdin(job);
	assert_int_equal(writ_job_write(job, "x", 1, &n), WRIT_E_INVALID);
	drive(&seen);
	assert_string_equal(seen.result->out[WRIT_STDOUT].head, "one two");
	writ_result_free(seen.result);
}

static void
a_pipe_that_nobody_reads_is_full_then_closed(void **state)
{
	static char block[1 << 16];
	writ_request request = shell("exec 0<&-; echo closed; sleep 300");
	struct seen seen = {0};
	writ_status status = WRIT_OK;
	size_t n = 99;

	(void)state;
	request.stdin_kind = WRIT_STDIN_PIPE;
	request.on_output = on_output;
	request.output_ctx = &seen;
	writ_job *job = start(&request, &seen);
	drive_output(&seen, 7);
	for (int i = 0; i < 100 && status == WRIT_OK; i++)
		status = writ_job_write(job, block, sizeof(block), &n);
	assert_int_equal(status, WRIT_E_INVALID);
	assert_int_equal(n, 0);
	writ_job_cancel(job, SIGKILL);
	drive(&seen);
	writ_result_free(seen.result);
}

static void
a_full_pipe_takes_nothing_and_says_so(void **state)
{
	static char block[1 << 17];
	writ_request request = shell("exec sleep 300");
	struct seen seen = {0};
	size_t n = 99;

	(void)state;
	request.stdin_kind = WRIT_STDIN_PIPE;
	writ_job *job = start(&request, &seen);
	assert_int_equal(
	    writ_job_write(job, block, sizeof(block), &n), WRIT_OK);
	assert_true(n > 0 && n < sizeof(block));
	assert_int_equal(
	    writ_job_write(job, block, sizeof(block), &n), WRIT_OK);
	assert_int_equal(n, 0);
	writ_job_cancel(job, SIGKILL);
	drive(&seen);
	writ_result_free(seen.result);
}

/* ---- from a callback ---- */

struct chain {
	int left;
	int ended;
};

static void
start_next(void *ctx, writ_job *job, writ_result *result)
{
	static const char *const argv[] = {"true", NULL};
	writ_request request = WRIT_REQUEST_INIT;
	struct chain *chain = ctx;

	(void)job;
	writ_result_free(result);
	chain->ended++;
	request.argv = argv;
	if (chain->left-- > 0)
		assert_int_equal(
		    writ_start(engine, &request, start_next, chain, NULL, NULL),
		    WRIT_OK);
}

static void
a_callback_may_start_the_next_run(void **state)
{
	static const char *const argv[] = {"true", NULL};
	writ_request request = WRIT_REQUEST_INIT;
	struct chain chain = {.left = 20};

	(void)state;
	request.argv = argv;
	assert_int_equal(
	    writ_start(engine, &request, start_next, &chain, NULL, NULL),
	    WRIT_OK);
	while (writ_engine_live(engine) > 0)
		dispatch(-1);
	assert_int_equal(chain.ended, 21);
}

/* ---- the end of an engine ---- */

static void
an_engine_freed_with_runs_going_leaves_nothing(void **state)
{
	struct seen seen = {0};

	(void)state;
	for (int i = 0; i < HOLDS - 1; i++) {
		for (int copies = 0; copies < 3; copies++) {
			writ_request request =
			    shell("trap '' TERM; setsid sleep 300 & sleep 300");

			request.hold = holds[i];
			(void)writ_start(
			    engine, &request, on_done, &seen, NULL, NULL);
		}
	}
	assert_true(settle_marked(mark, 12) >= 6);
	writ_engine_free(engine);
	engine = NULL;
	assert_int_equal(count_marked(mark), 0);
	assert_false(has_child());
	assert_int_equal(seen.calls, 0);
}

static void
an_engine_freed_after_kept_background_ended_leaves_no_zombie(void **state)
{
	writ_request request = shell("sleep 300 >/dev/null 2>&1 & echo $!");
	struct seen seen = {0};
	struct pollfd ready = {.events = POLLIN};

	(void)state;
	request.background = WRIT_BACKGROUND_KEEP;
	request.hold = WRIT_HOLD_KEEPER;
	/* Only the end of the helper must wake us, not a sync of the record. */
	(void)setenv("WRIT_AUDIT_DURABILITY", "none", 1);
	(void)start(&request, &seen);
	(void)unsetenv("WRIT_AUDIT_DURABILITY");
	drive(&seen);
	pid_t kept = (pid_t)strtol(seen.result->out[0].head, NULL, 10);
	writ_result_free(seen.result);
	assert_int_equal(kill(kept, SIGKILL), 0);
	ready.fd = writ_engine_fd(engine);
	assert_int_equal(poll(&ready, 1, 20000), 1);
	writ_engine_free(engine);
	engine = NULL;
	assert_false(has_child());
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    ENGINE(a_blocking_run_returns_its_result),
	    ENGINE(a_command_that_cannot_run_is_an_error_not_a_result),
	    ENGINE(standard_input_reaches_the_command),
	    ENGINE(a_spill_is_read_back_by_range),
	    ENGINE(other_runs_go_on_during_a_blocking_one),
	    ENGINE(a_started_run_is_driven_through_its_descriptor),
	    ENGINE(dispatching_without_runs_returns_at_once),
	    ENGINE(a_cancelled_run_ends_with_what_it_had_written),
	    ENGINE(a_second_cancel_kills_at_once),
	    ENGINE(a_run_may_be_cancelled_from_its_output_callback),
	    ENGINE(a_signal_reaches_the_command_and_does_not_end_the_run),
	    ENGINE(a_paused_stream_waits_and_loses_nothing),
	    ENGINE(a_stream_paused_beyond_the_end_is_delivered_when_resumed),
	    ENGINE(bytes_written_to_a_pipe_arrive_and_end),
	    ENGINE(a_pipe_that_nobody_reads_is_full_then_closed),
	    ENGINE(a_full_pipe_takes_nothing_and_says_so),
	    ENGINE(a_callback_may_start_the_next_run),
	    ENGINE(an_engine_freed_with_runs_going_leaves_nothing),
	    ENGINE(
		an_engine_freed_after_kept_background_ended_leaves_no_zombie),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
