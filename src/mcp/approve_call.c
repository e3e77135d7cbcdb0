/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A call that comes again. What it brings back is the client's word: it counts
 * only with a state that was sealed here for this very call, which nobody has
 * used before and whose time is not over. Without one it says nothing.
 */

#include <string.h>

#include "mcp/approve_state.h"

/* The members of inputRequests and inputResponses. */
#define KEY "approval"

static const char *
give(struct w_approver *approver, struct w_asked *asked)
{
	memcpy(approver->id, asked->id, sizeof(approver->id));
	w_asked_forget(approver, asked);
	return approver->id;
}

/* NULL: it is not the state of a question that is open for this call. */
static struct w_asked *
find_by_state(struct w_approver *approver, const struct w_exchange *exchange,
    yyjson_val *state)
{
	struct w_sealed sealed;
	uint8_t call[W_SHA256_SIZE];

	if (!yyjson_is_str(state) ||
	    !w_seal_open(&approver->sealer, yyjson_get_str(state),
		yyjson_get_len(state), &sealed) ||
	    sealed.until_ms <= w_approver_now_ms() ||
	    !w_seal_call(exchange->method, exchange->params, call) ||
	    memcmp(call, sealed.call, sizeof(call)) != 0)
		return NULL;
	struct w_asked *asked = w_asked_find(approver, sealed.approval);
	if (asked == NULL || !asked->has_state ||
	    memcmp(asked->nonce, sealed.nonce, sizeof(asked->nonce)) != 0)
		return NULL;
	return asked;
}

/* A state without an answer is used up as well: it is asked again, with a new
 * one. */
static const char *
take_response(struct w_approver *approver, struct w_exchange *exchange,
    struct w_asked *asked)
{
	yyjson_val *response = yyjson_obj_get(
	    yyjson_obj_get(exchange->params, "inputResponses"), KEY);

	asked->has_state = false;
	if (!yyjson_is_obj(response))
		return w_approver_state(approver, asked->id) ==
			       WRIT_APPROVAL_PENDING
			   ? NULL
			   : give(approver, asked);
	if (w_approver_answer(
		approver, exchange, asked->id, asked->shown_ns, response))
		return give(approver, asked);
	asked->is_closed = true;
	return NULL;
}

static const char *
take_same(struct w_approver *approver, const struct w_exchange *exchange)
{
	uint8_t call[W_SHA256_SIZE];
	struct w_asked *one;

	if (!w_seal_call(exchange->method, exchange->params, call))
		return NULL;
	one = w_asked_same(approver->asked, exchange->peer, call);
	while (one != NULL) {
		struct w_asked *next =
		    w_asked_same(one->next, exchange->peer, call);

		switch (w_approver_state(approver, one->id)) {
		case WRIT_APPROVAL_APPROVED:
		case WRIT_APPROVAL_DENIED:
			return give(approver, one);
		case WRIT_APPROVAL_PENDING:
			break;
		case WRIT_APPROVAL_EXPIRED:
		case WRIT_APPROVAL_USED:
		case WRIT_APPROVAL_ABANDONED:
			w_asked_forget(approver, one);
		}
		one = next;
	}
	return NULL;
}

const char *
w_approval_of_call(struct w_exchange *exchange, bool *out_fault)
{
	struct w_approver *approver = exchange->server->approver;
	yyjson_val *state =
	    w_mcp_traits(exchange->version)->has_result_type
		? yyjson_obj_get(exchange->params, "requestState")
		: NULL;

	*out_fault = false;
	if (state == NULL)
		return approver == NULL || approver->asked == NULL
			   ? NULL
			   : take_same(approver, exchange);
	struct w_asked *asked =
	    approver == NULL ? NULL : find_by_state(approver, exchange, state);
	if (asked == NULL) {
		w_exchange_log(exchange, W_MCP_LEVEL_WARNING,
		    "a requestState came that is not one of this call");
		*out_fault = true;
		return NULL;
	}
	return take_response(approver, exchange, asked);
}
