/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Reads the variables of a JSON request. {"A":"1"} becomes "A=1"; all of them
 * share one block of memory, measured first.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/json_words.h"
#include "engine/request/draft_json.h"

static writ_status
draft_map_check_name(yyjson_val *name, const char **out_text, writ_error *err)
{
	writ_status status =
	    w_draft_json_text("a name in env", name, out_text, err);

	if (status != WRIT_OK)
		return status;
	if (**out_text == '\0')
		return w_fail(err, WRIT_E_INVALID, "request", 0,
		    "a name in env is empty");
	if (strchr(*out_text, '=') != NULL)
		return w_fail(err, WRIT_E_INVALID, "request", 0,
		    "the name '%.*s' in env contains '='", W_DRAFT_SHOWN,
		    *out_text);
	return WRIT_OK;
}

static writ_status
draft_map_check_variable(
    struct w_draft_reader *reader, yyjson_val *name, writ_error *err)
{
	yyjson_val *val = yyjson_obj_iter_get_val(name);
	char what[W_DRAFT_SHOWN];
	const char *text;

	reader->at = name;
	writ_status status = draft_map_check_name(name, &text, err);
	if (status != WRIT_OK)
		return status;
	if (w_json_is_text(val))
		return WRIT_OK;
	if (yyjson_is_str(val))
		reader->at = val;
	(void)snprintf(what, sizeof(what), "env.%s", text);
	return w_draft_json_text(what, val, &text, err);
}

/* Checks the variables and adds up their lengths. */
static writ_status
draft_map_measure(struct w_draft_reader *reader, yyjson_val *map,
    size_t *out_len, writ_error *err)
{
	yyjson_obj_iter iter = yyjson_obj_iter_with(map);
	yyjson_val *name;
	size_t len = 0;

	while ((name = yyjson_obj_iter_next(&iter)) != NULL) {
		yyjson_val *val = yyjson_obj_iter_get_val(name);
		writ_status status =
		    draft_map_check_variable(reader, name, err);

		if (status != WRIT_OK)
			return status;
		/* '=' and NUL; the size of a document is limited, so no
		 * overflow. */
		len += yyjson_get_len(name) + yyjson_get_len(val) + 2;
	}
	*out_len = len;
	return WRIT_OK;
}

static writ_status
push_variables(struct w_draft_reader *reader, yyjson_val *map, char *block,
    size_t room, writ_error *err)
{
	yyjson_obj_iter iter = yyjson_obj_iter_with(map);
	yyjson_val *name;

	while ((name = yyjson_obj_iter_next(&iter)) != NULL) {
		yyjson_val *val = yyjson_obj_iter_get_val(name);
		size_t used = yyjson_get_len(name) + yyjson_get_len(val) + 2;

		(void)snprintf(block, room, "%s=%s", yyjson_get_str(name),
		    yyjson_get_str(val));
		writ_status status =
		    w_draft_push(reader->next, reader->field, block, err);
		if (status != WRIT_OK)
			return status;
		block += used;
		room -= used;
	}
	return WRIT_OK;
}

writ_status
w_draft_json_map(
    struct w_draft_reader *reader, yyjson_val *val, writ_error *err)
{
	size_t len;

	if (!yyjson_is_obj(val))
		return w_draft_fail_type(reader->field->name,
		    "an object of names and strings", val, err);
	writ_status status = draft_map_measure(reader, val, &len, err);
	if (status != WRIT_OK)
		return status;
	status = w_draft_reserve(
	    reader->next, reader->field, yyjson_obj_size(val), err);
	if (status != WRIT_OK || len == 0)
		return status;

	char *block = malloc(len);
	if (block == NULL)
		return w_fail_nomem(err, "request");
	status = w_draft_keep(reader->next, block, free, err);
	if (status != WRIT_OK)
		return status;
	return push_variables(reader, val, block, len, err);
}
