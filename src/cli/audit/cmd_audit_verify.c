/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ audit verify`: verifies the trail and reports each place where it is
 * wrong.
 */

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/printable.h"
#include "base/size.h"
#include "cli/audit/audit_args.h"
#include "cli/audit/audit_proof.h"
#include "cli/output/elapsed_line.h"
#include "cli/output/print.h"
#include "cli/output/row_writer.h"
#include "data/json.h"

enum {
	BROKEN = 1,
	UNREADABLE = 3
};

#define ANCHOR_MAX ((size_t)1 << 20)

/* clang-format off */
static const struct w_option options[] = {
	{.name = "anchor", .arg = "FILE", W_TO(NAME, struct w_audit_args, anchor_file),
	 .words = "@file",
	 .help = "A checkpoint that was kept elsewhere: the trail must hold "
	         "the record that it names, with that hash."},
	{.name = "key", .arg = "FILE", W_TO(NAME, struct w_audit_args, key_file), .words = "@file",
	 .standard = "the setting audit_key",
	 .help = "The key of a keyed chain."},
	{.name = "public-key", .arg = "FILE", W_TO(NAME, struct w_audit_args, public_key),
	 .words = "@file",
	 .help = "The Ed25519 key (PEM) by which the checkpoints must be "
	         "signed."},
	{.name = "outputs", W_TO(FLAG, struct w_audit_args, has_outputs),
	 .help = "Also hash the kept outputs again."},
	{.name = "strict", W_TO(FLAG, struct w_audit_args, is_strict),
	 .help = "Warnings count as failure."},
	W_STATE_DIR_ROW("Where", W_TO(SETTING, struct w_audit_args, config)),
	W_AUDIT_JSON_ROW("Print a JSON object with the findings and the "
	    "proof."),
	W_HELP_ROW,
	{.name = ""},
};

static const struct w_example examples[] = {
	{"writ audit verify", "prove the whole trail"},
	{"writ audit verify --anchor /media/usb/checkpoint.json",
	 "and that nothing was rewritten since that checkpoint"},
	{"writ audit verify --json | jq .proof.bad",
	 "for a program: how much is wrong"},
	{.line = ""},
};

static const struct w_exit_row exits[] = {
	{"0", "proved; there may be warnings and notes"},
	{"1", "something is wrong with the trail; with --strict, also a "
	      "warning"},
	{"2", "wrong usage"},
	{"3", "the trail, a key or the anchor could not be read"},
	{.status = ""},
};
/* clang-format on */

struct verifying {
	const struct w_audit_args *args;
	bool has_colour;
	bool is_terminal; /* flush each finding at once */
	size_t count;
	struct w_row_writer row_writer;
};

static void
add_finding_json(struct w_buf *buf, const writ_audit_finding *finding)
{
	w_buf_add_fmt(buf, "{\"kind\":\"%s\",\"severity\":\"%s\"",
	    finding->kind, finding->severity);
	w_json_add_path_member(buf, "file", finding->file);
	w_buf_add_fmt(buf,
	    ",\"offset\":%" PRIu64 ",\"line\":%" PRIu64 ",\"seq\":%" PRIu64,
	    finding->offset, finding->line, finding->seq);
	w_json_add_path_member(buf, "run_id", finding->run_id);
	w_json_add_path_member(buf, "text", finding->text);
	w_json_add_path_member(buf, "advice", finding->advice);
	w_buf_add_char(buf, '}');
}

/* "trail-000001.jsonl: byte 4711 (line 12, record 812): " */
static void
audit_verify_add_place(struct w_buf *buf, const writ_audit_finding *finding)
{
	const char *open = " (";

	if (finding->file == NULL)
		return;
	w_buf_add_fmt(buf, "%s: byte %" PRIu64, finding->file, finding->offset);
	if (finding->line > 0) {
		w_buf_add_fmt(buf, "%sline %" PRIu64, open, finding->line);
		open = ", ";
	}
	if (finding->seq > 0) {
		w_buf_add_fmt(buf, "%srecord %" PRIu64, open, finding->seq);
		open = ", ";
	}
	w_buf_add_str(buf, open[0] == ',' ? "): " : ": ");
}

static void
add_kind(struct w_buf *line, const struct verifying *verifying,
    const writ_audit_finding *finding)
{
	const bool is_bad = strcmp(finding->severity, "bad") == 0;
	const bool is_warning = strcmp(finding->severity, "warning") == 0;
	const char *colour = is_bad ? "31" : is_warning ? "33" : "2";

	if (verifying->has_colour)
		w_buf_add_fmt(line, "\033[%sm", colour);
	w_buf_add_str(line, finding->kind);
	if (verifying->has_colour)
		w_buf_add_str(line, "\033[0m");
	if (!is_bad)
		w_buf_add_fmt(line, " (%s)", finding->severity);
	w_buf_add_str(line, ": ");
}

static void
add_finding(struct verifying *verifying, const writ_audit_finding *finding)
{
	struct w_buf *line = &verifying->row_writer.buf;
	W_AUTO_BUF struct w_buf place;

	w_buf_init(&place, W_PRINT_MAX);
	audit_verify_add_place(&place, finding);
	w_buf_add_str(line, "writ: ");
	(void)w_printable_add(line, place.data, 0);
	add_kind(line, verifying, finding);
	(void)w_printable_add(line, finding->text, 0);
	if (finding->advice != NULL) {
		w_buf_add_str(line, "\n  ");
		(void)w_printable_add(line, finding->advice, 0);
	}
	w_buf_add_char(line, '\n');
}

static void
take_finding(void *ctx, const writ_audit_finding *finding)
{
	struct verifying *verifying = ctx;
	struct w_row_writer *row_writer = &verifying->row_writer;

	verifying->count++;
	if (verifying->args->is_json) {
		w_buf_add_str(
		    &row_writer->buf, verifying->count > 1 ? "," : "");
		add_finding_json(&row_writer->buf, finding);
	} else {
		add_finding(verifying, finding);
	}
	if (!verifying->is_terminal) {
		(void)w_row_writer_end_row(row_writer);
		return;
	}
	w_elapsed_wipe();
	(void)w_row_writer_flush(row_writer);
}

static int
print_proof(struct verifying *verifying, const writ_audit_proof *proof)
{
	const bool is_strict = verifying->args->is_strict;

	if (verifying->args->is_json)
		w_cli_audit_proof_json(&verifying->row_writer.buf, proof);
	else
		w_cli_audit_proof_text(&verifying->row_writer.buf, proof);

	const int status = w_row_writer_close(&verifying->row_writer);
	if (proof->bad > 0 || (is_strict && proof->warnings > 0))
		return BROKEN;
	return status == 1 ? UNREADABLE : status;
}

/* Reads a small file, or standard input for "-". */
static writ_status
read_anchor(const char *path, char **out_text, writ_error *err)
{
	const bool is_stdin = strcmp(path, "-") == 0;
	FILE *file = is_stdin ? stdin : fopen(path, "re");
	char *text = calloc(1, ANCHOR_MAX + 1);
	writ_status status = WRIT_OK;

	if (file == NULL)
		status = w_fail(err, WRIT_E_INVALID, "anchor", errno,
		    "cannot open the anchor '%s'", path);
	else if (text == NULL)
		status = w_fail_nomem(err, "anchor");
	else if (fread(text, 1, ANCHOR_MAX + 1, file) > ANCHOR_MAX)
		status = w_fail(err, WRIT_E_INVALID, "anchor", 0,
		    "the anchor '%s' is too long for a checkpoint", path);
	else if (ferror(file) != 0)
		status = w_fail(err, WRIT_E_INVALID, "anchor", errno,
		    "cannot read the anchor '%s'", path);
	if (file != NULL && !is_stdin)
		(void)fclose(file);
	if (status == WRIT_OK)
		*out_text = w_take_ptr(&text);
	free(text);
	return status;
}

static void
start_elapsed_line(writ_audit *audit)
{
	writ_audit_disk disk;
	char size[W_SIZE_TEXT_MAX];
	char text[W_ELAPSED_TEXT_MAX];

	if (writ_audit_disk_use(audit, &disk, NULL) != WRIT_OK)
		return;
	w_size_format(disk.trail_bytes >> 20 << 20, size);
	(void)snprintf(
	    text, sizeof(text), "proving about %s of records: ", size);
	w_elapsed_start(text);
}

/* Returns the exit status. */
static int
verify_and_print(struct verifying *verifying, writ_audit *audit,
    const writ_audit_verify_options *how)
{
	const struct w_audit_args *args = verifying->args;
	writ_audit_proof proof = {.records = 0};
	writ_error err;

	if (w_row_writer_open(&verifying->row_writer, NULL, &err) != WRIT_OK)
		return w_cli_audit_fail(args, &err);
	w_buf_add_str(
	    &verifying->row_writer.buf, args->is_json ? "{\"findings\":[" : "");
	start_elapsed_line(audit);
	writ_status status = writ_audit_verify(
	    audit, how, take_finding, verifying, &proof, &err);
	w_elapsed_stop();
	if (status == WRIT_OK)
		return print_proof(verifying, &proof);
	w_row_writer_drop(&verifying->row_writer);
	return w_cli_audit_fail(args, &err);
}

static int
run_verify(struct w_audit_args *args, writ_audit *audit)
{
	struct verifying verifying = {
	    .args = args,
	    .has_colour = w_print_has_colour(STDOUT_FILENO),
	    .is_terminal = isatty(STDOUT_FILENO) == 1,
	};
	writ_audit_verify_options how = WRIT_AUDIT_VERIFY_OPTIONS_INIT;
	W_AUTO_FREE char *anchor = NULL;
	writ_error err;

	if (args->anchor_file != NULL &&
	    read_anchor(args->anchor_file, &anchor, &err) != WRIT_OK)
		return w_cli_audit_fail(args, &err);
	how.anchor = anchor;
	how.public_key = args->public_key;
	how.outputs = args->has_outputs;
	return verify_and_print(&verifying, audit, &how);
}

static int
audit_verify_run(int argc, char **argv)
{
	struct w_audit_args args = {
	    .command = &w_cmd_audit_verify,
	    .failed_exit = UNREADABLE,
	};

	return w_cli_audit_begin(&args, argc, argv, run_verify);
}

const struct w_cli_command w_cmd_audit_verify = {
    .name = "audit verify",
    .summary = "Prove that no record was changed, removed or added",
    .usage = "audit verify [OPTION]...",
    .about = "Reads the whole trail and checks every hash, the chain from "
	     "record to record and from file to file, the numbers, the end "
	     "that the file 'head' witnesses, and that every run that began "
	     "has ended or still runs. Each finding names the file, the "
	     "first byte that is wrong, the line and the record.",
    .options = options,
    .examples = examples,
    .exits = exits,
    .usage_exit = 2,
    .run = audit_verify_run,
};
