/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "inject.h"
#include "sandbox/profile/resolved_profile.h"

/*
 * Every allocation of a confinement that a decision narrows fails once: then
 * there is none, never one with a wall missing.
 */

static const char *const writes[] = {"/usr/share", NULL};
static const char *const programs[] = {"/bin/sh", "/usr/bin/env", NULL};
static const char *const helpers[] = {"/usr/share", NULL};

/* How many places there are; 0: refused, as it should be. */
static size_t
resolve(
    const struct w_profile *profile, const struct w_restriction *restriction)
{
	const struct w_profile_context context = {
	    .cwd = "/usr", .home = "/nonexistent", .restriction = restriction};
	struct w_resolved_profile resolved = {.profile = NULL};
	writ_error err = {.message = ""};

	writ_status status =
	    w_profile_resolve(profile, &context, &resolved, &err);
	if (status != WRIT_OK) {
		assert_null(resolved.profile);
		assert_true(err.message[0] != '\0');
		return 0;
	}
	const size_t count = resolved.grants.count + resolved.hidden.count +
			     resolved.guarded.count + resolved.closed.count;
	w_resolved_profile_done(&resolved);
	return count;
}

static void
fail_each(enum w_walls walls, const struct w_restriction *restriction)
{
	struct w_profile profile;
	bool was_refused = true;

	assert_int_equal(w_profile_builtin(walls, &profile, NULL), WRIT_OK);
	const size_t whole = resolve(&profile, restriction);
	assert_true(whole > 0);
	for (unsigned i = 1; was_refused; i++) {
		inject_arm("allocation", i, 1, ENOMEM);
		const size_t count = resolve(&profile, restriction);
		was_refused = inject_disarm();
		/* Some of it only makes looking faster. */
		if (count != 0 || !was_refused)
			assert_int_equal(count, whole);
		assert_true(i < 10000);
	}
	w_profile_done(&profile);
}

static void
less_to_write(void **state)
{
	const struct w_restriction restriction = {
	    .has_write = true, .write = writes};

	(void)state;
	fail_each(W_WALLS_WORKSPACE, &restriction);
	fail_each(W_WALLS_STRICT, &restriction);
}

static void
only_some_programs(void **state)
{
	const struct w_restriction restriction = {
	    .has_execute = true, .execute = programs, .helpers = helpers};

	(void)state;
	fail_each(W_WALLS_READONLY, &restriction);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(less_to_write),
	    cmocka_unit_test(only_some_programs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
