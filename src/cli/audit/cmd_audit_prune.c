/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ audit prune`: deletes recorded output, and records, beyond the limits.
 */

#include <inttypes.h>

#include "base/buf.h"
#include "base/size.h"
#include "cli/audit/audit_args.h"
#include "cli/output/print.h"

/* clang-format off */
static const struct w_option options[] = {
	{.name = "outputs-age", .arg = "DURATION", W_TO(DURATION, struct w_audit_args, outputs_age_ms),
	 .standard = "the setting outputs_age",
	 .help = "Delete kept outputs that are older than this."},
	{.name = "outputs-size", .arg = "SIZE", W_TO(SIZE, struct w_audit_args, outputs_bytes),
	 .standard = "the setting outputs_size",
	 .help = "Delete the oldest kept outputs until this much is left."},
	{.name = "records-age", .arg = "DURATION", W_TO(DURATION, struct w_audit_args, records_age_ms),
	 .standard = "records stay",
	 .help = "Delete files whose records are all older than this; the "
	         "chain of the others can still be verified."},
	{.name = "dry-run", W_TO(FLAG, struct w_audit_args, is_dry_run),
	 .help = "Only show what would be deleted."},
	W_STATE_DIR_ROW("Where", W_TO(SETTING, struct w_audit_args, config)),
	W_AUDIT_JSON_ROW("Print a JSON object."),
	W_HELP_ROW,
	{.name = ""},
};

static const struct w_example examples[] = {
	{"writ audit prune --dry-run", "what the settings would delete now"},
	{"writ audit prune --outputs-age 3d", "outputs of the last three days "
	 "stay"},
	{"writ audit prune --records-age 365d",
	 "also records of more than a year ago"},
	{.line = ""},
};

static const struct w_exit_row exits[] = {
	{"0", "success, also when there was nothing to delete"},
	{"1", "something could not be deleted, or the trail could not be "
	    "read"},
	{"2", "wrong usage"},
	{.status = ""},
};
/* clang-format on */

static void
audit_prune_add_json(struct w_buf *buf, const struct w_audit_args *args,
    const writ_audit_pruned *pruned)
{
	w_buf_add_fmt(buf,
	    "{\"dry_run\":%s,\"outputs\":%" PRIu64 ",\"output_bytes\":%" PRIu64
	    ",\"files\":%" PRIu64 ",\"file_bytes\":%" PRIu64
	    ",\"records\":%" PRIu64 ",\"kept_outputs\":%" PRIu64
	    ",\"kept_bytes\":%" PRIu64 "}\n",
	    args->is_dry_run ? "true" : "false", pruned->outputs,
	    pruned->output_bytes, pruned->files, pruned->file_bytes,
	    pruned->records, pruned->kept_outputs, pruned->kept_bytes);
}

static const char *
plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

static void
audit_prune_add_text(struct w_buf *buf, const struct w_audit_args *args,
    const writ_audit_pruned *pruned)
{
	const char *verb = args->is_dry_run ? "would delete" : "deleted";
	char size[W_SIZE_TEXT_MAX];

	w_size_format(pruned->output_bytes, size);
	w_buf_add_fmt(buf, "%s %" PRIu64 " output%s (%s)", verb,
	    pruned->outputs, plural(pruned->outputs), size);
	if (pruned->files > 0) {
		w_size_format(pruned->file_bytes, size);
		w_buf_add_fmt(buf,
		    " and %" PRIu64 " file%s of %" PRIu64 " record%s (%s)",
		    pruned->files, plural(pruned->files), pruned->records,
		    plural(pruned->records), size);
	}
	w_size_format(pruned->kept_bytes, size);
	w_buf_add_fmt(buf, "; %" PRIu64 " output%s (%s) %s\n",
	    pruned->kept_outputs, plural(pruned->kept_outputs), size,
	    args->is_dry_run ? "would stay" : "stay");
}

static int
run_prune(struct w_audit_args *args, writ_audit *audit)
{
	writ_audit_prune_options how = WRIT_AUDIT_PRUNE_OPTIONS_INIT;
	writ_audit_pruned pruned;
	writ_error err;
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, W_PRINT_MAX);
	how.output_age_ms = args->outputs_age_ms;
	how.output_bytes = args->outputs_bytes;
	how.record_age_ms = args->records_age_ms;
	how.dry_run = args->is_dry_run;
	if (writ_audit_prune(audit, &how, &pruned, &err) != WRIT_OK)
		return w_cli_audit_fail(args, &err);
	if (args->is_json)
		audit_prune_add_json(&buf, args, &pruned);
	else
		audit_prune_add_text(&buf, args, &pruned);
	return w_print(&buf);
}

static int
audit_prune_run(int argc, char **argv)
{
	struct w_audit_args args = {.command = &w_cmd_audit_prune};

	return w_cli_audit_begin(&args, argc, argv, run_prune);
}

const struct w_cli_command w_cmd_audit_prune = {
    .name = "audit prune",
    .summary = "Delete kept outputs, and records, that are too old",
    .usage = "audit prune [--dry-run] [OPTION]...",
    .about = "Deletes kept outputs that are too old or too many, and on "
	     "request whole files of old records. A record says what went. "
	     "Outputs of runs that still run stay.",
    .options = options,
    .examples = examples,
    .exits = exits,
    .usage_exit = 2,
    .run = audit_prune_run,
};
