/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ ps`: lists the running runs.
 */

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/buf.h"
#include "cli/cli_command.h"
#include "cli/options/datetime.h"
#include "cli/options/options.h"
#include "cli/output/print.h"
#include "cli/output/text_table.h"
#include "cli/run/recorded_run.h"
#include "data/json.h"
#include "log/log_format.h"

/* Without --all a note counts the runs lost within this time. */
#define LOST_NEWS_S 86400
#define LISTING_MAX ((size_t)256 << 20)

enum {
	FAILED = 1
};

struct ps_args {
	bool has_all;
	bool has_ids;
	bool is_json;
	const char *state_dir;
};

struct process_list {
	const struct ps_args *args;
	struct w_text_table table;
	struct w_buf text; /* ids, or JSON */
	size_t lost;       /* lost runs that are not listed */
	size_t unknown;    /* likewise, of unknown state */
};

/* clang-format off */
static const struct w_option options[] = {
	{.name = "all", .letter = 'a', W_TO(FLAG, struct ps_args, has_all),
	 .help = "Also those that were lost (begun, no end recorded, and the "
	         "process that ran them is gone), and those of another pid "
	         "namespace."},
	{.name = "ids", W_TO(FLAG, struct ps_args, has_ids), .help = "Only the ids, one on a line."},
	{.name = "json", W_TO(FLAG, struct ps_args, is_json),
	 .help = "Print a JSON array of objects."},
	W_STATE_DIR_ROW("", W_TO(TEXT, struct ps_args, state_dir)),
	W_HELP_ROW,
	{.name = ""},
};

static const struct w_example examples[] = {
	{"writ ps", "what is running, since when, and for whom"},
	{"writ ps --all", "and what ended without a record of its end"},
	{"writ ps --ids | xargs -r writ wait", "wait for everything"},
	{.line = ""},
};

static const struct w_exit_row exits[] = {
	{"0", "success, also when nothing is running"},
	{"1", "the trail could not be read"},
	{"2", "wrong usage"},
	{.status = ""},
};

static const char *const headings[] = {
	"RUN", "SINCE", "AGENT", "PID", "SANDBOX", "COMMAND", NULL};
static const char *const all_headings[] = {
	"RUN", "STATE", "SINCE", "AGENT", "PID", "SANDBOX", "COMMAND", NULL};
/* clang-format on */

static void
ps_add_row(struct process_list *list, const writ_audit_run *run)
{
	struct w_text_table *table = &list->table;
	char since[W_DATETIME_MAX];
	char pid[16];

	w_datetime_format_short(run->begin_us, w_datetime_now(), since);
	(void)snprintf(pid, sizeof(pid), "%d", run->pid);
	w_text_table_add(table, run->run_id);
	if (list->args->has_all)
		w_text_table_add(table, writ_run_state_word(run->state));
	w_text_table_add(table, since);
	w_text_table_add(table, run->agent);
	w_text_table_add(table, pid);
	w_text_table_add(table, run->sandbox);
	w_text_table_add(table, run->command);
}

static void
ps_add_object(struct w_buf *buf, const writ_audit_run *run)
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
ps_take_run(void *ctx, const writ_audit_run *run)
{
	struct process_list *list = ctx;
	const struct ps_args *args = list->args;

	if (!args->has_all && run->state != WRIT_RUN_RUNNING) {
		list->lost += run->state == WRIT_RUN_LOST;
		list->unknown += run->state == WRIT_RUN_UNKNOWN;
		return true;
	}
	if (args->is_json)
		ps_add_object(&list->text, run);
	else if (args->has_ids)
		w_buf_add_fmt(&list->text, "%s\n", run->run_id);
	else
		ps_add_row(list, run);
	return true;
}

static writ_status
ps_collect(struct process_list *list, writ_audit *audit, writ_error *err)
{
	static const writ_run_state states[] = {
	    WRIT_RUN_RUNNING, WRIT_RUN_UNKNOWN, WRIT_RUN_LOST};
	writ_audit_filter filter = WRIT_AUDIT_FILTER_INIT;
	writ_status status = WRIT_OK;

	filter.oldest_first = true;
	for (size_t i = 0; i < 3 && status == WRIT_OK; i++) {
		filter.outcome = writ_run_state_word(states[i]);
		if (states[i] == WRIT_RUN_LOST && !list->args->has_all)
			filter.since_us =
			    (uint64_t)(time(NULL) - LOST_NEWS_S) * 1000000;
		status =
		    writ_audit_runs(audit, &filter, ps_take_run, list, err);
	}
	return status;
}

static void
note_others(const struct process_list *list)
{
	if (list->unknown > 0)
		w_print_note("%zu more may be running, in another pid "
			     "namespace: writ ps --all",
		    list->unknown);
	if (list->lost > 0)
		w_print_note("%zu %s lost, without a record of the end: writ "
			     "ps --all",
		    list->lost, list->lost == 1 ? "was" : "were");
}

static int
ps_print(struct process_list *list)
{
	const struct ps_args *args = list->args;
	int status;

	if (args->is_json)
		w_buf_add_str(&list->text, "]\n");
	if (args->is_json || args->has_ids)
		status = w_print(&list->text);
	else if (list->table.count > 0)
		status = w_text_table_print(&list->table);
	else {
		w_print_note("nothing is running");
		status = 0;
	}
	if (!args->has_ids)
		note_others(list);
	return status;
}

static int
ps_list(const struct ps_args *args)
{
	struct process_list list = {.args = args};
	W_AUTO_AUDIT writ_audit *audit = NULL;
	writ_error err;
	int status;

	w_buf_init(&list.text, LISTING_MAX);
	w_text_table_init(&list.table, args->has_all ? all_headings : headings);
	if (args->is_json)
		w_buf_add_char(&list.text, '[');
	if (w_recorded_runs_open(args->state_dir, &audit, &err) == WRIT_OK &&
	    ps_collect(&list, audit, &err) == WRIT_OK)
		status = ps_print(&list);
	else
		status = w_print_failure(&err, args->is_json, FAILED);
	w_text_table_done(&list.table);
	w_buf_done(&list.text);
	return status;
}

static int
ps_run(int argc, char **argv)
{
	struct ps_args args = {.is_json = false};
	int status = w_cli_command_begin(&w_cmd_ps, argc, argv, &args);

	return status >= 0 ? status : ps_list(&args);
}

const struct w_cli_command w_cmd_ps = {
    .name = "ps",
    .summary = "List the runs in progress",
    .usage = "ps [--all] [--ids | --json]",
    .about = "Lists the runs of this state directory that have begun and not "
	     "ended: their ids, since when, for which agent, the process that "
	     "runs them, the sandbox and the command.",
    .options = options,
    .examples = examples,
    .exits = exits,
    .usage_exit = 2,
    .run = ps_run,
};
