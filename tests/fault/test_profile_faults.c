/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>

#include "../unit/leftovers.h"
#include "../unit/temp.h"
#include "inject.h"
#include "sandbox/profile/profile.h"
#include "sandbox/profile/resolved_profile.h"

/*
 * Every allocation and every call of finding a profile and resolving it fails
 * once. It fails with words or comes to the same answer: never to one that
 * shows or lets more. What leaks is found by the address sanitizer.
 */

enum {
	TRIES_MAX = 2000
};

static struct temp temp;
static char cwd[300], home[300], dir[300];

static int
set_up(void **state)
{
	(void)temp_begin(&temp, state);
	temp_dir(&temp, "home");
	temp_dir(&temp, "home/.ssh");
	temp_dir(&temp, "home/project");
	temp_dir(&temp, "home/project/.git");
	temp_dir(&temp, "home/project/.git/hooks");
	temp_dir(&temp, "profiles");
	temp_file(&temp, "profiles/base.yaml", 0600,
	    "extends: workspace\nhide: [~/other]\nprotect: [keep]\n");
	temp_file(&temp, "profiles/top.yaml", 0600,
	    "description: x\nextends: base\nnetwork: loopback\n"
	    "read: [~/project/./.git]\nlimits: {memory: 1GiB, cpu: 1s}\n");
	(void)snprintf(cwd, sizeof(cwd), "%s/home/project", temp.path);
	(void)snprintf(home, sizeof(home), "%s/home", temp.path);
	(void)snprintf(dir, sizeof(dir), "%s/profiles", temp.path);
	return 0;
}

static writ_status
resolve(struct w_resolved_profile *resolved, writ_error *err)
{
	const char *const dirs[] = {dir, NULL};
	const struct w_profile_context context = {
	    .cwd = cwd, .home = home, .state_dir = "/nonexistent/state"};
	struct w_profile profile;
	writ_status status = w_profile_find("top", dirs, &profile, err);

	if (status != WRIT_OK)
		return status;
	status = w_profile_resolve(&profile, &context, resolved, err);
	w_profile_done(&profile);
	return status;
}

/* Each call of the function fails once, until none is left to fail. */
static void
fail_each(const char *function, int error)
{
	unsigned n = 1;
	bool was_refused = true;

	for (; was_refused && n < TRIES_MAX; n++) {
		struct w_resolved_profile resolved = {.profile = NULL};
		writ_error err = {.message = ""};
		int fds = count_fds();

		inject_arm(function, n, 1, error);
		writ_status status = resolve(&resolved, &err);
		was_refused = inject_disarm();
		assert_int_equal(count_fds(), fds);
		if (status != WRIT_OK) {
			assert_true(err.message[0] != '\0');
			assert_null(resolved.profile);
			continue;
		}
		assert_false(w_resolved_profile_allows(
		    &resolved, temp_path(&temp, "home/.ssh/id"), W_MAY_READ));
		assert_false(w_resolved_profile_allows(&resolved,
		    temp_path(&temp, "home/project/.git/hooks/x"),
		    W_MAY_WRITE));
		w_resolved_profile_done(&resolved);
	}
	assert_true(n > 1 && n < TRIES_MAX);
}

static void
a_failed_allocation_never_widens_a_sandbox(void **state)
{
	(void)state;
	fail_each("allocation", ENOMEM);
}

static void
a_failed_call_never_widens_a_sandbox(void **state)
{
	(void)state;
	fail_each("syscall", EIO);
	fail_each("syscall", EMFILE);
	fail_each("open", EMFILE);
	fail_each("read", EIO);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(
		a_failed_allocation_never_widens_a_sandbox, set_up,
		temp_tear_down),
	    cmocka_unit_test_setup_teardown(
		a_failed_call_never_widens_a_sandbox, set_up, temp_tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
