/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Settings in JSON with comments. yyjson says whether the text can be parsed;
 * then a small scanner finds places in it, which may rely on that.
 */

#include "cli/mcp/settings_edit.h"

#include <stdio.h>
#include <string.h>

#include <yyjson.h>

#include "base/error.h"
#include "base/position.h"
#include "data/json.h"

#define NOWHERE ((size_t)-1)
#define READ_FLAGS \
	(YYJSON_READ_ALLOW_COMMENTS | YYJSON_READ_ALLOW_TRAILING_COMMAS)

/* A member of an object, or an item of a list. */
struct settings_part {
	size_t start; /* of its key; of an item, the same as value */
	size_t value;
	size_t end;
	size_t before; /* end of the part before; NOWHERE: it is the first */
};

/* An object or a list. */
struct settings_box {
	size_t open;
	size_t close;
	size_t first; /* start of the first part; NOWHERE: it is empty */
	size_t last_end;
};

/* ---- the scanner ---- */

static bool
settings_json_is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Over blanks and comments. */
static size_t
skip_gap(const struct w_buf *text, size_t at)
{
	const char *data = text->data;

	for (;;) {
		const char *end;

		while (settings_json_is_blank(data[at]))
			at++;
		if (data[at] != '/')
			return at;
		end = data[at + 1] == '*' ? strstr(data + at + 2, "*/")
					  : strchr(data + at, '\n');
		if (end == NULL)
			return text->len;
		at = (size_t)(end - data) + (data[at + 1] == '*' ? 2 : 1);
	}
}

static size_t
skip_string(const struct w_buf *text, size_t at)
{
	for (at++; at < text->len && text->data[at] != '"'; at++)
		at += text->data[at] == '\\';
	return at < text->len ? at + 1 : text->len;
}

static size_t
settings_json_skip_value(const struct w_buf *text, size_t at)
{
	size_t depth = 0;

	do {
		const char c = text->data[at];

		if (c == '"') {
			at = skip_string(text, at);
		} else if (c == '{' || c == '[') {
			depth++;
			at++;
		} else if (c == '}' || c == ']') {
			depth--;
			at++;
		} else if (c == ',' || c == ':') {
			at++;
		} else {
			at += strcspn(text->data + at, " \t\r\n,:]}/");
		}
		if (depth > 0)
			at = skip_gap(text, at);
	} while (depth > 0 && at < text->len);
	return at;
}

static bool
settings_json_is_key(
    const struct w_buf *text, const struct settings_part *part, const char *key)
{
	const char *raw = text->data + part->start;
	const size_t len = skip_string(text, part->start) - part->start;
	bool is_same;

	if (memchr(raw, '\\', len) == NULL)
		return len == strlen(key) + 2 &&
		       memcmp(raw + 1, key, len - 2) == 0;
	yyjson_doc *doc = yyjson_read(raw, len, 0);
	is_same = yyjson_equals_str(yyjson_doc_get_root(doc), key);
	yyjson_doc_free(doc);
	return is_same;
}

static bool
settings_json_is_equal(const struct w_buf *text,
    const struct settings_part *part, const char *json)
{
	char *bytes = text->data + part->value;
	yyjson_doc *here = yyjson_read_opts(
	    bytes, part->end - part->value, READ_FLAGS, NULL, NULL);
	yyjson_doc *wanted = yyjson_read(json, strlen(json), 0);
	const bool is_same =
	    here != NULL && yyjson_equals(yyjson_doc_get_root(here),
				yyjson_doc_get_root(wanted));

	yyjson_doc_free(here);
	yyjson_doc_free(wanted);
	return is_same;
}

/* Scans a box, and finds the member of that name or the item of that value.
 * Of several the last one applies, as programs read it. */
static bool
settings_json_scan(const struct w_buf *text, size_t open, const char *name,
    bool is_item, struct settings_box *out_box, struct settings_part *out_part)
{
	const bool is_object = text->data[open] == '{';
	struct settings_box box = {.open = open, .first = NOWHERE};
	size_t at = skip_gap(text, open + 1);
	size_t before = NOWHERE;
	bool is_found = false;

	while (
	    at < text->len && text->data[at] != '}' && text->data[at] != ']') {
		struct settings_part part = {.start = at, .before = before};

		part.value = at;
		if (is_object) {
			at = skip_gap(text, skip_string(text, at));
			part.value = skip_gap(text, at + 1);
		}
		part.end = settings_json_skip_value(text, part.value);
		if (box.first == NOWHERE)
			box.first = part.start;
		box.last_end = part.end;
		before = part.end;
		if (name != NULL &&
		    (is_item ? settings_json_is_equal(text, &part, name)
			     : settings_json_is_key(text, &part, name))) {
			*out_part = part;
			is_found = true;
		}
		at = skip_gap(text, part.end);
		if (text->data[at] == ',')
			at = skip_gap(text, at + 1);
	}
	box.close = at;
	*out_box = box;
	return is_found;
}

