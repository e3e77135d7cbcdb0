/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_COMMAND_SOURCE_DOCUMENT_H
#define W_COMMAND_SOURCE_DOCUMENT_H

#include "data/json.h"
#include "data/yaml.h"

/* The largest document accepted. */
#define W_SOURCE_DOCUMENT_BYTES_MAX (16 * 1024 * 1024)

/* The document of a binding file, YAML or JSON, and the places of its
 * values. */
struct w_source_document {
	struct w_yaml *yaml; /* one of these two is set */
	struct w_json *json;
	yyjson_val *root;
	const char *text; /* borrowed; the JSON text */
	size_t at;        /* how far its lines have been counted, */
	size_t line;      /* up to which line, from 0, */
	size_t line_start;
};

/* text must outlive the document. */
writ_status w_source_document_init(struct w_source_document *source,
    const char *text, size_t len, writ_error *err);
void w_source_document_done(struct w_source_document *source);

/* The nearest known place, both from 1. Fastest when called in the order of the
 * text. */
void w_source_document_place(struct w_source_document *source, yyjson_val *val,
    unsigned *out_line, unsigned *out_column);

#endif /* W_COMMAND_SOURCE_DOCUMENT_H */
