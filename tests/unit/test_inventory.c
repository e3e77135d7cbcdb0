/* SPDX-License-Identifier: Apache-2.0 */

#include "engine/policies/inspection.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "own_state.h"

static struct w_inventory world;
static struct w_lint_source source;
static writ_config *config;

static int
open_world(void **state)
{
	(void)state;
	/* Nothing of this machine is read or written. */
	if (setenv("WRIT_CONFIG_DIR", own_state, 1) != 0 ||
	    setenv("WRIT_SYSTEM_DIR", own_state, 1) != 0 ||
	    setenv("WRIT_CACHE_DIR", own_state, 1) != 0)
		return -1;
	if (setenv("PATH", "/usr/bin:/bin::relative", 1) != 0 ||
	    w_config_new_lenient(&config, NULL) != WRIT_OK)
		return -1;
	w_inventory_init(&world, config);
	source = w_inventory_lint_source(&world);
	return 0;
}

static int
close_world(void **state)
{
	(void)state;
	w_inventory_done(&world);
	writ_config_free(config);
	return 0;
}

static void
programs_of_path_are_there(void **state)
{
	(void)state;
	assert_true(source.has_program(source.ctx, "sh"));
	assert_true(source.has_program(source.ctx, "/bin/sh"));
	assert_false(source.has_program(source.ctx, "no-such-program-x"));
	assert_false(source.has_program(source.ctx, "/no/such/program"));
}

static void
a_program_that_is_described_need_not_be_installed(void **state)
{
	struct w_inventory empty;

	(void)state;
	w_inventory_init(&empty, config);
	empty.path_list = "/no/such/directory";
	const struct w_lint_source asked = w_inventory_lint_source(&empty);
	assert_true(asked.has_program(asked.ctx, "git"));
	assert_false(asked.has_program(asked.ctx, "no-such-program-x"));
	assert_null(asked.nearest_program(asked.ctx, "gti"));
	w_inventory_done(&empty);
}

static void
a_typo_has_a_nearest_name(void **state)
{
	(void)state;
	assert_string_equal(
	    source.nearest_program(source.ctx, "mkdri"), "mkdir");
	assert_null(
	    source.nearest_program(source.ctx, "nothing-is-near-to-this-name"));
}

static void
modules_are_found_by_globs(void **state)
{
	(void)state;
	assert_true(source.has_module(source.ctx, "cli.git.*"));
	assert_true(source.has_module(source.ctx, "cli.git.log"));
	assert_false(source.has_module(source.ctx, "cli.gti.*"));
	assert_string_equal(
	    source.nearest_module(source.ctx, "cli.git.lgo"), "cli.git.log");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(programs_of_path_are_there),
	    cmocka_unit_test(a_program_that_is_described_need_not_be_installed),
	    cmocka_unit_test(a_typo_has_a_nearest_name),
	    cmocka_unit_test(modules_are_found_by_globs),
	};

	return cmocka_run_group_tests(tests, open_world, close_world);
}
