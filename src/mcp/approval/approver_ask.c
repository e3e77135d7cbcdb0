/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Asks a person, by the best way that the client supports.
 *
 *     queue --+-- form as a request --> an answer, of either --> the run
 *             +-- form in a result ---> the same call with a signed state
 *             +-- no form ------------> the same call, once approved
 *
 * The engine alone decides whether an approval covers what is about to run.
 * This file passes on an id, never a yes.
 */

#include "mcp/approval/approver.h"

#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "mcp/approval/approver_state.h"
#include "mcp/approval/elicitation.h"

/* A form and its JSON. Most of it is the text, which may be escaped. */
#define FORM_MAX    ((size_t)W_ELICITATION_TEXT_MAX * 8)
#define PROGRESS_MS 1000

/* ---- waits ---- */

static void
unlink_wait(struct w_approver_wait *wait)
{
	struct w_approver_wait **link = &wait->approver->waits;

	while (*link != NULL && *link != wait)
		link = &(*link)->next;
	if (*link != NULL)
		*link = wait->next;
	w_mcp_timer_stop(&wait->approver->server->timers, &wait->timer);
	if (wait->outgoing != NULL)
		w_outgoing_request_cancel(wait->outgoing);
	wait->outgoing = NULL;
}

/* Answered or expired: the run finds out which. */
static void
approver_ask_finish(struct w_approver_wait *wait)
{
	unlink_wait(wait);
	wait->on_done(wait->ctx, wait->id, NULL, NULL);
	free(wait);
}

static void
approver_ask_report(void *ctx)
{
	struct w_approver_wait *wait = ctx;
	char details[256] = "";

	unlink_wait(wait);
	if (wait->id[0] != '\0')
		(void)snprintf(details, sizeof(details),
		    "{\"approval_id\":\"%s\",\"expires_at\":%" PRIu64
		    ",\"command\":\"writ approvals approve %s\"}",
		    wait->id, wait->expires_ms, wait->id);
	wait->on_done(
	    wait->ctx, NULL, &wait->error, details[0] == '\0' ? NULL : details);
	free(wait);
}

/* Deferred to a timer: the caller does not have the wait yet. */
static void
report_soon(struct w_approver_wait *wait)
{
	wait->is_error_due = true;
	wait->timer.fire = approver_ask_report;
	wait->timer.ctx = wait;
	(void)w_mcp_timer_set(&wait->approver->server->timers, &wait->timer, 0);
}

/* ---- remembering the call ---- */

static bool
approver_ask_remember(
    struct w_approver_wait *wait, struct w_pending_approval *pending)
{
	const struct w_rpc_request *rpc_request = wait->rpc_request;

	memcpy(pending->id, wait->id, sizeof(pending->id));
	pending->connection = rpc_request->connection;
	pending->expires_ms = wait->expires_ms;
	pending->is_closed = wait->is_closed;
	pending->shown_ns = wait->shown_ns;
	return w_tool_call_digest(
		   rpc_request->method, rpc_request->params, pending->call) &&
	       w_pending_approval_add(wait->approver, pending);
}

/* Reuses the question of an earlier identical call that is still open. */
static bool
reuse_pending(struct w_approver_wait *wait)
{
	const struct w_rpc_request *rpc_request = wait->rpc_request;
	struct w_approver *approver = wait->approver;
	uint8_t call[W_SHA256_SIZE];

	if (approver->pending == NULL ||
	    !w_tool_call_digest(rpc_request->method, rpc_request->params, call))
		return false;
	struct w_pending_approval *one = w_pending_approval_match(
	    approver->pending, rpc_request->connection, call);
	while (one != NULL && one->has_state)
		one = w_pending_approval_match(
		    one->next, rpc_request->connection, call);
	if (one == NULL ||
	    w_approver_state(approver, one->id) != WRIT_APPROVAL_PENDING)
		return false;
	memcpy(wait->id, one->id, sizeof(wait->id));
	wait->expires_ms = one->expires_ms;
	wait->is_closed = one->is_closed;
	w_pending_approval_forget(approver, one);
	return true;
}

/* The queue is left. If nobody attends it, that is a no, and the run goes on.
 */
