/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ output RUN`: shows the recorded output of a run, also while it runs.
 */

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/caller.h"
#include "cli/cli_command.h"
#include "cli/options/options.h"
#include "cli/output/print.h"
#include "cli/run/recorded_run.h"
#include "cli/run/run_playback.h"
#include "cli/run/run_playback_notes.h"

/* The interval between looks for new output. */
#define FOLLOW_MS 50

enum {
	FAILED = 1,
	BROKEN = 128 + SIGPIPE
};

struct output_args {
	const char *word;
	const char *state_dir;
	bool is_follow;
	bool is_quiet;
	bool has_stdout;
	bool has_stderr;
	const char *tail;  /* as written; NULL: none */
	const char *range; /* likewise */
	struct w_playback_choice choice;
};

/* clang-format off */
static const struct w_option options[] = {
	{.name = "follow", .letter = 'f', W_TO(FLAG, struct output_args, is_follow),
	 .help = "Keep showing output until the run has ended."},
	{.name = "stdout", W_TO(FLAG, struct output_args, has_stdout),
	 .help = "Only what it wrote to its standard output."},
	{.name = "stderr", W_TO(FLAG, struct output_args, has_stderr),
	 .help = "Only what it wrote to its standard error."},
	{.name = "tail", .letter = 'n', .arg = "LINES", W_TO(TEXT, struct output_args, tail),
	 .help = "Begin this many lines before the present end of each "
	         "stream."},
	{.name = "range", .arg = "FROM-TO", W_TO(TEXT, struct output_args, range),
	 .help = "Only these bytes of each stream, counted from 0, both ends "
	         "included; without TO, up to the end."},
	{.name = "json", W_TO(FLAG, struct output_args, choice.is_json),
	 .help = "Print a line of JSON for each piece, with its stream and its "
	         "time, and a last one for the run."},
	{.name = "raw", W_TO(FLAG, struct output_args, choice.is_raw),
	 .help = "Pass the output to a terminal unchanged, with all control "
	         "sequences, not only text and colours."},
	{.name = "quiet", .letter = 'q', W_TO(FLAG, struct output_args, is_quiet),
	 .help = "No notes on standard error."},
	W_STATE_DIR_ROW("", W_TO(TEXT, struct output_args, state_dir)),
	W_HELP_ROW,
	{.name = ""},
};

static const struct w_example examples[] = {
	{"writ output -", "what the newest run wrote"},
	{"writ output 01M7HA --follow", "go on as it writes more"},
	{"writ output 01M7HA --tail 20 --stderr",
	 "the last lines of its standard error"},
	{"writ output 01M7HA --stdout >log", "exactly the bytes it wrote"},
	{.line = ""},
};

static const struct w_exit_row exits[] = {
	{"0", "success, even if the run itself failed: writ wait shows that"},
	{"1", "no such run, or its output was not kept or is kept no longer"},
	{"2", "wrong usage"},
	{"130", "Ctrl-C"},
	{"141", "the reader of the output went away"},
	{.status = ""},
};
/* clang-format on */

static bool
output_read_number(const char **at, uint64_t *out_number)
{
	char *end = NULL;

	if (**at < '0' || **at > '9')
		return false;
	errno = 0;
	*out_number = strtoull(*at, &end, 10);
	*at = end;
	return errno == 0 && *out_number < UINT64_MAX;
}

static writ_status
read_tail(struct output_args *args, const char *value, writ_error *err)
{
	const char *at = value;

	args->choice.has_tail = true;
	if (!output_read_number(&at, &args->choice.tail_lines) || *at != '\0')
		return w_usage_fail(&w_cmd_output, err,
		    "--tail: '%s' is not a number of lines", value);
	return WRIT_OK;
}

static writ_status
output_read_range(struct output_args *args, const char *value, writ_error *err)
{
	struct w_playback_choice *choice = &args->choice;
	const char *at = value;
	bool is_right = output_read_number(&at, &choice->from) && *at++ == '-';

	if (is_right && *at != '\0') {
		is_right = output_read_number(&at, &choice->to) &&
			   *at == '\0' && choice->from <= choice->to;
		choice->to++;
	}
	if (!is_right)
		return w_usage_fail(&w_cmd_output, err,
		    "--range: '%s' is not FROM-TO or FROM- in bytes", value);
	return WRIT_OK;
}

static writ_status
output_check(struct output_args *args, writ_error *err)
{
	if (args->word == NULL)
		return w_recorded_run_unnamed(&w_cmd_output, err);
	if (args->tail != NULL && args->range != NULL)
		return w_usage_fail(&w_cmd_output, err,
		    "--tail and --range cannot be used together");
	if (args->choice.is_raw && w_cli_check_raw(NULL, err) != WRIT_OK)
		return err->status;
	/* --stdout and --stderr together mean the same as neither. */
	args->choice.is_hidden[WRIT_STDOUT] =
	    args->has_stderr && !args->has_stdout;
	args->choice.is_hidden[WRIT_STDERR] =
	    args->has_stdout && !args->has_stderr;
	if (args->tail != NULL)
		return read_tail(args, args->tail, err);
	if (args->range != NULL)
		return output_read_range(args, args->range, err);
	return WRIT_OK;
}

/* Prints the output that is there; opens the recording if there is one by
 * now. No recording is no failure. */
static writ_status
output_pass(struct w_playback *playback, const struct w_recorded_run *recorded,
    writ_error *err)
{
	writ_status status = WRIT_OK;
	writ_error why = {0};

	if (playback->recording == NULL && recorded->recording != NULL)
		status = w_playback_open(playback, recorded->recording, &why);
	if (status == WRIT_E_NOTFOUND)
		return WRIT_OK;
	if (status != WRIT_OK) {
		*err = why;
		return status;
	}
	return playback->recording != NULL ? w_playback_pass(playback, err)
					   : WRIT_OK;
}

/* Prints output until the run is over. The caller prints the rest. */
static writ_status
output_follow(struct w_playback *playback, writ_audit *audit,
    struct w_recorded_run *recorded, writ_error *err)
{
	bool is_over = false;

	while (!is_over) {
		writ_status status = output_pass(playback, recorded, err);

		if (status == WRIT_OK)
			status = writ_audit_wait(
			    audit, recorded->id, FOLLOW_MS, &is_over, err);
		if (status != WRIT_OK)
			return status;
	}
	return w_recorded_run_find(audit, recorded->id, recorded, err);
}

static int
output_finish(const struct output_args *args, const struct w_playback *playback,
    const struct w_recorded_run *recorded)
{
	int status = 0;

	if (playback->recording == NULL)
		status = w_playback_note_none(recorded, args->is_quiet);
	else if (!args->is_quiet)
		w_playback_note_end(playback, recorded);
	if (args->choice.is_json &&
	    w_playback_print_summary(playback, recorded) != 0)
		status = FAILED;
	return status;
}

static int
output_show(const struct output_args *args)
{
	struct w_playback playback = {.choice = args->choice};
	W_AUTO_AUDIT writ_audit *audit = NULL;
	W_AUTO_RECORDED_RUN struct w_recorded_run recorded = {.pid = 0};
	writ_error err;

	writ_status status =
	    w_recorded_runs_open(args->state_dir, &audit, &err);
	if (status == WRIT_OK)
		status =
		    w_recorded_run_find(audit, args->word, &recorded, &err);
	if (status == WRIT_OK && args->is_follow)
		status = output_follow(&playback, audit, &recorded, &err);
	if (status == WRIT_OK)
		status = output_pass(&playback, &recorded, &err);
	w_playback_end(&playback);

	int exit_code =
	    playback.is_broken && err.sys_errno == EPIPE ? BROKEN : FAILED;
	if (status == WRIT_OK)
		exit_code = output_finish(args, &playback, &recorded);
	else if (exit_code != BROKEN)
		(void)w_print_failure(&err, args->choice.is_json, FAILED);
	w_playback_done(&playback);
	return exit_code;
}

static int
output_run(int argc, char **argv)
{
	struct output_args args = {.choice = {.to = UINT64_MAX}};
	writ_error err;
	int status = w_cli_command_begin(&w_cmd_output, argc, argv, &args);

	if (status >= 0)
		return status;
	if (output_check(&args, &err) != WRIT_OK)
		return w_print_failure(
		    &err, args.choice.is_json, w_cmd_output.usage_exit);
	return output_show(&args);
}

const struct w_cli_command w_cmd_output = {
    .name = "output",
    .summary = "Show what a run has written so far",
    .usage = "output [OPTION]... RUN",
    .about = "Shows the kept output of a run, also of one that is going on: "
	     "its standard output on standard output, its standard error on "
	     "standard error, byte for byte. A terminal gets only text and "
	     "colours of it. RUN is an id, the beginning of "
	     "one, or '-' for the newest.",
    .options = options,
    .examples = examples,
    .exits = exits,
    .operand = &(const struct w_option){.words = "@run",
	W_TO(TEXT, struct output_args, word),
	.help = "one RUN at a time"},
    .usage_exit = 2,
    .run = output_run,
};
