/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MCP_RPC_REQUEST_H
#define W_MCP_RPC_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include <yyjson.h>

#include "base/buf.h"
#include "data/json.h"
#include "mcp/protocol/rpc.h"
#include "mcp/transport/connection.h"
#include "mcp/transport/timer.h"

/*
 * One request of a client from its arrival to its answer.
 *
 * Invariants
 *  1. It is answered exactly once, by w_rpc_request_reply() or _fail(), or not
 * at all when it was cancelled; each of these frees it.
 *  2. Who keeps it for later sets on_cancel, which is called at most once, when
 *     the client takes the request back or goes; the exchange is freed when it
 *     returns, and nothing is sent.
 *  3. What params points to lives as long as the exchange.
 */
struct w_rpc_request {
	struct w_mcp_id_link link; /* first: by its id */
	struct w_mcp *server;
	struct w_connection *connection;
	struct w_rpc_document *document; /* what params points into */
	char *id;                        /* its JSON */
	const char *method;
	yyjson_val *params; /* NULL: none */
	yyjson_val *meta;   /* params._meta, an object; NULL */
	enum w_mcp_version version;
	struct w_mcp_client client; /* what counts for this request */
	enum w_mcp_level log_level; /* likewise */
	char *progress_token;       /* its JSON; NULL: none wanted */
	uint64_t progress;          /* the last that was sent */
	uint64_t progress_ns;       /* and when */
	const char *trace;          /* traceparent; NULL */
	void (*on_cancel)(struct w_rpc_request *rpc_request);
	void *state;                /* of whoever has it */
	struct w_rpc_batch *batch;  /* NULL: it did not come in a batch */
	struct w_rpc_request *next; /* of the peer */
	struct w_rpc_request *prev;
};

/* Answers with a result: members is the inside of its object (may be ""). What
 * every result of the version has (resultType, _meta) is added. */
void w_rpc_request_reply(
    struct w_rpc_request *rpc_request, const char *members, size_t len);

/* Likewise, of what a client may keep for ttl_ms; older versions do not say. */
void w_rpc_request_reply_cacheable(struct w_rpc_request *rpc_request,
    const char *members, size_t len, unsigned ttl_ms);

/* Likewise asks for input first: only where has_result_type. */
void w_rpc_request_reply_input_required(
    struct w_rpc_request *rpc_request, const char *members, size_t len);

/* Answers with an error; data is JSON or NULL. */
void w_rpc_request_fail(struct w_rpc_request *rpc_request, int code,
    const char *data, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* The same for an error of the library. */
void w_rpc_request_fail_with(
    struct w_rpc_request *rpc_request, const writ_error *err);

/* Says how it goes on, if the client wants to know: at most ten times a second,
 * never while it does not read. message may be NULL; it is cut to a line. */
void w_rpc_request_progress(
    struct w_rpc_request *rpc_request, const char *message);

/* Says something in the log, if the client wants that. */
void w_rpc_request_log(struct w_rpc_request *rpc_request,
    enum w_mcp_level level, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* A method of the protocol. It answers at once or keeps the exchange. */
struct w_method {
	const char *name;
	unsigned versions; /* mask of 1 << enum w_mcp_version */
	void (*call)(struct w_rpc_request *rpc_request);
};

/* All of them; ends with a name of NULL. */
extern const struct w_method w_methods[];

#endif /* W_MCP_RPC_REQUEST_H */
