/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What a bash left behind. Whatever the bytes are: the directory is absolute
 * and one line, each variable is a name, an equals sign and plain text, none of
 * them is PATH or loads code, and what was refused left nothing.
 */

#include "check.h"

#include "run/resolve/environ.h"
#include "run/result/left_state.h"

static char same[] = "SAME=1";
static char *const before[] = {same, NULL};

static bool
is_risky(const char *name)
{
	return name[0] == 'R';
}

static void
check_variable(const char *variable)
{
	const char *equals = strchr(variable, '=');
	char name[256];

	CHECK(equals != NULL && equals > variable &&
	      (size_t)(equals - variable) < sizeof(name));
	memcpy(name, variable, (size_t)(equals - variable));
	name[equals - variable] = '\0';
	CHECK(!w_environ_runs_code(name));
	CHECK(!is_risky(name));
	CHECK(strcmp(name, "PATH") != 0 && strcmp(name, "HOME") != 0);
	CHECK(strcmp(variable, same) != 0);
	for (const char *at = equals + 1; *at != '\0'; at++)
		CHECK((unsigned char)*at >= ' ' && *at != 0x7f);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct w_left_state state = {.cwd = NULL};

	if (!w_left_state_read(
		(const char *)data, size, before, is_risky, &state)) {
		CHECK(state.cwd == NULL && state.env.count == 0);
		return 0;
	}
	CHECK(state.cwd[0] == '/' && strchr(state.cwd, '\n') == NULL);
	CHECK(state.env.count <= W_LEFT_STATE_VARIABLES);
	for (size_t i = 0; i < state.env.count; i++)
		check_variable(state.env.items[i]);
	w_left_state_done(&state);
	return 0;
}
