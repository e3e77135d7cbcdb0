/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which version of the protocol applies to a request. Decided before its method
 * is looked up: a request that names its version in _meta is independent; any
 * other uses the version of its connection's handshake.
 */
#include <stdio.h>
#include <string.h>

#include "base/encode.h"
#include "mcp/protocol/rpc_request_state.h"
#include "mcp/server.h"

#define META "io.modelcontextprotocol/"

static const char *const level_words[W_MCP_LEVELS] = {
#define X(name, word) word,
    W_MCP_LEVEL_MAP(X)
#undef X
};

const char *
w_mcp_level_word(enum w_mcp_level level)
{
	return level < W_MCP_LEVELS ? level_words[level] : "";
}

bool
w_mcp_level_named(yyjson_val *word, enum w_mcp_level *out_level)
{
	for (unsigned i = 0; i < W_MCP_LEVELS; i++) {
		if (yyjson_equals_str(word, level_words[i])) {
			*out_level = (enum w_mcp_level)i;
			return true;
		}
	}
	return false;
}

static void
version_negotiation_copy_text(char *out, size_t size, yyjson_val *text)
{
	const char *from = yyjson_get_str(text);

	if (from == NULL)
		return;

	size_t len = strlen(from);
	if (len >= size)
		len = w_utf8_trim_end(from, size - 1);
	memcpy(out, from, len);
	out[len] = '\0';
}

void
w_mcp_client_read(
    struct w_mcp_client *client, yyjson_val *info, yyjson_val *capabilities)
{
	yyjson_val *forms = yyjson_obj_get(capabilities, "elicitation");

	*client = (struct w_mcp_client){0};
	version_negotiation_copy_text(
	    client->name, sizeof(client->name), yyjson_obj_get(info, "name"));
	version_negotiation_copy_text(client->version, sizeof(client->version),
	    yyjson_obj_get(info, "version"));
	/* A client that names only "url" cannot show forms; one that names no
	 * mode can. */
	client->has_elicitation =
	    yyjson_is_obj(forms) && (yyjson_obj_get(forms, "form") != NULL ||
					yyjson_obj_get(forms, "url") == NULL);
}

static bool
is_stateless(yyjson_val *meta)
{
	static const char *const marks[] = {META "protocolVersion",
	    META "clientCapabilities", META "clientInfo", META "logLevel"};

	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
		if (yyjson_obj_get(meta, marks[i]) != NULL)
			return true;
	}
	return false;
}

static bool
refuse_version(struct w_rpc_request *rpc_request, yyjson_val *version)
{
	const char *comma = "";
	W_AUTO_BUF struct w_buf data;

	w_buf_init(&data, W_RPC_BYTES_MAX);
	w_buf_add_str(&data, "{\"supported\":[");
	for (unsigned i = 0; i < W_MCP_VERSIONS; i++) {
		const struct w_mcp_traits *traits =
		    w_mcp_traits((enum w_mcp_version)i);
		if (traits->has_handshake)
			continue;
		w_buf_add_fmt(&data, "%s\"%s\"", comma, traits->name);
		comma = ",";
	}
	w_buf_add_str(&data, "],\"requested\":");
	w_json_add_string(
	    &data, yyjson_get_str(version), yyjson_get_len(version));
	w_buf_add_char(&data, '}');
	w_rpc_request_fail(rpc_request, W_RPC_VERSION,
	    data.failed ? NULL : data.data,
	    "this version of the protocol is not supported: '%.64s'",
	    yyjson_get_str(version));
	return false;
}

static bool
refuse_meta(
    struct w_rpc_request *rpc_request, const char *name, const char *kind)
{
	w_rpc_request_fail(rpc_request, W_RPC_PARAMS, NULL,
	    "'_meta' needs '%s', %s", name, kind);
	return false;
}

static bool
is_missing_or_object(yyjson_val *value)
{
	return value == NULL || yyjson_is_obj(value);
}

