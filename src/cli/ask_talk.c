/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A question at the terminal: the page, then keys until there is an answer.
 *
 * One poll() waits for a key, for the queue (somebody else may answer) and for
 * signals; now and then the clock is looked at, since time ends a question
 * too.
 */

#include "cli/ask_talk.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/plain.h"
#include "cli/ask_keys.h"
#include "cli/print.h"
#include "cli/question.h"

#define LOOK_MS 1000

/* Indices into the poll set. */
enum {
	AT_TERMINAL,
	AT_QUEUE,
	AT_SIGNAL,
	AT_COUNT,
};

struct talking {
	struct w_ask_talk *talk;
	struct w_ask_keys keys;
	struct w_buf out;
	int queue_fd;
	bool is_over;
	enum w_ask_end end;
};

static void
finish(struct talking *talking, enum w_ask_end end)
{
	talking->is_over = true;
	talking->end = end;
}

static void
show(struct talking *talking)
{
	w_ask_terminal_show(&talking->talk->terminal, &talking->out);
}

/* ---- the page ---- */

static writ_status
open_page(struct talking *talking, writ_error *err)
{
	struct w_ask_talk *talk = talking->talk;
	struct w_json *json = NULL;
	const uint64_t now_ms = w_ask_now_ms();

	writ_status status = w_ask_load(talk->approvals, talk->id, &json, err);
	if (status != WRIT_OK)
		return status;
	yyjson_val *question = w_json_root(json);
	talk->state = w_question_state(question);
	w_ask_keys_init(&talking->keys, w_question_text(question, "/rule"),
	    talk->has_later, w_ask_terminal_columns(&talk->terminal));
	w_buf_add_fmt(&talking->out, "writ: approval %s is needed (", talk->id);
	w_question_add_left(&talking->out, question, now_ms);
	w_buf_add_str(&talking->out, " left)\n\n");
	w_question_add_page(&talking->out, question, now_ms,
	    w_print_has_colour(talk->terminal.fd));
	w_buf_add_char(&talking->out, '\n');
	w_json_free(json);
	if (talking->out.failed)
		return w_fail(err, WRIT_E_NOMEM, "approval", 0,
		    "the request of approval %s cannot be shown whole",
		    talk->id);
	if (talk->state != WRIT_APPROVAL_PENDING)
		finish(talking, W_ASK_ELSEWHERE);
	else
		w_ask_keys_prompt(&talking->keys, &talking->out);
	show(talking);
	return WRIT_OK;
}

/* ---- answering ---- */

static writ_status
look(struct talking *talking, writ_error *err)
{
	struct w_ask_talk *talk = talking->talk;
	struct w_json *json = NULL;

	writ_status status = w_ask_load(talk->approvals, talk->id, &json, err);
	if (status != WRIT_OK)
		return status;
	talk->state = w_question_state(w_json_root(json));
	w_json_free(json);
	if (talk->state != WRIT_APPROVAL_PENDING && !talking->is_over) {
		w_buf_add_fmt(&talking->out, "\r\033[K%s\n",
		    w_ask_state_words(talk->state));
		show(talking);
		finish(talking, W_ASK_ELSEWHERE);
	}
	return WRIT_OK;
}

/* The rule was not in order, and says why: it can be mended. */
static void
complain(struct talking *talking, const writ_error *why)
{
	w_buf_add_str(&talking->out, "writ: ");
	(void)w_plain_add(&talking->out, why->message, 0);
	w_buf_add_char(&talking->out, '\n');
	if (why->suggestion[0] != '\0') {
		w_buf_add_str(&talking->out, "  try: ");
		(void)w_plain_add(&talking->out, why->suggestion, 0);
		w_buf_add_char(&talking->out, '\n');
	}
	w_ask_keys_prompt(&talking->keys, &talking->out);
	show(talking);
}

