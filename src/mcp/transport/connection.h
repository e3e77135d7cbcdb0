/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MCP_CONNECTION_H
#define W_MCP_CONNECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <yyjson.h>

#include "mcp/protocol/protocol_version.h"
#include "mcp/transport/id_table.h"

struct w_mcp;
struct w_rpc_request;
struct w_outgoing_request;

/*
 * Who talks to the server: one connection. A transport makes it, gives it the
 * messages that come in, and sends what it is given; it knows nothing of what
 * they mean.
 */
struct w_connection_transport {
	void *ctx;
	/* Sends one message (JSON, without a newline). Copies it. Never blocks
	 * and never fails: what cannot be sent any more is dropped. */
	void (*send)(void *ctx, const char *json, size_t len);
	/* How many bytes wait to be sent: who has a choice (progress, log) says
	 * nothing while there are any. */
	size_t (*waiting)(void *ctx);
};

/* Severities of the log, as the protocol has them, the mildest first. */
#define W_MCP_LEVEL_MAP(X)      \
	X(DEBUG, "debug")       \
	X(INFO, "info")         \
	X(NOTICE, "notice")     \
	X(WARNING, "warning")   \
	X(ERROR, "error")       \
	X(CRITICAL, "critical") \
	X(ALERT, "alert")       \
	X(EMERGENCY, "emergency")

enum w_mcp_level {
#define X(name, word) W_MCP_LEVEL_##name,
	W_MCP_LEVEL_MAP(X)
#undef X
	W_MCP_LEVELS, /* as a limit: nothing */
};

/* What a client can do: of its handshake, or of one request. */
struct w_mcp_client {
	char name[64]; /* "" when it does not say */
	char version[32];
	bool has_elicitation; /* forms */
};

struct w_connection {
	struct w_mcp *server;
	struct w_connection_transport transport;
	bool has_handshake;         /* initialize was answered */
	enum w_mcp_version version; /* of that */
	struct w_mcp_client client; /* of that */
	enum w_mcp_level log_level; /* of logging/setLevel */
	struct w_rpc_request
	    *rpc_requests;           /* not answered yet, the newest first */
	struct w_mcp_id_table by_id; /* the same, by their id */
	struct w_mcp_id_table
	    outgoing_requests;  /* our own requests without an answer */
	uint64_t last_outgoing; /* number of the latest */
	struct w_connection *next;
};

/* A peer lives from w_connection_open() to w_connection_close(); the struct is
 * the transport's. Closing cancels whatever it waits for: its runs are dead
 * when this returns, or the engine's next dispatches see to it. */
void w_connection_open(struct w_connection *connection, struct w_mcp *server,
    const struct w_connection_transport *transport);
void w_connection_close(struct w_connection *connection);

/* Takes one message, len bytes of anything. */
void w_connection_receive(
    struct w_connection *connection, const char *text, size_t len);

/* Sends {"jsonrpc":"2.0","method":METHOD,"params":{PARAMS}}; params is the
 * inside of an object. */
void w_connection_notify(
    struct w_connection *connection, const char *method, const char *params);

/*
 * Sends a request of our own, which only versions with a handshake have.
 * on_answer is called once and gets result or error, borrowed during the call;
 * both NULL: the peer has gone. The ask is gone when it returns. Returns NULL
 * where there are no such requests, or no memory.
 */
typedef void (*w_answer_fn)(void *ctx, yyjson_val *result, yyjson_val *error);
struct w_outgoing_request *w_connection_ask(struct w_connection *connection,
    const char *method, const char *params, w_answer_fn on_answer, void *ctx);

/* Nobody waits for it any more: tells the client, calls nothing. */
void w_outgoing_request_cancel(struct w_outgoing_request *outgoing);

#endif /* W_MCP_CONNECTION_H */
