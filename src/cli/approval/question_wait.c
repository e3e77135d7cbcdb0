/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Puts a question into the queue and sees it answered. The terminal is only
 * one more place to answer from: what is typed there goes into the queue like
 * any other answer, and is on record like it.
 */

#include "cli/approval/question_wait.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "base/duration.h"
#include "base/error.h"
#include "cli/approval/question.h"
#include "cli/approval/question_dialog.h"
#include "cli/output/print.h"
#include "cli/run/detach.h"

/* How long the end of the time may go unnoticed. */
#define POLL_MS 1000

static writ_status
give_up(const struct w_question_options *plan, const char *id, writ_error *err)
{
	writ_approval_withdraw(plan->engine, id);
	return w_fail(err, WRIT_E_REFUSED, "approval", 0,
	    "given up before approval %s was answered", id);
}

/* ---- waiting for others ---- */

void
w_question_note_wait(const char *id, const char *left)
{
	w_print_note("waiting for approval %s (writ approvals approve %s), %s "
		     "left",
	    id, id, left);
}

static void
question_wait_tell(
    const struct w_question_options *plan, const char *id, yyjson_val *question)
{
	W_AUTO_BUF struct w_buf left;

	w_buf_init(&left, W_DURATION_TEXT_MAX);
	w_question_add_left(&left, question, w_question_now_ms());
	if (plan->parent_fd >= 0)
		w_detach_report_waiting(plan->parent_fd, id, left.data);
	else if (!plan->is_quiet)
		w_question_note_wait(id, left.data);
}

static writ_status
question_wait_look(writ_approvals *approvals, const char *id,
    writ_approval_state *out_state, writ_error *err)
{
	struct w_json *json = NULL;

	writ_status status = w_question_load(approvals, id, &json, err);
	if (status != WRIT_OK)
		return status;
	*out_state = w_question_state(w_json_root(json));
	w_json_free(json);
	return WRIT_OK;
}

static writ_status
wait_for_others(const struct w_question_options *plan,
    writ_approvals *approvals, const char *id, writ_error *err)
{
	const int queue_fd = writ_approvals_fd(approvals, err);
	writ_approval_state state = WRIT_APPROVAL_PENDING;
	writ_status status = queue_fd < 0 ? WRIT_E_SYSTEM : WRIT_OK;

	while (status == WRIT_OK && state == WRIT_APPROVAL_PENDING) {
		struct pollfd polls[] = {
		    {.fd = plan->signal_fd, .events = POLLIN},
		    {.fd = plan->parent_fd, .events = POLLIN},
		    {.fd = queue_fd, .events = POLLIN},
		};

		if (poll(polls, 3, POLL_MS) < 0 && errno != EINTR)
			return w_fail(err, WRIT_E_SYSTEM, "approval", errno,
			    "cannot wait for an answer");
		if (polls[0].revents != 0 || polls[1].revents != 0)
			return give_up(plan, id, err);
		status = question_wait_look(approvals, id, &state, err);
	}
	return status;
}

/* ---- both ways ---- */

static writ_status
ask_here(const struct w_question_options *plan,
    struct w_question_dialog *dialog, writ_error *err)
{
	enum w_question_end end = W_QUESTION_STOPPED;

	dialog->signal_fd = plan->signal_fd;
	dialog->stop_denies = true;
	writ_status status = w_question_dialog(dialog, &end, err);
	w_question_terminal_close(&dialog->terminal);
	if (status == WRIT_OK && end == W_QUESTION_STOPPED)
		return give_up(plan, dialog->id, err);
	return status;
}

static writ_status
see_answered(const struct w_question_options *plan, writ_approvals *approvals,
    const char *id, writ_error *err)
{
	struct w_question_dialog dialog = {.approvals = approvals, .id = id};
	struct w_json *json = NULL;

	if (plan->has_terminal && w_question_terminal_open(&dialog.terminal))
		return ask_here(plan, &dialog, err);
	if (w_question_load(approvals, id, &json, err) != WRIT_OK)
		return err->status;
	question_wait_tell(plan, id, w_json_root(json));
	w_json_free(json);
	return wait_for_others(plan, approvals, id, err);
}

/* The setting is a duration in its normal form. */
static writ_status
find_timeout(
    const struct w_question_options *plan, uint64_t *out_ms, writ_error *err)
{
	writ_config *own = NULL;

	if (plan->timeout_ms > 0) {
		*out_ms = plan->timeout_ms;
		return WRIT_OK;
	}
	if (plan->config == NULL && writ_config_new(&own, err) != WRIT_OK)
		return err->status;
	const char *text = writ_config_get(
	    own != NULL ? own : plan->config, "approval_timeout");
	writ_status status =
	    text == NULL ? WRIT_OK : w_duration_parse(text, out_ms, err);
	writ_config_free(own);
	return status;
}

writ_status
w_question_wait(const struct w_question_options *plan,
    char out_id[WRIT_APPROVAL_ID_LEN + 1], writ_error *err)
{
	writ_ask_options options = WRIT_ASK_OPTIONS_INIT;
	writ_approvals *approvals = NULL;

	writ_status status = find_timeout(plan, &options.timeout_ms, err);
	if (status == WRIT_OK)
		status = writ_approvals_open(plan->config, &approvals, err);
	if (status == WRIT_OK)
		status = writ_approval_ask(
		    plan->engine, plan->request, &options, out_id, err);
	if (status == WRIT_OK) {
		status = see_answered(plan, approvals, out_id, err);
		/* A question that nobody waits for any more is not open. */
		if (status != WRIT_OK && status != WRIT_E_REFUSED)
			writ_approval_withdraw(plan->engine, out_id);
	}
	writ_approvals_free(approvals);
	return status;
}
