/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Asks a question at the terminal: shows it, then reads keys until there is an
 * answer.
 *
 * One poll() waits for a key, for the queue (somebody else may answer), for
 * signals and for another size of the window. It times out now and then, since
 * questions also expire.
 */

#include "cli/approval/question_dialog.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "cli/approval/question.h"
#include "cli/approval/question_view.h"
#include "cli/output/line_wrap.h"

#define POLL_MS     1000
#define ESCAPE_MS   50 /* the bytes of one key follow each other faster */
#define MESSAGE_MAX 1024

/* Indices into the poll set. */
enum {
	AT_TERMINAL,
	AT_QUEUE,
	AT_SIGNAL,
	AT_WINDOW,
	AT_BUSY,
	AT_COUNT,
};

struct dialog_state {
	struct w_question_dialog *dialog;
	struct w_json *json;
	struct w_question_view view;
	uint64_t deaf_until_ms;
	int queue_fd;
	bool has_rung;
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

/* Rings for a question that was not on a screen before. */
static writ_status
question_dialog_draw(struct dialog_state *dialog_state, writ_error *err)
{
	struct w_question_dialog *dialog = dialog_state->dialog;
	const bool has_bell =
	    dialog->has_list ? dialog->list->has_news : !dialog_state->has_rung;

	dialog_state->has_rung = true;
	dialog->list->has_news = false;
	if (w_question_view_draw(&dialog_state->view, has_bell))
		return WRIT_OK;
	return w_fail(err, WRIT_E_NOMEM, "approval", 0,
	    "the request of approval %s cannot be shown whole",
	    dialog_state->dialog->id);
}

/* Ends the block on the screen with a word. Of a list only a line is left:
 * the next question takes the place. */
static void
question_dialog_close(struct dialog_state *dialog_state, const char *word)
{
	const struct w_question_dialog *dialog = dialog_state->dialog;
	W_AUTO_BUF struct w_buf line;
	W_AUTO_BUF struct w_buf out;

	w_buf_init(&line, W_QUESTION_PAGE_MAX);
	w_buf_init(&out, W_QUESTION_PAGE_MAX);
	if (dialog->has_list) {
		w_question_screen_clear(dialog->screen);
		w_buf_add_fmt(
		    &line, "%s: ", w_question_state_words(dialog->state));
		w_question_add_command(&line, w_json_root(dialog_state->json));
		(void)w_wrap_add_cut(&out, line.data, dialog->screen->columns);
	} else {
		w_buf_add_str(&out, word);
	}
	w_buf_add_char(&out, '\n');
	w_question_screen_add(dialog->screen, &out);
	w_question_screen_keep(dialog->screen);
}

/* ---- the question ---- */

static writ_status
open_question(struct dialog_state *dialog_state, writ_error *err)
{
	struct w_question_dialog *dialog = dialog_state->dialog;

	writ_status status = w_question_load(
	    dialog->approvals, dialog->id, &dialog_state->json, err);
	if (status == WRIT_OK)
		status =
		    w_question_list_load(dialog->list, dialog->approvals, err);
	if (status != WRIT_OK)
		return status;
	yyjson_val *question = w_json_root(dialog_state->json);
	dialog->state = w_question_state(question);
	dialog_state->view = (struct w_question_view){
	    .question = question,
	    .id = dialog->id,
	    .screen = dialog->screen,
	    .list = dialog->list,
	    .has_list = dialog->has_list,
	};
	w_question_keys_init(&dialog_state->view.keys,
	    w_question_text(question, "/rule"), dialog->has_list,
	    dialog->screen->columns);
	if (dialog->state != WRIT_APPROVAL_PENDING) {
		question_dialog_finish(dialog_state, W_QUESTION_ELSEWHERE);
		return WRIT_OK;
	}
	return question_dialog_draw(dialog_state, err);
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
	if (dialog_state->is_over)
		return WRIT_OK;
	if (dialog->state == WRIT_APPROVAL_PENDING)
		return w_question_list_load(
		    dialog->list, dialog->approvals, err);
	w_question_view_leave(&dialog_state->view);
	question_dialog_close(
	    dialog_state, w_question_state_words(dialog->state));
	question_dialog_finish(dialog_state, W_QUESTION_ELSEWHERE);
	return WRIT_OK;
}

/* Shows why the answer is invalid, so that the user can give another one. */
static writ_status
question_dialog_complain(
    struct dialog_state *dialog_state, const writ_error *why, writ_error *err)
{
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, MESSAGE_MAX);
	w_buf_add_str(&text, why->message);
	if (why->suggestion[0] != '\0')
		w_buf_add_fmt(&text, "; try: %s", why->suggestion);
	return w_question_view_notice(&dialog_state->view, text.data)
		   ? question_dialog_draw(dialog_state, err)
		   : w_fail_nomem(err, "approval");
}

