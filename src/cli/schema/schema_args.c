/* SPDX-License-Identifier: Apache-2.0 */

/* The command lines of `writ schema`, and loading schemas. */

#include "cli/schema/schema_args.h"

#include <stdlib.h>
#include <string.h>

#include <writ/result.h>

#include "base/auto.h"
#include "base/buf.h"
#include "base/error.h"
#include "cli/options/options.h"
#include "cli/output/print.h"

writ_status
w_cli_schema_store_draft(void *ctx, const struct w_option *option,
    const char *value, writ_error *err)
{
	struct w_schema_args *args = ctx;

	(void)option;
	if (strcmp(value, "2020-12") == 0)
		args->options.draft = W_SCHEMA_2020_12;
	else if (strcmp(value, "07") == 0)
		args->options.draft = W_SCHEMA_DRAFT_07;
	else
		return w_usage_fail(args->command, err,
		    "--draft must be 2020-12 or 07, got '%s'", value);
	return WRIT_OK;
}

/* A URI may have '=' in its query; a file name seldom contains one. */
writ_status
w_cli_schema_store_document(void *ctx, const struct w_option *option,
    const char *value, writ_error *err)
{
	struct w_schema_args *args = ctx;
	const char *equals = strrchr(value, '=');
	const size_t number = args->document_count;

	(void)option;
	if (equals == NULL || equals == value || equals[1] == '\0')
		return w_usage_fail(args->command, err,
		    "--document must be URI=FILE, got '%s'", value);
	if (number == W_SCHEMA_DOCUMENTS_MAX)
		return w_usage_fail(args->command, err,
		    "--document can be given %d times", W_SCHEMA_DOCUMENTS_MAX);
	args->uris[number] = strndup(value, (size_t)(equals - value));
	if (args->uris[number] == NULL)
		return w_fail_nomem(err, "usage");
	args->documents[number].name = equals + 1;
	args->document_count++;
	return WRIT_OK;
}

/* Checks that the option table cannot express. */
static writ_status
check_usage(const struct w_schema_args *args, writ_error *err)
{
	size_t from_stdin = 0;

	if (args->command == &w_cmd_schema_validate && args->schema == NULL)
		return w_usage_fail(
		    args->command, err, "no schema given: --schema FILE");
	if (args->files.count == 0)
		return w_usage_fail(
		    args->command, err, "%s is missing", args->operand_name);
	for (size_t i = 0; i < args->files.count; i++)
		from_stdin += strcmp(args->files.items[i], "-") == 0;
	for (size_t i = 0; i < args->document_count; i++)
		from_stdin += strcmp(args->documents[i].name, "-") == 0;
	if (args->schema != NULL)
		from_stdin += strcmp(args->schema, "-") == 0;
	if (from_stdin > 1)
		return w_usage_fail(
		    args->command, err, "standard input can be read only once");
	return WRIT_OK;
}

/* Returns -1, or the exit status after a message. */
static int
read_documents(struct w_schema_args *args)
{
	writ_error err;

	for (size_t i = 0; i < args->document_count; i++) {
		struct w_cli_document *document = &args->documents[i];

		if (w_cli_document_read(document->name, document, &err) !=
			WRIT_OK ||
		    w_cli_document_parse(document, &err) != WRIT_OK) {
			if (args->is_json)
				w_print_error_json(&err);
			else
				w_cli_document_report(document, &err);
			return W_SCHEMA_UNKNOWN;
		}
		args->list[i] = (struct w_schema_document){
		    .uri = args->uris[i], .root = document->root};
	}
	args->options.documents = args->list;
	args->options.document_count = args->document_count;
	return -1;
}

int
w_cli_schema_begin(struct w_schema_args *args, int argc, char **argv,
    int (*run)(struct w_schema_args *args))
{
	writ_error err;
	int status = W_SCHEMA_UNKNOWN;

	status = w_cli_command_begin(args->command, argc, argv, args);
	if (status < 0 && check_usage(args, &err) != WRIT_OK)
		status = w_print_failure(
		    &err, args->is_json, args->command->usage_exit);
	if (status < 0)
		status = read_documents(args);
	if (status < 0)
		status = run(args);
	for (size_t i = 0; i < args->document_count; i++) {
		w_cli_document_done(&args->documents[i]);
		free(args->uris[i]);
	}
	w_words_done(&args->files);
	return status;
}

writ_status
w_cli_schema_load(const struct w_schema_args *args, const char *path,
    struct w_cli_document *out_document, struct w_schema **out_schema,
    writ_error *err)
{
	yyjson_val *at = NULL;
	unsigned line;
	unsigned column;

	out_document->name = strcmp(path, "-") == 0 ? "standard input" : path;

	writ_status status = w_cli_document_read(path, out_document, err);

	if (status == WRIT_OK)
		status = w_cli_document_parse(out_document, err);
	if (status != WRIT_OK)
		return status;
	status = w_schema_compile(
	    out_document->root, &args->options, out_schema, &at, err);
	if (status != WRIT_OK &&
	    w_cli_document_place(out_document, at, &line, &column))
		w_locate(err, line, column);
	return status;
}

const char *
w_cli_schema_verdict_word(int verdict)
{
	static const char *const words[] = {
	    [W_SCHEMA_VALID] = "true",
	    [W_SCHEMA_INVALID] = "false",
	    [W_SCHEMA_UNKNOWN] = "null",
	};

	return words[verdict];
}

void
w_cli_schema_add_error(struct w_buf *buf, const writ_error *err)
{
	W_AUTO_FREE char *json = NULL;
	size_t len = 0;

	/* The text is an object of its own: {"error":...} */
	if (writ_error_json(err, &json, &len) != WRIT_OK || len < 2) {
		buf->failed = true;
		return;
	}
	w_buf_add_char(buf, ',');
	w_buf_add(buf, json + 1, len - 2);
}
