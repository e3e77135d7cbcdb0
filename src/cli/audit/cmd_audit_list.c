/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ audit list` and `writ audit search`: list runs, one on a line. They
 * differ only in the default of --limit.
 */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/duration.h"
#include "base/encode.h"
#include "base/signal_name.h"
#include "base/words.h"
#include "cli/audit/audit_args.h"
#include "cli/audit/audit_outcome.h"
#include "cli/options/datetime.h"
#include "cli/output/print.h"
#include "cli/output/row_writer.h"
#include "cli/output/text_table.h"
#include "data/json.h"
#include "log/log_format.h"

#define LIST_LIMIT 20

/* Letters of an id on a terminal: its time and two more, which nearly always
 * is unique. */
#define SHORT_ID_LEN 12

#define CELL_MAX     256

/* Rows that are aligned with one another. */
#define PAGE_ROWS 4096

/* clang-format off */
static const char *const headings[] = {
	"RUN", "WHEN", "AGENT", "OUTCOME", "TOOK", "SANDBOX", "COMMAND", NULL};

#define LIST_ROWS \
	W_AUDIT_JSON_ROW("Print a JSON array of objects."), \
	{.name = "ids", W_TO(FLAG, struct w_audit_args, has_ids), \
	 .help = "Only the ids, one on a line."}, \
	W_HELP_ROW, \
	{.name = ""}

static const struct w_option list_options[] = {
	W_AUDIT_FILTER_ROWS,
	W_AUDIT_ORDER_ROWS("20"),
	W_STATE_DIR_ROW("Where", W_TO(SETTING, struct w_audit_args, config)),
	W_AUDIT_INDEX_ROW,
	LIST_ROWS,
};

static const struct w_option search_options[] = {
	W_AUDIT_FILTER_ROWS,
	W_AUDIT_ORDER_ROWS("all"),
	W_STATE_DIR_ROW("Where", W_TO(SETTING, struct w_audit_args, config)),
	W_AUDIT_INDEX_ROW,
	LIST_ROWS,
};

static const struct w_example list_examples[] = {
	{"writ audit list", "the 20 newest runs"},
	{"writ audit list -n 5 --agent reviewer",
	 "the last five that an agent asked for"},
	{"writ audit list --json | jq -r '.[].command'",
	 "the same for a program"},
	{.line = ""},
};

static const struct w_example search_examples[] = {
	{"writ audit search --since 2h --outcome failed",
	 "what went wrong in the last two hours"},
	{"writ audit search --program git --text push --until yesterday",
	 "which pushes there were"},
	{"writ audit search --outcome refused --ids | xargs -n1 writ audit show",
	 "what was refused, and why"},
	{.line = ""},
};

static const struct w_exit_row exits[] = {
	{"0", "success"},
	{"1", "no run matches, or the trail could not be read"},
	{"2", "wrong usage"},
	{.status = ""},
};
/* clang-format on */

struct audit_listing {
	const struct w_audit_args *args;
	struct w_row_writer row_writer; /* for ids or JSON */
	struct w_text_table table;
	struct w_words ids; /* those in the table */
	bool is_terminal;
	size_t count;
	int status; /* of printing */
};

static void
add_time_member(struct w_buf *buf, const char *name, uint64_t us)
{
	char text[W_LOG_TIME_LEN + 1];

	w_log_time_format(us, text);
	if (us == 0)
		w_buf_add_fmt(buf, ",\"%s\":null", name);
	else
		w_buf_add_fmt(buf, ",\"%s\":\"%s\"", name, text);
}

static void
add_end_json(struct w_buf *buf, const writ_audit_run *run)
{
	char signal[W_SIGNAL_NAME_MAX];

	w_json_add_path_member(buf, "outcome", run->outcome);
	w_buf_add_fmt(buf, ",\"exit_code\":%d", run->exit_code);
	w_json_add_text_member(buf, "signal",
	    run->signal > 0 ? w_signal_name(run->signal, signal) : NULL);
	w_buf_add_fmt(buf,
	    ",\"duration_ms\":%" PRIu64 ",\"stdout_bytes\":%" PRIu64
	    ",\"stderr_bytes\":%" PRIu64,
	    run->duration_ms, run->out_bytes[0], run->out_bytes[1]);
}

static void
audit_list_add_json(struct w_buf *buf, const writ_audit_run *run)
{
	w_buf_add_char(buf, '{');
	w_json_add_text_member(buf, "run_id", run->run_id);
	w_buf_add_fmt(buf,
	    ",\"state\":\"%s\",\"begin_seq\":%" PRIu64 ",\"end_seq\":",
	    writ_run_state_word(run->state), run->begin_seq);
	if (run->end_seq > 0)
		w_buf_add_fmt(buf, "%" PRIu64, run->end_seq);
	else
		w_buf_add_str(buf, "null");
	add_time_member(buf, "begin", run->begin_us);
	add_time_member(buf, "end", run->end_us);
	w_json_add_path_member(buf, "agent", run->agent);
	w_json_add_path_member(buf, "door", run->door);
	w_buf_add_fmt(
	    buf, ",\"uid\":%" PRIu64 ",\"pid\":%d", run->uid, run->pid);
	w_json_add_path_member(buf, "program", run->program);
	w_json_add_path_member(buf, "command", run->command);
	w_json_add_path_member(buf, "cwd", run->cwd);
	w_json_add_path_member(buf, "sandbox", run->sandbox);
	add_end_json(buf, run);
	w_json_add_path_member(buf, "recording", run->recording);
	w_buf_add_char(buf, '}');
}

static int
compare_words(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The length at which all ids differ, at least SHORT_ID_LEN. */
static size_t
short_len(struct w_words *ids)
{
	size_t len = SHORT_ID_LEN;

	if (ids->count > 1)
		qsort(ids->items, ids->count, sizeof(ids->items[0]),
		    compare_words);
	for (size_t i = 1; i < ids->count; i++) {
		while (len < W_ID_LEN &&
		       strncmp(ids->items[i - 1], ids->items[i], len) == 0)
			len++;
	}
	return len;
}

static int
audit_list_print_page(struct audit_listing *listing)
{
	if (listing->is_terminal)
		listing->table.first_max = short_len(&listing->ids);
	w_words_done(&listing->ids);
	listing->ids = (struct w_words){.items = NULL};
	return w_text_table_print(&listing->table);
}

static void
add_cells(struct audit_listing *listing, const writ_audit_run *run)
{
	struct w_text_table *table = &listing->table;
	char when[W_DATETIME_MAX];
	char took[W_DURATION_TEXT_MAX] = "";
	W_AUTO_BUF struct w_buf outcome;

	w_buf_init(&outcome, CELL_MAX);
	w_cli_audit_outcome_add(&outcome, run);
	if (listing->is_terminal)
		w_datetime_format_short(
		    run->begin_us, listing->args->now_us, when);
	else
		w_datetime_format(run->begin_us, when);
	if (run->state == WRIT_RUN_ENDED)
		w_duration_format(run->duration_ms, took);
	w_text_table_add(table, run->run_id);
	w_text_table_add(table, when);
	w_text_table_add(table, run->agent);
	w_text_table_add(table, outcome.data);
	w_text_table_tint(table, w_cli_audit_outcome_colour(run));
	w_text_table_add(table, took);
	w_text_table_add(table, run->sandbox);
	w_text_table_add(table, run->command);
}

static bool
audit_list_add_row(struct audit_listing *listing, const writ_audit_run *run)
{
	/* If this fails, shortened ids may be ambiguous; nothing else. */
	(void)w_words_add(&listing->ids, run->run_id, strlen(run->run_id));
	add_cells(listing, run);
	if (listing->count % PAGE_ROWS == 0)
		listing->status = audit_list_print_page(listing);
	return listing->status == 0;
}

static bool
audit_list_take_run(void *ctx, const writ_audit_run *run)
{
	struct audit_listing *listing = ctx;
	struct w_buf *buf = &listing->row_writer.buf;
	const struct w_audit_args *args = listing->args;

	listing->count++;
	if (args->is_json) {
		w_buf_add_str(buf, listing->count == 1 ? "[" : ",\n ");
		audit_list_add_json(buf, run);
		return w_row_writer_end_row(&listing->row_writer);
	}
	if (!args->has_ids)
		return audit_list_add_row(listing, run);
	w_buf_add_fmt(buf, "%s\n", run->run_id);
	return w_row_writer_end_row(&listing->row_writer);
}

/* Writes what is left. Returns the exit status. */
static int
audit_list_finish(struct audit_listing *listing)
{
	const struct w_audit_args *args = listing->args;

	if (listing->count == 0 && !args->is_json)
		w_print_note("no run matches");
	if (args->is_json)
		w_buf_add_str(&listing->row_writer.buf,
		    listing->count == 0 ? "[]\n" : "]\n");
	else if (listing->table.count > 0)
		listing->status = audit_list_print_page(listing);

	const int status = w_row_writer_close(&listing->row_writer);
	if (status != 0 || listing->status != 0)
		return status != 0 ? status : listing->status;
	return listing->count == 0 ? 1 : 0;
}

static int
run_listing(struct w_audit_args *args, writ_audit *audit)
{
	struct audit_listing listing = {
	    .args = args,
	    .is_terminal = isatty(STDOUT_FILENO) == 1,
	};
	writ_error err;

	if (w_row_writer_open(&listing.row_writer, NULL, &err) != WRIT_OK)
		return w_cli_audit_fail(args, &err);
	w_text_table_init(&listing.table, headings);
	writ_status found = writ_audit_runs(
	    audit, &args->filter, audit_list_take_run, &listing, &err);
	int status;
	if (found == WRIT_OK) {
		status = audit_list_finish(&listing);
	} else {
		w_row_writer_drop(&listing.row_writer);
		status = w_cli_audit_fail(args, &err);
	}
	w_text_table_done(&listing.table);
	w_words_done(&listing.ids);
	return status;
}

static int
audit_list_run_list(int argc, char **argv)
{
	struct w_audit_args args = {
	    .command = &w_cmd_audit_list,
	    .filter = {.limit = LIST_LIMIT},
	};

	return w_cli_audit_begin(&args, argc, argv, run_listing);
}

static int
run_search(int argc, char **argv)
{
	struct w_audit_args args = {.command = &w_cmd_audit_search};

	return w_cli_audit_begin(&args, argc, argv, run_listing);
}

const struct w_cli_command w_cmd_audit_list = {
    .name = "audit list",
    .summary = "List the newest runs",
    .usage = "audit list [OPTION]...",
    .about = "Lists the newest runs, one on a line: id, begin, agent, "
	     "outcome, how long it took, sandbox and command. On a terminal "
	     "ids are cut to what tells them apart and lines to its width; "
	     "in a pipe everything is whole.",
    .options = list_options,
    .stores = {w_cli_audit_store_outcome},
    .examples = list_examples,
    .exits = exits,
    .usage_exit = 2,
    .run = audit_list_run_list,
};

const struct w_cli_command w_cmd_audit_search = {
    .name = "audit search",
    .summary = "Find runs by time, agent, program, outcome or text",
    .usage = "audit search [OPTION]...",
    .about = "Lists all runs that match, like 'writ audit list'. Every "
	     "option narrows the search.",
    .options = search_options,
    .stores = {w_cli_audit_store_outcome},
    .examples = search_examples,
    .exits = exits,
    .usage_exit = 2,
    .run = run_search,
};
