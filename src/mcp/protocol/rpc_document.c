/* SPDX-License-Identifier: Apache-2.0 */
/* The text of one or more messages, parsed once and shared. */
#include <stdlib.h>

#include "base/auto.h"
#include "base/error.h"
#include "mcp/protocol/rpc.h"

struct w_rpc_document {
	struct w_json *json;
	size_t references;
	struct w_rpc_held *held; /* where it is counted */
	size_t len;
};

writ_status
w_rpc_document_new(const char *text, size_t len, struct w_rpc_held *held,
    struct w_rpc_document **out_document, writ_error *err)
{
	static const struct w_json_limits limits = {
	    .bytes_max = W_RPC_BYTES_MAX, .depth_max = W_RPC_DEPTH_MAX};
	W_AUTO_FREE struct w_rpc_document *document =
	    calloc(1, sizeof(*document));

	if (document == NULL)
		return w_fail_nomem(err, "message");

	writ_status status =
	    w_json_read(text, len, &limits, &document->json, err);
	if (status != WRIT_OK)
		return status;
	w_json_forget_text(document->json);
	document->references = 1;
	document->held = held;
	document->len = len;
	held->count++;
	held->bytes += len;
	*out_document = w_take_ptr(&document);
	return WRIT_OK;
}

yyjson_val *
w_rpc_document_root(const struct w_rpc_document *document)
{
	return w_json_root(document->json);
}

size_t
w_rpc_document_len(const struct w_rpc_document *document)
{
	return document->len;
}

struct w_rpc_document *
w_rpc_document_ref(struct w_rpc_document *document)
{
	document->references++;
	return document;
}

void
w_rpc_document_unref(struct w_rpc_document *document)
{
	if (document == NULL || --document->references > 0)
		return;
	document->held->count--;
	document->held->bytes -= document->len;
	w_json_free(document->json);
	free(document);
}

int
w_rpc_unreadable(const char *text, size_t len, char **out_id)
{
	yyjson_doc *doc = len > W_RPC_BYTES_MAX
			      ? NULL
			      : yyjson_read(text, len, YYJSON_READ_NOFLAG);

	*out_id = NULL;
	if (doc == NULL)
		return W_RPC_PARSE;

	/* Without the id, the client would wait forever. */
	yyjson_val *id = yyjson_obj_get(yyjson_doc_get_root(doc), "id");
	W_AUTO_BUF struct w_buf buf;
	w_buf_init(&buf, 8 * W_RPC_ID_MAX);
	if (w_rpc_is_id(id)) {
		w_rpc_add_id(&buf, id);
		*out_id = w_buf_take(&buf, NULL);
	}
	yyjson_doc_free(doc);
	return W_RPC_INVALID;
}
