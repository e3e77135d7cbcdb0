/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A person who answers questions.
 *
 * The oldest question that the person has not left for later is asked. The
 * terminal stays open between two questions, so that q works there, too; what
 * was typed before a question was shown is thrown away.
 */

#include "cli/approval/question_seat.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/error.h"
#include "base/words.h"
#include "cli/approval/question_dialog.h"
#include "cli/approval/question_keys.h"
#include "cli/output/signals.h"

/* A question that expires changes no file, so the queue is also polled. */
#define POLL_MS 1000

/* The question that was shown is gone: a key may still be meant for it. */
#define DEAF_MS      700
#define NOTE_LEN_MAX 256

enum {
	BY_SIGNAL = 128
};

struct seat {
	writ_approvals *approvals;
	int signal_fd;
	int queue_fd;
	struct w_question_terminal terminal;
	struct w_question_screen screen;
	struct w_question_list list;
	struct w_question_keys keys;           /* while nothing is asked */
	struct w_words left;                   /* for later */
	char chosen[WRIT_APPROVAL_ID_LEN + 1]; /* empty: none */
	bool was_moved;                        /* the person chose it */
	bool was_taken;  /* somebody else answered the last one */
	int exit_status; /* -1: continue */
};

/* ---- which question ---- */

static bool
is_left(const struct seat *seat, const char *id)
{
	for (size_t i = 0; i < seat->left.count; i++) {
		if (strcmp(seat->left.items[i], id) == 0)
			return true;
	}
	return false;
}

static void
choose(struct seat *seat, size_t at)
{
	seat->chosen[0] = '\0';
	if (at < seat->list.ids.count)
		strncat(seat->chosen, seat->list.ids.items[at],
		    WRIT_APPROVAL_ID_LEN);
}

/* Keeps the chosen question if it still waits; else takes the oldest one that
 * was not left. */
static void
choose_open(struct seat *seat)
{
	const size_t count = seat->list.ids.count;
	size_t at = 0;

	if (seat->chosen[0] != '\0' &&
	    w_question_list_find(&seat->list, seat->chosen) < count)
		return;
	seat->was_moved = false;
	while (at < count && is_left(seat, seat->list.ids.items[at]))
		at++;
	choose(seat, at);
}

static void
move_choice(struct seat *seat, bool is_forward)
{
	const size_t count = seat->list.ids.count;
	const size_t at = w_question_list_find(&seat->list, seat->chosen);

	seat->was_moved = true;
	if (count == 0 || at == count)
		choose(seat, is_forward || count == 0 ? 0 : count - 1);
	else if (is_forward)
		choose(seat, (at + 1) % count);
	else
		choose(seat, (at + count - 1) % count);
}

/* ---- asking ---- */

static writ_status
take_end(struct seat *seat, enum w_question_end end, writ_error *err)
{
	switch (end) {
	case W_QUESTION_ANSWERED:
	case W_QUESTION_ELSEWHERE:
		seat->was_taken = end == W_QUESTION_ELSEWHERE;
		seat->chosen[0] = '\0';
		break;
	case W_QUESTION_LEFT:
		if (!is_left(seat, seat->chosen) &&
		    !w_words_add(
			&seat->left, seat->chosen, strlen(seat->chosen)))
			return w_fail_nomem(err, "approvals");
		seat->chosen[0] = '\0';
		break;
	case W_QUESTION_GONE_ON:
	case W_QUESTION_GONE_BACK:
		move_choice(seat, end == W_QUESTION_GONE_ON);
		break;
	case W_QUESTION_CLOSED:
		seat->exit_status = 0;
		break;
	case W_QUESTION_STOPPED:
		seat->exit_status = BY_SIGNAL + SIGINT;
		break;
	}
	return WRIT_OK;
}

static writ_status
seat_ask(struct seat *seat, writ_error *err)
{
	char id[WRIT_APPROVAL_ID_LEN + 1];
	struct w_question_dialog dialog = {
	    .approvals = seat->approvals,
	    .id = id,
	    .has_list = true,
	    .signal_fd = seat->signal_fd,
	    .list = &seat->list,
	    .screen = &seat->screen,
	    .deaf_ms = seat->was_taken ? DEAF_MS : 0,
	};
	enum w_question_end end = W_QUESTION_STOPPED;

	memcpy(id, seat->chosen, sizeof(id));
	seat->was_taken = false;
	if (!seat->was_moved)
		w_question_terminal_forget(&seat->terminal);
	writ_status status = w_question_dialog(&dialog, &end, err);
	return status == WRIT_OK ? take_end(seat, end, err) : status;
}