static void
leave_running(const struct w_approver_wait *wait)
{
	const struct w_approver *approver = wait->approver;

	if (!writ_approvals_is_attended(approver->queue))
		writ_approval_withdraw(approver->server->engine, wait->id);
}

static void
approver_ask_leave_pending(struct w_approver_wait *wait)
{
	struct w_pending_approval pending = {.has_state = false};

	if (wait->is_running) {
		leave_running(wait);
		return;
	}

	if (!approver_ask_remember(wait, &pending)) {
		writ_approval_withdraw(
		    wait->approver->server->engine, wait->id);
		wait->id[0] = '\0';
		(void)w_fail_nomem(&wait->error, "approval");
		report_soon(wait);
		return;
	}
	/* The question stays in the queue; the client learns how to answer. */
	w_suggest(&wait->error,
	    "a person answers with 'writ approvals approve %s'; then make the "
	    "same call again",
	    wait->id);
	report_soon(wait);
}

/* ---- a form as a request ---- */

static void
approver_ask_on_answer(void *ctx, yyjson_val *result, yyjson_val *error)
{
	struct w_approver_wait *wait = ctx;

	wait->outgoing = NULL;
	if (result == NULL && error == NULL)
		return; /* connection closed: handled there */
	if (result == NULL) {
		/* The client cannot show a form after all. */
		w_rpc_request_log(wait->rpc_request, W_MCP_LEVEL_WARNING,
		    "the client did not show the form of approval %s",
		    wait->id);
		approver_ask_leave_pending(wait);
		return;
	}
	if (w_approver_answer(wait->approver, wait->rpc_request, wait->id,
		wait->shown_ns, result)) {
		approver_ask_finish(wait);
		return;
	}
	wait->is_closed = true;
	approver_ask_leave_pending(wait);
}

/* A person takes longer than most clients wait for an answer. Progress keeps
 * the client waiting. */
static void
keep_waiting(void *ctx)
{
	struct w_approver_wait *wait = ctx;

	w_rpc_request_progress(
	    wait->rpc_request, "a person is asked whether it may run");
	(void)w_mcp_timer_set(
	    &wait->approver->server->timers, &wait->timer, PROGRESS_MS);
}

static void
send_form(struct w_approver_wait *wait, const struct w_buf *form)
{
	w_rpc_request_log(wait->rpc_request, W_MCP_LEVEL_NOTICE,
	    "approval %s is asked for by a form of the client", wait->id);
	wait->shown_ns = w_mcp_now_ns();
	wait->outgoing = w_connection_ask(wait->rpc_request->connection,
	    "elicitation/create", form->data, approver_ask_on_answer, wait);
	if (wait->outgoing == NULL) {
		approver_ask_leave_pending(wait);
	} else if (wait->rpc_request->progress_token != NULL &&
		   !wait->is_running) {
		wait->timer.fire = keep_waiting;
		wait->timer.ctx = wait;
		keep_waiting(wait);
	}
}

/* ---- a form in a result ---- */

/* false: no memory, or no random numbers. */
static bool
add_state(struct w_buf *members, struct w_approver_wait *wait)
{
	struct w_pending_approval pending = {.has_state = true};
	struct w_mcp_token token = {.until_ms = wait->expires_ms};

	wait->shown_ns = w_mcp_now_ns();
	if (!w_mcp_token_nonce(pending.nonce) ||
	    !approver_ask_remember(wait, &pending))
		return false;
	memcpy(token.approval, wait->id, sizeof(token.approval));
	memcpy(token.call, pending.call, sizeof(token.call));
	memcpy(token.nonce, pending.nonce, sizeof(token.nonce));
	w_buf_add_str(members, ",\"requestState\":\"");
	w_mcp_token_add(members, &wait->approver->signer, &token);
	w_buf_add_char(members, '"');
	return !members->failed;
}

