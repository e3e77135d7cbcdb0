/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Runs one request for the command line, from start to end.
 *
 * One poll() waits for the engine, for signals and for readers of our output.
 * A slow reader never blocks the engine: it only pauses the stream of the
 * command whose bytes it does not take.
 *
 * Signals are blocked before the start and read from a descriptor. So no
 * signal is lost between the start of the command and the first poll().
 */

#include "cli/run/watch.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/error.h"
#include "cli/approval/question_terminal.h"
#include "cli/approval/question_wait.h"
#include "cli/caller.h"
#include "cli/output/print.h"
#include "cli/output/signals.h"
#include "cli/policy/policy_explain.h"
#include "cli/run/delivery.h"
#include "cli/run/detach.h"
#include "cli/run/refusal.h"
#include "cli/run/watch_host.h"
#include "cli/run/watch_session.h"
#include "cli/run/watch_state.h"

/* Added to the number of the signal that ended the run. */
#define BY_SIGNAL 128

/* Indices into the poll set. */
enum {
	AT_OUT, /* the writers come first, by writ_stream */
	AT_ERR,
	AT_SIGNAL,
	AT_ENGINE,
	AT_PARENT,
	AT_TERMINAL,
	AT_ATTACH = AT_TERMINAL + W_TERMINAL_POLLS,
	AT_COUNT = AT_ATTACH + W_ATTACH_POLLS,
};

bool
w_watch_read_signals(struct w_watch *watch)
{
	struct signalfd_siginfo info;
	bool has_signal = false;

	while (read(watch->signal_fd, &info, sizeof(info)) ==
	       (ssize_t)sizeof(info)) {
		int signal = (int)info.ssi_signo;

		if (w_signals_is_ignored(signal))
			continue;
		has_signal = true;
		if (watch->signal == 0)
			watch->signal = signal;
		if (watch->job != NULL)
			writ_job_cancel(watch->job, signal);
	}
	return has_signal;
}

/* The reader is gone or the disk is full. If the reader is gone, the command
 * ends by SIGPIPE, as in a shell pipeline. */
void
w_watch_abort(struct w_watch *watch, int sys_errno)
{
	if (watch->broken_errno != 0 || watch->signal != 0)
		return;
	watch->broken_errno = sys_errno;
	if (watch->job != NULL)
		writ_job_cancel(
		    watch->job, sys_errno == EPIPE ? SIGPIPE : SIGTERM);
}

bool
w_watch_is_sanitized(struct w_watch *watch, writ_stream stream)
{
	w_writer_inspect(&watch->writers[stream]);
	return watch->writers[stream].is_tty && !watch->options->is_raw;
}

/* Returns whether the command's stream must pause for the reader. */
static int
watch_put(
    struct w_watch *watch, writ_stream stream, const char *bytes, size_t len)
{
	struct w_writer *writer = &watch->writers[stream];

	w_status_line_yield(&watch->line, writer->is_tty, bytes, len);
	enum w_writer_state state = w_writer_put(writer, bytes, len);
	if (state == W_WRITER_BROKEN)
		w_watch_abort(watch, writer->sys_errno);
	return state == W_WRITER_WAITS;
}

static int
put_sanitized(
    struct w_watch *watch, writ_stream stream, const struct w_buf *sanitized)
{
	if (sanitized->failed)
		w_watch_abort(watch, ENOMEM);
	return watch_put(watch, stream, sanitized->data, sanitized->len);
}

static int
pass_on(
    void *ctx, writ_job *job, writ_stream stream, const char *bytes, size_t len)
{
	struct w_watch *watch = ctx;
	W_AUTO_BUF struct w_buf sanitized;

	w_buf_init(&sanitized, W_WRITER_PENDING_MAX);
	/* Output may come before writ_start() returns the job. */
	watch->job = job;
	if (!w_watch_is_sanitized(watch, stream))
		return watch_put(watch, stream, bytes, len);
	w_sanitizer_add(&watch->sanitizers[stream], &sanitized, bytes, len);
	return put_sanitized(watch, stream, &sanitized);
}

/* Writes held bytes and resets a terminal's colours and modes. */
static void
end_output(struct w_watch *watch)
{
	for (int i = WRIT_STDOUT; i <= WRIT_STDERR; i++) {
		W_AUTO_BUF struct w_buf rest;

		w_buf_init(&rest, W_WRITER_PENDING_MAX);
		w_sanitizer_end(&watch->sanitizers[i], &rest);
		if (rest.len > 0)
			(void)put_sanitized(watch, (writ_stream)i, &rest);
	}
}

