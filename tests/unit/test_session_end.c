/* SPDX-License-Identifier: Apache-2.0 */

/* Sessions: what a command leaves behind, and how a session ends. */

#include "session_fixture.h"

#include "engine/engine_state.h"
#include "run/launch/run_sandbox.h"
#include "run/run.h"

/* ---- the background ---- */

static void
note_background(void *ctx, writ_job *job)
{
	(void)job;
	*(int *)ctx += 1;
}

static void
what_a_command_leaves_behind_keeps_the_run_going(void **state)
{
	writ_request request =
	    within(session, "sleep 1000 >/dev/null 2>&1 & echo started");
	struct seen seen = {.result = NULL};
	writ_session_state look = {.size = sizeof(look)};
	int calls = 0;

	(void)state;
	request.background = WRIT_BACKGROUND_WAIT;
	writ_job *job = start(&request, &seen);
	writ_job_on_background(job, note_background, &calls);
	while (calls == 0)
		dispatch(-1);
	assert_null(seen.result);
	assert_int_equal(writ_session_look(session, &look, NULL), WRIT_OK);
	assert_int_equal(look.runs, 1);
	writ_job_cancel(job, SIGTERM);
	drive(&seen);
	assert_int_equal(calls, 1);
	assert_int_equal(seen.result->outcome, WRIT_CANCELLED);
	writ_result_free(seen.result);
}

static void
a_background_that_ends_by_itself_ends_the_run(void **state)
{
	writ_request request =
	    within(session, "{ while ! test -e /tmp/go; do sleep 0.01; done; "
			    "echo late; } & echo early");
	struct seen seen = {.result = NULL};
	int calls = 0;

	(void)state;
	request.background = WRIT_BACKGROUND_WAIT;
	writ_job *job = start(&request, &seen);
	writ_job_on_background(job, note_background, &calls);
	while (calls == 0)
		dispatch(-1);
	expect(session, "touch /tmp/go", "");
	drive(&seen);
	assert_int_equal(seen.result->outcome, WRIT_EXITED);
	assert_int_equal(seen.result->exit_code, 0);
	assert_int_equal(seen.result->killed, 0);
	assert_string_equal(
	    seen.result->out[WRIT_STDOUT].head, "early\nlate\n");
	writ_result_free(seen.result);
}

static void
a_timeout_ends_the_background_too(void **state)
{
	writ_request request = within(session, "sleep 1000 & echo started");
	struct seen seen = {.result = NULL};

	(void)state;
	request.background = WRIT_BACKGROUND_WAIT;
	request.timeout_ms = 500;
	(void)start(&request, &seen);
	drive(&seen);
	assert_int_equal(seen.result->outcome, WRIT_TIMED_OUT);
	writ_result_free(seen.result);
}

static void
a_run_that_gets_more_leaves_nothing_behind(void **state)
{
	writ_request request =
	    within(session, "sleep 1000 >/dev/null 2>&1 & echo started");

	(void)state;
	request.background = WRIT_BACKGROUND_WAIT;
	request.network = WRIT_NETWORK_HOST;
	request.caller = WRIT_CALLER_TRUSTED;
	writ_result *result = run_request(&request);
	assert_string_equal(result->out[WRIT_STDOUT].head, "started\n");
	assert_int_equal(result->killed, 1);
	writ_result_free(result);
}

/* Its HOME is below /tmp: what other runs planted there would be its
 * settings. */
static void
a_run_that_gets_more_has_a_home_of_its_own(void **state)
{
	static const char text[] = "ls -A \"$HOME\" /tmp | grep planted";
	writ_request request = within(session, text);

	(void)state;
	expect(session,
	    "mkdir -p /tmp/home && touch /tmp/home/planted /tmp/planted", "");
	request.sandbox = "strict";
	writ_result *result = run_request(&request);
	assert_string_equal(
	    result->out[WRIT_STDOUT].head, "planted\nplanted\n");
	writ_result_free(result);
	request.network = WRIT_NETWORK_HOST;
	result = run_request(&request);
	assert_string_equal(result->out[WRIT_STDOUT].head, "");
	assert_null(result->session);
	writ_result_free(result);
	request.sandbox = "workspace";
	request.env_mode = WRIT_ENV_ISOLATED;
	result = run_request(&request);
	assert_string_equal(result->out[WRIT_STDOUT].head, "");
	writ_result_free(result);
}

static void
a_kept_background_is_refused(void **state)
{
	writ_request request = within(session, "true");
	writ_result *result = NULL;

	(void)state;
	request.background = WRIT_BACKGROUND_KEEP;
	assert_int_equal(
	    writ_run(engine, &request, &result, NULL), WRIT_E_INVALID);
}

/* ---- the end ---- */

