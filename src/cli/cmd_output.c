/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ output RUN`: what a run has written so far, or wrote.
 */

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/size.h"
#include "cli/command.h"
#include "cli/kept.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/runs.h"

/* How long more output may go unnoticed. */
#define FOLLOW_MS   50

#define SUMMARY_MAX 512

enum {
	FAILED = 1,
	BROKEN = 128 + SIGPIPE
};

enum option_id {
	OUTPUT_FOLLOW,
	OUTPUT_STDOUT,
	OUTPUT_STDERR,
	OUTPUT_TAIL,
	OUTPUT_RANGE,
	OUTPUT_QUIET,
	OUTPUT_JSON,
};

struct args {
	const char *word;
	const char *state_dir;
	bool is_follow;
	bool is_quiet;
	bool has_stdout;
	bool has_stderr;
	bool has_range;
	struct w_kept_choice choice;
};

/* clang-format off */
static const struct w_option options[] = {
	{.name = "follow", .letter = 'f', .id = OUTPUT_FOLLOW,
	 .help = "Go on until the run has ended."},
	{.name = "stdout", .id = OUTPUT_STDOUT,
	 .help = "Only what it wrote to its standard output."},
	{.name = "stderr", .id = OUTPUT_STDERR,
	 .help = "Only what it wrote to its standard error."},
	{.name = "tail", .letter = 'n', .arg = "LINES", .id = OUTPUT_TAIL,
	 .help = "Begin this many lines before the present end of each "
	         "stream."},
	{.name = "range", .arg = "FROM-TO", .id = OUTPUT_RANGE,
	 .help = "Only these bytes of each stream, counted from 0, both ends "
	         "included; without TO, up to the end."},
	{.name = "json", .id = OUTPUT_JSON,
	 .help = "Print a line of JSON for each piece, with its stream and its "
	         "time, and a last one for the run."},
	{.name = "quiet", .letter = 'q', .id = OUTPUT_QUIET,
	 .help = "No notes on standard error."},
	{.name = "state-dir", .arg = "DIR", .target = W_TO_SETTING,
	 .key = "state_dir", .words = "@dir",
	 .help = "Where writ keeps its state; see writ config show."},
	W_HELP_ROW,
	{.name = NULL},
};

static const struct w_example examples[] = {
	{"writ output -", "what the newest run wrote"},
	{"writ output 01M7HA --follow", "go on as it writes more"},
	{"writ output 01M7HA --tail 20 --stderr",
	 "the last lines of its standard error"},
	{"writ output 01M7HA --stdout >log", "exactly the bytes it wrote"},
	{.line = NULL},
};

static const struct w_exit_row exits[] = {
	{"0", "success, also when the run itself failed: writ wait tells that"},
	{"1", "no such run, or its output was not kept or is kept no longer"},
	{"2", "wrong usage"},
	{"130", "Ctrl-C"},
	{"141", "the reader of the output went away"},
	{.status = NULL},
};
/* clang-format on */

static bool
read_number(const char **at, uint64_t *out_number)
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
take_tail(struct args *args, const char *value, writ_error *err)
{
	const char *at = value;

	args->choice.has_tail = true;
	if (!read_number(&at, &args->choice.tail_lines) || *at != '\0')
		return w_usage_fail(&w_cmd_output, err,
		    "--tail: '%s' is not a number of lines", value);
	return WRIT_OK;
}

static writ_status
take_range(struct args *args, const char *value, writ_error *err)
{
	struct w_kept_choice *choice = &args->choice;
	const char *at = value;
	bool is_right = read_number(&at, &choice->from) && *at++ == '-';

	args->has_range = true;
	if (is_right && *at != '\0') {
		is_right = read_number(&at, &choice->to) && *at == '\0' &&
			   choice->from <= choice->to;
		choice->to++;
	}
	if (!is_right)
		return w_usage_fail(&w_cmd_output, err,
		    "--range: '%s' is not FROM-TO or FROM- in bytes", value);
	return WRIT_OK;
}

static writ_status
take_operand(struct args *args, const char *word, writ_error *err)
{
	if (args->word != NULL)
		return w_usage_fail(&w_cmd_output, err,
		    "unexpected word '%s': one RUN at a time", word);
	args->word = word;
	return WRIT_OK;
}

static writ_status
take(void *ctx, const struct w_option *option, const char *value,
    writ_error *err)
{
	struct args *args = ctx;

	if (option == NULL)
		return take_operand(args, value, err);
	if (option->target == W_TO_SETTING) {
		args->state_dir = value;
		return WRIT_OK;
	}
	switch ((enum option_id)option->id) {
	case OUTPUT_FOLLOW:
		args->is_follow = true;
		break;
	case OUTPUT_STDOUT:
		args->has_stdout = true;
		break;
	case OUTPUT_STDERR:
		args->has_stderr = true;
		break;
	case OUTPUT_TAIL:
		return take_tail(args, value, err);
	case OUTPUT_RANGE:
		return take_range(args, value, err);
	case OUTPUT_QUIET:
		args->is_quiet = true;
		break;
	case OUTPUT_JSON:
		args->choice.is_json = true;
		break;
	}
	return WRIT_OK;
}

static writ_status
check(struct args *args, writ_error *err)
{
	if (args->word == NULL)
		return w_usage_fail(&w_cmd_output, err,
		    "say which RUN: an id, the beginning of one, or '-' for "
		    "the newest");
	if (args->choice.has_tail && args->has_range)
		return w_usage_fail(&w_cmd_output, err,
		    "--tail and --range exclude each other");
	/* Both of them are as none. */
	args->choice.is_hidden[WRIT_STDOUT] =
	    args->has_stderr && !args->has_stdout;
	args->choice.is_hidden[WRIT_STDERR] =
	    args->has_stdout && !args->has_stderr;
	return WRIT_OK;
}

/* Opens what is there to open; none is no failure. */
static writ_status
open_kept(struct w_kept *kept, const struct w_run_facts *facts, writ_error *err)
{
	writ_error why;

	if (kept->recording != NULL || facts->recording == NULL)
		return WRIT_OK;
	writ_status status = w_kept_open(kept, facts->recording, &why);
	if (status != WRIT_OK && status != WRIT_E_NOTFOUND)
		*err = why;
	return status == WRIT_E_NOTFOUND ? WRIT_OK : status;
}

static writ_status
pass(struct w_kept *kept, const struct w_run_facts *facts, writ_error *err)
{
	writ_status status = open_kept(kept, facts, err);

	if (status == WRIT_OK && kept->recording != NULL)
		status = w_kept_pass(kept, err);
	return status;
}

/* Passes on what comes until the run is over, and then what came last. */
static writ_status
follow(struct w_kept *kept, writ_audit *audit, struct w_run_facts *facts,
    writ_error *err)
{
	bool is_over = false;

	while (!is_over) {
		writ_status status = pass(kept, facts, err);

		if (status == WRIT_OK)
			status = writ_audit_wait(
			    audit, facts->id, FOLLOW_MS, &is_over, err);
		if (status != WRIT_OK)
			return status;
	}
	return w_runs_find(audit, facts->id, facts, err);
}

/* Why there is no recording. Returns the exit status. */
static int
explain_none(const struct args *args, const struct w_run_facts *facts)
{
	const uint64_t bytes = facts->out_bytes[0] + facts->out_bytes[1];
	char size[W_SIZE_TEXT_MAX];

	w_size_format(bytes, size);
	if (facts->state == WRIT_RUN_REFUSED)
		w_print_note("%s never ran: it was refused (%s)", facts->id,
		    facts->outcome);
	else if (facts->state == WRIT_RUN_ENDED && bytes > 0)
		w_print_note("%s wrote %s, which %s", facts->id, size,
		    facts->recording != NULL
			? "is kept no longer: it was pruned"
			: "was not kept");
	else if (!args->is_quiet)
		w_print_note("%s %s", facts->id,
		    facts->state == WRIT_RUN_ENDED  ? "wrote nothing"
		    : facts->state == WRIT_RUN_LOST ? "was lost, and nothing "
						      "it wrote was kept"
						    : "has written nothing so "
						      "far");
	return facts->state == WRIT_RUN_REFUSED ||
	       (facts->state == WRIT_RUN_ENDED && bytes > 0);
}

static bool
is_whole(const struct w_kept *kept, const struct w_run_facts *facts)
{
	return facts->state == WRIT_RUN_ENDED &&
	       kept->seen[0] >= facts->out_bytes[0] &&
	       kept->seen[1] >= facts->out_bytes[1];
}

/* What is missing behind the last byte that was shown. */
static void
explain_end(const struct w_kept *kept, const struct w_run_facts *facts)
{
	char seen[W_SIZE_TEXT_MAX];
	char all[W_SIZE_TEXT_MAX];

	w_size_format(kept->seen[0] + kept->seen[1], seen);
	w_size_format(facts->out_bytes[0] + facts->out_bytes[1], all);
	if (facts->state == WRIT_RUN_LOST)
		w_print_note("%s was lost; what it wrote after the first %s is "
			     "not known",
		    facts->id, seen);
	else if (facts->state == WRIT_RUN_ENDED && !is_whole(kept, facts))
		w_print_note("%s wrote %s, of which the first %s were kept; "
			     "see writ run --keep",
		    facts->id, all, seen);
}

static int
print_summary(const struct w_kept *kept, const struct w_run_facts *facts)
{
	W_AUTO_BUF struct w_buf line;

	w_buf_init(&line, SUMMARY_MAX);
	w_buf_add_char(&line, '{');
	w_print_add_member(&line, "run_id", facts->id);
	w_buf_add_fmt(&line,
	    ",\"state\":\"%s\",\"stdout_kept\":%" PRIu64
	    ",\"stderr_kept\":%" PRIu64 ",\"whole\":%s}\n",
	    writ_run_state_word(facts->state), kept->seen[0], kept->seen[1],
	    is_whole(kept, facts) ? "true" : "false");
	return w_print(&line);
}

static int
finish(const struct args *args, const struct w_kept *kept,
    const struct w_run_facts *facts)
{
	int status = 0;

	if (kept->recording == NULL)
		status = explain_none(args, facts);
	else if (!args->is_quiet)
		explain_end(kept, facts);
	if (args->choice.is_json && print_summary(kept, facts) != 0)
		status = FAILED;
	return status;
}

static int
show(const struct args *args)
{
	struct w_kept kept = {.choice = args->choice};
	W_AUTO_AUDIT writ_audit *audit = NULL;
	W_AUTO_FACTS struct w_run_facts facts = {.pid = 0};
	writ_error err;

	writ_status status = w_runs_open(args->state_dir, &audit, &err);
	if (status == WRIT_OK)
		status = w_runs_find(audit, args->word, &facts, &err);
	if (status == WRIT_OK && args->is_follow)
		status = follow(&kept, audit, &facts, &err);
	if (status == WRIT_OK)
		status = pass(&kept, &facts, &err);

	int exit_code =
	    kept.is_broken && err.sys_errno == EPIPE ? BROKEN : FAILED;
	if (status == WRIT_OK)
		exit_code = finish(args, &kept, &facts);
	else if (exit_code != BROKEN)
		(void)w_print_failure(&err, args->choice.is_json, FAILED);
	w_kept_done(&kept);
	return exit_code;
}

static int
run(int argc, char **argv)
{
	struct args args = {.choice = {.to = UINT64_MAX}};
	writ_error err;
	int status = w_command_begin(&w_cmd_output, argc, argv, take, &args);

	if (status >= 0)
		return status;
	if (check(&args, &err) != WRIT_OK)
		return w_print_failure(
		    &err, args.choice.is_json, w_cmd_output.usage_exit);
	return show(&args);
}

const struct w_command w_cmd_output = {
    .name = "output",
    .summary = "Show what a run has written so far",
    .usage = "output [OPTION]... RUN",
    .about = "Shows the kept output of a run, also of one that is going on: "
	     "its standard output on standard output, its standard error on "
	     "standard error, byte for byte. RUN is an id, the beginning of "
	     "one, or '-' for the newest.",
    .options = options,
    .examples = examples,
    .exits = exits,
    .operands = "@run",
    .usage_exit = 2,
    .run = run,
};
