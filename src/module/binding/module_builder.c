/* SPDX-License-Identifier: Apache-2.0 */

/* Members of an element: type checks and their error messages. */

#include "module/binding/module_builder.h"

#include <stdio.h>
#include <string.h>

#include "base/match.h"
#include "data/json_words.h"

yyjson_val *
w_module_builder_get(yyjson_val *map, const char *name)
{
	yyjson_val *val = yyjson_obj_get(map, name);

	return yyjson_is_null(val) ? NULL : val;
}

static bool
module_builder_is_among(yyjson_val *key, const char *const *names)
{
	while (*names != NULL && !yyjson_equals_str(key, *names))
		names++;
	return *names != NULL;
}

writ_status
w_module_builder_keys(struct w_module_builder *builder, yyjson_val *map,
    const char *const *names, bool may_extend, writ_error *err)
{
	yyjson_obj_iter iter = yyjson_obj_iter_with(map);
	yyjson_val *key;

	while ((key = yyjson_obj_iter_next(&iter)) != NULL) {
		if (module_builder_is_among(key, names))
			continue;
		if (may_extend && strncmp(yyjson_get_str(key), "x-", 2) == 0)
			continue;
		builder->at = key;
		return w_json_unknown_key(
		    key, "key", names, W_MODULE_STAGE, err);
	}
	return WRIT_OK;
}

writ_status
w_module_builder_refuse_type(struct w_module_builder *builder, const char *name,
    const char *wanted, yyjson_val *val, writ_error *err)
{
	builder->at = val;
	(void)w_fail(err, WRIT_E_INVALID, W_MODULE_STAGE, 0,
	    "%s must be %s, not %s", name, wanted, w_json_type_words(val));
	if (strcmp(wanted, "text") == 0 &&
	    (yyjson_is_num(val) || yyjson_is_bool(val)))
		w_suggest(err, "put it into quotes");
	return WRIT_E_INVALID;
}

static writ_status
module_builder_check_text(struct w_module_builder *builder, const char *name,
    yyjson_val *val, writ_error *err)
{
	if (!yyjson_is_str(val))
		return w_module_builder_refuse_type(
		    builder, name, "text", val, err);
	if (w_json_is_text(val))
		return WRIT_OK;
	builder->at = val;
	return w_fail(err, WRIT_E_INVALID, W_MODULE_STAGE, 0,
	    "%s contains a NUL byte", name);
}

writ_status
w_module_builder_text(struct w_module_builder *builder, yyjson_val *map,
    const char *name, const char **out_text, writ_error *err)
{
	yyjson_val *val = w_module_builder_get(map, name);
	writ_status status = WRIT_OK;

	if (val != NULL)
		status = module_builder_check_text(builder, name, val, err);
	if (status == WRIT_OK)
		*out_text = yyjson_get_str(val);
	return status;
}

writ_status
w_module_builder_map(struct w_module_builder *builder, yyjson_val *map,
    const char *name, yyjson_val **out_val, writ_error *err)
{
	yyjson_val *val = w_module_builder_get(map, name);

	if (val != NULL && !yyjson_is_obj(val))
		return w_module_builder_refuse_type(
		    builder, name, "a map", val, err);
	*out_val = val;
	return WRIT_OK;
}

writ_status
w_module_builder_list(struct w_module_builder *builder, yyjson_val *map,
    const char *name, yyjson_val **out_val, writ_error *err)
{
	yyjson_val *val = w_module_builder_get(map, name);

	if (val != NULL && !yyjson_is_arr(val)) {
		(void)w_module_builder_refuse_type(
		    builder, name, "a list", val, err);
		w_suggest(err, "write it as a list: [ ... ]");
		return WRIT_E_INVALID;
	}
	*out_val = val;
	return WRIT_OK;
}

writ_status
w_module_builder_texts(struct w_module_builder *builder, yyjson_val *map,
    const char *name, yyjson_val **out_val, writ_error *err)
{
	yyjson_val *list = NULL;
	size_t i;
	size_t count;
	yyjson_val *item;
	writ_status status =
	    w_module_builder_list(builder, map, name, &list, err);

	if (status != WRIT_OK)
		return status;
	yyjson_arr_foreach(list, i, count, item)
	{
		char what[64];

		(void)snprintf(what, sizeof(what), "%s[%zu]", name, i);
		status = module_builder_check_text(builder, what, item, err);
		if (status != WRIT_OK)
			return status;
	}
	*out_val = list;
	return WRIT_OK;
}

writ_status
w_module_builder_word(struct w_module_builder *builder, yyjson_val *map,
    const char *name, const char *const *words, int *out_place, writ_error *err)
{
	const char *text = NULL;
	char list[120] = "";
	writ_status status =
	    w_module_builder_text(builder, map, name, &text, err);

	if (status != WRIT_OK || text == NULL)
		return status;
	for (int i = 0; words[i] != NULL; i++) {
		size_t used = strlen(list);

		if (strcmp(text, words[i]) == 0) {
			*out_place = i;
			return WRIT_OK;
		}
		(void)snprintf(list + used, sizeof(list) - used, "%s%s",
		    i > 0 ? ", " : "", words[i]);
	}
	const char *nearest = w_match_nearest(text, words);
	builder->at = w_module_builder_get(map, name);
	(void)w_fail(err, WRIT_E_INVALID, W_MODULE_STAGE, 0,
	    "%s is '%s'; it can be: %s", name, text, list);
	w_match_suggest(nearest, err);
	return WRIT_E_INVALID;
}

writ_status
w_module_builder_switch(struct w_module_builder *builder, yyjson_val *map,
    const char *name, bool *out_is, writ_error *err)
{
	yyjson_val *val = w_module_builder_get(map, name);

	if (val == NULL)
		return WRIT_OK;
	if (!yyjson_is_bool(val))
		return w_module_builder_refuse_type(
		    builder, name, "true or false", val, err);
	*out_is = yyjson_is_true(val);
	return WRIT_OK;
}
