/* SPDX-License-Identifier: Apache-2.0 */

/*
 * One run, watched from the command line.
 *
 * One poll() waits for the engine, for signals and for readers of our output.
 * The engine is never kept waiting by a slow reader: bytes that a standard
 * stream does not take pause the command's stream, nothing else.
 *
 * Signals are blocked before anything starts and read from a descriptor, so
 * none can come between the start of the command and the means to end it.
 */

#include "cli/watch.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/error.h"
#include "cli/notes.h"
#include "cli/outlet.h"
#include "cli/print.h"
#include "cli/signals.h"
#include "cli/status_line.h"

/* Once a signal told us to end, a reader that does not read gets this long
 * for the rest. */
#define LAST_READ_MS 1000

#define NOTES_MAX    32768

struct watch {
	const struct w_watch_plan *plan;
	writ_engine *engine;
	writ_job *job;              /* NULL when it has ended */
	writ_result *result;        /* NULL until then */
	struct w_outlet outlets[2]; /* by writ_stream */
	struct w_status_line line;
	int signal_fd;
	int signal;       /* the first that told us to end; 0: none */
	int broken_errno; /* why output could not be passed on; 0: it could */
};

/* Indices into the poll set. */
enum {
	AT_OUT, /* the outlets come first, by writ_stream */
	AT_ERR,
	AT_SIGNAL,
	AT_ENGINE,
	AT_COUNT,
};

/* Returns whether a signal told us to end. */
static bool
take_signals(struct watch *watch)
{
	struct signalfd_siginfo info;
	bool is_told = false;

	while (read(watch->signal_fd, &info, sizeof(info)) ==
	       (ssize_t)sizeof(info)) {
		int signal = (int)info.ssi_signo;

		if (w_signals_is_ignored(signal))
			continue;
		is_told = true;
		if (watch->signal == 0)
			watch->signal = signal;
		if (watch->job != NULL)
			writ_job_cancel(watch->job, signal);
	}
	return is_told;
}

/* The reader is gone or the disk is full: what the command still writes can
 * go nowhere. It ends as in a shell's pipeline, which is by SIGPIPE. */
static void
give_up(struct watch *watch, int sys_errno)
{
	if (watch->broken_errno != 0)
		return;
	watch->broken_errno = sys_errno;
	if (watch->job != NULL && watch->signal == 0)
		writ_job_cancel(
		    watch->job, sys_errno == EPIPE ? SIGPIPE : SIGTERM);
}

static int
pass_on(
    void *ctx, writ_job *job, writ_stream stream, const char *bytes, size_t len)
{
	struct watch *watch = ctx;
	struct w_outlet *outlet = &watch->outlets[stream];

	/* Output may come before writ_start() has given us the job. */
	watch->job = job;
	w_outlet_look(outlet);
	w_status_line_yield(&watch->line, outlet->is_tty, bytes, len);

	enum w_outlet_state state = w_outlet_put(outlet, bytes, len);
	if (state == W_OUTLET_BROKEN)
		give_up(watch, outlet->sys_errno);
	return state == W_OUTLET_WAITS;
}

static void
take_result(void *ctx, writ_job *job, writ_result *result)
{
	struct watch *watch = ctx;

	(void)job;
	watch->job = NULL;
	watch->result = result;
}

static void
flush(struct watch *watch, writ_stream stream)
{
	enum w_outlet_state state = w_outlet_flush(&watch->outlets[stream]);

	if (state == W_OUTLET_BROKEN)
		give_up(watch, watch->outlets[stream].sys_errno);
	if (state != W_OUTLET_WAITS && watch->job != NULL)
		writ_job_resume(watch->job, stream);
}

static void
fill_polls(const struct watch *watch, struct pollfd polls[AT_COUNT])
{
	for (int i = AT_OUT; i <= AT_ERR; i++) {
		const struct w_outlet *outlet = &watch->outlets[i];

		polls[i] = (struct pollfd){.events = POLLOUT, .fd = -1};
		if (w_outlet_has_pending(outlet))
			polls[i].fd = w_outlet_poll_fd(outlet);
	}
	polls[AT_SIGNAL] =
	    (struct pollfd){.fd = watch->signal_fd, .events = POLLIN};
	polls[AT_ENGINE] = (struct pollfd){
	    .fd = writ_engine_fd(watch->engine), .events = POLLIN};
}

static writ_status
step(struct watch *watch, writ_error *err)
{
	struct pollfd polls[AT_COUNT];

	fill_polls(watch, polls);
	if (poll(polls, AT_COUNT, w_status_line_wait_ms(&watch->line)) < 0) {
		if (errno == EINTR)
			return WRIT_OK;
		return w_fail(err, WRIT_E_SYSTEM, "poll", errno,
		    "cannot wait for the command");
	}
	if (polls[AT_SIGNAL].revents != 0)
		(void)take_signals(watch);
	if (polls[AT_OUT].revents != 0)
		flush(watch, WRIT_STDOUT);
	if (polls[AT_ERR].revents != 0)
		flush(watch, WRIT_STDERR);
	w_status_line_tick(&watch->line);
	if (polls[AT_ENGINE].revents == 0)
		return WRIT_OK;
	return writ_engine_dispatch(watch->engine, 0, err);
}

/* Waits until the stream takes more. false: a signal says that it is enough,
 * or said so before and the reader had its time. */
