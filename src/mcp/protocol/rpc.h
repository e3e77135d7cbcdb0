/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MCP_RPC_H
#define W_MCP_RPC_H

#include <stdbool.h>

#include <yyjson.h>

#include <writ/error.h>

#include "base/buf.h"
#include "data/json.h"

/*
 * JSON-RPC 2.0 messages, independent of the transport and of MCP.
 */

enum {
	W_RPC_PARSE = -32700,
	W_RPC_INVALID = -32600,
	W_RPC_METHOD = -32601,
	W_RPC_PARAMS = -32602,
	W_RPC_INTERNAL = -32603,
	W_RPC_NO_RESOURCE = -32002, /* handshake versions only */
	W_RPC_MISSING_CAPABILITY = -32021,
	W_RPC_VERSION = -32022,
};

enum {
	W_RPC_BYTES_MAX = 64 * 1024 * 1024, /* of one message */
	W_RPC_DEPTH_MAX = 64,
	W_RPC_ID_MAX = 1024,
	W_RPC_BATCH_MAX = 1000,
};

enum w_rpc_kind {
	W_RPC_REQUEST,
	W_RPC_NOTIFICATION,
	W_RPC_RESPONSE,
};

/* One message, borrowed from its document. */
struct w_rpc_message {
	enum w_rpc_kind kind;
	yyjson_val *id;     /* a string or an integer; NULL: a notification */
	const char *method; /* NULL: a response */
	yyjson_val *params; /* an object; NULL: none */
	yyjson_val *result; /* of a response; or */
	yyjson_val *error;
};

/* What is wrong with a message, as an error response. */
struct w_rpc_fault {
	int code;
	yyjson_val *id; /* NULL: unknown, omitted in the response */
	bool is_silent; /* a notification or a response: never answered */
	char message[200];
};

/* A parsed text, shared by reference count: the requests of a batch are
 * answered one by one. */
struct w_rpc_document;

/* How much input is not answered yet. */
struct w_rpc_held {
	size_t count; /* number of documents */
	size_t bytes;
};

/* One reference, yours; counted in held, which must outlive it. Fails with
 * WRIT_E_INVALID or _NOMEM. */
writ_status w_rpc_document_new(const char *text, size_t len,
    struct w_rpc_held *held, struct w_rpc_document **out_document,
    writ_error *err);
yyjson_val *w_rpc_document_root(const struct w_rpc_document *document);
size_t w_rpc_document_len(const struct w_rpc_document *document);
struct w_rpc_document *w_rpc_document_ref(struct w_rpc_document *document);
void w_rpc_document_unref(struct w_rpc_document *document);

/*
 * The error code for a text that could not be read: -32700, or -32600 and its
 * id if it is JSON that writ does not accept (too deep, duplicate key). *out_id
 * is its JSON and yours; NULL: unknown.
 */
int w_rpc_unreadable(const char *text, size_t len, char **out_id);

/* Reads one value of a document. false: not a valid message, see *out_fault. */
bool w_rpc_read(yyjson_val *value, struct w_rpc_message *out_message,
    struct w_rpc_fault *out_fault);

/* A valid id is a string of at most W_RPC_ID_MAX bytes, or an integer. */
bool w_rpc_is_id(yyjson_val *id);

/* Appends an id; the same id always gives the same text. */
void w_rpc_add_id(struct w_buf *buf, yyjson_val *id);

/* Appends any text as a JSON string; invalid UTF-8, as in a truncated message,
 * becomes '?'. */
void w_rpc_add_string(struct w_buf *buf, const char *text, size_t len);

/* Appends {"jsonrpc":"2.0","id":ID,"error":{...}}; id and data (JSON) are
 * omitted if NULL. */
void w_rpc_add_error(struct w_buf *buf, const char *id, int code,
    const char *message, const char *data);

#endif /* W_MCP_RPC_H */
