/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ audit tail`: shows the newest records, and with --follow new ones.
 */

#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/printable.h"
#include "base/words.h"
#include "cli/audit/audit_args.h"
#include "cli/options/datetime.h"
#include "cli/output/print.h"
#include "cli/output/row_writer.h"
#include "cli/output/signals.h"
#include "data/json.h"
#include "log/log_format.h"

#define TAIL_COUNT 10
#define COUNT_MAX  100000
#define POLL_MS    200
#define DEPTH_MAX  16
#define ROW_MAX    ((size_t)64 << 20)

/* clang-format off */
static const struct w_option options[] = {
	{.name = "lines", .letter = 'n', .arg = "COUNT", W_TO(COUNT, struct w_audit_args, filter.limit),
	 .standard = "10", .help = "This many to begin with; 0: none."},
	{.name = "follow", .letter = 'f', W_TO(FLAG, struct w_audit_args, has_follow),
	 .help = "Keep showing new ones, until Ctrl-C."},
	{.name = "kind", .arg = "WORD", W_TO(NAME, struct w_audit_args, filter.kind),
	 .words = W_AUDIT_KINDS,
	 .help = "Only records of this kind."},
	{.name = "agent", .arg = "NAME", W_TO(NAME, struct w_audit_args, filter.agent),
	 .help = "Only those that name this agent."},
	W_STATE_DIR_ROW("Where", W_TO(SETTING, struct w_audit_args, config)),
	W_AUDIT_JSON_ROW("Print the exact records, one on a line."),
	W_HELP_ROW,
	{.name = ""},
};

static const struct w_example examples[] = {
	{"writ audit tail", "the last ten records"},
	{"writ audit tail -f", "and new ones as they come"},
	{"writ audit tail -f --json --kind refused | jq -c '.error'",
	 "refusals, as they happen, for a program"},
	{.line = ""},
};

static const struct w_exit_row exits[] = {
	{"0", "success"},
	{"1", "the trail could not be read"},
	{"2", "wrong usage"},
	{"130", "Ctrl-C"},
	{.status = ""},
};
/* clang-format on */

struct audit_tail {
	const struct w_audit_args *args;
	struct w_row_writer row_writer;
	struct w_words held; /* lines, newest first */
	bool is_held;        /* collect lines instead of printing them */
	size_t columns;      /* of the terminal; 0: it is none */
	uint64_t last_seq;
	int signal;
};

static void
audit_tail_add_words(struct w_buf *text, yyjson_val *argv)
{
	size_t i;
	size_t count;
	yyjson_val *word;

	yyjson_arr_foreach(argv, i, count, word)
	{
		w_buf_add_str(text, i == 0 ? "" : " ");
		if (yyjson_is_str(word))
			w_words_quote(text, yyjson_get_str(word));
		else
			w_buf_add_str(text, "(bytes)");
	}
}

static void
audit_tail_add_member(struct w_buf *text, yyjson_val *root, const char *name)
{
	yyjson_val *val = yyjson_obj_get(root, name);

	if (yyjson_is_str(val))
		w_buf_add_fmt(text, "%s%s", text->len == 0 ? "" : " ",
		    yyjson_get_str(val));
	else if (yyjson_is_int(val))
		w_buf_add_fmt(text, "%s%" PRId64, text->len == 0 ? "" : " ",
		    yyjson_get_sint(val));
}

/* The approval and its answer. */
static void
add_asking(struct w_buf *text, yyjson_val *root)
{
	yyjson_val *approved = yyjson_obj_get(root, "approved");

	audit_tail_add_member(text, root, "approval");
	if (yyjson_is_bool(approved))
		w_buf_add_str(
		    text, yyjson_get_bool(approved) ? " approved" : " denied");
	if (yyjson_is_true(approved))
		audit_tail_add_member(text, root, "scope");
	audit_tail_add_member(text, root, "rule");
	if (yyjson_is_str(yyjson_obj_get(root, "note")))
		w_buf_add_char(text, ':');
	audit_tail_add_member(text, root, "note");
}

/* A record in a few words: the command, how it ended, the approval, or else
 * the members of the record. */
static void
add_gist(struct w_buf *text, yyjson_val *root, const struct w_log_line *line)
{
	yyjson_val *error = yyjson_obj_get(root, "error");
	yyjson_val *policy = yyjson_obj_get(root, "policy");

	if (yyjson_is_str(yyjson_obj_get(root, "shell")))
		audit_tail_add_member(text, root, "shell");
	else
		audit_tail_add_words(text, yyjson_obj_get(root, "argv"));
	audit_tail_add_member(text, root, "outcome");
	audit_tail_add_member(text, root, "exit_code");
	audit_tail_add_member(text, root, "signal");
	if (yyjson_is_obj(error)) {
		w_buf_add_str(text, text->len == 0 ? "" : ":");
		audit_tail_add_member(text, error, "message");
	}
	if (w_log_line_is(line, "input")) {
		w_buf_add_fmt(text, "%" PRIu64 " bytes,",
		    yyjson_get_uint(yyjson_obj_get(root, "bytes")));
		audit_tail_add_member(text, policy, "decision");
		audit_tail_add_member(text, policy, "rule");
	}
	if (text->len == 0)
		add_asking(text, root);
	if (text->len > 0)
		return;

	const char *comma = memchr(line->payload, ',', line->payload_len);
	if (comma != NULL)
		w_buf_add(text, comma + 1,
		    line->payload_len - (size_t)(comma + 1 - line->payload));
}

static void
audit_tail_add_text(
    struct audit_tail *tail, struct w_buf *row, const writ_record *record)
{
	const struct w_json_limits limits = {
	    .bytes_max = W_LOG_LINE_MAX, .depth_max = DEPTH_MAX};
	struct w_json *json = NULL;
	struct w_log_line line;
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, ROW_MAX);
	if (w_log_line_parse(record->json, record->json_len, &line) &&
	    w_json_read(record->json, record->json_len, &limits, &json, NULL) ==
		WRIT_OK)
		add_gist(&text, w_json_root(json), &line);
	w_json_free(json);

	const size_t used = row->len;
	if (tail->columns == 0)
		(void)w_printable_add(row, text.data, 0);
	else if (tail->columns > used + 1)
		(void)w_printable_add(row, text.data, tail->columns - used);
}

static void
audit_tail_add_row(
    struct audit_tail *tail, struct w_buf *row, const writ_record *record)
{
	char when[W_DATETIME_MAX];

	if (tail->args->is_json) {
		w_buf_add(row, record->json, record->json_len);
		return;
	}
	if (tail->columns > 0)
		w_datetime_format_short(
		    record->time_us, w_datetime_now(), when);
	else
		w_datetime_format(record->time_us, when);
	w_buf_add_fmt(row, "%" PRIu64 "  %s  %-10s  %-26s  ", record->seq, when,
	    record->kind, record->run_id == NULL ? "-" : record->run_id);
	audit_tail_add_text(tail, row, record);
}

static bool
audit_tail_take_record(void *ctx, const writ_record *record)
{
	struct audit_tail *tail = ctx;
	W_AUTO_BUF struct w_buf row;

	w_buf_init(&row, ROW_MAX);
	if (record->seq > tail->last_seq)
		tail->last_seq = record->seq;
	audit_tail_add_row(tail, &row, record);
	if (tail->is_held)
		return !row.failed &&
		       w_words_add(&tail->held, row.data, row.len);
	w_buf_add_fmt(&tail->row_writer.buf, "%s\n", row.data);
	return w_row_writer_end_row(&tail->row_writer);
}

/* Reads the newest records backwards and prints them in order. */
static writ_status
show_newest(struct audit_tail *tail, writ_audit *audit, writ_error *err)
{
	writ_audit_filter filter = tail->args->filter;

	tail->is_held = true;
	/* Also for -n 0: last_seq is needed. */
	filter.limit = filter.limit == 0 ? 1 : filter.limit;
	writ_status status = writ_audit_records(
	    audit, &filter, audit_tail_take_record, tail, err);
	tail->is_held = false;
	for (size_t i = tail->held.count; i > 0; i--) {
		if (tail->args->filter.limit > 0)
			w_buf_add_fmt(&tail->row_writer.buf, "%s\n",
			    tail->held.items[i - 1]);
	}
	w_words_done(&tail->held);
	return status;
}

/* false: a signal came, or the reader is gone. */
static bool
wait_a_little(struct audit_tail *tail, int signal_fd)
{
	struct signalfd_siginfo info;
	struct pollfd polls[] = {
	    {.fd = signal_fd, .events = POLLIN},
	    /* POLLERR is reported without being asked for. */
	    {.fd = STDOUT_FILENO, .events = 0},
	};

	if (poll(polls, 2, POLL_MS) <= 0)
		return true;
	if ((polls[1].revents & (POLLERR | POLLNVAL)) != 0)
		return false;
	if (read(signal_fd, &info, sizeof(info)) != (ssize_t)sizeof(info))
		return true;
	tail->signal = (int)info.ssi_signo;
	return false;
}

static writ_status
audit_tail_follow(struct audit_tail *tail, writ_audit *audit, writ_error *err)
{
	writ_audit_filter filter = tail->args->filter;
	W_AUTO_FD int signal_fd = w_signals_open(err);
	writ_status status = signal_fd < 0 ? err->status : WRIT_OK;

	filter.oldest_first = true;
	filter.limit = 0;
	while (status == WRIT_OK && w_row_writer_flush(&tail->row_writer) &&
	       wait_a_little(tail, signal_fd)) {
		filter.after_seq = tail->last_seq;
		status = writ_audit_records(
		    audit, &filter, audit_tail_take_record, tail, err);
	}
	return status;
}

static int
run_tail(struct w_audit_args *args, writ_audit *audit)
{
	struct audit_tail tail = {
	    .args = args,
	    .columns = w_printable_terminal_columns(STDOUT_FILENO),
	};
	writ_error err;

	if (args->filter.limit > COUNT_MAX)
		args->filter.limit = COUNT_MAX;
	if (w_row_writer_open(&tail.row_writer, NULL, &err) != WRIT_OK)
		return w_cli_audit_fail(args, &err);
	writ_status status = show_newest(&tail, audit, &err);
	if (status == WRIT_OK && args->has_follow)
		status = audit_tail_follow(&tail, audit, &err);

	const int exit_status = w_row_writer_close(&tail.row_writer);
	if (status != WRIT_OK)
		return w_cli_audit_fail(args, &err);
	if (exit_status != 0)
		return exit_status;
	return tail.signal > 0 ? 128 + tail.signal : 0;
}

static int
audit_tail_run(int argc, char **argv)
{
	struct w_audit_args args = {
	    .command = &w_cmd_audit_tail,
	    .filter = {.limit = TAIL_COUNT},
	};

	return w_cli_audit_begin(&args, argc, argv, run_tail);
}

const struct w_cli_command w_cmd_audit_tail = {
    .name = "audit tail",
    .summary = "Show the newest records, and new ones as they come",
    .usage = "audit tail [-n COUNT] [-f] [OPTION]...",
    .about = "Shows the newest records, one on a line: number, time, kind, "
	     "run, and what it says.",
    .options = options,
    .examples = examples,
    .exits = exits,
    .usage_exit = 2,
    .run = audit_tail_run,
};
