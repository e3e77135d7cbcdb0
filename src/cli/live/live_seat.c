/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A person who watches.
 *
 * One poll() waits for keys, for signals, for another size of the window, for
 * the queue and for the trail. While something is running or waits for an
 * answer, it also wakes each second: times are shown. Otherwise nothing happens
 * until an event comes.
 *
 * A question is answered in the dialog of `writ approvals watch`, which has the
 * screen meanwhile: nothing is approved that was not shown there.
 */

#include "cli/live/live_seat.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/error.h"
#include "cli/approval/question_dialog.h"
#include "cli/live/live_keys.h"
#include "cli/live/live_output.h"
#include "cli/live/live_plain.h"
#include "cli/live/live_questions.h"
#include "cli/live/live_screen.h"
#include "cli/live/live_view.h"
#include "cli/output/signals.h"
#include "cli/output/terminal_guard.h"
#include "cli/run/kill_target.h"

#define TICK_MS 1000

/* The pause between two drawings: many events are drawn together. */
#define PAUSE_MS   50
#define NOTICE_MAX 1024
#define PROMPT_MAX 160

enum {
	BY_SIGNAL = 128
};

/* Indices into the poll set. */
enum {
	AT_SIGNAL,
	AT_KEYS,
	AT_WINDOW,
	AT_QUEUE,
	AT_WAKE,
	AT_COUNT,
};

struct live_seat {
	struct w_live_feed *feed;
	int signal_fd;
	int exit_status; /* -1: continue */
	struct w_question_terminal terminal;
	struct w_question_screen block; /* draws questions; knows the window */
	struct w_question_list list;    /* of the dialog */
	struct w_live_screen screen;
	struct w_live_questions questions;
	struct w_live_output output;
	char output_id[W_LIVE_ID_SIZE]; /* the run whose output it is */
	struct w_live_view view;
	struct w_live_keys keys;
	char notice[NOTICE_MAX];
	char prompt[PROMPT_MAX];
	char
	    victim[W_LIVE_ID_SIZE]; /* the run that may be ended; empty: none */
	bool has_bell;
	bool has_more; /* output that was not read yet */
	bool is_short_of_memory;
};

/* ---- what happens ---- */

static void
live_seat_take(void *ctx, const struct w_live_event *event)
{
	struct live_seat *seat = ctx;

	if (event->run != NULL)
		return;
	seat->has_bell = seat->has_bell || event->kind == W_LIVE_ASKED;
	if (!w_live_questions_take(&seat->questions, event))
		seat->is_short_of_memory = true;
}

/* Keeps the chosen one; else chooses the newest running one. */
static void
live_seat_choose(struct live_seat *seat)
{
	struct w_live_view *view = &seat->view;
	const size_t count = w_live_view_count(view);

	if (w_live_view_find(view) < count)
		return;
	view->is_whole = false;
	view->chosen[0] = '\0';
	if (count > 0)
		(void)snprintf(view->chosen, sizeof(view->chosen), "%s",
		    w_live_view_id(view, seat->questions.count < count
					     ? seat->questions.count
					     : 0));
}

/* Reads the output of the chosen run. */
static void
live_seat_follow(struct live_seat *seat)
{
	const struct w_live_run *run =
	    w_live_runs_find(&seat->feed->runs, seat->view.chosen);
	const size_t before = w_live_output_count(&seat->output);
	bool is_changed = false;

	if (strcmp(seat->output_id, seat->view.chosen) != 0) {
		w_live_output_done(&seat->output);
		memcpy(seat->output_id, seat->view.chosen,
		    sizeof(seat->output_id));
		seat->view.back = 0;
	}
	seat->has_more = run != NULL && w_live_output_read(&seat->output,
					    run->recording, &is_changed);
	/* What a person reads stays where it is. */
	if (seat->view.back > 0)
		seat->view.back += w_live_output_count(&seat->output) - before;
}

