/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Settings in YAML: maps in block style, which is how programs write them. The
 * reader of the data layer parses; lines and their indentation say where a
 * value ends.
 */

#include "cli/mcp/settings_edit.h"

#include <string.h>

#include "base/auto.h"
#include "base/error.h"
#include "base/position.h"
#include "data/json.h"
#include "data/yaml.h"

#define DEPTH_MAX  64
#define INDENT     2
#define INDENT_MAX 128

/* ---- lines ---- */

static size_t
settings_yaml_line_start(const struct w_buf *text, size_t at)
{
	while (at > 0 && text->data[at - 1] != '\n')
		at--;
	return at;
}

static size_t
settings_yaml_line_end(const struct w_buf *text, size_t at)
{
	at += strcspn(text->data + at, "\n");
	return at + (text->data[at] == '\n');
}

/* The end of a member: of its last line that is indented more than its key, or
 * is an item of its list. */
static size_t
settings_yaml_member_end(const struct w_buf *text, size_t key)
{
	const size_t indent = key - settings_yaml_line_start(text, key);
	size_t at = settings_yaml_line_end(text, key);
	size_t end = at;

	while (at < text->len) {
		const char *line = text->data + at;
		const size_t blanks = strspn(line, " ");
		const bool is_item = blanks == indent && line[blanks] == '-' &&
				     strchr(" \r\n", line[blanks + 1]) != NULL;

		at = settings_yaml_line_end(text, at);
		if (strchr("\r\n#", line[blanks]) != NULL)
			continue;
		if (blanks <= indent && !is_item)
			break;
		end = at;
	}
	return end;
}

/* ---- reading ---- */

struct yaml_walk {
	struct w_yaml *yaml;
	size_t depth;    /* names of the path that are there */
	yyjson_val *map; /* the map of the last of them; NULL: it is empty */
	yyjson_val *key; /* of the value, if it is there */
	yyjson_val *val;
	size_t above; /* offset of the key of map; without meaning for root */
};

static writ_status
settings_yaml_fail(const struct yaml_walk *walk, const yyjson_val *val,
    const char *what, writ_error *err)
{
	(void)w_fail(err, WRIT_E_PARSE, "mcp", 0, "%s", what);
	w_yaml_place(walk->yaml, val, &err->line, &err->column);
	return WRIT_E_PARSE;
}

static yyjson_val *
settings_yaml_member(yyjson_val *map, const char *name)
{
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *val;

	yyjson_obj_foreach(map, i, count, key, val)
	{
		if (yyjson_equals_str(key, name))
			return key;
	}
	return NULL;
}

/* walk->yaml is the caller's to free, also on failure. */
static writ_status
settings_yaml_walk(const struct w_buf *text,
    const struct w_client_settings_value *value, struct yaml_walk *walk,
    writ_error *err)
{
	const struct w_json_limits limits = {
	    .bytes_max = W_SETTINGS_TEXT_MAX, .depth_max = DEPTH_MAX};
	yyjson_val *map;

	*walk = (struct yaml_walk){.yaml = NULL};
	if (strspn(text->data, " \t\r\n") == text->len)
		return WRIT_OK;
	writ_status status =
	    w_yaml_read(text->data, text->len, &limits, &walk->yaml, err);
	if (status != WRIT_OK)
		return status;
	map = w_yaml_root(walk->yaml);
	if (yyjson_is_null(map)) { /* only comments */
		w_yaml_free(walk->yaml);
		walk->yaml = NULL;
		return WRIT_OK;
	}
	if (!yyjson_is_obj(map))
		return settings_yaml_fail(walk, map, "it is not a map", err);
	walk->map = map;
	for (;; walk->depth++) {
		yyjson_val *key =
		    settings_yaml_member(map, value->path[walk->depth]);
		const bool is_last = value->path[walk->depth + 1] == NULL;

		if (key == NULL)
			return WRIT_OK;
		if (is_last) {
			walk->key = key;
			walk->val = yyjson_obj_iter_get_val(key);
			return WRIT_OK;
		}
		map = yyjson_obj_iter_get_val(key);
		if (!yyjson_is_obj(map) && !yyjson_is_null(map))
			return settings_yaml_fail(
			    walk, map, "this is not a map", err);
		walk->above = w_yaml_offset(walk->yaml, key);
		walk->map = map;
		if (yyjson_obj_size(map) == 0) {
			walk->depth++;
			return WRIT_OK;
		}
	}
}

