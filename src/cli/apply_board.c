/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The board of an apply.
 */

#include "cli/apply_board.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/error.h"
#include "cli/print.h"
#include "cli/signals.h"

/* What gathers before it is written, and for how long at most while there is
 * something to do about it. */
#define WRITE_AT   ((size_t)64 << 10)
#define FLUSH_MS   100
#define GATHER_MAX ((size_t)160 << 20) /* one event, and what came before */

/* What waits for a reader before live output is left out, and before an apply
 * waits with it. */
#define LIVE_WAIT  ((size_t)4 << 20)
#define EVENT_WAIT ((size_t)256 << 10)

/* How long a reader that does not read holds us up after a signal. */
#define LAST_WAIT_MS 1000

static uint64_t
now_ms(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* Returns whether there was one. */
static bool
take_signals(struct w_board *board)
{
	struct signalfd_siginfo info;
	bool is_told = false;

	while (read(board->signal_fd, &info, sizeof(info)) ==
	       (ssize_t)sizeof(info)) {
		const int signal = (int)info.ssi_signo;

		if (w_signals_is_ignored(signal))
			continue;
		is_told = true;
		if (board->signal == 0)
			board->signal = signal;
	}
	return is_told;
}

static size_t
pending(const struct w_board *board)
{
	return board->outlet.pending.len - board->outlet.pending_at;
}

/* Hands what has gathered to the outlet, with the bar out of the way. */
static void
hand_over(struct w_board *board, uint64_t now)
{
	board->flushed_ms = now;
	if (w_outlet_has_pending(&board->outlet))
		(void)w_outlet_flush(&board->outlet);
	if (board->buf.len == 0)
		return;
	const bool was_shown = w_progress_wipe(&board->progress);
	(void)w_outlet_put(&board->outlet, board->buf.data, board->buf.len);
	board->buf.len = 0;
	if (was_shown && !board->live.is_mid_line)
		w_progress_redraw(&board->progress, now);
}

/* Waits until no more than `most` bytes wait for the reader. With no timeout
 * (-1) a signal ends the wait, also one that was read before; on_wake() reads
 * the new one. */
static void
await_reader(struct w_board *board, size_t most, int timeout_ms)
{
	while (pending(board) > most && board->outlet.sys_errno == 0 &&
	       (timeout_ms >= 0 || board->signal == 0)) {
		struct pollfd polls[2] = {
		    {.fd = w_outlet_poll_fd(&board->outlet), .events = POLLOUT},
		    {.fd = board->signal_fd, .events = POLLIN},
		};
		const int ready = poll(polls, 2, timeout_ms);

		if (ready < 0 && errno == EINTR)
			continue;
		if (ready <= 0 || (timeout_ms < 0 && polls[1].revents != 0))
			return;
		if (timeout_ms >= 0)
			(void)take_signals(board);
		(void)w_outlet_flush(&board->outlet);
	}
}

static void
on_begin(void *ctx, const struct w_resource *resource)
{
	struct w_board *board = ctx;

	w_progress_at(&board->progress, w_resource_word(resource->type),
	    resource->name.text);
}

/* Beside the events of --json, on standard error. */
static void
put_aside(
    struct w_board *board, writ_stream stream, const char *bytes, size_t len)
{
	struct w_outlet *outlet = &board->progress.outlet;
	W_AUTO_BUF struct w_buf tamed;

	w_buf_init(&tamed, GATHER_MAX);
	(void)w_progress_wipe(&board->progress);
	if (!board->is_aside_tamed) {
		(void)w_outlet_put(outlet, bytes, len);
		return;
	}
	w_tame_add(&board->aside[stream], &tamed, bytes, len);
	(void)w_outlet_put(outlet, tamed.data, tamed.len);
}

static void
end_aside(struct w_board *board)
{
	for (int i = WRIT_STDOUT; i <= WRIT_STDERR; i++) {
		W_AUTO_BUF struct w_buf rest;

		w_buf_init(&rest, GATHER_MAX);
		w_tame_end(&board->aside[i], &rest);
		board->aside[i] = (struct w_tame){.state = W_TAME_TEXT};
		if (rest.len > 0)
			(void)w_outlet_put(
			    &board->progress.outlet, rest.data, rest.len);
	}
}

static void
on_output(void *ctx, const struct w_resource *resource, writ_stream stream,
    const char *bytes, size_t len)
{
	struct w_board *board = ctx;

	(void)resource;
	if (board->is_quiet)
		return;
	if (board->is_json) {
		put_aside(board, stream, bytes, len);
		return;
	}
	if (pending(board) + board->buf.len > LIVE_WAIT) {
		board->is_cut = true;
		return;
	}
	w_live_output_add(&board->live, &board->buf, stream, bytes, len);
	if (board->buf.len >= WRITE_AT ||
	    now_ms() - board->flushed_ms >= FLUSH_MS)
		hand_over(board, now_ms());
}

static void
end_live(struct w_board *board)
{
	w_live_output_end(&board->live, &board->buf);
	end_aside(board);
	if (board->is_cut)
		w_buf_add_str(&board->buf,
		    "    (some of the output is not shown: nobody read it)\n");
	board->is_cut = false;
}

static void
on_event(void *ctx, const struct w_resource *resource,
    const struct w_event *event, const char *json, size_t len)
{
	struct w_board *board = ctx;
	const uint64_t now = now_ms();

	(void)resource;
	board->progress.done++;
	board->failed += event->failed;
	board->changed += event->changed && !event->failed;
	end_live(board);
	if (board->is_json) {
		w_buf_add(&board->buf, json, len);
		w_buf_add_char(&board->buf, '\n');
	} else if (!board->is_quiet || event->failed) {
		w_event_line_add(&board->buf, &board->style, event);
	}
	if (board->buf.len >= WRITE_AT || now - board->flushed_ms >= FLUSH_MS)
		hand_over(board, now);
	await_reader(board, EVENT_WAIT, -1);
	w_progress_tick(&board->progress, now);
}

static bool
on_wake(void *ctx)
{
	struct w_board *board = ctx;
	const uint64_t now = now_ms();
	const bool is_told = take_signals(board);

	hand_over(board, now);
	if (w_outlet_has_pending(&board->progress.outlet))
		(void)w_outlet_flush(&board->progress.outlet);
	if (!board->live.is_mid_line)
		w_progress_tick(&board->progress, now);
	return is_told;
}

static void
fit_ids(struct w_board *board, const struct w_manifest *manifest)
{
	for (size_t i = 0; i < manifest->count; i++) {
		const struct w_resource *resource = &manifest->resources[i];

		if (board->style.id_width == W_EVENT_LINE_ID_MAX)
			return;
		w_event_style_fit(&board->style,
		    w_resource_word(resource->type),
		    resource->alias.text != NULL ? resource->alias.text
						 : resource->name.text,
		    resource->alias.text != NULL);
	}
}

writ_status
w_board_open(
    struct w_board *board, const struct w_board_plan *plan, writ_error *err)
{
	*board = (struct w_board){
	    .is_json = plan->is_json, .is_quiet = plan->is_quiet};
	board->signal_fd = w_signals_open(err);
	if (board->signal_fd < 0)
		return WRIT_E_SYSTEM;
	w_buf_init(&board->buf, GATHER_MAX);
	w_outlet_init(&board->outlet, STDOUT_FILENO);
	w_outlet_look(&board->outlet);
	w_progress_init(&board->progress, plan->total, !plan->is_quiet);
	board->progress.done = plan->done;
	board->style.has_colour = w_print_has_colour(STDOUT_FILENO);
	board->style.shows_diff = plan->shows_diff;
	board->live.is_tamed = board->outlet.is_tty && !plan->is_raw;
	w_outlet_look(&board->progress.outlet);
	board->is_aside_tamed =
	    plan->is_json && !plan->is_raw && board->progress.outlet.is_tty;
	if (!plan->is_json)
		fit_ids(board, plan->manifest);
	board->flushed_ms = now_ms();
	w_progress_tick(&board->progress, board->flushed_ms);
	board->watch = (struct w_apply_watch){
	    .on_begin = on_begin,
	    .on_output = on_output,
	    .on_event = on_event,
	    .on_wake = on_wake,
	    .wake_fd = board->signal_fd,
	    .tick_ms = FLUSH_MS,
	    .ctx = board,
	};
	return WRIT_OK;
}

struct w_buf *
w_board_text(struct w_board *board)
{
	return &board->buf;
}

int
w_board_close(struct w_board *board)
{
	const bool has_failed = board->buf.failed;
	int sys_errno;

	end_live(board);
	w_progress_done(&board->progress);
	hand_over(board, now_ms());
	await_reader(board, 0, -1);
	/* After a signal the reader has a moment for the rest. */
	await_reader(board, 0, LAST_WAIT_MS);
	sys_errno = has_failed ? ENOMEM : board->outlet.sys_errno;
	w_outlet_done(&board->outlet);
	w_buf_done(&board->buf);
	w_close(&board->signal_fd);
	if (sys_errno == EPIPE)
		return 128 + SIGPIPE;
	if (sys_errno == 0)
		return 0;
	w_print_note(
	    "cannot write to standard output: %s", strerror(sys_errno));
	return 1;
}
