/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Asks a question at the terminal: shows the page, then reads keys until there
 * is an answer.
 *
 * One poll() waits for a key, for the queue (somebody else may answer) and for
 * signals. It times out now and then, since questions also expire.
 */

#include "cli/approval/question_dialog.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/printable.h"
#include "cli/approval/question.h"
#include "cli/approval/question_keys.h"
#include "cli/output/print.h"

#define POLL_MS 1000

/* Indices into the poll set. */
enum {
	AT_TERMINAL,
	AT_QUEUE,
	AT_SIGNAL,
	AT_COUNT,
};

struct dialog_state {
	struct w_question_dialog *dialog;
	struct w_question_keys keys;
	struct w_buf out;
	int queue_fd;
	bool is_over;
	enum w_question_end end;
};

static void
question_dialog_finish(
    struct dialog_state *dialog_state, enum w_question_end end)
{
	dialog_state->is_over = true;
	dialog_state->end = end;
}

static void
question_dialog_show(struct dialog_state *dialog_state)
{
	w_question_terminal_show(
	    &dialog_state->dialog->terminal, &dialog_state->out);
}

/* ---- the page ---- */

static writ_status
open_page(struct dialog_state *dialog_state, writ_error *err)
{
	struct w_question_dialog *dialog = dialog_state->dialog;
	struct w_json *json = NULL;
	const uint64_t now_ms = w_question_now_ms();

	writ_status status =
	    w_question_load(dialog->approvals, dialog->id, &json, err);
	if (status != WRIT_OK)
		return status;
	yyjson_val *question = w_json_root(json);
	dialog->state = w_question_state(question);
	w_question_keys_init(&dialog_state->keys,
	    w_question_text(question, "/rule"), dialog->has_later,
	    w_question_terminal_columns(&dialog->terminal));
	w_buf_add_fmt(
	    &dialog_state->out, "writ: approval %s is needed (", dialog->id);
	w_question_add_left(&dialog_state->out, question, now_ms);
	w_buf_add_str(&dialog_state->out, " left)\n\n");
	w_question_add_page(&dialog_state->out, question, now_ms,
	    w_print_has_colour(dialog->terminal.fd));
	w_buf_add_char(&dialog_state->out, '\n');
	w_json_free(json);
	if (dialog_state->out.failed)
		return w_fail(err, WRIT_E_NOMEM, "approval", 0,
		    "the request of approval %s cannot be shown whole",
		    dialog->id);
	if (dialog->state != WRIT_APPROVAL_PENDING)
		question_dialog_finish(dialog_state, W_QUESTION_ELSEWHERE);
	else
		w_question_keys_prompt(&dialog_state->keys, &dialog_state->out);
	question_dialog_show(dialog_state);
	return WRIT_OK;
}

/* ---- the answer ---- */

static writ_status
reload_question(struct dialog_state *dialog_state, writ_error *err)
{
	struct w_question_dialog *dialog = dialog_state->dialog;
	struct w_json *json = NULL;

	writ_status status =
	    w_question_load(dialog->approvals, dialog->id, &json, err);
	if (status != WRIT_OK)
		return status;
	dialog->state = w_question_state(w_json_root(json));
	w_json_free(json);
	if (dialog->state != WRIT_APPROVAL_PENDING && !dialog_state->is_over) {
		w_buf_add_fmt(&dialog_state->out, "\r\033[K%s\n",
		    w_question_state_words(dialog->state));
		question_dialog_show(dialog_state);
		question_dialog_finish(dialog_state, W_QUESTION_ELSEWHERE);
	}
	return WRIT_OK;
}

/* Shows why the rule is invalid, so that the user can fix it. */
static void
question_dialog_complain(
    struct dialog_state *dialog_state, const writ_error *why)
{
	w_buf_add_str(&dialog_state->out, "writ: ");
	(void)w_printable_add(&dialog_state->out, why->message, 0);
	w_buf_add_char(&dialog_state->out, '\n');
	if (why->suggestion[0] != '\0') {
		w_buf_add_str(&dialog_state->out, "  try: ");
		(void)w_printable_add(&dialog_state->out, why->suggestion, 0);
		w_buf_add_char(&dialog_state->out, '\n');
	}
	w_question_keys_prompt(&dialog_state->keys, &dialog_state->out);
	question_dialog_show(dialog_state);
}

static writ_status
question_dialog_answer(struct dialog_state *dialog_state,
    enum w_question_choice choice, writ_error *err)
{
	struct w_question_dialog *dialog = dialog_state->dialog;
	writ_answer given = WRIT_ANSWER_INIT;
	writ_error why;

