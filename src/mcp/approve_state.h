/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MCP_APPROVE_STATE_H
#define W_MCP_APPROVE_STATE_H

#include "mcp/approve.h"
#include "mcp/seal.h"
#include "mcp/server.h"

/* How many questions are remembered whose call was answered without them. */
#define W_ASKED_MAX 256

/*
 * A question that is in the queue while nobody waits: the call was answered
 * (that a person has to agree first, or what to bring back), and the same call
 * may come again.
 */
struct w_asked {
	char id[WRIT_APPROVAL_ID_LEN + 1];
	uint8_t call[W_SHA256_SIZE];
	const struct w_peer *peer;
	uint64_t expires_ms;         /* since 1970 */
	uint8_t nonce[W_SEAL_NONCE]; /* of its sealed state, while has_state */
	bool has_state;    /* a state for it is out, and was not used */
	bool is_closed;    /* its form came back without an answer */
	uint64_t shown_ns; /* when its form was sent */
	struct w_asked *next;
};

/* Somebody waits: for the form or the queue, or to be told at the next turn. */
struct w_approval_wait {
	struct w_approver *approver;
	struct w_exchange *exchange;
	char id[WRIT_APPROVAL_ID_LEN + 1]; /* "": nobody could be asked */
	uint64_t expires_ms;
	struct w_ask *ask; /* the form; NULL: none is out */
	uint64_t shown_ns; /* when it was sent */
	bool is_closed;    /* it came back without an answer */
	w_approved_fn on_done;
	void *ctx;
	bool is_told; /* *error is to be told at the next turn */
	writ_error error;
	struct w_mcp_timer timer;
	struct w_approval_wait *next;
};

struct w_approver {
	struct w_mcp *server;
	writ_approvals *queue;
	uint64_t timeout_ms; /* of a question */
	uint64_t form_ms;    /* nobody answers a form sooner than this */
	struct w_sealer sealer;
	struct w_approval_wait *waits;
	struct w_asked *asked;             /* the newest first */
	char id[WRIT_APPROVAL_ID_LEN + 1]; /* of w_approval_of_call() */
};

/* The server's, made when it is first needed. NULL: *err says why. */
struct w_approver *w_approver_of(struct w_mcp *server, writ_error *err);

/* A question as it stands in the queue. *out_json is yours. */
writ_status w_approver_load(struct w_approver *approver, const char *id,
    struct w_json **out_json, writ_error *err);
writ_approval_state w_approver_state(
    struct w_approver *approver, const char *id);

/* Passes on what came back from a form that this client was sent at shown_ns
 * (w_mcp_now_ns()). If somebody else has answered in the meantime, that answer
 * stands. false: nobody has answered yet. */
bool w_approver_answer(struct w_approver *approver, struct w_exchange *exchange,
    const char *id, uint64_t shown_ns, yyjson_val *result);

/* Remembers; false: no memory. The oldest is withdrawn beyond W_ASKED_MAX. */
bool w_asked_add(struct w_approver *approver, const struct w_asked *asked);
struct w_asked *w_asked_find(struct w_approver *approver, const char *id);

/* The first from there on that is about this call of this peer. */
struct w_asked *w_asked_same(struct w_asked *from, const struct w_peer *peer,
    const uint8_t call[W_SHA256_SIZE]);
void w_asked_forget(struct w_approver *approver, struct w_asked *asked);

uint64_t w_approver_now_ms(void);

#endif /* W_MCP_APPROVE_STATE_H */
