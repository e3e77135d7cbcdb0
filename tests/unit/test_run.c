/* SPDX-License-Identifier: Apache-2.0 */
#include "running.h"

static const writ_hold holds[] = {WRIT_HOLD_AUTO, WRIT_HOLD_CGROUP,
    WRIT_HOLD_PIDNS, WRIT_HOLD_KEEPER, WRIT_HOLD_CALLER};

enum {
	HOLDS = sizeof(holds) / sizeof(*holds)
};

static void
status_and_both_streams_arrive(void **state)
{
	(void)state;
	for (int i = 0; i < HOLDS; i++) {
		writ_request request = shell("echo out; echo err >&2; exit 7");

		request.hold = holds[i];
		writ_result *result = run(&request);
		if (result == NULL)
			continue;
		assert_int_equal(result->outcome, WRIT_EXITED);
		assert_int_equal(result->exit_code, 7);
		assert_int_equal(result->signal, 0);
		assert_true(result->status_known);
		expect_text(&result->out[WRIT_STDOUT], "out\n");
		expect_text(&result->out[WRIT_STDERR], "err\n");
		assert_int_equal(result->killed, 0);
		done(result);
	}
}

static void
a_program_is_called_what_the_caller_says(void **state)
{
	static const char *const argv[] = {"called", "-c", "echo $0", NULL};
	writ_request request = shell("");

	(void)state;
	request.argv = argv;
	request.shell = NULL;
	request.program = "/bin/sh";
	writ_result *result = run(&request);
	assert_non_null(result);
	expect_text(&result->out[WRIT_STDOUT], "called\n");
	done(result);
}

static void
a_signal_is_reported_as_such(void **state)
{
	(void)state;
	for (int i = 0; i < HOLDS; i++) {
		writ_request request = shell("kill -9 $$");

		request.hold = holds[i];
		writ_result *result = run(&request);
		if (result == NULL)
			continue;
		assert_int_equal(result->outcome, WRIT_SIGNALED);
		assert_int_equal(result->exit_code, -1);
		assert_int_equal(result->signal, SIGKILL);
		done(result);
	}
}

static void
a_deadline_ends_the_tree_and_keeps_the_output(void **state)
{
	(void)state;
	for (int i = 0; i < HOLDS - 1; i++) {
		writ_request request =
		    shell("sleep 300 & echo partial; sleep 300; echo no");

		request.hold = holds[i];
		request.timeout_ms = 150;
		writ_result *result = run_past(run, &request, "partial");
		if (result == NULL)
			continue;
		assert_int_equal(result->outcome, WRIT_TIMED_OUT);
		assert_int_equal(result->timeout_ms, request.timeout_ms);
		assert_true(result->duration_ms >= 150);
		expect_text(&result->out[WRIT_STDOUT], "partial\n");
		done(result);
	}
}

static void
who_ignores_the_request_to_end_is_killed(void **state)
{
	(void)state;
	for (int i = 0; i < HOLDS - 1; i++) {
		writ_request request = shell(
		    "trap '' TERM; setsid sh -c \"trap '' TERM; while :; do "
		    "sleep 1; done\" & echo on; while :; do sleep 1; done");

		request.hold = holds[i];
		request.timeout_ms = 150;
		writ_result *result = run_past(run, &request, "on");
		if (result == NULL)
			continue;
		assert_int_equal(result->outcome, WRIT_TIMED_OUT);
		assert_int_equal(result->signal, SIGKILL);
		assert_true(result->duration_ms >= 350);
		done(result);
	}
}

static void
who_ends_when_asked_keeps_its_own_status(void **state)
{
	(void)state;
	for (int i = 0; i < HOLDS; i++) {
		writ_request request =
		    shell("trap 'echo bye; exit 3' TERM; echo hi; "
			  "while :; do sleep 0.05; done");

		request.hold = holds[i];
		request.timeout_ms = 300;
		request.grace_ms = 20000;
		writ_result *result = run_past(run, &request, "hi");
		if (result == NULL)
			continue;
		assert_int_equal(result->outcome, WRIT_TIMED_OUT);
		assert_int_equal(result->exit_code, 3);
		expect_text(&result->out[WRIT_STDOUT], "hi\nbye\n");
		done(result);
	}
}

static void
background_jobs_are_killed_and_counted(void **state)
{
	(void)state;
	for (int i = 0; i < HOLDS - 1; i++) {
		writ_request request = shell(
		    "sleep 300 & setsid sleep 300 & (setsid sleep 300 &); "
		    "echo done");

		request.hold = holds[i];
		writ_result *result = run(&request);
		if (result == NULL)
			continue;
		assert_int_equal(result->outcome, WRIT_EXITED);
		assert_int_equal(result->exit_code, 0);
		assert_in_range(result->killed, 1, 4);
		expect_text(&result->out[WRIT_STDOUT], "done\n");
		assert_true(result->duration_ms < 20000);
		done(result);
	}
}

