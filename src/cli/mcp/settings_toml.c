/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Settings in TOML. The scanner knows statements: a header of a table, or a
 * key and its value. It finds where each begins and ends, and fails where a
 * string or a bracket does not end; it does not check numbers and dates.
 */

#include "cli/mcp/settings_edit.h"

#include <string.h>

#include <yyjson.h>

#include "base/ascii.h"
#include "base/auto.h"
#include "base/error.h"
#include "base/position.h"
#include "data/json.h"

#define NAMES_MAX 16

/* A part of a key, without its quotes. */
struct toml_name {
	const char *text;
	size_t len;
};

struct toml_key {
	struct toml_name names[NAMES_MAX];
	size_t count;
};

struct toml_statement {
	size_t start; /* of its line */
	size_t end;   /* after its newline */
	bool is_table;
	bool is_list; /* [[...]] */
	struct toml_key key;
	size_t value;
	size_t value_end;
};

static writ_status
toml_fail(
    const struct w_buf *text, size_t at, const char *what, writ_error *err)
{
	(void)w_fail(err, WRIT_E_PARSE, "mcp", 0, "no TOML: %s", what);
	w_locate_offset(err, text->data, at);
	return WRIT_E_PARSE;
}

/* ---- the scanner ---- */

static size_t
toml_skip_blanks(const struct w_buf *text, size_t at)
{
	return at + strspn(text->data + at, " \t\r");
}

static size_t
toml_skip_line(const struct w_buf *text, size_t at)
{
	at += strcspn(text->data + at, "\n");
	return at + (text->data[at] == '\n');
}

/* Over blanks, newlines and comments. */
static size_t
toml_skip_gap(const struct w_buf *text, size_t at)
{
	for (;;) {
		at += strspn(text->data + at, " \t\r\n");
		if (text->data[at] != '#')
			return at;
		at = toml_skip_line(text, at);
	}
}

/* After the string that begins here; 0: it does not end. */
static size_t
toml_skip_string(const struct w_buf *text, size_t at)
{
	const char *data = text->data;
	const char quote = data[at];
	const bool is_long = data[at + 1] == quote && data[at + 2] == quote;

	for (at += is_long ? 3 : 1; at < text->len; at++) {
		if (data[at] == '\\' && quote == '"')
			at++;
		else if (data[at] == '\n' && !is_long)
			return 0;
		else if (data[at] == quote && !is_long)
			return at + 1;
		else if (data[at] == quote && data[at + 1] == quote &&
			 data[at + 2] == quote)
			/* Up to two more quotes belong to the string. */
			return at + 3 + (data[at + 3] == quote) +
			       (data[at + 3] == quote && data[at + 4] == quote);
	}
	return 0;
}

/* After the value that begins here; 0: it does not end. */
static size_t
toml_skip_value(const struct w_buf *text, size_t at)
{
	size_t depth = 0;

	do {
		const char c = text->data[at];

		if (c == '"' || c == '\'') {
			at = toml_skip_string(text, at);
			if (at == 0)
				return 0;
		} else if (c == '[' || c == '{') {
			depth++;
			at++;
		} else if (c == ']' || c == '}') {
			if (depth == 0)
				return 0;
			depth--;
			at++;
		} else if (depth > 0 && (c == ',' || c == '=')) {
			at++;
		} else {
			const size_t len =
			    strcspn(text->data + at, "\n\r#,=]}[{\"'");

			if (len == 0)
				return 0;
			at += len;
		}
		if (depth > 0)
			at = toml_skip_gap(text, at);
	} while (depth > 0 && at < text->len);
	return depth == 0 ? at : 0;
}

static bool
toml_is_bare(char c)
{
	return w_is_alpha(c) || w_is_digit(c) || c == '-' || c == '_';
}

/* Reads "a.'b'.c". false: it is none. */
static bool
toml_read_key(const struct w_buf *text, size_t *at, struct toml_key *key)
{
	key->count = 0;
	for (;;) {
		struct toml_name name;
		size_t end = toml_skip_blanks(text, *at);
		const char c = text->data[end];

		*at = end;
		if (c == '"' || c == '\'') {
			end = toml_skip_string(text, *at);
			if (end == 0 || end - *at < 2)
				return false;
			name.text = text->data + *at + 1;
			name.len = end - *at - 2;
		} else {
			while (toml_is_bare(text->data[end]))
				end++;
			name.text = text->data + *at;
			name.len = end - *at;
			if (name.len == 0)
				return false;
		}
		if (key->count == NAMES_MAX)
			return false;
		key->names[key->count++] = name;
		*at = toml_skip_blanks(text, end);
		if (text->data[*at] != '.')
			return true;
		++*at;
	}
}

static writ_status
toml_end_line(const struct w_buf *text, size_t at, struct toml_statement *out,
    writ_error *err)
{
	at = toml_skip_blanks(text, at);
	if (at < text->len && text->data[at] != '\n' && text->data[at] != '#')
		return toml_fail(
		    text, at, "something follows on the line", err);
	out->end = toml_skip_line(text, at);
	return WRIT_OK;
}