/* Replies to the request; false: it could not. */
static bool
return_form(struct w_approver_wait *wait, const struct w_buf *form)
{
	W_AUTO_BUF struct w_buf members;

	w_buf_init(&members, FORM_MAX + 1024);
	w_buf_add_fmt(&members,
	    "\"inputRequests\":{\"approval\":{\"method\":\"elicitation/create\""
	    ",\"params\":{%s}}}",
	    form->data);
	if (members.failed || !add_state(&members, wait))
		return false;
	w_rpc_request_log(wait->rpc_request, W_MCP_LEVEL_NOTICE,
	    "approval %s is asked for by a form of the client", wait->id);
	w_rpc_request_reply_input_required(
	    wait->rpc_request, members.data, members.len);
	return true;
}

/* ---- asking ---- */

/*
 * Whether the client's form may answer this. Whoever fills it in is on the
 * caller's side of the sandbox, so a form cannot grant more than the sandbox
 * does already, unless trust_forms is set. A form that was closed once is not
 * shown again.
 */
static bool
may_show(const struct w_approver_wait *wait, yyjson_val *question)
{
	const struct w_rpc_request *rpc_request = wait->rpc_request;
	const struct w_mcp_traits *traits = w_mcp_traits(rpc_request->version);
	yyjson_val *more = yyjson_ptr_get(question, "/decision/more");

	return rpc_request->client.has_elicitation && !wait->is_closed &&
	       (traits->has_elicitation || traits->has_result_type) &&
	       (yyjson_arr_size(more) == 0 ||
		   rpc_request->server->options.trust_forms);
}

/* false: no form may be shown, or the question does not fit into one. */
static bool
make_form(struct w_approver_wait *wait, struct w_buf *form)
{
	const struct w_rpc_request *rpc_request = wait->rpc_request;
	const struct w_mcp_traits *traits = w_mcp_traits(rpc_request->version);
	struct w_json *question = NULL;

	if (w_approver_load(wait->approver, wait->id, &question, NULL) !=
	    WRIT_OK)
		return false;
	yyjson_val *root = w_json_root(question);
	wait->expires_ms = yyjson_get_uint(yyjson_obj_get(root, "expires_at"));
	const bool has_form = may_show(wait, root);
	if (has_form)
		w_elicitation_add(form, root, traits->has_titled_enum,
		    rpc_request->server->options.trust_forms);
	w_json_free(question);
	return has_form && !form->failed;
}

/* false: the request was answered with a form; nobody waits. */
static bool
ask_client(struct w_approver_wait *wait)
{
	const bool is_result =
	    w_mcp_traits(wait->rpc_request->version)->has_result_type;
	W_AUTO_BUF struct w_buf form;

	w_buf_init(&form, FORM_MAX);
	if (!make_form(wait, &form)) {
		approver_ask_leave_pending(wait);
		return true;
	}
	if (!is_result) {
		send_form(wait, &form);
		return true;
	}
	if (return_form(wait, &form))
		return false;
	approver_ask_leave_pending(wait);
	return true;
}

static struct w_approver_wait *
new_wait(struct w_rpc_request *rpc_request, const writ_error *refusal,
    w_approved_fn on_done, void *ctx, struct w_approver *approver)
{
	struct w_approver_wait *wait = calloc(1, sizeof(*wait));

	if (wait == NULL)
		return NULL;
	wait->approver = approver;
	wait->rpc_request = rpc_request;
	wait->on_done = on_done;
	wait->ctx = ctx;
	wait->error = *refusal;
	wait->next = approver->waits;
	approver->waits = wait;
	return wait;
}

struct w_approver_wait *
w_approver_ask(struct w_rpc_request *rpc_request, const writ_request *request,
    const writ_error *refusal, w_approved_fn on_done, void *ctx)
{
	writ_ask_options options = WRIT_ASK_OPTIONS_INIT;
	writ_error err = *refusal;
	struct w_approver *approver = w_approver_get(rpc_request->server, &err);
	struct w_approver_wait *wait =
	    approver == NULL
		? NULL
		: new_wait(rpc_request, refusal, on_done, ctx, approver);

	if (wait == NULL) {
		w_rpc_request_fail_with(rpc_request, &err);
		return NULL;
	}
	options.timeout_ms = approver->timeout_ms;
	options.session = approver->server->session;
	if (!reuse_pending(wait) &&
	    writ_approval_ask(approver->server->engine, request, &options,
		wait->id, &wait->error) != WRIT_OK) {
		wait->id[0] = '\0';
		report_soon(wait);
		return wait;
	}
	if (ask_client(wait))
		return wait;
	unlink_wait(wait);
	free(wait);
	return NULL;
}

