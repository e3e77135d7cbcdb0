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
#include "cli/apply_session.h"
#include "cli/cmd_session.h"
#include "cli/grid.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/when.h"
#include "data/json.h"
#include "manifest/session.h"

#define LISTING_MAX  ((size_t)64 << 20)
#define SESSIONS_MAX 100000

enum {
	FAILED = 1
};

enum option_id {
	LIST_IDS,
	LIST_JSON,
};

/* clang-format off */
static const struct w_option options[] = {
	{.name = "ids", .id = LIST_IDS, .help = "Only the ids, one on a line."},
	{.name = "json", .id = LIST_JSON,
	 .help = "Print a JSON array of objects."},
	W_STATE_DIR_ROW(NULL),
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

struct args {
	const char *state_dir;
	bool has_ids;
	bool is_json;
};

struct listing {
	const struct args *args;
	struct w_grid table;
	struct w_buf text; /* ids, or JSON */
	size_t count;
};

static writ_status
take(void *ctx, const struct w_option *option, const char *value,
    writ_error *err)
{
	struct args *args = ctx;

	if (option == NULL)
		return w_usage_fail(
		    &w_cmd_session_list, err, "unexpected word '%s'", value);
	if (option->target == W_TO_SETTING)
		args->state_dir = value;
	else if (option->id == LIST_IDS)
		args->has_ids = true;
	else
		args->is_json = true;
	return WRIT_OK;
}

static const char *
state_word(const struct w_session *session, const struct w_session_start *start)
{
	if (start->manifest == NULL)
		return "open";
	return w_session_is_finished(session) ? "complete" : "unfinished";
}

static void
add_cell(struct w_grid *table, size_t number)
{
	char text[24];

	(void)snprintf(text, sizeof(text), "%zu", number);
	w_grid_add(table, text);
}

static void
add_row(struct listing *listing, const struct w_session *session,
    const struct w_session_start *start, const struct w_summary *summary)
{
	struct w_grid *table = &listing->table;
	char began[W_WHEN_MAX];

	w_when_short(summary->start_us, w_when_now(), began);
	w_grid_add(table, w_session_name(session));
	w_grid_add(table, began);
	w_grid_add(table, state_word(session, start));
	add_cell(table, summary->total);
	add_cell(table, summary->changed);
	add_cell(table, summary->failed);
	w_grid_add(table, start->manifest);
}

static void
add_object(struct listing *listing, const struct w_session *session,
    const struct w_session_start *start, const struct w_summary *summary)
{
	struct w_buf *buf = &listing->text;

	w_buf_add_str(buf, listing->count > 0 ? ",{" : "{");
	w_json_add_path_member(buf, "session", w_session_name(session));
	w_json_add_path_member(buf, "directory", w_session_dir(session));
	w_json_add_text_member(buf, "state", state_word(session, start));
	w_json_add_path_member(buf, "manifest", start->manifest);
	w_json_add_bool_member(buf, "noop", start->noop);
	w_buf_add_fmt(buf, ",\"resources\":%zu,\"summary\":", start->resources);
	w_summary_add_json(buf, summary);
	w_buf_add_char(buf, '}');
}

/* One that cannot be read, or has not begun, is left out. */
static void
add_session(struct listing *listing, const char *dir)
{
	const struct w_session_options how = {
	    .dir = dir, .must_exist = true, .is_readonly = true};
	struct w_session *session = NULL;
	struct w_session_start start;
	struct w_summary summary;

	if (w_session_open(&how, &session, NULL) != WRIT_OK)
		return;
	if (w_session_started(session, &start)) {
		w_session_summary(session, &summary);
		if (listing->args->is_json)
			add_object(listing, session, &start, &summary);
		else if (listing->args->has_ids)
			w_buf_add_fmt(
			    &listing->text, "%s\n", w_session_name(session));
		else
			add_row(listing, session, &start, &summary);
		listing->count++;
	}
	w_session_free(session);
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
collect(struct listing *listing, const char *parent, writ_error *err)
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
			add_session(listing, dir);
		free(entries[i]);
	}
	free(entries);
	return WRIT_OK;
}

static int
print(struct listing *listing)
{
	if (listing->args->is_json)
		w_buf_add_str(&listing->text, "]\n");
	if (listing->args->is_json || listing->args->has_ids)
		return w_print(&listing->text);
	if (listing->count > 0)
		return w_grid_print(&listing->table);
	w_print_note("there is no session yet");
	return 0;
}

static writ_status
find_parent(const struct args *args, char **out_parent, writ_error *err)
{
	writ_config *config = NULL;
	writ_status status = writ_config_new(&config, err);

	if (status == WRIT_OK && args->state_dir != NULL)
		status =
		    writ_config_set(config, "state_dir", args->state_dir, err);
	if (status == WRIT_OK)
		status = w_apply_sessions_dir(config, out_parent, err);
	writ_config_free(config);
	return status;
}

static int
list(const struct args *args)
{
	struct listing listing = {.args = args};
	W_AUTO_FREE char *parent = NULL;
	writ_error err;
	int status;

	w_buf_init(&listing.text, LISTING_MAX);
	w_grid_init(&listing.table, headings);
	if (args->is_json)
		w_buf_add_char(&listing.text, '[');
	if (find_parent(args, &parent, &err) == WRIT_OK &&
	    collect(&listing, parent, &err) == WRIT_OK)
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
	struct args args = {.state_dir = NULL};
	int status =
	    w_command_begin(&w_cmd_session_list, argc, argv, take, &args);

	return status >= 0 ? status : list(&args);
}

const struct w_command w_cmd_session_list = {
    .name = "session list",
    .summary = "List the applies of late, newest first",
    .usage = "session list [--ids | --json]",
    .about = "Lists the sessions of the state directory: when each began, "
	     "whether every resource had its turn, and how many changed or "
	     "failed. 'writ apply --resume' goes on with an unfinished one.",
    .options = options,
    .examples = examples,
    .exits = w_session_exits,
    .usage_exit = 2,
    .run = run,
};