static writ_status
toml_read_header(const struct w_buf *text, size_t at,
    struct toml_statement *out, writ_error *err)
{
	const char *data = text->data;

	out->is_table = true;
	out->is_list = data[at + 1] == '[';
	at += out->is_list ? 2 : 1;
	if (!toml_read_key(text, &at, &out->key))
		return toml_fail(text, at, "a table without a name", err);
	if (data[at] != ']' || (out->is_list && data[at + 1] != ']'))
		return toml_fail(text, at, "']' is missing", err);
	return toml_end_line(text, at + (out->is_list ? 2 : 1), out, err);
}

/* The next statement at or after *at. At the end of the text, start is its
 * length. */
static writ_status
toml_next(const struct w_buf *text, size_t at, struct toml_statement *out,
    writ_error *err)
{
	*out = (struct toml_statement){.is_table = false};
	at = toml_skip_gap(text, at);
	out->start = at;
	if (at >= text->len)
		return WRIT_OK;
	while (out->start > 0 && text->data[out->start - 1] != '\n')
		out->start--;
	if (text->data[at] == '[')
		return toml_read_header(text, at, out, err);
	if (!toml_read_key(text, &at, &out->key))
		return toml_fail(text, at, "this is no key", err);
	if (text->data[at] != '=')
		return toml_fail(text, at, "'=' is missing", err);
	out->value = toml_skip_blanks(text, at + 1);
	out->value_end = toml_skip_value(text, out->value);
	if (out->value_end == 0)
		return toml_fail(text, out->value,
		    "a value is missing or does not end", err);
	while (out->value_end > out->value &&
	       strchr(" \t", text->data[out->value_end - 1]) != NULL)
		out->value_end--;
	return toml_end_line(text, out->value_end, out, err);
}

/* ---- finding ---- */

static size_t
toml_path_length(const struct w_client_settings_value *value)
{
	size_t len = 0;

	while (value->path[len] != NULL)
		len++;
	return len;
}

/* How many names of the path these are, from its name number from on;
 * NAMES_MAX if there is another one among them. */
static size_t
toml_matches(const struct toml_key *key,
    const struct w_client_settings_value *value, size_t from)
{
	for (size_t i = 0; i < key->count; i++) {
		const char *name = value->path[from + i];

		/* The path has ended: what is below it belongs to it. */
		if (name == NULL)
			return i;
		if (strlen(name) != key->names[i].len ||
		    memcmp(name, key->names[i].text, key->names[i].len) != 0)
			return NAMES_MAX;
	}
	return key->count;
}

/* What a text says about a path. */
struct toml_place {
	bool is_table;    /* a table of that path, or below it */
	bool is_value;    /* a value of that path */
	bool is_above;    /* a value above it: an inline table */
	size_t start;     /* of what was found */
	size_t end;       /* after its last statement */
	size_t value;     /* of is_value */
	size_t value_end; /* likewise */
	size_t parent;    /* after the header of its table; 0: none */
	size_t dotted;    /* after a dotted key in its table; 0: none */
};

static void
toml_note_value(const struct toml_statement *it, size_t depth, size_t length,
    struct toml_place *out)
{
	if (depth > length)
		return;
	if (depth < length) {
		out->is_above = true;
		return;
	}
	out->is_value = true;
	out->start = it->start;
	out->end = it->end;
	out->value = it->value;
	out->value_end = it->value_end;
}

static writ_status
toml_find(const struct w_buf *text, const struct w_client_settings_value *value,
    struct toml_place *out, writ_error *err)
{
	const size_t length = toml_path_length(value);
	struct toml_statement it = {.end = 0};
	size_t table = 0;       /* names of the path that the table has */
	bool is_inside = false; /* the table is that of the path */
	size_t below;

	*out = (struct toml_place){.is_table = false};
	for (;;) {
		writ_status status = toml_next(text, it.end, &it, err);

		if (status != WRIT_OK)
			return status;
		if (it.start >= text->len)
			return WRIT_OK;
		if (it.is_table) {
			table = it.is_list ? NAMES_MAX
					   : toml_matches(&it.key, value, 0);
			is_inside = table == length;
			if (is_inside && !out->is_table) {
				out->is_table = true;
				out->start = it.start;
			}
			if (table + 1 == length)
				out->parent = it.end;
		}
		if (is_inside)
			out->end = it.end;
		if (it.is_table || is_inside || table == NAMES_MAX)
			continue;
		below = toml_matches(&it.key, value, table);
		if (below < it.key.count && below != NAMES_MAX)
			out->is_above = true;
		else if (below != NAMES_MAX)
			toml_note_value(&it, table + below, length, out);
		else if (table == 0 && it.key.count == length && length > 1 &&
			 it.key.names[0].len == strlen(value->path[0]) &&
			 memcmp(it.key.names[0].text, value->path[0],
			     it.key.names[0].len) == 0)
			out->dotted = it.end;
	}
}

