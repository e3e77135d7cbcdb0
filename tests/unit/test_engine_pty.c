/* SPDX-License-Identifier: Apache-2.0 */
#include "engine_fixture.h"

#include <string.h>

static writ_request
on_terminal(const char *text)
{
	writ_request request = shell(text);

	request.pty = true;
	return request;
}

/* Starts it with somebody at the keyboard. */
static writ_job *
sit(writ_request *request, struct seen *seen)
{
	request->stdin_kind = WRIT_STDIN_PIPE;
	request->on_output = on_output;
	request->output_ctx = seen;
	return start(request, seen);
}

static void
drive_until(const struct seen *seen, const char *text)
{
	for (int i = 0; i < 200; i++) {
		if (strstr(seen->output, text) != NULL)
			return;
		dispatch(50);
	}
	fail_msg("'%s' is not in '%s'", text, seen->output);
}

static void
type(writ_job *job, const char *text)
{
	size_t len = 0;

	assert_int_equal(
	    writ_job_write(job, text, strlen(text), &len), WRIT_OK);
	assert_int_equal(len, strlen(text));
}

/* Not every way of holding can be had everywhere. */
static writ_result *
try_run(const writ_request *request)
{
	writ_result *result = NULL;
	writ_status status = writ_run(engine, request, &result, NULL);

	assert_true(status == WRIT_OK || status == WRIT_E_SANDBOX);
	return result;
}

static void
all_three_streams_are_the_terminal_whatever_holds_the_tree(void **state)
{
	(void)state;
	for (int i = 0; i < HOLDS * 2; i++) {
		writ_request request = on_terminal(
		    "test -t 0 && test -t 1 && test -t 2 && stty size && "
		    "echo error >&2 && : </dev/tty");

		request.hold = holds[i % HOLDS];
		request.rows = 33;
		request.columns = 101;
		writ_result *result = try_run(&request);
		if (result == NULL)
			continue;
		assert_int_equal(result->exit_code, 0);
		assert_string_equal(result->out[0].head, "33 101\r\nerror\r\n");
		assert_int_equal(result->out[1].bytes, 0);
		writ_result_free(result);
	}
}

static void
its_size_is_24_by_80_unless_somebody_says(void **state)
{
	writ_request request = on_terminal("stty size");
	writ_result *result = NULL;

	(void)state;
	assert_int_equal(writ_run(engine, &request, &result, NULL), WRIT_OK);
	assert_string_equal(result->out[0].head, "24 80\r\n");
	writ_result_free(result);
}

static void
what_is_typed_is_read_and_then_ends(void **state)
{
	static const char text[] = "one\ntwo";
	writ_request request = on_terminal("stty -echo; cat; echo over");
	writ_result *result = NULL;

	(void)state;
	request.stdin_kind = WRIT_STDIN_DATA;
	request.stdin_data = text;
	request.stdin_len = strlen(text);
	request.timeout_ms = 20000;
	assert_int_equal(writ_run(engine, &request, &result, NULL), WRIT_OK);
	assert_int_equal(result->outcome, WRIT_EXITED);
	assert_non_null(strstr(result->out[0].head, "two"));
	assert_non_null(strstr(result->out[0].head, "over\r\n"));
	writ_result_free(result);
}

/* One that empties its keyboard when it begins has lost the first end. */
static void
a_command_that_missed_the_end_of_its_input_gets_it_again(void **state)
{
	writ_request request =
	    on_terminal("sleep 0.1; stty raw; stty -raw; "
			"python3 -c 'import termios; termios.tcflush(0, "
			"termios.TCIFLUSH)'; cat; echo over");
	writ_result *result = NULL;

	(void)state;
	request.timeout_ms = 20000;
	assert_int_equal(writ_run(engine, &request, &result, NULL), WRIT_OK);
	assert_int_equal(result->outcome, WRIT_EXITED);
	assert_non_null(strstr(result->out[0].head, "over\r\n"));
	writ_result_free(result);
}

