/* SPDX-License-Identifier: Apache-2.0 */

/* Which names are triggers, and where in a path. */

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include "trigger/trigger.h"

#include <cmocka.h>

static void
a_name_may_need_its_directory(void **state)
{
	(void)state;
	assert_non_null(w_trigger_why("", ".envrc"));
	assert_non_null(w_trigger_why("anything", ".envrc"));
	assert_non_null(w_trigger_why(".github", "workflows"));
	assert_null(w_trigger_why("", "workflows"));
	assert_null(w_trigger_why("", "Makefile"));
	assert_null(w_trigger_why("", ".envrc2"));
	assert_null(w_trigger_why("", ""));
}

static void
the_first_name_in_a_path_is_found(void **state)
{
	static const struct {
		const char *path;
		const char *rest; /* NULL: none */
	} rows[] = {
	    {"/p/.envrc", ".envrc"},
	    {"/p/.git/hooks/x", ".git/hooks/x"},
	    {"/p/a/.github/workflows/x.yml", "workflows/x.yml"},
	    {"/p/a/.github/README", NULL},
	    {"/p/a/b.c", NULL},
	    {"/", NULL},
	    {"", NULL},
	};
	char dir[NAME_MAX + 8];

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *rest = w_trigger_in_path(rows[i].path);

		if (rows[i].rest == NULL)
			assert_null(rest);
		else
			assert_string_equal(rest, rows[i].rest);
	}
	/* A name too long for any file system counts as one. */
	memset(dir, 'x', sizeof(dir));
	dir[0] = '/';
	dir[sizeof(dir) - 1] = '\0';
	assert_non_null(w_trigger_in_path(dir));
}

static void
a_project_is_around_its_triggers(void **state)
{
	char project[PATH_MAX];

	(void)state;
	w_trigger_project("/nowhere/p/.vscode/x", true, project);
	assert_string_equal(project, "/nowhere/p");
	w_trigger_project("/nowhere/p/.envrc", false, project);
	assert_string_equal(project, "/nowhere/p");
	w_trigger_project("/nowhere/p/a.c", false, project);
	assert_string_equal(project, "/nowhere/p");
	w_trigger_project("/nowhere/p", true, project);
	assert_string_equal(project, "/nowhere/p");
	w_trigger_project("/.envrc", false, project);
	assert_string_equal(project, "/");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_name_may_need_its_directory),
	    cmocka_unit_test(the_first_name_in_a_path_is_found),
	    cmocka_unit_test(a_project_is_around_its_triggers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
