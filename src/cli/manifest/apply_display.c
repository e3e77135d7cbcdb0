/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The output of an apply.
 */

#include "cli/manifest/apply_display.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/error.h"
#include "cli/output/print.h"
#include "cli/output/signals.h"

/* How much output is gathered before it is written, and how long at most while
 * a command runs. */
#define WRITE_AT   ((size_t)64 << 10)
#define FLUSH_MS   100
#define GATHER_MAX ((size_t)160 << 20) /* one event, and output before it */

/* Bytes pending for a slow reader before live output is dropped, and before the
 * apply waits for the reader. */
#define LIVE_WAIT  ((size_t)4 << 20)
#define EVENT_WAIT ((size_t)256 << 10)

/* How long a stalled reader may delay the exit after a signal. */
#define LAST_WAIT_MS 1000

static uint64_t
apply_display_now_ms(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* Returns whether there was a signal. */
static bool
apply_display_take_signals(struct w_display *display)
{
	struct signalfd_siginfo info;
	bool is_told = false;

	while (read(display->signal_fd, &info, sizeof(info)) ==
	       (ssize_t)sizeof(info)) {
		const int signal = (int)info.ssi_signo;

		if (w_signals_is_ignored(signal))
			continue;
		is_told = true;
		if (display->signal == 0)
			display->signal = signal;
	}
	return is_told;
}

static size_t
pending(const struct w_display *display)
{
	return display->writer.pending.len - display->writer.pending_at;
}

/* Passes gathered output to the writer and wipes the progress bar first. */
static void
apply_display_hand_over(struct w_display *display, uint64_t now)
{
	display->flushed_ms = now;
	if (w_writer_has_pending(&display->writer))
		(void)w_writer_flush(&display->writer);
	if (display->buf.len == 0)
		return;
	const bool was_shown = w_progress_wipe(&display->progress);
	(void)w_writer_put(
	    &display->writer, display->buf.data, display->buf.len);
	display->buf.len = 0;
	if (was_shown && !display->live.is_mid_line)
		w_progress_redraw(&display->progress, now);
}

/* Waits until at most `most` bytes are pending. Without a timeout (-1) a signal
 * ends the wait, also one that was read before; on_wake() reads the new one. */
static void
await_reader(struct w_display *display, size_t most, int timeout_ms)
{
	while (pending(display) > most && display->writer.sys_errno == 0 &&
	       (timeout_ms >= 0 || display->signal == 0)) {
		struct pollfd polls[2] = {
		    {.fd = w_writer_poll_fd(&display->writer),
			.events = POLLOUT},
		    {.fd = display->signal_fd, .events = POLLIN},
		};
		const int ready = poll(polls, 2, timeout_ms);

		if (ready < 0 && errno == EINTR)
			continue;
		if (ready <= 0 || (timeout_ms < 0 && polls[1].revents != 0))
			return;
		if (timeout_ms >= 0)
			(void)apply_display_take_signals(display);
		(void)w_writer_flush(&display->writer);
	}
}

static void
on_begin(void *ctx, const char *type, const char *name)
{
	struct w_display *display = ctx;

	w_progress_at(&display->progress, type, name);
}

/* With --json the output of commands goes to standard error. */
static void
write_aside(struct w_display *display, writ_stream stream, const char *bytes,
    size_t len)
{
	struct w_writer *writer = &display->progress.writer;
	W_AUTO_BUF struct w_buf sanitized;

	w_buf_init(&sanitized, GATHER_MAX);
	(void)w_progress_wipe(&display->progress);
	if (!display->is_aside_sanitized) {
		(void)w_writer_put(writer, bytes, len);
		return;
	}
	w_sanitizer_add(&display->aside[stream], &sanitized, bytes, len);
	(void)w_writer_put(writer, sanitized.data, sanitized.len);
}

static void
end_aside(struct w_display *display)
{
	for (int i = WRIT_STDOUT; i <= WRIT_STDERR; i++) {
		W_AUTO_BUF struct w_buf rest;

		w_buf_init(&rest, GATHER_MAX);
		w_sanitizer_end(&display->aside[i], &rest);
		display->aside[i] =
		    (struct w_sanitizer){.state = W_SANITIZER_TEXT};
		if (rest.len > 0)
			(void)w_writer_put(
			    &display->progress.writer, rest.data, rest.len);
	}
}

static void
on_output(void *ctx, writ_stream stream, const char *bytes, size_t len)
{
	struct w_display *display = ctx;

	if (display->is_quiet)
		return;
	if (display->is_json) {
		write_aside(display, stream, bytes, len);
		return;
	}
	if (pending(display) + display->buf.len > LIVE_WAIT) {
		display->is_cut = true;
		return;
	}
	w_indented_output_add(
	    &display->live, &display->buf, stream, bytes, len);
	if (display->buf.len >= WRITE_AT ||
	    apply_display_now_ms() - display->flushed_ms >= FLUSH_MS)
		apply_display_hand_over(display, apply_display_now_ms());
}

static void
end_live(struct w_display *display)
{
	w_indented_output_end(&display->live, &display->buf);
	end_aside(display);
	if (display->is_cut)
		w_buf_add_str(&display->buf,
		    "    (some of the output is not shown: nobody read it)\n");
	display->is_cut = false;
}

static void
on_event(void *ctx, const writ_event *event)
{
	struct w_display *display = ctx;
	const uint64_t now = apply_display_now_ms();

	display->progress.done++;
	end_live(display);
	if (display->is_json) {
		w_buf_add(&display->buf, event->json, event->json_len);
		w_buf_add_char(&display->buf, '\n');
	} else if (!display->is_quiet || event->failed) {
		w_cli_event_add(&display->buf, &display->style, event);
	}
	if (display->buf.len >= WRITE_AT ||
	    now - display->flushed_ms >= FLUSH_MS)
		apply_display_hand_over(display, now);
	await_reader(display, EVENT_WAIT, -1);
	w_progress_tick(&display->progress, now);
}

static bool
on_wake(void *ctx)
{
	struct w_display *display = ctx;
	const uint64_t now = apply_display_now_ms();
	const bool is_told = apply_display_take_signals(display);

	apply_display_hand_over(display, now);
	if (w_writer_has_pending(&display->progress.writer))
		(void)w_writer_flush(&display->progress.writer);
	if (!display->live.is_mid_line)
		w_progress_tick(&display->progress, now);
	return is_told;
}

static void
fit_ids(struct w_display *display, const writ_manifest *manifest)
{
	writ_manifest_resource resource = {.size = sizeof(resource)};

	for (size_t i = 0;
	     display->style.id_width < W_EVENT_LINE_ID_MAX &&
	     writ_manifest_look(manifest, i, &resource, NULL) == WRIT_OK;
	     i++)
		w_cli_event_fit(&display->style, resource.type,
		    resource.alias != NULL ? resource.alias : resource.name,
		    resource.alias != NULL);
}

writ_status
w_display_open(struct w_display *display, const struct w_display_options *plan,
    writ_error *err)
{
	*display = (struct w_display){
	    .is_json = plan->is_json, .is_quiet = plan->is_quiet};
	display->signal_fd = w_signals_open(err);
	if (display->signal_fd < 0)
		return WRIT_E_SYSTEM;
	w_buf_init(&display->buf, GATHER_MAX);
	w_writer_init(&display->writer, STDOUT_FILENO);
	w_writer_inspect(&display->writer);
	w_progress_init(&display->progress, plan->total, !plan->is_quiet);
	display->progress.done = plan->done;
	display->style.has_colour = w_print_has_colour(STDOUT_FILENO);
	display->style.shows_diff = plan->shows_diff;
	display->live.is_sanitized = display->writer.is_tty && !plan->is_raw;
	w_writer_inspect(&display->progress.writer);
	display->is_aside_sanitized =
	    plan->is_json && !plan->is_raw && display->progress.writer.is_tty;
	if (!plan->is_json)
		fit_ids(display, plan->manifest);
	display->flushed_ms = apply_display_now_ms();
	w_progress_tick(&display->progress, display->flushed_ms);
	display->watch = (writ_apply_watch){
	    .size = sizeof(display->watch),
	    .on_begin = on_begin,
	    .on_output = on_output,
	    .on_event = on_event,
	    .on_wake = on_wake,
	    .ctx = display,
	    .wake_fd = display->signal_fd,
	    .tick_ms = FLUSH_MS,
	};
	return WRIT_OK;
}

struct w_buf *
w_display_text(struct w_display *display)
{
	return &display->buf;
}

int
w_display_close(struct w_display *display)
{
	const bool has_failed = display->buf.failed;
	int sys_errno;

	end_live(display);
	w_progress_done(&display->progress);
	apply_display_hand_over(display, apply_display_now_ms());
	await_reader(display, 0, -1);
	/* After a signal the reader gets LAST_WAIT_MS for the rest. */
	await_reader(display, 0, LAST_WAIT_MS);
	sys_errno = has_failed ? ENOMEM : display->writer.sys_errno;
	w_writer_done(&display->writer);
	w_buf_done(&display->buf);
	w_close(&display->signal_fd);
	if (sys_errno == EPIPE)
		return 128 + SIGPIPE;
	if (sys_errno == 0)
		return 0;
	w_print_note(
	    "cannot write to standard output: %s", strerror(sys_errno));
	return 1;
}
