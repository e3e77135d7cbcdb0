/* SPDX-License-Identifier: Apache-2.0 */

/* `writ schema check`: whether a document is a valid schema. */

#include <string.h>

#include "base/buf.h"
#include "base/printable.h"
#include "cli/output/print.h"
#include "cli/schema/schema_args.h"

/* clang-format off */
static const struct w_option options[] = {
	W_SCHEMA_COMMON_ROWS,
	{.name = ""},
};

static const struct w_example examples[] = {
	{"writ schema check config.schema.json", "is it one?"},
	{"writ schema check --draft 07 old/*.json",
	 "files that do not say which draft they are"},
	{.line = ""},
};

static const struct w_exit_row exits[] = {
	{"0", "each file is a schema"},
	{"1", "one is not; the error was printed"},
	{"2", "one could not be read, or wrong usage"},
	{.status = ""},
};
/* clang-format on */

static int
schema_check_file(
    const struct w_schema_args *args, const char *path, struct w_buf *buf)
{
	W_AUTO_CLI_DOCUMENT struct w_cli_document document = {.name = path};
	struct w_schema *schema = NULL;
	writ_error err = {.status = WRIT_OK};
	writ_status status =
	    w_cli_schema_load(args, path, &document, &schema, &err);
	int verdict = W_SCHEMA_UNKNOWN;

	/* A mistake in the schema is an answer; an unreadable schema is not. */
	if (status == WRIT_OK)
		verdict = W_SCHEMA_VALID;
	else if (status == WRIT_E_INVALID && strcmp(err.stage, "schema") == 0)
		verdict = W_SCHEMA_INVALID;
	w_schema_free(schema);
	if (args->is_json) {
		w_buf_add_char(buf, '{');
		w_json_add_path_member(buf, "file", path);
		w_buf_add_fmt(
		    buf, ",\"valid\":%s", w_cli_schema_verdict_word(verdict));
		if (verdict != W_SCHEMA_VALID)
			w_cli_schema_add_error(buf, &err);
		w_buf_add_char(buf, '}');
		return verdict;
	}
	if (verdict == W_SCHEMA_UNKNOWN ||
	    (verdict == W_SCHEMA_INVALID && !args->is_quiet)) {
		w_cli_document_report(&document, &err);
	} else if (!args->is_quiet) {
		(void)w_printable_add(buf, document.name, 0);
		w_buf_add_str(buf, ": a schema\n");
	}
	return verdict;
}

static int
schema_check(struct w_schema_args *args)
{
	W_AUTO_BUF struct w_buf buf;
	int worst = W_SCHEMA_VALID;

	w_buf_init(&buf, W_PRINT_MAX);
	w_buf_add_str(&buf, args->is_json ? "{\"results\":[" : "");
	for (size_t i = 0; i < args->files.count; i++) {
		if (args->is_json && i > 0)
			w_buf_add_char(&buf, ',');

		const int verdict =
		    schema_check_file(args, args->files.items[i], &buf);

		worst = verdict > worst ? verdict : worst;
	}
	if (args->is_json)
		w_buf_add_fmt(&buf, "],\"valid\":%s}\n",
		    w_cli_schema_verdict_word(worst));
	return w_print(&buf) == 0 ? worst : W_SCHEMA_UNKNOWN;
}

static int
schema_check_run(int argc, char **argv)
{
	static struct w_schema_args args;

	args = (struct w_schema_args){
	    .command = &w_cmd_schema_check, .operand_name = "FILE"};
	return w_cli_schema_begin(&args, argc, argv, schema_check);
}

const struct w_cli_command w_cmd_schema_check = {
    .name = "schema check",
    .summary = "Check whether a document is a schema",
    .usage = "schema check [OPTION]... FILE...",
    .about = "Reads each FILE, in JSON or YAML, as a schema and says what "
	     "is wrong with it: a keyword of the wrong type, a $ref that "
	     "leads nowhere, an invalid pattern.",
    .options = options,
    .stores = W_SCHEMA_STORES,
    .examples = examples,
    .exits = exits,
    .operand = &(const struct w_option){.words = "@file",
	W_TO(LIST, struct w_schema_args, files)},
    .usage_exit = 2,
    .run = schema_check_run,
};
