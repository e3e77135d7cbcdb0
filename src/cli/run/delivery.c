/* SPDX-License-Identifier: Apache-2.0 */

/*
 * After the run: writes the rest of the output, and finds the exit status.
 *
 * Unlike watch.c this waits for readers of the output, since nothing else is
 * left to do. A signal still ends the wait.
 */

#include "cli/run/delivery.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>

#include "base/auto.h"
#include "cli/output/print.h"
#include "cli/run/run_notes.h"

#define NOTES_MAX 131072

/* Waits until the stream is writable. false: a signal came, or one came before
 * and the reader did not read within W_READER_GRACE_MS. */
static bool
wait_for_reader(struct w_watch *watch, writ_stream stream)
{
	struct pollfd polls[] = {
	    {.fd = w_writer_poll_fd(&watch->writers[stream]),
		.events = POLLOUT},
	    {.fd = watch->signal_fd, .events = POLLIN},
	};

	int ready = poll(polls, 2, watch->signal != 0 ? W_READER_GRACE_MS : -1);
	if (ready < 0 && errno == EINTR)
		return true;
	if (ready > 0 &&
	    (polls[1].revents == 0 || !w_watch_read_signals(watch)))
		return true;
	watch->is_cut = true;
	return false;
}

void
w_delivery_emit(
    struct w_watch *watch, writ_stream stream, const char *bytes, size_t len)
{
	struct w_writer *writer = &watch->writers[stream];

	while (len > 0 && writer->sys_errno == 0) {
		size_t written = w_writer_write(writer, bytes, len);

		bytes += written;
		len -= written;
		if (len > 0 && writer->sys_errno == 0 &&
		    !wait_for_reader(watch, stream))
			return;
	}
	if (writer->sys_errno != 0)
		w_watch_abort(watch, writer->sys_errno);
}

static void
emit_pending(struct w_watch *watch, writ_stream stream)
{
	while (w_writer_has_pending(&watch->writers[stream])) {
		if (!wait_for_reader(watch, stream))
			return;
		w_watch_flush(watch, stream);
	}
}

static bool
emit_json(void *ctx, const char *bytes, size_t len)
{
	struct w_watch *watch = ctx;

	w_delivery_emit(watch, WRIT_STDOUT, bytes, len);
	return !watch->is_cut && watch->writers[WRIT_STDOUT].sys_errno == 0;
}

/* The content of a call may be any part of its output. */
static writ_status
emit_call(struct w_watch *watch, writ_error *err)
{
	W_AUTO_FREE char *json = NULL;
	size_t len = 0;
	writ_status status = writ_call_result_json(
	    watch->options->call, watch->result, &json, &len, err);

	if (status != WRIT_OK)
		return status;
	writ_result_keep_spill(watch->result);
	w_delivery_emit(watch, WRIT_STDOUT, json, len);
	return WRIT_OK;
}

/* What is written names the spill files, so they stay from here on. */
static writ_status
emit_result(struct w_watch *watch, writ_error *err)
{
	writ_result_keep_spill(watch->result);
	return writ_result_write_json(watch->result, emit_json, watch, err);
}

writ_status
w_delivery_json(struct w_watch *watch, writ_error *err)
{
	const writ_status status = watch->options->call == NULL
				       ? emit_result(watch, err)
				       : emit_call(watch, err);

	if (status == WRIT_OK)
		w_delivery_emit(watch, WRIT_STDOUT, "\n", 1);
	return status;
}

void
w_delivery_live(struct w_watch *watch)
{
	W_AUTO_BUF struct w_buf notes;

	w_buf_init(&notes, NOTES_MAX);
	emit_pending(watch, WRIT_STDOUT);
	emit_pending(watch, WRIT_STDERR);
	writ_result_keep_spill(watch->result);
	/* An unknown exit status is reported even with --quiet. */
	if (!watch->options->is_quiet || !watch->result->status_known)
		w_notes_add(&notes, watch->result);
	if (!watch->options->is_quiet)
		w_notes_add_owner(
		    &notes, watch->options->request, watch->result);
	w_delivery_emit(watch, WRIT_STDERR, notes.data, notes.len);
}

void
w_delivery_report_lost(const struct w_watch *watch)
{
	if (watch->broken_errno == 0 || watch->broken_errno == EPIPE)
		return;
	w_print_note("cannot write to standard %s: %s",
	    watch->writers[WRIT_STDOUT].sys_errno != 0 ? "output" : "error",
	    strerror(watch->broken_errno));
}

int
w_delivery_exit_status(const struct w_watch *watch)
{
	bool is_cancelled = watch->result->outcome == WRIT_CANCELLED;

	if (watch->signal != 0 && (is_cancelled || watch->is_cut))
		return 128 + watch->signal;
	if (watch->broken_errno == EPIPE)
		return 128 + SIGPIPE;
	if (watch->broken_errno != 0)
		return writ_status_exit(WRIT_E_SYSTEM);
	return watch->options->isolated_id != NULL
		   ? watch->exit_code
		   : writ_result_exit(watch->result);
}
