/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ session list`: the sessions of the state directory, newest first.
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
#include "data/json.h"
#include "manifest/session/manifest_session.h"

#define LISTING_MAX  ((size_t)64 << 20)
#define SESSIONS_MAX 100000

enum {
	FAILED = 1
};

struct session_list_args {
	const char *state_dir;
	bool has_ids;
	bool is_json;
};

/* clang-format off */
static const struct w_option options[] = {
	{.name = "ids", W_TO(FLAG, struct session_list_args, has_ids), .help = "Only the ids, one on a line."},
	{.name = "json", W_TO(FLAG, struct session_list_args, is_json),
	 .help = "Print a JSON array of objects."},
	W_STATE_DIR_ROW(
	    NULL, W_TO(TEXT, struct session_list_args, state_dir)),
	W_HELP_ROW,
	{.name = NULL},
};

static const struct w_example examples[] = {
	{"writ session list", "what was applied, and how it went"},
	{.line = NULL},
};

static const char *const headings[] = {
	"SESSION", "BEGAN", "STATE", ">EVENTS", ">CHANGED", ">FAILED",
	"MANIFEST", NULL};
/* clang-format on */

struct session_list {
	const struct session_list_args *args;
	struct w_text_table table;
	struct w_buf text; /* ids, or JSON */
	size_t count;
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
    const struct w_event_summary *summary)
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
    const struct w_event_summary *summary)
{
	struct w_buf *buf = &session_list->text;

	w_buf_add_str(buf, session_list->count > 0 ? ",{" : "{");
	w_json_add_path_member(
	    buf, "session", w_manifest_session_name(session));
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
	struct w_event_summary summary;

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
	w_cli_debts_hint(session_list->args->state_dir);
	if (session_list->count > 0)
		return w_text_table_print(&session_list->table);
	w_print_note("there are no sessions yet");
	return 0;
}

static writ_status
find_parent(
    const struct session_list_args *args, char **out_parent, writ_error *err)
{
	writ_config *config = NULL;
	writ_status status = writ_config_new(&config, err);

	if (status == WRIT_OK && args->state_dir != NULL)
		status =
		    writ_config_set(config, "state_dir", args->state_dir, err);
	if (status == WRIT_OK)
		status = w_cli_sessions_dir(config, out_parent, err);
	writ_config_free(config);
	return status;
}

static int
list_sessions(const struct session_list_args *args)
{
	struct session_list session_list = {.args = args};
	W_AUTO_FREE char *parent = NULL;
	writ_error err;
	int status;

	w_buf_init(&session_list.text, LISTING_MAX);
	w_text_table_init(&session_list.table, headings);
	if (args->is_json)
		w_buf_add_char(&session_list.text, '[');
	if (find_parent(args, &parent, &err) == WRIT_OK &&
	    session_list_collect(&session_list, parent, &err) == WRIT_OK)
		status = session_list_print(&session_list);
	else
		status = w_print_failure(&err, args->is_json, FAILED);
	w_text_table_done(&session_list.table);
	w_buf_done(&session_list.text);
	return status;
}

static int
session_list_run(int argc, char **argv)
{
	struct session_list_args args = {.state_dir = NULL};
	int status =
	    w_cli_command_begin(&w_cmd_session_list, argc, argv, &args);

	return status >= 0 ? status : list_sessions(&args);
}

const struct w_cli_command w_cmd_session_list = {
    .name = "session list",
    .summary = "List recent applies, newest first",
    .usage = "session list [--ids | --json]",
    .about = "Lists the sessions of the state directory: when each began, "
	     "whether every resource was processed, and how many changed "
	     "or failed. 'writ apply --resume' continues an unfinished "
	     "one.",
    .options = options,
    .examples = examples,
    .exits = w_cli_session_exits,
    .usage_exit = 2,
    .run = session_list_run,
};
