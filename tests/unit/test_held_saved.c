/* SPDX-License-Identifier: Apache-2.0 */

/* What is saved for the next run of a session, read as hostile bytes. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>
#include <unistd.h>

#include "run/held/held_saved.h"
#include "run/helper/holder_protocol.h"

static bool
is_risky(const char *name)
{
	return strcmp(name, "CDPATH") == 0;
}

#define READ(text, state) \
	w_held_saved_read(text, sizeof(text) - 1, is_risky, state)

static void
a_directory_and_variables_are_read(void **unused)
{
	struct w_left_state state = {.cwd = NULL};

	(void)unused;
	assert_true(READ("/srv/a b\0A=1\0B=x=y\0", &state));
	assert_string_equal(state.cwd, "/srv/a b");
	assert_int_equal(state.env.count, 2);
	assert_string_equal(state.env.items[1], "B=x=y");
	w_left_state_done(&state);
}

static void
anything_else_is_refused(void **unused)
{
	struct w_left_state state = {.cwd = NULL};
	static char large[W_HOLDER_SAVED_MAX + 1];

	(void)unused;
	assert_false(READ("", &state));
	assert_false(READ("/srv", &state));
	assert_false(READ("srv\0", &state));
	assert_false(READ("/srv\0A=1", &state));
	assert_false(READ("/srv\0A\0", &state));
	assert_false(READ("/srv\0=1\0", &state));
	assert_false(READ("/srv\0A=1\nB=2\0", &state));
	assert_false(READ("/sr\033v\0", &state));
	assert_false(READ("/srv\0PATH=/x\0", &state));
	assert_false(READ("/srv\0LD_PRELOAD=/x\0", &state));
	assert_false(READ("/srv\0CDPATH=/x\0", &state));
	memset(large, 'a', sizeof(large) - 1);
	large[0] = '/';
	assert_false(w_held_saved_read(large, sizeof(large), is_risky, &state));
	assert_null(state.cwd);
	assert_int_equal(state.env.count, 0);
}

static void
what_a_shell_leaves_replaces_and_the_rest_stays(void **unused)
{
	static const char *const first[] = {"A=1", "B=2", NULL};
	static const char *const second[] = {"B=3", "C=4", NULL};
	struct w_left_state state = {.cwd = NULL};

	(void)unused;
	assert_true(w_held_saved_merge(&state, "/a", first));
	assert_true(w_held_saved_merge(&state, "/b", second));
	assert_string_equal(state.cwd, "/b");
	assert_int_equal(state.env.count, 3);
	assert_string_equal(state.env.items[0], "B=3");
	assert_string_equal(state.env.items[2], "A=1");
	assert_true(w_held_saved_merge(&state, "/c", NULL));
	assert_int_equal(state.env.count, 3);

	struct w_left_state again = {.cwd = NULL};
	char bytes[256];
	const int fd = w_held_saved_write(&state);
	assert_true(fd >= 0);
	const ssize_t len = pread(fd, bytes, sizeof(bytes), 0);
	assert_true(len > 0);
	assert_int_equal(pwrite(fd, "x", 1, 0), -1);
	assert_true(w_held_saved_read(bytes, (size_t)len, is_risky, &again));
	assert_string_equal(again.cwd, "/c");
	assert_int_equal(again.env.count, 3);
	(void)close(fd);
	w_left_state_done(&again);
	w_left_state_done(&state);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_directory_and_variables_are_read),
	    cmocka_unit_test(anything_else_is_refused),
	    cmocka_unit_test(what_a_shell_leaves_replaces_and_the_rest_stays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
