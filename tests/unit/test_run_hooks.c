/* SPDX-License-Identifier: Apache-2.0 */

/* What a keeper of records is told of a run, and when. */

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "counting.h"
#include "running.h"

/* What was told, in one line, and what held at that moment. */
static struct {
	char events[256];
	char run_id[2][W_ID_LEN + 1]; /* of the first begin, of the last word */
	writ_status answer;           /* of begin() */
	writ_error error;             /* given to fail() */
	int processes_at_begin;
	int processes_at_end;
	bool is_child_at_begin;
	uint64_t timeout_ms;
	char word[64];
	int exit_code;
	bool has_sandbox;
} told;

static void
note(const char *event, const char *run_id)
{
	size_t len = strlen(told.events);

	(void)snprintf(
	    told.events + len, sizeof(told.events) - len, "%s ", event);
	(void)snprintf(told.run_id[1], sizeof(told.run_id[1]), "%s", run_id);
}

static writ_status
on_begin(const writ_request *asked, const struct w_prepared *prepared,
    struct writ_job *job, writ_error *err)
{
	const char *run_id = job->storage->run_id;

	if (told.events[0] == '\0')
		(void)snprintf(
		    told.run_id[0], sizeof(told.run_id[0]), "%s", run_id);
	note("begin", run_id);
	told.processes_at_begin = count_marked(mark);
	told.is_child_at_begin = has_child();
	told.timeout_ms = asked->timeout_ms;
	told.has_sandbox = job->sandbox != NULL;
	(void)snprintf(told.word, sizeof(told.word), "%s",
	    prepared->argv.items[prepared->argv.count - 1]);
	if (told.answer != WRIT_OK)
		return w_fail(err, told.answer, "audit", ENOSPC,
		    "cannot write the record");
	return WRIT_OK;
}

static void
on_fail(const char *run_id, const writ_error *err)
{
	note("fail", run_id);
	told.error = *err;
	told.processes_at_end = count_marked(mark);
}

static void
on_end(void *ctx, struct w_run_result *storage)
{
	assert_ptr_equal(ctx, &told);
	note("end", storage->run_id);
	told.exit_code = storage->result.exit_code;
	told.processes_at_end = count_marked(mark);
	storage->result.end_seq = 7;
}

static void
on_abandon(void *ctx, const char *run_id)
{
	assert_ptr_equal(ctx, &told);
	note("abandon", run_id);
	told.processes_at_end = count_marked(mark);
}

static void
listen(void)
{
	start_steps =
	    (struct start_steps){.begin = on_begin, .on_fail = on_fail};
	runner.listener = (struct w_run_listener){
	    .ctx = &told, .on_end = on_end, .on_abandon = on_abandon};
}

static int
set_up_hooks(void **state)
{
	memset(&told, 0, sizeof(told));
	(void)set_up(state);
	listen();
	return 0;
}

static void
take_and_note(void *ctx, writ_job *job, writ_result *result)
{
	note("done", result->run_id);
	take(ctx, job, result);
}

static void
begin_comes_before_the_process_and_end_before_the_result(void **state)
{
	writ_request request = shell("sleep 300 & exit 5");
	writ_result *result = NULL;
	struct writ_job *job;

	(void)state;
	assert_int_equal(
	    start_run(&runner, &request, take_and_note, &result, &job, NULL),
	    WRIT_OK);
	assert_string_equal(told.events, "begin ");
	drive(&result);
	assert_string_equal(told.events, "begin end done ");
	assert_int_equal(told.processes_at_begin, 0);
	assert_false(told.is_child_at_begin);
	assert_int_equal(told.processes_at_end, 0);
	assert_string_equal(told.run_id[0], result->run_id);
	assert_string_equal(told.run_id[1], result->run_id);
	assert_string_equal(told.word, "sleep 300 & exit 5");
	assert_int_equal(told.exit_code, 5);
	assert_int_equal(result->end_seq, 7);
	assert_false(told.has_sandbox);
	done(result);
	w_runner_dispatch(&runner, 0, NULL);
	assert_string_equal(told.events, "begin end done ");
}

static void
begin_sees_the_request_as_it_was_asked_and_its_walls(void **state)
{
	writ_request request = shell("exit 0");

	(void)state;
	temp_file(&temp, "tight.yaml", 0644,
	    "extends: readonly\nlimits: {timeout: 90s}\n");
	runner.state_dir = temp_path(&temp, "state");
	request.timeout_ms = UINT64_C(86400000);
	request.cwd = temp.path;
	request.sandbox = temp_path(&temp, "tight.yaml");
	request.best_effort = true;
	writ_result *result = run(&request);
	assert_int_equal(told.timeout_ms, 86400000);
	assert_int_equal(result->timeout_ms, 90000);
	assert_true(told.has_sandbox);
	done(result);
}

static int
count_entries(void)
{
	DIR *dir = opendir(temp.path);
	int count = -2;

	assert_non_null(dir);
	while (readdir(dir) != NULL)
		count++;
	(void)closedir(dir);
	return count;
}