/* ---- reading ---- */

static bool
settings_json_is_empty(const struct w_buf *text)
{
	return strspn(text->data, " \t\r\n") == text->len;
}

/* The root must be an object. */
static writ_status
settings_json_check(const struct w_buf *text, size_t *out_root, writ_error *err)
{
	yyjson_read_err why;
	yyjson_doc *doc =
	    yyjson_read_opts(text->data, text->len, READ_FLAGS, NULL, &why);
	const bool is_object = yyjson_is_obj(yyjson_doc_get_root(doc));

	yyjson_doc_free(doc);
	if (doc == NULL) {
		(void)w_fail(
		    err, WRIT_E_PARSE, "mcp", 0, "no JSON: %s", why.msg);
		w_locate_offset(err, text->data, why.pos);
		return WRIT_E_PARSE;
	}
	if (!is_object)
		return w_fail(
		    err, WRIT_E_PARSE, "mcp", 0, "it is not a JSON object");
	*out_root = skip_gap(text, 0);
	return WRIT_OK;
}

static writ_status
settings_json_fail_kind(const struct w_buf *text, size_t at, const char *name,
    const char *kind, writ_error *err)
{
	(void)w_fail(
	    err, WRIT_E_PARSE, "mcp", 0, "'%.64s' is not %s", name, kind);
	w_locate_offset(err, text->data, at);
	return WRIT_E_PARSE;
}

/* Where a path ends: depth names of it lead to the box at open, and there is
 * no further one. */
struct settings_walk {
	size_t depth;
	size_t open;
	bool is_found; /* part is the value, or the item */
	bool is_list;  /* the box is the list of an item */
	struct settings_part part;
	struct settings_box box;
};

static writ_status
settings_json_walk(const struct w_buf *text,
    const struct w_client_settings_value *value, struct settings_walk *walk,
    writ_error *err)
{
	*walk = (struct settings_walk){.depth = 0};
	writ_status status = settings_json_check(text, &walk->open, err);

	if (status != WRIT_OK)
		return status;
	for (;; walk->depth++) {
		const char *name = value->path[walk->depth];
		const bool is_last = value->path[walk->depth + 1] == NULL;

		if (!settings_json_scan(
			text, walk->open, name, false, &walk->box, &walk->part))
			return WRIT_OK;
		if (is_last && !value->is_item) {
			walk->is_found = true;
			return WRIT_OK;
		}
		walk->open = walk->part.value;
		if (text->data[walk->open] != (is_last ? '[' : '{'))
			return settings_json_fail_kind(text, walk->open, name,
			    is_last ? "a list" : "an object", err);
		if (is_last)
			break;
	}
	walk->depth++;
	walk->is_list = true;
	walk->is_found = settings_json_scan(
	    text, walk->open, value->json, true, &walk->box, &walk->part);
	return WRIT_OK;
}

static writ_status
settings_json_find(const struct w_buf *text,
    const struct w_client_settings_value *value, bool *out_is_there,
    writ_error *err)
{
	struct settings_walk walk;

	*out_is_there = false;
	if (settings_json_is_empty(text))
		return WRIT_OK;
	writ_status status = settings_json_walk(text, value, &walk, err);
	if (status == WRIT_OK)
		*out_is_there = walk.is_found;
	return status;
}

/* ---- writing ---- */

#define UNIT     "  "
#define UNIT_MAX 64

static void
settings_json_add_val(
    struct w_buf *buf, yyjson_val *val, const char *indent, const char *unit)
{
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *item;

	if (yyjson_is_arr(val)) {
		w_buf_add_char(buf, '[');
		yyjson_arr_foreach(val, i, count, item)
		{
			w_buf_add_str(buf, i == 0 ? "" : ", ");
			w_json_add_value(buf, item);
		}
		w_buf_add_char(buf, ']');
		return;
	}
	if (!yyjson_is_obj(val)) {
		w_json_add_value(buf, val);
		return;
	}
	char deeper[UNIT_MAX * 2];

	(void)snprintf(deeper, sizeof(deeper), "%s%s", indent, unit);
	w_buf_add_char(buf, '{');
	yyjson_obj_foreach(val, i, count, key, item)
	{
		w_buf_add_fmt(buf, "%s\n%s", i == 0 ? "" : ",", deeper);
		w_json_add_value(buf, key);
		w_buf_add_str(buf, ": ");
		settings_json_add_val(buf, item, deeper, unit);
	}
	w_buf_add_fmt(buf, "\n%s}", indent);
}

