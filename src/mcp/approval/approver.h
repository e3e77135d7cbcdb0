/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MCP_APPROVER_H
#define W_MCP_APPROVER_H

#include <writ/writ.h>

#include "mcp/protocol/rpc_request.h"

/*
 * Asking a person. The question always goes into the queue of writ first
 * (writ/approval.h), so that `writ approvals` shows it and can answer it too;
 * then, if the client can show a form, it goes to the client as well: as a
 * request (elicitation/create), or as a result that asks for input, with a
 * sealed state. Whoever answers first counts. Nothing that the model says is an
 * answer.
 */

/* What became of it: id is the approval to run with; or it is NULL, and error
 * and details (JSON, NULL: none) say why there is none. */
typedef void (*w_approved_fn)(
    void *ctx, const char *id, const writ_error *error, const char *details);

/*
 * The engine has just refused this request of this exchange with
 * WRIT_E_APPROVAL. Either on_done is called later, once: with the id to run
 * with (whatever was answered: the engine says no where that was the answer),
 * or with the error to answer by. Or the exchange is answered here, with "input
 * required": then NULL is returned, on_done is not called, and the client
 * repeats its call.
 */
struct w_approver_wait;
struct w_approver_wait *w_approver_ask(struct w_rpc_request *rpc_request,
    const writ_request *request, const writ_error *refusal,
    w_approved_fn on_done, void *ctx);

/* Nobody waits any more: the question is withdrawn, nothing is called. */
void w_approver_withdraw(struct w_approver_wait *wait);

/*
 * Before a run is tried: whether this call brings an answer (inputResponses
 * with a sealed requestState), or is the same as one that a person has
 * approved since. NULL: no; else the approval's id, borrowed until the next
 * call. *out_fault: the state is not ours, was used, is over, or is another
 * call's; then the caller answers with -32602, and runs nothing.
 */
const char *w_approver_id_of_call(
    struct w_rpc_request *rpc_request, bool *out_fault);

/* For the loop: the descriptor of the queue; -1: nobody waits. */
int w_approver_fd(struct w_mcp *server);
void w_approver_dispatch(struct w_mcp *server);

/* A peer goes: its questions go with it. */
void w_approver_drop(struct w_connection *connection);
void w_approver_free(struct w_mcp *server);

#endif /* W_MCP_APPROVER_H */