/* How many groups of this process there are; -1: none can be. */
static int
count_groups(void)
{
	bool is_v2;
	int above = open_groups("pids", &is_v2);
	const struct dirent *entry;
	char own[32];
	int count = 0;

	if (above < 0)
		return -1;
	/* That one is a path only, which cannot be listed. */
	int fd = openat(above, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_true(fd >= 0);
	(void)close(above);
	DIR *dir = fdopendir(fd);
	assert_non_null(dir);
	(void)snprintf(own, sizeof(own), ".%d.", (int)getpid());
	while ((entry = readdir(dir)) != NULL)
		count += strncmp(entry->d_name, "writ", 4) == 0 &&
			 strstr(entry->d_name, own) != NULL;
	(void)closedir(dir);
	return count;
}

static void
a_run_that_begin_refuses_leaves_nothing(void **state)
{
	writ_request request = shell("echo ran >ran");
	struct writ_job *job = NULL;
	writ_error err = {0};

	(void)state;
	request.cwd = temp.path;
	request.env_mode = WRIT_ENV_ISOLATED;
	request.processes = 5;
	told.answer = WRIT_E_SYSTEM;
	assert_int_equal(setenv("TMPDIR", temp.path, 1), 0);
	int fds = count_fds();
	int groups = count_groups();
	assert_int_equal(
	    start_run(&runner, &request, take_and_note, NULL, &job, &err),
	    WRIT_E_SYSTEM);
	assert_int_equal(unsetenv("TMPDIR"), 0);
	assert_string_equal(err.stage, "audit");
	assert_int_equal(err.sys_errno, ENOSPC);
	assert_string_equal(told.events, "begin ");
	assert_null(job);
	assert_int_equal(runner.live_count, 0);
	assert_false(has_child());
	assert_int_equal(count_marked(mark), 0);
	assert_int_equal(count_entries(), 0);
	assert_int_equal(count_fds(), fds);
	assert_int_equal(count_groups(), groups);
}

/* A program that only the kernel finds out to be none. */
static void
expect_failed_start(writ_error *err)
{
	static const char bad[] = "\177ELF\2\1\1 and nothing else";
	const char *argv[2] = {temp_path(&temp, "bad"), NULL};
	writ_request request = shell(NULL);
	struct writ_job *job = NULL;

	temp_bytes(&temp, "bad", 0755, bad, sizeof(bad));
	request.argv = argv;
	assert_int_not_equal(
	    start_run(&runner, &request, take_and_note, NULL, &job, err),
	    WRIT_OK);
	assert_null(job);
}

static void
a_start_that_fails_after_begin_is_told_with_its_reason(void **state)
{
	writ_error err = {0};

	(void)state;
	expect_failed_start(&err);
	assert_string_equal(told.events, "begin fail ");
	assert_string_equal(told.run_id[0], told.run_id[1]);
	assert_int_equal(told.error.status, WRIT_E_NOTEXEC);
	assert_int_equal(told.error.status, err.status);
	assert_string_equal(told.error.message, err.message);
	assert_int_equal(told.processes_at_end, 0);
}

static void
the_reason_is_told_to_the_record_if_not_to_the_caller(void **state)
{
	(void)state;
	expect_failed_start(NULL);
	assert_string_equal(told.events, "begin fail ");
	assert_int_equal(told.error.status, WRIT_E_NOTEXEC);
	assert_true(told.error.message[0] != '\0');
}

static void
what_fails_before_begin_is_not_told(void **state)
{
	static const char *const missing[] = {"no-such-program", NULL};
	writ_request request = shell(NULL);
	struct writ_job *job;

	(void)state;
	request.argv = missing;
	assert_int_equal(start_run(&runner, &request, NULL, NULL, &job, NULL),
	    WRIT_E_NOTFOUND);
	assert_string_equal(told.events, "");
}

static void
an_abandoned_run_is_told_when_it_is_dead(void **state)
{
	writ_request request = shell("sleep 300 & sleep 300");
	struct writ_job *job;

	(void)state;
	assert_int_equal(
	    start_run(&runner, &request, take_and_note, NULL, &job, NULL),
	    WRIT_OK);
	w_run_abandon(job);
	assert_string_equal(told.events, "begin abandon ");
	assert_int_equal(told.processes_at_end, 0);
	assert_string_equal(told.run_id[0], told.run_id[1]);
}

static void
runs_that_the_end_of_the_runner_kills_are_told_each(void **state)
{
	writ_request request = shell("sleep 300");
	struct writ_job *job;

	(void)state;
	for (int i = 0; i < 3; i++)
		assert_int_equal(start_run(&runner, &request, take_and_note,
				     NULL, &job, NULL),
		    WRIT_OK);
	w_runner_done(&runner);
	assert_string_equal(
	    told.events, "begin begin begin abandon abandon abandon ");
	assert_int_equal(w_runner_init(&runner, NULL), WRIT_OK);
}

static void
a_run_without_a_callback_is_told_all_the_same(void **state)
{
	writ_request request = shell("exit 3");
	struct writ_job *job;

	(void)state;
	assert_int_equal(
	    start_run(&runner, &request, NULL, NULL, &job, NULL), WRIT_OK);
	while (runner.live_count > 0)
		assert_int_equal(w_runner_dispatch(&runner, -1, NULL), WRIT_OK);
	assert_string_equal(told.events, "begin end ");
	assert_int_equal(told.exit_code, 3);
}

#define HOOKED(test) \
	cmocka_unit_test_setup_teardown(test, set_up_hooks, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    HOOKED(begin_comes_before_the_process_and_end_before_the_result),
	    HOOKED(begin_sees_the_request_as_it_was_asked_and_its_walls),
	    HOOKED(a_run_that_begin_refuses_leaves_nothing),
	    HOOKED(a_start_that_fails_after_begin_is_told_with_its_reason),
	    HOOKED(the_reason_is_told_to_the_record_if_not_to_the_caller),
	    HOOKED(what_fails_before_begin_is_not_told),
	    HOOKED(an_abandoned_run_is_told_when_it_is_dead),
	    HOOKED(runs_that_the_end_of_the_runner_kills_are_told_each),
	    HOOKED(a_run_without_a_callback_is_told_all_the_same),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
