/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Runs of a client while each allocation fails in turn. Whatever is missing,
 * a call is answered at most once, nothing stays alive, and what is said is
 * JSON.
 */

#include <errno.h>
#include <poll.h>
#include <stdio.h>

#include "../unit/mcp_pair.h"

#include "../unit/leftovers.h"
#include "../unit/own_state.h"
#include "../unit/sampling.h"
#include "inject.h"
#include "mcp/runs/run_table.h"
#include "mcp/tools/tool.h"

enum {
	CALLS = 6,
	TURNS_MAX = 1000,
	TURN_MS = 10,
	ROOM = 256 * 1024,
};

static void
call_tool(struct w_rpc_request *rpc_request)
{
	static const struct w_tool *const tools[] = {
	    &w_tool_exec, &w_tool_run_read, &w_tool_run_kill, &w_tool_run_list};
	yyjson_val *name = yyjson_obj_get(rpc_request->params, "name");

	for (size_t i = 0; i < sizeof(tools) / sizeof(tools[0]); i++) {
		if (yyjson_equals_str(name, tools[i]->name)) {
			tools[i]->call(rpc_request,
			    yyjson_obj_get(rpc_request->params, "arguments"));
			return;
		}
	}
}

static const struct w_method methods[] = {
    {"initialize", W_MCP_WITH_HANDSHAKE, w_method_initialize},
    {"tools/call", W_MCP_ANY_VERSION, call_tool},
    {NULL, 0, NULL},
};

static void
take(struct talk *talk, int id, const char *tool, const char *arguments)
{
	char text[512];

	(void)snprintf(text, sizeof(text),
	    "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/call\","
	    "\"params\":{\"name\":\"%s\",\"arguments\":{%s}}}",
	    id, tool, arguments);
	w_connection_receive(&talk->connection, text, strlen(text));
}

static void
turn_while_busy(struct talk *talk)
{
	for (int i = 0; i < TURNS_MAX && talk->connection.rpc_requests != NULL;
	     i++) {
		struct pollfd fds[W_MCP_FDS];

		w_mcp_fds(talk->server, fds);
		(void)poll(fds, W_MCP_FDS, TURN_MS);
		(void)w_mcp_dispatch(talk->server, NULL);
	}
	assert_null(talk->connection.rpc_requests);
}

static void
converse(struct talk *talk)
{
	static const char key[] = "\"run_id\":\"";
	char arguments[96] = "\"run_id\":\"none\"";

	take(talk, 1, "exec",
	    "\"argv\":[\"sh\",\"-c\",\"echo x; sleep 60\"],\"yield_ms\":0,"
	    "\"session\":\"s\",\"env\":{\"A\":\"1\"}");
	turn_while_busy(talk);
	const char *found = strstr(talk->said.data, key);
	if (found != NULL)
		(void)snprintf(arguments, sizeof(arguments), "%.36s\"", found);
	take(talk, 2, "run_read", arguments);
	turn_while_busy(talk);
	take(talk, 3, "run_list", "");
	take(talk, 4, "run_kill", arguments);
	turn_while_busy(talk);
	take(talk, 5, "exec",
	    "\"argv\":[\"seq\",\"1\",\"3000\"],\"max_bytes\":100,"
	    "\"session\":\"s\"");
	turn_while_busy(talk);
}

static void
check_said(const struct talk *talk)
{
	size_t answers[CALLS] = {0};

	for (const char *line = talk->said.data; *line != '\0';) {
		const size_t len = strcspn(line, "\n");
		yyjson_doc *doc = yyjson_read(line, len, 0);
		const uint64_t id = yyjson_get_uint(
		    yyjson_obj_get(yyjson_doc_get_root(doc), "id"));

		if (doc == NULL)
			fail_msg("no JSON: %s", line);
		if (id < CALLS)
			answers[id]++;
		yyjson_doc_free(doc);
		line += len + 1;
	}
	for (size_t i = 1; i < CALLS; i++)
		assert_true(answers[i] <= 1);
}

/* The fixture's own memory does not fail. */
static void
open_with_room(struct talk *talk)
{
	talk_open(talk);
	talk->server->methods = methods;
	greet(talk, "2025-11-25");
	char *room = realloc(talk->said.data, ROOM);
	assert_non_null(room);
	talk->said.data = room;
	talk->said.cap = ROOM;
}

static void
each_allocation_may_fail(void **state)
{
	(void)state;
	bool was_refused = true;

	for (unsigned first = 1 + sample_begin(); was_refused;
	     first += sample_step()) {
		struct talk talk;

		open_with_room(&talk);
		inject_arm("allocation", first, 1, ENOMEM);
		converse(&talk);
		was_refused = inject_disarm();
		check_said(&talk);
		talk_close(&talk);
		assert_false(has_child());
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(each_allocation_may_fail),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
