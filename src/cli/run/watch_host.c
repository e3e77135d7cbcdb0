/* SPDX-License-Identifier: Apache-2.0 */

/* Asks about connections of the run that is being watched. */

#include "cli/run/watch_host.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/duration.h"
#include "cli/approval/question.h"
#include "cli/approval/question_dialog.h"
#include "cli/approval/question_terminal.h"
#include "cli/approval/question_wait.h"
#include "cli/output/print.h"

/* A run with a terminal has the screen for itself. */
static bool
asks_here(const struct w_watch *watch)
{
	return !watch->options->request->pty &&
	       w_watch_has_terminal(watch->options);
}

/* The notes of a detached run have no reader after its start. */
static bool
has_reader(const struct w_watch *watch)
{
	return !watch->options->request->pty && !watch->options->is_detached &&
	       w_watch_has_reader(watch->options);
}

static writ_approvals *
connection_queue(struct w_watch *watch)
{
	if (watch->approvals == NULL &&
	    writ_approvals_open(
		watch->options->config, &watch->approvals, NULL) != WRIT_OK)
		watch->approvals = NULL;
	return watch->approvals;
}

bool
w_watch_host_question(
    void *ctx, writ_job *job, writ_connection_question *question)
{
	struct w_watch *watch = ctx;
	writ_approvals *queue = connection_queue(watch);

	(void)job;
	if (queue == NULL || watch->options->never_asks)
		return false;
	if (question->id != NULL) {
		(void)snprintf(watch->connection, sizeof(watch->connection),
		    "%s", question->id);
		return true;
	}
	if (watch->options->ask_timeout_ms > 0)
		question->timeout_ms = watch->options->ask_timeout_ms;
	return watch->options->ask_timeout_ms > 0 || asks_here(watch) ||
	       has_reader(watch) || writ_approvals_is_attended(queue);
}

/* ---- at this terminal ---- */

static void
go_on(void *ctx)
{
	struct w_watch *watch = ctx;

	/* A failed loop shows itself when the run is waited for again. */
	(void)writ_engine_dispatch(watch->engine, 0, NULL);
}

static void
hold_output(struct w_watch *watch, bool is_held)
{
	for (int i = WRIT_STDOUT; i <= WRIT_STDERR; i++) {
		struct w_writer *writer = &watch->writers[i];

		w_writer_inspect(writer);
		writer->is_held = is_held && writer->is_tty;
		if (!is_held && w_writer_has_pending(writer))
			w_watch_flush(watch, (writ_stream)i);
	}
}

static void
ask_here(
    struct w_watch *watch, const char *id, struct w_question_terminal *terminal)
{
	struct w_question_screen screen;
	struct w_question_list list = {.has_news = false};
	struct w_question_dialog dialog = {.approvals = watch->approvals,
	    .id = id,
	    .signal_fd = watch->signal_fd,
	    .stop_denies = true,
	    .list = &list,
	    .screen = &screen,
	    .busy_fd = writ_engine_fd(watch->engine),
	    .on_busy = go_on,
	    .busy_ctx = watch};
	enum w_question_end end = W_QUESTION_STOPPED;
	writ_error err;

	w_question_screen_init(&screen, terminal);
	const writ_status status = w_question_dialog(&dialog, &end, &err);
	w_question_screen_done(&screen);
	w_question_list_done(&list);
	if (status != WRIT_OK)
		writ_approval_withdraw(watch->engine, id);
	if (status != WRIT_OK || end != W_QUESTION_STOPPED)
		return;
	/* In raw mode Ctrl-C arrives as a key: treat it as SIGINT. */
	if (w_watch_read_signals(watch) || watch->signal != 0)
		return;
	watch->signal = SIGINT;
	if (watch->job != NULL)
		writ_job_cancel(watch->job, SIGINT);
}

/* What is on the screen ends with a line. */
static void
begin_line(struct w_watch *watch)
{
	struct w_writer *writer = &watch->writers[WRIT_STDERR];
	const bool is_mid_line = watch->line.is_mid_line;

	w_writer_inspect(writer);
	w_status_line_yield(&watch->line, writer->is_tty, "\n", 1);
	if (is_mid_line && writer->is_tty)
		(void)w_writer_put(writer, "\n", 1);
}

/* ---- elsewhere ---- */

static void
note_wait(struct w_watch *watch, const char *id)
{
	struct w_json *json = NULL;
	W_AUTO_BUF struct w_buf left;

	w_buf_init(&left, W_DURATION_TEXT_MAX);
	if (w_question_load(watch->approvals, id, &json, NULL) != WRIT_OK)
		return;
	w_question_add_left(&left, w_json_root(json), w_question_now_ms());
	w_json_free(json);
	begin_line(watch);
	w_question_note_wait(id, left.data);
}

void
w_watch_host_ask(struct w_watch *watch)
{
	while (watch->connection[0] != '\0') {
		struct w_question_terminal terminal;
		char id[WRIT_APPROVAL_ID_LEN + 1];

		/* Answering one may bring the next. */
		memcpy(id, watch->connection, sizeof(id));
		watch->connection[0] = '\0';
		if (asks_here(watch) && w_question_terminal_open(&terminal)) {
			begin_line(watch);
			hold_output(watch, true);
			ask_here(watch, id, &terminal);
			w_question_terminal_close(&terminal);
			hold_output(watch, false);
		} else if (!watch->options->is_quiet &&
			   !watch->options->is_detached &&
			   !watch->options->request->pty) {
			note_wait(watch, id);
		}
	}
}
