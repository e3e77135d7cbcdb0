/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Tests of the session: protocol versions, the tool list, end of input.
 */

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "cli/mcp/conformance.h"
#include "mcp/protocol/protocol_version.h"

#define END_MS      20000
#define SLOW_END_MS 2000

/* A slower initialization is reported. */
#define SLOW_US 100000

void
w_conformance_test_start(struct w_conformance *check)
{
	const char *newest = w_mcp_traits(W_MCP_NEWEST_HANDSHAKE)->name;
	const uint64_t begun = w_conformance_client_now_us();
	yyjson_val *result = NULL;
	writ_error err;

	if (w_conformance_handshake(
		check, &check->client, newest, &result, &err) != WRIT_OK) {
		w_conformance_fail(check, &check->client, &err);
		return;
	}
	const uint64_t us = w_conformance_client_now_us() - begun;

	check->is_up = true;
	yyjson_val *info = yyjson_obj_get(result, "serverInfo");

	if (w_conformance_client_notify(&check->client,
		"notifications/initialized", "{}", &err) != WRIT_OK)
		w_conformance_fail(check, &check->client, &err);
	else
		w_conformance_end(check, W_CONFORMANCE_PASSED,
		    "%.32s %.32s, first answer "
		    "after %.1f ms%s",
		    w_conformance_text(info, "name"),
		    w_conformance_text(info, "version"), (double)us / 1000,
		    us > SLOW_US ? ": that is slow" : "");
}

/* Each version gets its own server; an unknown one gets the newest. */
static bool
try_version(
    struct w_conformance *check, const char *asked, const char *expected)
{
	struct w_conformance_client client;
	yyjson_val *result = NULL;
	writ_error err;
	bool is_good = false;

	if (w_conformance_handshake(check, &client, asked, &result, &err) !=
	    WRIT_OK) {
		w_conformance_fail(check, &client, &err);
	} else {
		const char *got = w_conformance_text(result, "protocolVersion");

		is_good = strcmp(got, expected) == 0;
		if (!is_good)
			w_conformance_end(check, W_CONFORMANCE_FAILED,
			    "asked for %s, expected %s, got '%.32s'", asked,
			    expected, got);
	}
	if (is_good && w_conformance_client_stop(&client, END_MS) != 0) {
		is_good = false;
		w_conformance_end(check, W_CONFORMANCE_FAILED,
		    "%s: it did not end when its input did", asked);
	}
	w_conformance_client_done(&client);
	return is_good;
}

void
w_conformance_test_versions(struct w_conformance *check)
{
	const char *newest = w_mcp_traits(W_MCP_NEWEST_HANDSHAKE)->name;
	W_AUTO_BUF struct w_buf names;

	w_buf_init(&names, W_CONFORMANCE_DETAIL_MAX);
	for (int i = 0; i < W_MCP_VERSIONS; i++) {
		const struct w_mcp_traits *it =
		    w_mcp_traits((enum w_mcp_version)i);

		if (!it->has_handshake)
			continue;
		if (!try_version(check, it->name, it->name))
			return;
		w_buf_add_fmt(
		    &names, "%s%s", names.len == 0 ? "" : ", ", it->name);
	}
	if (try_version(check, "1999-01-01", newest))
		w_conformance_end(
		    check, W_CONFORMANCE_PASSED, "%s", names.data);
}

void
w_conformance_test_ping(struct w_conformance *check)
{
	yyjson_val *result = NULL;

	if (w_conformance_ask(check, "ping", "{}", &result))
		w_conformance_end(check, W_CONFORMANCE_PASSED, "answered");
}

/* ---- tools ---- */

/* Detects the schema of exec from its arguments. */
static void
detect_exec_schema(struct w_conformance *check, yyjson_val *tool)
{
	static const struct {
		const char *key;
		const char *hello;
	} shapes[] = {
	    {"argv", "{\"argv\":[\"echo\",\"hello from writ\"]}"},
	    {"mode", "{\"mode\":\"structured\",\"binary\":\"echo\",\"args\":"
		     "[\"hello from writ\"]}"},
	    {"command",
		"{\"command\":\"echo\",\"args\":[\"hello from writ\"]}"},
	};
	yyjson_val *keys =
	    yyjson_obj_get(yyjson_obj_get(tool, "inputSchema"), "properties");

	check->has_argv = yyjson_obj_get(keys, shapes[0].key) != NULL;
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		if (check->hello == NULL &&
		    yyjson_obj_get(keys, shapes[i].key) != NULL)
			check->hello = shapes[i].hello;
	}
}

void
w_conformance_test_list(struct w_conformance *check)
{
	yyjson_val *result = NULL;
	yyjson_val *tool;
	size_t i;
	size_t count;

	if (!w_conformance_ask(check, "tools/list", "{}", &result))
		return;
	yyjson_val *tools = yyjson_obj_get(result, "tools");

	yyjson_arr_foreach(tools, i, count, tool)
	{
		if (strcmp(w_conformance_text(tool, "name"), "exec") == 0)
			detect_exec_schema(check, tool);
	}
	w_conformance_end(check,
	    check->hello != NULL ? W_CONFORMANCE_PASSED : W_CONFORMANCE_FAILED,
	    "%zu tools in %zu bytes%s%s", yyjson_arr_size(tools),
	    check->client.message_len,
	    yyjson_obj_get(result, "nextCursor") == NULL ? "" : ", and more",
	    check->hello != NULL ? "" : ", but no exec");
}

void
w_conformance_test_finish(struct w_conformance *check)
{
	yyjson_val *result = NULL;
	const bool has_run =
	    check->has_argv && w_conformance_call_tool(check, "exec",
				   W_CONFORMANCE_LONG_EXEC, &result);

	if (check->has_argv && !has_run &&
	    check->results[check->count].state == W_CONFORMANCE_FAILED)
		return;
	const uint64_t begun = w_conformance_client_now_us();
	int status = w_conformance_client_stop(&check->client, END_MS);
	const double ms =
	    (double)(w_conformance_client_now_us() - begun) / 1000;

	if (status == 0)
		w_conformance_end(check, W_CONFORMANCE_PASSED,
		    "it ended after %.0f ms%s%s", ms,
		    has_run ? ", and its run with it" : "",
		    ms > SLOW_END_MS ? ": that is slow" : "");
	else if (status < 0)
		w_conformance_end(check, W_CONFORMANCE_FAILED,
		    "it did not end within %d ms of its input", END_MS);
	else
		w_conformance_end(check, W_CONFORMANCE_FAILED,
		    "it ended with the status %d", status);
}