static void
more_than_a_terminal_holds_is_typed_as_it_is_read(void **state)
{
	enum {
		LINES = 20000,
		LINE = 8
	};
	static char text[LINES * LINE];
	writ_request request = on_terminal("stty -echo; sleep 0.1; wc -l");
	writ_result *result = NULL;

	(void)state;
	for (size_t i = 0; i < sizeof(text); i++)
		text[i] = i % LINE == LINE - 1 ? '\n' : 'x';
	request.stdin_kind = WRIT_STDIN_DATA;
	request.stdin_data = text;
	request.stdin_len = sizeof(text);
	request.timeout_ms = 30000;
	assert_int_equal(writ_run(engine, &request, &result, NULL), WRIT_OK);
	assert_int_equal(result->exit_code, 0);
	assert_non_null(
	    strstr(result->out[0].tail[0] == '\0' ? result->out[0].head
						  : result->out[0].tail,
		"20000"));
	writ_result_free(result);
}

static void
all_output_is_there_to_the_last_byte(void **state)
{
	writ_request request = on_terminal("seq 1 60000; printf last");
	writ_result *result = NULL;

	(void)state;
	assert_int_equal(writ_run(engine, &request, &result, NULL), WRIT_OK);
	/* 348894 with plain line ends, and a return for each of them. */
	assert_int_equal(result->out[0].bytes, 348894 + 60000 + 4);
	writ_result_free(result);
}

static void
keys_and_sizes_reach_a_living_command(void **state)
{
	writ_request request = on_terminal(
	    "trap 'stty size' WINCH; trap 'echo interrupted; exit 7' INT; "
	    "echo ready; while :; do read x && echo \"got $x\"; done");
	struct seen seen = {0};

	(void)state;
	writ_job *job = sit(&request, &seen);
	drive_until(&seen, "ready");
	type(job, "hello\n");
	drive_until(&seen, "got hello");
	writ_job_resize(job, 50, 132);
	drive_until(&seen, "50 132");
	type(job, "\003");
	drive(&seen);
	assert_non_null(strstr(seen.output, "interrupted"));
	assert_int_equal(seen.result->exit_code, 7);
	writ_result_free(seen.result);
}

static void
closing_the_input_types_the_character_for_it(void **state)
{
	writ_request request =
	    on_terminal("stty eof ^B; echo ready; cat; echo over");
	struct seen seen = {0};

	(void)state;
	writ_job *job = sit(&request, &seen);
	drive_until(&seen, "ready");
	writ_job_close_stdin(job);
	drive(&seen);
	assert_non_null(strstr(seen.output, "over"));
	writ_result_free(seen.result);
}

static void
a_stopped_command_goes_on_when_nobody_could_wake_it(void **state)
{
	(void)state;
	for (int i = 0; i < HOLDS; i++) {
		writ_request request = on_terminal("echo ready; read x; "
						   "echo \"got $x\"");
		struct seen seen = {0};

		request.hold = holds[i];
		request.stdin_kind = WRIT_STDIN_PIPE;
		request.on_output = on_output;
		request.output_ctx = &seen;
		writ_job *job = NULL;
		if (writ_start(engine, &request, on_done, &seen, &job, NULL) !=
		    WRIT_OK)
			continue;
		drive_until(&seen, "ready");
		type(job, "\032");
		type(job, "more\n");
		drive(&seen);
		assert_non_null(strstr(seen.output, "got more"));
		writ_result_free(seen.result);
	}
}

static int stopped_by;

static void
on_stop(void *ctx, writ_job *job, int signal)
{
	(void)ctx;
	(void)job;
	stopped_by = signal;
}