static void
settings_json_add_indented(
    struct w_buf *buf, const char *json, const char *indent, const char *unit)
{
	yyjson_doc *doc = yyjson_read(json, strlen(json), 0);

	if (doc == NULL)
		buf->failed = true;
	else
		settings_json_add_val(
		    buf, yyjson_doc_get_root(doc), indent, unit);
	yyjson_doc_free(doc);
}

void
w_client_settings_add_json(
    struct w_buf *buf, const char *json, const char *indent)
{
	settings_json_add_indented(buf, json, indent, UNIT);
}

/* The rest of the path around the value. */
static void
settings_json_add_nested(struct w_buf *buf,
    const struct w_client_settings_value *value, size_t depth)
{
	size_t last = depth;

	for (; value->path[last] != NULL; last++) {
		w_buf_add_char(buf, '{');
		w_json_add_text(buf, value->path[last]);
		w_buf_add_char(buf, ':');
	}
	w_buf_add_str(buf, value->is_item ? "[" : "");
	w_buf_add_str(buf, value->json);
	w_buf_add_str(buf, value->is_item ? "]" : "");
	for (; last > depth; last--)
		w_buf_add_char(buf, '}');
}

/* The blanks at the start of the line of an offset; whether there is nothing
 * else before it. */
static bool
settings_json_indent(const struct w_buf *text, size_t at, char out[UNIT_MAX])
{
	size_t line = at;
	size_t len;

	while (line > 0 && text->data[line - 1] != '\n')
		line--;
	len = strspn(text->data + line, " \t");
	(void)snprintf(out, UNIT_MAX, "%.*s",
	    (int)(len < UNIT_MAX ? len : UNIT_MAX - 1), text->data + line);
	return line + len == at;
}

/* How the text indents: as its first member. */
static void
settings_json_unit(const struct w_buf *text, char out[UNIT_MAX])
{
	struct settings_box box;
	struct settings_part part;

	(void)settings_json_scan(
	    text, skip_gap(text, 0), NULL, false, &box, &part);
	if (box.first == NOWHERE ||
	    !settings_json_indent(text, box.first, out) || out[0] == '\0')
		(void)snprintf(out, UNIT_MAX, "%s", UNIT);
}

/* The end of the last thing before an offset, a comment or a value. */
static size_t
settings_json_tail(const struct w_buf *text, size_t at)
{
	while (at > 0 && settings_json_is_blank(text->data[at - 1]))
		at--;
	return at;
}

static bool
settings_json_has_newline(const struct w_buf *text, size_t from, size_t to)
{
	return memchr(text->data + from, '\n', to - from) != NULL;
}

/* Appends a part to a box, on a line of its own unless the box is a list that
 * has its items on one line. part has no comma. */
static void
settings_json_append(const struct w_buf *text, const struct settings_box *box,
    const char *indent, bool is_inline, const struct w_buf *part,
    struct w_client_settings_splice *out)
{
	const bool is_empty = box->first == NOWHERE;
	const size_t tail = settings_json_tail(text, box->close);
	const size_t gap =
	    is_empty ? box->close : skip_gap(text, box->last_end);
	const bool has_comma = !is_empty && text->data[gap] == ',';
	char base[UNIT_MAX];

	if (is_inline) {
		out->at = is_empty ? tail : has_comma ? gap + 1 : box->last_end;
		w_buf_add_str(
		    &out->now, is_empty ? "" : (has_comma ? " " : ", "));
		w_buf_add(&out->now, part->data, part->len);
		return;
	}
	(void)settings_json_indent(text, box->open, base);
	out->at = tail;
	if (!is_empty && !has_comma) {
		/* The comma goes before comments, which then keep their
		 * lines. */
		out->at = box->last_end;
		out->was_len = tail - box->last_end;
		w_buf_add_char(&out->now, ',');
		w_buf_add(&out->now, text->data + out->at, out->was_len);
	}
	w_buf_add_fmt(&out->now, "\n%s", indent);
	w_buf_add(&out->now, part->data, part->len);
	if (!settings_json_has_newline(text, tail, box->close))
		w_buf_add_fmt(&out->now, "\n%s", base);
}

