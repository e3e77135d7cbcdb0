/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MODULE_BINDING_SOURCE_H
#define W_MODULE_BINDING_SOURCE_H

#include "data/json.h"
#include "data/yaml.h"

/* The document of a binding file, be it YAML or JSON, and the places of what
 * is in it. */
struct w_binding_source {
	struct w_yaml *yaml; /* one of these two */
	struct w_json *json;
	yyjson_val *root;
	const char *text; /* borrowed, of the JSON */
	size_t at;        /* how far its lines have been counted, */
	size_t line;      /* to which one, from 0, */
	size_t line_start;
};

/* text must outlive the source. */
writ_status w_binding_source_init(struct w_binding_source *source,
    const char *text, size_t len, writ_error *err);
void w_binding_source_done(struct w_binding_source *source);

/* The nearest place that is known, both from 1; the order of the text is the
 * quick one. */
void w_binding_source_place(struct w_binding_source *source, yyjson_val *val,
    unsigned *out_line, unsigned *out_column);

#endif /* W_MODULE_BINDING_SOURCE_H */
