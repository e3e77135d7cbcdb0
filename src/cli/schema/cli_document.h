/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_CLI_DOCUMENT_H
#define W_CLI_CLI_DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "data/json.h"
#include "data/yaml.h"

/* A document in JSON or YAML that the command line names. */

#define W_CLI_DOCUMENT_MAX       ((size_t)64 << 20)
#define W_CLI_DOCUMENT_DEPTH_MAX 512

struct w_cli_document {
	const char *name; /* for messages; borrowed */
	char *text;       /* yours, NULL when another holds it */
	const char *start;
	size_t len;
	unsigned lines_before; /* when it is a part of a file */
	bool keeps_numbers;    /* JSON: their text, as w_json_read_exact() */
	struct w_json *json;   /* one of these */
	struct w_yaml *yaml;
	yyjson_val *root;
};

/* Reads a file, or standard input for "-"; all that it holds, not yet looked
 * at. The error names the file. */
writ_status w_cli_document_read(
    const char *path, struct w_cli_document *out_document, writ_error *err);

/*
 * Makes the tree. A file named .json is JSON, one named .yaml or .yml is YAML;
 * others are JSON if they can be, or begin like it, and else YAML. The error
 * has a place, and does not name the file.
 */
writ_status w_cli_document_parse(
    struct w_cli_document *document, writ_error *err);

/* Where a value or key stands. false: not in this document. */
bool w_cli_document_place(const struct w_cli_document *document,
    const yyjson_val *val, unsigned *out_line, unsigned *out_column);

void w_cli_document_done(struct w_cli_document *document);
#define W_AUTO_CLI_DOCUMENT __attribute__((cleanup(w_cli_document_done)))

/* Says on standard error why the document cannot be used. */
void w_cli_document_report(
    const struct w_cli_document *document, const writ_error *err);

#endif /* W_CLI_CLI_DOCUMENT_H */