	given.is_approved = choice != W_QUESTION_DENY;
	given.scope = choice == W_QUESTION_SHAPE     ? WRIT_SCOPE_SHAPE
		      : choice == W_QUESTION_SESSION ? WRIT_SCOPE_SESSION
						     : WRIT_SCOPE_ONCE;
	if (choice == W_QUESTION_SHAPE)
		given.rule = dialog_state->keys.edit.text;

	writ_status status =
	    writ_approvals_answer(dialog->approvals, dialog->id, &given, &why);
	if (status == WRIT_OK) {
		question_dialog_finish(dialog_state, W_QUESTION_ANSWERED);
		return reload_question(dialog_state, err);
	}
	if (reload_question(dialog_state, err) != WRIT_OK)
		return err->status;
	if (!dialog_state->is_over)
		question_dialog_complain(dialog_state, &why);
	return WRIT_OK;
}

static writ_status
stop(struct dialog_state *dialog_state, writ_error *err)
{
	if (dialog_state->dialog->stop_denies &&
	    question_dialog_answer(dialog_state, W_QUESTION_DENY, err) !=
		WRIT_OK)
		return err->status;
	question_dialog_finish(dialog_state, W_QUESTION_STOPPED);
	return WRIT_OK;
}

static writ_status
take_choice(struct dialog_state *dialog_state, enum w_question_choice choice,
    writ_error *err)
{
	if (choice == W_QUESTION_OPEN)
		return WRIT_OK;
	if (choice == W_QUESTION_STOP)
		return stop(dialog_state, err);
	if (choice != W_QUESTION_LATER)
		return question_dialog_answer(dialog_state, choice, err);
	question_dialog_finish(dialog_state, W_QUESTION_LEFT);
	return WRIT_OK;
}

static writ_status
take_keys(struct dialog_state *dialog_state, writ_error *err)
{
	char bytes[64];
	ssize_t len =
	    read(dialog_state->dialog->terminal.fd, bytes, sizeof(bytes));

	if (len < 0 && (errno == EINTR || errno == EAGAIN))
		return WRIT_OK;
	if (len <= 0)
		return stop(dialog_state, err);
	/* Keys after the answer must not answer the next question. */
	for (ssize_t i = 0; i < len && !dialog_state->is_over; i++) {
		const enum w_question_choice choice = w_question_keys_accept(
		    &dialog_state->keys, bytes[i], &dialog_state->out);

		question_dialog_show(dialog_state);
		if (take_choice(dialog_state, choice, err) != WRIT_OK)
			return err->status;
	}
	return WRIT_OK;
}

static writ_status
question_dialog_step(struct dialog_state *dialog_state, writ_error *err)
{
	struct pollfd polls[AT_COUNT] = {
	    [AT_TERMINAL] = {.fd = dialog_state->dialog->terminal.fd,
		.events = POLLIN},
	    [AT_QUEUE] = {.fd = dialog_state->queue_fd, .events = POLLIN},
	    [AT_SIGNAL] = {.fd = dialog_state->dialog->signal_fd,
		.events = POLLIN},
	};

	int ready = poll(polls, AT_COUNT, POLL_MS);
	if (ready < 0 && errno != EINTR)
		return w_fail(err, WRIT_E_SYSTEM, "ask", errno,
		    "cannot wait for an answer");
	if (ready < 0)
		return WRIT_OK;
	if (polls[AT_SIGNAL].revents != 0) {
		w_buf_add_char(&dialog_state->out, '\n');
		question_dialog_show(dialog_state);
		return stop(dialog_state, err);
	}
	if (polls[AT_TERMINAL].revents != 0)
		return take_keys(dialog_state, err);
	return reload_question(dialog_state, err);
}

writ_status
w_question_dialog(struct w_question_dialog *dialog,
    enum w_question_end *out_end, writ_error *err)
{
	struct dialog_state dialog_state = {.dialog = dialog};

	w_buf_init(&dialog_state.out, W_QUESTION_PAGE_MAX);
	dialog_state.queue_fd = writ_approvals_fd(dialog->approvals, err);
	writ_status status = dialog_state.queue_fd < 0
				 ? WRIT_E_SYSTEM
				 : open_page(&dialog_state, err);
	while (status == WRIT_OK && !dialog_state.is_over)
		status = question_dialog_step(&dialog_state, err);
	w_buf_done(&dialog_state.out);
	if (status == WRIT_OK)
		*out_end = dialog_state.end;
	return status;
}
