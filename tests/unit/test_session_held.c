/* SPDX-License-Identifier: Apache-2.0 */

/* Sessions that a holder keeps for several processes. */

#include "held_fixture.h"

#include <sys/prctl.h>

/* ---- what lasts ---- */

static void
a_session_lasts_from_engine_to_engine(void **state)
{
	(void)state;
	begin_held("dev");
	session = join_held("dev");
	expect(session, "echo one >/tmp/a; echo shm >/dev/shm/a", "");
	writ_session_close(session);
	writ_engine_free(engine);

	writ_engine_options options = WRIT_ENGINE_OPTIONS_INIT;
	options.config = held_config;
	options.base = project;
	assert_int_equal(writ_engine_new(&options, &engine, NULL), WRIT_OK);
	session = join_held("dev");
	assert_string_equal(writ_session_name(session), "dev");
	expect(session, "cat /tmp/a /dev/shm/a", "one\nshm\n");
	expect(NULL, "cat /tmp/a 2>/dev/null || echo none", "none\n");
}

/* Runs a bash in it, and saves what that leaves behind. */
static void
run_and_leave(writ_session *in, const char *text, const char *output)
{
	writ_request request = within(in, text);
	writ_error err = {0};

	request.prefers_bash = true;
	request.wants_state = true;
	request.cwd = writ_session_cwd(in);
	request.session_env = writ_session_env(in);
	writ_result *result = run_request(&request);
	assert_string_equal(result->out[WRIT_STDOUT].head, output);
	if (writ_session_leave(in, result, &err) != WRIT_OK)
		fail_msg("%s", err.message);
	writ_result_free(result);
}

static void
where_a_shell_was_holds_for_the_next_process(void **state)
{
	(void)state;
	if (access("/bin/bash", X_OK) != 0)
		skip();
	begin_held("dev");
	session = join_held("dev");
	assert_string_equal(writ_session_cwd(session), project);
	run_and_leave(session, "mkdir /tmp/w; cd /tmp/w; export A=1 B=2", "");
	assert_string_equal(writ_session_cwd(session), "/tmp/w");
	writ_session_close(session);

	session = join_held("dev");
	assert_string_equal(writ_session_cwd(session), "/tmp/w");
	run_and_leave(session,
	    "pwd; echo $A$B; export B=3 PATH=/x LD_PRELOAD=/x", "/tmp/w\n12\n");
	writ_session_close(session);

	session = join_held("dev");
	run_and_leave(
	    session, "echo $A$B$LD_PRELOAD; [ \"$PATH\" != /x ]", "13\n");
}

static void
look_at_it(void *ctx, const writ_session_info *info)
{
	(void)ctx;
	assert_string_equal(info->name, "dev");
	assert_null(info->problem);
	assert_null(info->agent);
	assert_string_equal(info->dir, project);
	assert_string_equal(info->cwd, project);
	assert_null(info->env[0]);
	assert_false(info->has_bad_state);
	assert_true(info->has_network);
	assert_int_equal(info->runs, 1);
	assert_true(info->state.tmp_bytes >= 100000);
	assert_true(info->left_ms > 0);
}

static void
it_can_be_looked_at(void **state)
{
	(void)state;
	begin_held("dev");
	session = join_held("dev");
	expect(session, "head -c 100000 /dev/zero >/tmp/x", "");
	assert_int_equal(
	    writ_session_find(held_config, "dev", look_at_it, NULL, NULL),
	    WRIT_OK);
}

/* ---- names ---- */

static void
a_name_is_taken_once(void **state)
{
	writ_error err = {0};

	(void)state;
	begin_held("dev");
	assert_int_equal(start_held("dev", &err), WRIT_E_INVALID);
	assert_non_null(strstr(err.message, "already"));
	assert_int_equal(start_held("a/b", &err), WRIT_E_INVALID);
	assert_int_equal(start_held(NULL, &err), WRIT_E_INVALID);
	assert_int_equal(
	    writ_session_join(engine, "none", NULL, &session, &err),
	    WRIT_E_NOTFOUND);
	assert_int_equal(
	    writ_session_end(held_config, "none", false, NULL, &err),
	    WRIT_E_NOTFOUND);
}

