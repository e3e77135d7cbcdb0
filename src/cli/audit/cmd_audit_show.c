/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ audit show`: shows all that the trail has about one run, or one
 * record.
 */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/decimal.h"
#include "base/duration.h"
#include "base/error.h"
#include "cli/audit/audit_answer.h"
#include "cli/audit/audit_args.h"
#include "cli/audit/audit_difference.h"
#include "cli/audit/audit_disk.h"
#include "cli/audit/audit_outcome.h"
#include "cli/audit/host_sums.h"
#include "cli/audit/record_page.h"
#include "cli/options/datetime.h"
#include "cli/output/print.h"
#include "cli/output/wrapped_page.h"
#include "data/json.h"
#include "log/log_format.h"

/* Escapes make a page longer than its records. */
#define PAGE_MAX  (16 * W_LOG_LINE_MAX)
#define DEPTH_MAX 16
#define TEXT_MAX  256

/* clang-format off */
static const struct w_option options[] = {
	W_STATE_DIR_ROW("Where", W_TO(SETTING, struct w_audit_args, config)),
	W_AUDIT_INDEX_ROW,
	W_AUDIT_JSON_ROW("Print the exact records: an object with 'begin' and "
	    "'end', or the one record."),
	W_HELP_ROW,
	{.name = ""},
};

static const struct w_example examples[] = {
	{"writ audit show -", "the newest run"},
	{"writ audit show 01KA5QX7P2", "a run, by the beginning of its id"},
	{"writ audit show 812", "the record of that number"},
	{"writ audit show - --json | jq .begin.argv",
	 "the exact record, for a program"},
	{.line = ""},
};

static const struct w_exit_row exits[] = {
	{"0", "success"},
	{"1", "no such run or record, several runs begin like this, or the "
	      "trail could not be read"},
	{"2", "wrong usage"},
	{.status = ""},
};
/* clang-format on */

struct showing {
	const struct w_audit_args *args;
	struct w_buf out;
	struct w_record_page page;
	char run_id[TEXT_MAX];   /* in full */
	char approval[TEXT_MAX]; /* that allowed the run; "": none */
	size_t count;
	writ_status status;
	writ_error err;
};

static struct w_json *
read_record(struct showing *showing, const char *json)
{
	const struct w_json_limits limits = {
	    .bytes_max = W_LOG_LINE_MAX, .depth_max = DEPTH_MAX};
	struct w_json *document = NULL;

	if (json == NULL || showing->status != WRIT_OK)
		return NULL;
	showing->status =
	    w_json_read(json, strlen(json), &limits, &document, &showing->err);
	return document;
}

static void
add_top(struct showing *showing, const writ_audit_run *run)
{
	struct w_record_page *page = &showing->page;
	char when[W_DATETIME_MAX];
	W_AUTO_BUF struct w_buf outcome;

	w_buf_init(&outcome, TEXT_MAX);
	w_cli_audit_outcome_add(&outcome, run);
	w_datetime_format(run->begin_us, when);
	w_buf_add_fmt(page->out, "%srun %s%s\n",
	    page->has_colour ? "\033[1m" : "", run->run_id,
	    page->has_colour ? "\033[0m" : "");
	w_page_row(page, "command", run->command);
	w_page_row(page, "state", outcome.data);
	w_page_row(page, "began", when);
	if (run->end_us > 0) {
		w_datetime_format(run->end_us, when);
		w_page_row(page, "ended", when);
	}
}

static bool
audit_show_take_run(void *ctx, const writ_audit_run *run)
{
	struct showing *showing = ctx;

	(void)snprintf(
	    showing->run_id, sizeof(showing->run_id), "%s", run->run_id);
	if (showing->args->is_json) {
		w_buf_add_fmt(&showing->out, "{\"begin\":%s,\"end\":%s}\n",
		    run->begin_json != NULL ? run->begin_json : "null",
		    run->end_json != NULL ? run->end_json : "null");
		return false;
	}

	struct w_json *begin = read_record(showing, run->begin_json);
	struct w_json *end = read_record(showing, run->end_json);
	if (showing->status == WRIT_OK) {
		yyjson_val *asked = begin == NULL ? NULL : w_json_root(begin);
		const char *approval = w_cli_audit_approval(asked);

		add_top(showing, run);
		w_page_run(&showing->page, asked,
		    end == NULL ? NULL : w_json_root(end));
		(void)snprintf(showing->approval, sizeof(showing->approval),
		    "%s", approval == NULL ? "" : approval);
		w_page_row(&showing->page, "recording", run->recording);
		w_page_difference(&showing->page, asked, run->recording);
	}
	w_json_free(begin);
	w_json_free(end);
	return false;
}

/* Adds the file and offset of a record, and its hash. */
static bool
take_place(void *ctx, const writ_record *record)
{
	struct showing *showing = ctx;
	struct w_log_line line;
	char label[TEXT_MAX];
	char text[TEXT_MAX];

	(void)snprintf(
	    label, sizeof(label), "%" PRIu64 " %s", record->seq, record->kind);
	(void)snprintf(text, sizeof(text), "%s, byte %" PRIu64, record->file,
	    record->offset);
	w_page_row(&showing->page, label, text);
	if (w_log_line_parse(record->json, record->json_len, &line)) {
		(void)snprintf(
		    text, sizeof(text), "%.*s", W_SHA256_HEX, line.hash);
		w_page_row(&showing->page, "  hash", text);
	}
	return true;
}

static bool
audit_show_take_record(void *ctx, const writ_record *record)
{
	struct showing *showing = ctx;
	struct w_record_page *page = &showing->page;

	showing->count++;
	if (showing->args->is_json) {
		w_buf_add_fmt(&showing->out, "%s\n", record->json);
		return false;
	}

	struct w_json *document = read_record(showing, record->json);
	if (document != NULL) {
		w_buf_add_fmt(page->out, "%srecord %" PRIu64 "%s\n",
		    page->has_colour ? "\033[1m" : "", record->seq,
		    page->has_colour ? "\033[0m" : "");
		w_page_record(page, w_json_root(document));
		w_page_heading(page, "where");
		(void)take_place(showing, record);
	}
	w_json_free(document);
	return false;
}

static writ_status
show_record(struct showing *showing, writ_audit *audit, uint64_t seq)
{
	writ_audit_filter filter = WRIT_AUDIT_FILTER_INIT;
	writ_error *err = &showing->err;

	filter.after_seq = seq - 1;
	filter.limit = 1;
	filter.oldest_first = true;
	writ_status status = writ_audit_records(
	    audit, &filter, audit_show_take_record, showing, err);
	if (status == WRIT_OK && showing->count == 0)
		return w_fail(err, WRIT_E_NOTFOUND, "audit", 0,
		    "there is no record %" PRIu64, seq);
	return status;
}

/* What it reached of the network. */
static writ_status
show_hosts(
    struct showing *showing, writ_audit *audit, const writ_audit_filter *filter)
{
	struct w_cli_host_sums sums = {.items = NULL};
	char sent[W_AUDIT_SIZE_MAX], received[W_AUDIT_SIZE_MAX];
	char text[TEXT_MAX];
	writ_status status =
	    w_cli_host_sums_read(audit, filter, &sums, &showing->err);

	if (status == WRIT_OK && sums.count > 0)
		w_page_heading(&showing->page, "hosts");
	for (size_t i = 0; i < sums.count; i++) {
		const struct w_cli_host_sum *sum = &sums.items[i];

		w_cli_audit_disk_size(sum->sent, sent);
		w_cli_audit_disk_size(sum->received, received);
		(void)snprintf(text, sizeof(text),
		    "%" PRIu64 " connections, %s sent, %s received, %" PRIu64
		    " refused%s%s",
		    sum->connections, sent, received, sum->refused,
		    sum->reason == NULL ? "" : ": ",
		    sum->reason == NULL ? "" : sum->reason);
		w_page_row(&showing->page, sum->host, text);
	}
	w_cli_host_sums_done(&sums);
	return status;
}

static writ_status
show_run(struct showing *showing, writ_audit *audit)
{
	writ_audit_filter filter = WRIT_AUDIT_FILTER_INIT;
	writ_status status = writ_audit_find(audit, showing->args->operand,
	    audit_show_take_run, showing, &showing->err);

	if (status != WRIT_OK || showing->status != WRIT_OK ||
	    showing->args->is_json)
		return status;
	if (showing->approval[0] != '\0')
		status = w_page_answer(
		    &showing->page, audit, showing->approval, &showing->err);
	filter.run_id = showing->run_id;
	if (status == WRIT_OK)
		status = show_hosts(showing, audit, &filter);
	if (status != WRIT_OK)
		return status;
	w_page_heading(&showing->page, "records");
	filter.oldest_first = true;
	return writ_audit_records(
	    audit, &filter, take_place, showing, &showing->err);
}

/* The number of a record; 0: the word is none. A run id begins with its time,
 * whose first digit is 0 for centuries; a record number never begins with 0. */
static uint64_t
audit_show_number_of(const char *word)
{
	struct w_decimal number;
	uint64_t seq = 0;
	const size_t len = w_decimal_scan(word, &number);

	if (len == 0 || word[len] != '\0' || word[0] == '0' ||
	    number.fraction_len > 0 ||
	    !w_decimal_sum(&number, 1, UINT64_MAX - 1, &seq))
		return 0;
	return seq;
}

static int
run_show(struct w_audit_args *args, writ_audit *audit)
{
	const uint64_t seq = audit_show_number_of(args->operand);
	struct showing showing = {.args = args, .status = WRIT_OK};
	int exit_status = 0;

	w_buf_init(&showing.out, PAGE_MAX);
	showing.page = (struct w_record_page){
	    .out = &showing.out,
	    .has_colour = w_print_has_colour(STDOUT_FILENO),
	};
	writ_status status = seq > 0 ? show_record(&showing, audit, seq)
				     : show_run(&showing, audit);
	if (status != WRIT_OK || showing.status != WRIT_OK)
		exit_status = w_cli_audit_fail(args, &showing.err);
	else
		exit_status = args->is_json
				  ? w_print(&showing.out)
				  : w_wrapped_page_print(&showing.out);
	w_buf_done(&showing.out);
	return exit_status;
}

static int
audit_show_run(int argc, char **argv)
{
	struct w_audit_args args = {
	    .command = &w_cmd_audit_show,
	    .operand_name = "RUN or number of a record",
	    .needs_operand = true,
	};

	return w_cli_audit_begin(&args, argc, argv, run_show);
}

const struct w_cli_command w_cmd_audit_show = {
    .name = "audit show",
    .summary = "Show everything about a run, or one record",
    .usage = "audit show [OPTION]... RUN|NUMBER",
    .about = "Shows what was asked, by whom, what was decided, the "
	     "sandbox, how it ended, its output, and where its records "
	     "are. RUN is an id, a beginning of one that no other run "
	     "has, or - for the newest.",
    .options = options,
    .examples = examples,
    .exits = exits,
    .operand = &(const struct w_option){.words = "@run",
	W_TO(TEXT, struct w_audit_args, operand)},
    .usage_exit = 2,
    .run = audit_show_run,
};