/* ---- nothing to ask ---- */

static bool
draw_idle(struct seat *seat)
{
	const size_t count = seat->list.ids.count;
	W_AUTO_WORDS struct w_words lines = {.items = NULL};
	W_AUTO_BUF struct w_buf line;

	w_buf_init(&line, NOTE_LEN_MAX);
	w_buf_add_str(&line, "writ: waiting for questions");
	if (count > 0)
		w_buf_add_fmt(&line, " (%zu left for later, j shows %s)", count,
		    count == 1 ? "it" : "them");
	w_buf_add_str(&line, "; q leaves ");
	return w_words_add(&lines, line.data, line.len) &&
	       w_question_screen_draw(&seat->screen, &lines, false);
}

static void
seat_read_signals(struct seat *seat)
{
	struct signalfd_siginfo info;

	while (read(seat->signal_fd, &info, sizeof(info)) ==
	       (ssize_t)sizeof(info)) {
		if (!w_signals_is_ignored((int)info.ssi_signo))
			seat->exit_status = BY_SIGNAL + (int)info.ssi_signo;
	}
}

static void
seat_read_keys(struct seat *seat)
{
	char bytes[64];
	const ssize_t len = read(seat->terminal.fd, bytes, sizeof(bytes));

	if (len < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (len <= 0)
		seat->exit_status = BY_SIGNAL + SIGHUP;
	for (ssize_t i = 0; i < len && seat->exit_status < 0; i++) {
		const enum w_question_choice choice =
		    w_question_keys_accept(&seat->keys, bytes[i]);

		if (choice == W_QUESTION_QUIT)
			seat->exit_status = 0;
		else if (choice == W_QUESTION_STOP)
			seat->exit_status = BY_SIGNAL + SIGINT;
		else if (choice == W_QUESTION_NEXT ||
			 choice == W_QUESTION_BEFORE)
			move_choice(seat, choice == W_QUESTION_NEXT);
	}
}

static writ_status
seat_wait(struct seat *seat, writ_error *err)
{
	struct pollfd polls[] = {
	    {.fd = seat->signal_fd, .events = POLLIN},
	    {.fd = seat->terminal.fd, .events = POLLIN},
	    {.fd = seat->screen.window_fd, .events = POLLIN},
	    {.fd = seat->queue_fd, .events = POLLIN},
	};

	if (!draw_idle(seat))
		return w_fail_nomem(err, "approvals");
	if (poll(polls, 4, POLL_MS) < 0 && errno != EINTR)
		return w_fail(err, WRIT_E_SYSTEM, "approvals", errno,
		    "cannot wait for questions");
	if (polls[0].revents != 0)
		seat_read_signals(seat);
	if (polls[1].revents != 0)
		seat_read_keys(seat);
	if (polls[2].revents != 0)
		w_question_screen_measure(&seat->screen);
	return WRIT_OK;
}

static writ_status
seat_sit(struct seat *seat, writ_error *err)
{
	seat->queue_fd = writ_approvals_fd(seat->approvals, err);
	writ_status status = seat->queue_fd < 0 ? WRIT_E_SYSTEM : WRIT_OK;

	w_question_keys_init(&seat->keys, NULL, true, 0);
	while (status == WRIT_OK && seat->exit_status < 0) {
		status = seat->chosen[0] == '\0'
			     ? w_question_list_load(
				   &seat->list, seat->approvals, err)
			     : WRIT_OK;
		if (status != WRIT_OK)
			break;
		choose_open(seat);
		status = seat->chosen[0] == '\0' ? seat_wait(seat, err)
						 : seat_ask(seat, err);
	}
	return status;
}

writ_status
w_question_seat(
    writ_approvals *approvals, int signal_fd, int *out_exit, writ_error *err)
{
	struct seat seat = {
	    .approvals = approvals, .signal_fd = signal_fd, .exit_status = -1};

	if (!w_question_terminal_open(&seat.terminal))
		return w_fail(err, WRIT_E_SYSTEM, "approvals", errno,
		    "cannot use the terminal");
	w_question_screen_init(&seat.screen, &seat.terminal);
	writ_status status = seat_sit(&seat, err);
	w_question_screen_clear(&seat.screen);
	w_question_screen_done(&seat.screen);
	w_question_terminal_close(&seat.terminal);
	w_question_list_done(&seat.list);
	w_words_done(&seat.left);
	if (status == WRIT_OK)
		*out_exit = seat.exit_status;
	return status;
}
