/* SPDX-License-Identifier: Apache-2.0 */
/* The life of one client request: created, answered, freed. */
#include "mcp/protocol/rpc_request.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "mcp/protocol/lifecycle.h"
#include "mcp/protocol/rpc_batch.h"
#include "mcp/protocol/rpc_request_state.h"

enum {
	ID_TEXT_MAX = 8 * W_RPC_ID_MAX, /* every byte may become \u00XX */
	/* The envelope of a result. */
	ANSWER_MAX = W_RPC_BYTES_MAX + ID_TEXT_MAX + 1024
};

static char *
text_of_id(yyjson_val *id)
{
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, ID_TEXT_MAX);
	w_rpc_add_id(&buf, id);
	return w_buf_take(&buf, NULL);
}

static void
free_parts(struct w_rpc_request *rpc_request)
{
	w_rpc_document_unref(rpc_request->document);
	free(rpc_request->progress_token);
	free(rpc_request->id);
	free(rpc_request);
}

static void
rpc_request_end(struct w_rpc_request *rpc_request)
{
	struct w_rpc_batch *batch = rpc_request->batch;

	if (rpc_request->prev != NULL)
		rpc_request->prev->next = rpc_request->next;
	else
		rpc_request->connection->rpc_requests = rpc_request->next;
	if (rpc_request->next != NULL)
		rpc_request->next->prev = rpc_request->prev;
	w_mcp_id_table_remove(
	    &rpc_request->connection->by_id, &rpc_request->link);
	free_parts(rpc_request);
	if (batch != NULL)
		w_rpc_batch_release(batch);
}

struct w_rpc_request *
w_rpc_request_new(struct w_connection *connection,
    struct w_rpc_document *document, const struct w_rpc_message *message,
    struct w_rpc_batch *batch)
{
	struct w_rpc_request *rpc_request = calloc(1, sizeof(*rpc_request));

	if (rpc_request == NULL)
		return NULL;
	rpc_request->id = text_of_id(message->id);
	if (rpc_request->id == NULL ||
	    !w_mcp_id_table_add(&connection->by_id, &rpc_request->link,
		w_mcp_hash(rpc_request->id, strlen(rpc_request->id)))) {
		free_parts(rpc_request);
		return NULL;
	}
	rpc_request->server = connection->server;
	rpc_request->connection = connection;
	rpc_request->document = w_rpc_document_ref(document);
	rpc_request->method = message->method;
	rpc_request->params = message->params;
	rpc_request->log_level = W_MCP_LEVELS;
	rpc_request->batch = batch;
	if (batch != NULL)
		w_rpc_batch_hold(batch);
	rpc_request->next = connection->rpc_requests;
	if (rpc_request->next != NULL)
		rpc_request->next->prev = rpc_request;
	connection->rpc_requests = rpc_request;
	return rpc_request;
}

struct w_rpc_request *
w_rpc_request_find(struct w_connection *connection, yyjson_val *id)
{
	W_AUTO_FREE char *text = text_of_id(id);

	if (text == NULL)
		return NULL;

	struct w_mcp_id_link *link = w_mcp_id_table_first(
	    &connection->by_id, w_mcp_hash(text, strlen(text)));
	while (link != NULL) {
		struct w_rpc_request *rpc_request =
		    (struct w_rpc_request *)link;
		if (strcmp(rpc_request->id, text) == 0)
			return rpc_request;
		link = w_mcp_id_table_next(link);
	}
	return NULL;
}

void
w_rpc_request_cancel(struct w_rpc_request *rpc_request)
{
	void (*on_cancel)(struct w_rpc_request *) = rpc_request->on_cancel;

	rpc_request->on_cancel = NULL;
	if (on_cancel != NULL)
		on_cancel(rpc_request);
	rpc_request_end(rpc_request);
}

