/* SPDX-License-Identifier: Apache-2.0 */

/* Runs of several clients of one server: who owns them, and when they end. */

#include <poll.h>
#include <stdio.h>

#include "mcp_pair.h"

#include "leftovers.h"
#include "mcp/runs/run_table.h"
#include "mcp/tools/tool.h"
#include "own_state.h"

enum {
	TURNS_MAX = 2000,
	TURN_MS = 10,
};

static struct w_connection second;
static char second_said[1 << 16];

static void
hear_second(void *ctx, const char *json, size_t len)
{
	(void)ctx;
	(void)snprintf(
	    second_said, sizeof(second_said), "%.*s", (int)len, json);
}

static size_t
claim_nothing(void *ctx)
{
	(void)ctx;
	return 0;
}

static void
call_tool(struct w_rpc_request *rpc_request)
{
	static const struct w_tool *const tools[] = {
	    &w_tool_exec, &w_tool_run_read, &w_tool_run_kill, &w_tool_run_list};
	const char *name =
	    yyjson_get_str(yyjson_obj_get(rpc_request->params, "name"));

	for (size_t i = 0; i < sizeof(tools) / sizeof(tools[0]); i++) {
		if (strcmp(tools[i]->name, name) == 0) {
			tools[i]->call(rpc_request,
			    yyjson_obj_get(rpc_request->params, "arguments"));
			return;
		}
	}
	fail_msg("no tool '%s'", name);
}

static const struct w_method run_methods[] = {
    {"initialize", W_MCP_WITH_HANDSHAKE, w_method_initialize},
    {"tools/call", W_MCP_ANY_VERSION, call_tool},
    {NULL, 0, NULL},
};

static void
open_both(struct talk *talk)
{
	const struct w_connection_transport transport = {
	    .ctx = NULL, .send = hear_second, .waiting = claim_nothing};

	talk_open(talk);
	talk->server->methods = run_methods;
	talk->server->options.structured = true;
	greet(talk, "2025-11-25");
	w_connection_open(&second, talk->server, &transport);
	second.has_handshake = true;
	second_said[0] = '\0';
}

#define CALL(id, name, arguments)                                       \
	"{\"jsonrpc\":\"2.0\",\"id\":" id ",\"method\":\"tools/call\"," \
	"\"params\":{\"name\":\"" name "\",\"arguments\":{" arguments "}}}"

static void
turn(struct talk *talk)
{
	struct pollfd fds[W_MCP_FDS];

	w_mcp_fds(talk->server, fds);
	(void)poll(fds, W_MCP_FDS, TURN_MS);
	assert_int_equal(w_mcp_dispatch(talk->server, NULL), WRIT_OK);
}

static void
until_said(struct talk *talk, const char *part)
{
	for (int i = 0; i < TURNS_MAX; i++) {
		if (strstr(talk->said.data, part) != NULL)
			return;
		turn(talk);
	}
	fail_msg("never said: '%s'", part);
}

static void
until_dead(struct talk *talk)
{
	for (int i = 0; i < TURNS_MAX; i++) {
		if (writ_engine_live(talk->server->engine) == 0)
			return;
		turn(talk);
	}
	fail_msg("something still runs");
}

/* Copies the id of the first run in the text. */
static void
copy_id(const char *said, char id[27])
{
	static const char key[] = "\"run_id\":\"";
	const char *found = strstr(said, key);

	assert_non_null(found);
	(void)snprintf(id, 27, "%s", found + sizeof(key) - 1);
}

static void
take_second(const char *text)
{
	second_said[0] = '\0';
	w_connection_receive(&second, text, strlen(text));
}

static void
a_run_is_seen_by_its_client_only(void **state)
{
	struct talk talk;
	char text[256];
	char id[27];

	(void)state;
	open_both(&talk);
	(void)say(&talk,
	    CALL("1", "exec", "\"argv\":[\"sleep\",\"60\"],\"yield_ms\":0"));
	until_said(&talk, "running");
	copy_id(talk.said.data, id);
	assert_non_null(w_mcp_run_find(&talk.connection, id));
	assert_null(w_mcp_run_find(&second, id));
	take_second(CALL("1", "run_list", ""));
	assert_has(second_said, "\"runs\":[]");
	(void)snprintf(
	    text, sizeof(text), CALL("2", "run_kill", "\"run_id\":\"%s\""), id);
	take_second(text);
	assert_has(second_said, "not_found");
	if (strstr(second_said, "there is 0") != NULL)
		fail_msg("it names another client's runs: %s", second_said);
	assert_int_equal(writ_engine_live(talk.server->engine), 1);
	w_connection_close(&second);
	talk_close(&talk);
}

static void
who_goes_takes_his_own_runs_along(void **state)
{
	struct talk talk;

	(void)state;
	open_both(&talk);
	(void)say(&talk,
	    CALL("1", "exec", "\"argv\":[\"sleep\",\"60\"],\"yield_ms\":0"));
	take_second(
	    CALL("1", "exec", "\"argv\":[\"sleep\",\"60\"],\"yield_ms\":0"));
	take_second(CALL("2", "exec", "\"argv\":[\"sleep\",\"60\"]"));
	assert_int_equal(writ_engine_live(talk.server->engine), 3);
	w_connection_close(&second);
	for (int i = 0;
	     i < TURNS_MAX && writ_engine_live(talk.server->engine) > 1; i++)
		turn(&talk);
	assert_int_equal(writ_engine_live(talk.server->engine), 1);
	assert_has(say(&talk, CALL("2", "run_list", "")), "running");
	talk_close(&talk);
	assert_false(has_child());
}

static void
a_call_taken_back_ends_its_run_and_is_not_answered(void **state)
{
	struct talk talk;

	(void)state;
	open_both(&talk);
	(void)say(&talk, CALL("1", "exec", "\"argv\":[\"sleep\",\"60\"]"));
	assert_int_equal(writ_engine_live(talk.server->engine), 1);
	assert_string_equal(
	    say(&talk, "{\"jsonrpc\":\"2.0\",\"method\":"
		       "\"notifications/cancelled\",\"params\":{"
		       "\"requestId\":1}}"),
	    "");
	until_dead(&talk);
	assert_string_equal(talk.said.data, "");
	assert_has(say(&talk, CALL("2", "run_list", "")), "cancelled");
	w_connection_close(&second);
	talk_close(&talk);
}

static void
runs_that_wait_for_their_turn_go_with_their_client(void **state)
{
	struct talk talk;

	(void)state;
	open_both(&talk);
	talk.server->options.max_runs = 1;
	(void)say(&talk,
	    CALL("1", "exec", "\"argv\":[\"sleep\",\"60\"],\"yield_ms\":0"));
	take_second(CALL("1", "exec", "\"argv\":[\"true\"]"));
	(void)say(&talk, CALL("2", "exec", "\"argv\":[\"echo\",\"mine\"]"));
	w_connection_close(&second);
	(void)say(&talk, CALL("3", "run_list", ""));
	char id[27];
	char text[256];
	copy_id(talk.said.data, id);
	(void)snprintf(
	    text, sizeof(text), CALL("4", "run_kill", "\"run_id\":\"%s\""), id);
	(void)say(&talk, text);
	until_said(&talk, "mine");
	assert_string_equal(second_said, "");
	talk_close(&talk);
	assert_false(has_child());
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_run_is_seen_by_its_client_only),
	    cmocka_unit_test(who_goes_takes_his_own_runs_along),
	    cmocka_unit_test(
		a_call_taken_back_ends_its_run_and_is_not_answered),
	    cmocka_unit_test(
		runs_that_wait_for_their_turn_go_with_their_client),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