static void
settings_json_put_part(const struct w_buf *text,
    const struct w_client_settings_value *value,
    const struct settings_walk *walk, struct w_client_settings_splice *out)
{
	const struct settings_box *box = &walk->box;
	char indent[UNIT_MAX * 2];
	char unit[UNIT_MAX];
	char base[UNIT_MAX];
	bool is_own_line = false;
	W_AUTO_BUF struct w_buf json;
	W_AUTO_BUF struct w_buf part;

	w_buf_init(&json, W_SETTINGS_TEXT_MAX);
	w_buf_init(&part, W_SETTINGS_TEXT_MAX);
	settings_json_unit(text, unit);
	if (box->first != NOWHERE)
		is_own_line = settings_json_indent(text, box->first, indent);
	if (!is_own_line) {
		(void)settings_json_indent(text, box->open, base);
		(void)snprintf(indent, sizeof(indent), "%s%s", base, unit);
	}
	if (!walk->is_list) {
		w_json_add_text(&part, value->path[walk->depth]);
		w_buf_add_str(&part, ": ");
		settings_json_add_nested(&json, value, walk->depth + 1);
	} else {
		w_buf_add_str(&json, value->json);
	}
	settings_json_add_indented(&part, json.data, indent, unit);
	out->now.failed = out->now.failed || part.failed || json.failed;
	settings_json_append(text, box, indent,
	    walk->is_list && !is_own_line &&
		!settings_json_has_newline(text, box->open, box->close),
	    &part, out);
}

static writ_status
settings_json_put(const struct w_buf *text,
    const struct w_client_settings_value *value,
    struct w_client_settings_splice *out, writ_error *err)
{
	struct settings_walk walk;
	char unit[UNIT_MAX];
	char indent[UNIT_MAX];

	if (settings_json_is_empty(text)) {
		W_AUTO_BUF struct w_buf json;

		w_buf_init(&json, W_SETTINGS_TEXT_MAX);
		settings_json_add_nested(&json, value, 0);
		out->was_len = text->len;
		w_client_settings_add_json(&out->now, json.data, "");
		w_buf_add_char(&out->now, '\n');
		return WRIT_OK;
	}
	writ_status status = settings_json_walk(text, value, &walk, err);
	if (status != WRIT_OK)
		return status;
	if (!walk.is_found) {
		settings_json_put_part(text, value, &walk, out);
	} else if (!value->is_item &&
		   !settings_json_is_equal(text, &walk.part, value->json)) {
		settings_json_unit(text, unit);
		(void)settings_json_indent(text, walk.part.start, indent);
		out->at = walk.part.value;
		out->was_len = walk.part.end - walk.part.value;
		settings_json_add_indented(
		    &out->now, value->json, indent, unit);
	}
	return WRIT_OK;
}

/* ---- taking away ---- */

static size_t
settings_json_line_start(const struct w_buf *text, size_t at)
{
	while (
	    at > 0 && (text->data[at - 1] == ' ' || text->data[at - 1] == '\t'))
		at--;
	return at;
}

/* With its comma, and with its line if there is nothing else on it. */
static void
settings_json_cut(const struct w_buf *text, const struct settings_part *part,
    struct w_client_settings_splice *out)
{
	const size_t gap = skip_gap(text, part->end);
	const size_t line = settings_json_line_start(text, part->start);
	const bool is_own_line = line == 0 || text->data[line - 1] == '\n';
	size_t from = part->start;
	size_t to = part->end;

	if (text->data[gap] == ',') {
		to = gap + 1;
		to += strspn(text->data + to, " \t");
		if (is_own_line && text->data[to] == '\n') {
			from = line;
			to++;
		}
		out->at = from;
		out->was_len = to - from;
		return;
	}
	/* The last one: the line goes with the newline before it. */
	if (is_own_line && line > 0 &&
	    text->data[to + strspn(text->data + to, " \t\r")] == '\n')
		from = line - 1;
	else if (!is_own_line && part->before != NOWHERE)
		from = line;
	out->at = from;
	if (part->before != NOWHERE) {
		const size_t comma = skip_gap(text, part->before);

		out->at = comma;
		w_buf_add(&out->now, text->data + comma + 1, from - comma - 1);
	}
	out->was_len = to - out->at;
}

static writ_status
settings_json_drop(const struct w_buf *text,
    const struct w_client_settings_value *value,
    struct w_client_settings_splice *out, writ_error *err)
{
	struct settings_walk walk;

	if (settings_json_is_empty(text))
		return WRIT_OK;
	writ_status status = settings_json_walk(text, value, &walk, err);
	if (status == WRIT_OK && walk.is_found)
		settings_json_cut(text, &walk.part, out);
	return status;
}

const struct w_client_settings_editor w_client_settings_json = {
    .find = settings_json_find,
    .put = settings_json_put,
    .drop = settings_json_drop,
};
