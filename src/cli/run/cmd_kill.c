/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ kill RUN...`: ends runs of other writ processes, and waits until they
 * are gone.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/words.h"
#include "cli/cli_command.h"
#include "cli/options/options.h"
#include "cli/output/print.h"
#include "cli/run/kill_target.h"
#include "cli/run/recorded_run.h"
#include "data/json.h"

enum {
	FAILED = 1
};

struct kill_args {
	struct w_words words;
	bool is_now;
	bool has_all;
	bool is_quiet;
	bool is_json;
	const char *state_dir;
	struct w_kill_target *targets;
	size_t count;
};

/* clang-format off */
static const struct w_option options[] = {
	{.name = "now", W_TO(FLAG, struct kill_args, is_now),
	 .help = "SIGKILL right after SIGTERM, without the grace time."},
	{.name = "all", .letter = 'a', W_TO(FLAG, struct kill_args, has_all),
	 .help = "Every run of yours that goes on, by writ run or for an agent."},
	{.name = "json", W_TO(FLAG, struct kill_args, is_json),
	 .help = "Print a JSON array with an object for each run."},
	{.name = "quiet", .letter = 'q', W_TO(FLAG, struct kill_args, is_quiet),
	 .help = "Say nothing about runs that are gone."},
	W_STATE_DIR_ROW("", W_TO(TEXT, struct kill_args, state_dir)),
	W_HELP_ROW,
	{.name = ""},
};

static const struct w_example examples[] = {
	{"writ kill 01M7HA", "SIGTERM, the grace time, then SIGKILL"},
	{"writ kill --now 01M7HA", "at once"},
	{"writ kill --all", "everything that writ ps shows"},
	{.line = ""},
};

static const struct w_exit_row exits[] = {
	{"0", "they are gone"},
	{"1", "one of them is not, had ended before, or is unknown"},
	{"2", "wrong usage"},
	{.status = ""},
};
/* clang-format on */

/* ---- which runs ---- */

struct collecting {
	struct kill_args *args;
	size_t foreign; /* runs of other front ends */
	bool is_short_of_memory;
};

static struct w_kill_target *
kill_add_target(struct kill_args *args)
{
	struct w_kill_target *grown = reallocarray(
	    args->targets, args->count + 1, sizeof(*args->targets));

	if (grown == NULL)
		return NULL;
	args->targets = grown;
	grown += args->count++;
	memset(grown, 0, sizeof(*grown));
	return grown;
}

static bool
take_running(void *ctx, const writ_audit_run *run)
{
	struct collecting *collecting = ctx;

	if (run->door == NULL ||
	    (strcmp(run->door, "cli") != 0 && strcmp(run->door, "mcp") != 0)) {
		collecting->foreign++;
		return true;
	}
	struct w_kill_target *target = kill_add_target(collecting->args);
	collecting->is_short_of_memory = target == NULL;
	if (target == NULL)
		return false;
	/* The id is enough: the rest is read again after the callback. */
	(void)snprintf(target->recorded.id, sizeof(target->recorded.id), "%s",
	    run->run_id);
	return true;
}

static writ_status
collect_all(struct kill_args *args, writ_audit *audit, writ_error *err)
{
	writ_audit_filter filter = WRIT_AUDIT_FILTER_INIT;
	struct collecting collecting = {.args = args};

	filter.outcome = "running";
	filter.oldest_first = true;
	writ_status status =
	    writ_audit_runs(audit, &filter, take_running, &collecting, err);
	if (status == WRIT_OK && collecting.is_short_of_memory)
		status = w_fail_nomem(err, "kill");
	if (status != WRIT_OK)
		return status;
	if (collecting.foreign > 0)
		w_print_note("%zu %s to other programs; ask these to end them",
		    collecting.foreign,
		    collecting.foreign == 1 ? "run belongs" : "runs belong");
	if (args->count == 0 && !args->is_quiet)
		w_print_note("nothing is running");
	return WRIT_OK;
}

static writ_status
collect_words(struct kill_args *args, writ_error *err)
{
	for (size_t i = 0; i < args->words.count; i++) {
		struct w_kill_target *target = kill_add_target(args);

		if (target == NULL)
			return w_fail_nomem(err, "kill");
		(void)snprintf(target->recorded.id, sizeof(target->recorded.id),
		    "%s", args->words.items[i]);
	}
	return WRIT_OK;
}

/* ---- ending them ---- */

/* A run that is named twice gets one signal: a second one would cut the grace
 * time short. */
static bool
is_signalled_already(
    const struct kill_args *args, const struct w_kill_target *target)
{
	for (const struct w_kill_target *it = args->targets; it < target;
	     it++) {
		if (it->is_signalled &&
		    strcmp(it->recorded.id, target->recorded.id) == 0)
			return true;
	}
	return false;
}

/* ---- the report ---- */

static void
kill_add_object(struct w_buf *buf, const struct w_kill_target *target)
{
	const struct w_recorded_run *recorded = &target->recorded;

	w_buf_add_str(buf, buf->len > 1 ? ",{" : "{");
	w_json_add_text_member(buf, "run_id", recorded->id);
	w_json_add_bool_member(buf, "is_gone", target->is_gone);
	if (target->is_gone) {
		w_json_add_text_member(
		    buf, "state", writ_run_state_word(recorded->state));
		w_json_add_text_member(buf, "outcome", recorded->outcome);
	} else {
		w_json_add_text_member(buf, "error", target->err.message);
	}
	w_buf_add_char(buf, '}');
}

static int
print_targets(const struct kill_args *args)
{
	W_AUTO_BUF struct w_buf out;
	int status = 0;

	w_buf_init(&out, W_PRINT_MAX);
	w_buf_add_str(&out, args->is_json ? "[" : "");
	for (size_t i = 0; i < args->count; i++) {
		const struct w_kill_target *target = &args->targets[i];

		if (!target->is_gone)
			status = FAILED;
		if (args->is_json) {
			kill_add_object(&out, target);
		} else if (!target->is_gone) {
			w_print_error(&target->err, NULL);
		} else if (!args->is_quiet) {
			w_buf_add_fmt(&out, "%s ", target->recorded.id);
			w_recorded_run_add_end(&out, &target->recorded);
			w_buf_add_char(&out, '\n');
		}
	}
	w_buf_add_str(&out, args->is_json ? "]\n" : "");
	return w_print(&out) == 0 ? status : FAILED;
}

static int
kill_runs(struct kill_args *args)
{
	W_AUTO_AUDIT writ_audit *audit = NULL;
	writ_error err;

	writ_status status =
	    w_recorded_runs_open(args->state_dir, &audit, &err);
	if (status == WRIT_OK)
		status = args->has_all ? collect_all(args, audit, &err)
				       : collect_words(args, &err);
	if (status != WRIT_OK)
		return w_print_failure(&err, args->is_json, FAILED);
	/* Signal all of them before waiting for any. */
	for (size_t i = 0; i < args->count; i++) {
		struct w_kill_target *target = &args->targets[i];

		w_cli_kill_find(target, audit);
		if (is_signalled_already(args, target))
			target->is_signalled = true;
		else if (target->is_found)
			target->is_signalled =
			    w_cli_kill_tell(&target->recorded, audit,
				args->state_dir, args->is_now,
				&target->err) == WRIT_OK;
	}
	for (size_t i = 0; i < args->count; i++) {
		if (args->targets[i].is_signalled)
			w_cli_kill_await(
			    &args->targets[i], audit, args->is_now);
	}
	return print_targets(args);
}

static int
check_and_kill(struct kill_args *args)
{
	writ_status usage = WRIT_OK;
	writ_error err;
	int status;

	if (args->has_all && args->words.count > 0)
		usage = w_usage_fail(&w_cmd_kill, &err,
		    "a RUN and --all cannot be used together");
	else if (!args->has_all && args->words.count == 0)
		usage = w_recorded_run_unnamed(&w_cmd_kill, &err);
	if (usage != WRIT_OK)
		return w_print_failure(
		    &err, args->is_json, w_cmd_kill.usage_exit);
	status = kill_runs(args);
	for (size_t i = 0; i < args->count; i++)
		w_recorded_run_done(&args->targets[i].recorded);
	free(args->targets);
	return status;
}

static int
kill_run(int argc, char **argv)
{
	struct kill_args args = {.is_now = false};
	int status = w_cli_command_begin(&w_cmd_kill, argc, argv, &args);

	if (status < 0)
		status = check_and_kill(&args);
	w_words_done(&args.words);
	return status;
}

const struct w_cli_command w_cmd_kill = {
    .name = "kill",
    .summary = "End runs with everything they started",
    .usage = "kill [--now] RUN...\n"
	     "  writ kill [--now] --all",
    .about = "Ends runs of writ run and of agents (writ mcp) as Ctrl-C "
	     "would, and waits until they are gone. RUN is an id, the "
	     "beginning of one, or '-' for the newest.",
    .options = options,
    .examples = examples,
    .exits = exits,
    .operand = &(const struct w_option){.words = "@running",
	W_TO(LIST, struct kill_args, words)},
    .usage_exit = 2,
    .run = kill_run,
};
