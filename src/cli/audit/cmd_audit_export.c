/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ audit export`: writes the exact records, runs as CSV, or a recording
 * as an asciicast.
 */

#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/decimal.h"
#include "base/error.h"
#include "cli/audit/audit_args.h"
#include "cli/audit/audit_csv.h"
#include "cli/options/options.h"
#include "cli/output/asciicast.h"
#include "cli/output/print.h"
#include "cli/output/row_writer.h"
#include "cli/run/recorded_run.h"
#include "data/json.h"
#include "log/log_format.h"

#define COLUMNS   80
#define ROWS      24
#define SIDE_MAX  1000
#define DEPTH_MAX 16

/* clang-format off */
static const struct w_option options[] = {
	{.name = "json", W_TO(FLAG, struct w_audit_args, is_json), .heading = "What",
	 .help = "The exact records, one on a line. This is the default."},
	{.name = "csv", W_TO(FLAG, struct w_audit_args, is_csv),
	 .help = "A row for each run, with the names of the columns first."},
	{.name = "asciicast", W_TO(FLAG, struct w_audit_args, is_asciicast),
	 .help = "The output of one run as asciinema players show it "
	         "(asciicast version 2)."},
	{.name = "size", .arg = "COLUMNSxROWS", W_TO(NAME, struct w_audit_args, size),
	 .standard = "that of the run, else 80x24",
	 .help = "The terminal that an asciicast is for."},
	{.name = "output", .letter = 'o', .arg = "FILE", W_TO(NAME, struct w_audit_args, file),
	 .words = "@file", .standard = "standard output",
	 .help = "Write to this file; a new one is readable only by you "
	     "(0600)."},
	W_AUDIT_FILTER_ROWS,
	{.name = "kind", .arg = "WORD", W_TO(NAME, struct w_audit_args, filter.kind),
	 .words = W_AUDIT_KINDS,
	 .help = "Only records of this kind."},
	{.name = "limit", .letter = 'n', .arg = "COUNT", W_TO(COUNT, struct w_audit_args, filter.limit),
	 .standard = "all", .help = "This many at most."},
	W_STATE_DIR_ROW("Where", W_TO(SETTING, struct w_audit_args, config)),
	W_AUDIT_INDEX_ROW,
	W_HELP_ROW,
	{.name = ""},
};

static const struct w_example examples[] = {
	{"writ audit export --since today >today.jsonl",
	 "the records of today, byte for byte"},
	{"writ audit export --csv --agent reviewer -o runs.csv",
	 "for a spreadsheet"},
	{"writ audit export --asciicast -o demo.cast -",
	 "the newest run, for 'asciinema play demo.cast'"},
	{.line = ""},
};

static const struct w_exit_row exits[] = {
	{"0", "success"},
	{"1", "nothing matches, the output of the run is not kept, or "
	      "something could not be read or written"},
	{"2", "wrong usage"},
	{.status = ""},
};
/* clang-format on */

struct exporting {
	struct w_audit_args *args;
	struct w_row_writer row_writer;
	bool is_open; /* row_writer is */
	struct w_audit_csv csv;
	struct w_asciicast_about about;
	size_t count;
	writ_status status; /* of a callback */
	writ_error err;
};

static writ_status
open_row_writer(struct exporting *exporting)
{
	writ_status status = w_row_writer_open(
	    &exporting->row_writer, exporting->args->file, &exporting->err);

	exporting->is_open = status == WRIT_OK;
	return status;
}

static bool
audit_export_take_record(void *ctx, const writ_record *record)
{
	struct exporting *exporting = ctx;

	exporting->count++;
	w_buf_add(&exporting->row_writer.buf, record->json, record->json_len);
	w_buf_add_char(&exporting->row_writer.buf, '\n');
	return w_row_writer_end_row(&exporting->row_writer);
}

static bool
audit_export_take_run(void *ctx, const writ_audit_run *run)
{
	struct exporting *exporting = ctx;

	exporting->count++;
	w_cli_audit_csv_run(&exporting->csv, run);
	return w_row_writer_end_row(&exporting->row_writer);
}

static writ_status
export_rows(struct exporting *exporting, writ_audit *audit, writ_error *err)
{
	const struct w_audit_args *args = exporting->args;

	if (!args->is_csv)
		return writ_audit_records(audit, &args->filter,
		    audit_export_take_record, exporting, err);
	exporting->csv = (struct w_audit_csv){
	    .csv = {.out = &exporting->row_writer.buf},
	    .is_terminal = isatty(exporting->row_writer.fd) == 1,
	};
	w_cli_audit_csv_head(&exporting->csv);
	return writ_audit_runs(
	    audit, &args->filter, audit_export_take_run, exporting, err);
}

/* Reads a number from 1 to SIDE_MAX and moves *at behind it. */
static bool
take_side(const char **at, unsigned *out_side)
{
	struct w_decimal number;
	uint64_t side = 0;
	const size_t len = w_decimal_scan(*at, &number);

	if (len == 0 || number.fraction_len > 0 ||
	    !w_decimal_sum(&number, 1, SIDE_MAX, &side) || side == 0)
		return false;
	*at += len;
	*out_side = (unsigned)side;
	return true;
}

static writ_status
add_pieces(
    struct w_row_writer *row_writer, writ_recording *recording, writ_error *err)
{
	struct w_asciicast cast = {.last_us = 0};
	writ_piece piece = {.len = 0};
	writ_status status;

	do {
		status = writ_recording_next(recording, &piece, err);
		if (status != WRIT_OK || piece.len == 0)
			break;
		w_asciicast_add(&cast, &row_writer->buf,
		    piece.stream == WRIT_STDERR, piece.at_us, piece.bytes,
		    piece.len);
	} while (w_row_writer_end_row(row_writer));
	w_asciicast_end(&cast, &row_writer->buf);
	return status;
}

static unsigned
side_of(yyjson_val *pty, const char *name)
{
	uint64_t side = yyjson_get_uint(yyjson_obj_get(pty, name));

	return side < 1 || side > SIDE_MAX ? 0 : (unsigned)side;
}

/* Reads the size of the pty from the begin record. */
static void
take_terminal_size(const writ_audit_run *run, struct w_asciicast_about *about)
{
	const struct w_json_limits limits = {
	    .bytes_max = W_LOG_LINE_MAX, .depth_max = DEPTH_MAX};
	struct w_json *json = NULL;

	if (run->begin_json == NULL ||
	    w_json_read(run->begin_json, strlen(run->begin_json), &limits,
		&json, NULL) != WRIT_OK)
		return;
	yyjson_val *pty = yyjson_obj_get(w_json_root(json), "pty");
	const unsigned rows = side_of(pty, "rows");
	const unsigned columns = side_of(pty, "columns");
	if (rows > 0 && columns > 0) {
		about->rows = rows;
		about->columns = columns;
	}
	w_json_free(json);
}

/* The file is opened only after the recording was found. */
static writ_status
export_cast(struct exporting *exporting, const writ_audit_run *run)
{
	struct w_asciicast_about about = exporting->about;
	writ_recording *recording = NULL;
	writ_error *err = &exporting->err;

	const bool is_silent = run->out_bytes[0] + run->out_bytes[1] == 0;
	if (run->recording == NULL && !is_silent)
		return w_fail(err, WRIT_E_NOTFOUND, "audit", 0,
		    "the output of run %s is not kept", run->run_id);
	writ_status status = WRIT_OK;
	if (run->recording != NULL)
		status = writ_recording_open(run->recording, &recording, err);
	if (status == WRIT_OK)
		status = open_row_writer(exporting);
	if (status == WRIT_OK) {
		if (exporting->args->size == NULL)
			take_terminal_size(run, &about);
		about.begin_us = run->begin_us;
		about.command = run->command;
		about.title = run->command;
		w_asciicast_begin(&exporting->row_writer.buf, &about);
		if (recording != NULL)
			status =
			    add_pieces(&exporting->row_writer, recording, err);
	}
	writ_recording_free(recording);
	return status;
}

static bool
take_cast(void *ctx, const writ_audit_run *run)
{
	struct exporting *exporting = ctx;

	exporting->count++;
	exporting->status = export_cast(exporting, run);
	return false;
}

static writ_status
export_all(struct exporting *exporting, writ_audit *audit)
{
	struct w_audit_args *args = exporting->args;
	W_AUTO_RECORDED_RUN struct w_recorded_run recorded = {.pid = 0};
	writ_error *err = &exporting->err;
	writ_status status = WRIT_OK;

	if (args->is_asciicast) {
		status = writ_audit_find(
		    audit, args->operand, take_cast, exporting, err);
		return status == WRIT_OK ? exporting->status : status;
	}
	if (args->operand != NULL) {
		status =
		    w_recorded_run_find(audit, args->operand, &recorded, err);
		args->filter.run_id = recorded.id;
	}
	if (status == WRIT_OK)
		status = open_row_writer(exporting);
	if (status == WRIT_OK)
		status = export_rows(exporting, audit, err);
	return status;
}

static writ_status
audit_export_check(struct exporting *exporting)
{
	const struct w_audit_args *args = exporting->args;
	struct w_asciicast_about *about = &exporting->about;
	const char *size = args->size;
	writ_error *err = &exporting->err;

	if (args->is_json + args->is_csv + args->is_asciicast > 1)
		return w_usage_fail(args->command, err,
		    "say one of --json, --csv and --asciicast");
	if (args->is_asciicast && args->operand == NULL)
		return w_usage_fail(
		    args->command, err, "--asciicast: say which RUN");
	if (size != NULL &&
	    (!take_side(&size, &about->columns) || *size++ != 'x' ||
		!take_side(&size, &about->rows) || *size != '\0'))
		return w_usage_fail(args->command, err,
		    "--size: expected COLUMNSxROWS, like 80x24, got '%s'",
		    args->size);
	return WRIT_OK;
}

static int
run_export(struct w_audit_args *args, writ_audit *audit)
{
	struct exporting exporting = {
	    .args = args,
	    .about = {.columns = COLUMNS, .rows = ROWS},
	};

	if (audit_export_check(&exporting) != WRIT_OK)
		return w_print_failure(
		    &exporting.err, args->is_json, args->command->usage_exit);
	args->filter.oldest_first = true;
	if (export_all(&exporting, audit) != WRIT_OK) {
		if (exporting.is_open)
			w_row_writer_drop(&exporting.row_writer);
		return w_cli_audit_fail(args, &exporting.err);
	}

	const int status = w_row_writer_close(&exporting.row_writer);
	if (status != 0 || exporting.count > 0)
		return status;
	w_print_note("nothing matches");
	return 1;
}

static int
audit_export_run(int argc, char **argv)
{
	struct w_audit_args args = {
	    .command = &w_cmd_audit_export,
	    .operand_name = "RUN",
	};

	return w_cli_audit_begin(&args, argc, argv, run_export);
}

const struct w_cli_command w_cmd_audit_export = {
    .name = "audit export",
    .summary = "Write records, a table or a recording for other programs",
    .usage = "audit export [--json | --csv | --asciicast] [OPTION]... [RUN]",
    .about = "Writes the records that match, or those of one run, the oldest "
	     "first. In CSV a text that a spreadsheet would run as a formula "
	     "(it begins with = + - @ or a blank control character) has a "
	     "single quote in front.",
    .options = options,
    .stores = {w_cli_audit_store_outcome},
    .examples = examples,
    .exits = exits,
    .operand = &(const struct w_option){.words = "@run",
	W_TO(TEXT, struct w_audit_args, operand)},
    .usage_exit = 2,
    .run = audit_export_run,
};