/* Each in a process of its own. */
static int
start_in_child(void)
{
	const pid_t pid = fork();

	if (pid == 0) {
		writ_engine_options options = WRIT_ENGINE_OPTIONS_INIT;
		writ_engine *own = NULL;
		writ_session_options named = WRIT_SESSION_OPTIONS_INIT;

		named.name = "dev";
		options.config = held_config;
		options.base = project;
		if (writ_engine_new(&options, &own, NULL) != WRIT_OK)
			_exit(2);
		_exit(writ_session_start(own, &named, NULL, NULL) == WRIT_OK
			  ? 0
			  : 1);
	}
	return pid;
}

static void
of_those_that_start_one_name_at_once_one_does(void **state)
{
	enum {
		STARTERS = 6
	};
	int won = 0;

	(void)state;
	for (int i = 0; i < STARTERS; i++)
		assert_true(start_in_child() > 0);
	for (int i = 0; i < STARTERS; i++) {
		int how = 0;

		assert_true(wait(&how) > 0);
		assert_true(WIFEXITED(how) && WEXITSTATUS(how) <= 1);
		won += WEXITSTATUS(how) == 0;
	}
	assert_int_equal(won, 1);
	session = join_held("dev");
	expect(session, "echo in", "in\n");
}

static void
a_session_is_for_its_agent_only(void **state)
{
	writ_session_options options = WRIT_SESSION_OPTIONS_INIT;
	writ_error err = {0};

	(void)state;
	begin_held("mine");
	options.name = "bots";
	options.agent = "bot";
	assert_int_equal(
	    writ_session_start(engine, &options, NULL, NULL), WRIT_OK);
	assert_int_equal(
	    writ_session_join(engine, "mine", "bot", &session, &err),
	    WRIT_E_DENIED);
	assert_int_equal(
	    writ_session_join(engine, "bots", "other", &session, &err),
	    WRIT_E_DENIED);
	assert_int_equal(
	    writ_session_join(engine, "bots", NULL, &session, &err),
	    WRIT_E_DENIED);
	assert_null(session);
	assert_int_equal(
	    writ_session_join(engine, "bots", "bot", &session, &err), WRIT_OK);
}

/* ---- ends ---- */

/* Joins it and starts a run there that does not end by itself. */
static void
begin_run(const char *name, struct seen *seen)
{
	session = join_held(name);
	writ_request request = within(session, "echo up; exec sleep 1000");

	request.on_output = on_output;
	request.output_ctx = seen;
	(void)start(&request, seen);
	drive_output(seen, 3);
}

static void
a_killed_holder_ends_its_runs_and_no_others(void **state)
{
	struct seen seen = {.result = NULL};
	writ_error err = {0};

	(void)state;
	begin_held("dev");
	begin_held("other");
	begin_run("dev", &seen);
	signal_holder("dev", SIGKILL);
	drive(&seen);
	assert_int_equal(seen.result->outcome, WRIT_CANCELLED);
	writ_result_free(seen.result);
	assert_true(writ_session_is_over(session));
	const writ_request request = within(session, "true");
	writ_result *result = NULL;
	assert_int_equal(
	    writ_run(engine, &request, &result, &err), WRIT_E_INVALID);
	assert_non_null(strstr(err.message, "has ended"));
	writ_session_close(session);
	session = join_held("other");
	expect(session, "echo fine", "fine\n");
	/* What is left of it does not keep its name. */
	begin_held("dev");
}

