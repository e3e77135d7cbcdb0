/* SPDX-License-Identifier: Apache-2.0 */

/* Structs to JSON objects and back, by tables of their members. */

#include "data/json_fields.h"

#include <limits.h>
#include <string.h>

#include "data/json_words.h"

#define NAMES_MAX 64

static const void *
pointer_at(const void *at)
{
	const void *pointer;

	memcpy(&pointer, at, sizeof(pointer));
	return pointer;
}

static uint64_t
uint_at(const void *at, size_t size)
{
	switch (size) {
	case sizeof(uint8_t):
		return *(const uint8_t *)at;
	case sizeof(uint16_t):
		return *(const uint16_t *)at;
	case sizeof(uint32_t):
		return *(const uint32_t *)at;
	default:
		return *(const uint64_t *)at;
	}
}

/* ---- writing ---- */

/* Whether a member is NULL, 0, false or "". */
static bool
is_empty(const struct w_json_field *field, const void *at)
{
	switch (field->kind) {
	case W_JSON_CHARS:
		return *(const char *)at == '\0';
	case W_JSON_BOOL:
	case W_JSON_UINT:
	case W_JSON_INT:
	case W_JSON_WORD:
		return uint_at(at, field->size) == 0;
	case W_JSON_STRING:
	case W_JSON_LIST:
	case W_JSON_TEXT:
	case W_JSON_VALUE:
	case W_JSON_POINTER:
	case W_JSON_ARRAY:
		return pointer_at(at) == NULL;
	case W_JSON_OBJECT:
	case W_JSON_ADDED:
		break;
	}
	return false;
}

static void
add_array(struct w_buf *buf, const struct w_json_field *field,
    const void *object, const char *items)
{
	const char *count_at = (const char *)object + field->count_offset;
	const size_t count = (size_t)uint_at(count_at, sizeof(size_t));

	w_buf_add_char(buf, '[');
	for (size_t i = 0; i < count; i++) {
		if (i > 0)
			w_buf_add_char(buf, ',');
		w_json_add_object(
		    buf, field->fields, items + i * field->item_size);
	}
	w_buf_add_char(buf, ']');
}

static void
add_member_value(
    struct w_buf *buf, const struct w_json_field *field, const void *object)
{
	const void *at = (const char *)object + field->offset;

	switch (field->kind) {
	case W_JSON_STRING:
		w_json_add_path(buf, pointer_at(at));
		return;
	case W_JSON_CHARS:
		w_json_add_path(buf, at);
		return;
	case W_JSON_LIST:
		w_json_add_list(buf, pointer_at(at));
		return;
	case W_JSON_BOOL:
		w_buf_add_str(buf, *(const bool *)at ? "true" : "false");
		return;
	case W_JSON_UINT:
		w_json_add_number(buf, uint_at(at, field->size));
		return;
	case W_JSON_INT:
		w_buf_add_fmt(buf, "%d", *(const int *)at);
		return;
	case W_JSON_WORD:
		w_json_add_text(buf, field->words[uint_at(at, field->size)]);
		return;
	case W_JSON_TEXT:
		w_buf_add_str(buf, pointer_at(at));
		return;
	case W_JSON_VALUE:
		w_json_add_value(buf, *(yyjson_val *const *)at);
		return;
	case W_JSON_OBJECT:
		w_json_add_object(buf, field->fields, at);
		return;
	case W_JSON_POINTER:
		w_json_add_object(buf, field->fields, pointer_at(at));
		return;
	case W_JSON_ARRAY:
		add_array(buf, field, object, pointer_at(at));
		return;
	case W_JSON_ADDED:
		field->add(buf, object);
		return;
	}
}

void
w_json_add_fields(
    struct w_buf *buf, const struct w_json_field *fields, const void *object)
{
	for (; fields->key != NULL; fields++) {
		const char *at = (const char *)object + fields->offset;
		const bool is_none = is_empty(fields, at);

		if (is_none && (fields->flags & W_JSON_OMIT_EMPTY) != 0)
			continue;
		w_json_add_name(buf, fields->key);
		if (is_none && ((fields->flags & W_JSON_ZERO_NULL) != 0 ||
				   fields->kind == W_JSON_TEXT ||
				   fields->kind == W_JSON_POINTER))
			w_buf_add_str(buf, "null");
		else
			add_member_value(buf, fields, object);
	}
}

void
w_json_add_object(
    struct w_buf *buf, const struct w_json_field *fields, const void *object)
{
	w_buf_add_char(buf, '{');
	w_json_add_fields(buf, fields, object);
	w_buf_add_char(buf, '}');
}

void
w_json_add_object_member(struct w_buf *buf, const char *name,
    const struct w_json_field *fields, const void *object)
{
	w_json_add_name(buf, name);
	if (object == NULL)
		w_buf_add_str(buf, "null");
	else
		w_json_add_object(buf, fields, object);
}

/* ---- reading ---- */

static bool
put_uint(void *at, size_t size, uint64_t value)
{
	switch (size) {
	case sizeof(uint8_t):
		*(uint8_t *)at = (uint8_t)value;
		break;
	case sizeof(uint16_t):
		*(uint16_t *)at = (uint16_t)value;
		break;
	case sizeof(uint32_t):
		*(uint32_t *)at = (uint32_t)value;
		break;
	default:
		*(uint64_t *)at = value;
		break;
	}
	return uint_at(at, size) == value;
}

