/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ audit triggers`: lists files that runs made or changed, and that some
 * program outside the sandbox will execute later.
 */

#include <string.h>

#include "base/printable.h"
#include "cli/audit/audit_args.h"
#include "cli/options/datetime.h"
#include "cli/output/print.h"
#include "cli/output/text_table.h"
#include "data/json.h"
#include "log/log_format.h"

#define ROWS_DEFAULT 50
#define DEPTH_MAX    16

/* clang-format off */
static const struct w_option options[] = {
	{.name = "limit", .letter = 'n', .arg = "COUNT", W_TO(COUNT, struct w_audit_args, filter.limit),
	 .standard = "50", .help = "This many files at most; 0: all."},
	{.name = "since", .arg = "TIME", W_TO(SINCE, struct w_audit_args, filter.since_us),
	 .help = "Runs that ended at this time or later: 2h, 2026-11-18."},
	W_STATE_DIR_ROW("Where", W_TO(SETTING, struct w_audit_args, config)),
	W_AUDIT_JSON_ROW("Print a JSON object on a line for each file."),
	W_HELP_ROW,
	{.name = ""},
};

static const struct w_example examples[] = {
	{"writ audit triggers", "what runs later because of a run"},
	{"writ audit triggers --since 1d --json", "of one day, for a program"},
	{.line = ""},
};

static const struct w_exit_row exits[] = {
	{"0", "success, also when there is none"},
	{"1", "the trail could not be read"},
	{"2", "wrong usage"},
	{.status = ""},
};
/* clang-format on */

static const char *const headings[] = {"WHEN", "RUN", "FILE", "WHY", NULL};

struct trigger_list {
	const struct w_audit_args *args;
	size_t limit;
	size_t rows;
	bool is_cut;
	struct w_buf json;
	struct w_text_table table;
};

static void
audit_triggers_add_json(
    struct w_buf *buf, const writ_record *record, yyjson_val *trigger)
{
	char when[W_LOG_TIME_LEN + 1];

	w_log_time_format(record->time_us, when);
	w_buf_add_char(buf, '{');
	w_json_add_text_member(buf, "time", when);
	w_json_add_text_member(buf, "run", record->run_id);
	w_json_add_path_member(
	    buf, "path", yyjson_get_str(yyjson_obj_get(trigger, "path")));
	w_json_add_text_member(
	    buf, "why", yyjson_get_str(yyjson_obj_get(trigger, "why")));
	w_buf_add_str(buf, "}\n");
}

static void
audit_triggers_add_row(
    struct trigger_list *list, const writ_record *record, yyjson_val *trigger)
{
	const char *path = yyjson_get_str(yyjson_obj_get(trigger, "path"));
	const char *why = yyjson_get_str(yyjson_obj_get(trigger, "why"));
	char when[W_DATETIME_MAX];
	W_AUTO_BUF struct w_buf shown;

	w_buf_init(&shown, W_LOG_LINE_MAX);
	(void)w_printable_add(&shown, path == NULL ? "?" : path, 0);
	w_datetime_format_short(record->time_us, list->args->now_us, when);
	w_text_table_add(&list->table, when);
	w_text_table_add(&list->table, record->run_id);
	w_text_table_add(&list->table, shown.data);
	w_text_table_add(&list->table, why == NULL ? "" : why);
}

/* false: the limit is reached. */
static bool
take_triggers(
    struct trigger_list *list, const writ_record *record, yyjson_val *triggers)
{
	size_t i;
	size_t count;
	yyjson_val *trigger;

	yyjson_arr_foreach(triggers, i, count, trigger)
	{
		if (yyjson_is_null(yyjson_obj_get(trigger, "path")))
			continue;
		if (list->limit > 0 && list->rows == list->limit) {
			list->is_cut = true;
			return false;
		}
		list->rows++;
		if (list->args->is_json)
			audit_triggers_add_json(&list->json, record, trigger);
		else
			audit_triggers_add_row(list, record, trigger);
	}
	return true;
}

static bool
audit_triggers_take_end(void *ctx, const writ_record *record)
{
	struct trigger_list *list = ctx;
	const struct w_json_limits limits = {
	    .bytes_max = W_LOG_LINE_MAX, .depth_max = DEPTH_MAX};
	struct w_json *json;

	if (strstr(record->json, "\"triggers\":[") == NULL ||
	    w_json_read(record->json, record->json_len, &limits, &json, NULL) !=
		WRIT_OK)
		return true;
	const bool goes_on = take_triggers(
	    list, record, yyjson_obj_get(w_json_root(json), "triggers"));
	w_json_free(json);
	return goes_on;
}

static int
audit_triggers_print(struct trigger_list *list)
{
	if (list->args->is_json)
		return w_print(&list->json);
	if (list->rows == 0) {
		w_print_note("no run changed a file that runs something later");
		return 0;
	}
	const int status = w_text_table_print(&list->table);
	if (list->is_cut)
		w_print_note("there are more: --limit 0 shows all");
	return status;
}

static int
run_triggers(struct w_audit_args *args, writ_audit *audit)
{
	struct trigger_list list = {.args = args, .limit = args->filter.limit};
	writ_error err;

	/* --limit counts files, not records. */
	args->filter.limit = 0;
	args->filter.kind = "end";
	w_buf_init(&list.json, W_PRINT_MAX);
	w_text_table_init(&list.table, headings);
	const int status = writ_audit_records(audit, &args->filter,
			       audit_triggers_take_end, &list, &err) == WRIT_OK
			       ? audit_triggers_print(&list)
			       : w_cli_audit_fail(args, &err);
	w_text_table_done(&list.table);
	w_buf_done(&list.json);
	return status;
}

static int
audit_triggers_run(int argc, char **argv)
{
	struct w_audit_args args = {
	    .command = &w_cmd_audit_triggers,
	    .filter = {.limit = ROWS_DEFAULT},
	};

	return w_cli_audit_begin(&args, argc, argv, run_triggers);
}

const struct w_cli_command w_cmd_audit_triggers = {
    .name = "audit triggers",
    .summary = "List files that runs changed and that run something later",
    .usage = "audit triggers [OPTION]...",
    .about = "Some files of a project make a program outside the sandbox run "
	     "something: hooks and settings of git, .envrc, tasks of editors, "
	     "settings of agents. A run may have to change them. This lists "
	     "those that runs made or changed, the newest first.",
    .options = options,
    .examples = examples,
    .exits = exits,
    .usage_exit = 2,
    .run = audit_triggers_run,
};
