/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Writes YAML in block style.
 *
 * A value is appended after what is on its line already ("key:", "-"); one that
 * needs lines of its own begins them. So the first member of a map in a list
 * follows the dash, and everything else starts a line.
 */

#include "data/yaml_write.h"

#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "data/yaml.h"
#include "data/yaml_string.h"

#define STEP 2

/* What precedes a value on its line. */
enum behind {
	BEHIND_NOTHING,
	BEHIND_KEY,
	BEHIND_DASH,
};

struct yaml_write_spot {
	size_t column; /* of the keys or dashes, or of the lines of a text */
	enum behind behind;
	size_t depth;
};

static void yaml_write_add_value(
    struct w_buf *buf, yyjson_val *val, const struct yaml_write_spot *spot);

static void
yaml_write_indent(struct w_buf *buf, size_t column)
{
	w_buf_add_fmt(buf, "%*s", (int)column, "");
}

static void
yaml_write_add_number(struct w_buf *buf, yyjson_val *val)
{
	size_t len = 0;
	W_AUTO_FREE char *text =
	    yyjson_val_write(val, YYJSON_WRITE_NOFLAG, &len);

	if (text == NULL) {
		buf->failed = true;
		return;
	}
	/* YAML 1.1 readers need a point and a sign in "1e5". */
	const char *exponent = yyjson_is_real(val) ? strchr(text, 'e') : NULL;
	size_t before = exponent != NULL ? (size_t)(exponent - text) : len;
	w_buf_add(buf, text, before);
	if (exponent == NULL)
		return;
	if (memchr(text, '.', before) == NULL)
		w_buf_add_str(buf, ".0");
	w_buf_add_str(buf, strchr("+-", exponent[1]) != NULL ? "e" : "e+");
	w_buf_add_str(buf, exponent + 1);
}

static void
yaml_write_add_scalar(
    struct w_buf *buf, yyjson_val *val, const struct yaml_write_spot *spot)
{
	if (spot->behind != BEHIND_NOTHING)
		w_buf_add_char(buf, ' ');
	if (yyjson_is_str(val))
		w_yaml_add_string(buf, yyjson_get_str(val), yyjson_get_len(val),
		    spot->column);
	else if (yyjson_is_arr(val))
		w_buf_add_str(buf, "[]");
	else if (yyjson_is_obj(val))
		w_buf_add_str(buf, "{}");
	else
		yaml_write_add_number(buf, val);
	w_buf_add_char(buf, '\n');
}

static void
yaml_write_add_member(struct w_buf *buf, yyjson_val *key, yyjson_val *val,
    const struct yaml_write_spot *spot)
{
	/* A list may be at the indentation of its key; all else is further
	 * in. */
	const bool is_list = yyjson_is_arr(val);
	const struct yaml_write_spot inside = {
	    .column = spot->column + (is_list ? 0 : STEP),
	    .behind = BEHIND_KEY,
	    .depth = spot->depth};

	if (!w_yaml_add_key(buf, yyjson_get_str(key), yyjson_get_len(key))) {
		w_buf_add_char(buf, '\n');
		yaml_write_indent(buf, spot->column);
	}
	w_buf_add_char(buf, ':');
	yaml_write_add_value(buf, val, &inside);
}

/* Begins the line of a member or an element; the first one after a dash is on
 * its line already. */
static void
begin_line(struct w_buf *buf, const struct yaml_write_spot *spot, size_t place)
{
	if (place > 0 || spot->behind == BEHIND_KEY)
		yaml_write_indent(buf, spot->column);
	else if (spot->behind == BEHIND_DASH)
		w_buf_add_char(buf, ' ');
}

static void
yaml_write_add_map(
    struct w_buf *buf, yyjson_val *map, const struct yaml_write_spot *spot)
{
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *val;

	if (spot->behind == BEHIND_KEY)
		w_buf_add_char(buf, '\n');
	yyjson_obj_foreach(map, i, count, key, val)
	{
		begin_line(buf, spot, i);
		yaml_write_add_member(buf, key, val, spot);
	}
}

static void
yaml_write_add_list(
    struct w_buf *buf, yyjson_val *list, const struct yaml_write_spot *spot)
{
	const struct yaml_write_spot inside = {.column = spot->column + STEP,
	    .behind = BEHIND_DASH,
	    .depth = spot->depth};
	size_t i;
	size_t count;
	yyjson_val *item;

	if (spot->behind == BEHIND_KEY)
		w_buf_add_char(buf, '\n');
	yyjson_arr_foreach(list, i, count, item)
	{
		begin_line(buf, spot, i);
		w_buf_add_char(buf, '-');
		yaml_write_add_value(buf, item, &inside);
	}
}

/* Recursion is bounded by the depth that a reader allows. */
static void
yaml_write_add_value(
    struct w_buf *buf, yyjson_val *val, const struct yaml_write_spot *spot)
{
	struct yaml_write_spot inside = *spot;

	inside.depth++;
	if (!yyjson_is_ctn(val) || yyjson_get_len(val) == 0)
		yaml_write_add_scalar(buf, val, spot);
	else if (inside.depth > W_YAML_DEPTH_MAX)
		buf->failed = true;
	else if (yyjson_is_arr(val))
		yaml_write_add_list(buf, val, &inside);
	else
		yaml_write_add_map(buf, val, &inside);
}

void
w_yaml_add_member(
    struct w_buf *buf, yyjson_val *key, yyjson_val *val, size_t column)
{
	const struct yaml_write_spot spot = {.column = column};

	yaml_write_add_member(buf, key, val, &spot);
}

void
w_yaml_add(struct w_buf *buf, yyjson_val *root)
{
	const struct yaml_write_spot spot = {.column = 0};

	yaml_write_add_value(buf, root, &spot);
}
