/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_CLI_DOCUMENT_H
#define W_CLI_CLI_DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "data/json.h"
#include "data/yaml.h"

/* A JSON or YAML document named on the command line. */

#define W_CLI_DOCUMENT_MAX       ((size_t)64 << 20)
#define W_CLI_DOCUMENT_DEPTH_MAX 512

struct w_cli_document {
	const char *name; /* for messages; borrowed */
	char *text;       /* owned; NULL: owned by another document */
	const char *start;
	size_t len;
	unsigned lines_before; /* if it is a part of a file */
	bool keeps_numbers;    /* JSON: as text, see w_json_read_exact() */
	struct w_json *json;   /* one of these is set */
	struct w_yaml *yaml;
	yyjson_val *root;
};

/* Reads a file, or standard input for "-", without parsing it. The error names
 * the file. */
writ_status w_cli_document_read(
    const char *path, struct w_cli_document *out_document, writ_error *err);

/*
 * Parses the text. A file named .json is JSON, one named .yaml or .yml is YAML;
 * any other is JSON if it parses or starts like JSON, else YAML. The error has
 * line and column, but does not name the file.
 */
writ_status w_cli_document_parse(
    struct w_cli_document *document, writ_error *err);

/* The location of a value or key. false: not in this document. */
bool w_cli_document_place(const struct w_cli_document *document,
    const yyjson_val *val, unsigned *out_line, unsigned *out_column);

void w_cli_document_done(struct w_cli_document *document);
#define W_AUTO_CLI_DOCUMENT __attribute__((cleanup(w_cli_document_done)))

/* Prints on standard error why the document cannot be used. */
void w_cli_document_report(
    const struct w_cli_document *document, const writ_error *err);

#endif /* W_CLI_CLI_DOCUMENT_H */
