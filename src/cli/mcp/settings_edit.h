/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_SETTINGS_EDIT_H
#define W_CLI_SETTINGS_EDIT_H

#include <stdbool.h>
#include <stddef.h>

#include <writ/error.h>

#include "base/buf.h"

/*
 * Changes one value in a person's file of settings. All other bytes stay:
 * comments, order and indentation. A text that cannot be parsed fails with the
 * position of the fault, in all functions.
 */
enum w_client_settings_format {
	W_SETTINGS_JSON, /* with comments and trailing commas */
	W_SETTINGS_TOML,
	W_SETTINGS_YAML,
};

#define W_SETTINGS_DEPTH    5
#define W_SETTINGS_TEXT_MAX ((size_t)64 << 20)

/* A value, and the names that lead to it. */
struct w_client_settings_value {
	const char *path[W_SETTINGS_DEPTH + 1]; /* from the root, NULL-ended */
	const char *json;
	bool is_item; /* an item of the list at path, not the value there */
};

/* One change of a text: was_len bytes at offset at become the bytes of now. */
struct w_client_settings_splice {
	size_t at;
	size_t was_len;
	struct w_buf now;
};

void w_client_settings_splice_init(struct w_client_settings_splice *splice);
void w_client_settings_splice_done(struct w_client_settings_splice *splice);
#define W_AUTO_SPLICE __attribute__((cleanup(w_client_settings_splice_done)))

/* Appends the text as the splice makes it. */
void w_client_settings_splice_add(struct w_buf *out, const struct w_buf *text,
    const struct w_client_settings_splice *splice);

/* Whether there is something at the path; for an item, whether it is in the
 * list. */
writ_status w_client_settings_find(enum w_client_settings_format format,
    const struct w_buf *text, const struct w_client_settings_value *value,
    bool *out_is_there, writ_error *err);

/* The change that puts the value there, in place of another one; for an item,
 * at the end of the list. Nothing changes (both lengths are 0) if it is there
 * already. In TOML and YAML an object takes the place of no other one. */
writ_status w_client_settings_put(enum w_client_settings_format format,
    const struct w_buf *text, const struct w_client_settings_value *value,
    struct w_client_settings_splice *out, writ_error *err);

/* The change that takes the value away; nothing changes if it is not there. */
writ_status w_client_settings_drop(enum w_client_settings_format format,
    const struct w_buf *text, const struct w_client_settings_value *value,
    struct w_client_settings_splice *out, writ_error *err);

/* Appends a value as JSON: objects with one member on each line, indented by
 * indent and two blanks, lists on one line. */
void w_client_settings_add_json(
    struct w_buf *buf, const char *json, const char *indent);

/* The formats. They are called through the functions above. */
struct w_client_settings_editor {
	writ_status (*find)(const struct w_buf *text,
	    const struct w_client_settings_value *value, bool *out_is_there,
	    writ_error *err);
	writ_status (*put)(const struct w_buf *text,
	    const struct w_client_settings_value *value,
	    struct w_client_settings_splice *out, writ_error *err);
	writ_status (*drop)(const struct w_buf *text,
	    const struct w_client_settings_value *value,
	    struct w_client_settings_splice *out, writ_error *err);
};

extern const struct w_client_settings_editor w_client_settings_json;
extern const struct w_client_settings_editor w_client_settings_toml;
extern const struct w_client_settings_editor w_client_settings_yaml;

#endif /* W_CLI_SETTINGS_EDIT_H */
