/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ watch --json`.
 *
 * The output of a run is printed between its start and its end: what is
 * recorded when the end is read is printed first. A recording is opened with
 * the first byte, so a run that writes nothing costs no descriptor.
 */

#include "cli/live/live_json.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/error.h"
#include "cli/output/print.h"
#include "cli/output/signals.h"
#include "cli/output/writer.h"
#include "data/json.h"
#include "log/log_format.h"

#define LINE_MAX_BYTES ((size_t)64 << 20)

/* Many events are printed together. */
#define PAUSE_MS 20

/* Recordings that are open at once. The output of further runs is printed when
 * they end. */
#define OPEN_MAX 256

enum {
	BY_SIGNAL = 128
};

struct following {
	char id[W_LIVE_ID_SIZE];
	writ_recording *recording; /* NULL: nothing is recorded yet */
};

struct live_json {
	struct w_live_feed *feed;
	int signal_fd;
	int exit_status; /* -1: continue */
	bool is_short_of_memory;
	struct w_writer writer;
	struct following follows[OPEN_MAX];
	size_t count;
};

/* ---- lines ---- */

static void
live_json_read_signals(struct live_json *live)
{
	struct signalfd_siginfo info;

	while (read(live->signal_fd, &info, sizeof(info)) ==
	       (ssize_t)sizeof(info)) {
		if (!w_signals_is_ignored((int)info.ssi_signo))
			live->exit_status = BY_SIGNAL + (int)info.ssi_signo;
	}
}

/* A reader that does not read holds the events back, but no signal. */
static void
live_json_flush(struct live_json *live)
{
	struct w_writer *writer = &live->writer;

	while (live->exit_status < 0 && w_writer_has_pending(writer)) {
		struct pollfd polls[] = {
		    {.fd = w_writer_poll_fd(writer), .events = POLLOUT},
		    {.fd = live->signal_fd, .events = POLLIN},
		};

		(void)poll(polls, 2, -1);
		live_json_read_signals(live);
		(void)w_writer_flush(writer);
	}
	if (live->exit_status >= 0 || writer->sys_errno == 0)
		return;
	live->exit_status = BY_SIGNAL + SIGPIPE;
	if (writer->sys_errno == EPIPE)
		return;
	live->exit_status = 1;
	w_print_note(
	    "cannot write to standard output: %s", strerror(writer->sys_errno));
}

static void
live_json_print(struct live_json *live, struct w_buf *line)
{
	w_buf_add_str(line, "}\n");
	if (line->failed) {
		live->is_short_of_memory = true;
		return;
	}
	if (live->exit_status >= 0)
		return;
	(void)w_writer_put(&live->writer, line->data, line->len);
	live_json_flush(live);
}

static void
live_json_add_begin(
    struct w_buf *line, const char *event, uint64_t at_us, const char *agent)
{
	char at[W_LOG_TIME_LEN + 1];

	w_log_time_format(at_us, at);
	w_buf_init(line, LINE_MAX_BYTES);
	w_buf_add_fmt(line, "{\"event\":\"%s\",\"at\":\"%s\"", event, at);
	w_json_add_path_member(line, "agent", agent);
}

static void
add_command(struct w_buf *line, const struct w_live_run *run)
{
	w_json_add_path_member(line, "door", run->door);
	w_json_add_path_member(line, "command", run->command);
}

static void
print_started(struct live_json *live, const struct w_live_event *event)
{
	const struct w_live_run *run = event->run;
	W_AUTO_BUF struct w_buf line;

	live_json_add_begin(&line, "started", event->at_us, run->agent);
	w_json_add_text_member(&line, "run_id", run->id);
	add_command(&line, run);
	w_json_add_path_member(&line, "program", run->program);
	w_json_add_path_member(&line, "cwd", run->cwd);
	w_json_add_path_member(&line, "sandbox", run->sandbox);
	w_json_add_path_member(&line, "network", run->network);
	w_json_add_number_member(&line, "pid", (uint64_t)run->pid);
	live_json_print(live, &line);
}

static void
print_refused(struct live_json *live, const struct w_live_event *event)
{
	const struct w_live_run *run = event->run;
	W_AUTO_BUF struct w_buf line;

	live_json_add_begin(&line, "refused", event->at_us, run->agent);
	w_json_add_text_member(&line, "run_id", run->id);
	add_command(&line, run);
	w_json_add_path_member(&line, "code", run->outcome);
	w_json_add_path_member(&line, "message", run->reason);
	live_json_print(live, &line);
}

static void
print_ended(struct live_json *live, const struct w_live_event *event)
{
	const struct w_live_run *run = event->run;
	W_AUTO_BUF struct w_buf line;

	live_json_add_begin(&line, "ended", event->at_us, run->agent);
	w_json_add_text_member(&line, "run_id", run->id);
	w_json_add_text_member(&line, "state", writ_run_state_word(run->state));
	w_json_add_path_member(&line, "outcome", run->outcome);
	w_buf_add_fmt(&line, ",\"exit_code\":%d", run->exit_code);
	w_json_add_name(&line, "signal");
	if (run->signal != 0)
		w_json_add_number(&line, (uint64_t)run->signal);
	else
		w_buf_add_str(&line, "null");
	w_json_add_number_member(&line, "duration_ms", run->duration_ms);
	w_buf_add_fmt(&line, ",\"denials\":%s",
	    run->denials == NULL ? "[]" : run->denials);
	live_json_print(live, &line);
}

static void
print_question(struct live_json *live, const struct w_live_event *event)
{
	const bool is_asked = event->kind == W_LIVE_ASKED;
	yyjson_val *question = event->question;
	W_AUTO_BUF struct w_buf line;

	live_json_add_begin(&line, is_asked ? "asked" : "answered",
	    event->at_us,
	    yyjson_get_str(yyjson_ptr_get(question, "/asker/agent")));
	w_json_add_text_member(&line, "approval", event->id);
	if (is_asked) {
		w_json_add_value_member(&line, "question", question);
	} else {
		w_json_add_text_member(&line, "state",
		    yyjson_get_str(yyjson_obj_get(question, "state")));
		w_json_add_value_member(
		    &line, "answer", yyjson_obj_get(question, "answer"));
	}
	live_json_print(live, &line);
}

/* ---- output ---- */

static void
print_piece(struct live_json *live, const struct w_live_run *run,
    const writ_piece *piece)
{
	W_AUTO_BUF struct w_buf line;

	live_json_add_begin(
	    &line, "output", run->begin_us + piece->at_us, run->agent);
	w_json_add_text_member(&line, "run_id", run->id);
	w_json_add_text_member(&line, "stream",
	    piece->stream == WRIT_STDOUT ? "stdout" : "stderr");
	w_json_add_number_member(&line, "at_us", piece->at_us);
	w_json_add_name(&line, "data");
	w_json_add_bytes(&line, piece->bytes, piece->len);
	live_json_print(live, &line);
}

/* A recording that is gone or damaged ends there: others go on. */
static void
pass_output(struct live_json *live, struct following *follow,
    const struct w_live_run *run)
{
	writ_piece piece;
	writ_error why;

	if (follow->recording == NULL &&
	    (run->recording == NULL ||
		writ_recording_open(run->recording, &follow->recording, &why) !=
		    WRIT_OK))
		return;
	while (
	    live->exit_status < 0 &&
	    writ_recording_next(follow->recording, &piece, &why) == WRIT_OK &&
	    piece.len > 0)
		print_piece(live, run, &piece);
}

static void
pass_all(struct live_json *live)
{
	for (size_t i = 0; i < live->count; i++) {
		const struct w_live_run *run =
		    w_live_runs_find(&live->feed->runs, live->follows[i].id);

		if (run != NULL)
			pass_output(live, &live->follows[i], run);
	}
}

static void
begin_following(struct live_json *live, const struct w_live_run *run)
{
	if (live->count == OPEN_MAX)
		return;
	struct following *follow = &live->follows[live->count++];
	memcpy(follow->id, run->id, sizeof(follow->id));
	follow->recording = NULL;
}

static void
end_following(struct live_json *live, const struct w_live_run *run)
{
	struct following late = {.recording = NULL};
	size_t i = 0;

	while (i < live->count && strcmp(live->follows[i].id, run->id) != 0)
		i++;
	struct following *follow = i < live->count ? &live->follows[i] : &late;
	pass_output(live, follow, run);
	writ_recording_free(follow->recording);
	if (i < live->count)
		*follow = live->follows[--live->count];
}

/* ---- the loop ---- */

static void
live_json_take(void *ctx, const struct w_live_event *event)
{
	struct live_json *live = ctx;

	switch (event->kind) {
	case W_LIVE_STARTED:
		print_started(live, event);
		begin_following(live, event->run);
		break;
	case W_LIVE_ENDED:
		end_following(live, event->run);
		print_ended(live, event);
		break;
	case W_LIVE_REFUSED:
		print_refused(live, event);
		break;
	case W_LIVE_ASKED:
	case W_LIVE_ANSWERED:
		print_question(live, event);
		break;
	}
}

static writ_status
live_json_wait(struct live_json *live, writ_error *err)
{
	struct pollfd polls[] = {
	    {.fd = live->signal_fd, .events = POLLIN},
	    /* POLLERR is reported without being asked for. */
	    {.fd = STDOUT_FILENO, .events = 0},
	    {.fd = live->feed->queue_fd, .events = POLLIN},
	    {.fd = live->feed->wake.fd, .events = POLLIN},
	};

	if (poll(polls, 4, w_live_feed_wait_ms(live->feed)) < 0 &&
	    errno != EINTR)
		return w_fail(err, WRIT_E_SYSTEM, "watch", errno,
		    "cannot wait for events");
	/* Let more events come; a signal or a hang-up ends the pause. */
	(void)poll(polls, 2, PAUSE_MS);
	if ((polls[1].revents & (POLLERR | POLLNVAL)) != 0)
		live->exit_status = BY_SIGNAL + SIGPIPE;
	live_json_read_signals(live);
	return WRIT_OK;
}

writ_status
w_live_json(
    struct w_live_feed *feed, int signal_fd, int *out_exit, writ_error *err)
{
	struct live_json *live = calloc(1, sizeof(*live));
	writ_status status = WRIT_OK;

	if (live == NULL)
		return w_fail_nomem(err, "watch");
	*live = (struct live_json){
	    .feed = feed, .signal_fd = signal_fd, .exit_status = -1};
	w_writer_init(&live->writer, STDOUT_FILENO);
	feed->fn = live_json_take;
	feed->ctx = live;
	while (status == WRIT_OK && live->exit_status < 0) {
		status = w_live_feed_update(feed, err);
		if (status == WRIT_OK)
			pass_all(live);
		if (status == WRIT_OK && live->is_short_of_memory)
			status = w_fail_nomem(err, "watch");
		if (status == WRIT_OK && live->exit_status < 0)
			status = live_json_wait(live, err);
	}
	for (size_t i = 0; i < live->count; i++)
		writ_recording_free(live->follows[i].recording);
	w_writer_done(&live->writer);
	if (status == WRIT_OK)
		*out_exit = live->exit_status;
	free(live);
	return status;
}
