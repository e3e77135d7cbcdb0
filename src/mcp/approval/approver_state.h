/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MCP_APPROVER_STATE_H
#define W_MCP_APPROVER_STATE_H

#include "mcp/approval/approver.h"
#include "mcp/approval/signed_token.h"
#include "mcp/server.h"

/* Remembered questions whose call was already answered. */
#define W_PENDING_APPROVALS_MAX 256

/*
 * An open question that no call waits for: the call was answered with "approval
 * required" or "input required", and may be repeated.
 */
struct w_pending_approval {
	char id[WRIT_APPROVAL_ID_LEN + 1];
	uint8_t call[W_SHA256_SIZE];
	const struct w_connection *connection;
	uint64_t expires_ms;              /* Unix time */
	uint8_t nonce[W_MCP_TOKEN_NONCE]; /* of its signed state, while
					     has_state */
	bool has_state;                   /* an unused state for it exists */
	bool is_closed;    /* its form came back without an answer */
	uint64_t shown_ns; /* when its form was sent */
	struct w_pending_approval *next;
};

/* A call that waits for the form or the queue, or for its deferred error. */
struct w_approver_wait {
	struct w_approver *approver;
	struct w_rpc_request *rpc_request;
	char id[WRIT_APPROVAL_ID_LEN + 1]; /* "": the question could not be
					    * queued */
	uint64_t expires_ms;
	struct w_outgoing_request *outgoing; /* the form; NULL: none was sent */
	uint64_t shown_ns;                   /* when it was sent */
	bool is_closed;  /* the form came back without an answer */
	bool is_running; /* what is asked about runs already */
	w_approved_fn on_done;
	void *ctx;
	bool is_error_due; /* on_done(*error) is due at the next loop */
	writ_error error;
	struct w_mcp_timer timer;
	struct w_approver_wait *next;
};

struct w_approver {
	struct w_mcp *server;
	writ_approvals *queue;
	uint64_t timeout_ms; /* default expiry of a question */
	uint64_t form_ms;    /* a form answered sooner is ignored */
	struct w_mcp_token_signer signer;
	struct w_approver_wait *waits;
	struct w_pending_approval *pending; /* newest first */
	char id[WRIT_APPROVAL_ID_LEN + 1];  /* returned by
					     * w_approver_id_of_call() */
};

/* The server's approver, created on first use. NULL: see *err. */
struct w_approver *w_approver_get(struct w_mcp *server, writ_error *err);

/* Loads a question from the queue. *out_json is yours. */
writ_status w_approver_load(struct w_approver *approver, const char *id,
    struct w_json **out_json, writ_error *err);
writ_approval_state w_approver_state(
    struct w_approver *approver, const char *id);

/* Passes on the response to a form that was sent at shown_ns (w_mcp_now_ns()).
 * If somebody else answered first, that answer stands. false: there is no
 * answer yet. */
bool w_approver_answer(struct w_approver *approver,
    struct w_rpc_request *rpc_request, const char *id, uint64_t shown_ns,
    yyjson_val *result);

/* false: no memory. Beyond W_PENDING_APPROVALS_MAX the oldest is withdrawn. */
bool w_pending_approval_add(
    struct w_approver *approver, const struct w_pending_approval *pending);

/* The first in the list, starting at from, for this call and connection. */
struct w_pending_approval *w_pending_approval_match(
    struct w_pending_approval *from, const struct w_connection *connection,
    const uint8_t call[W_SHA256_SIZE]);
void w_pending_approval_forget(
    struct w_approver *approver, struct w_pending_approval *pending);

uint64_t w_approver_now_ms(void);

#endif /* W_MCP_APPROVER_STATE_H */
