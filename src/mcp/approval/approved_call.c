/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A repeated tool call. The answer that it carries comes from the client and is
 * not trusted: it is only accepted with an unexpired, unused requestState that
 * this process signed for this very call.
 */

#include <string.h>

#include "mcp/approval/approver_state.h"

/* The members of inputRequests and inputResponses. */
#define KEY "approval"

static const char *
approved_call_give(
    struct w_approver *approver, struct w_pending_approval *pending)
{
	memcpy(approver->id, pending->id, sizeof(approver->id));
	w_pending_approval_forget(approver, pending);
	return approver->id;
}

/* NULL: not the state of an open question about this call. */
static struct w_pending_approval *
find_by_state(struct w_approver *approver,
    const struct w_rpc_request *rpc_request, yyjson_val *state)
{
	struct w_mcp_token token;
	uint8_t call[W_SHA256_SIZE];

	if (!yyjson_is_str(state) ||
	    !w_mcp_token_verify(&approver->signer, yyjson_get_str(state),
		yyjson_get_len(state), &token) ||
	    token.until_ms <= w_approver_now_ms() ||
	    !w_tool_call_digest(
		rpc_request->method, rpc_request->params, call) ||
	    memcmp(call, token.call, sizeof(call)) != 0)
		return NULL;
	struct w_pending_approval *pending = approver->pending;
	while (pending != NULL && strcmp(pending->id, token.approval) != 0)
		pending = pending->next;
	if (pending == NULL || !pending->has_state ||
	    memcmp(pending->nonce, token.nonce, sizeof(pending->nonce)) != 0)
		return NULL;
	return pending;
}

/* A state is used up even if it came without an answer: the question is asked
 * again, with a new state. */
static const char *
use_response(struct w_approver *approver, struct w_rpc_request *rpc_request,
    struct w_pending_approval *pending)
{
	yyjson_val *response = yyjson_obj_get(
	    yyjson_obj_get(rpc_request->params, "inputResponses"), KEY);

	pending->has_state = false;
	if (!yyjson_is_obj(response))
		return w_approver_state(approver, pending->id) ==
			       WRIT_APPROVAL_PENDING
			   ? NULL
			   : approved_call_give(approver, pending);
	if (w_approver_answer(approver, rpc_request, pending->id,
		pending->shown_ns, response))
		return approved_call_give(approver, pending);
	pending->is_closed = true;
	return NULL;
}

static const char *
find_same_call(
    struct w_approver *approver, const struct w_rpc_request *rpc_request)
{
	uint8_t call[W_SHA256_SIZE];
	struct w_pending_approval *one;

	if (!w_tool_call_digest(rpc_request->method, rpc_request->params, call))
		return NULL;
	one = w_pending_approval_match(
	    approver->pending, rpc_request->connection, call);
	while (one != NULL) {
		struct w_pending_approval *next = w_pending_approval_match(
		    one->next, rpc_request->connection, call);

		switch (w_approver_state(approver, one->id)) {
		case WRIT_APPROVAL_APPROVED:
		case WRIT_APPROVAL_DENIED:
			return approved_call_give(approver, one);
		case WRIT_APPROVAL_PENDING:
			break;
		case WRIT_APPROVAL_EXPIRED:
		case WRIT_APPROVAL_USED:
		case WRIT_APPROVAL_ABANDONED:
			w_pending_approval_forget(approver, one);
		}
		one = next;
	}
	return NULL;
}

const char *
w_approver_id_of_call(struct w_rpc_request *rpc_request, bool *out_fault)
{
	struct w_approver *approver = rpc_request->server->approver;
	yyjson_val *state =
	    w_mcp_traits(rpc_request->version)->has_result_type
		? yyjson_obj_get(rpc_request->params, "requestState")
		: NULL;

	*out_fault = false;
	if (state == NULL)
		return approver == NULL || approver->pending == NULL
			   ? NULL
			   : find_same_call(approver, rpc_request);
	struct w_pending_approval *pending =
	    approver == NULL ? NULL
			     : find_by_state(approver, rpc_request, state);
	if (pending == NULL) {
		w_rpc_request_log(rpc_request, W_MCP_LEVEL_WARNING,
		    "a requestState came that is not one of this call");
		*out_fault = true;
		return NULL;
	}
	return use_response(approver, rpc_request, pending);
}
