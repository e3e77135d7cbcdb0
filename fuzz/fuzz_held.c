/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What processes of a held session say to each other: questions, answers, the
 * charter, what is saved, and what is to be passed on. The first byte says what
 * the rest is.
 */

#include "check.h"

#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "run/held/forward_spec.h"
#include "run/held/held_charter.h"
#include "run/held/held_saved.h"
#include "run/helper/holder_protocol.h"
#include "run/resolve/environ.h"

static bool
is_risky(const char *name)
{
	return name[0] == 'R';
}

static void
check_saved(const uint8_t *data, size_t size)
{
	struct w_left_state state = {.cwd = NULL};

	if (!w_held_saved_read((const char *)data, size, is_risky, &state)) {
		CHECK(state.cwd == NULL && state.env.count == 0);
		return;
	}
	CHECK(state.cwd[0] == '/' && strchr(state.cwd, '\n') == NULL);
	CHECK(state.env.count <= W_LEFT_STATE_VARIABLES);
	for (size_t i = 0; i < state.env.count; i++) {
		const char *variable = state.env.items[i];
		const char *equals = strchr(variable, '=');

		CHECK(equals != NULL && equals > variable);
		CHECK(variable[0] != 'R' && strncmp(variable, "PATH=", 5) != 0);
	}
	w_left_state_done(&state);
}

static void
check_charter(const uint8_t *data, size_t size)
{
	static struct w_held_charter charter; /* too large for a frame */

	if (size > sizeof(charter))
		size = sizeof(charter);
	memset(&charter, 0, sizeof(charter));
	memcpy(&charter, data, size);
	/* Most of it is zeros, which need not be in the input. */
	if (!w_held_charter_is_valid(&charter, sizeof(charter), NULL))
		return;
	CHECK(w_held_is_name(charter.name));
	CHECK(strchr(charter.name, '/') == NULL && charter.name[0] != '.');
	CHECK(strlen(charter.dir) < sizeof(charter.dir));
	CHECK(charter.dir[0] == '/');
	CHECK(strlen(charter.agent) < sizeof(charter.agent));
	CHECK(!w_held_charter_is_valid(&charter, sizeof(charter), "-"));
}

static void
check_packets(const uint8_t *data, size_t size)
{
	struct w_holder_answer answer = {0};
	struct w_holder_ask ask = {0};
	const size_t fds = size > 0 ? data[0] % 20 : 0;

	if (size == sizeof(ask) + 1) {
		memcpy(&ask, data + 1, sizeof(ask));
		if (w_holder_ask_is_valid(&ask, sizeof(ask), fds))
			CHECK(fds == (ask.kind == W_HOLDER_SAVE));
	}
	if (size == sizeof(answer) + 1) {
		memcpy(&answer, data + 1, sizeof(answer));
		if (w_holder_answer_is_valid(&answer, sizeof(answer), fds))
			CHECK(fds == 0 || fds > 1 + answer.has_saved);
	}
}

static void
check_specs(const uint8_t *data, size_t size)
{
	W_AUTO_FREE char *text = strndup((const char *)data, size);
	struct w_publish_spec publish = {.port = 0};
	struct w_connect_spec connect = {.port = 0};
	writ_error err;

	CHECK(text != NULL);
	if (w_publish_spec_parse(text, &publish, &err) == WRIT_OK)
		CHECK(publish.port != 0 && publish.host_port != 0);
	if (w_connect_spec_parse(text, &connect, &err) != WRIT_OK)
		return;
	CHECK((connect.port == 0) == (connect.path[0] == '/'));
	CHECK(connect.port != 2375 && connect.port != 6000);
	CHECK(connect.port != 0 || strncmp(connect.path, "/run/", 5) == 0);
	CHECK(strstr(connect.path, "..") != connect.path + 5);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0)
		return 0;
	switch (data[0]) {
	case 's':
		check_saved(data + 1, size - 1);
		break;
	case 'f':
		check_specs(data + 1, size - 1);
		break;
	case 'c':
		check_charter(data + 1, size - 1);
		break;
	default:
		check_packets(data + 1, size - 1);
		break;
	}
	return 0;
}
