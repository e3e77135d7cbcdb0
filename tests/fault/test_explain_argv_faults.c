/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <writ/module.h>

#include "../unit/module_dir.h"
#include "inject.h"

/*
 * Every allocation fails once while a command is explained, from finding the
 * descriptions on. What comes out is an error or the same explanation: never
 * one that knows less.
 */

static struct temp temp;

static int
set_up(void **state)
{
	int status = module_begin(&temp, state);

	module_put_text(&temp, "mods/shorten.command.yaml",
	    "command: shorten\n"
	    "options:\n"
	    "  -o, --output <path:write>: where\n"
	    "operands:\n"
	    "  file* <path:read>: what\n"
	    "effects: []\n");
	module_settle();
	return status;
}

static writ_status
explain(const char *const *argv, char **out_json, writ_error *err)
{
	const char *dirs[] = {temp_path(&temp, "mods"), NULL};
	writ_modules_options options = WRIT_MODULES_OPTIONS_INIT;
	writ_explain_options how = WRIT_EXPLAIN_OPTIONS_INIT;
	writ_modules *modules = NULL;
	size_t len = 0;

	options.dirs = dirs;
	options.no_project = true;
	options.no_cache = true;
	writ_status status = writ_modules_new(&options, &modules, err);
	if (status != WRIT_OK)
		return status;
	how.argv = argv;
	status = writ_explain(modules, &how, out_json, &len, err);
	writ_modules_free(modules);
	return status;
}

static void
fail_each(const char *const *argv)
{
	writ_error err = {0};
	char *good = NULL;
	size_t hit_count = 0;
	bool was_hit = true;

	assert_int_equal(explain(argv, &good, &err), WRIT_OK);
	assert_non_null(strstr(good, "\"understood\":true"));
	for (unsigned nth = 1; was_hit; nth++) {
		char *json = NULL;

		inject_arm("allocation", nth, 1, ENOMEM);
		writ_status status = explain(argv, &json, &err);
		was_hit = inject_disarm();
		hit_count += was_hit;
		if (status == WRIT_OK)
			assert_string_equal(json, good);
		else
			assert_int_equal(status, WRIT_E_NOMEM);
		free(json);
	}
	assert_true(hit_count > 20);
	free(good);
}

static void
what_is_built_in_is_explained_whole_or_not_at_all(void **state)
{
	static const char *const argv[] = {
	    "env", "-i", "A=1", "sh", "-c", "cat a | tee b; rm c", NULL};

	(void)state;
	fail_each(argv);
}

static void
so_is_what_a_file_describes(void **state)
{
	static const char *const argv[] = {
	    "timeout", "5", "shorten", "-o", "out", "in", NULL};

	(void)state;
	fail_each(argv);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, temp_tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(what_is_built_in_is_explained_whole_or_not_at_all),
	    TEST(so_is_what_a_file_describes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
