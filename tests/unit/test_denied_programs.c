/* SPDX-License-Identifier: Apache-2.0 */

/* The files of denied programs: what is remembered of them, and that they are
 * hidden whenever they come. */

#include "engine_fixture.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "engine/decide/denied_programs.h"
#include "engine/engine_state.h"

enum {
	DIRS = 2
};

static void
an_answer_is_that_of_its_question_and_directories(void **state)
{
	static const char *const files[] = {"/usr/bin/su", NULL};
	static const char *const leaving[] = {"/usr/bin/vi", NULL};
	const struct w_file_mark dirs[DIRS] = {
	    {.dev = 1, .ino = 2, .size = 3, .changed_ns = 4},
	    {.dev = 1, .ino = 5, .size = 3, .changed_ns = 6},
	};
	struct w_denied_programs denied = {.question = NULL};

	(void)state;
	assert_false(w_denied_programs_are_known(&denied, "a\n", dirs, DIRS));
	w_denied_programs_keep(&denied, "a\n", dirs, DIRS, files, leaving);
	assert_true(w_denied_programs_are_known(&denied, "a\n", dirs, DIRS));
	assert_int_equal(denied.files.count, 1);
	assert_string_equal(denied.files.items[0], files[0]);
	assert_int_equal(denied.leaving.count, 1);
	assert_string_equal(denied.leaving.items[0], leaving[0]);
	assert_false(
	    w_denied_programs_are_known(&denied, "a\nb\n", dirs, DIRS));
	assert_false(
	    w_denied_programs_are_known(&denied, "a\n", dirs, DIRS - 1));
	for (size_t i = 0; i < DIRS; i++) {
		struct w_file_mark now[DIRS] = {dirs[0], dirs[1]};

		now[i].changed_ns++;
		assert_false(
		    w_denied_programs_are_known(&denied, "a\n", now, DIRS));
	}
	w_denied_programs_forget(&denied);
	assert_false(w_denied_programs_are_known(&denied, "a\n", dirs, DIRS));
}

/* Runs a program by its path in the sandbox; whether it could be executed. */
static bool
can_run_in(const char *dir, const char *words)
{
	char path[600];
	const char *const all[] = {path, NULL};
	writ_request request = WRIT_REQUEST_INIT;
	writ_result *result = NULL;
	writ_error err = {0};

	(void)snprintf(
	    path, sizeof(path), "PATH=/usr/bin:/bin:%s/%s", temp.path, dir);
	request.shell = words;
	request.sandbox = "workspace";
	request.cwd = temp.path;
	request.env = all;
	if (writ_run(engine, &request, &result, &err) != WRIT_OK)
		fail_msg("%s", err.message);
	const bool is_run = result->exit_code == 0;
	writ_result_free(result);
	return is_run;
}

static bool
can_run(const char *words)
{
	return can_run_in("bin", words);
}

static void
put_program(const char *name)
{
	temp_file(&temp, name, 0755, "#!/bin/sh\nexit 0\n");
}

static int
set_up_policy(void **state)
{
	(void)snprintf(mark, sizeof(mark), "WRIT_TEST_MARK=d%dx", getpid());
	temp_open(&temp);
	temp_file(&temp, "policy.yaml", 0600,
	    "version: 1\n"
	    "include: open\n"
	    "rules:\n"
	    "  - deny: {program: [writ-test-denied]}\n");
	assert_int_equal(
	    setenv("WRIT_POLICY", temp_path(&temp, "policy.yaml"), 1), 0);
	temp_dir(&temp, "bin");
	fds_before = count_fds();
	(void)state;
	return writ_engine_new(NULL, &engine, NULL) == WRIT_OK ? 0 : -1;
}

static int
tear_down_policy(void **state)
{
	assert_int_equal(setenv("WRIT_POLICY", "open", 1), 0);
	return tear_down(state);
}