static writ_status
question_dialog_answer(struct dialog_state *dialog_state,
    enum w_question_choice choice, writ_error *err)
{
	static const char *const words[] = {
	    [W_QUESTION_ONCE] = "y",
	    [W_QUESTION_SESSION] = "s",
	    [W_QUESTION_SHAPE] = "r",
	    [W_QUESTION_PROJECT] = "p",
	    [W_QUESTION_ALWAYS] = "a",
	    [W_QUESTION_DENY] = "n",
	};
	struct w_question_dialog *dialog = dialog_state->dialog;
	writ_answer given = WRIT_ANSWER_INIT;
	writ_error why;

	given.is_approved = choice != W_QUESTION_DENY;
	given.scope = choice == W_QUESTION_SHAPE     ? WRIT_SCOPE_SHAPE
		      : choice == W_QUESTION_SESSION ? WRIT_SCOPE_SESSION
		      : choice == W_QUESTION_PROJECT ? WRIT_SCOPE_PROJECT
		      : choice == W_QUESTION_ALWAYS  ? WRIT_SCOPE_ALWAYS
						     : WRIT_SCOPE_ONCE;
	if (choice == W_QUESTION_SHAPE)
		given.rule = dialog_state->view.keys.edit.text;

	writ_status status =
	    writ_approvals_answer(dialog->approvals, dialog->id, &given, &why);
	if (status == WRIT_OK) {
		question_dialog_finish(dialog_state, W_QUESTION_ANSWERED);
		status = reload_question(dialog_state, err);
		question_dialog_close(dialog_state, words[choice]);
		return status;
	}
	if (reload_question(dialog_state, err) != WRIT_OK)
		return err->status;
	if (dialog_state->is_over)
		return WRIT_OK;
	return question_dialog_complain(dialog_state, &why, err);
}

static writ_status
stop(struct dialog_state *dialog_state, writ_error *err)
{
	if (dialog_state->dialog->stop_denies &&
	    question_dialog_answer(dialog_state, W_QUESTION_DENY, err) !=
		WRIT_OK)
		return err->status;
	if (!dialog_state->is_over) {
		struct w_buf end;

		w_buf_init(&end, MESSAGE_MAX);
		w_buf_add_char(&end, '\n');
		w_question_screen_add(dialog_state->dialog->screen, &end);
		w_buf_done(&end);
		w_question_screen_keep(dialog_state->dialog->screen);
	}
	question_dialog_finish(dialog_state, W_QUESTION_STOPPED);
	return WRIT_OK;
}

/* ---- keys ---- */

/* What was not seen cannot be approved. */
static bool
is_yes(enum w_question_choice choice)
{
	return choice == W_QUESTION_ONCE || choice == W_QUESTION_SESSION ||
	       choice == W_QUESTION_SHAPE || choice == W_QUESTION_PROJECT ||
	       choice == W_QUESTION_ALWAYS || choice == W_QUESTION_EDIT;
}

