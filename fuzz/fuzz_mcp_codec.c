/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A conversation with the MCP server, as bytes. Whatever they are, all that it
 * says is a JSON-RPC message on one line; every request is answered at most
 * once, and nothing is left of it when the client has gone.
 *
 * The methods are such that nothing can be run: those of the handshake, and
 * some that keep a request, answer an earlier one, ask the client, or tell it
 * something.
 */

#include <stdlib.h>

#include "check.h"
#include "mcp/protocol/lifecycle.h"
#include "mcp/protocol/rpc.h"
#include "mcp/protocol/rpc_request.h"
#include "mcp/server.h"
#include "mcp/transport/line_reader.h"
#include "mcp/transport/rpc_id_scanner.h"

enum {
	KEPT_MAX = 64,
	LINE_MAX_BYTES = 1 << 16,
};

static struct w_mcp *server;
static struct w_connection connection;
static struct w_rpc_request *kept[KEPT_MAX];
static size_t kept_count;
static struct w_outgoing_request *asked;
static size_t claimed;

static void
forget(struct w_rpc_request *rpc_request)
{
	size_t at = 0;

	while (at < kept_count && kept[at] != rpc_request)
		at++;
	CHECK(at < kept_count);
	kept[at] = kept[--kept_count];
}

static void
keep(struct w_rpc_request *rpc_request)
{
	if (kept_count == KEPT_MAX) {
		w_rpc_request_fail(
		    rpc_request, W_RPC_INTERNAL, "{\"a\":[]}", "too many");
		return;
	}
	rpc_request->on_cancel = forget;
	kept[kept_count++] = rpc_request;
}

static void
answer(struct w_rpc_request *rpc_request)
{
	if (kept_count > 0) {
		struct w_rpc_request *other = kept[kept_count - 1];

		w_rpc_request_progress(other, other->trace);
		w_rpc_request_log(
		    other, W_MCP_LEVEL_NOTICE, "%s", other->method);
		kept_count--;
		w_rpc_request_reply(other, "\"a\":1", 5);
	}
	w_rpc_request_reply_cacheable(rpc_request, "", 0, 1);
}

static void
hear(void *ctx, yyjson_val *result, yyjson_val *error)
{
	CHECK(ctx == &asked);
	CHECK(result == NULL || error == NULL);
	asked = NULL;
}

static void
ask(struct w_rpc_request *rpc_request)
{
	if (asked == NULL) {
		asked = w_connection_ask(
		    rpc_request->connection, "x/y", "", hear, &asked);
	} else {
		w_outgoing_request_cancel(asked);
		asked = NULL;
	}
	claimed = claimed == 0 ? 1 : 0;
	if (w_mcp_traits(rpc_request->version)->has_result_type)
		w_rpc_request_reply_input_required(rpc_request, "", 0);
	else
		w_rpc_request_fail_with(rpc_request,
		    &(writ_error){.status = WRIT_E_INVALID, .message = "no"});
}

static const struct w_method methods[] = {
    {"initialize", W_MCP_WITH_HANDSHAKE, w_method_initialize},
    {"logging/setLevel", W_MCP_WITH_HANDSHAKE, w_method_set_level},
    {"ping", W_MCP_WITH_HANDSHAKE, w_method_ping},
    {"server/discover", W_MCP_WITHOUT_HANDSHAKE, w_method_discover},
    {"tools/call", W_MCP_ANY_VERSION, keep},
    {"tools/list", W_MCP_ANY_VERSION, answer},
    {"x", W_MCP_ANY_VERSION, ask},
    {NULL, 0, NULL},
};

static void
check_message(yyjson_val *value)
{
	yyjson_val *id = yyjson_obj_get(value, "id");

	CHECK(yyjson_is_obj(value));
	CHECK(yyjson_equals_str(yyjson_obj_get(value, "jsonrpc"), "2.0"));
	CHECK(id == NULL || w_rpc_is_id(id));
	if (yyjson_obj_get(value, "method") == NULL)
		CHECK((yyjson_obj_get(value, "result") != NULL) !=
		      (yyjson_obj_get(value, "error") != NULL));
}

static void
check_said(void *ctx, const char *json, size_t len)
{
	yyjson_doc *doc = yyjson_read(json, len, 0);
	yyjson_val *root = yyjson_doc_get_root(doc);
	yyjson_arr_iter iter;
	yyjson_val *value;

	(void)ctx;
	CHECK(doc != NULL);
	CHECK(memchr(json, '\n', len) == NULL);
	if (!yyjson_is_arr(root)) {
		check_message(root);
	} else {
		CHECK(yyjson_arr_size(root) > 0);
		(void)yyjson_arr_iter_init(root, &iter);
		while ((value = yyjson_arr_iter_next(&iter)) != NULL)
			check_message(value);
	}
	yyjson_doc_free(doc);
}

static size_t
say_waiting(void *ctx)
{
	(void)ctx;
	return claimed;
}

/* An id that is found in a text without parsing it is the one that is there. */
static void
check_scanner(const char *text, size_t len)
{
	static const struct w_json_limits limits = {1 << 20, W_RPC_DEPTH_MAX};
	struct w_rpc_id_scanner scanner;
	struct w_json *json = NULL;
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, 16 * W_RPC_ID_MAX);
	w_rpc_id_scanner_init(&scanner);
	w_rpc_id_scanner_feed(&scanner, text, len / 2);
	w_rpc_id_scanner_feed(&scanner, text + len / 2, len - len / 2);
	char *found = w_rpc_id_scanner_take(&scanner);
	if (found != NULL &&
	    w_json_read(text, len, &limits, &json, NULL) == WRIT_OK) {
		yyjson_val *id = yyjson_obj_get(w_json_root(json), "id");

		CHECK(w_rpc_is_id(id));
		w_rpc_add_id(&buf, id);
		CHECK(strcmp(found, buf.data) == 0);
	}
	w_json_free(json);
	free(found);
}

static void
take_all(struct w_line_reader *in, bool is_last)
{
	const char *text = NULL;
	size_t len = 0;
	enum w_line_status line;

	while ((line = w_line_reader_next(in, &text, &len)) != W_LINE_NONE ||
	       (is_last && (line = w_line_reader_last(in, &text, &len)) !=
			       W_LINE_NONE)) {
		if (line != W_LINE)
			continue;
		check_scanner(text, len);
		w_connection_receive(&connection, text, len);
	}
}

static void
talk(const uint8_t *data, size_t size)
{
	struct w_line_reader in;

	w_line_reader_init(&in, LINE_MAX_BYTES);
	for (size_t at = 0; at < size;) {
		const size_t step = size - at < W_LINE_READER_PIECE
					? size - at
					: W_LINE_READER_PIECE;
		char *room = w_line_reader_room(&in);

		CHECK(room != NULL);
		memcpy(room, data + at, step);
		w_line_reader_added(&in, step);
		at += step;
		take_all(&in, false);
	}
	take_all(&in, true);
	w_line_reader_done(&in);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct w_mcp_options options = {.no_audit = true};
	static const struct w_connection_transport transport = {
	    .send = check_said, .waiting = say_waiting};

	if (server == NULL) {
		CHECK(w_mcp_new(&options, &server, NULL) == WRIT_OK);
		server->methods = methods;
	}
	claimed = 0;
	w_connection_open(&connection, server, &transport);
	talk(data, size);
	CHECK(connection.by_id.count == kept_count);
	w_connection_close(&connection);
	CHECK(kept_count == 0);
	CHECK(asked == NULL);
	return 0;
}