static void
a_denied_program_is_hidden_whenever_it_comes(void **state)
{
	(void)state;
	put_program("bin/other");
	temp_file(&temp, "bin/start", 0755,
	    "#!/bin/sh\nexec \"${0%start}writ-test-denied\"\n");
	for (int i = 0; i < 3; i++) {
		assert_true(can_run("bin/other"));
		assert_false(can_run("bin/start"));
	}
	put_program("bin/writ-test-denied");
	assert_true(can_run("bin/other"));
	assert_false(can_run("bin/start"));
}

/* Directories have to be unchanged for some time before an answer is kept. */
static void
run_until_an_answer_is_kept(void)
{
	const struct timespec pause = {.tv_nsec = 50000000};

	for (int i = 0; engine->decider.denied.question == NULL; i++) {
		assert_in_range(i, 0, 400);
		assert_true(can_run("bin/other"));
		(void)nanosleep(&pause, NULL);
	}
}

static void
a_denied_program_is_hidden_where_a_link_leads_to_it(void **state)
{
	(void)state;
	put_program("bin/other");
	temp_dir(&temp, "else");
	temp_file(&temp, "else/start", 0755,
	    "#!/bin/sh\nexec \"${0%start}writ-test-denied\"\n");
	assert_int_equal(symlink("../else/writ-test-denied",
			     temp_path(&temp, "bin/writ-test-denied")),
	    0);
	run_until_an_answer_is_kept();
	/* Nothing changes in a directory that is looked at. */
	put_program("else/writ-test-denied");
	put_program("else/other");
	temp_file(&temp, "else/start-other", 0755,
	    "#!/bin/sh\nexec \"${0%start-other}other\"\n");
	assert_true(can_run("else/start-other"));
	assert_false(can_run("else/start"));
}

static void
a_denied_program_is_hidden_when_it_comes_after_an_answer(void **state)
{
	(void)state;
	put_program("bin/other");
	temp_file(&temp, "bin/start", 0755,
	    "#!/bin/sh\nexec \"${0%start}writ-test-denied\"\n");
	run_until_an_answer_is_kept();
	put_program("bin/writ-test-denied");
	assert_true(can_run("bin/other"));
	assert_false(can_run("bin/start"));
}

/* PATH names a link to the directory, or the program is a link. */
static void
a_denied_program_is_hidden_behind_links(void **state)
{
	(void)state;
	put_program("bin/writ-test-denied");
	put_program("bin/other");
	temp_link(&temp, "bin", "linked");
	temp_dir(&temp, "more");
	temp_link(&temp, "../bin/writ-test-denied", "more/writ-test-denied");
	temp_file(&temp, "bin/start", 0755,
	    "#!/bin/sh\nexec \"${0%start}writ-test-denied\"\n");
	for (int i = 0; i < 3; i++) {
		assert_true(can_run_in("linked", "linked/other"));
		assert_false(can_run_in("linked", "linked/start"));
		assert_false(can_run_in("linked", "bin/start"));
		assert_true(can_run_in("more", "bin/other"));
		assert_false(can_run_in("more", "bin/start"));
	}
}

/* A link of that name to another program hides only itself. */
static void
a_link_with_a_denied_name_does_not_hide_what_it_leads_to(void **state)
{
	(void)state;
	put_program("bin/other");
	temp_link(&temp, "other", "bin/writ-test-denied");
	for (int i = 0; i < 3; i++)
		assert_true(can_run("bin/other"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(an_answer_is_that_of_its_question_and_directories),
	    cmocka_unit_test_setup_teardown(
		a_denied_program_is_hidden_whenever_it_comes, set_up_policy,
		tear_down_policy),
	    cmocka_unit_test_setup_teardown(
		a_denied_program_is_hidden_where_a_link_leads_to_it,
		set_up_policy, tear_down_policy),
	    cmocka_unit_test_setup_teardown(
		a_denied_program_is_hidden_when_it_comes_after_an_answer,
		set_up_policy, tear_down_policy),
	    cmocka_unit_test_setup_teardown(
		a_denied_program_is_hidden_behind_links, set_up_policy,
		tear_down_policy),
	    cmocka_unit_test_setup_teardown(
		a_link_with_a_denied_name_does_not_hide_what_it_leads_to,
		set_up_policy, tear_down_policy),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