/* Sends the answer and frees the request. */
static void
rpc_request_finish(struct w_rpc_request *rpc_request, struct w_buf *answer)
{
	struct w_connection *connection = rpc_request->connection;

	if (answer->failed) {
		w_buf_done(answer);
		w_buf_init(answer, ANSWER_MAX);
		w_rpc_add_error(answer, rpc_request->id, W_RPC_INTERNAL,
		    "the answer does not fit into memory", NULL);
	}
	if (rpc_request->batch != NULL)
		w_rpc_batch_add(rpc_request->batch, answer->data, answer->len);
	else
		connection->transport.send(
		    connection->transport.ctx, answer->data, answer->len);
	rpc_request_end(rpc_request);
}

static void
begin_result(const struct w_rpc_request *rpc_request, struct w_buf *buf,
    const char *members, size_t len)
{
	w_buf_init(buf, ANSWER_MAX);
	w_buf_add_str(buf, "{\"jsonrpc\":\"2.0\",\"id\":");
	w_buf_add_str(buf, rpc_request->id);
	w_buf_add_str(buf, ",\"result\":{");
	w_buf_add(buf, members, len);
}

static void
end_result(const struct w_rpc_request *rpc_request, struct w_buf *buf,
    size_t len, const char *type)
{
	if (w_mcp_traits(rpc_request->version)->has_result_type) {
		w_buf_add_fmt(buf, "%s\"resultType\":\"%s\",\"_meta\":{",
		    len > 0 ? "," : "", type);
		w_mcp_add_server_info(
		    buf, "io.modelcontextprotocol/serverInfo");
		w_buf_add_char(buf, '}');
	}
	w_buf_add_str(buf, "}}");
}

void
w_rpc_request_reply(
    struct w_rpc_request *rpc_request, const char *members, size_t len)
{
	W_AUTO_BUF struct w_buf buf;

	begin_result(rpc_request, &buf, members, len);
	end_result(rpc_request, &buf, len, "complete");
	rpc_request_finish(rpc_request, &buf);
}

void
w_rpc_request_reply_cacheable(struct w_rpc_request *rpc_request,
    const char *members, size_t len, unsigned ttl_ms)
{
	W_AUTO_BUF struct w_buf buf;

	begin_result(rpc_request, &buf, members, len);
	if (w_mcp_traits(rpc_request->version)->has_result_type) {
		w_buf_add_fmt(&buf, "%s\"ttlMs\":%u,\"cacheScope\":\"private\"",
		    len > 0 ? "," : "", ttl_ms);
		len = 1;
	}
	end_result(rpc_request, &buf, len, "complete");
	rpc_request_finish(rpc_request, &buf);
}

void
w_rpc_request_reply_input_required(
    struct w_rpc_request *rpc_request, const char *members, size_t len)
{
	W_AUTO_BUF struct w_buf buf;

	begin_result(rpc_request, &buf, members, len);
	end_result(rpc_request, &buf, len, "input_required");
	rpc_request_finish(rpc_request, &buf);
}

void
w_rpc_request_fail(struct w_rpc_request *rpc_request, int code,
    const char *data, const char *fmt, ...)
{
	char message[512];
	va_list args;
	W_AUTO_BUF struct w_buf buf;

	va_start(args, fmt);
	(void)vsnprintf(message, sizeof(message), fmt, args);
	va_end(args);
	w_buf_init(&buf, ANSWER_MAX);
	w_rpc_add_error(&buf, rpc_request->id, code, message, data);
	rpc_request_finish(rpc_request, &buf);
}

void
w_rpc_request_fail_with(
    struct w_rpc_request *rpc_request, const writ_error *err)
{
	const int code =
	    err->status == WRIT_E_INVALID ? W_RPC_PARAMS : W_RPC_INTERNAL;
	W_AUTO_BUF struct w_buf data;

	w_buf_init(&data, sizeof(*err) * 8);
	w_buf_add_str(&data, "{\"code\":");
	w_json_add_text(&data, writ_status_word(err->status));
	w_buf_add_str(&data, ",\"suggestion\":");
	w_rpc_add_string(&data, err->suggestion, strlen(err->suggestion));
	w_buf_add_char(&data, '}');
	w_rpc_request_fail(rpc_request, code, data.failed ? NULL : data.data,
	    "%s", err->message);
}
