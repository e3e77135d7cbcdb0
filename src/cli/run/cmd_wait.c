/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ wait RUN...`: waits for runs of other writ processes and exits with
 * their status.
 */

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/auto.h"
#include "base/buf.h"
#include "base/duration.h"
#include "base/error.h"
#include "base/words.h"
#include "cli/cli_command.h"
#include "cli/options/options.h"
#include "cli/output/print.h"
#include "cli/run/recorded_run.h"
#include "cli/run/waiter.h"

/* The poll interval of --any. */
#define POLL_MS   20
#define FOREVER   UINT64_MAX

#define NOTE_MAX  512

#define ENTRY_MAX ((size_t)32 << 20)

enum {
	FAILED = 125,
	BY_SIGNAL = 128
};

struct wait_args {
	struct w_words words;
	const char *timeout; /* as written; NULL: none */
	uint64_t timeout_ms; /* FOREVER: none */
	bool is_any;
	bool is_quiet;
	bool is_json;
	const char *state_dir;
	struct w_recorded_run *runs; /* one for each word */
	struct w_waiter waiter;
	int signal; /* the signal that ended the waiting; 0: none */
};

/* clang-format off */
static const struct w_option options[] = {
	{.name = "timeout", .letter = 't', .arg = "DURATION",
	 W_TO(TEXT, struct wait_args, timeout),
	 .help = "Wait this long at most. The runs go on.",
	 .standard = "for ever"},
	{.name = "any", W_TO(FLAG, struct wait_args, is_any),
	 .help = "Wait for the first of them that ends, and print its id."},
	{.name = "json", W_TO(FLAG, struct wait_args, is_json),
	 .help = "Print the end record of each run, one on a line."},
	{.name = "quiet", .letter = 'q', W_TO(FLAG, struct wait_args, is_quiet),
	 .help = "No notes on standard error."},
	W_STATE_DIR_ROW("", W_TO(TEXT, struct wait_args, state_dir)),
	W_HELP_ROW,
	{.name = ""},
};

static const struct w_example examples[] = {
	{"id=$(writ run --detach -- make); writ wait $id",
	 "the status of make"},
	{"writ wait --timeout 5m 01M7HA 01M7HB",
	 "both, but no longer than five minutes"},
	{"writ wait --any $(writ ps --ids)", "the id of whichever ends first"},
	{.line = ""},
};

static const struct w_exit_row exits[] = {
	{"N", "the status that writ run gives the run; of several, the "
	      "first that is not 0"},
	{"125", "no such run, it was lost (no end was recorded), --timeout ran "
	        "out, or wrong usage"},
	{"130", "Ctrl-C; the runs go on"},
	{.status = ""},
};
/* clang-format on */

static uint64_t
wait_now_ms(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static int
remaining_ms(uint64_t deadline)
{
	const uint64_t now = wait_now_ms();
	const uint64_t left = deadline > now ? deadline - now : 0;

	if (deadline == FOREVER)
		return -1;
	return left > INT32_MAX ? INT32_MAX : (int)left;
}

static writ_status
fail_timeout(const struct wait_args *args, const char *id, writ_error *err)
{
	char text[W_DURATION_TEXT_MAX];

	w_duration_format(args->timeout_ms, text);
	return w_fail(err, WRIT_E_SYSTEM, "wait", 0,
	    "%s is still running after %s", id, text);
}

/* Whether a signal such as Ctrl-C ends the waiting; that is no error. */
static bool
is_interrupted(struct wait_args *args)
{
	args->signal = w_waiter_tick(&args->waiter);
	return args->signal != 0;
}

/* Waits for one run, or for a signal. */
static writ_status
wait_await(struct wait_args *args, writ_audit *audit,
    struct w_recorded_run *recorded, uint64_t deadline, writ_error *err)
{
	bool is_over = w_recorded_run_is_over(recorded);

	while (!is_over) {
		const int left_ms = remaining_ms(deadline);
		writ_status status = writ_audit_wait(audit, recorded->id,
		    w_waiter_slice_ms(&args->waiter, left_ms), &is_over, err);

		if (status != WRIT_OK || is_interrupted(args))
			return status;
		if (!is_over && left_ms == 0)
			return fail_timeout(args, recorded->id, err);
	}
	return w_recorded_run_find(audit, recorded->id, recorded, err);
}

/* Reports a run that was lost or refused. */
static void
note_end(const struct wait_args *args, const struct w_recorded_run *recorded)
{
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, NOTE_MAX);
	if (args->is_quiet || recorded->state == WRIT_RUN_ENDED)
		return;
	w_recorded_run_add_end(&text, recorded);
	w_print_note("%s %s", recorded->id, text.data);
}

static int
print_end(struct wait_args *args, const struct w_recorded_run *recorded)
{
	const char *record = recorded->end_json != NULL ? recorded->end_json
							: recorded->begin_json;
	W_AUTO_BUF struct w_buf line;

	w_buf_init(&line, ENTRY_MAX);
	w_status_line_yield(&args->waiter.line, false, "", 0);
	if (args->is_json && record != NULL &&
	    (recorded->state == WRIT_RUN_ENDED ||
		recorded->state == WRIT_RUN_REFUSED))
		w_buf_add_fmt(&line, "%s\n", record);
	else if (args->is_json)
		w_buf_add_fmt(&line, "{\"run\":\"%s\",\"state\":\"%s\"}\n",
		    recorded->id, writ_run_state_word(recorded->state));
	else if (args->is_any)
		w_buf_add_fmt(&line, "%s\n", recorded->id);
	note_end(args, recorded);
	return w_print(&line) == 0 ? w_recorded_run_exit(recorded) : FAILED;
}

static writ_status
wait_all(struct wait_args *args, writ_audit *audit, uint64_t deadline,
    int *out_exit, writ_error *err)
{
	int first = 0;

	for (size_t i = 0; i < args->words.count; i++) {
		struct w_recorded_run *recorded = &args->runs[i];
		writ_status status =
		    wait_await(args, audit, recorded, deadline, err);

		if (status != WRIT_OK || args->signal != 0)
			return status;
		const int exit_code = print_end(args, recorded);
		if (first == 0)
			first = exit_code;
	}
	*out_exit = first;
	return WRIT_OK;
}

/* Stores the first run that is over; NULL: none is. */
static writ_status
find_ended(const struct wait_args *args, writ_audit *audit,
    struct w_recorded_run **out_recorded, writ_error *err)
{
	*out_recorded = NULL;
	for (size_t i = 0; i < args->words.count && *out_recorded == NULL;
	     i++) {
		struct w_recorded_run *recorded = &args->runs[i];
		bool is_over = w_recorded_run_is_over(recorded);
		writ_status status = WRIT_OK;

		if (!is_over)
			status = writ_audit_wait(
			    audit, recorded->id, 0, &is_over, err);
		if (status != WRIT_OK)
			return status;
		if (is_over)
			*out_recorded = recorded;
	}
	return WRIT_OK;
}

static writ_status
wait_any(struct wait_args *args, writ_audit *audit, uint64_t deadline,
    int *out_exit, writ_error *err)
{
	const struct timespec pause = {.tv_nsec = POLL_MS * 1000000L};
	struct w_recorded_run *recorded = NULL;

	for (;;) {
		const int left_ms = remaining_ms(deadline);
		writ_status status = find_ended(args, audit, &recorded, err);

		if (status == WRIT_OK && recorded != NULL)
			status = w_recorded_run_find(
			    audit, recorded->id, recorded, err);
		if (status != WRIT_OK || is_interrupted(args))
			return status;
		if (recorded != NULL)
			break;
		if (left_ms == 0)
			return fail_timeout(args, args->runs[0].id, err);
		(void)nanosleep(&pause, NULL);
	}
	*out_exit = print_end(args, recorded);
	return WRIT_OK;
}

static writ_status
wait_for_runs(struct wait_args *args, int *out_exit, writ_error *err)
{
	const uint64_t deadline = args->timeout_ms == FOREVER
				      ? FOREVER
				      : wait_now_ms() + args->timeout_ms;
	W_AUTO_AUDIT writ_audit *audit = NULL;

	writ_status status = w_recorded_runs_open(args->state_dir, &audit, err);
	for (size_t i = 0; status == WRIT_OK && i < args->words.count; i++)
		status = w_recorded_run_find(
		    audit, args->words.items[i], &args->runs[i], err);
	if (status != WRIT_OK)
		return status;
	return args->is_any ? wait_any(args, audit, deadline, out_exit, err)
			    : wait_all(args, audit, deadline, out_exit, err);
}

static writ_status
wait_check(struct wait_args *args, writ_error *err)
{
	const struct w_option *option = &options[0];

	if (args->words.count == 0)
		return w_recorded_run_unnamed(&w_cmd_wait, err);
	if (args->timeout != NULL &&
	    w_duration_parse(args->timeout, &args->timeout_ms, err) != WRIT_OK)
		return w_options_name(&w_cmd_wait, option, err);
	return WRIT_OK;
}

static int
wait_and_report(struct wait_args *args)
{
	writ_error err;
	int exit_code = FAILED;
	writ_status status = wait_check(args, &err);

	args->runs = calloc(args->words.count + 1, sizeof(*args->runs));
	if (args->runs == NULL)
		status = w_fail_nomem(&err, "wait");
	w_waiter_init(&args->waiter, !args->is_quiet);
	if (status == WRIT_OK)
		status = wait_for_runs(args, &exit_code, &err);
	w_waiter_done(&args->waiter);
	for (size_t i = 0; args->runs != NULL && i < args->words.count; i++)
		w_recorded_run_done(&args->runs[i]);
	free(args->runs);
	if (status != WRIT_OK)
		return w_print_failure(&err, args->is_json, FAILED);
	return args->signal != 0 ? BY_SIGNAL + args->signal : exit_code;
}

static int
wait_run(int argc, char **argv)
{
	struct wait_args args = {.timeout_ms = FOREVER};
	int status = w_cli_command_begin(&w_cmd_wait, argc, argv, &args);

	if (status < 0)
		status = wait_and_report(&args);
	w_words_done(&args.words);
	return status;
}

const struct w_cli_command w_cmd_wait = {
    .name = "wait",
    .summary = "Wait until runs have ended, and pass on their status",
    .usage = "wait [--timeout DURATION] [--any] RUN...",
    .about = "Waits until every RUN has ended and exits with its status, as "
	     "writ run would have. RUN is an id, the beginning of one, or '-' "
	     "for the newest.",
    .options = options,
    .examples = examples,
    .exits = exits,
    .operand = &(const struct w_option){.words = "@running",
	W_TO(LIST, struct wait_args, words)},
    .usage_exit = FAILED,
    .run = wait_run,
};
