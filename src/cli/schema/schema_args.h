/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_SCHEMA_ARGS_H
#define W_CLI_SCHEMA_ARGS_H

#include <stdbool.h>

#include "base/words.h"
#include "cli/cli_command.h"
#include "cli/schema/cli_document.h"
#include "schema/schema.h"

/* What the commands of `writ schema` share. */

enum w_schema_verdict {
	W_SCHEMA_VALID = 0,
	W_SCHEMA_INVALID = 1,
	W_SCHEMA_UNKNOWN = 2, /* cannot be checked */
};

#define W_SCHEMA_DOCUMENTS_MAX 256

struct w_schema_args {
	const struct w_cli_command *command;
	const char *operand_name;
	const char *schema;   /* file */
	struct w_words files; /* the operands */
	bool is_json;
	bool is_quiet;
	bool has_lines;
	struct w_schema_options options;

	/* The documents of --document. */
	size_t document_count;
	struct w_schema_document list[W_SCHEMA_DOCUMENTS_MAX];
	struct w_cli_document documents[W_SCHEMA_DOCUMENTS_MAX];
	char *uris[W_SCHEMA_DOCUMENTS_MAX];
};

/* Store an option; ctx is a struct w_schema_args. */
writ_status w_cli_schema_store_document(void *ctx,
    const struct w_option *option, const char *value, writ_error *err);
writ_status w_cli_schema_store_draft(void *ctx, const struct w_option *option,
    const char *value, writ_error *err);

/* The stores of the rows. */
#define W_SCHEMA_STORES                                               \
	{                                                             \
		w_cli_schema_store_draft, w_cli_schema_store_document \
	}

/* clang-format off */
#define W_SCHEMA_COMMON_ROWS \
	{.name = "draft", .arg = "DRAFT", \
	 .store = 1, \
	 .words = "2020-12|07", .standard = "2020-12", \
	 .help = "The draft of a schema that has no $schema: 2020-12 or " \
	         "07."}, \
	{.name = "document", .arg = "URI=FILE", \
	 .store = 2, \
	 .help = "Another document that a $ref may refer to by its URI. May " \
	         "be repeated; nothing is ever fetched."}, \
	{.name = "json", W_TO(FLAG, struct w_schema_args, is_json), .heading = "Output", \
	 .help = "Print a JSON object."}, \
	{.name = "quiet", .letter = 'q', W_TO(FLAG, struct w_schema_args, is_quiet), \
	 .help = "Print nothing; check the exit status."}, \
	W_HELP_ROW
/* clang-format on */

/*
 * Parses the command line, reads the documents that it names, and runs the
 * command. Returns the exit status.
 */
int w_cli_schema_begin(struct w_schema_args *args, int argc, char **argv,
    int (*run)(struct w_schema_args *args));

/* Reads and compiles a schema, which borrows the document. The error has the
 * location of the mistake. */
writ_status w_cli_schema_load(const struct w_schema_args *args,
    const char *path, struct w_cli_document *out_document,
    struct w_schema **out_schema, writ_error *err);

/* The value of "valid" in JSON; "null" if it cannot be checked. */
const char *w_cli_schema_verdict_word(int verdict);

/* Appends ,"error":{...} */
void w_cli_schema_add_error(struct w_buf *buf, const writ_error *err);

extern const struct w_cli_command w_cmd_schema_check;
extern const struct w_cli_command w_cmd_schema_validate;

#endif /* W_CLI_SCHEMA_ARGS_H */
