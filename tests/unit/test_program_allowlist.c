/* SPDX-License-Identifier: Apache-2.0 */

/* The paths that a list of programs expands to. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <limits.h>

#include "confining.h"

static char real_sh[PATH_MAX];

static void
fence_in(enum w_walls walls, const char *const *programs,
    const char *const *helpers, struct w_resolved_profile *out)
{
	const struct w_restriction restriction = {
	    .has_execute = true, .execute = programs, .helpers = helpers};
	struct w_profile_context context = context_here();
	struct w_profile profile = builtin(walls);

	context.restriction = &restriction;
	resolve_with(&profile, &context, out);
	w_profile_done(&profile);
}

static bool
may(const struct w_resolved_profile *resolved, const char *path, unsigned what)
{
	return w_resolved_profile_allows(resolved, path, what);
}

static void
an_empty_list_lets_nothing_be_executed(void **state)
{
	static const char *const none[] = {NULL};
	struct w_resolved_profile resolved;

	(void)state;
	for (int w = W_WALLS_READONLY; w <= W_WALLS_STRICT; w++) {
		fence_in((enum w_walls)w, none, NULL, &resolved);
		assert_true(resolved.has_allowlist);
		assert_false(may(&resolved, real_sh, W_MAY_EXECUTE));
		assert_false(may(&resolved, real_sh, W_MAY_READ));
		assert_false(may(&resolved, cwd, W_MAY_EXECUTE));
		assert_true(may(&resolved, "/etc/passwd", W_MAY_READ));
		w_resolved_profile_done(&resolved);
		fence_in((enum w_walls)w, NULL, NULL, &resolved);
		assert_false(may(&resolved, real_sh, W_MAY_EXECUTE));
		w_resolved_profile_done(&resolved);
	}
}

static void
a_program_comes_with_its_loader_and_libraries(void **state)
{
	const char *const programs[] = {real_sh, NULL};
	struct w_resolved_profile resolved;
	size_t executable = 0, mapped = 0;

	(void)state;
	fence_in(W_WALLS_WORKSPACE, programs, NULL, &resolved);
	assert_true(may(&resolved, real_sh, W_MAY_READ | W_MAY_EXECUTE));
	assert_false(may(&resolved, "/usr/bin/env", W_MAY_READ));
	for (size_t i = 0; i < resolved.grants.count; i++) {
		const struct w_real_path *grant = &resolved.grants.items[i];

		executable += (grant->may & W_MAY_EXECUTE) != 0;
		mapped += (grant->may & W_MAY_MAP) != 0 && grant->is_dir;
		if ((grant->may & W_MAY_EXECUTE) != 0)
			assert_false(grant->is_dir);
		assert_true((grant->may & (W_MAY_MAP | W_MAY_WRITE)) !=
			    (W_MAY_MAP | W_MAY_WRITE));
	}
	/* The shell and its loader; only itself if it is static. */
	assert_in_range(executable, 1, 2);
	assert_true(mapped >= executable);
	w_resolved_profile_done(&resolved);
}

static void
what_is_not_there_or_not_allowed_is_left_out(void **state)
{
	const char *const programs[] = {"/nowhere/at/all", "relative",
	    temp_path(&temp, "other/file"), "/dev/null", NULL};
	struct w_resolved_profile resolved;

	(void)state;
	fence_in(W_WALLS_STRICT, programs, NULL, &resolved);
	for (size_t i = 0; i < resolved.grants.count; i++)
		assert_int_equal(
		    resolved.grants.items[i].may & W_MAY_EXECUTE, 0);
	w_resolved_profile_done(&resolved);
}

static void
a_profile_that_lists_programs_is_not_widened(void **state)
{
	const char *const programs[] = {real_sh, NULL};
	const struct w_restriction restriction = {
	    .has_execute = true, .execute = programs};
	struct w_profile_context context = context_here();
	struct w_profile profile = builtin(W_WALLS_WORKSPACE);
	struct w_resolved_profile resolved;

	(void)state;
	add(&profile.execute, "/etc/hostname");
	context.restriction = &restriction;
	resolve_with(&profile, &context, &resolved);
	assert_false(may(&resolved, real_sh, W_MAY_EXECUTE));
	w_resolved_profile_done(&resolved);
	w_profile_done(&profile);
}

static void
a_listed_file_of_the_workspace_is_guarded(void **state)
{
	char tool[400];
	const char *const programs[] = {tool, NULL};
	struct w_resolved_profile resolved;

	(void)state;
	temp_file(&temp, "home/project/tool", 0755, "#!/bin/sh\n");
	(void)snprintf(tool, sizeof(tool), "%s/tool", cwd);
	fence_in(W_WALLS_WORKSPACE, programs, NULL, &resolved);
	assert_non_null(find(&resolved.guarded, tool));
	assert_true(may(&resolved, tool, W_MAY_READ | W_MAY_EXECUTE));
	assert_false(may(&resolved, tool, W_MAY_WRITE));
	assert_true(may(&resolved, cwd, W_MAY_WRITE));
	/* Its interpreter was added. */
	assert_true(may(&resolved, real_sh, W_MAY_EXECUTE));
	w_resolved_profile_done(&resolved);
}

