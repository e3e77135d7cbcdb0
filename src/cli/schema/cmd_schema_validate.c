/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ schema validate`: reports everything a schema finds wrong with
 * documents.
 */

#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/printable.h"
#include "cli/output/print.h"
#include "cli/output/row_writer.h"
#include "cli/schema/schema_args.h"

/* clang-format off */
static const struct w_option options[] = {
	{.name = "schema", .letter = 's', .arg = "FILE",
	 W_TO(TEXT, struct w_schema_args, schema), .words = "@file",
	 .help = "The schema, in JSON or YAML; - is standard input."},
	{.name = "formats", W_TO(FLAG, struct w_schema_args, options.formats),
	 .help = "Also check the keyword format, which is otherwise only a "
	         "note."},
	{.name = "lines", W_TO(FLAG, struct w_schema_args, has_lines),
	 .help = "Each line of an INSTANCE is a document of its own (JSON "
	         "Lines)."},
	W_SCHEMA_COMMON_ROWS,
	{.name = ""},
};

static const struct w_example examples[] = {
	{"writ schema validate --schema config.schema.json config.yaml",
	 "everything that is wrong with it, with line and column"},
	{"curl -s localhost:8080/state | writ schema validate -s state.json -",
	 "a document from a pipe"},
	{"writ schema validate --formats --json -s s.json *.json | jq .valid",
	 "for a program; dates, addresses and the like are checked too"},
	{"writ schema validate -s s.json "
	 "--document https://example.com/base.json=base.json a.json",
	 "a schema that refers to another one"},
	{.line = ""},
};

static const struct w_exit_row exits[] = {
	{"0", "every instance is valid"},
	{"1", "one is not valid; each problem was printed"},
	{"2", "one cannot be checked: the schema is not valid, a file "
	      "cannot be read, is not JSON or YAML, or a limit was "
	      "reached; or wrong usage"},
	{.status = ""},
};
/* clang-format on */

struct validation {
	const struct w_schema_args *args;
	const struct w_schema *schema;
	struct w_row_writer row_writer; /* standard output */
	bool has_colour;
	size_t count;
	int worst;
};

static void
schema_validate_note(struct validation *validation, int verdict)
{
	validation->count++;
	if (verdict > validation->worst)
		validation->worst = verdict;
}

static void
add_problem_json(struct w_buf *buf, const struct w_cli_document *document,
    const struct w_schema_problem *problem)
{
	unsigned line;
	unsigned column;

	w_buf_add_char(buf, '{');
	w_json_add_path_member(buf, "instance", problem->instance);
	w_json_add_path_member(buf, "schema", problem->schema);
	w_json_add_path_member(buf, "message", problem->message);
	w_json_add_path_member(buf, "suggestion", problem->suggestion);
	if (w_cli_document_place(document, problem->at, &line, &column))
		w_buf_add_fmt(buf, ",\"line\":%u,\"column\":%u", line, column);
	w_buf_add_char(buf, '}');
}

static void
begin_result(struct validation *validation,
    const struct w_cli_document *document, int verdict)
{
	struct w_buf *buf = &validation->row_writer.buf;

	w_buf_add_str(buf, validation->count > 0 ? ",{" : "{");
	w_json_add_path_member(buf, "file", document->name);
	if (validation->args->has_lines)
		w_buf_add_fmt(buf, ",\"line\":%u", document->lines_before + 1);
	w_buf_add_fmt(buf, ",\"valid\":%s", w_cli_schema_verdict_word(verdict));
}

static void
schema_validate_report_json(struct validation *validation,
    const struct w_cli_document *document, const struct w_schema_report *report,
    int verdict)
{
	struct w_buf *buf = &validation->row_writer.buf;

	begin_result(validation, document, verdict);
	w_buf_add_str(buf, ",\"problems\":[");
	for (size_t i = 0; i < report->count; i++) {
		w_buf_add_str(buf, i > 0 ? "," : "");
		add_problem_json(buf, document, &report->problems[i]);
	}
	w_buf_add_fmt(buf, "],\"more\":%zu}", report->more);
}

/* "writ: input.json:3:14: /count: expected an integer, got "five"" */
static void
schema_validate_add_problem(struct w_buf *line,
    const struct validation *validation, const struct w_cli_document *document,
    const struct w_schema_problem *problem)
{
	const bool is_asked = problem->suggestion != NULL &&
			      w_print_is_question(problem->suggestion);
	unsigned row;
	unsigned column;

	w_buf_add_str(line, "writ: ");
	(void)w_printable_add(line, document->name, 0);
	if (w_cli_document_place(document, problem->at, &row, &column))
		w_buf_add_fmt(line, ":%u:%u", row, column);
	w_buf_add_str(line, validation->has_colour ? ": \033[31m" : ": ");
	(void)w_printable_add(line, problem->instance, 0);
	w_buf_add_str(line, validation->has_colour ? "\033[0m" : "");
	w_buf_add_str(line, problem->instance[0] != '\0' ? ": " : "");
	(void)w_printable_add(line, problem->message, 0);
	if (problem->suggestion != NULL) {
		w_buf_add_str(line, is_asked ? ", " : "\n  try: ");
		(void)w_printable_add(line, problem->suggestion, 0);
	}
	w_buf_add_char(line, '\n');
}

static void
report_text(struct validation *validation,
    const struct w_cli_document *document, const struct w_schema_report *report)
{
	W_AUTO_BUF struct w_buf lines;

	w_buf_init(&lines, W_PRINT_MAX);
	for (size_t i = 0; i < report->count; i++)
		schema_validate_add_problem(
		    &lines, validation, document, &report->problems[i]);
	if (report->more > 0) {
		w_buf_add_str(&lines, "writ: ");
		(void)w_printable_add(&lines, document->name, 0);
		w_buf_add_fmt(&lines, ": and %zu more\n", report->more);
	}
	if (lines.failed)
		w_print_note("out of memory for the rest of the list");
	/* If standard error is closed, nobody can be told. */
	(void)w_print_bytes(STDERR_FILENO, lines.data, lines.len);
}

static void
report_fault(struct validation *validation,
    const struct w_cli_document *document, const writ_error *err)
{
	if (validation->args->is_json) {
		begin_result(validation, document, W_SCHEMA_UNKNOWN);
		w_cli_schema_add_error(&validation->row_writer.buf, err);
		w_buf_add_char(&validation->row_writer.buf, '}');
	} else {
		w_cli_document_report(document, err);
	}
	schema_validate_note(validation, W_SCHEMA_UNKNOWN);
}

static void
schema_validate_judge(
    struct validation *validation, struct w_cli_document *document)
{
	const struct w_schema_args *args = validation->args;
	struct w_buf *buf = &validation->row_writer.buf;
	W_AUTO_REPORT struct w_schema_report report = {.problems = NULL};
	bool is_valid = false;
	writ_error err;

	document->keeps_numbers = true;
	if (w_cli_document_parse(document, &err) != WRIT_OK ||
	    w_schema_check(validation->schema, document->root, &is_valid,
		&report, &err) != WRIT_OK) {
		report_fault(validation, document, &err);
		return;
	}

	const int verdict = is_valid ? W_SCHEMA_VALID : W_SCHEMA_INVALID;

	if (args->is_json) {
		schema_validate_report_json(
		    validation, document, &report, verdict);
	} else if (!is_valid && !args->is_quiet) {
		report_text(validation, document, &report);
	} else if (!args->is_quiet) {
		(void)w_printable_add(buf, document->name, 0);
		if (args->has_lines)
			w_buf_add_fmt(buf, ":%u", document->lines_before + 1);
		w_buf_add_str(buf, ": valid\n");
	}
	schema_validate_note(validation, verdict);
}

/* Each line of the text that is not blank. */
static bool
judge_lines(struct validation *validation, const struct w_cli_document *whole)
{
	unsigned number = 0;
	size_t at = 0;

	while (at < whole->len) {
		const char *start = whole->start + at;
		const char *end = memchr(start, '\n', whole->len - at);
		const size_t len =
		    end != NULL ? (size_t)(end - start) : whole->len - at;
		W_AUTO_CLI_DOCUMENT struct w_cli_document line = {
		    .name = whole->name,
		    .start = start,
		    .len = len,
		    .lines_before = number};

		if (strspn(start, " \t\r") < len)
			schema_validate_judge(validation, &line);
		if (!w_row_writer_end_row(&validation->row_writer))
			return false;
		at += len + 1;
		number++;
	}
	return true;
}

/* false: the reader of standard output is gone. */
static bool
judge_file(struct validation *validation, const char *path)
{
	W_AUTO_CLI_DOCUMENT struct w_cli_document document = {.name = path};
	writ_error err;

	if (w_cli_document_read(path, &document, &err) != WRIT_OK) {
		report_fault(validation, &document, &err);
		return w_row_writer_end_row(&validation->row_writer);
	}
	if (validation->args->has_lines)
		return judge_lines(validation, &document);
	schema_validate_judge(validation, &document);
	return w_row_writer_end_row(&validation->row_writer);
}

/* Returns the exit status. */
static int
schema_validate_judge_all(struct validation *validation)
{
	const struct w_schema_args *args = validation->args;
	struct w_buf *buf = &validation->row_writer.buf;
	writ_error err;

	if (w_row_writer_open(&validation->row_writer, NULL, &err) != WRIT_OK)
		return w_print_failure(&err, args->is_json, W_SCHEMA_UNKNOWN);
	w_buf_add_str(buf, args->is_json ? "{\"results\":[" : "");
	for (size_t i = 0; i < args->files.count; i++) {
		if (!judge_file(validation, args->files.items[i]))
			break;
	}
	if (args->is_json)
		w_buf_add_fmt(buf, "],\"valid\":%s}\n",
		    w_cli_schema_verdict_word(validation->worst));

	const int status = w_row_writer_close(&validation->row_writer);

	if (status == 0)
		return validation->worst;
	return status == 1 ? W_SCHEMA_UNKNOWN : status;
}

static int
validate(struct w_schema_args *args)
{
	W_AUTO_CLI_DOCUMENT struct w_cli_document document = {
	    .name = args->schema};
	struct w_schema *schema = NULL;
	writ_error err;

	if (w_cli_schema_load(args, args->schema, &document, &schema, &err) !=
	    WRIT_OK) {
		if (args->is_json)
			w_print_error_json(&err);
		else
			w_cli_document_report(&document, &err);
		return W_SCHEMA_UNKNOWN;
	}

	struct validation validation = {
	    .args = args,
	    .schema = schema,
	    .has_colour = w_print_has_colour(STDERR_FILENO),
	};
	const int status = schema_validate_judge_all(&validation);

	w_schema_free(schema);
	return status;
}

static int
schema_validate_run(int argc, char **argv)
{
	static struct w_schema_args args;

	args = (struct w_schema_args){
	    .command = &w_cmd_schema_validate, .operand_name = "INSTANCE"};
	return w_cli_schema_begin(&args, argc, argv, validate);
}

const struct w_cli_command w_cmd_schema_validate = {
    .name = "schema validate",
    .summary = "List everything that is wrong with documents",
    .usage = "schema validate --schema FILE [OPTION]... INSTANCE...",
    .about = "Validates each INSTANCE, in JSON or YAML, against a schema, "
	     "and lists everything that is wrong: where (line, column and "
	     "JSON Pointer) and why. - is standard input.",
    .options = options,
    .stores = W_SCHEMA_STORES,
    .examples = examples,
    .exits = exits,
    .operand = &(const struct w_option){.words = "@file",
	W_TO(LIST, struct w_schema_args, files)},
    .usage_exit = 2,
    .run = schema_validate_run,
};