static writ_status
settings_yaml_find(const struct w_buf *text,
    const struct w_client_settings_value *value, bool *out_is_there,
    writ_error *err)
{
	struct yaml_walk walk;
	writ_status status = settings_yaml_walk(text, value, &walk, err);

	if (status == WRIT_OK)
		*out_is_there = walk.key != NULL;
	w_yaml_free(walk.yaml);
	return status;
}

/* ---- writing ---- */

/* Words, numbers, strings and lists as JSON has them are also YAML. */
static void
settings_yaml_add_member(
    struct w_buf *buf, const char *name, yyjson_val *val, size_t indent)
{
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *item;

	for (size_t j = 0; j < indent; j++)
		w_buf_add_char(buf, ' ');
	w_buf_add_fmt(buf, "%s:", name);
	if (!yyjson_is_obj(val)) {
		W_AUTO_FREE char *json = yyjson_val_write(val, 0, NULL);

		w_buf_add_char(buf, ' ');
		if (json == NULL)
			buf->failed = true;
		else
			w_client_settings_add_json(buf, json, "");
		w_buf_add_char(buf, '\n');
		return;
	}
	w_buf_add_char(buf, '\n');
	yyjson_obj_foreach(val, i, count, key, item)
	{
		settings_yaml_add_member(
		    buf, yyjson_get_str(key), item, indent + INDENT);
	}
}

/* The rest of the path, each name on a line, and the value. */
static writ_status
settings_yaml_add(struct w_buf *buf,
    const struct w_client_settings_value *value, size_t depth, size_t indent,
    writ_error *err)
{
	yyjson_doc *doc = yyjson_read(value->json, strlen(value->json), 0);

	if (doc == NULL)
		return w_fail_nomem(err, "mcp");
	for (; value->path[depth + 1] != NULL; depth++) {
		for (size_t i = 0; i < indent; i++)
			w_buf_add_char(buf, ' ');
		w_buf_add_fmt(buf, "%s:\n", value->path[depth]);
		indent += INDENT;
	}
	settings_yaml_add_member(
	    buf, value->path[depth], yyjson_doc_get_root(doc), indent);
	yyjson_doc_free(doc);
	return WRIT_OK;
}

/* Into a map that has members: after its last one. */
static writ_status
settings_yaml_append(const struct w_buf *text, const struct yaml_walk *walk,
    const struct w_client_settings_value *value,
    struct w_client_settings_splice *out, writ_error *err)
{
	size_t i;
	size_t count;
	size_t last = 0;
	yyjson_val *key;
	yyjson_val *val;

	yyjson_obj_foreach(walk->map, i, count, key, val)
	{
		last = w_yaml_offset(walk->yaml, key);
	}

	const size_t line = settings_yaml_line_start(text, last);
	const size_t indent = last - line;

	/* { a: 1, b: 2 } */
	if (indent > INDENT_MAX || strspn(text->data + line, " ") != indent)
		return settings_yaml_fail(walk, walk->map,
		    "this map is on one line; write it on several", err);
	out->at = settings_yaml_member_end(text, last);
	if (text->data[out->at - 1] != '\n')
		w_buf_add_char(&out->now, '\n');
	return settings_yaml_add(&out->now, value, walk->depth, indent, err);
}

/* Into a map without members: "key:" or "key: {}". */
static writ_status
settings_yaml_begin(const struct w_buf *text, const struct yaml_walk *walk,
    const struct w_client_settings_value *value,
    struct w_client_settings_splice *out, writ_error *err)
{
	const size_t line = settings_yaml_line_start(text, walk->above);
	const size_t indent = walk->above - line;
	const size_t len = strcspn(text->data + walk->above, ":");

