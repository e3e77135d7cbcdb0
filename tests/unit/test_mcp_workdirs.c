/* SPDX-License-Identifier: Apache-2.0 */

/* Sessions: what is saved under a name. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "mcp/runs/workdirs.h"

static struct w_mcp server;

static int
set_up(void **state)
{
	(void)state;
	server = (struct w_mcp){.cwd = "/usr"};
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	w_workdirs_free(&server);
	return 0;
}

static writ_draft *
draft_with(const char *variable)
{
	writ_draft *draft = NULL;

	assert_int_equal(writ_draft_new(&draft, NULL), WRIT_OK);
	if (variable != NULL)
		assert_int_equal(
		    writ_draft_set(draft, "env", variable, NULL), WRIT_OK);
	return draft;
}

/* Starts a run in that directory. */
static void
run_in(const char *name, const char *cwd, const char *variable)
{
	writ_draft *draft = draft_with(variable);

	assert_int_equal(
	    w_workdir_apply(&server, name, cwd, draft, NULL), WRIT_OK);
	w_workdir_save(&server, name, writ_draft_request(draft));
	writ_draft_free(draft);
}

static void
check(const char *name, const char *cwd, const char *wanted)
{
	writ_draft *draft = draft_with(NULL);

	assert_int_equal(
	    w_workdir_apply(&server, name, cwd, draft, NULL), WRIT_OK);
	assert_string_equal(writ_draft_request(draft)->cwd, wanted);
	writ_draft_free(draft);
}

static void
without_a_name_everything_starts_at_the_servers_place(void **state)
{
	(void)state;
	check(NULL, NULL, "/usr");
	check(NULL, "lib", "/usr/lib");
	check(NULL, "/etc", "/etc");
	assert_null(server.workdirs);
}

static void
a_name_stays_where_its_last_run_started(void **state)
{
	(void)state;
	check("a", NULL, "/usr");
	run_in("a", "share", NULL);
	check("a", NULL, "/usr/share");
	check("a", "doc", "/usr/share/doc");
	check("b", NULL, "/usr");
	run_in("a", "../bin/..", NULL);
	check("a", NULL, "/usr");
}

static void
variables_are_merged_and_the_last_word_counts(void **state)
{
	writ_draft *draft = draft_with("B=new");
	const char *const *env;
	size_t count = 0;

	(void)state;
	run_in("a", NULL, "A=1");
	run_in("a", NULL, "B=old");
	assert_int_equal(
	    w_workdir_apply(&server, "a", NULL, draft, NULL), WRIT_OK);
	env = writ_draft_request(draft)->env;
	for (; env[count] != NULL; count++)
		assert_true(strcmp(env[count], "A=1") == 0 ||
			    strcmp(env[count], "B=new") == 0);
	assert_int_equal(count, 2);
	writ_draft_free(draft);
}

static void
a_name_is_plain(void **state)
{
	static const char *const bad[] = {"", "a b", "a/b", "\xc3\xa9", "a\n",
	    ("1234567890123456789012345678901234567890123456789012345678901234"
	     "5")};
	writ_draft *draft = draft_with(NULL);
	writ_error err;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(
		    w_workdir_apply(&server, bad[i], NULL, draft, &err),
		    WRIT_E_INVALID);
		assert_string_not_equal(err.suggestion, "");
	}
	writ_draft_free(draft);
}

static void
the_least_recently_used_name_goes(void **state)
{
	char name[16];

	(void)state;
	run_in("old", "share", NULL);
	run_in("kept", "share", NULL);
	for (int i = 0; i < 62; i++) {
		(void)snprintf(name, sizeof(name), "n%d", i);
		run_in(name, "bin", NULL);
	}
	run_in("kept", NULL, NULL);
	run_in("one-more", "bin", NULL);
	check("kept", NULL, "/usr/share");
	check("old", NULL, "/usr");
	check("n0", NULL, "/usr/bin");
}

static void
variables_have_a_bound(void **state)
{
	static char variable[50000] = "A=";
	writ_draft *draft;
	writ_error err;

	(void)state;
	memset(variable + 2, 'x', sizeof(variable) - 3);
	run_in("a", NULL, variable);
	variable[0] = 'B';
	draft = draft_with(variable);
	assert_int_equal(
	    w_workdir_apply(&server, "a", NULL, draft, &err), WRIT_E_INVALID);
	assert_int_equal(
	    w_workdir_apply(&server, NULL, NULL, draft, &err), WRIT_OK);
	writ_draft_free(draft);
}

int
main(void)
{
#define ROW(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
	    ROW(without_a_name_everything_starts_at_the_servers_place),
	    ROW(a_name_stays_where_its_last_run_started),
	    ROW(variables_are_merged_and_the_last_word_counts),
	    ROW(a_name_is_plain),
	    ROW(the_least_recently_used_name_goes),
	    ROW(variables_have_a_bound),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