/* Nor can a rule. Who edited it has seen it. */
static bool
is_unseen_rule(
    const struct w_question_view *view, enum w_question_choice choice)
{
	return !view->is_rule_seen &&
	       (choice == W_QUESTION_SHAPE || choice == W_QUESTION_PROJECT ||
		   choice == W_QUESTION_ALWAYS);
}

/* While details or help are shown, keys turn their pages. */
static void
turn_page(struct dialog_state *dialog_state, enum w_question_choice choice)
{
	struct w_question_view *view = &dialog_state->view;

	if (choice == W_QUESTION_DETAILS || choice == W_QUESTION_NEXT)
		w_question_view_turn(view, true);
	else if (choice == W_QUESTION_BEFORE)
		w_question_view_turn(view, false);
	else if (choice == W_QUESTION_BACK || choice == W_QUESTION_QUIT ||
		 choice == W_QUESTION_HELP)
		w_question_view_leave(view);
}

/* Goes to another question, or out of the list. */
static void
take_move(struct dialog_state *dialog_state, enum w_question_choice choice)
{
	const bool has_list = dialog_state->dialog->has_list;

	if (choice == W_QUESTION_LATER)
		question_dialog_finish(dialog_state, W_QUESTION_LEFT);
	else if (has_list && choice == W_QUESTION_NEXT)
		question_dialog_finish(dialog_state, W_QUESTION_GONE_ON);
	else if (has_list && choice == W_QUESTION_BEFORE)
		question_dialog_finish(dialog_state, W_QUESTION_GONE_BACK);
	else if (choice == W_QUESTION_QUIT)
		question_dialog_finish(dialog_state, W_QUESTION_CLOSED);
}

static bool
show_text(struct dialog_state *dialog_state, enum w_question_choice choice)
{
	struct w_question_view *view = &dialog_state->view;

	if (choice == W_QUESTION_DETAILS)
		return w_question_view_details(view);
	if (choice == W_QUESTION_HELP)
		return w_question_view_help(view);
	if (choice == W_QUESTION_EDIT) {
		w_question_keys_edit(&view->keys);
		view->is_rule_seen = true;
	}
	return true;
}

static writ_status
take_choice(struct dialog_state *dialog_state, enum w_question_choice choice,
    writ_error *err)
{
	struct w_question_view *view = &dialog_state->view;
	bool is_shown = true;

	if (choice == W_QUESTION_OPEN)
		return WRIT_OK;
	if (choice == W_QUESTION_STOP)
		return stop(dialog_state, err);
	if (choice != W_QUESTION_TYPED)
		is_shown = w_question_view_notice(view, NULL);
	if (w_question_view_has_text(view) && choice != W_QUESTION_DENY) {
		turn_page(dialog_state, choice);
	} else if (is_yes(choice) && !view->is_seen) {
		is_shown = w_question_view_notice(view,
		    "not all of it was shown; press d and read it to its end, "
		    "then answer");
	} else if (is_unseen_rule(view, choice)) {
		is_shown = w_question_view_notice(view,
		    "not all of the rule was shown; press d and read it to its "
		    "end, or e");
	} else if (choice == W_QUESTION_DENY || choice == W_QUESTION_ONCE ||
		   choice == W_QUESTION_SESSION || choice == W_QUESTION_SHAPE ||
		   choice == W_QUESTION_PROJECT ||
		   choice == W_QUESTION_ALWAYS) {
		return question_dialog_answer(dialog_state, choice, err);
	} else {
		is_shown = is_shown && show_text(dialog_state, choice);
		take_move(dialog_state, choice);
	}
	if (!is_shown)
		return w_fail_nomem(err, "approval");
	return dialog_state->is_over ? WRIT_OK
				     : question_dialog_draw(dialog_state, err);
}