static writ_status
live_seat_draw(struct live_seat *seat, writ_error *err)
{
	struct w_live_view *view = &seat->view;
	W_AUTO_WORDS struct w_words lines = {.items = NULL};

	live_seat_choose(seat);
	live_seat_follow(seat);
	view->columns = seat->block.columns;
	view->rows = seat->block.rows;
	view->notice = seat->notice[0] == '\0' ? NULL : seat->notice;
	view->prompt = seat->prompt[0] == '\0' ? NULL : seat->prompt;
	const bool is_done = !seat->is_short_of_memory &&
			     w_live_view_lines(view, &lines) &&
			     w_live_screen_draw(&seat->screen, &lines,
				 view->columns, seat->has_bell);
	seat->has_bell = false;
	return is_done ? WRIT_OK : w_fail_nomem(err, "watch");
}

/* ---- questions ---- */

/* The question after this one, or before it; of one alone, itself. */
static void
move_question(struct live_seat *seat, char *id, bool is_forward)
{
	const size_t count = seat->list.ids.count;
	size_t at = w_question_list_find(&seat->list, id);

	if (count == 0)
		return;
	at = at == count ? 0 : (at + (is_forward ? 1 : count - 1)) % count;
	(void)snprintf(
	    id, WRIT_APPROVAL_ID_LEN + 1, "%s", seat->list.ids.items[at]);
}

static writ_status
live_seat_ask(struct live_seat *seat, const char *first, writ_error *err)
{
	char id[WRIT_APPROVAL_ID_LEN + 1];
	enum w_question_end end = W_QUESTION_GONE_ON;
	writ_status status = WRIT_OK;

	(void)snprintf(id, sizeof(id), "%s", first);
	w_live_screen_lend(&seat->screen);
	/* What was typed before the question was shown is no answer. */
	w_question_terminal_forget(&seat->terminal);
	/* The bell has rung for these. */
	status = w_question_list_load(&seat->list, seat->feed->approvals, err);
	while (status == WRIT_OK &&
	       (end == W_QUESTION_GONE_ON || end == W_QUESTION_GONE_BACK)) {
		struct w_question_dialog dialog = {
		    .approvals = seat->feed->approvals,
		    .id = id,
		    .has_list = true,
		    .signal_fd = seat->signal_fd,
		    .list = &seat->list,
		    .screen = &seat->block,
		};

		seat->list.has_news = false;
		status = w_question_dialog(&dialog, &end, err);
		if (end == W_QUESTION_GONE_ON || end == W_QUESTION_GONE_BACK)
			move_question(seat, id, end == W_QUESTION_GONE_ON);
		if (status == WRIT_OK && end == W_QUESTION_ELSEWHERE)
			(void)snprintf(seat->notice, sizeof(seat->notice),
			    "question %s: %s", id,
			    w_question_state_words(dialog.state));
	}
	w_question_screen_keep(&seat->block);
	w_live_screen_take_back(&seat->screen);
	/* A key that was meant for the question is none for the list. */
	w_question_terminal_forget(&seat->terminal);
	if (status == WRIT_OK && end == W_QUESTION_STOPPED)
		seat->exit_status = BY_SIGNAL + SIGINT;
	return status;
}

/* ---- ending a run ---- */

static void
live_seat_doom(struct live_seat *seat)
{
	const struct w_live_run *run =
	    w_live_runs_find(&seat->feed->runs, seat->view.chosen);

	if (run == NULL || w_live_run_is_over(run)) {
		(void)snprintf(seat->notice, sizeof(seat->notice),
		    "choose a run that is going on");
		return;
	}
	memcpy(seat->victim, run->id, sizeof(seat->victim));
	(void)snprintf(seat->prompt, sizeof(seat->prompt),
	    "End %s? y: yes, other keys: no", run->id);
}

static writ_status
live_seat_tell(struct live_seat *seat, writ_error *err)
{
	W_AUTO_RECORDED_RUN struct w_recorded_run recorded = {.pid = 0};
	writ_status status = w_recorded_run_find(
	    seat->feed->audit, seat->victim, &recorded, err);

	return status == WRIT_OK ? w_cli_kill_tell(&recorded, seat->feed->audit,
				       seat->feed->state_dir, false, err)
				 : status;
}

static void
live_seat_kill(struct live_seat *seat, bool is_sure)
{
	writ_error why;

	seat->prompt[0] = '\0';
	if (is_sure && live_seat_tell(seat, &why) != WRIT_OK)
		(void)snprintf(seat->notice, sizeof(seat->notice), "%s%s%s",
		    why.message,
		    why.suggestion[0] == '\0' ? "" : "; try: ", why.suggestion);
	else if (is_sure)
		(void)snprintf(seat->notice, sizeof(seat->notice),
		    "run %s was told to end", seat->victim);
	seat->victim[0] = '\0';
}

