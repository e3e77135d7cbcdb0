/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MCP_APPROVER_STATE_H
#define W_MCP_APPROVER_STATE_H

#include "mcp/approval/approver.h"
#include "mcp/approval/signed_token.h"
#include "mcp/server.h"

/* How many questions are remembered whose call was answered without them. */
#define W_PENDING_APPROVALS_MAX 256

/*
 * A question that is in the queue while nobody waits: the call was answered
 * (that a person has to agree first, or what to bring back), and the same call
 * may come again.
 */
struct w_pending_approval {
	char id[WRIT_APPROVAL_ID_LEN + 1];
	uint8_t call[W_SHA256_SIZE];
	const struct w_connection *connection;
	uint64_t expires_ms; /* since 1970 */
	uint8_t
	    nonce[W_MCP_TOKEN_NONCE]; /* of its sealed state, while has_state */
	bool has_state;    /* a state for it is out, and was not used */
	bool is_closed;    /* its form came back without an answer */
	uint64_t shown_ns; /* when its form was sent */
	struct w_pending_approval *next;
};

/* Somebody waits: for the form or the queue, or to be told at the next turn. */
struct w_approver_wait {
	struct w_approver *approver;
	struct w_rpc_request *rpc_request;
	char id[WRIT_APPROVAL_ID_LEN + 1]; /* "": nobody could be asked */
	uint64_t expires_ms;
	struct w_outgoing_request *outgoing; /* the form; NULL: none is out */
	uint64_t shown_ns;                   /* when it was sent */
	bool is_closed; /* it came back without an answer */
	w_approved_fn on_done;
	void *ctx;
	bool is_told; /* *error is to be told at the next turn */
	writ_error error;
	struct w_mcp_timer timer;
	struct w_approver_wait *next;
};

struct w_approver {
	struct w_mcp *server;
	writ_approvals *queue;
	uint64_t timeout_ms; /* of a question */
	uint64_t form_ms;    /* nobody answers a form sooner than this */
	struct w_mcp_token_signer signer;
	struct w_approver_wait *waits;
	struct w_pending_approval *pending; /* the newest first */
	char id[WRIT_APPROVAL_ID_LEN + 1];  /* of w_approver_id_of_call() */
};

/* The server's, made when it is first needed. NULL: *err says why. */
struct w_approver *w_approver_get(struct w_mcp *server, writ_error *err);

/* A question as it stands in the queue. *out_json is yours. */
writ_status w_approver_load(struct w_approver *approver, const char *id,
    struct w_json **out_json, writ_error *err);
writ_approval_state w_approver_state(
    struct w_approver *approver, const char *id);

/* Passes on what came back from a form that this client was sent at shown_ns
 * (w_mcp_now_ns()). If somebody else has answered in the meantime, that answer
 * stands. false: nobody has answered yet. */
bool w_approver_answer(struct w_approver *approver,
    struct w_rpc_request *rpc_request, const char *id, uint64_t shown_ns,
    yyjson_val *result);

/* Remembers; false: no memory. The oldest is withdrawn beyond
 * W_PENDING_APPROVALS_MAX. */
bool w_pending_approval_add(
    struct w_approver *approver, const struct w_pending_approval *pending);
struct w_pending_approval *w_pending_approval_find(
    struct w_approver *approver, const char *id);

/* The first from there on that is about this call of this peer. */
struct w_pending_approval *w_pending_approval_match(
    struct w_pending_approval *from, const struct w_connection *connection,
    const uint8_t call[W_SHA256_SIZE]);
void w_pending_approval_forget(
    struct w_approver *approver, struct w_pending_approval *pending);

uint64_t w_approver_now_ms(void);

#endif /* W_MCP_APPROVER_STATE_H */
