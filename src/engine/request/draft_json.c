/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Reads a request from a JSON document. The draft keeps the document and points
 * into it, so a large stdin is not copied again.
 *
 * Errors have a location: of the string or key at fault, else of the key that
 * the value belongs to.
 */

#include "engine/request/draft_json.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "data/json.h"
#include "data/json_words.h"

#define DEPTH_MAX 32
#define ID_MAX    4294967294U /* the highest user id; the next one means none */
#define WHAT_MAX  64

static void
release_json(void *json)
{
	w_json_free(json);
}

static writ_status
read_list_items(
    struct w_draft_reader *reader, yyjson_val *list, writ_error *err)
{
	yyjson_arr_iter iter = yyjson_arr_iter_with(list);
	yyjson_val *item;

	for (size_t i = 0; (item = yyjson_arr_iter_next(&iter)) != NULL; i++) {
		const char *text = yyjson_get_str(item);

		reader->at = item;
		if (!w_json_is_text(item)) {
			char what[WHAT_MAX];

			(void)snprintf(what, sizeof(what), "%s[%zu]",
			    reader->field->name, i);
			return w_draft_json_text(what, item, &text, err);
		}
		writ_status status =
		    w_draft_check_item(reader->field, i, text, err);
		if (status == WRIT_OK)
			status = w_draft_push(
			    reader->next, reader->field, text, err);
		if (status != WRIT_OK)
			return status;
	}
	return WRIT_OK;
}

/* Copies the old elements; the draft already keeps their strings. */
static writ_status
read_old_items(struct w_draft_reader *reader, writ_error *err)
{
	const char *const *old;

	memcpy(&old,
	    (const char *)&reader->next->request + reader->field->offset,
	    sizeof(old));
	for (size_t i = 0; old != NULL && old[i] != NULL; i++) {
		writ_status status =
		    w_draft_push(reader->next, reader->field, old[i], err);

		if (status != WRIT_OK)
			return status;
	}
	return WRIT_OK;
}

static writ_status
draft_json_read_list(
    struct w_draft_reader *reader, yyjson_val *val, writ_error *err)
{
	const struct w_draft_field *field = reader->field;
	size_t count = yyjson_arr_size(val);

	if (!yyjson_is_arr(val))
		return w_draft_fail_type(
		    field->name, "a list of strings", val, err);
	if (count == 0 && (field->flags & W_FIELD_NEEDS_ONE) != 0)
		return w_fail(err, WRIT_E_INVALID, "request", 0,
		    "%s must not be empty", field->name);
	writ_status status = WRIT_OK;
	if ((field->flags & W_FIELD_GROWS) != 0)
		status = read_old_items(reader, err);
	if (status == WRIT_OK)
		status = w_draft_reserve(reader->next, field, count, err);
	if (status != WRIT_OK)
		return status;
	return read_list_items(reader, val, err);
}

static writ_status
read_id(struct w_draft_reader *reader, yyjson_val *val, writ_error *err)
{
	const char *copy;
	char text[24];

	if (!yyjson_is_uint(val) || yyjson_get_uint(val) > ID_MAX)
		return w_fail(err, WRIT_E_INVALID, "request", 0,
		    "%s: expected a name or a whole number from 0 to %u",
		    reader->field->name, ID_MAX);
	(void)snprintf(text, sizeof(text), "%" PRIu64, yyjson_get_uint(val));
	writ_status status = w_draft_copy(reader->next, text, &copy, err);
	if (status != WRIT_OK)
		return status;
	return w_draft_put_string(reader->next, reader->field, copy, err);
}

/* A string, a word or a mode. */
static writ_status
draft_json_read_text(
    struct w_draft_reader *reader, yyjson_val *val, writ_error *err)
{
	const struct w_draft_field *field = reader->field;
	const char *text;

	if ((field->flags & W_FIELD_ID) != 0 && yyjson_is_num(val))
		return read_id(reader, val, err);
	writ_status status = w_draft_json_text(field->name, val, &text, err);
	if (status != WRIT_OK)
		return status;
	if (field->kind == W_KIND_WORD)
		return w_draft_put_word(reader->next, field, text, err);
	if (field->kind == W_KIND_MODE)
		return w_draft_put_mode(reader->next, field, text, err);
	return w_draft_put_string(reader->next, field, text, err);
}