static void
who_asks_is_told_of_a_stop_and_lets_it_go_on(void **state)
{
	static const writ_hold led[] = {WRIT_HOLD_AUTO, WRIT_HOLD_CGROUP,
	    WRIT_HOLD_PIDNS, WRIT_HOLD_KEEPER};

	(void)state;
	for (size_t i = 0; i < 2 * sizeof(led) / sizeof(*led); i++) {
		writ_request request = on_terminal("echo ready; read x; "
						   "echo \"got $x\"");
		struct seen seen = {0};
		writ_job *job = NULL;

		request.hold = led[i / 2];
		request.stdin_kind = WRIT_STDIN_PIPE;
		request.on_output = on_output;
		request.output_ctx = &seen;
		if (writ_start(engine, &request, on_done, &seen, &job, NULL) !=
		    WRIT_OK)
			continue;
		stopped_by = 0;
		writ_job_on_stop(job, on_stop, NULL);
		drive_until(&seen, "ready");
		type(job, "\032");
		for (int n = 0; n < 100 && stopped_by == 0; n++)
			dispatch(50);
		assert_int_equal(stopped_by, SIGTSTP);
		type(job, "more\n");
		dispatch(50);
		assert_null(strstr(seen.output, "got more"));
		writ_job_signal(job, SIGCONT);
		drive(&seen);
		assert_non_null(strstr(seen.output, "got more"));
		writ_result_free(seen.result);
	}
}

/* ---- nothing is left ---- */

static void
whatever_runs_behind_a_terminal_is_gone_with_it(void **state)
{
	static const char *const texts[] = {
	    /* a shell that takes no notice of SIGTERM */
	    "exec bash --norc -i",
	    /* stopped jobs, and some that hold the terminal open */
	    "bash --norc -ic 'sleep 60 & kill -STOP $!; nohup sleep 60 "
	    ">/dev/null 2>&1 & setsid sleep 60 & echo ready; sleep 60'",
	    "trap '' INT QUIT TERM HUP TSTP; echo ready; "
	    "while :; do sleep 60; done",
	    "kill -STOP $$",
	};

	(void)state;
	for (size_t i = 0; i < HOLDS * sizeof(texts) / sizeof(*texts); i++) {
		writ_request request =
		    on_terminal(texts[i % (sizeof(texts) / sizeof(*texts))]);

		request.hold = holds[i % HOLDS];
		request.stdin_kind = WRIT_STDIN_PIPE;
		request.timeout_ms = 150;
		/* Nobody looks for what a caller leaves. */
		if (request.hold == WRIT_HOLD_CALLER)
			continue;
		writ_result *result = try_run(&request);
		if (result == NULL)
			continue;
		assert_int_equal(result->outcome, WRIT_TIMED_OUT);
		assert_int_equal(settle_marked(mark, 0), 0);
		writ_result_free(result);
	}
}

static void
a_shell_at_its_prompt_needs_no_grace(void **state)
{
	writ_request request = on_terminal("exec bash --norc -i");
	struct seen seen = {0};

	(void)state;
	request.grace_ms = 20000;
	writ_job *job = sit(&request, &seen);
	drive_until(&seen, "bash-");
	writ_job_cancel(job, SIGTERM);
	drive(&seen);
	assert_int_equal(seen.result->outcome, WRIT_CANCELLED);
	assert_true(seen.result->duration_ms < 10000);
	writ_result_free(seen.result);
}

static void
a_background_that_keeps_the_terminal_open_holds_nobody_up(void **state)
{
	writ_request request = on_terminal("sleep 60 & echo started");

	(void)state;
	for (int i = 0; i < HOLDS; i++) {
		request.hold = holds[i];
		if (request.hold == WRIT_HOLD_CALLER)
			continue;
		writ_result *result = try_run(&request);
		if (result == NULL)
			continue;
		assert_int_equal(result->exit_code, 0);
		assert_string_equal(result->out[0].head, "started\r\n");
		assert_true(result->duration_ms < 10000);
		writ_result_free(result);
	}
}

/* A program may close its terminal and open it again by its name. */
static void
a_terminal_that_nobody_holds_for_a_while_is_no_end(void **state)
{
	writ_request request = on_terminal(
	    "t=$(tty); exec <&- >&- 2>&-; sleep 0.1; exec >$t; echo back");
	writ_result *result = NULL;

	(void)state;
	assert_int_equal(writ_run(engine, &request, &result, NULL), WRIT_OK);
	assert_string_equal(result->out[0].head, "back\r\n");
	writ_result_free(result);
}