static writ_status
answer(struct talking *talking, enum w_ask_choice choice, writ_error *err)
{
	struct w_ask_talk *talk = talking->talk;
	writ_answer given = WRIT_ANSWER_INIT;
	writ_error why;

	given.is_approved = choice != W_ASK_DENY;
	given.scope = choice == W_ASK_SHAPE     ? WRIT_SCOPE_SHAPE
		      : choice == W_ASK_SESSION ? WRIT_SCOPE_SESSION
						: WRIT_SCOPE_ONCE;
	if (choice == W_ASK_SHAPE)
		given.rule = talking->keys.edit.text;

	writ_status status =
	    writ_approvals_answer(talk->approvals, talk->id, &given, &why);
	if (status == WRIT_OK) {
		finish(talking, W_ASK_ANSWERED);
		return look(talking, err);
	}
	if (look(talking, err) != WRIT_OK)
		return err->status;
	if (!talking->is_over)
		complain(talking, &why);
	return WRIT_OK;
}

static writ_status
stop(struct talking *talking, writ_error *err)
{
	if (talking->talk->stop_denies &&
	    answer(talking, W_ASK_DENY, err) != WRIT_OK)
		return err->status;
	finish(talking, W_ASK_STOPPED);
	return WRIT_OK;
}

static writ_status
take_choice(struct talking *talking, enum w_ask_choice choice, writ_error *err)
{
	if (choice == W_ASK_OPEN)
		return WRIT_OK;
	if (choice == W_ASK_STOP)
		return stop(talking, err);
	if (choice != W_ASK_LATER)
		return answer(talking, choice, err);
	finish(talking, W_ASK_LEFT);
	return WRIT_OK;
}

static writ_status
take_keys(struct talking *talking, writ_error *err)
{
	char bytes[64];
	ssize_t len = read(talking->talk->terminal.fd, bytes, sizeof(bytes));

	if (len < 0 && (errno == EINTR || errno == EAGAIN))
		return WRIT_OK;
	if (len <= 0)
		return stop(talking, err);
	/* Keys behind the answer were meant for no other question. */
	for (ssize_t i = 0; i < len && !talking->is_over; i++) {
		const enum w_ask_choice choice =
		    w_ask_keys_take(&talking->keys, bytes[i], &talking->out);

		show(talking);
		if (take_choice(talking, choice, err) != WRIT_OK)
			return err->status;
	}
	return WRIT_OK;
}

static writ_status
step(struct talking *talking, writ_error *err)
{
	struct pollfd polls[AT_COUNT] = {
	    [AT_TERMINAL] = {.fd = talking->talk->terminal.fd,
		.events = POLLIN},
	    [AT_QUEUE] = {.fd = talking->queue_fd, .events = POLLIN},
	    [AT_SIGNAL] = {.fd = talking->talk->signal_fd, .events = POLLIN},
	};

	int ready = poll(polls, AT_COUNT, LOOK_MS);
	if (ready < 0 && errno != EINTR)
		return w_fail(err, WRIT_E_SYSTEM, "ask", errno,
		    "cannot wait for an answer");
	if (ready < 0)
		return WRIT_OK;
	if (polls[AT_SIGNAL].revents != 0) {
		w_buf_add_char(&talking->out, '\n');
		show(talking);
		return stop(talking, err);
	}
	if (polls[AT_TERMINAL].revents != 0)
		return take_keys(talking, err);
	return look(talking, err);
}

writ_status
w_ask_talk(struct w_ask_talk *talk, enum w_ask_end *out_end, writ_error *err)
{
	struct talking talking = {.talk = talk};

	w_buf_init(&talking.out, W_QUESTION_PAGE_MAX);
	talking.queue_fd = writ_approvals_fd(talk->approvals, err);
	writ_status status =
	    talking.queue_fd < 0 ? WRIT_E_SYSTEM : open_page(&talking, err);
	while (status == WRIT_OK && !talking.is_over)
		status = step(&talking, err);
	w_buf_done(&talking.out);
	if (status == WRIT_OK)
		*out_end = talking.end;
	return status;
}