static writ_status
settings_toml_find(const struct w_buf *text,
    const struct w_client_settings_value *value, bool *out_is_there,
    writ_error *err)
{
	struct toml_place place;
	writ_status status = toml_find(text, value, &place, err);

	if (status == WRIT_OK)
		*out_is_there = place.is_table || place.is_value;
	return status;
}

/* ---- writing ---- */

static void
toml_add_path(struct w_buf *buf, const struct w_client_settings_value *value,
    size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		const char *name = value->path[i];
		size_t len = 0;

		while (toml_is_bare(name[len]))
			len++;
		w_buf_add_str(buf, i == from ? "" : ".");
		if (name[len] == '\0')
			w_buf_add_str(buf, name);
		else
			w_json_add_text(buf, name);
	}
}

/* JSON's strings, lists and words are also TOML's. */
static void
toml_add_table(struct w_buf *buf, const struct w_client_settings_value *value,
    size_t length, yyjson_val *table)
{
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *val;

	w_buf_add_char(buf, '[');
	toml_add_path(buf, value, 0, length);
	w_buf_add_str(buf, "]\n");
	yyjson_obj_foreach(table, i, count, key, val)
	{
		W_AUTO_FREE char *json = yyjson_val_write(val, 0, NULL);

		w_buf_add_fmt(buf, "%s = ", yyjson_get_str(key));
		if (json == NULL)
			buf->failed = true;
		else
			w_client_settings_add_json(buf, json, "");
		w_buf_add_char(buf, '\n');
	}
}

static void
toml_add_line(struct w_buf *buf, const struct w_client_settings_value *value,
    size_t from, size_t length)
{
	toml_add_path(buf, value, from, length);
	w_buf_add_fmt(buf, " = %s\n", value->json);
}

static void
toml_add_missing(const struct w_buf *text,
    const struct w_client_settings_value *value, const struct toml_place *place,
    yyjson_val *val, struct w_client_settings_splice *out)
{
	const size_t length = toml_path_length(value);
	const bool has_parent = place->parent != 0;
	const bool is_line =
	    !yyjson_is_obj(val) && (has_parent || place->dotted != 0);
	struct w_buf *now = &out->now;

	out->at = !is_line     ? text->len
		  : has_parent ? place->parent
			       : place->dotted;
	if (out->at > 0 && text->data[out->at - 1] != '\n')
		w_buf_add_char(now, '\n');
	if (is_line) {
		toml_add_line(now, value, has_parent ? length - 1 : 0, length);
		return;
	}
	w_buf_add_str(now, text->len > 0 ? "\n" : "");
	if (yyjson_is_obj(val)) {
		toml_add_table(now, value, length, val);
		return;
	}
	w_buf_add_char(now, '[');
	toml_add_path(now, value, 0, length - 1);
	w_buf_add_str(now, "]\n");
	toml_add_line(now, value, length - 1, length);
}

static writ_status
settings_toml_put(const struct w_buf *text,
    const struct w_client_settings_value *value,
    struct w_client_settings_splice *out, writ_error *err)
{
	struct toml_place place;
	writ_status status = toml_find(text, value, &place, err);

	if (status != WRIT_OK)
		return status;
	if (place.is_table || place.is_above)
		return w_fail(err, WRIT_E_PARSE, "mcp", 0,
		    "'%s' is written there in another form", value->path[0]);
	if (place.is_value) {
		const size_t len = place.value_end - place.value;

		if (len == strlen(value->json) &&
		    memcmp(text->data + place.value, value->json, len) == 0)
			return WRIT_OK;
		out->at = place.value;
		out->was_len = len;
		w_buf_add_str(&out->now, value->json);
		return WRIT_OK;
	}
	yyjson_doc *doc = yyjson_read(value->json, strlen(value->json), 0);

	if (doc == NULL)
		return w_fail_nomem(err, "mcp");
	toml_add_missing(text, value, &place, yyjson_doc_get_root(doc), out);
	yyjson_doc_free(doc);
	return WRIT_OK;
}

static writ_status
settings_toml_drop(const struct w_buf *text,
    const struct w_client_settings_value *value,
    struct w_client_settings_splice *out, writ_error *err)
{
	struct toml_place place;
	writ_status status = toml_find(text, value, &place, err);

	if (status != WRIT_OK || (!place.is_table && !place.is_value))
		return status;
	/* The empty line before a table separates it from the one before. */
	if (place.is_table && place.start > 1 &&
	    text->data[place.start - 1] == '\n' &&
	    text->data[place.start - 2] == '\n')
		place.start--;
	out->at = place.start;
	out->was_len = place.end - place.start;
	return WRIT_OK;
}

const struct w_client_settings_editor w_client_settings_toml = {
    .find = settings_toml_find,
    .put = settings_toml_put,
    .drop = settings_toml_drop,
};
