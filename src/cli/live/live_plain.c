/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ watch` where TERM is "dumb".
 */

#include "cli/live/live_plain.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/error.h"
#include "base/printable.h"
#include "cli/approval/question_dialog.h"
#include "cli/live/live_keys.h"
#include "cli/options/datetime.h"
#include "cli/output/signals.h"

#define LINE_MAX_BYTES ((size_t)1 << 20)

enum {
	BY_SIGNAL = 128
};

struct live_plain {
	struct w_live_feed *feed;
	struct w_question_screen *screen;
	struct w_question_list list;
	struct w_live_keys keys;
	int signal_fd;
	int exit_status;      /* -1: continue */
	struct w_words asked; /* questions to ask, the oldest first */
	bool is_short_of_memory;
};

static void
live_plain_say(struct live_plain *plain, const struct w_live_event *event)
{
	const struct w_live_run *run = event->run;
	char at[W_DATETIME_MAX];
	struct w_buf line;

	w_datetime_format_short(event->at_us, w_datetime_now(), at);
	w_buf_init(&line, LINE_MAX_BYTES);
	w_buf_add_fmt(&line, "%s %s ", at, run->id);
	if (event->kind == W_LIVE_STARTED)
		w_buf_add_str(&line, "started");
	else
		w_live_run_add_state(&line, run);
	w_buf_add_char(&line, ' ');
	(void)w_printable_add(&line, run->agent == NULL ? "-" : run->agent, 0);
	w_buf_add_str(&line, ": ");
	(void)w_printable_add(
	    &line, run->command == NULL ? "-" : run->command, 0);
	w_buf_add_char(&line, '\n');
	if (event->kind != W_LIVE_STARTED)
		w_live_run_add_denials(&line, run);
	plain->is_short_of_memory = plain->is_short_of_memory || line.failed;
	w_question_screen_add(plain->screen, &line);
	w_buf_done(&line);
}

static void
live_plain_take(void *ctx, const struct w_live_event *event)
{
	struct live_plain *plain = ctx;

	if (event->run != NULL)
		live_plain_say(plain, event);
	else if (event->kind == W_LIVE_ASKED &&
		 !w_words_add(&plain->asked, event->id, strlen(event->id)))
		plain->is_short_of_memory = true;
}

/* Asks the questions that came. One that is left for later stays open. */
static writ_status
live_plain_ask(struct live_plain *plain, writ_error *err)
{
	enum w_question_end end = W_QUESTION_LEFT;
	writ_status status = WRIT_OK;

	for (size_t i = 0; status == WRIT_OK && i < plain->asked.count &&
			   end != W_QUESTION_STOPPED;
	     i++) {
		struct w_question_dialog dialog = {
		    .approvals = plain->feed->approvals,
		    .id = plain->asked.items[i],
		    .has_list = true,
		    .signal_fd = plain->signal_fd,
		    .list = &plain->list,
		    .screen = plain->screen,
		};

		w_question_terminal_forget(plain->screen->terminal);
		status = w_question_dialog(&dialog, &end, err);
		if (end == W_QUESTION_CLOSED)
			break;
	}
	w_question_screen_keep(plain->screen);
	w_words_done(&plain->asked);
	plain->asked = (struct w_words){.items = NULL};
	if (status == WRIT_OK && end == W_QUESTION_CLOSED)
		plain->exit_status = 0;
	if (status == WRIT_OK && end == W_QUESTION_STOPPED)
		plain->exit_status = BY_SIGNAL + SIGINT;
	return status;
}

static void
live_plain_read_keys(struct live_plain *plain)
{
	char bytes[64];
	const ssize_t len =
	    read(plain->screen->terminal->fd, bytes, sizeof(bytes));

	if (len < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (len <= 0)
		plain->exit_status = BY_SIGNAL + SIGHUP;
	for (ssize_t i = 0; i < len; i++) {
		const enum w_live_key key =
		    w_live_keys_accept(&plain->keys, bytes[i]);

		if (key == W_LIVE_QUIT)
			plain->exit_status = 0;
		else if (key == W_LIVE_STOP)
			plain->exit_status = BY_SIGNAL + SIGINT;
	}
}

static writ_status
live_plain_wait(struct live_plain *plain, writ_error *err)
{
	struct pollfd polls[] = {
	    {.fd = plain->signal_fd, .events = POLLIN},
	    {.fd = plain->screen->terminal->fd, .events = POLLIN},
	    {.fd = plain->feed->queue_fd, .events = POLLIN},
	    {.fd = plain->feed->wake.fd, .events = POLLIN},
	};
	struct signalfd_siginfo info;

	if (poll(polls, 4, w_live_feed_wait_ms(plain->feed)) < 0 &&
	    errno != EINTR)
		return w_fail(err, WRIT_E_SYSTEM, "watch", errno,
		    "cannot wait for events");
	while (read(plain->signal_fd, &info, sizeof(info)) ==
	       (ssize_t)sizeof(info)) {
		if (!w_signals_is_ignored((int)info.ssi_signo))
			plain->exit_status = BY_SIGNAL + (int)info.ssi_signo;
	}
	if (polls[1].revents != 0)
		live_plain_read_keys(plain);
	return WRIT_OK;
}

writ_status
w_live_plain(struct w_live_feed *feed, struct w_question_screen *screen,
    int signal_fd, int *out_exit, writ_error *err)
{
	struct live_plain plain = {
	    .feed = feed,
	    .screen = screen,
	    .signal_fd = signal_fd,
	    .exit_status = -1,
	};
	writ_status status = WRIT_OK;

	feed->fn = live_plain_take;
	feed->ctx = &plain;
	while (status == WRIT_OK && plain.exit_status < 0) {
		status = w_live_feed_update(feed, err);
		if (status == WRIT_OK && plain.is_short_of_memory)
			status = w_fail_nomem(err, "watch");
		if (status == WRIT_OK)
			status = live_plain_ask(&plain, err);
		if (status == WRIT_OK && plain.exit_status < 0)
			status = live_plain_wait(&plain, err);
	}
	w_question_list_done(&plain.list);
	w_words_done(&plain.asked);
	*out_exit = plain.exit_status;
	return status;
}