static void
a_result_names_what_held_the_tree(void **state)
{
	static const struct {
		writ_hold hold;
		writ_tree tree;
		const char *by;
	} cases[] = {
	    {WRIT_HOLD_CGROUP, WRIT_TREE_GUARANTEED, "cgroup"},
	    {WRIT_HOLD_PIDNS, WRIT_TREE_GUARANTEED, "pidns"},
	    {WRIT_HOLD_KEEPER, WRIT_TREE_BEST_EFFORT, "keeper"},
	};

	(void)state;
	for (int i = 0; i < 3; i++) {
		writ_request request = shell("true");

		request.hold = cases[i].hold;
		writ_result *result = run(&request);
		if (result == NULL)
			continue;
		assert_int_equal(result->tree, cases[i].tree);
		assert_string_equal(result->tree_by, cases[i].by);
		done(result);
	}
	writ_request request = shell("true");
	request.hold = WRIT_HOLD_CALLER;
	writ_result *result = run(&request);
	assert_int_equal(result->tree, WRIT_TREE_CALLER);
	assert_null(result->tree_by);
	done(result);
}

/* The parent may be this test itself: attack only a helper. */
static void
fight(const char *sig)
{
	char text[256];

	(void)snprintf(text, sizeof(text),
	    "sleep 300 & setsid sleep 300 & "
	    "read -r name </proc/$PPID/comm; "
	    "[ $PPID != 1 ] && [ \"$name\" != writ-helper ] || "
	    "kill -%s $PPID; sleep 300",
	    sig);
	for (int i = 0; i < HOLDS - 1; i++) {
		writ_request request = shell(text);

		/* The subreaper alone is best effort, and the result says
		 * so. */
		if (holds[i] == WRIT_HOLD_KEEPER)
			continue;
		request.hold = holds[i];
		request.timeout_ms = 300;
		writ_result *result = run(&request);
		if (result == NULL)
			continue;
		/* The helper may have died with the status. */
		assert_true(
		    result->outcome != WRIT_EXITED || !result->status_known);
		done(result);
	}
}

static void
a_command_that_kills_its_helper_leaves_nothing_either(void **state)
{
	(void)state;
	fight("KILL");
}

static void
a_command_that_stops_its_helper_leaves_nothing_either(void **state)
{
	(void)state;
	fight("STOP");
}

static void
a_held_stream_is_given_up_after_the_drain(void **state)
{
	writ_request request = shell("sleep 300 & echo $!; echo kept >&2");

	(void)state;
	request.hold = WRIT_HOLD_CALLER;
	writ_result *result = NULL;
	struct writ_job *job;
	assert_int_equal(
	    start_run(&runner, &request, take, &result, &job, NULL), WRIT_OK);
	drive(&result);
	assert_int_equal(result->outcome, WRIT_EXITED);
	assert_true(result->duration_ms < 5000);
	expect_text(&result->out[WRIT_STDERR], "kept\n");
	pid_t held = (pid_t)strtol(result->out[0].head, NULL, 10);
	assert_true(held > 1);
	assert_int_equal(kill(held, SIGKILL), 0);
	done(result);
}

static void
background_that_is_kept_lives_on_under_its_helper(void **state)
{
	writ_request request = shell("sleep 300 >/dev/null 2>&1 & echo $!");

	(void)state;
	request.background = WRIT_BACKGROUND_KEEP;
	request.hold = WRIT_HOLD_KEEPER;
	writ_result *result = NULL;
	struct writ_job *job;
	assert_int_equal(
	    start_run(&runner, &request, take, &result, &job, NULL), WRIT_OK);
	drive(&result);
	assert_int_equal(result->outcome, WRIT_EXITED);
	assert_int_equal(result->background, 1);
	assert_int_equal(result->killed, 0);
	pid_t kept = (pid_t)strtol(result->out[0].head, NULL, 10);
	assert_int_equal(kill(kept, 0), 0);
	/* Its helper has the same environment, which only root may read. */
	assert_in_range(count_marked(mark), 1, 2);

	/* When it ends, its helper exits and is reaped. */
	assert_int_equal(kill(kept, SIGKILL), 0);
	for (int i = 0; i < 1000 && has_child(); i++)
		assert_int_equal(w_runner_dispatch(&runner, 10, NULL), WRIT_OK);
	assert_false(has_child());
	done(result);
}

/* ---- output ---- */