static void
a_listed_file_with_a_second_name_is_no_program(void **state)
{
	char tool[400];
	const char *const programs[] = {tool, NULL};
	struct w_resolved_profile resolved;

	(void)state;
	temp_file(&temp, "home/project/tool", 0755, "#!/bin/sh\n");
	(void)snprintf(tool, sizeof(tool), "%s/tool", cwd);
	assert_int_equal(
	    link(tool, temp_path(&temp, "home/project/second")), 0);
	fence_in(W_WALLS_WORKSPACE, programs, NULL, &resolved);
	assert_false(may(&resolved, tool, W_MAY_EXECUTE));
	w_resolved_profile_done(&resolved);
	/* If nothing is writable it cannot be changed by any name. */
	fence_in(W_WALLS_READONLY, programs, NULL, &resolved);
	assert_true(may(&resolved, tool, W_MAY_EXECUTE));
	w_resolved_profile_done(&resolved);
}

static void
helpers_may_be_directories(void **state)
{
	const char *const programs[] = {real_sh, NULL};
	const char *const helpers[] = {temp_path(&temp, "other"), NULL};
	struct w_resolved_profile resolved;

	(void)state;
	fence_in(W_WALLS_WORKSPACE, programs, helpers, &resolved);
	assert_true(may(&resolved, temp_path(&temp, "other/file"),
	    W_MAY_READ | W_MAY_EXECUTE));
	w_resolved_profile_done(&resolved);
}

static void
programs_at_home_are_out_of_sight_unless_listed(void **state)
{
	char tool[400];
	const char *const none[] = {NULL};
	const char *const programs[] = {tool, NULL};
	struct w_resolved_profile resolved;

	(void)state;
	temp_dir(&temp, "home/.local");
	temp_dir(&temp, "home/.local/bin");
	temp_file(&temp, "home/.local/bin/tool", 0755, "#!/bin/sh\n");
	temp_file(&temp, "home/.local/bin/other", 0755, "#!/bin/sh\n");
	(void)snprintf(tool, sizeof(tool), "%s/.local/bin/tool", home);
	fence_in(W_WALLS_WORKSPACE, none, NULL, &resolved);
	assert_false(may(&resolved, tool, W_MAY_READ));
	w_resolved_profile_done(&resolved);
	fence_in(W_WALLS_WORKSPACE, programs, NULL, &resolved);
	assert_true(may(&resolved, tool, W_MAY_READ | W_MAY_EXECUTE));
	assert_false(may(
	    &resolved, temp_path(&temp, "home/.local/bin/other"), W_MAY_READ));
	w_resolved_profile_done(&resolved);
}

static void
a_directory_of_programs_is_closed_around_a_listed_one(void **state)
{
	char tool[400], lib[400];
	const char *const programs[] = {tool, NULL};
	struct w_resolved_profile resolved;

	(void)state;
	temp_dir(&temp, "other/bin");
	temp_dir(&temp, "other/lib");
	temp_file(&temp, "other/bin/tool", 0755, "#!/bin/sh\n");
	temp_file(&temp, "other/bin/another", 0755, "#!/bin/sh\n");
	(void)snprintf(tool, sizeof(tool), "%s/other/bin/tool", temp.path);
	(void)snprintf(lib, sizeof(lib), "%s/other/lib", temp.path);
	fence_in(W_WALLS_WORKSPACE, programs, NULL, &resolved);
	assert_true(may(&resolved, tool, W_MAY_READ | W_MAY_EXECUTE));
	assert_false(
	    may(&resolved, temp_path(&temp, "other/bin/another"), W_MAY_READ));
	assert_true(may(&resolved, temp_path(&temp, "other/file"), W_MAY_READ));
	/* Its libraries are beside it. */
	assert_true(may(&resolved, lib, W_MAY_READ | W_MAY_MAP));
	w_resolved_profile_done(&resolved);
}

static void
walls_that_are_not_there_hold_nothing(void **state)
{
	static const char *const none[] = {NULL};
	struct w_resolved_profile resolved;

	(void)state;
	fence_in(W_WALLS_ENV, none, NULL, &resolved);
	assert_false(resolved.has_allowlist);
	assert_true(may(&resolved, real_sh, W_MAY_EXECUTE));
	w_resolved_profile_done(&resolved);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    CASE(an_empty_list_lets_nothing_be_executed),
	    CASE(a_program_comes_with_its_loader_and_libraries),
	    CASE(what_is_not_there_or_not_allowed_is_left_out),
	    CASE(a_profile_that_lists_programs_is_not_widened),
	    CASE(a_listed_file_of_the_workspace_is_guarded),
	    CASE(a_listed_file_with_a_second_name_is_no_program),
	    CASE(helpers_may_be_directories),
	    CASE(programs_at_home_are_out_of_sight_unless_listed),
	    CASE(a_directory_of_programs_is_closed_around_a_listed_one),
	    CASE(walls_that_are_not_there_hold_nothing),
	};

	if (realpath("/bin/sh", real_sh) == NULL)
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
