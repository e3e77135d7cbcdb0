/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_DATA_YAML_H
#define W_DATA_YAML_H

#include "data/json.h"

/*
 * Reads YAML from untrusted sources, into the same tree as JSON.
 *
 * One document of UTF-8, within the limits for size and depth; keys are unique
 * strings. Anchors, aliases, tags and directives are refused: the document
 * means only what it shows.
 *
 * A plain word is what JSON would make of it (true, false, null, a number), or
 * null if it is empty or "~", and otherwise a string: yes, no, on, off, 017,
 * 0x1f and 12:30 are strings. Quoted text is always a string.
 */
struct w_yaml; /* owns the tree and a copy of the text */

/* The largest depth that limits may allow. */
#define W_YAML_DEPTH_MAX 64

writ_status w_yaml_read(const char *text, size_t len,
    const struct w_json_limits *limits, struct w_yaml **out_yaml,
    writ_error *err);
void w_yaml_free(struct w_yaml *yaml);

/* Frees the values, whose texts stay, and their places: from now on there is
 * no root, and only w_yaml_text() is of use. */
void w_yaml_forget_values(struct w_yaml *yaml);

/* The root value. Borrowed. */
yyjson_val *w_yaml_root(const struct w_yaml *yaml);

/* Where a value or key of this document starts, both from 1; the column in
 * bytes. */
void w_yaml_place(const struct w_yaml *yaml, const yyjson_val *val,
    unsigned *out_line, unsigned *out_column);

/* The text that was read, and the offset of a value or key in it. A quoted text
 * starts with its quote. */
const char *w_yaml_text(const struct w_yaml *yaml, size_t *out_len);
size_t w_yaml_offset(const struct w_yaml *yaml, const yyjson_val *val);

#endif /* W_DATA_YAML_H */