static bool
put_word(const struct w_json_field *field, void *at, yyjson_val *val)
{
	size_t i = 0;

	while (
	    field->words[i] != NULL && !yyjson_equals_str(val, field->words[i]))
		i++;
	return field->words[i] != NULL && put_uint(at, field->size, i);
}

static bool
put_string(const struct w_json_field *field, void *at, yyjson_val *val)
{
	const char *text = yyjson_get_str(val);

	if (yyjson_is_null(val) ? (field->flags & W_JSON_NOT_NULL) != 0
				: !w_json_is_text(val))
		return false;
	memcpy(at, &text, sizeof(text));
	return true;
}

static bool
put_chars(const struct w_json_field *field, void *at, yyjson_val *val)
{
	if (!w_json_is_text(val) || yyjson_get_len(val) >= field->size)
		return false;
	memcpy(at, yyjson_get_str(val), yyjson_get_len(val) + 1);
	return true;
}

/* What a value must be, or NULL if it is and has been stored. */
static const char *
put_value(const struct w_json_field *field, void *at, yyjson_val *val)
{
	switch (field->kind) {
	case W_JSON_STRING:
		return put_string(field, at, val) ? NULL : "text";
	case W_JSON_CHARS:
		return put_chars(field, at, val) ? NULL : "a short text";
	case W_JSON_BOOL:
		*(bool *)at = yyjson_get_bool(val);
		return yyjson_is_bool(val) ? NULL : "true or false";
	case W_JSON_UINT:
		return yyjson_is_uint(val) &&
			       put_uint(at, field->size, yyjson_get_uint(val))
			   ? NULL
			   : "a number in range";
	case W_JSON_INT:
		*(int *)at = yyjson_get_int(val);
		return yyjson_is_int(val) && yyjson_get_sint(val) <= INT_MAX &&
			       yyjson_get_sint(val) >= INT_MIN
			   ? NULL
			   : "a number in range";
	case W_JSON_WORD:
		return put_word(field, at, val) ? NULL : "one of its words";
	case W_JSON_VALUE:
		memcpy(at, &val, sizeof(val));
		return NULL;
	case W_JSON_OBJECT:
		return "a map";
	case W_JSON_LIST:
	case W_JSON_TEXT:
	case W_JSON_POINTER:
	case W_JSON_ARRAY:
	case W_JSON_ADDED:
		break;
	}
	return "left out"; /* these are only written */
}

static writ_status
refuse_unknown(const struct w_json_object_reader *reader,
    const struct w_json_field *fields, yyjson_val *map, yyjson_val **out_at,
    writ_error *err)
{
	const char *names[NAMES_MAX + 1] = {NULL};
	yyjson_obj_iter iter = yyjson_obj_iter_with(map);
	yyjson_val *key;

	for (size_t i = 0; i < NAMES_MAX && fields[i].key != NULL; i++)
		names[i] = fields[i].key;
	while ((key = yyjson_obj_iter_next(&iter)) != NULL) {
		size_t i = 0;

		while (names[i] != NULL && !yyjson_equals_str(key, names[i]))
			i++;
		if (names[i] != NULL)
			continue;
		*out_at = key;
		return w_json_unknown_key(
		    key, reader->what, names, reader->stage, err);
	}
	return WRIT_OK;
}

static writ_status
get_field(const struct w_json_object_reader *reader,
    const struct w_json_field *field, yyjson_val *map, void *object,
    yyjson_val **out_at, writ_error *err)
{
	yyjson_val *val = yyjson_obj_get(map, field->key);
	void *at = (char *)object + field->offset;

	if (val == NULL &&
	    (field->flags & (W_JSON_OMIT_EMPTY | W_JSON_MAY_MISS)) != 0)
		return WRIT_OK;
	if (val == NULL) {
		*out_at = map;
		return w_fail(err, WRIT_E_INVALID, reader->stage, 0,
		    "'%s' is missing", field->key);
	}
	if (field->kind == W_JSON_OBJECT && yyjson_is_obj(val))
		return w_json_get_fields(
		    reader, field->fields, val, at, out_at, err);
	const char *wanted = put_value(field, at, val);
	if (wanted == NULL)
		return WRIT_OK;
	*out_at = val;
	return w_fail(err, WRIT_E_INVALID, reader->stage, 0,
	    "%s must be %s, not %s", field->key, wanted,
	    w_json_type_words(val));
}

writ_status
w_json_get_fields(const struct w_json_object_reader *reader,
    const struct w_json_field *fields, yyjson_val *map, void *object,
    yyjson_val **out_at, writ_error *err)
{
	yyjson_val *ignored = NULL;
	yyjson_val **at = out_at == NULL ? &ignored : out_at;
	writ_status status = WRIT_OK;

	if (!reader->may_have_others)
		status = refuse_unknown(reader, fields, map, at, err);
	for (; status == WRIT_OK && fields->key != NULL; fields++)
		status = get_field(reader, fields, map, object, at, err);
	return status;
}
