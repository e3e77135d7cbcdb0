/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ ps`: the runs that are going now.
 */

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/buf.h"
#include "cli/command.h"
#include "cli/grid.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/runs.h"
#include "cli/when.h"
#include "data/json.h"
#include "store/log_format.h"

/* Lost ones are told of without being asked for a day. */
#define LOST_NEWS_S 86400
#define LISTING_MAX ((size_t)256 << 20)

enum {
	FAILED = 1
};

enum option_id {
	PS_ALL,
	PS_IDS,
	PS_JSON,
};

struct args {
	bool has_all;
	bool has_ids;
	bool is_json;
	const char *state_dir;
};

struct listing {
	const struct args *args;
	struct w_grid table;
	struct w_buf text; /* ids, or JSON */
	size_t lost;       /* how many of these were left out */
	size_t unknown;    /* likewise */
};

/* clang-format off */
static const struct w_option options[] = {
	{.name = "all", .letter = 'a', .id = PS_ALL,
	 .help = "Also those that were lost (begun, no end recorded, and the "
	         "process that ran them is gone), and those of another pid "
	         "namespace."},
	{.name = "ids", .id = PS_IDS, .help = "Only the ids, one on a line."},
	{.name = "json", .id = PS_JSON,
	 .help = "Print a JSON array of objects."},
	W_STATE_DIR_ROW(NULL),
	W_HELP_ROW,
	{.name = NULL},
};

static const struct w_example examples[] = {
	{"writ ps", "what is running, since when, and for whom"},
	{"writ ps --all", "and what ended without a record of its end"},
	{"writ ps --ids | xargs -r writ wait", "wait for everything"},
	{.line = NULL},
};

static const struct w_exit_row exits[] = {
	{"0", "success, also when nothing is running"},
	{"1", "the trail could not be read"},
	{"2", "wrong usage"},
	{.status = NULL},
};

static const char *const headings[] = {
	"RUN", "SINCE", "AGENT", "PID", "SANDBOX", "COMMAND", NULL};
static const char *const all_headings[] = {
	"RUN", "STATE", "SINCE", "AGENT", "PID", "SANDBOX", "COMMAND", NULL};
/* clang-format on */

static writ_status
take(void *ctx, const struct w_option *option, const char *value,
    writ_error *err)
{
	struct args *args = ctx;

	if (option == NULL)
		return w_usage_fail(
		    &w_cmd_ps, err, "unexpected word '%s'", value);
	if (option->target == W_TO_SETTING) {
		args->state_dir = value;
		return WRIT_OK;
	}
	switch ((enum option_id)option->id) {
	case PS_ALL:
		args->has_all = true;
		break;
	case PS_IDS:
		args->has_ids = true;
		break;
	case PS_JSON:
		args->is_json = true;
		break;
	}
	return WRIT_OK;
}

static void
add_row(struct listing *listing, const writ_audit_run *run)
{
	struct w_grid *table = &listing->table;
	char since[W_WHEN_MAX];
	char pid[16];

	w_when_short(run->begin_us, w_when_now(), since);
	(void)snprintf(pid, sizeof(pid), "%d", run->pid);
	w_grid_add(table, run->run_id);
	if (listing->args->has_all)
		w_grid_add(table, writ_run_state_word(run->state));
	w_grid_add(table, since);
	w_grid_add(table, run->agent);
	w_grid_add(table, pid);
	w_grid_add(table, run->sandbox);
	w_grid_add(table, run->command);
}

static void
add_object(struct w_buf *buf, const writ_audit_run *run)
{
	char since[W_LOG_TIME_LEN + 1];

	w_log_time_format(run->begin_us, since);
	w_buf_add_str(buf, buf->len > 1 ? ",{" : "{");
	w_json_add_text_member(buf, "run_id", run->run_id);
	w_buf_add_fmt(buf, ",\"state\":\"%s\",\"since\":\"%s\"",
	    writ_run_state_word(run->state), since);
	w_json_add_path_member(buf, "agent", run->agent);
	w_json_add_path_member(buf, "door", run->door);
	w_buf_add_fmt(buf, ",\"pid\":%d", run->pid);
	w_json_add_path_member(buf, "sandbox", run->sandbox);
	w_json_add_path_member(buf, "program", run->program);
	w_json_add_path_member(buf, "cwd", run->cwd);
	w_json_add_path_member(buf, "command", run->command);
	w_buf_add_char(buf, '}');
}

static bool
take_run(void *ctx, const writ_audit_run *run)
{
	struct listing *listing = ctx;
	const struct args *args = listing->args;

	if (!args->has_all && run->state != WRIT_RUN_RUNNING) {
		listing->lost += run->state == WRIT_RUN_LOST;
		listing->unknown += run->state == WRIT_RUN_UNKNOWN;
		return true;
	}
	if (args->is_json)
		add_object(&listing->text, run);
	else if (args->has_ids)
		w_buf_add_fmt(&listing->text, "%s\n", run->run_id);
	else
		add_row(listing, run);
	return true;
}

static writ_status
collect(struct listing *listing, writ_audit *audit, writ_error *err)
{
	static const writ_run_state states[] = {
	    WRIT_RUN_RUNNING, WRIT_RUN_UNKNOWN, WRIT_RUN_LOST};
	writ_audit_filter filter = WRIT_AUDIT_FILTER_INIT;
	writ_status status = WRIT_OK;

	filter.oldest_first = true;
	for (size_t i = 0; i < 3 && status == WRIT_OK; i++) {
		filter.outcome = writ_run_state_word(states[i]);
		if (states[i] == WRIT_RUN_LOST && !listing->args->has_all)
			filter.since_us =
			    (uint64_t)(time(NULL) - LOST_NEWS_S) * 1000000;
		status =
		    writ_audit_runs(audit, &filter, take_run, listing, err);
	}
	return status;
}

static void
note_others(const struct listing *listing)
{
	if (listing->unknown > 0)
		w_print_note("%zu more may be running, in another pid "
			     "namespace: writ ps --all",
		    listing->unknown);
	if (listing->lost > 0)
		w_print_note("%zu %s lost, without a record of the end: writ "
			     "ps --all",
		    listing->lost, listing->lost == 1 ? "was" : "were");
}

static int
print(struct listing *listing)
{
	const struct args *args = listing->args;
	int status;

	if (args->is_json)
		w_buf_add_str(&listing->text, "]\n");
	if (args->is_json || args->has_ids)
		status = w_print(&listing->text);
	else if (listing->table.count > 0)
		status = w_grid_print(&listing->table);
	else {
		w_print_note("nothing is running");
		status = 0;
	}
	if (!args->has_ids)
		note_others(listing);
	return status;
}

static int
list(const struct args *args)
{
	struct listing listing = {.args = args};
	W_AUTO_AUDIT writ_audit *audit = NULL;
	writ_error err;
	int status;

	w_buf_init(&listing.text, LISTING_MAX);
	w_grid_init(&listing.table, args->has_all ? all_headings : headings);
	if (args->is_json)
		w_buf_add_char(&listing.text, '[');
	if (w_runs_open(args->state_dir, &audit, &err) == WRIT_OK &&
	    collect(&listing, audit, &err) == WRIT_OK)
		status = print(&listing);
	else
		status = w_print_failure(&err, args->is_json, FAILED);
	w_grid_done(&listing.table);
	w_buf_done(&listing.text);
	return status;
}

static int
run(int argc, char **argv)
{
	struct args args = {.is_json = false};
	int status = w_command_begin(&w_cmd_ps, argc, argv, take, &args);

	return status >= 0 ? status : list(&args);
}

const struct w_command w_cmd_ps = {
    .name = "ps",
    .summary = "List the runs that are going now",
    .usage = "ps [--all] [--ids | --json]",
    .about = "Lists the runs of this state directory that have begun and not "
	     "ended: their ids, since when, for which agent, the process that "
	     "runs them, the sandbox and the command.",
    .options = options,
    .examples = examples,
    .exits = exits,
    .usage_exit = 2,
    .run = run,
};