static writ_status
draft_json_read_value(
    struct w_draft_reader *reader, yyjson_val *val, writ_error *err)
{
	switch (reader->field->kind) {
	case W_KIND_LIST:
		return draft_json_read_list(reader, val, err);
	case W_KIND_MAP:
		return w_draft_json_map(reader, val, err);
	case W_KIND_BYTES:
		return w_draft_json_bytes(reader, val, err);
	case W_KIND_DURATION:
	case W_KIND_SIZE:
	case W_KIND_COUNT:
	case W_KIND_INTEGER:
		return w_draft_json_number(reader, val, err);
	case W_KIND_SWITCH:
		if (!yyjson_is_bool(val))
			return w_draft_fail_type(
			    reader->field->name, "true or false", val, err);
		w_draft_put_switch(
		    reader->next, reader->field, yyjson_is_true(val));
		return WRIT_OK;
	case W_KIND_STRING:
	case W_KIND_MODE:
	case W_KIND_WORD:
		break;
	}
	return draft_json_read_text(reader, val, err);
}

/* Two keys that set the same thing cannot be given together. */
static writ_status
check_alone(struct w_draft_reader *reader, writ_error *err)
{
	size_t count;
	const struct w_draft_field *fields = w_draft_fields(&count);
	const char *excludes = reader->field->excludes;

	for (size_t i = 0; excludes != NULL && i < count; i++) {
		if ((reader->seen >> i & 1) == 0 ||
		    strcmp(fields[i].name, excludes) != 0)
			continue;
		return w_fail(err, WRIT_E_INVALID, "request", 0,
		    "'%s' and '%s' cannot be given together", excludes,
		    reader->field->name);
	}
	reader->seen |= UINT64_C(1) << (reader->field - fields);
	return WRIT_OK;
}

static writ_status
draft_json_read_member(
    struct w_draft_reader *reader, yyjson_val *key, writ_error *err)
{
	yyjson_val *val = yyjson_obj_iter_get_val(key);

	reader->at = key;
	reader->field =
	    w_draft_field_find(yyjson_get_str(key), yyjson_get_len(key), err);
	if (reader->field == NULL)
		return WRIT_E_INVALID;
	writ_status status = check_alone(reader, err);
	if (status != WRIT_OK)
		return status;
	if (yyjson_is_str(val))
		reader->at = val;
	return draft_json_read_value(reader, val, err);
}

static writ_status
draft_json_read_document(struct w_draft_reader *reader, writ_error *err)
{
	yyjson_val *root = w_json_root(reader->json);
	yyjson_obj_iter iter = yyjson_obj_iter_with(root);
	yyjson_val *key;
	unsigned line;
	unsigned column;

	if (!yyjson_is_obj(root))
		return w_draft_fail_type(
		    "the request", "a JSON object", root, err);
	while ((key = yyjson_obj_iter_next(&iter)) != NULL) {
		writ_status status = draft_json_read_member(reader, key, err);

		if (status == WRIT_OK)
			continue;
		/* Only keys and strings have a location of their own. */
		if (w_json_place(reader->json, reader->at, &line, &column) ||
		    w_json_place(reader->json, key, &line, &column))
			w_locate(err, line, column);
		return status;
	}
	return WRIT_OK;
}

writ_status
w_draft_read_json(
    struct writ_draft *next, const char *text, size_t len, writ_error *err)
{
	const struct w_json_limits limits = {WRIT_REQUEST_MAX, DEPTH_MAX};
	struct w_draft_reader reader = {.next = next};
	writ_status status = w_json_read(text, len, &limits, &reader.json, err);

	if (status != WRIT_OK)
		return status;
	status = w_draft_keep(next, reader.json, release_json, err);
	if (status != WRIT_OK)
		return status;
	status = draft_json_read_document(&reader, err);
	/* Its values are kept, and errors have been located. */
	if (status == WRIT_OK)
		w_json_forget_text(reader.json);
	return status;
}
