/* SPDX-License-Identifier: Apache-2.0 */

/* What a bash left behind, read as hostile bytes. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "run/result/left_state.h"

static char same[] = "SAME=1", changed[] = "CHANGED=1";
static char *const before[] = {same, changed, NULL};

static bool
is_risky(const char *name)
{
	return strcmp(name, "CDPATH") == 0;
}

static bool
state_of(const char *text, struct w_left_state *state)
{
	*state = (struct w_left_state){.cwd = NULL};
	return w_left_state_read(text, strlen(text), before, is_risky, state);
}

static void
plain_variables_and_the_directory_are_taken(void **unused)
{
	struct w_left_state state;

	(void)unused;
	assert_true(
	    state_of("/srv/a b\n"
		     "declare -x A=\"one\"\n"
		     "declare -x B=\"a \\\"q\\\" \\$x \\`y\\` \\\\ z\"\n"
		     "declare -x CHANGED=\"2\"\n"
		     "declare -x EMPTY=\"\"\n"
		     "declare -x UNSET\n"
		     "declare -x SAME=\"1\"\n",
		&state));
	assert_string_equal(state.cwd, "/srv/a b");
	assert_int_equal(state.env.count, 4);
	assert_string_equal(state.env.items[0], "A=one");
	assert_string_equal(state.env.items[1], "B=a \"q\" $x `y` \\ z");
	assert_string_equal(state.env.items[2], "CHANGED=2");
	assert_string_equal(state.env.items[3], "EMPTY=");
	w_left_state_done(&state);
}

static void
other_shells_write_other_quotes(void **unused)
{
	struct w_left_state state;

	(void)unused;
	assert_true(state_of("/srv\n"
			     "export A='one two'\n"
			     "export DASH='it'\"'\"'s \\ $x \"q\"'\n"
			     "export BUSYBOX='it'\\''s'\n"
			     "export KSH=a-b/c\n"
			     "export POSIX=\"a \\\"q\\\"\"\n"
			     "export EMPTY=''\n"
			     "export NOTHING=\n"
			     "export UNSET\n"
			     "export LINES='a\nexport PAGER='\n"
			     "export CONTROL=$'a\\nb'\n"
			     "export SAME='1'\n"
			     "export PATH='/tmp'\n"
			     "export LD_PRELOAD='/tmp/x.so'\n",
	    &state));
	assert_int_equal(state.env.count, 7);
	assert_string_equal(state.env.items[0], "A=one two");
	assert_string_equal(state.env.items[1], "DASH=it's \\ $x \"q\"");
	assert_string_equal(state.env.items[2], "BUSYBOX=it's");
	assert_string_equal(state.env.items[3], "KSH=a-b/c");
	assert_string_equal(state.env.items[4], "POSIX=a \"q\"");
	assert_string_equal(state.env.items[5], "EMPTY=");
	assert_string_equal(state.env.items[6], "NOTHING=");
	w_left_state_done(&state);
}

static void
variables_that_run_code_are_left_out(void **unused)
{
	struct w_left_state state;

	(void)unused;
	assert_true(state_of("/\n"
			     "declare -x PATH=\"/tmp\"\n"
			     "declare -x HOME=\"/tmp\"\n"
			     "declare -x LD_PRELOAD=\"/tmp/x.so\"\n"
			     "declare -x BASH_ENV=\"/tmp/x\"\n"
			     "declare -x GIT_SSH_COMMAND=\"x\"\n"
			     "declare -x PYTHONPATH=\"/tmp\"\n"
			     "declare -x PAGER=\"x\"\n"
			     "declare -x CDPATH=\"/tmp\"\n"
			     "declare -x PWD=\"/tmp\"\n"
			     "declare -x SHLVL=\"2\"\n"
			     "declare -x CONTROL=$'a\\nb\\'c'\n",
	    &state));
	assert_int_equal(state.env.count, 0);
	w_left_state_done(&state);
}

static void
anything_else_refuses_the_whole(void **unused)
{
	static const char *const wrong[] = {"", "\n", "relative\n",
	    "/no-newline", "/\ndeclare -x A=\"1\"", "/\ndeclare -x A=1\n",
	    "/\ndeclare -x A=\"1\n", "/\ndeclare -x A=\"$(x)\"\n",
	    "/\ndeclare -x A=\"`x`\"\n", "/\ndeclare -x A=\"\\x\"\n",
	    "/\ndeclare -fx A\n", "/\ndeclare -x 1A=\"1\"\n",
	    "/\ndeclare -x A=\"1\"; x\n", "/\ndeclare -x A=\"1\"\n/\n",
	    "/\n\ndeclare -x A=\"1\"\n", "/a\tb\n", "/\nexport A='1",
	    "/\nexport A='1'", "/\nexport A=$x\n", "/\nexport A=1;x\n",
	    "/\nexport A=a b\n", "/\nexport A=\"$x\"\n", "/\nexport A=\\x\n",
	    "/\nexport -f a\n", "/\nexport A='1'\n\n", "/\nexport A=(1)\n",
	    "/\ndeclare -x BASH_FUNC_git%%=\"() { x; }\"\n"};
	struct w_left_state state;

	(void)unused;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		if (state_of(wrong[i], &state))
			fail_msg("taken: %s", wrong[i]);
		assert_null(state.cwd);
		assert_int_equal(state.env.count, 0);
	}
}

static void
its_size_is_limited(void **unused)
{
	char *large = malloc(W_LEFT_STATE_MAX + 2);
	struct w_left_state state = {.cwd = NULL};

	(void)unused;
	assert_non_null(large);
	memset(large, 'a', W_LEFT_STATE_MAX + 2);
	memcpy(large, "/\ndeclare -x A=\"", 16);
	large[W_LEFT_STATE_MAX - 1] = '"';
	large[W_LEFT_STATE_MAX] = '\n';
	assert_false(w_left_state_read(
	    large, W_LEFT_STATE_MAX + 1, before, is_risky, &state));
	large[W_LEFT_STATE_MAX - 2] = '"';
	large[W_LEFT_STATE_MAX - 1] = '\n';
	assert_true(w_left_state_read(
	    large, W_LEFT_STATE_MAX, before, is_risky, &state));
	w_left_state_done(&state);
	free(large);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(plain_variables_and_the_directory_are_taken),
	    cmocka_unit_test(other_shells_write_other_quotes),
	    cmocka_unit_test(variables_that_run_code_are_left_out),
	    cmocka_unit_test(anything_else_refuses_the_whole),
	    cmocka_unit_test(its_size_is_limited),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
