/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Puts a question into the queue and waits for the answer. An answer typed at
 * this terminal goes into the queue like any other, and is recorded like it.
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

/* How late an expired question may be noticed. */
#define POLL_MS 1000

/* How long a question stays open at least for which nobody waits. */
#define STAYS_MS UINT64_C(3600000)

static writ_status
give_up(
    const struct w_question_options *options, const char *id, writ_error *err)
{
	writ_approval_withdraw(options->engine, id);
	return w_fail(err, WRIT_E_REFUSED, "approval", 0,
	    "cancelled while waiting for approval %s", id);
}

/* ---- waiting for another answer ---- */

void
w_question_note_wait(const char *id, const char *left)
{
	w_print_note("waiting for approval %s (writ approvals approve %s), %s "
		     "left",
	    id, id, left);
}

static writ_status
load_state(writ_approvals *approvals, const char *id,
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

/* Whether waiting makes sense: a person is asked here, or reads here what is
 * waited for, or watches the queue; or the caller said how long. */
static bool
can_wait(const struct w_question_options *options, writ_approvals *approvals)
{
	return options->has_terminal || options->has_reader ||
	       options->timeout_ms > 0 || writ_approvals_is_attended(approvals);
}

/* Returns WRIT_E_APPROVAL if nobody can answer any more; the question is
 * withdrawn then. */
static writ_status
wait_for_others(const struct w_question_options *options,
    writ_approvals *approvals, const char *id, writ_error *err)
{
	const int queue_fd = writ_approvals_fd(approvals, err);
	writ_approval_state state = WRIT_APPROVAL_PENDING;
	writ_status status = queue_fd < 0 ? WRIT_E_SYSTEM : WRIT_OK;

	while (status == WRIT_OK && state == WRIT_APPROVAL_PENDING) {
		struct pollfd polls[] = {
		    {.fd = options->signal_fd, .events = POLLIN},
		    {.fd = options->parent_fd, .events = POLLIN},
		    {.fd = queue_fd, .events = POLLIN},
		};

		if (poll(polls, 3, POLL_MS) < 0 && errno != EINTR)
			return w_fail(err, WRIT_E_SYSTEM, "approval", errno,
			    "cannot wait for an answer");
		if (polls[0].revents != 0 || polls[1].revents != 0)
			return give_up(options, id, err);
		status = load_state(approvals, id, &state, err);
		if (status != WRIT_OK || state != WRIT_APPROVAL_PENDING ||
		    can_wait(options, approvals))
			continue;
		/* An answer may come first. */
		writ_approval_withdraw(options->engine, id);
		status = load_state(approvals, id, &state, err);
		if (status == WRIT_OK && state == WRIT_APPROVAL_ABANDONED)
			return WRIT_E_APPROVAL;
	}
	return status;
}

/* ---- here or elsewhere ---- */

static writ_status
ask_here(const struct w_question_options *options, writ_approvals *approvals,
    const char *id, struct w_question_terminal *terminal, writ_error *err)
{
	struct w_question_screen screen;
	struct w_question_list list = {.has_news = false};
	struct w_question_dialog dialog = {.approvals = approvals,
	    .id = id,
	    .signal_fd = options->signal_fd,
	    .stop_denies = true,
	    .list = &list,
	    .screen = &screen};
	enum w_question_end end = W_QUESTION_STOPPED;

	w_question_screen_init(&screen, terminal);
	writ_status status = w_question_dialog(&dialog, &end, err);
	w_question_screen_done(&screen);
	w_question_list_done(&list);
	if (status == WRIT_OK && end == W_QUESTION_STOPPED)
		return give_up(options, id, err);
	return status;
}

static writ_status
await_answer(const struct w_question_options *options,
    writ_approvals *approvals, const char *id, writ_error *err)
{
	struct w_question_terminal terminal;
	struct w_json *json = NULL;
	W_AUTO_BUF struct w_buf left;

	w_buf_init(&left, W_DURATION_TEXT_MAX);
	if (options->has_terminal && w_question_terminal_open(&terminal)) {
		writ_status status =
		    ask_here(options, approvals, id, &terminal, err);

		w_question_terminal_close(&terminal);
		return status;
	}
	if (w_question_load(approvals, id, &json, err) != WRIT_OK)
		return err->status;
	w_question_add_left(&left, w_json_root(json), w_question_now_ms());
	w_json_free(json);
	if (options->parent_fd >= 0)
		w_detach_report_waiting(options->parent_fd, id, left.data);
	else if (!options->is_quiet)
		w_question_note_wait(id, left.data);
	return wait_for_others(options, approvals, id, err);
}

/* ---- nobody here ---- */

/* A model is not told to approve its own request. */
void
w_question_suggest(writ_error *err, const char *id, bool is_agent)
{
	w_suggest(err,
	    is_agent ? "a person has to approve %s; then run the same again "
		       "with --approval %s"
		     : "writ approvals approve %s, then run the same again "
		       "with --approval %s",
	    id, id);
}

/* Leaves the question open, and fails with the error that led to it. */
static writ_status
leave_question(const struct w_question_options *options,
    writ_ask_options *ask_options, char out_id[WRIT_APPROVAL_ID_LEN + 1],
    writ_error *err)
{
	writ_error refused = *err;

	ask_options->stays = true;
	if (ask_options->timeout_ms < STAYS_MS)
		ask_options->timeout_ms = STAYS_MS;
	writ_status status = writ_approval_ask(
	    options->engine, options->request, ask_options, out_id, err);
	if (status != WRIT_OK)
		return status;
	w_question_suggest(&refused, out_id, options->is_agent);
	*err = refused;
	return refused.status;
}

/* The value is a normalized duration. */
static writ_status
find_timeout(
    const struct w_question_options *options, uint64_t *out_ms, writ_error *err)
{
	writ_config *own = NULL;

	if (options->timeout_ms > 0) {
		*out_ms = options->timeout_ms;
		return WRIT_OK;
	}
	if (options->config == NULL && writ_config_new(&own, err) != WRIT_OK)
		return err->status;
	const char *text = writ_config_get(
	    own != NULL ? own : options->config, "approval_timeout");
	writ_status status =
	    text == NULL ? WRIT_OK : w_duration_parse(text, out_ms, err);
	writ_config_free(own);
	return status;
}

static writ_status
ask_and_wait(const struct w_question_options *options,
    writ_approvals *approvals, const writ_ask_options *ask_options,
    char out_id[WRIT_APPROVAL_ID_LEN + 1], writ_error *err)
{
	writ_status status = writ_approval_ask(
	    options->engine, options->request, ask_options, out_id, err);

	if (status != WRIT_OK)
		return status;
	status = await_answer(options, approvals, out_id, err);
	/* Nobody waits any more, so the question must not stay open. */
	if (status != WRIT_OK && status != WRIT_E_REFUSED)
		writ_approval_withdraw(options->engine, out_id);
	return status;
}

writ_status
w_question_wait(const struct w_question_options *options,
    char out_id[WRIT_APPROVAL_ID_LEN + 1], writ_error *err)
{
	writ_ask_options ask_options = WRIT_ASK_OPTIONS_INIT;
	writ_approvals *approvals = NULL;
	const writ_error refused = *err;

	out_id[0] = '\0';
	writ_status status =
	    find_timeout(options, &ask_options.timeout_ms, err);
	if (status == WRIT_OK)
		status = writ_approvals_open(options->config, &approvals, err);
	if (status != WRIT_OK)
		return status;
	if (can_wait(options, approvals))
		status =
		    ask_and_wait(options, approvals, &ask_options, out_id, err);
	else
		status = WRIT_E_APPROVAL;
	if (status == WRIT_E_APPROVAL) {
		*err = refused;
		status = leave_question(options, &ask_options, out_id, err);
	}
	writ_approvals_free(approvals);
	return status;
}
