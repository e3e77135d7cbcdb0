/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ validate`: reports everything wrong with manifests.
 */

#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/printable.h"
#include "cli/cli_command.h"
#include "cli/manifest/fault_page.h"
#include "cli/manifest/loaded_manifest.h"
#include "cli/options/options.h"
#include "cli/output/print.h"
#include "cli/output/row_writer.h"
#include "data/json.h"

enum {
	VALID = 0,
	INVALID = 1
};

struct validate_args {
	struct w_fact_args facts;
	struct w_words files;
	bool is_json;
	bool is_quiet;
	bool wants_schema;
};

/* clang-format off */
static const struct w_option options[] = {
	W_FACT_ROWS("", struct validate_args, facts),
	W_HIERA_ROW(struct validate_args, facts),
	{.name = "schema", W_TO(FLAG, struct validate_args, wants_schema),
	 .help = "Print the JSON Schema of manifests instead, for an editor."},
	{.name = "json", W_TO(FLAG, struct validate_args, is_json),
	 .help = "Print one JSON object with the problems of each FILE."},
	{.name = "quiet", .letter = 'q', W_TO(FLAG, struct validate_args, is_quiet),
	 .help = "Print nothing; check the exit status."},
	W_HELP_ROW,
	{.name = ""},
};

static const struct w_example examples[] = {
	{"writ validate site.yaml",
	 "everything that is wrong with it, with line and column"},
	{"writ validate --json *.yaml | jq .valid", "for a program"},
	{"writ validate --schema >manifest.schema.json", "for an editor"},
	{.line = ""},
};

static const struct w_exit_row exits[] = {
	{"0", "every manifest is valid"},
	{"1", "one is not, or cannot be read; each error was printed"},
	{"2", "wrong usage"},
	{.status = ""},
};
/* clang-format on */

struct manifest_check {
	const struct validate_args *args;
	struct w_row_writer row_writer; /* standard output */
	size_t count;
	int worst;
};

static void
validate_report_json(struct manifest_check *manifest_check,
    const struct w_loaded_manifest *loaded, const struct w_faults *faults,
    bool is_valid)
{
	struct w_buf *buf = &manifest_check->row_writer.buf;

	w_buf_add_str(buf, manifest_check->count > 0 ? ",{" : "{");
	w_json_add_path_member(buf, "file", loaded->name);
	w_json_add_bool_member(buf, "valid", is_valid);
	if (is_valid)
		w_buf_add_fmt(buf, ",\"resources\":%zu",
		    writ_manifest_count(loaded->manifest));
	w_buf_add_str(buf, ",\"problems\":");
	w_cli_faults_add_json(buf, faults);
	w_buf_add_fmt(buf, ",\"more\":%zu,\"warnings\":", faults->more);
	w_cli_faults_add_json(buf, &loaded->warnings);
	w_buf_add_char(buf, '}');
}

/* false: the reader of standard output is gone. */
static bool
validate_judge(struct manifest_check *manifest_check, const char *path)
{
	const struct validate_args *args = manifest_check->args;
	W_AUTO_LOADED_MANIFEST struct w_loaded_manifest loaded = {.name = path};
	struct w_buf *buf = &manifest_check->row_writer.buf;
	writ_error err;
	writ_status status = w_loaded_open(&loaded, path, &err);

	if (status == WRIT_OK)
		status = w_loaded_read(&loaded, &args->facts, NULL, &err);
	if (status != WRIT_OK)
		manifest_check->worst = INVALID;
	if (args->is_json && status != WRIT_OK && loaded.faults.count == 0) {
		/* The error is not about the text; it is shown as a fault. */
		struct w_faults faults = {.count = 0};

		w_faults_add(&faults, &err);
		validate_report_json(manifest_check, &loaded, &faults, false);
		w_faults_done(&faults);
	} else if (args->is_json) {
		validate_report_json(
		    manifest_check, &loaded, &loaded.faults, status == WRIT_OK);
	} else if (status != WRIT_OK && !args->is_quiet) {
		w_cli_warnings_print(&loaded, w_cmd_validate.name);
		w_cli_faults_print(&loaded, w_cmd_validate.name, &err, false);
	} else if (!args->is_quiet) {
		const size_t count = writ_manifest_count(loaded.manifest);

		w_cli_warnings_print(&loaded, w_cmd_validate.name);
		(void)w_printable_add(buf, loaded.name, 0);
		w_buf_add_fmt(buf, ": OK, %zu resource%s\n", count,
		    count == 1 ? "" : "s");
	}
	manifest_check->count++;
	return w_row_writer_end_row(&manifest_check->row_writer);
}

static int
validate_judge_all(const struct validate_args *args)
{
	struct manifest_check manifest_check = {.args = args};
	struct w_buf *buf = &manifest_check.row_writer.buf;
	writ_error err;

	if (w_row_writer_open(&manifest_check.row_writer, NULL, &err) !=
	    WRIT_OK)
		return w_print_failure(&err, args->is_json, INVALID);
	w_buf_add_str(buf, args->is_json ? "{\"results\":[" : "");
	for (size_t i = 0; i < args->files.count; i++) {
		if (!validate_judge(&manifest_check, args->files.items[i]))
			break;
	}
	if (args->is_json)
		w_buf_add_fmt(buf, "],\"valid\":%s}\n",
		    manifest_check.worst == VALID ? "true" : "false");
	const int written = w_row_writer_close(&manifest_check.row_writer);
	return written != 0 ? written : manifest_check.worst;
}

static int
validate_run(int argc, char **argv)
{
	struct validate_args args = {.is_json = false};
	writ_error err;
	int status = w_cli_command_begin(&w_cmd_validate, argc, argv, &args);

	if (status < 0 && args.wants_schema) {
		size_t len;
		const char *schema = writ_manifest_schema(&len);
		const bool has_end = len > 0 && schema[len - 1] == '\n';

		status = w_print_json(schema, has_end ? len - 1 : len);
	} else if (status < 0 && args.files.count == 0) {
		(void)w_usage_fail(&w_cmd_validate, &err,
		    "no manifest given: writ validate FILE...");
		status = w_print_failure(
		    &err, args.is_json, w_cmd_validate.usage_exit);
	} else if (status < 0) {
		status = validate_judge_all(&args);
	}
	w_words_done(&args.files);
	w_cli_facts_done(&args.facts);
	return status;
}

const struct w_cli_command w_cmd_validate = {
    .name = "validate",
    .summary = "List everything that is wrong with manifests",
    .usage = "validate [OPTION]... FILE...",
    .about = "Reads manifests as 'writ apply' does, and lists everything "
	     "that is wrong with each, with line and column. Nothing is "
	     "run or changed. - is standard input.",
    .options = options,
    .examples = examples,
    .exits = exits,
    .operand = &(const struct w_option){.words = "@file",
	W_TO(LIST, struct validate_args, files)},
    .usage_exit = 2,
    .run = validate_run,
};