static bool
read_alone(struct w_rpc_request *rpc_request)
{
	yyjson_val *meta = rpc_request->meta;
	yyjson_val *version = yyjson_obj_get(meta, META "protocolVersion");
	yyjson_val *able = yyjson_obj_get(meta, META "clientCapabilities");
	yyjson_val *info = yyjson_obj_get(meta, META "clientInfo");
	yyjson_val *level = yyjson_obj_get(meta, META "logLevel");

	if (!yyjson_is_str(version)) {
		return refuse_meta(
		    rpc_request, META "protocolVersion", "a string");
	}
	if (!yyjson_is_obj(able)) {
		return refuse_meta(
		    rpc_request, META "clientCapabilities", "an object");
	}
	if (!is_missing_or_object(info))
		return refuse_meta(rpc_request, META "clientInfo", "an object");
	if (level != NULL && !w_mcp_level_named(level, &rpc_request->log_level))
		return refuse_meta(rpc_request, META "logLevel", "a severity");

	enum w_mcp_version named;
	if (!w_mcp_version_named(
		yyjson_get_str(version), yyjson_get_len(version), &named) ||
	    w_mcp_traits(named)->has_handshake)
		return refuse_version(rpc_request, version);
	rpc_request->version = named;
	w_mcp_client_read(&rpc_request->client, info, able);
	return true;
}

/* Whether only versions without a handshake have this method. */
static bool
is_stateless_method(const struct w_rpc_request *rpc_request)
{
	const struct w_method *method = rpc_request->server->methods;

	while (method->name != NULL &&
	       strcmp(method->name, rpc_request->method) != 0)
		method++;
	return method->name != NULL &&
	       (method->versions & W_MCP_WITH_HANDSHAKE) == 0;
}

static bool
read_handshake(struct w_rpc_request *rpc_request)
{
	const struct w_connection *connection = rpc_request->connection;

	rpc_request->version = W_MCP_NEWEST_HANDSHAKE;
	if (connection->has_handshake) {
		rpc_request->version = connection->version;
		rpc_request->client = connection->client;
		rpc_request->log_level = connection->log_level;
		return true;
	}
	if (strcmp(rpc_request->method, "initialize") == 0 ||
	    strcmp(rpc_request->method, "ping") == 0)
		return true;
	if (is_stateless_method(rpc_request)) {
		return refuse_meta(
		    rpc_request, META "protocolVersion", "a string");
	}
	w_rpc_request_fail(rpc_request, W_RPC_INVALID, NULL,
	    "'initialize' has to come first, or '_meta' has to say the "
	    "version of the protocol");
	return false;
}

static bool
read_token(struct w_rpc_request *rpc_request)
{
	yyjson_val *token = yyjson_obj_get(rpc_request->meta, "progressToken");

	if (token == NULL || yyjson_is_null(token))
		return true;
	if (!w_rpc_is_id(token))
		return refuse_meta(rpc_request, "progressToken",
		    "an integer or a short string");

	W_AUTO_BUF struct w_buf buf;
	w_buf_init(&buf, 8 * W_RPC_ID_MAX);
	w_rpc_add_id(&buf, token);

	/* Without memory there is no progress; the request still works. */
	rpc_request->progress_token = w_buf_take(&buf, NULL);
	return true;
}

bool
w_mcp_version_negotiate(struct w_rpc_request *rpc_request)
{
	rpc_request->meta = yyjson_obj_get(rpc_request->params, "_meta");
	if (!is_missing_or_object(rpc_request->meta)) {
		w_rpc_request_fail(rpc_request, W_RPC_PARAMS, NULL,
		    "'_meta' has to be an object");
		return false;
	}
	rpc_request->trace =
	    yyjson_get_str(yyjson_obj_get(rpc_request->meta, "traceparent"));
	return (is_stateless(rpc_request->meta)
		       ? read_alone(rpc_request)
		       : read_handshake(rpc_request)) &&
	       read_token(rpc_request);
}