/* ---- keys ---- */

static void
live_seat_move(struct live_seat *seat, bool is_forward, size_t steps)
{
	struct w_live_view *view = &seat->view;
	const size_t count = w_live_view_count(view);
	const size_t lines = w_live_output_count(&seat->output);
	size_t at = w_live_view_find(view);

	if (view->is_whole) {
		if (is_forward)
			view->back -= steps < view->back ? steps : view->back;
		else
			view->back = view->back + steps < lines
					 ? view->back + steps
					 : lines;
		return;
	}
	if (count == 0)
		return;
	if (is_forward)
		at = at + steps < count ? at + steps : count - 1;
	else
		at = at > steps ? at - steps : 0;
	(void)snprintf(
	    view->chosen, sizeof(view->chosen), "%s", w_live_view_id(view, at));
}

static writ_status
live_seat_open(struct live_seat *seat, writ_error *err)
{
	if (w_live_questions_find(&seat->questions, seat->view.chosen) != NULL)
		return live_seat_ask(seat, seat->view.chosen, err);
	seat->view.is_whole = seat->view.chosen[0] != '\0';
	seat->view.back = 0;
	return WRIT_OK;
}

static writ_status
live_seat_press(
    struct live_seat *seat, enum w_live_key key, char byte, writ_error *err)
{
	const size_t page = w_live_view_page(&seat->view) / 2 + 1;

	if (key == W_LIVE_NONE)
		return WRIT_OK;
	seat->notice[0] = '\0';
	if (seat->victim[0] != '\0' && key != W_LIVE_STOP) {
		live_seat_kill(seat, byte == 'y');
		return WRIT_OK;
	}
	switch (key) {
	case W_LIVE_DOWN:
	case W_LIVE_UP:
		live_seat_move(seat, key == W_LIVE_DOWN, 1);
		break;
	case W_LIVE_PAGE_DOWN:
	case W_LIVE_PAGE_UP:
		live_seat_move(seat, key == W_LIVE_PAGE_DOWN, page);
		break;
	case W_LIVE_OPEN:
		return live_seat_open(seat, err);
	case W_LIVE_BACK:
		seat->view.is_whole = false;
		seat->view.back = 0;
		break;
	case W_LIVE_QUESTION:
		if (seat->questions.count > 0)
			return live_seat_ask(
			    seat, seat->questions.items[0].id, err);
		(void)snprintf(
		    seat->notice, sizeof(seat->notice), "no question waits");
		break;
	case W_LIVE_END:
		live_seat_doom(seat);
		break;
	case W_LIVE_QUIT:
		seat->exit_status = 0;
		break;
	case W_LIVE_STOP:
		seat->exit_status = BY_SIGNAL + SIGINT;
		break;
	case W_LIVE_NONE:
	case W_LIVE_OTHER:
		break;
	}
	return WRIT_OK;
}

static writ_status
live_seat_read_keys(struct live_seat *seat, writ_error *err)
{
	char bytes[64];
	const ssize_t len = read(seat->terminal.fd, bytes, sizeof(bytes));
	writ_status status = WRIT_OK;

	if (len < 0 && (errno == EINTR || errno == EAGAIN))
		return WRIT_OK;
	if (len <= 0)
		seat->exit_status = BY_SIGNAL + SIGHUP;
	for (ssize_t i = 0;
	     i < len && status == WRIT_OK && seat->exit_status < 0; i++) {
		const enum w_live_key key =
		    w_live_keys_accept(&seat->keys, bytes[i]);

		status = live_seat_press(seat, key, bytes[i], err);
	}
	return status;
}

/* ---- the loop ---- */

static void
live_seat_read_signals(struct live_seat *seat)
{
	struct signalfd_siginfo info;

	while (read(seat->signal_fd, &info, sizeof(info)) ==
	       (ssize_t)sizeof(info)) {
		if (!w_signals_is_ignored((int)info.ssi_signo))
			seat->exit_status = BY_SIGNAL + (int)info.ssi_signo;
	}
}