static void
closing_ends_every_run_of_the_session_and_no_other(void **state)
{
	writ_request request = within(session, "echo ready; exec sleep 1000");
	writ_request other = within(NULL, "echo ready; exec sleep 1000");
	struct seen seen[3] = {{.result = NULL}};

	(void)state;
	for (int i = 0; i < 3; i++) {
		writ_request *one = i < 2 ? &request : &other;

		one->on_output = on_output;
		one->output_ctx = &seen[i];
		(void)start(one, &seen[i]);
	}
	for (int i = 0; i < 3; i++)
		drive_output(&seen[i], 6);
	writ_session_close(session);
	session = NULL;
	drive(&seen[0]);
	drive(&seen[1]);
	assert_int_equal(seen[0].result->outcome, WRIT_CANCELLED);
	assert_int_equal(seen[1].result->outcome, WRIT_CANCELLED);
	assert_null(seen[2].result);
	assert_int_equal(writ_engine_live(engine), 1);
	writ_result_free(seen[0].result);
	writ_result_free(seen[1].result);
}

static void
a_session_may_be_closed_after_its_engine(void **state)
{
	writ_session *late = NULL;
	writ_engine *own = NULL;

	(void)state;
	assert_int_equal(writ_engine_new(NULL, &own, NULL), WRIT_OK);
	assert_int_equal(writ_session_open(own, NULL, &late, NULL), WRIT_OK);
	writ_engine_free(own);
	writ_session_close(late);
}

static void
a_killed_fork_server_is_replaced(void **state)
{
	char command[200];

	(void)state;
	expect(session, "echo a >/tmp/a", "");
	/* Our only children now are the fork server and the init that it has
	 * made. */
	(void)snprintf(command, sizeof(command),
	    "pkill -KILL -P %d writ-helper && "
	    "while pgrep -r R,S,D -P %d writ-helper >/dev/null; do :; done",
	    getpid(), getpid());
	assert_int_equal(system(command), 0); /* NOLINT(cert-env33-c) */
	expect(session, "cat /tmp/a", "a\n");
	expect(session, "cat /tmp/a", "a\n");
}

/* Its sandbox is for one run: what nobody takes is not made. */
static void
a_run_on_a_layer_makes_no_init_for_a_next_one(void **state)
{
	writ_request request = within(session, "echo ready; exec sleep 1000");
	struct seen seen = {.result = NULL};

	(void)state;
	request.undo = WRIT_UNDO_ON;
	request.on_output = on_output;
	request.output_ctx = &seen;
	writ_job *job = start(&request, &seen);
	drive_output(&seen, 6);
	const struct w_run_sandbox *sandbox = engine->runner.live->sandbox;
	const bool has_layer = sandbox->layer != NULL;
	const bool has_next = sandbox->is_asked || sandbox->ready.child.pid > 0;
	writ_job_cancel(job, SIGKILL);
	drive(&seen);
	writ_result_free(seen.result);
	if (!has_layer)
		skip();
	assert_false(has_next);
}

static void
many_sessions_at_once(void **state)
{
	enum {
		MANY = 200
	};
	static writ_session *many[MANY];
	char text[100], line[16];

	(void)state;
	for (int i = 0; i < MANY; i++) {
		writ_error err = {0};

		if (writ_session_open(engine, NULL, &many[i], &err) != WRIT_OK)
			fail_msg("session %d: %s", i, err.message);
	}
	for (int i = 0; i < MANY; i += 20) {
		(void)snprintf(text, sizeof(text), "echo %d >/tmp/a", i);
		expect(many[i], text, "");
	}
	for (int i = 0; i < MANY; i += 20) {
		(void)snprintf(line, sizeof(line), "%d\n", i);
		expect(many[i], "cat /tmp/a", line);
	}
	for (int i = 0; i < MANY; i++)
		writ_session_close(many[i]);
}

static void
a_name_is_checked(void **state)
{
	static const char *const wrong[] = {
	    "", ".a", "-a", "a b", "a/b", "a\nb"};
	writ_session_options options = WRIT_SESSION_OPTIONS_INIT;
	writ_session *made = NULL;

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		options.name = wrong[i];
		assert_int_equal(
		    writ_session_open(engine, &options, &made, NULL),
		    WRIT_E_INVALID);
	}
	options.name = "build-1.x_y";
	assert_int_equal(
	    writ_session_open(engine, &options, &made, NULL), WRIT_OK);
	assert_string_equal(writ_session_name(made), "build-1.x_y");
	writ_session_close(made);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    SESSION(what_a_command_leaves_behind_keeps_the_run_going),
	    SESSION(a_background_that_ends_by_itself_ends_the_run),
	    SESSION(a_timeout_ends_the_background_too),
	    SESSION(a_run_that_gets_more_leaves_nothing_behind),
	    SESSION(a_run_that_gets_more_has_a_home_of_its_own),
	    SESSION(a_kept_background_is_refused),
	    SESSION(closing_ends_every_run_of_the_session_and_no_other),
	    SESSION(a_session_may_be_closed_after_its_engine),
	    SESSION(a_killed_fork_server_is_replaced),
	    SESSION(a_run_on_a_layer_makes_no_init_for_a_next_one),
	    SESSION(many_sessions_at_once),
	    SESSION(a_name_is_checked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
