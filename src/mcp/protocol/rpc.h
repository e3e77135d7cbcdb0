/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MCP_RPC_H
#define W_MCP_RPC_H

#include <stdbool.h>

#include <yyjson.h>

#include <writ/error.h>

#include "base/buf.h"
#include "data/json.h"

/*
 * JSON-RPC 2.0: what a message is, whatever carries it and whatever it is
 * about.
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

/* One message, borrowed from the document that it stands in. */
struct w_rpc_message {
	enum w_rpc_kind kind;
	yyjson_val *id;     /* a string or an integer; NULL: a notification */
	const char *method; /* NULL: a response */
	yyjson_val *params; /* an object; NULL: there are none */
	yyjson_val *result; /* of a response; or */
	yyjson_val *error;
};

/* What is wrong with a message: the answer that it gets. */
struct w_rpc_fault {
	int code;
	yyjson_val *id; /* NULL: it cannot be told, and is left out */
	bool is_silent; /* it is a notification or a response, which are never
			   answered */
	char message[200];
};

/* A text that was read, shared by what points into it: the requests of a batch
 * are answered one by one. */
struct w_rpc_document;

/* How much of what was sent is not answered yet. */
struct w_rpc_held {
	size_t count; /* of documents */
	size_t bytes;
};

/* One reference, yours; counted in held, which lives longer. Fails with
 * WRIT_E_INVALID or _NOMEM. */
writ_status w_rpc_document_new(const char *text, size_t len,
    struct w_rpc_held *held, struct w_rpc_document **out_document,
    writ_error *err);
yyjson_val *w_rpc_document_root(const struct w_rpc_document *document);
size_t w_rpc_document_len(const struct w_rpc_document *document);
struct w_rpc_document *w_rpc_document_ref(struct w_rpc_document *document);
void w_rpc_document_unref(struct w_rpc_document *document);

/*
 * What to say of a text that could not be read: -32700, or -32600 and its id
 * if it is JSON, only not as writ takes it (too deep, a key twice). *out_id is
 * its JSON and yours; NULL: it cannot be told.
 */
int w_rpc_unreadable(const char *text, size_t len, char **out_id);

/* Looks at one value of a document. false: *out_fault says why it is no
 * message. */
bool w_rpc_read(yyjson_val *value, struct w_rpc_message *out_message,
    struct w_rpc_fault *out_fault);

/* Whether it is one: a string of at most W_RPC_ID_MAX bytes, or an integer. */
bool w_rpc_is_id(yyjson_val *id);

/* Appends an id; the same id always gives the same text. */
void w_rpc_add_id(struct w_buf *buf, yyjson_val *id);

/* Appends a text as a string, whatever it is: bytes that are no UTF-8, as in a
 * message that was cut, become '?'. */
void w_rpc_add_string(struct w_buf *buf, const char *text, size_t len);

/* Appends {"jsonrpc":"2.0","id":ID,"error":{...}}; id and data (JSON) may be
 * NULL, then they are left out. */
void w_rpc_add_error(struct w_buf *buf, const char *id, int code,
    const char *message, const char *data);

#endif /* W_MCP_RPC_H */
