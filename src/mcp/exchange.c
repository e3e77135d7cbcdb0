/* SPDX-License-Identifier: Apache-2.0 */
/* One request of a client: how it comes, is answered, and goes. */
#include "mcp/exchange.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "mcp/batch_reply.h"
#include "mcp/exchange_state.h"
#include "mcp/lifecycle.h"

enum {
	ID_TEXT_MAX = 8 * W_RPC_ID_MAX, /* every byte may become \u00XX */
	/* What there is around a result. */
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
unlink_exchange(struct w_exchange *exchange)
{
	if (exchange->prev != NULL)
		exchange->prev->next = exchange->next;
	else
		exchange->peer->exchanges = exchange->next;
	if (exchange->next != NULL)
		exchange->next->prev = exchange->prev;
	w_mcp_links_remove(&exchange->peer->by_id, &exchange->link);
}

static void
free_parts(struct w_exchange *exchange)
{
	w_rpc_document_unref(exchange->document);
	free(exchange->progress_token);
	free(exchange->id);
	free(exchange);
}

static void
end(struct w_exchange *exchange)
{
	struct w_batch_reply *batch = exchange->batch;

	unlink_exchange(exchange);
	free_parts(exchange);
	if (batch != NULL)
		w_batch_leave(batch);
}

struct w_exchange *
w_exchange_new(struct w_peer *peer, struct w_rpc_document *document,
    const struct w_rpc_message *message, struct w_batch_reply *batch)
{
	struct w_exchange *exchange = calloc(1, sizeof(*exchange));

	if (exchange == NULL)
		return NULL;
	exchange->id = text_of_id(message->id);
	if (exchange->id == NULL ||
	    !w_mcp_links_add(&peer->by_id, &exchange->link,
		w_mcp_hash(exchange->id, strlen(exchange->id)))) {
		free_parts(exchange);
		return NULL;
	}
	exchange->server = peer->server;
	exchange->peer = peer;
	exchange->document = w_rpc_document_ref(document);
	exchange->method = message->method;
	exchange->params = message->params;
	exchange->log_level = W_MCP_LEVELS;
	exchange->batch = batch;
	if (batch != NULL)
		w_batch_hold(batch);
	exchange->next = peer->exchanges;
	if (exchange->next != NULL)
		exchange->next->prev = exchange;
	peer->exchanges = exchange;
	return exchange;
}

struct w_exchange *
w_exchange_find(struct w_peer *peer, yyjson_val *id)
{
	W_AUTO_FREE char *text = text_of_id(id);

	if (text == NULL)
		return NULL;

	struct w_mcp_link *link =
	    w_mcp_links_first(&peer->by_id, w_mcp_hash(text, strlen(text)));
	while (link != NULL) {
		struct w_exchange *exchange = (struct w_exchange *)link;
		if (strcmp(exchange->id, text) == 0)
			return exchange;
		link = w_mcp_links_next(link);
	}
	return NULL;
}

void
w_exchange_cancel(struct w_exchange *exchange)
{
	void (*on_cancel)(struct w_exchange *) = exchange->on_cancel;

	exchange->on_cancel = NULL;
	if (on_cancel != NULL)
		on_cancel(exchange);
	end(exchange);
}

/* Sends what was written and frees the exchange. */
static void
finish(struct w_exchange *exchange, struct w_buf *answer)
{
	struct w_peer *peer = exchange->peer;

	if (answer->failed) {
		w_buf_done(answer);
		w_buf_init(answer, ANSWER_MAX);
		w_rpc_add_error(answer, exchange->id, W_RPC_INTERNAL,
		    "the answer does not fit into memory", NULL);
	}
	if (exchange->batch != NULL)
		w_batch_put(exchange->batch, answer->data, answer->len);
	else
		peer->transport.send(
		    peer->transport.ctx, answer->data, answer->len);
	end(exchange);
}

static void
begin_result(const struct w_exchange *exchange, struct w_buf *buf,
    const char *members, size_t len)
{
	w_buf_init(buf, ANSWER_MAX);
	w_buf_add_str(buf, "{\"jsonrpc\":\"2.0\",\"id\":");
	w_buf_add_str(buf, exchange->id);
	w_buf_add_str(buf, ",\"result\":{");
	w_buf_add(buf, members, len);
}

static void
end_result(const struct w_exchange *exchange, struct w_buf *buf, size_t len,
    const char *type)
{
	if (w_mcp_traits(exchange->version)->has_result_type) {
		w_buf_add_fmt(buf, "%s\"resultType\":\"%s\",\"_meta\":{",
		    len > 0 ? "," : "", type);
		w_mcp_add_server_info(
		    buf, "io.modelcontextprotocol/serverInfo");
		w_buf_add_char(buf, '}');
	}
	w_buf_add_str(buf, "}}");
}

void
w_exchange_reply(struct w_exchange *exchange, const char *members, size_t len)
{
	W_AUTO_BUF struct w_buf buf;

	begin_result(exchange, &buf, members, len);
	end_result(exchange, &buf, len, "complete");
	finish(exchange, &buf);
}

void
w_exchange_reply_cacheable(struct w_exchange *exchange, const char *members,
    size_t len, unsigned ttl_ms)
{
	W_AUTO_BUF struct w_buf buf;

	begin_result(exchange, &buf, members, len);
	if (w_mcp_traits(exchange->version)->has_result_type) {
		w_buf_add_fmt(&buf, "%s\"ttlMs\":%u,\"cacheScope\":\"private\"",
		    len > 0 ? "," : "", ttl_ms);
		len = 1;
	}
	end_result(exchange, &buf, len, "complete");
	finish(exchange, &buf);
}

void
w_exchange_reply_input_required(
    struct w_exchange *exchange, const char *members, size_t len)
{
	W_AUTO_BUF struct w_buf buf;

	begin_result(exchange, &buf, members, len);
	end_result(exchange, &buf, len, "input_required");
	finish(exchange, &buf);
}

void
w_exchange_fail(struct w_exchange *exchange, int code, const char *data,
    const char *fmt, ...)
{
	char message[512];
	va_list args;
	W_AUTO_BUF struct w_buf buf;

	va_start(args, fmt);
	(void)vsnprintf(message, sizeof(message), fmt, args);
	va_end(args);
	w_buf_init(&buf, ANSWER_MAX);
	w_rpc_add_error(&buf, exchange->id, code, message, data);
	finish(exchange, &buf);
}

void
w_exchange_fail_with(struct w_exchange *exchange, const writ_error *err)
{
	const int code =
	    err->status == WRIT_E_INVALID ? W_RPC_PARAMS : W_RPC_INTERNAL;
	W_AUTO_BUF struct w_buf data;

	w_buf_init(&data, sizeof(*err) * 8);
	w_buf_add_str(&data, "{\"code\":");
	w_json_add_text(&data, writ_status_word(err->status));
	w_buf_add_str(&data, ",\"suggestion\":");
	w_rpc_add_words(&data, err->suggestion, strlen(err->suggestion));
	w_buf_add_char(&data, '}');
	w_exchange_fail(
	    exchange, code, data.failed ? NULL : data.data, "%s", err->message);
}
