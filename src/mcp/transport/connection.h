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
 * One connection to a client. The transport opens it, passes on incoming
 * messages, and sends what it is given; it does not interpret them.
 */
struct w_connection_transport {
	void *ctx;
	/* Sends one message (JSON, without a newline). Copies it. Never blocks
	 * or fails: what cannot be sent is dropped. */
	void (*send)(void *ctx, const char *json, size_t len);
	/* Bytes waiting to be sent. While there are any, optional messages
	 * (progress, log) are skipped. */
	size_t (*waiting)(void *ctx);
};

/* Log severities of the protocol, lowest first. */
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
	W_MCP_LEVELS, /* as a threshold: off */
};

/* A client's capabilities: from its handshake, or from one request. */
struct w_mcp_client {
	char name[64]; /* "" if unknown */
	char version[32];
	bool has_elicitation; /* can show forms */
};

struct w_connection {
	struct w_mcp *server;
	struct w_connection_transport transport;
	bool has_handshake;                 /* initialize was answered */
	enum w_mcp_version version;         /* negotiated there */
	struct w_mcp_client client;         /* likewise */
	enum w_mcp_level log_level;         /* from logging/setLevel */
	struct w_rpc_request *rpc_requests; /* unanswered, newest first */
	struct w_mcp_id_table by_id;        /* the same, by their id */
	struct w_mcp_id_table
	    outgoing_requests;        /* our own unanswered requests */
	uint64_t last_outgoing;       /* number of the latest */
	struct writ_session *session; /* whose walls its runs share; NULL: not
					 opened yet, or see */
	bool has_no_session;          /* this machine cannot build one */
	char *left_cwd;               /* what the last shell left behind; NULL:
					 nothing */
	char **left_env;              /* NULL-ended; likewise */
	struct w_connection *next;
};

/* A connection lives from w_connection_open() to w_connection_close(); the
 * transport owns the struct. Closing cancels everything it waits for: its runs
 * are dead on return, or die in the engine's next dispatches. */
void w_connection_open(struct w_connection *connection, struct w_mcp *server,
    const struct w_connection_transport *transport);
void w_connection_close(struct w_connection *connection);

/* The client sends nothing any more: it answers no request of ours, which go on
 * without. Its own requests are still answered. */
void w_connection_end_input(struct w_connection *connection);

/* Forgets the directory and the variables that a shell left behind. */
void w_connection_forget(struct w_connection *connection);

/* Handles one message, len bytes of anything. */
void w_connection_receive(
    struct w_connection *connection, const char *text, size_t len);

/* Sends {"jsonrpc":"2.0","method":METHOD,"params":{PARAMS}}; params is the
 * inside of an object. */
void w_connection_notify(
    struct w_connection *connection, const char *method, const char *params);

/*
 * Sends a request of our own; only versions with a handshake have these.
 * on_answer is called once with result or error, borrowed during the call; both
 * NULL: the connection has closed. The request is freed when it returns.
 * Returns NULL if the version has no such requests, or there is no memory.
 */
typedef void (*w_answer_fn)(void *ctx, yyjson_val *result, yyjson_val *error);
struct w_outgoing_request *w_connection_ask(struct w_connection *connection,
    const char *method, const char *params, w_answer_fn on_answer, void *ctx);

/* Sends a cancellation to the client; on_answer is not called. */
void w_outgoing_request_cancel(struct w_outgoing_request *outgoing);

#endif /* W_MCP_CONNECTION_H */
