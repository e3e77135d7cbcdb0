/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MCP_APPROVER_H
#define W_MCP_APPROVER_H

#include <writ/writ.h>

#include "mcp/protocol/rpc_request.h"

/*
 * Asks a person for approval. The question always enters writ's approval queue
 * first (writ/approval.h), so that `writ approvals` can show and answer it. If
 * the client can show forms, it also gets the question: as a request
 * (elicitation/create), or as an "input required" result with a signed
 * requestState. The first answer wins. Nothing that the model sends is an
 * answer.
 */

/* The outcome: the id of the approval to run with; or NULL, and error and
 * details (JSON, NULL: none) say why there is none. */
typedef void (*w_approved_fn)(
    void *ctx, const char *id, const writ_error *error, const char *details);

/*
 * To be called after the engine refused a request with WRIT_E_APPROVAL. Either
 * on_done is called later, once: with the id to run with (whatever the answer
 * was: the engine refuses if it was no), or with the error to reply. Or the
 * call is answered here with "input required": then NULL is returned, on_done
 * is not called, and the client repeats its call.
 */
struct w_approver_wait;
struct w_approver_wait *w_approver_ask(struct w_rpc_request *rpc_request,
    const writ_request *request, const writ_error *refusal,
    w_approved_fn on_done, void *ctx);

/* Withdraws the question without calling on_done. */
void w_approver_withdraw(struct w_approver_wait *wait);

/*
 * A connection of the run that this request started waits for an answer to a
 * question that the engine has queued. w_approver_can_ask(): whether somebody
 * can be asked, by a form or in the queue. w_approver_ask_running(): asks;
 * on_done is called when there is an answer, whatever it is, and there is none
 * to give: the engine has it. NULL: no memory, and the question is withdrawn.
 * w_approver_leave(): nobody waits any more.
 */
bool w_approver_can_ask(struct w_rpc_request *rpc_request);
bool w_approver_is_attended(struct w_mcp *server); /* the queue */
struct w_approver_wait *w_approver_ask_running(
    struct w_rpc_request *rpc_request, const char *id, w_approved_fn on_done,
    void *ctx);
void w_approver_leave(struct w_approver_wait *wait);

/*
 * To be called before a run is tried: does this call carry an answer
 * (inputResponses with a signed requestState), or does it repeat one that a
 * person has approved since? NULL: no; else the approval's id, borrowed until
 * the next call. *out_fault: the state is not ours, was used, has expired or
 * belongs to another call; then the caller replies -32602 and runs nothing.
 */
const char *w_approver_id_of_call(
    struct w_rpc_request *rpc_request, bool *out_fault);

/* For the event loop: the descriptor of the queue; -1: nobody waits. */
int w_approver_fd(struct w_mcp *server);
void w_approver_dispatch(struct w_mcp *server);

/* A connection closes: its questions are withdrawn. */
void w_approver_drop(struct w_connection *connection);
void w_approver_free(struct w_mcp *server);

#endif /* W_MCP_APPROVER_H */
