/* SPDX-License-Identifier: Apache-2.0 */
/* How a client and the server get to know each other. Nothing here looks at a
 * policy, a module or a file: many clients only look who is there. */
#include "mcp/lifecycle.h"

#include <string.h>

#include <writ/writ.h>

#include "mcp/exchange_state.h"
#include "mcp/server.h"

enum {
	RESULT_MAX = 64 * 1024
};

static const char instructions[] =
    "Commands run here under a policy, inside a sandbox, and on record.\n"
    "- exec takes argv, a list: the program, then each argument as one item. "
    "Nothing is expanded; 'shell' is for what needs a shell, and is judged.\n"
    "- A long command answers \"running\" with a run_id: go on with run_read, "
    "answer it with run_input, end it with run_kill.\n"
    "- Of long output an answer has the beginning and the end; run_read has "
    "all of it, by its cursor, also after the end.\n"
    "- \"denied\": the policy says no. Do not retry or disguise it; do what "
    "the suggestion says, or tell the user.\n"
    "- \"approval_required\": a person has to agree first. Tell the user the "
    "id, and call again with the same arguments once it is approved.\n"
    "- policy_check says what would become of a command without running it.\n"
    "- module_search finds commands that are described; module_call runs one.";

/* What the server can do, by the methods that it has. */
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

static bool
has_method(const struct w_mcp *server, const char *name)
{
	const struct w_method *method = server->methods;

	while (method->name != NULL && strcmp(method->name, name) != 0)
		method++;
	return method->name != NULL;
}

static void
add_capabilities(struct w_buf *buf, const struct w_mcp *server)
{
	const char *comma = "";

	w_buf_add_str(buf, "\"capabilities\":{");
	for (size_t i = 0; i < sizeof(capabilities) / sizeof(capabilities[0]);
	     i++) {
		if (!has_method(server, capabilities[i].method))
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
fail_memory(struct w_exchange *exchange)
{
	w_exchange_fail(exchange, W_RPC_INTERNAL, NULL, "out of memory");
}

static bool
check_member(struct w_exchange *exchange, const char *name, bool is_right,
    const char *kind)
{
	if (!is_right) {
		w_exchange_fail(exchange, W_RPC_PARAMS, NULL,
		    "'%s' has to be %s", name, kind);
	}
	return is_right;
}

static bool
is_missing_or_object(yyjson_val *value)
{
	return value == NULL || yyjson_is_obj(value);
}

static bool
check_greeting(struct w_exchange *exchange, yyjson_val *version,
    yyjson_val *able, yyjson_val *info)
{
	return check_member(exchange, "protocolVersion", yyjson_is_str(version),
		   "a string") &&
	       check_member(exchange, "capabilities",
		   is_missing_or_object(able), "an object") &&
	       check_member(exchange, "clientInfo", is_missing_or_object(info),
		   "an object");
}

static void
reply_greeting(struct w_exchange *exchange)
{
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, RESULT_MAX);
	w_buf_add_fmt(&buf, "\"protocolVersion\":\"%s\",",
	    w_mcp_traits(exchange->version)->name);
	add_capabilities(&buf, exchange->server);
	w_buf_add_char(&buf, ',');
	w_mcp_add_server_info(&buf, "serverInfo");
	add_instructions(&buf);
	if (buf.failed)
		fail_memory(exchange);
	else
		w_exchange_reply(exchange, buf.data, buf.len);
}

/* May come again, then it holds from there on: what passes on messages of many
 * clients to one server is not worth an error. */
void
w_method_initialize(struct w_exchange *exchange)
{
	struct w_peer *peer = exchange->peer;
	yyjson_val *version =
	    yyjson_obj_get(exchange->params, "protocolVersion");
	yyjson_val *able = yyjson_obj_get(exchange->params, "capabilities");
	yyjson_val *info = yyjson_obj_get(exchange->params, "clientInfo");

	if (!check_greeting(exchange, version, able, info))
		return;
	if (!w_mcp_version_named(yyjson_get_str(version),
		yyjson_get_len(version), &peer->version) ||
	    !w_mcp_traits(peer->version)->has_handshake)
		peer->version = W_MCP_NEWEST_HANDSHAKE;
	w_client_read(&peer->client, info, able);
	if (!w_mcp_traits(peer->version)->has_elicitation)
		peer->client.has_elicitation = false;
	peer->has_handshake = true;
	exchange->version = peer->version;
	reply_greeting(exchange);
}

void
w_method_discover(struct w_exchange *exchange)
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
	add_capabilities(&buf, exchange->server);
	add_instructions(&buf);
	if (buf.failed) {
		fail_memory(exchange);
		return;
	}
	w_exchange_reply_cacheable(exchange, buf.data, buf.len, W_MCP_TTL_MS);
}

void
w_method_ping(struct w_exchange *exchange)
{
	w_exchange_reply(exchange, "", 0);
}

void
w_method_set_level(struct w_exchange *exchange)
{
	yyjson_val *level = yyjson_obj_get(exchange->params, "level");

	if (!w_mcp_level_named(level, &exchange->peer->log_level)) {
		w_exchange_fail(exchange, W_RPC_PARAMS, NULL,
		    "'level' has to be one of the severities, 'debug' to "
		    "'emergency'");
		return;
	}
	w_exchange_reply(exchange, "", 0);
}