static void
output_beyond_the_limit_is_cut_and_spilled(void **state)
{
	writ_request request = shell("seq 1 20000");
	struct stat st;

	(void)state;
	request.output_limit = 1000;
	writ_result *result = run(&request);
	const writ_output *out = &result->out[WRIT_STDOUT];
	assert_true(out->truncated);
	assert_int_equal(out->bytes, 108894);
	assert_int_equal(out->head_len, 250);
	assert_int_equal(out->tail_len, 750);
	assert_memory_equal(out->head, "1\n2\n3\n", 6);
	assert_memory_equal(out->tail + 744, "20000\n", 6);
	assert_int_equal(out->spill_bytes, out->bytes);
	assert_int_equal(stat(out->spill_path, &st), 0);
	assert_int_equal((uint64_t)st.st_size, out->bytes);
	char path[512];
	(void)snprintf(path, sizeof(path), "%s", out->spill_path);
	done(result);
	assert_int_equal(access(path, F_OK), -1);
}

static void
both_streams_are_drained_together(void **state)
{
	writ_request request =
	    shell("i=0; while [ $i -lt 40 ]; do head -c 10000 /dev/zero; "
		  "head -c 10000 /dev/zero >&2; i=$((i+1)); done");

	(void)state;
	writ_result *result = run(&request);
	assert_int_equal(result->out[0].bytes, 400000);
	assert_int_equal(result->out[1].bytes, 400000);
	assert_int_equal(result->exit_code, 0);
	done(result);
}

/* ---- what a run creates for itself ---- */

static void
the_private_directory_is_gone_afterwards(void **state)
{
	writ_request request = shell("echo $HOME; echo x >$HOME/file; "
				     "mkdir $TMPDIR/dir; pwd >$TMPDIR/dir/f");

	(void)state;
	request.env_mode = WRIT_ENV_ISOLATED;
	writ_result *result = run(&request);
	char path[256];
	(void)snprintf(path, sizeof(path), "%.*s",
	    (int)strcspn(result->out[0].head, "\n"), result->out[0].head);
	assert_int_equal(result->exit_code, 0);
	assert_true(path[0] == '/');
	assert_int_equal(w_runner_dispatch(&runner, 0, NULL), WRIT_OK);
	assert_int_equal(access(path, F_OK), -1);
	done(result);
}

static void
a_start_that_fails_leaves_nothing(void **state)
{
	static const char *const missing[] = {"no-such-program", NULL};
	static const char *const path[] = {"PATH=/usr/bin:/bin", NULL};
	writ_request request = WRIT_REQUEST_INIT;
	struct writ_job *job;
	writ_error err = {0};

	(void)state;
	request.argv = missing;
	request.env = path;
	assert_int_equal(start_run(&runner, &request, NULL, NULL, &job, &err),
	    WRIT_E_NOTFOUND);
	assert_int_equal(runner.live_count, 0);
	assert_non_null(strstr(err.message, "no-such-program"));
}

static void
an_abandoned_run_ends_without_a_word(void **state)
{
	writ_request request = shell("sleep 300 & sleep 300");
	writ_result *result = NULL;
	struct writ_job *job;

	(void)state;
	assert_int_equal(
	    start_run(&runner, &request, take, &result, &job, NULL), WRIT_OK);
	w_run_abandon(job);
	assert_int_equal(runner.live_count, 0);
	assert_null(result);
	assert_int_equal(settle_marked(mark, 0), 0);
}

static void
a_run_without_a_callback_is_freed_when_it_ends(void **state)
{
	writ_request request = shell("echo unheard");
	struct writ_job *job;

	(void)state;
	assert_int_equal(
	    start_run(&runner, &request, NULL, NULL, &job, NULL), WRIT_OK);
	while (runner.live_count > 0)
		assert_int_equal(w_runner_dispatch(&runner, -1, NULL), WRIT_OK);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    RUNNING(status_and_both_streams_arrive),
	    RUNNING(a_program_is_called_what_the_caller_says),
	    RUNNING(a_signal_is_reported_as_such),
	    RUNNING(a_deadline_ends_the_tree_and_keeps_the_output),
	    RUNNING(who_ignores_the_request_to_end_is_killed),
	    RUNNING(who_ends_when_asked_keeps_its_own_status),
	    RUNNING(background_jobs_are_killed_and_counted),
	    RUNNING(a_result_names_what_held_the_tree),
	    RUNNING(a_command_that_kills_its_helper_leaves_nothing_either),
	    RUNNING(a_command_that_stops_its_helper_leaves_nothing_either),
	    RUNNING(a_held_stream_is_given_up_after_the_drain),
	    RUNNING(background_that_is_kept_lives_on_under_its_helper),
	    RUNNING(output_beyond_the_limit_is_cut_and_spilled),
	    RUNNING(both_streams_are_drained_together),
	    RUNNING(the_private_directory_is_gone_afterwards),
	    RUNNING(a_start_that_fails_leaves_nothing),
	    RUNNING(an_abandoned_run_ends_without_a_word),
	    RUNNING(a_run_without_a_callback_is_freed_when_it_ends),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
