/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ session list`: the live sessions, then those of applies and scripts in
 * the state directory, newest first.
 */

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/error.h"
#include "cli/manifest/apply_debts.h"
#include "cli/manifest/apply_session.h"
#include "cli/manifest/cmd_session.h"
#include "cli/options/datetime.h"
#include "cli/options/options.h"
#include "cli/output/print.h"
#include "cli/output/text_table.h"
#include "cli/session/session_rows.h"
#include "data/json.h"
#include "manifest/session/manifest_session.h"

#define LISTING_MAX  ((size_t)64 << 20)
#define SESSIONS_MAX 100000

enum {
	FAILED = 1
};

struct session_list_args {
	writ_config *config;
	const char *state_dir;
	bool only_live;
	bool only_applies;
	bool has_ids;
	bool is_json;
};

/* clang-format off */
static const struct w_option options[] = {
	{.name = "ids", W_TO(FLAG, struct session_list_args, has_ids), .help = "Only the ids, one on a line."},
	{.name = "json", W_TO(FLAG, struct session_list_args, is_json),
	 .help = "Print a JSON array of objects."},
	{.name = "live", W_TO(FLAG, struct session_list_args, only_live),
	 .help = "Only the live ones."},
	{.name = "applies", W_TO(FLAG, struct session_list_args, only_applies),
	 .help = "Only those of applies and scripts."},
	W_STATE_DIR_ROW("", W_TO(TEXT, struct session_list_args, state_dir)),
	W_HELP_ROW,
	{.name = ""},
};

static const struct w_example examples[] = {
	{"writ session list", "what lives, what was applied, and how it went"},
	{"writ session list --live --ids | xargs -r writ session end",
	 "end all live ones"},
	{.line = ""},
};

static const char *const headings[] = {
	"SESSION", "BEGAN", "STATE", ">EVENTS", ">CHANGED", ">FAILED",
	"MANIFEST", NULL};
/* clang-format on */

struct session_list {
	const struct session_list_args *args;
	struct w_text_table live;
	struct w_text_table table;
	struct w_buf text; /* ids, or JSON */
	size_t live_count;
	size_t count; /* of all */
};

static const char *
state_word(const struct w_manifest_session *session,
    const struct w_manifest_session_start *start)
{
	if (start->manifest == NULL)
		return "open";
	return w_manifest_session_is_finished(session) ? "complete"
						       : "unfinished";
}

static void
add_cell(struct w_text_table *table, size_t number)
{
	char text[24];

	(void)snprintf(text, sizeof(text), "%zu", number);
	w_text_table_add(table, text);
}

static void
session_list_add_row(struct session_list *session_list,
    const struct w_manifest_session *session,
    const struct w_manifest_session_start *start,
    const writ_apply_summary *summary)
{
	struct w_text_table *table = &session_list->table;
	char began[W_DATETIME_MAX];

	w_datetime_format_short(summary->start_us, w_datetime_now(), began);
	w_text_table_add(table, w_manifest_session_name(session));
	w_text_table_add(table, began);
	w_text_table_add(table, state_word(session, start));
	add_cell(table, summary->total);
	add_cell(table, summary->changed);
	add_cell(table, summary->failed);
	w_text_table_add(table, start->manifest);
}

static void
session_list_add_object(struct session_list *session_list,
    const struct w_manifest_session *session,
    const struct w_manifest_session_start *start,
    const writ_apply_summary *summary)
{
	struct w_buf *buf = &session_list->text;

	w_buf_add_str(buf, session_list->count > 0 ? ",{" : "{");
	w_json_add_path_member(
	    buf, "session", w_manifest_session_name(session));
	w_json_add_text_member(
	    buf, "kind", start->manifest == NULL ? "script" : "apply");
	w_json_add_path_member(
	    buf, "directory", w_manifest_session_dir(session));
	w_json_add_text_member(buf, "state", state_word(session, start));
	w_json_add_path_member(buf, "manifest", start->manifest);
	w_json_add_bool_member(buf, "noop", start->noop);
	w_buf_add_fmt(buf, ",\"resources\":%zu,\"summary\":", start->resources);
	w_event_summary_add_json(buf, summary);
	w_buf_add_char(buf, '}');
}

/* Skips a session that cannot be read or has not started. */
static void
add_session(struct session_list *session_list, const char *dir)
{
	const struct w_manifest_session_options how = {
	    .dir = dir, .must_exist = true, .is_readonly = true};
	struct w_manifest_session *session = NULL;
	struct w_manifest_session_start start;
	writ_apply_summary summary;

	if (w_manifest_session_open(&how, &session, NULL) != WRIT_OK)
		return;
	if (w_manifest_session_started(session, &start)) {
		w_manifest_session_summary(session, &summary);
		if (session_list->args->is_json)
			session_list_add_object(
			    session_list, session, &start, &summary);
		else if (session_list->args->has_ids)
			w_buf_add_fmt(&session_list->text, "%s\n",
			    w_manifest_session_name(session));
		else
			session_list_add_row(
			    session_list, session, &start, &summary);
		session_list->count++;
	}
	w_manifest_session_free(session);
}

static int
is_session(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static int
newest_first(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*b)->d_name, (*a)->d_name);
}

static writ_status
session_list_collect(
    struct session_list *session_list, const char *parent, writ_error *err)
{
	struct dirent **entries = NULL;
	const int count = scandir(parent, &entries, is_session, newest_first);

	if (count < 0 && errno == ENOENT)
		return WRIT_OK;
	if (count < 0)
		return w_fail(err, WRIT_E_SYSTEM, "session", errno,
		    "cannot read '%s'", parent);
	for (int i = 0; i < count; i++) {
		W_AUTO_FREE char *dir = NULL;

		if (i < SESSIONS_MAX &&
		    asprintf(&dir, "%s/%s", parent, entries[i]->d_name) >= 0)
			add_session(session_list, dir);
		free(entries[i]);
	}
	free(entries);
	return WRIT_OK;
}

static int
session_list_print(struct session_list *session_list)
{
	if (session_list->args->is_json)
		w_buf_add_str(&session_list->text, "]\n");
	if (session_list->args->is_json || session_list->args->has_ids)
		return w_print(&session_list->text);
	if (!session_list->args->only_live)
		w_cli_debts_hint(session_list->args->state_dir);
	int status = session_list->live_count == 0
			 ? 0
			 : w_text_table_print(&session_list->live);
	const bool has_both = session_list->live_count > 0 &&
			      session_list->count > session_list->live_count;
	if (status == 0 && has_both)
		status =
		    w_print_bytes(STDOUT_FILENO, "\n", 1) == 0 ? 0 : FAILED;
	if (status == 0 && session_list->count > session_list->live_count)
		status = w_text_table_print(&session_list->table);
	if (session_list->count == 0)
		w_print_note("there are no sessions yet");
	return status;
}

static writ_status
session_list_add_live(struct session_list *session_list, writ_error *err)
{
	const struct session_list_args *args = session_list->args;
	struct w_session_rows rows = {
	    .table =
		args->is_json || args->has_ids ? NULL : &session_list->live,
	    .text = &session_list->text,
	    .is_json = args->is_json,
	};
	writ_status status =
	    writ_session_list(args->config, w_cli_session_rows_add, &rows, err);

	session_list->live_count = rows.count;
	session_list->count = rows.count;
	return status;
}

static writ_status
session_list_fill(struct session_list *session_list, writ_error *err)
{
	const struct session_list_args *args = session_list->args;
	W_AUTO_FREE char *parent = NULL;
	writ_status status = WRIT_OK;

	if (args->state_dir != NULL)
		status = writ_config_set(
		    args->config, "state_dir", args->state_dir, err);
	if (status == WRIT_OK && !args->only_applies)
		status = session_list_add_live(session_list, err);
	if (status == WRIT_OK && !args->only_live)
		status = w_cli_sessions_dir(args->config, &parent, err);
	if (status == WRIT_OK && !args->only_live)
		status = session_list_collect(session_list, parent, err);
	return status;
}

static int
list_sessions(const struct session_list_args *args)
{
	struct session_list session_list = {.args = args};
	writ_error err;
	int status;

	w_buf_init(&session_list.text, LISTING_MAX);
	w_text_table_init(&session_list.live, w_cli_session_headings);
	w_text_table_init(&session_list.table, headings);
	if (args->is_json)
		w_buf_add_char(&session_list.text, '[');
	if (session_list_fill(&session_list, &err) == WRIT_OK)
		status = session_list_print(&session_list);
	else
		status = w_print_failure(&err, args->is_json, FAILED);
	w_text_table_done(&session_list.live);
	w_text_table_done(&session_list.table);
	w_buf_done(&session_list.text);
	return status;
}

static int
session_list_run(int argc, char **argv)
{
	struct session_list_args args = {.state_dir = NULL};
	writ_error err;

	if (writ_config_new(&args.config, &err) != WRIT_OK)
		return w_print_failure(&err, false, FAILED);
	int status =
	    w_cli_command_begin(&w_cmd_session_list, argc, argv, &args);
	if (status < 0 && args.only_live && args.only_applies) {
		(void)w_usage_fail(&w_cmd_session_list, &err,
		    "--live and --applies cannot be used together");
		status = w_print_failure(&err, args.is_json, 2);
	} else if (status < 0) {
		status = list_sessions(&args);
	}
	writ_config_free(args.config);
	return status;
}

const struct w_cli_command w_cmd_session_list = {
    .name = "session list",
    .summary = "List live sessions, then recent applies",
    .usage = "session list [--live | --applies] [--ids | --json]",
    .about = "Lists the live sessions, in which runs share /tmp and a network. "
	     "Then those of applies and scripts, newest first: when each "
	     "began, whether every resource was processed, and how many "
	     "changed or failed. 'writ apply --resume' continues an "
	     "unfinished one.",
    .options = options,
    .examples = examples,
    .exits = w_cli_session_exits,
    .usage_exit = 2,
    .run = session_list_run,
};