/* ---- about what runs already ---- */

/* A form as a result would end the call. */
static bool
can_show_form(const struct w_rpc_request *rpc_request)
{
	return rpc_request->client.has_elicitation &&
	       w_mcp_traits(rpc_request->version)->has_elicitation;
}

bool
w_approver_is_attended(struct w_mcp *server)
{
	struct w_approver *approver = w_approver_get(server, NULL);

	return approver != NULL && writ_approvals_is_attended(approver->queue);
}

bool
w_approver_can_ask(struct w_rpc_request *rpc_request)
{
	return can_show_form(rpc_request) ||
	       w_approver_is_attended(rpc_request->server);
}

struct w_approver_wait *
w_approver_ask_running(struct w_rpc_request *rpc_request, const char *id,
    w_approved_fn on_done, void *ctx)
{
	const writ_error none = {0};
	struct w_approver *approver = w_approver_get(rpc_request->server, NULL);
	struct w_approver_wait *wait =
	    approver == NULL
		? NULL
		: new_wait(rpc_request, &none, on_done, ctx, approver);
	W_AUTO_BUF struct w_buf form;

	w_buf_init(&form, FORM_MAX);
	if (wait == NULL) {
		writ_approval_withdraw(rpc_request->server->engine, id);
		return NULL;
	}
	wait->is_running = true;
	(void)snprintf(wait->id, sizeof(wait->id), "%s", id);
	if (can_show_form(rpc_request) && make_form(wait, &form))
		send_form(wait, &form);
	else
		leave_running(wait);
	return wait;
}

void
w_approver_leave(struct w_approver_wait *wait)
{
	if (wait == NULL)
		return;
	unlink_wait(wait);
	free(wait);
}

void
w_approver_withdraw(struct w_approver_wait *wait)
{
	if (wait == NULL)
		return;
	unlink_wait(wait);
	if (!wait->is_error_due)
		writ_approval_withdraw(
		    wait->approver->server->engine, wait->id);
	free(wait);
}

/* ---- event loop ---- */

int
w_approver_fd(struct w_mcp *server)
{
	struct w_approver *approver = server->approver;
	const struct w_approver_wait *wait =
	    approver == NULL ? NULL : approver->waits;

	while (wait != NULL && wait->is_error_due)
		wait = wait->next;
	return wait == NULL ? -1 : writ_approvals_fd(approver->queue, NULL);
}

/* Finishing one may change the list. */
static bool
finish_one(struct w_approver *approver)
{
	for (struct w_approver_wait *wait = approver->waits; wait != NULL;
	     wait = wait->next) {
		if (wait->is_error_due ||
		    w_approver_state(approver, wait->id) ==
			WRIT_APPROVAL_PENDING)
			continue;
		approver_ask_finish(wait);
		return true;
	}
	return false;
}

void
w_approver_dispatch(struct w_mcp *server)
{
	struct pollfd queue = {.fd = w_approver_fd(server), .events = POLLIN};

	if (queue.fd < 0 || poll(&queue, 1, 0) <= 0)
		return;
	while (finish_one(server->approver))
		continue;
}

void
w_approver_drop(struct w_connection *connection)
{
	struct w_approver *approver = connection->server->approver;
	struct w_pending_approval *one =
	    approver == NULL ? NULL : approver->pending;

	while (one != NULL) {
		struct w_pending_approval *next = one->next;

		if (one->connection == connection) {
			writ_approval_withdraw(
			    approver->server->engine, one->id);
			w_pending_approval_forget(approver, one);
		}
		one = next;
	}
}

void
w_approver_free(struct w_mcp *server)
{
	struct w_approver *approver = server->approver;

	if (approver == NULL)
		return;
	while (approver->waits != NULL)
		w_approver_withdraw(approver->waits);
	while (approver->pending != NULL)
		w_pending_approval_forget(approver, approver->pending);
	writ_approvals_free(approver->queue);
	explicit_bzero(&approver->signer, sizeof(approver->signer));
	free(approver);
	server->approver = NULL;
}