static void
the_end_waits_until_the_runs_are_gone(void **state)
{
	struct seen seen = {.result = NULL};
	unsigned left = 7;
	int how = 0;

	(void)state;
	begin_held("dev");
	begin_run("dev", &seen);
	const pid_t pid = fork();
	/* Without the copy of our line. */
	if (pid == 0 && close_range(3, ~0U, 0) == 0)
		_exit(writ_session_end(
			  held_config, "dev", false, &left, NULL) == WRIT_OK &&
			      left == 0
			  ? 0
			  : 1);
	drive(&seen);
	assert_int_equal(seen.result->outcome, WRIT_CANCELLED);
	writ_result_free(seen.result);
	assert_int_equal(waitpid(pid, &how, WNOHANG), 0);
	writ_session_close(session);
	session = NULL;
	assert_int_equal(waitpid(pid, &how, 0), pid);
	assert_true(WIFEXITED(how) && WEXITSTATUS(how) == 0);
	assert_int_equal(writ_session_join(engine, "dev", NULL, &session, NULL),
	    WRIT_E_NOTFOUND);
}

static void
it_ends_when_nobody_uses_it(void **state)
{
	writ_session_options options = WRIT_SESSION_OPTIONS_INIT;
	writ_session_hold hold = WRIT_SESSION_HOLD_INIT;

	(void)state;
	options.name = "dev";
	hold.idle_ms = 300;
	assert_int_equal(
	    writ_session_start(engine, &options, &hold, NULL), WRIT_OK);
	await_gone(holder_of("dev"));
	assert_int_equal(writ_session_join(engine, "dev", NULL, &session, NULL),
	    WRIT_E_NOTFOUND);
}

static void
it_ends_after_its_lifetime_though_it_is_used(void **state)
{
	writ_session_options options = WRIT_SESSION_OPTIONS_INIT;
	writ_session_hold hold = WRIT_SESSION_HOLD_INIT;
	struct seen seen = {.result = NULL};

	(void)state;
	options.name = "dev";
	hold.lifetime_ms = 1500;
	assert_int_equal(
	    writ_session_start(engine, &options, &hold, NULL), WRIT_OK);
	begin_run("dev", &seen);
	drive(&seen);
	assert_int_equal(seen.result->outcome, WRIT_CANCELLED);
	writ_result_free(seen.result);
}

static void
a_stopped_holder_is_told(void **state)
{
	writ_error err = {0};

	(void)state;
	begin_held("dev");
	const int pidfd = holder_of("dev");
	signal_holder("dev", SIGSTOP);
	assert_int_equal(writ_session_join(engine, "dev", NULL, &session, &err),
	    WRIT_E_SYSTEM);
	assert_non_null(strstr(err.message, "does not answer: it is stopped"));
	assert_non_null(strstr(err.suggestion, "--force"));
	assert_int_equal(
	    writ_session_end(held_config, "dev", true, NULL, NULL), WRIT_OK);
	await_gone(pidfd);
}

static void
count_it(void *ctx, const writ_session_info *info)
{
	assert_null(info->problem);
	*(int *)ctx += 1;
}

static void
two_hundred_at_once(void **state)
{
	enum {
		MANY = 200
	};
	char name[16];
	int count = 0;

	(void)state;
	for (int i = 0; i < MANY; i++) {
		(void)snprintf(name, sizeof(name), "s%d", i);
		begin_held(name);
	}
	assert_int_equal(
	    writ_session_list(held_config, count_it, &count, NULL), WRIT_OK);
	assert_int_equal(count, MANY);
	session = join_held("s0");
	expect(session, "echo first >/tmp/a", "");
	writ_session_close(session);
	session = join_held("s199");
	expect(session, "cat /tmp/a 2>/dev/null || echo none", "none\n");
	writ_session_close(session);
	session = join_held("s0");
	expect(session, "cat /tmp/a", "first\n");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    HELD(a_session_lasts_from_engine_to_engine),
	    HELD(where_a_shell_was_holds_for_the_next_process),
	    HELD(it_can_be_looked_at),
	    HELD(a_name_is_taken_once),
	    HELD(of_those_that_start_one_name_at_once_one_does),
	    HELD(a_session_is_for_its_agent_only),
	    HELD(a_killed_holder_ends_its_runs_and_no_others),
	    HELD(the_end_waits_until_the_runs_are_gone),
	    HELD(it_ends_when_nobody_uses_it),
	    HELD(it_ends_after_its_lifetime_though_it_is_used),
	    HELD(a_stopped_holder_is_told),
	    HELD(two_hundred_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