	if (indent > INDENT_MAX || strspn(text->data + line, " ") != indent)
		return settings_yaml_fail(
		    walk, walk->map, "this map is on one line", err);
	out->at = walk->above + len + 1;
	out->was_len = settings_yaml_line_end(text, out->at) - out->at;
	const char *rest = text->data + out->at;
	const size_t known = strspn(rest, " {}~\r\n");

	if (known < out->was_len && strncmp(rest, " null", 5) != 0)
		return settings_yaml_fail(
		    walk, walk->map, "this map has no member", err);
	w_buf_add_char(&out->now, '\n');
	return settings_yaml_add(
	    &out->now, value, walk->depth, indent + INDENT, err);
}

/* Whether the value is written as one plain word. */
static bool
settings_yaml_is_word(const char *text, size_t len, yyjson_val *val)
{
	return yyjson_is_bool(val) ||
	       (yyjson_is_str(val) && yyjson_get_len(val) == len &&
		   memcmp(yyjson_get_str(val), text, len) == 0);
}

/* Only a word in the place of a word. */
static writ_status
settings_yaml_replace(const struct w_buf *text, const struct yaml_walk *walk,
    const struct w_client_settings_value *value,
    struct w_client_settings_splice *out, writ_error *err)
{
	const size_t at = w_yaml_offset(walk->yaml, walk->val);
	const size_t len = strcspn(text->data + at, " \t\r\n#,}");

	yyjson_doc *wanted = yyjson_read(value->json, strlen(value->json), 0);
	const bool is_same =
	    yyjson_equals(yyjson_doc_get_root(wanted), walk->val);

	yyjson_doc_free(wanted);
	if (is_same)
		return WRIT_OK;
	if (!settings_yaml_is_word(text->data + at, len, walk->val))
		return settings_yaml_fail(
		    walk, walk->val, "this is not one plain word", err);
	out->at = at;
	out->was_len = len;
	w_buf_add_str(&out->now, value->json);
	return WRIT_OK;
}

static writ_status
settings_yaml_put(const struct w_buf *text,
    const struct w_client_settings_value *value,
    struct w_client_settings_splice *out, writ_error *err)
{
	struct yaml_walk walk;
	writ_status status = settings_yaml_walk(text, value, &walk, err);

	if (status != WRIT_OK)
		return status;
	if (walk.yaml == NULL) {
		out->at = text->len;
		if (text->len > 0 && text->data[text->len - 1] != '\n')
			w_buf_add_char(&out->now, '\n');
		return settings_yaml_add(&out->now, value, 0, 0, err);
	}
	if (walk.key != NULL)
		status = settings_yaml_replace(text, &walk, value, out, err);
	else if (yyjson_obj_size(walk.map) > 0)
		status = settings_yaml_append(text, &walk, value, out, err);
	else if (walk.depth == 0)
		status = settings_yaml_fail(
		    &walk, walk.map, "this map has no member", err);
	else
		status = settings_yaml_begin(text, &walk, value, out, err);
	w_yaml_free(walk.yaml);
	return status;
}

static writ_status
settings_yaml_drop(const struct w_buf *text,
    const struct w_client_settings_value *value,
    struct w_client_settings_splice *out, writ_error *err)
{
	struct yaml_walk walk;
	writ_status status = settings_yaml_walk(text, value, &walk, err);

	if (status == WRIT_OK && walk.key != NULL) {
		const size_t key = w_yaml_offset(walk.yaml, walk.key);
		const size_t line = settings_yaml_line_start(text, key);

		if (strspn(text->data + line, " ") != key - line) {
			status = settings_yaml_fail(
			    &walk, walk.key, "this map is on one line", err);
		} else {
			out->at = line;
			out->was_len =
			    settings_yaml_member_end(text, key) - line;
		}
	}
	w_yaml_free(walk.yaml);
	return status;
}

const struct w_client_settings_editor w_client_settings_yaml = {
    .find = settings_yaml_find,
    .put = settings_yaml_put,
    .drop = settings_yaml_drop,
};
