/* SPDX-License-Identifier: Apache-2.0 */
/* initialize, server/discover, ping: the handshake. Nothing here reads a
 * policy, a module or a file, because many clients only probe the server. */
#include "mcp/protocol/lifecycle.h"

#include <string.h>

#include <writ/writ.h>

#include "mcp/protocol/rpc_request_state.h"
#include "mcp/server.h"

enum {
	RESULT_MAX = 64 * 1024
};

/* Clients show them to the model, some as the description of all tools: at most
 * 1 KiB. */
static const char instructions[] =
    "Every command runs in a sandbox, is judged by a policy, and is "
    "recorded.\n"
    "- It can write to the project, /tmp and caches in HOME (~/.cache, "
    "~/.npm) only; it cannot see secrets (keys, tokens), and has no network "
    "unless the policy "
    "gives it. A wall that refused something is told in a line of the "
    "answer.\n"
    "- Your calls share /tmp and 127.0.0.1: a file stays, and a server that "
    "one call started can be reached by the next. The directory and the "
    "exported variables that a bash leaves hold for the next call.\n"
    "- To ask for more, call exec with 'hosts', 'network', 'write' or "
    "'sandbox': a "
    "person may be asked.\n"
    "- \"denied\": the policy says no. Do not retry or disguise it: do what "
    "would be allowed, or tell the user.\n"
    "- \"approval_required\": tell the user the id; once it is approved, "
    "call again with the same arguments.\n"
    "- \"running\": go on with run_read, run_input, run_kill. run_read also "
    "has what was left out of long output.\n"
    "- policy_check tells what would happen to a command; module_search "
    "finds commands with typed arguments.";

_Static_assert(sizeof(instructions) <= 1024, "they are short");

/* The server's capabilities, derived from its methods. */
struct capability {
	const char *method;
	const char *member;
};

static const struct capability capabilities[] = {
    {"completion/complete", "\"completions\":{}"},
    {"logging/setLevel", "\"logging\":{}"},
    {"prompts/list", "\"prompts\":{}"},
    {"resources/subscribe", "\"resources\":{\"subscribe\":true}"},
    {"tools/list", "\"tools\":{\"listChanged\":true}"},
};

static void
add_capabilities(struct w_buf *buf, const struct w_mcp *server)
{
	const char *comma = "";

	w_buf_add_str(buf, "\"capabilities\":{");
	for (size_t i = 0; i < sizeof(capabilities) / sizeof(capabilities[0]);
	     i++) {
		const struct w_method *method = server->methods;

		while (method->name != NULL &&
		       strcmp(method->name, capabilities[i].method) != 0)
			method++;
		if (method->name == NULL)
			continue;
		w_buf_add_str(buf, comma);
		w_buf_add_str(buf, capabilities[i].member);
		comma = ",";
	}
	w_buf_add_char(buf, '}');
}

void
w_mcp_add_server_info(struct w_buf *buf, const char *name)
{
	w_buf_add_fmt(buf,
	    "\"%s\":{\"name\":\"writ\",\"title\":\"writ\",\"version\":", name);
	w_json_add_text(buf, writ_version());
	w_buf_add_char(buf, '}');
}

static void
add_instructions(struct w_buf *buf)
{
	w_buf_add_str(buf, ",\"instructions\":");
	w_json_add_text(buf, instructions);
}

static void
lifecycle_fail_memory(struct w_rpc_request *rpc_request)
{
	w_rpc_request_fail(rpc_request, W_RPC_INTERNAL, NULL, "out of memory");
}

static bool
check_member(struct w_rpc_request *rpc_request, const char *name, bool is_right,
    const char *kind)
{
	if (!is_right) {
		w_rpc_request_fail(rpc_request, W_RPC_PARAMS, NULL,
		    "'%s' has to be %s", name, kind);
	}
	return is_right;
}

static bool
is_missing_or_object(yyjson_val *value)
{
	return value == NULL || yyjson_is_obj(value);
}

static void
reply_greeting(struct w_rpc_request *rpc_request)
{
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, RESULT_MAX);
	w_buf_add_fmt(&buf, "\"protocolVersion\":\"%s\",",
	    w_mcp_traits(rpc_request->version)->name);
	add_capabilities(&buf, rpc_request->server);
	w_buf_add_char(&buf, ',');
	w_mcp_add_server_info(&buf, "serverInfo");
	add_instructions(&buf);
	if (buf.failed)
		lifecycle_fail_memory(rpc_request);
	else
		w_rpc_request_reply(rpc_request, buf.data, buf.len);
}

/* Allowed more than once, the last one applies: some proxies multiplex many
 * clients onto one server. */
void
w_method_initialize(struct w_rpc_request *rpc_request)
{
	struct w_connection *connection = rpc_request->connection;
	yyjson_val *version =
	    yyjson_obj_get(rpc_request->params, "protocolVersion");
	yyjson_val *able = yyjson_obj_get(rpc_request->params, "capabilities");
	yyjson_val *info = yyjson_obj_get(rpc_request->params, "clientInfo");

	if (!check_member(rpc_request, "protocolVersion",
		yyjson_is_str(version), "a string") ||
	    !check_member(rpc_request, "capabilities",
		is_missing_or_object(able), "an object") ||
	    !check_member(rpc_request, "clientInfo", is_missing_or_object(info),
		"an object"))
		return;
	if (!w_mcp_version_named(yyjson_get_str(version),
		yyjson_get_len(version), &connection->version) ||
	    !w_mcp_traits(connection->version)->has_handshake)
		connection->version = W_MCP_NEWEST_HANDSHAKE;
	w_mcp_client_read(&connection->client, info, able);
	if (!w_mcp_traits(connection->version)->has_elicitation)
		connection->client.has_elicitation = false;
	connection->has_handshake = true;
	rpc_request->version = connection->version;
	reply_greeting(rpc_request);
}

void
w_method_discover(struct w_rpc_request *rpc_request)
{
	const char *comma = "";
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, RESULT_MAX);
	w_buf_add_str(&buf, "\"supportedVersions\":[");
	for (unsigned i = 0; i < W_MCP_VERSIONS; i++) {
		const struct w_mcp_traits *traits =
		    w_mcp_traits((enum w_mcp_version)i);
		if (traits->has_handshake)
			continue;
		w_buf_add_fmt(&buf, "%s\"%s\"", comma, traits->name);
		comma = ",";
	}
	w_buf_add_str(&buf, "],");
	add_capabilities(&buf, rpc_request->server);
	add_instructions(&buf);
	if (buf.failed) {
		lifecycle_fail_memory(rpc_request);
		return;
	}
	w_rpc_request_reply_cacheable(
	    rpc_request, buf.data, buf.len, W_MCP_TTL_MS);
}

void
w_method_ping(struct w_rpc_request *rpc_request)
{
	w_rpc_request_reply(rpc_request, "", 0);
}

void
w_method_set_level(struct w_rpc_request *rpc_request)
{
	yyjson_val *level = yyjson_obj_get(rpc_request->params, "level");

	if (!w_mcp_level_named(level, &rpc_request->connection->log_level)) {
		w_rpc_request_fail(rpc_request, W_RPC_PARAMS, NULL,
		    "'level' has to be one of the severities, 'debug' to "
		    "'emergency'");
		return;
	}
	w_rpc_request_reply(rpc_request, "", 0);
}
