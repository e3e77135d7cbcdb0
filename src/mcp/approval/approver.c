/* SPDX-License-Identifier: Apache-2.0 */

/* The MCP server's access to the approval queue. */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/auto.h"
#include "base/duration.h"
#include "base/error.h"
#include "base/printable.h"
#include "mcp/approval/approver_state.h"
#include "mcp/approval/elicitation.h"

/* The queue has its own, lower limits. */
#define TEXT_MAX  ((size_t)256 << 20)
#define DEPTH_MAX 512
#define VIA_MAX   160

uint64_t
w_approver_now_ms(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_REALTIME, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* ---- setup ---- */

/* The configuration holds both as normalized durations. */
static writ_status
find_times(
    struct w_approver *approver, const writ_config *config, writ_error *err)
{
	writ_config *own = NULL;

	if (config == NULL && writ_config_new(&own, err) != WRIT_OK)
		return err->status;
	if (config == NULL)
		config = own;
	const char *timeout = writ_config_get(config, "approval_timeout");
	const char *form = writ_config_get(config, "form_time");
	writ_status status =
	    w_duration_parse(timeout, &approver->timeout_ms, err);
	if (status == WRIT_OK)
		status = w_duration_parse(form, &approver->form_ms, err);
	writ_config_free(own);
	return status;
}

struct w_approver *
w_approver_get(struct w_mcp *server, writ_error *err)
{
	const writ_config *config = server->options.config;

	if (server->approver != NULL)
		return server->approver;
	struct w_approver *approver = calloc(1, sizeof(*approver));
	if (approver == NULL) {
		(void)w_fail_nomem(err, "approval");
		return NULL;
	}
	approver->server = server;
	writ_status status = find_times(approver, config, err);
	if (status == WRIT_OK && !w_mcp_token_signer_init(&approver->signer))
		status = w_fail(err, WRIT_E_SYSTEM, "approval", 0,
		    "there are no random numbers for a key");
	if (status == WRIT_OK)
		status = writ_approvals_open(config, &approver->queue, err);
	if (status != WRIT_OK) {
		free(approver);
		return NULL;
	}
	server->approver = approver;
	return approver;
}

/* ---- reading ---- */

writ_status
w_approver_load(struct w_approver *approver, const char *id,
    struct w_json **out_json, writ_error *err)
{
	const struct w_json_limits limits = {
	    .bytes_max = TEXT_MAX, .depth_max = DEPTH_MAX};
	W_AUTO_FREE char *text = NULL;
	size_t len = 0;

	writ_status status =
	    writ_approvals_show(approver->queue, id, &text, &len, err);
	return status == WRIT_OK
		   ? w_json_read(text, len, &limits, out_json, err)
		   : status;
}

/* An unknown state, or a question that cannot be read, is never a yes. */
writ_approval_state
w_approver_state(struct w_approver *approver, const char *id)
{
	static const char *const words[] = {
#define X(name, word) word,
	    WRIT_APPROVAL_STATE_MAP(X)
#undef X
	};
	writ_approval_state state = WRIT_APPROVAL_ABANDONED;
	struct w_json *json = NULL;

	if (w_approver_load(approver, id, &json, NULL) != WRIT_OK)
		return state;
	yyjson_val *word = yyjson_obj_get(w_json_root(json), "state");
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (yyjson_equals_str(word, words[i]))
			state = (writ_approval_state)i;
	}
	w_json_free(json);
	return state;
}

/* ---- answering ---- */

/* The client chooses its own name: it is untrusted text. */
static void
add_via(struct w_buf *via, const struct w_mcp_client *client)
{
	w_buf_add_str(via, "elicitation of ");
	if (client->name[0] == '\0') {
		w_buf_add_str(via, "a client without a name");
		return;
	}
	(void)w_printable_add(via, client->name, 64);
	w_buf_add_str(via, client->version[0] == '\0' ? "" : " ");
	(void)w_printable_add(via, client->version, 32);
}

bool
w_approver_answer(struct w_approver *approver,
    struct w_rpc_request *rpc_request, const char *id, uint64_t shown_ns,
    yyjson_val *result)
{
	const uint64_t took_ms = (w_mcp_now_ns() - shown_ns) / 1000000;
	writ_answer answer = WRIT_ANSWER_INIT;
	struct w_elicitation_answer response;
	W_AUTO_BUF struct w_buf via;

	w_elicitation_read(
	    result, rpc_request->server->options.trust_forms, &response);
	/* An automatic answer comes back at once; it is not a person's. */
	if (!response.is_closed && took_ms < approver->form_ms) {
		response.is_closed = true;
		(void)snprintf(response.note, sizeof(response.note),
		    "the form came back after %" PRIu64
		    " ms, sooner than a person can read it",
		    took_ms);
	}
	w_buf_init(&via, VIA_MAX * 4);
	add_via(&via, &rpc_request->client);
	answer.is_approved = response.is_approved;
	answer.scope = response.scope;
	answer.note = response.note[0] == '\0' ? NULL : response.note;
	answer.via = via.data;
	/* Failures are ignored: the question stays as it was, and the run
	 * learns that nobody agreed, or what somebody else answered. */
	if (response.is_closed) {
		w_rpc_request_log(rpc_request, W_MCP_LEVEL_NOTICE,
		    "approval %s stays open: %s", id, response.note);
		(void)writ_approvals_closed(
		    approver->queue, id, answer.via, response.note, NULL);
	} else {
		(void)writ_approvals_answer(approver->queue, id, &answer, NULL);
	}
	return w_approver_state(approver, id) != WRIT_APPROVAL_PENDING;
}