static void
watch_take_result(void *ctx, writ_job *job, writ_result *result)
{
	struct w_watch *watch = ctx;

	(void)job;
	watch->job = NULL;
	watch->result = result;
}

void
w_watch_flush(struct w_watch *watch, writ_stream stream)
{
	enum w_writer_state state = w_writer_flush(&watch->writers[stream]);

	if (state == W_WRITER_BROKEN)
		w_watch_abort(watch, watch->writers[stream].sys_errno);
	if (state != W_WRITER_WAITS && watch->job != NULL)
		writ_job_resume(watch->job, stream);
}

static void
fill_polls(const struct w_watch *watch, struct pollfd polls[AT_COUNT])
{
	for (int i = AT_OUT; i <= AT_ERR; i++) {
		const struct w_writer *writer = &watch->writers[i];

		polls[i] = (struct pollfd){.events = POLLOUT, .fd = -1};
		if (w_writer_has_pending(writer))
			polls[i].fd = w_writer_poll_fd(writer);
	}
	polls[AT_SIGNAL] =
	    (struct pollfd){.fd = watch->signal_fd, .events = POLLIN};
	polls[AT_ENGINE] = (struct pollfd){
	    .fd = writ_engine_fd(watch->engine), .events = POLLIN};
	polls[AT_PARENT] =
	    (struct pollfd){.fd = watch->parent_fd, .events = POLLIN};
	w_terminal_fill(&watch->terminal, polls + AT_TERMINAL);
	if (watch->attach != NULL)
		w_attach_server_fill(
		    watch->attach, watch->job, polls + AT_ATTACH);
}

/* The starter of a detached run has printed the id (one byte), or went away
 * (end of file): then nobody knows the run, and it ends. */