static int
live_seat_wait_ms(const struct live_seat *seat)
{
	if (seat->has_more)
		return 0;
	if (w_live_keys_has_escape(&seat->keys))
		return W_LIVE_ESCAPE_MS;
	return seat->feed->runs.count > 0 || seat->questions.count > 0 ? TICK_MS
								       : -1;
}

/* Waits, and takes what came. *out_is_read: the feed may have news. */
static writ_status
live_seat_wait(struct live_seat *seat, bool *out_is_read, writ_error *err)
{
	struct pollfd polls[AT_COUNT] = {
	    [AT_SIGNAL] = {.fd = seat->signal_fd, .events = POLLIN},
	    [AT_KEYS] = {.fd = seat->terminal.fd, .events = POLLIN},
	    [AT_WINDOW] = {.fd = seat->block.window_fd, .events = POLLIN},
	    [AT_QUEUE] = {.fd = seat->feed->queue_fd, .events = POLLIN},
	    [AT_WAKE] = {.fd = seat->feed->wake.fd, .events = POLLIN},
	};
	writ_status status = WRIT_OK;

	const int ready = poll(polls, AT_COUNT, live_seat_wait_ms(seat));
	if (ready < 0 && errno != EINTR)
		return w_fail(err, WRIT_E_SYSTEM, "watch", errno,
		    "cannot wait for events");
	*out_is_read = ready == 0 || polls[AT_QUEUE].revents != 0 ||
		       polls[AT_WAKE].revents != 0;
	/* Let more events come, but no key wait. */
	if (polls[AT_QUEUE].revents != 0 || polls[AT_WAKE].revents != 0)
		(void)poll(polls, AT_QUEUE, PAUSE_MS);
	if (polls[AT_SIGNAL].revents != 0)
		live_seat_read_signals(seat);
	if (polls[AT_WINDOW].revents != 0) {
		w_question_screen_measure(&seat->block);
		w_live_screen_clear(&seat->screen);
	}
	if (polls[AT_KEYS].revents != 0)
		status = live_seat_read_keys(seat, err);
	else if (w_live_keys_has_escape(&seat->keys))
		status = live_seat_press(
		    seat, w_live_keys_wake(&seat->keys), '\033', err);
	return status;
}

static writ_status
live_seat_sit(struct live_seat *seat, writ_error *err)
{
	writ_status status = WRIT_OK;
	bool is_read = true;

	while (status == WRIT_OK && seat->exit_status < 0) {
		if (is_read)
			status = w_live_feed_update(seat->feed, err);
		if (status == WRIT_OK)
			status = live_seat_draw(seat, err);
		if (status == WRIT_OK)
			status = live_seat_wait(seat, &is_read, err);
	}
	return status;
}

static void
live_seat_done(struct live_seat *seat)
{
	w_question_screen_done(&seat->block);
	w_question_terminal_close(&seat->terminal);
	w_question_list_done(&seat->list);
	w_live_questions_done(&seat->questions);
	w_live_output_done(&seat->output);
}

writ_status
w_live_seat(
    struct w_live_feed *feed, int signal_fd, int *out_exit, writ_error *err)
{
	struct live_seat seat = {
	    .feed = feed, .signal_fd = signal_fd, .exit_status = -1};
	struct w_terminal_guard guard;
	writ_status status;

	if (!w_question_terminal_open(&seat.terminal))
		return w_fail(err, WRIT_E_SYSTEM, "watch", errno,
		    "cannot use the terminal");
	w_question_screen_init(&seat.block, &seat.terminal);
	if (seat.block.is_dumb) {
		status = w_live_plain(
		    feed, &seat.block, signal_fd, &seat.exit_status, err);
	} else {
		feed->fn = live_seat_take;
		feed->ctx = &seat;
		seat.view = (struct w_live_view){
		    .feed = feed,
		    .questions = &seat.questions,
		    .output = &seat.output,
		    .has_colour = seat.block.has_colour,
		};
		w_terminal_guard_open(&guard, seat.terminal.fd,
		    &seat.terminal.saved, W_LIVE_SCREEN_END);
		w_live_screen_open(&seat.screen, &seat.terminal);
		status = live_seat_sit(&seat, err);
		w_live_screen_close(&seat.screen);
		w_terminal_guard_close(&guard);
	}
	live_seat_done(&seat);
	if (status == WRIT_OK)
		*out_exit = seat.exit_status;
	return status;
}
