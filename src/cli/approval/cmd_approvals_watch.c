/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ approvals watch`: follows the queue. At a terminal a person answers;
 * otherwise it prints each change as a line of JSON.
 */

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/words.h"
#include "cli/approval/approvals_args.h"
#include "cli/approval/question.h"
#include "cli/approval/question_dialog.h"
#include "cli/approval/question_seat.h"
#include "cli/output/print.h"
#include "cli/output/signals.h"

/* A question that expires changes no file, so the queue is also polled. */
#define POLL_MS 1000
#define KEY_MAX 64

enum {
	BY_SIGNAL = 128
};

/* clang-format off */
static const struct w_option options[] = {
	W_APPROVALS_JSON_ROW("Print a line of JSON for each change, also on a "
	                     "terminal."),
	W_APPROVALS_ALL_ROW,
	W_STATE_DIR_ROW("", W_TO(SETTING, struct w_approvals_args, config)),
	W_HELP_ROW,
	{.name = ""},
};

static const struct w_example examples[] = {
	{"writ approvals watch", "answer questions with single keys; q leaves"},
	{"writ approvals watch --json | jq -c '[.id, .state, .request.argv]'",
	 "the same for a program, which answers by approve and deny"},
	{.line = ""},
};

static const struct w_exit_row exits[] = {
	{"0", "q"},
	{"1", "the queue could not be read"},
	{"2", "wrong usage"},
	{"130", "Ctrl-C"},
	{"141", "the reader of the output went away"},
	{.status = ""},
};
/* clang-format on */

struct watching {
	const struct w_approvals_args *args;
	writ_approvals *approvals;
	bool is_first;
	struct w_words seen; /* keys that were printed before */
	int queue_fd;
	int signal_fd;
	int exit_status; /* -1: continue */
};

static bool
approvals_watch_has(const struct w_words *words, const char *key)
{
	for (size_t i = 0; i < words->count; i++) {
		if (strcmp(words->items[i], key) == 0)
			return true;
	}
	return false;
}

/* ---- JSON lines ---- */

static void
print_question(struct watching *watching, yyjson_val *question)
{
	size_t len = 0;
	W_AUTO_FREE char *text = yyjson_val_write(question, 0, &len);
	W_AUTO_BUF struct w_buf line;

	w_buf_init(&line, (size_t)64 << 20);
	if (text == NULL)
		return;
	w_buf_add(&line, text, len);
	w_buf_add_char(&line, '\n');
	if (w_print_bytes(STDOUT_FILENO, line.data, line.len) == 0)
		return;
	if (errno == EPIPE)
		watching->exit_status = BY_SIGNAL + SIGPIPE;
	else
		watching->exit_status = w_print(&line);
}

static writ_status
print_news(struct watching *watching, yyjson_val *list, writ_error *err)
{
	struct w_words now = {.items = NULL};
	writ_status status = WRIT_OK;
	size_t i;
	size_t count;
	yyjson_val *question;

	yyjson_arr_foreach(list, i, count, question)
	{
		const char *id = w_question_text(question, "/id");
		const char *state = w_question_text(question, "/state");
		/* Questions closed before the watch started are no events. */
		const bool is_old =
		    watching->is_first && !watching->args->has_all &&
		    w_question_state(question) != WRIT_APPROVAL_PENDING;
		W_AUTO_BUF struct w_buf key;

		/* A new state is a new event. */
		w_buf_init(&key, KEY_MAX);
		w_buf_add_fmt(&key, "%s %s", id == NULL ? "" : id,
		    state == NULL ? "" : state);
		if (watching->exit_status < 0 && !is_old &&
		    !approvals_watch_has(&watching->seen, key.data))
			print_question(watching, question);
		if (!w_words_add(&now, key.data, key.len))
			status = w_fail_nomem(err, "approvals");
	}
	w_words_done(&watching->seen);
	watching->seen = now;
	return status;
}

static writ_status
wait_for_news(struct watching *watching, writ_error *err)
{
	struct pollfd polls[] = {
	    {.fd = watching->signal_fd, .events = POLLIN},
	    {.fd = watching->queue_fd, .events = POLLIN},
	};
	struct signalfd_siginfo info;

	if (poll(polls, 2, POLL_MS) < 0 && errno != EINTR)
		return w_fail(err, WRIT_E_SYSTEM, "approvals", errno,
		    "cannot wait for questions");
	while (read(watching->signal_fd, &info, sizeof(info)) ==
	       (ssize_t)sizeof(info)) {
		if (!w_signals_is_ignored((int)info.ssi_signo))
			watching->exit_status = BY_SIGNAL + (int)info.ssi_signo;
	}
	return WRIT_OK;
}

static writ_status
approvals_watch_update(struct watching *watching, writ_error *err)
{
	struct w_json *json = NULL;

	writ_status status =
	    w_question_load_all(watching->approvals, &json, err);
	if (status != WRIT_OK)
		return status;
	status = print_news(watching, w_json_root(json), err);
	w_json_free(json);
	watching->is_first = false;
	return status;
}

static writ_status
print_changes(struct watching *watching, writ_error *err)
{
	writ_status status = WRIT_OK;

	watching->queue_fd = writ_approvals_fd(watching->approvals, err);
	if (watching->queue_fd < 0)
		return WRIT_E_SYSTEM;
	while (status == WRIT_OK && watching->exit_status < 0) {
		status = approvals_watch_update(watching, err);
		if (status == WRIT_OK && watching->exit_status < 0)
			status = wait_for_news(watching, err);
	}
	return status;
}

static writ_status
watch_on(struct watching *watching, writ_error *err)
{
	const bool is_person =
	    !watching->args->is_json && w_question_terminal_exists();
	writ_error why;

	watching->signal_fd = w_signals_open(err);
	if (watching->signal_fd < 0)
		return WRIT_E_SYSTEM;
	/* Who asks may wait from now on, instead of failing at once. */
	if (writ_approvals_attend(watching->approvals, &why) != WRIT_OK)
		w_print_note(
		    "a run that asks cannot tell that somebody answers: %s",
		    why.message);
	return is_person ? w_question_seat(watching->approvals,
			       watching->signal_fd, &watching->exit_status, err)
			 : print_changes(watching, err);
}

static int
watch_queue(struct w_approvals_args *args, writ_approvals *approvals)
{
	struct watching watching = {
	    .args = args,
	    .approvals = approvals,
	    .is_first = true,
	    .signal_fd = -1,
	    .exit_status = -1,
	};
	writ_error err;

	writ_status status = watch_on(&watching, &err);
	w_words_done(&watching.seen);
	w_close(&watching.signal_fd);
	return status == WRIT_OK ? watching.exit_status
				 : w_cli_approvals_fail(args, &err);
}

static int
approvals_watch_run(int argc, char **argv)
{
	struct w_approvals_args args = {.command = &w_cmd_approvals_watch};

	return w_cli_approvals_run(&args, argc, argv, watch_queue);
}

const struct w_cli_command w_cmd_approvals_watch = {
    .name = "approvals watch",
    .summary = "Answer questions as they come",
    .usage = "approvals watch [OPTION]...",
    .about = "Waits for questions. On a terminal it lists them, and shows "
	     "one, which a key answers; somebody else may answer it first. "
	     "The arrows or j and k choose another one, q leaves. A run that "
	     "asks without a terminal waits as long as somebody watches. In a "
	     "pipe, and with --json, each change of a question is a line of "
	     "JSON: when it is asked, answered, used, or over.",
    .options = options,
    .examples = examples,
    .exits = exits,
    .usage_exit = 2,
    .run = approvals_watch_run,
};
