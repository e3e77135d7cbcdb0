/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_DATA_JSON_H
#define W_DATA_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <yyjson.h>

#include "base/buf.h"
#include "base/error.h"

/*
 * Reads JSON from untrusted sources.
 *
 * A thin, strict layer over yyjson: whole documents only, RFC 8259, valid
 * UTF-8, limits on size, depth and member count, duplicate keys refused. Values
 * are read with yyjson's own (safe) accessors; this adds what it lacks, the
 * place of a value in the text.
 */
struct w_json; /* owns the tree and a copy of the text */

struct w_json_limits {
	size_t bytes_max;
	size_t depth_max;
};

writ_status w_json_read(const char *text, size_t len,
    const struct w_json_limits *limits, struct w_json **out_json,
    writ_error *err);

/* The same, but only plain integers of up to 18 digits become numbers. Every
 * other number is a raw value, its text: none is refused for its size, rounded
 * or reformatted. */
writ_status w_json_read_exact(const char *text, size_t len,
    const struct w_json_limits *limits, struct w_json **out_json,
    writ_error *err);
void w_json_free(struct w_json *json);

/* Frees the original text, which is half of the memory: afterwards no value has
 * a place. */
void w_json_forget_text(struct w_json *json);

/* The root value. Borrowed. */
yyjson_val *w_json_root(const struct w_json *json);

/* Finds the place of a string value or an object key of this document, both
 * from 1. false: val is neither. */
bool w_json_place(const struct w_json *json, const yyjson_val *val,
    unsigned *out_line, unsigned *out_column);

/* The same for its offset. To look up many in order, count lines from offset to
 * offset rather than from the start each time. */
bool w_json_offset(
    const struct w_json *json, const yyjson_val *val, size_t *out_offset);

/* Appends a text that w_json_read() accepted, without blanks between its
 * tokens; each token unchanged. */
void w_json_add_compact(struct w_buf *buf, const char *text, size_t len);

/*
 * Writing JSON: text is appended to a buffer, values are escaped here. The
 * caller writes braces, and the commas and colons outside members.
 */
void w_json_add_string(struct w_buf *buf, const char *text, size_t len);

/* The same without the quotes. A character must not be split. */
void w_json_add_chars(struct w_buf *buf, const char *text, size_t len);

/* Appends a string that is UTF-8; null for NULL. */
void w_json_add_text(struct w_buf *buf, const char *text);

/* Appends bytes: a string if that loses nothing, else {"b64":"..."}. */
void w_json_add_bytes(struct w_buf *buf, const char *bytes, size_t len);

/* Appends the bytes of such a value. false: it is none. */
bool w_json_get_bytes(struct w_buf *buf, yyjson_val *val);

/* Appends a path, which may be any bytes; null for NULL. */
void w_json_add_path(struct w_buf *buf, const char *path);

/* Appends an array of paths, NULL-ended; NULL: an empty one. */
void w_json_add_list(struct w_buf *buf, const char *const *paths);

void w_json_add_number(struct w_buf *buf, uint64_t value);

/* Appends a value of a document; null for NULL. */
void w_json_add_value(struct w_buf *buf, yyjson_val *val);

/* Appends the name of a member, and the comma before it unless it is the first
 * of an object. The name is not escaped. */
void w_json_add_name(struct w_buf *buf, const char *name);

/* Append a member. */
void w_json_add_text_member(
    struct w_buf *buf, const char *name, const char *text);
void w_json_add_path_member(
    struct w_buf *buf, const char *name, const char *path);
void w_json_add_bool_member(struct w_buf *buf, const char *name, bool is_true);
void w_json_add_number_member(
    struct w_buf *buf, const char *name, uint64_t value);
void w_json_add_list_member(
    struct w_buf *buf, const char *name, const char *const *paths);
void w_json_add_value_member(
    struct w_buf *buf, const char *name, yyjson_val *val);

/* Hands out the text of a buffer (yours: free()), or fails with
 * WRIT_E_NOMEM. */
writ_status w_json_take(struct w_buf *buf, const char *stage, char **out_json,
    size_t *out_len, writ_error *err);

#endif /* W_DATA_JSON_H */