/* Nor does it matter to others how often. */
static void
stopping_all_the_time_holds_nobody_up(void **state)
{
	writ_request request =
	    on_terminal("(while :; do kill -TSTP $$; kill -CONT $$; done) & "
			"(while :; do kill -STOP $$; kill -CONT $$; done) & "
			"while :; do :; done");
	writ_request brief = shell("echo brief");
	struct seen seen = {0};
	writ_result *result = NULL;

	(void)state;
	request.timeout_ms = 700;
	request.grace_ms = 100;
	(void)start(&request, &seen);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(
		    writ_run(engine, &brief, &result, NULL), WRIT_OK);
		assert_string_equal(result->out[0].head, "brief\n");
		writ_result_free(result);
	}
	drive(&seen);
	assert_int_equal(seen.result->outcome, WRIT_TIMED_OUT);
	writ_result_free(seen.result);
}

/* It loses its terminal, as when a window is closed. */
static void
a_background_that_is_kept_lives_on_without_the_terminal(void **state)
{
	(void)state;
	for (int i = 0; i < HOLDS; i++) {
		writ_request request = on_terminal(
		    "rm -f ready; nohup sh -c ': >ready; sleep 0.5; "
		    "test -t 0 || : >lived' >/dev/null 2>&1 & "
		    "until [ -e ready ]; do sleep 0.01; done; echo started");

		request.hold = holds[i];
		request.cwd = temp.path;
		request.background = WRIT_BACKGROUND_KEEP;
		if (request.hold == WRIT_HOLD_CALLER)
			continue;
		writ_result *result = try_run(&request);
		if (result == NULL)
			continue;
		assert_int_equal(result->exit_code, 0);
		assert_true(result->background > 0);
		assert_int_equal(settle_marked(mark, 0), 0);
		assert_true(temp_has(&temp, "lived"));
		assert_int_equal(unlink(temp_path(&temp, "lived")), 0);
		writ_result_free(result);
	}
}

/* ---- what is refused ---- */

static void
refuse(const writ_request *request, const char *message)
{
	writ_result *result = NULL;
	writ_error err;

	assert_int_equal(
	    writ_run(engine, request, &result, &err), WRIT_E_INVALID);
	assert_string_equal(err.message, message);
}

static void
what_makes_no_sense_is_refused(void **state)
{
	writ_request request = shell("true");

	(void)state;
	request.rows = 10;
	refuse(&request,
	    "rows and columns are for a terminal, and there is none "
	    "without pty");
	request.pty = true;
	request.columns = 65536;
	refuse(&request, "a terminal has at most 65535 rows and columns");
	request.columns = 0;
	request.stdin_kind = WRIT_STDIN_FD;
	request.stdin_fd = 0;
	refuse(&request, "standard input cannot be a descriptor with pty: it "
			 "is the terminal");
	request.stdin_kind = WRIT_STDIN_FILE;
	request.stdin_path = "/dev/tty0";
	writ_result *result = NULL;
	assert_int_equal(
	    writ_run(engine, &request, &result, NULL), WRIT_E_INVALID);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    ENGINE(all_three_streams_are_the_terminal_whatever_holds_the_tree),
	    ENGINE(its_size_is_24_by_80_unless_somebody_says),
	    ENGINE(what_is_typed_is_read_and_then_ends),
	    ENGINE(a_command_that_missed_the_end_of_its_input_gets_it_again),
	    ENGINE(more_than_a_terminal_holds_is_typed_as_it_is_read),
	    ENGINE(all_output_is_there_to_the_last_byte),
	    ENGINE(keys_and_sizes_reach_a_living_command),
	    ENGINE(closing_the_input_types_the_character_for_it),
	    ENGINE(a_stopped_command_goes_on_when_nobody_could_wake_it),
	    ENGINE(who_asks_is_told_of_a_stop_and_lets_it_go_on),
	    ENGINE(whatever_runs_behind_a_terminal_is_gone_with_it),
	    ENGINE(a_shell_at_its_prompt_needs_no_grace),
	    ENGINE(a_background_that_keeps_the_terminal_open_holds_nobody_up),
	    ENGINE(a_terminal_that_nobody_holds_for_a_while_is_no_end),
	    ENGINE(stopping_all_the_time_holds_nobody_up),
	    ENGINE(a_background_that_is_kept_lives_on_without_the_terminal),
	    ENGINE(what_makes_no_sense_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
