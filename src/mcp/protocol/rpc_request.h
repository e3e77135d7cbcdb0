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
 * One client request, from its arrival to its answer.
 *
 * Invariants
 *  1. It is answered exactly once, by w_rpc_request_reply() or _fail(), or not
 *     at all if it was cancelled; each of these frees it.
 *  2. Code that keeps it for later sets on_cancel, which is called at most
 *     once, when the client cancels the request or disconnects. The request is
 *     freed when on_cancel returns, and nothing is sent.
 *  3. params stays valid as long as the request.
 */
struct w_rpc_request {
	struct w_mcp_id_link link; /* first member: keyed by id */
	struct w_mcp *server;
	struct w_connection *connection;
	struct w_rpc_document *document; /* what params points into */
	char *id;                        /* its JSON */
	const char *method;
	yyjson_val *params; /* NULL: none */
	yyjson_val *meta;   /* params._meta, an object; NULL */
	enum w_mcp_version version;
	struct w_mcp_client client; /* in effect for this request */
	bool keeps_object; /* its answer has structuredContent for every
			      client; see struct w_tool */
	enum w_mcp_level log_level; /* likewise */
	char *progress_token;       /* its JSON; NULL: not requested */
	uint64_t progress;          /* last value sent */
	uint64_t progress_ns;       /* when it was sent */
	const char *trace;          /* traceparent; NULL: none */
	void (*on_cancel)(struct w_rpc_request *rpc_request);
	void *state;                /* for the code that keeps it */
	struct w_rpc_batch *batch;  /* NULL: not part of a batch */
	struct w_rpc_request *next; /* of the connection */
	struct w_rpc_request *prev;
};

/* Replies with a result: members is the inside of its object (may be ""). What
 * every result of the version has (resultType, _meta) is added. */
void w_rpc_request_reply(
    struct w_rpc_request *rpc_request, const char *members, size_t len);

/* Likewise; the client may cache it for ttl_ms. Old versions omit that. */
void w_rpc_request_reply_cacheable(struct w_rpc_request *rpc_request,
    const char *members, size_t len, unsigned ttl_ms);

/* Likewise, but asks for input first. Only with has_result_type. */
void w_rpc_request_reply_input_required(
    struct w_rpc_request *rpc_request, const char *members, size_t len);

/* Replies with an error; data is JSON or NULL. */
void w_rpc_request_fail(struct w_rpc_request *rpc_request, int code,
    const char *data, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* Replies with an error of the library. */
void w_rpc_request_fail_with(
    struct w_rpc_request *rpc_request, const writ_error *err);

/* Sends progress if the client asked for it: at most ten times a second, and
 * never while the client does not read. message may be NULL; it is cut to a
 * line. */
void w_rpc_request_progress(
    struct w_rpc_request *rpc_request, const char *message);

/* Sends a log message if the client's log level includes it. */
void w_rpc_request_log(struct w_rpc_request *rpc_request,
    enum w_mcp_level level, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* A method of the protocol. It replies at once or keeps the request. */
struct w_method {
	const char *name;
	unsigned versions; /* mask of 1 << enum w_mcp_version */
	void (*call)(struct w_rpc_request *rpc_request);
};

/* Ends with a name of NULL. */
extern const struct w_method w_methods[];

#endif /* W_MCP_RPC_REQUEST_H */