static writ_status
take_keys(struct dialog_state *dialog_state, writ_error *err)
{
	char bytes[64];
	ssize_t len = read(
	    dialog_state->dialog->screen->terminal->fd, bytes, sizeof(bytes));

	if (len < 0 && (errno == EINTR || errno == EAGAIN))
		return WRIT_OK;
	if (len <= 0)
		return stop(dialog_state, err);
	const bool is_deaf = w_question_now_ms() < dialog_state->deaf_until_ms;
	/* Keys after the answer must not answer the next question. */
	for (ssize_t i = 0; i < len && !dialog_state->is_over; i++) {
		const enum w_question_choice choice =
		    w_question_keys_accept(&dialog_state->view.keys, bytes[i]);

		if (is_deaf && (is_yes(choice) || choice == W_QUESTION_DENY))
			continue;
		if (take_choice(dialog_state, choice, err) != WRIT_OK)
			return err->status;
	}
	return WRIT_OK;
}

/* ---- the loop ---- */

static writ_status
question_dialog_refresh(struct dialog_state *dialog_state, writ_error *err)
{
	if (w_question_keys_has_escape(&dialog_state->view.keys))
		return take_choice(dialog_state,
		    w_question_keys_wake(&dialog_state->view.keys), err);
	if (reload_question(dialog_state, err) != WRIT_OK)
		return err->status;
	if (dialog_state->is_over || dialog_state->view.keys.is_editing)
		return WRIT_OK;
	return question_dialog_draw(dialog_state, err);
}

static writ_status
question_dialog_step(struct dialog_state *dialog_state, writ_error *err)
{
	const struct w_question_dialog *dialog = dialog_state->dialog;
	struct pollfd polls[AT_COUNT] = {
	    [AT_TERMINAL] = {.fd = dialog->screen->terminal->fd,
		.events = POLLIN},
	    [AT_QUEUE] = {.fd = dialog_state->queue_fd, .events = POLLIN},
	    [AT_SIGNAL] = {.fd = dialog->signal_fd, .events = POLLIN},
	    [AT_WINDOW] = {.fd = dialog->screen->window_fd, .events = POLLIN},
	    [AT_BUSY] = {.fd = dialog->on_busy == NULL ? -1 : dialog->busy_fd,
		.events = POLLIN},
	};
	const bool has_escape =
	    w_question_keys_has_escape(&dialog_state->view.keys);

	/* A lone Escape does not wait for the queue. */
	int ready = has_escape ? poll(polls, 1, ESCAPE_MS)
			       : poll(polls, AT_COUNT, POLL_MS);
	if (ready < 0 && errno != EINTR)
		return w_fail(err, WRIT_E_SYSTEM, "ask", errno,
		    "cannot wait for an answer");
	if (ready < 0)
		return WRIT_OK;
	if (polls[AT_BUSY].revents != 0) {
		dialog->on_busy(dialog->busy_ctx);
		if (--ready == 0)
			return WRIT_OK;
	}
	if (polls[AT_SIGNAL].revents != 0)
		return stop(dialog_state, err);
	if (polls[AT_WINDOW].revents != 0 &&
	    !w_question_view_resize(&dialog_state->view))
		return w_fail_nomem(err, "approval");
	if (polls[AT_TERMINAL].revents != 0)
		return take_keys(dialog_state, err);
	return question_dialog_refresh(dialog_state, err);
}

writ_status
w_question_dialog(struct w_question_dialog *dialog,
    enum w_question_end *out_end, writ_error *err)
{
	struct dialog_state dialog_state = {.dialog = dialog};

	if (dialog->deaf_ms > 0)
		dialog_state.deaf_until_ms =
		    w_question_now_ms() + dialog->deaf_ms;
	dialog_state.queue_fd = writ_approvals_fd(dialog->approvals, err);
	writ_status status = dialog_state.queue_fd < 0
				 ? WRIT_E_SYSTEM
				 : open_question(&dialog_state, err);
	while (status == WRIT_OK && !dialog_state.is_over)
		status = question_dialog_step(&dialog_state, err);
	w_question_view_done(&dialog_state.view);
	w_json_free(dialog_state.json);
	if (status == WRIT_OK)
		*out_end = dialog_state.end;
	return status;
}
