/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ audit stats`: counts runs by program, agent, outcome, day or sandbox,
 * and shows the disk usage of the trail and its limits.
 */

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/duration.h"
#include "base/printable.h"
#include "cli/audit/audit_args.h"
#include "cli/audit/audit_disk.h"
#include "cli/output/print.h"
#include "cli/output/text_table.h"
#include "data/json.h"

#define ROWS_DEFAULT 20
#define BAR_WIDTH    20

/* clang-format off */
static const struct w_option options[] = {
	{.name = "by", .arg = "WHAT", W_TO(WORD, struct w_audit_args, by),
	 .standard = "program", .words = "program|agent|outcome|day|sandbox",
	 .help = "Count by program, agent, outcome, day or sandbox."},
	{.name = "limit", .letter = 'n', .arg = "COUNT", W_TO(COUNT, struct w_audit_args, filter.limit),
	 .standard = "20", .help = "This many rows at most; 0: all."},
	W_AUDIT_FILTER_ROWS,
	W_STATE_DIR_ROW("Where", W_TO(SETTING, struct w_audit_args, config)),
	W_AUDIT_INDEX_ROW,
	W_AUDIT_JSON_ROW("Print a JSON object."),
	W_HELP_ROW,
	{.name = ""},
};

static const struct w_example examples[] = {
	{"writ audit stats", "which programs ran most, and how they ended"},
	{"writ audit stats --by day --since 7d", "a week"},
	{"writ audit stats --by agent --outcome failed", "who fails most"},
	{.line = ""},
};

static const struct w_exit_row exits[] = {
	{"0", "success, also when there is nothing to count"},
	{"1", "the trail could not be read"},
	{"2", "wrong usage"},
	{.status = ""},
};

#define NUMBERS ">RUNS", ">FAILED", ">REFUSED", ">TIME", ">LONGEST", ">CPU", \
	">OUTPUT"

/* Table headings for each --by; with_bars adds a column for the bars. */
static const struct look {
	const char *by;
	const char *plain[9];
	const char *with_bars[10];
} looks[] = {
	{"program", {"PROGRAM", NUMBERS, NULL}, {"PROGRAM", NUMBERS, "", NULL}},
	{"agent", {"AGENT", NUMBERS, NULL}, {"AGENT", NUMBERS, "", NULL}},
	{"outcome", {"OUTCOME", NUMBERS, NULL}, {"OUTCOME", NUMBERS, "", NULL}},
	{"day", {"DAY", NUMBERS, NULL}, {"DAY", NUMBERS, "", NULL}},
	{"sandbox", {"SANDBOX", NUMBERS, NULL}, {"SANDBOX", NUMBERS, "", NULL}},
};

/* clang-format on */

struct audit_stats_counting {
	const struct w_audit_args *args;
	size_t limit;
	size_t rows;
	size_t left_out;
	uint64_t most; /* runs of the largest row */
	bool is_measuring;
	bool has_bars;
	struct w_buf json;
	struct w_text_table table;
};

static void
audit_stats_add_json(struct w_buf *buf, const writ_audit_count *count)
{
	w_buf_add_char(buf, '{');
	w_json_add_path_member(buf, "name", count->name);
	w_buf_add_fmt(buf,
	    ",\"runs\":%" PRIu64 ",\"failed\":%" PRIu64 ",\"refused\":%" PRIu64
	    ",\"duration_ms\":%" PRIu64 ",\"longest_ms\":%" PRIu64
	    ",\"cpu_ms\":%" PRIu64 ",\"output_bytes\":%" PRIu64 "}",
	    count->runs, count->failed, count->refused, count->duration_ms,
	    count->longest_ms, count->cpu_ms, count->out_bytes);
}

static void
audit_stats_add_duration(struct w_text_table *table, uint64_t ms)
{
	char text[W_DURATION_TEXT_MAX];

	w_duration_format(ms, text);
	w_text_table_add(table, text);
}

static void
add_bar(struct audit_stats_counting *counting, uint64_t runs)
{
	char bar[BAR_WIDTH + 1];
	size_t len = 0;

	if (counting->most > 0)
		len = (size_t)((runs * BAR_WIDTH + counting->most - 1) /
			       counting->most);
	memset(bar, '#', len);
	bar[len] = '\0';
	w_text_table_add(&counting->table, bar);
	w_text_table_tint(&counting->table, "36");
}

static void
audit_stats_add_row(
    struct audit_stats_counting *counting, const writ_audit_count *count)
{
	struct w_text_table *table = &counting->table;
	char size[W_AUDIT_SIZE_MAX];

	w_cli_audit_disk_size(count->out_bytes, size);
	w_text_table_add(table, count->name);
	w_text_table_add_count(table, count->runs);
	w_text_table_add_count(table, count->failed);
	w_text_table_tint(table, count->failed > 0 ? "31" : NULL);
	w_text_table_add_count(table, count->refused);
	w_text_table_tint(table, count->refused > 0 ? "31" : NULL);
	audit_stats_add_duration(table, count->duration_ms);
	audit_stats_add_duration(table, count->longest_ms);
	audit_stats_add_duration(table, count->cpu_ms);
	w_text_table_add(table, size);
	if (counting->has_bars)
		add_bar(counting, count->runs);
}

static bool
take_count(void *ctx, const writ_audit_count *count)
{
	struct audit_stats_counting *counting = ctx;

	if (counting->is_measuring) {
		if (count->runs > counting->most)
			counting->most = count->runs;
		return true;
	}
	if (counting->limit > 0 && counting->rows == counting->limit) {
		counting->left_out++;
		return true;
	}
	counting->rows++;
	if (counting->args->is_json) {
		w_buf_add_str(&counting->json, counting->rows > 1 ? "," : "");
		audit_stats_add_json(&counting->json, count);
	} else {
		audit_stats_add_row(counting, count);
	}
	return true;
}

static writ_status
count_all(
    struct audit_stats_counting *counting, writ_audit *audit, writ_error *err)
{
	const struct w_audit_args *args = counting->args;
	writ_status status = WRIT_OK;

	if (counting->has_bars) {
		counting->is_measuring = true;
		status = writ_audit_stats(
		    audit, &args->filter, args->by, take_count, counting, err);
		counting->is_measuring = false;
	}
	if (status == WRIT_OK)
		status = writ_audit_stats(
		    audit, &args->filter, args->by, take_count, counting, err);
	return status;
}

static int
audit_stats_print(
    struct audit_stats_counting *counting, const writ_audit_disk *disk)
{
	int status = 0;
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, W_PRINT_MAX);
	if (counting->args->is_json) {
		w_buf_add_char(&counting->json, ']');
		w_cli_audit_disk_json(
		    &counting->json, disk, counting->args->config);
		return w_print(&counting->json);
	}
	if (counting->rows == 0)
		w_print_note("no run matches");
	else
		status = w_text_table_print(&counting->table);
	if (counting->left_out > 0)
		w_print_note(
		    "%zu more: --limit 0 shows all", counting->left_out);
	w_cli_audit_disk_text(&buf, disk, counting->args->config);
	return status != 0 ? status : w_print(&buf);
}

static int
run_stats(struct w_audit_args *args, writ_audit *audit)
{
	struct audit_stats_counting counting = {
	    .args = args,
	    .limit = args->filter.limit,
	    .has_bars = !args->is_json && isatty(STDOUT_FILENO) == 1,
	};
	writ_audit_disk disk;
	writ_error err;
	int status;

	/* --limit counts rows, not runs. */
	args->filter.limit = 0;
	w_buf_init(&counting.json, W_PRINT_MAX);
	const struct look *look = looks;
	while (look + 1 < looks + sizeof(looks) / sizeof(looks[0]) &&
	       strcmp(look->by, args->by) != 0)
		look++;
	w_text_table_init(
	    &counting.table, counting.has_bars ? look->with_bars : look->plain);
	w_buf_add_fmt(&counting.json, "{\"by\":\"%s\",\"rows\":[", args->by);
	if (count_all(&counting, audit, &err) == WRIT_OK &&
	    writ_audit_disk_use(audit, &disk, &err) == WRIT_OK)
		status = audit_stats_print(&counting, &disk);
	else
		status = w_cli_audit_fail(args, &err);
	w_text_table_done(&counting.table);
	w_buf_done(&counting.json);
	return status;
}

static int
audit_stats_run(int argc, char **argv)
{
	struct w_audit_args args = {
	    .command = &w_cmd_audit_stats,
	    .filter = {.limit = ROWS_DEFAULT},
	    .by = "program",
	};

	return w_cli_audit_begin(&args, argc, argv, run_stats);
}

const struct w_cli_command w_cmd_audit_stats = {
    .name = "audit stats",
    .summary = "Count runs, and show how much disk the trail uses",
    .usage = "audit stats [--by WHAT] [OPTION]...",
    .about = "Counts the runs that match: how many, how many failed or "
	     "were refused, how long they took, and what they wrote. "
	     "Below that come the disk use of the trail and the settings "
	     "that limit it.",
    .options = options,
    .stores = {w_cli_audit_store_outcome},
    .examples = examples,
    .exits = exits,
    .usage_exit = 2,
    .run = audit_stats_run,
};
