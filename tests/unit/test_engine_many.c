/* SPDX-License-Identifier: Apache-2.0 */
#include "engine_fixture.h"

static void
freeing_no_engine_is_fine(void **state)
{
	(void)state;
	writ_engine_free(NULL);
}

static void
two_engines_do_not_meet(void **state)
{
	writ_request request = shell("echo first; sleep 0.2");
	writ_request brief = shell("echo second");
	writ_engine *other = NULL;
	struct seen seen = {0};
	writ_result *result = NULL;

	(void)state;
	assert_int_equal(writ_engine_new(NULL, &other, NULL), WRIT_OK);
	(void)start(&request, &seen);
	assert_int_equal(writ_run(other, &brief, &result, NULL), WRIT_OK);
	assert_int_equal(seen.calls, 0);
	writ_engine_free(other);
	drive(&seen);
	assert_int_equal(seen.result->exit_code, 0);
	writ_result_free(result);
	writ_result_free(seen.result);
}

static void
later_runs_are_held_and_limited_like_the_first(void **state)
{
	writ_request request = shell("pwd");

	(void)state;
	request.hold = WRIT_HOLD_PIDNS;
	request.memory = UINT64_C(256) << 20;
	request.processes = 64;
	request.cwd = "/usr";
	for (int i = 0; i < 4; i++) {
		writ_result *result = NULL;

		assert_int_equal(
		    writ_run(engine, &request, &result, NULL), WRIT_OK);
		assert_int_equal(result->exit_code, 0);
		assert_string_equal(result->out->head, "/usr\n");
		writ_result_free(result);
	}
}

static void
write_profile(const char *path, int open_files)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	(void)fprintf(
	    file, "extends: env\nlimits:\n  open_files: %d\n", open_files);
	assert_int_equal(fclose(file), 0);
}

static void
a_limit_that_its_profile_changes_holds_for_later_runs(void **state)
{
	static const char *const wanted[] = {"50\n", "60\n"};
	writ_request request = shell("ulimit -n");
	char path[sizeof(temp.path) + 16];

	(void)state;
	(void)snprintf(path, sizeof(path), "%s/profile.yaml", temp.path);
	request.sandbox = path;
	request.caller = WRIT_CALLER_TRUSTED;
	for (int i = 0; i < 2; i++) {
		writ_result *result = NULL;

		write_profile(path, 50 + 10 * i);
		assert_int_equal(
		    writ_run(engine, &request, &result, NULL), WRIT_OK);
		assert_string_equal(result->out->head, wanted[i]);
		writ_result_free(result);
		/* A sandbox is looked up anew once a second. */
		(void)poll(NULL, 0, i == 0 ? 1200 : 0);
	}
}

/* ---- many ---- */

static void
a_thousand_runs_in_a_row_leave_nothing_behind(void **state)
{
	static const char *const argv[] = {"true", NULL};
	writ_request request = WRIT_REQUEST_INIT;
	size_t memory = 0;
	int fds = 0;

	(void)state;
	request.argv = argv;
	for (int i = 0; i < 1000; i++) {
		writ_result *result = NULL;

		assert_int_equal(
		    writ_run(engine, &request, &result, NULL), WRIT_OK);
		assert_int_equal(result->exit_code, 0);
		writ_result_free(result);
		if (i == 50) {
			memory = mallinfo2().uordblks;
			fds = count_fds();
		}
	}
	assert_int_equal(count_fds(), fds);
	assert_true(mallinfo2().uordblks <= memory + 16384);
}

enum {
	CROWD = 300
};

struct member {
	int number;
	int ended;
};

static void
on_member_done(void *ctx, writ_job *job, writ_result *result)
{
	struct member *member = ctx;

	(void)job;
	member->ended++;
	assert_int_equal(result->exit_code, member->number % 100);
	assert_int_equal(
	    strtol(result->out[WRIT_STDOUT].head, NULL, 10), member->number);
	writ_result_free(result);
}

static void
allow_many_descriptors(void)
{
	struct rlimit files;

	assert_int_equal(getrlimit(RLIMIT_NOFILE, &files), 0);
	files.rlim_cur = files.rlim_max;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &files), 0);
}

static void
hundreds_at_once_each_get_their_own_result(void **state)
{
	static struct member crowd[CROWD];
	char text[64];

	(void)state;
	allow_many_descriptors();
	for (int i = 0; i < CROWD; i++) {
		(void)snprintf(text, sizeof(text),
		    "sleep 0.3; echo %d; exit %d", i, i % 100);
		writ_request request = shell(text);

		crowd[i] = (struct member){.number = i};
		assert_int_equal(writ_start(engine, &request, on_member_done,
				     &crowd[i], NULL, NULL),
		    WRIT_OK);
	}
	assert_int_equal(writ_engine_live(engine), CROWD);
	while (writ_engine_live(engine) > 0)
		dispatch(-1);
	for (int i = 0; i < CROWD; i++)
		assert_int_equal(crowd[i].ended, 1);
}

/* The second one finds a process ready, which gets all its descriptors in one
 * message. */
static void
limits_go_to_a_process_that_was_ready(void **state)
{
	writ_request request = shell("pwd");
	char cwd[300];

	(void)state;
	(void)snprintf(cwd, sizeof(cwd), "%s\n", temp.path);
	request.hold = WRIT_HOLD_PIDNS;
	request.cwd = temp.path;
	request.memory = UINT64_C(256) << 20;
	request.processes = 100;
	for (int i = 0; i < 4; i++) {
		writ_result *result;
		writ_error err = {.message = ""};

		if (writ_run(engine, &request, &result, &err) != WRIT_OK) {
			assert_string_equal(err.stage, "pidns");
			skip();
		}
		assert_int_equal(result->exit_code, 0);
		assert_string_equal(result->out[WRIT_STDOUT].head, cwd);
		writ_result_free(result);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    ENGINE(two_engines_do_not_meet),
	    ENGINE(later_runs_are_held_and_limited_like_the_first),
	    ENGINE(a_limit_that_its_profile_changes_holds_for_later_runs),
	    ENGINE(a_thousand_runs_in_a_row_leave_nothing_behind),
	    ENGINE(hundreds_at_once_each_get_their_own_result),
	    ENGINE(limits_go_to_a_process_that_was_ready),
	    cmocka_unit_test(freeing_no_engine_is_fine),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
