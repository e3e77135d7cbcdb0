/* SPDX-License-Identifier: Apache-2.0 */

/* Writes values as JSON, and as the text that replaces an expression. */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/encode.h"
#include "data/json.h"
#include "expr/value.h"

/* The fewest digits that read back as the same number. */
static size_t
put_float(char out[W_VALUE_NUMBER_MAX], double number)
{
	int len = 0;

	for (int digits = 15; digits <= 17; digits++) {
		len = snprintf(out, W_VALUE_NUMBER_MAX, "%.*g", digits, number);
		double back = strtod(out, NULL);
		if (!(back < number) && !(back > number))
			break;
	}
	return (size_t)len;
}

size_t
w_value_put_number(char out[W_VALUE_NUMBER_MAX], const struct w_value *value)
{
	int len = 0;

	if (value->kind == W_VALUE_FLOAT)
		return put_float(out, value->as.number);
	if (value->kind == W_VALUE_INT)
		len = snprintf(
		    out, W_VALUE_NUMBER_MAX, "%" PRId64, value->as.integer);
	else if (value->kind == W_VALUE_BOOL)
		len = snprintf(out, W_VALUE_NUMBER_MAX, "%s",
		    value->as.boolean ? "true" : "false");
	return (size_t)len;
}

/* A name stays a string, whatever its bytes. */
static void
value_write_add_name(struct w_buf *buf, const char *name, size_t len)
{
	if (w_utf8_valid(name, len)) {
		w_json_add_string(buf, name, len);
		return;
	}
	w_buf_add_char(buf, '"');
	for (size_t i = 0; i < len; i++)
		w_buf_add_fmt(buf, "\\u%04x", (unsigned char)name[i]);
	w_buf_add_char(buf, '"');
}

static void
value_write_add_list(
    struct w_buf *buf, const struct w_value *value, bool shows_secrets)
{
	w_buf_add_char(buf, '[');
	for (size_t i = 0; i < value->as.list.count; i++) {
		if (i > 0)
			w_buf_add_char(buf, ',');
		w_value_add_json(buf, &value->as.list.items[i], shows_secrets);
	}
	w_buf_add_char(buf, ']');
}

static void
value_write_add_map(
    struct w_buf *buf, const struct w_value *value, bool shows_secrets)
{
	w_buf_add_char(buf, '{');
	for (size_t i = 0; i < value->as.map.count; i++) {
		const struct w_value_member *member = &value->as.map.members[i];

		if (i > 0)
			w_buf_add_char(buf, ',');
		value_write_add_name(buf, member->name, member->len);
		w_buf_add_char(buf, ':');
		w_value_add_json(buf, &member->value, shows_secrets);
	}
	w_buf_add_char(buf, '}');
}

static void
value_write_add_scalar(struct w_buf *buf, const struct w_value *value)
{
	char number[W_VALUE_NUMBER_MAX];
	size_t len = w_value_put_number(number, value);

	if (len == 0)
		w_buf_add_str(buf, "null");
	w_buf_add(buf, number, len);
	/* 1.0 stays a floating-point number for readers. */
	if (value->kind == W_VALUE_FLOAT && strpbrk(number, ".e") == NULL)
		w_buf_add_str(buf, ".0");
}

void
w_value_add_json(
    struct w_buf *buf, const struct w_value *value, bool shows_secrets)
{
	if (value->is_secret && !shows_secrets)
		w_buf_add_str(buf, "\"" W_VALUE_HIDDEN "\"");
	else if (value->kind == W_VALUE_STRING &&
		 !w_utf8_valid(value->as.string.text, value->as.string.len))
		/* Files and environments may contain any bytes. */
		w_json_add_bytes(
		    buf, value->as.string.text, value->as.string.len);
	else if (value->kind == W_VALUE_STRING)
		w_json_add_string(
		    buf, value->as.string.text, value->as.string.len);
	else if (value->kind == W_VALUE_LIST)
		value_write_add_list(buf, value, shows_secrets);
	else if (value->kind == W_VALUE_MAP)
		value_write_add_map(buf, value, shows_secrets);
	else
		value_write_add_scalar(buf, value);
}

void
w_value_add_text(struct w_buf *buf, const struct w_value *value)
{
	char number[W_VALUE_NUMBER_MAX];

	if (value->kind == W_VALUE_STRING)
		w_buf_add(buf, value->as.string.text, value->as.string.len);
	else if (value->kind == W_VALUE_LIST || value->kind == W_VALUE_MAP)
		w_value_add_json(buf, value, true);
	else
		w_buf_add(buf, number, w_value_put_number(number, value));
}