static bool
wait_for_reader(struct watch *watch, writ_stream stream)
{
	struct pollfd polls[] = {
	    {.fd = w_outlet_poll_fd(&watch->outlets[stream]),
		.events = POLLOUT},
	    {.fd = watch->signal_fd, .events = POLLIN},
	};

	int ready = poll(polls, 2, watch->signal != 0 ? LAST_READ_MS : -1);
	if (ready < 0)
		return errno == EINTR;
	if (ready == 0)
		return false;
	return polls[1].revents == 0 || !take_signals(watch);
}

/* Writes everything, waiting for the reader; the run is over. */
static void
emit(struct watch *watch, writ_stream stream, const char *bytes, size_t len)
{
	struct w_outlet *outlet = &watch->outlets[stream];

	while (len > 0 && outlet->sys_errno == 0) {
		size_t written = w_outlet_write(outlet, bytes, len);

		bytes += written;
		len -= written;
		if (len > 0 && outlet->sys_errno == 0 &&
		    !wait_for_reader(watch, stream))
			return;
	}
	if (outlet->sys_errno != 0)
		give_up(watch, outlet->sys_errno);
}

static void
emit_pending(struct watch *watch, writ_stream stream)
{
	while (w_outlet_has_pending(&watch->outlets[stream])) {
		if (!wait_for_reader(watch, stream))
			return;
		flush(watch, stream);
	}
}

static writ_status
emit_json(struct watch *watch, writ_error *err)
{
	W_AUTO_FREE char *json = NULL;
	size_t len = 0;
	writ_status status = writ_result_json(watch->result, &json, &len, err);

	if (status != WRIT_OK)
		return status;
	writ_result_keep_spill(watch->result);
	emit(watch, WRIT_STDOUT, json, len);
	emit(watch, WRIT_STDOUT, "\n", 1);
	return WRIT_OK;
}

static void
emit_live(struct watch *watch)
{
	W_AUTO_BUF struct w_buf notes;

	w_buf_init(&notes, NOTES_MAX);
	emit_pending(watch, WRIT_STDOUT);
	emit_pending(watch, WRIT_STDERR);
	writ_result_keep_spill(watch->result);
	if (!watch->plan->is_quiet)
		w_notes_add(&notes, watch->plan->request, watch->result);
	emit(watch, WRIT_STDERR, notes.data, notes.len);
}

/* Output that was lost is an error, quiet or not; a reader that went away is
 * none. */
static void
emit_broken(struct watch *watch)
{
	if (watch->broken_errno == 0 || watch->broken_errno == EPIPE)
		return;
	w_print_note("cannot write to standard %s: %s",
	    watch->outlets[WRIT_STDOUT].sys_errno != 0 ? "output" : "error",
	    strerror(watch->broken_errno));
}

static int
exit_status(const struct watch *watch)
{
	bool is_cancelled = watch->result->outcome == WRIT_CANCELLED;

	if (watch->signal != 0 && is_cancelled)
		return 128 + watch->signal;
	if (watch->broken_errno == EPIPE)
		return 128 + SIGPIPE;
	if (watch->broken_errno != 0)
		return writ_status_exit(WRIT_E_SYSTEM);
	/* A signal cut short what was still to be written. */
	if (watch->signal != 0)
		return 128 + watch->signal;
	return writ_result_exit(watch->result);
}

static writ_status
watch_to_end(struct watch *watch, writ_error *err)
{
	w_status_line_init(&watch->line, &watch->outlets[WRIT_STDERR],
	    watch->plan->request->timeout_ms, !watch->plan->is_quiet);

	writ_status status = writ_start(watch->engine, watch->plan->request,
	    take_result, watch, &watch->job, err);
	while (status == WRIT_OK && watch->result == NULL)
		status = step(watch, err);
	w_status_line_done(&watch->line);
	if (status != WRIT_OK)
		return status;
	if (watch->plan->is_json)
		return emit_json(watch, err);
	emit_live(watch);
	return WRIT_OK;
}

static writ_status
begin(struct watch *watch, writ_error *err)
{
	writ_engine_options options = WRIT_ENGINE_OPTIONS_INIT;

	options.spill_dir = watch->plan->spill_dir;
	w_outlet_init(&watch->outlets[WRIT_STDOUT], STDOUT_FILENO);
	w_outlet_init(&watch->outlets[WRIT_STDERR], STDERR_FILENO);
	if (!watch->plan->is_json) {
		watch->plan->request->on_output = pass_on;
		watch->plan->request->output_ctx = watch;
	}
	watch->signal_fd = w_signals_open(err);
	if (watch->signal_fd < 0)
		return WRIT_E_SYSTEM;
	return writ_engine_new(&options, &watch->engine, err);
}

int
w_watch_run(const struct w_watch_plan *plan)
{
	struct watch watch = {.plan = plan, .signal_fd = -1};
	writ_error err;
	int exit_code;

	writ_status status = begin(&watch, &err);
	if (status == WRIT_OK)
		status = watch_to_end(&watch, &err);
	if (status == WRIT_OK) {
		emit_broken(&watch);
		exit_code = exit_status(&watch);
	} else {
		exit_code = writ_status_exit(status);
		if (plan->is_json)
			w_print_error_json(&err);
		else
			w_print_error(&err, NULL);
	}
	writ_result_free(watch.result);
	writ_engine_free(watch.engine);
	w_outlet_done(&watch.outlets[WRIT_STDOUT]);
	w_outlet_done(&watch.outlets[WRIT_STDERR]);
	w_close(&watch.signal_fd);
	return exit_code;
}