static void
take_confirmation(struct w_watch *watch)
{
	char byte;
	ssize_t len = read(watch->parent_fd, &byte, sizeof(byte));

	if (len < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	w_close(&watch->parent_fd);
	if (len > 0)
		return;
	if (watch->signal == 0)
		watch->signal = SIGTERM;
	if (watch->job != NULL)
		writ_job_cancel(watch->job, SIGTERM);
}

static void
drop_pending_output(struct w_watch *watch)
{
	for (int i = WRIT_STDOUT; i <= WRIT_STDERR; i++) {
		if (!w_writer_has_pending(&watch->writers[i]))
			continue;
		w_writer_drop(&watch->writers[i]);
		watch->is_cut = true;
		writ_job_resume(watch->job, (writ_stream)i);
	}
}

/* -1: never. */
static int
sooner_ms(int one_ms, int other_ms)
{
	if (one_ms < 0)
		return other_ms;
	return other_ms < 0 || other_ms > one_ms ? one_ms : other_ms;
}

/* The timeout of poll(). */
static int
wait_ms(const struct w_watch *watch, bool is_held)
{
	int ms =
	    is_held ? W_READER_GRACE_MS : w_status_line_wait_ms(&watch->line);

	ms = sooner_ms(ms, w_terminal_wait_ms(&watch->terminal));
	return watch->attach == NULL
		   ? ms
		   : sooner_ms(ms, w_attach_server_wait_ms(watch->attach));
}

static void
watch_step_attached(
    struct w_watch *watch, const struct pollfd polls[W_ATTACH_POLLS])
{
	unsigned rows;
	unsigned columns;

	if (watch->attach == NULL)
		return;
	w_attach_server_step(watch->attach, watch->job, polls);
	w_terminal_hold_size(&watch->terminal, watch->job,
	    w_attach_server_size(watch->attach, &rows, &columns));
}

static writ_status
watch_step(struct w_watch *watch, writ_error *err)
{
	struct pollfd polls[AT_COUNT];
	/* We have to end, but a reader does not take the rest. */
	const bool is_held =
	    watch->signal != 0 &&
	    (w_writer_has_pending(&watch->writers[WRIT_STDOUT]) ||
		w_writer_has_pending(&watch->writers[WRIT_STDERR]));

	fill_polls(watch, polls);
	int ready = poll(polls, watch->attach == NULL ? AT_ATTACH : AT_COUNT,
	    wait_ms(watch, is_held));
	if (ready < 0) {
		if (errno == EINTR)
			return WRIT_OK;
		return w_fail(err, WRIT_E_SYSTEM, "poll", errno,
		    "cannot wait for the command");
	}
	if (ready == 0 && is_held)
		drop_pending_output(watch);
	if (polls[AT_SIGNAL].revents != 0)
		(void)w_watch_read_signals(watch);
	if (polls[AT_PARENT].revents != 0)
		take_confirmation(watch);
	if (polls[AT_OUT].revents != 0)
		w_watch_flush(watch, WRIT_STDOUT);
	if (polls[AT_ERR].revents != 0)
		w_watch_flush(watch, WRIT_STDERR);
	/* After a flush (ready != 0) more output may come: the stream that it
	 * resumed is read in the next iteration. */
	w_terminal_step(&watch->terminal, watch->job,
	    ready != 0 || w_writer_has_pending(&watch->writers[WRIT_STDOUT]),
	    polls + AT_TERMINAL);
	watch_step_attached(watch, polls + AT_ATTACH);
	w_status_line_tick(&watch->line);
	if (polls[AT_ENGINE].revents == 0)
		return WRIT_OK;
	writ_status status = writ_engine_dispatch(watch->engine, 0, err);
	if (status == WRIT_OK)
		w_watch_host_ask(watch);
	return status;
}

bool
w_watch_has_terminal(const struct w_watch_options *options)
{
	return !options->never_asks && !options->is_json &&
	       !options->is_detached && w_question_terminal_exists();
}

bool
w_watch_has_reader(const struct w_watch_options *options)
{
	return options->has_reader ||
	       (!options->is_quiet && isatty(STDERR_FILENO) == 1);
}

static writ_status
watch_ask(struct w_watch *watch, writ_error *err)
{
	const writ_request *request = watch->options->request;
	const struct w_question_options options = {
	    .engine = watch->engine,
	    .request = request,
	    .config = watch->options->config,
	    .signal_fd = watch->signal_fd,
	    .has_terminal = w_watch_has_terminal(watch->options),
	    .has_reader = w_watch_has_reader(watch->options),
	    .is_agent =
		request->agent != NULL || w_cli_caller() != WRIT_CALLER_TRUSTED,
	    .is_quiet = watch->options->is_quiet,
	    .parent_fd = watch->parent_fd,
	    .timeout_ms = watch->options->ask_timeout_ms,
	};

	writ_status status = w_question_wait(&options, watch->approval, err);
	(void)w_watch_read_signals(watch);
	/* In raw mode Ctrl-C arrives as a key: treat it as SIGINT. */
	if (status == WRIT_E_REFUSED && watch->signal == 0)
		watch->signal = SIGINT;
	return status;
}

/* status: whether it has started. */
static writ_status
watch_to_end(struct w_watch *watch, writ_status status, writ_error *err)
{
	if (status == WRIT_OK && watch->options->request->pty)
		watch->attach = w_attach_server_new(
		    watch->options->config, writ_job_id(watch->job));
	if (status == WRIT_OK)
		w_terminal_open(&watch->terminal, watch->job);
	if (status == WRIT_OK && watch->options->is_detached)
		w_detach_report_start(
		    watch->parent_fd, writ_job_id(watch->job));
	while (status == WRIT_OK && watch->result == NULL)
		status = watch_step(watch, err);
	w_attach_server_free(watch->attach, watch->result, W_ATTACH_END_MS);
	watch->attach = NULL;
	w_watch_leave_session(watch);
	end_output(watch);
	w_terminal_close(&watch->terminal);
	w_status_line_done(&watch->line);
	if (status != WRIT_OK)
		return status;
	if (watch->options->isolated_id != NULL)
		w_delivery_isolated(watch);
	else if (watch->options->is_json)
		return w_delivery_json(watch, err);
	else
		w_delivery_live(watch);
	return WRIT_OK;
}

static writ_status
watch_begin(struct w_watch *watch, writ_error *err)
{
	writ_engine_options engine_options = WRIT_ENGINE_OPTIONS_INIT;
	W_AUTO_FREE char *base = NULL;

	if (watch->options->is_raw &&
	    w_cli_check_raw(watch->options->request->agent, err) != WRIT_OK)
		return err->status;
	engine_options.config = watch->options->config;
	engine_options.door = "cli";
	engine_options.has_terminal = w_watch_has_terminal(watch->options);
	if (!watch->options->is_of_project)
		watch->options->request->caller =
		    w_cli_caller_of(watch->options->request);
	w_writer_init(&watch->writers[WRIT_STDOUT], STDOUT_FILENO);
	w_writer_init(&watch->writers[WRIT_STDERR], STDERR_FILENO);
	if (!watch->options->is_json && !watch->options->is_detached &&
	    watch->options->isolated_id == NULL) {
		watch->options->request->on_output = pass_on;
		watch->options->request->output_ctx = watch;
	}
	watch->signal_fd = w_signals_open(err);
	if (watch->signal_fd < 0)
		return WRIT_E_SYSTEM;
	writ_status status = w_watch_find_session(watch, &base, err);
	engine_options.base = base;
	if (status == WRIT_OK)
		status = writ_engine_new(&engine_options, &watch->engine, err);
	if (status == WRIT_OK)
		status = w_watch_join_session(watch, err);
	if (status != WRIT_OK)
		return status;
	writ_engine_on_connection(watch->engine, w_watch_host_question, watch);
	if (!watch->options->is_quiet)
		writ_engine_on_notice(watch->engine, w_cli_policy_note, NULL);
	w_terminal_init(&watch->terminal, watch->options);
	watch->sanitizers[WRIT_STDOUT].is_screen =
	    w_terminal_is_used(&watch->terminal);
	return WRIT_OK;
}

static void
watch_report_error(struct w_watch *watch, const writ_error *err)
{
	/* The question that stays open. */
	const char *approval =
	    err->status == WRIT_E_APPROVAL ? watch->approval : "";
	const struct w_refusal refusal = {
	    .err = err,
	    .decision = watch->engine == NULL
			    ? NULL
			    : writ_engine_decision(watch->engine),
	    .approval = approval[0] == '\0' ? NULL : approval,
	    .is_json = watch->options->is_json,
	    .is_agent = watch->options->request->agent != NULL,
	};

	if (watch->parent_fd >= 0)
		w_detach_report_error(watch->parent_fd, err, approval);
	else
		(void)w_refusal_print(&refusal);
}

/* If the start needs an approval, asks once; a second refusal is final. true:
 * start again with the answer. */
static bool
watch_is_answered(struct w_watch *watch, writ_status *status, writ_error *err)
{
	writ_request *request = watch->options->request;

	if (*status != WRIT_E_APPROVAL || request->approval != NULL ||
	    watch->options->never_asks)
		return false;
	*status = watch_ask(watch, err);
	if (*status == WRIT_OK)
		request->approval = watch->approval;
	return *status == WRIT_OK;
}

/* Reports how it ended. Returns the exit code. */
static int
watch_report(struct w_watch *watch, writ_status status, const writ_error *err)
{
	if (status == WRIT_OK) {
		w_delivery_report_lost(watch);
		return w_delivery_exit_status(watch);
	}
	watch_report_error(watch, err);
	return watch->signal != 0 ? BY_SIGNAL + watch->signal
				  : writ_status_exit(status);
}

int
w_watch_run(const struct w_watch_options *options)
{
	struct w_watch watch = {
	    .options = options,
	    .signal_fd = -1,
	    .parent_fd = options->is_detached ? options->parent_fd : -1,
	};
	writ_request *request = options->request;
	writ_error err;

	writ_status status = watch_begin(&watch, &err);
	if (status == WRIT_OK) {
		do {
			w_status_line_init(&watch.line,
			    &watch.writers[WRIT_STDERR], request->timeout_ms,
			    !options->is_quiet && !request->pty);
			status = writ_start(watch.engine, request,
			    watch_take_result, &watch, &watch.job, &err);
		} while (watch_is_answered(&watch, &status, &err));
		status = watch_to_end(&watch, status, &err);
	}
	const int exit_code = watch_report(&watch, status, &err);
	writ_result_free(watch.result);
	writ_session_close(watch.session);
	writ_engine_free(watch.engine);
	writ_approvals_free(watch.approvals);
	w_writer_done(&watch.writers[WRIT_STDOUT]);
	w_writer_done(&watch.writers[WRIT_STDERR]);
	w_close(&watch.signal_fd);
	w_close(&watch.parent_fd);
	return exit_code;
}
