/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The form of a command line as a whole: its parameters, how a key finds its
 * own, and in which order they stand.
 */

#include "module/form.h"

#include <stdlib.h>

#include "base/match.h"
#include "module/form_keyword.h"
#include "module/form_param.h"
#include "module/form_secret.h"

#define STAGE "binding"

static bool
make_lookup(struct w_form *form)
{
	for (size_t i = 0; i < form->count; i++) {
		struct w_param *param = &form->params[i];

		if (!w_lookup_put(
			&form->lookup, param->key, param->key_len, param))
			return false;
	}
	return true;
}

const struct w_param *
w_form_find(const struct w_form *form, const char *key, size_t len)
{
	return w_lookup_get(&form->lookup, key, len);
}

const char *
w_form_nearest(const struct w_form *form, const char *key)
{
	const char **keys = calloc(form->count + 1, sizeof(*keys));

	/* A suggestion is a courtesy: without memory there is none. */
	if (keys == NULL)
		return NULL;
	for (size_t i = 0; i < form->count; i++)
		keys[i] = form->params[i].key;

	const char *near = w_match_nearest(key, keys);
	free(keys);
	return near;
}

/* As on the command line; what stands in one slot keeps the order of the
 * schema, except operands, which have an index. */
static int
by_position(const void *left, const void *right)
{
	const struct w_param *a = *(const struct w_param *const *)left;
	const struct w_param *b = *(const struct w_param *const *)right;

	if (a->slot != b->slot)
		return a->slot < b->slot ? -1 : 1;
	if (a->index != b->index)
		return a->index < b->index ? -1 : 1;
	return (a > b) - (a < b);
}

static int
by_index(const void *left, const void *right)
{
	const struct w_param *a = *(const struct w_param *const *)left;
	const struct w_param *b = *(const struct w_param *const *)right;

	if (a->index != b->index)
		return a->index < b->index ? -1 : 1;
	return (a > b) - (a < b);
}

static size_t *
places_of(
    const struct w_form *form, const struct w_param **sorted, size_t count)
{
	size_t *places = calloc(count + 1, sizeof(*places));

	for (size_t i = 0; places != NULL && i < count; i++)
		places[i] = (size_t)(sorted[i] - form->params);
	return places;
}

static writ_status
refuse_twins(struct w_form_maker *maker)
{
	const struct w_form *form = maker->form;

	for (size_t i = 1; i < form->operand_count; i++) {
		const struct w_param *a = &form->params[form->operands[i - 1]];
		const struct w_param *b = &form->params[form->operands[i]];

		if (a->index != b->index)
			continue;
		maker->at = yyjson_obj_get(b->schema, "x-apexe-positional");
		return w_fail(maker->err, WRIT_E_INVALID, STAGE, 0,
		    "properties '%.64s' and '%.64s' are both operand %u",
		    a->key, b->key, a->index);
	}
	return WRIT_OK;
}

bool
w_form_make_order(struct w_form *form)
{
	const struct w_param **sorted =
	    calloc(form->count + 1, sizeof(struct w_param *));

	if (sorted == NULL)
		return false;
	for (size_t i = 0; i < form->count; i++) {
		if (form->params[i].kind == W_PARAM_OPERAND)
			sorted[form->operand_count++] = &form->params[i];
	}
	qsort(sorted, form->operand_count, sizeof(struct w_param *), by_index);
	form->operands = places_of(form, sorted, form->operand_count);

	for (size_t i = 0; i < form->count; i++)
		sorted[i] = &form->params[i];
	qsort(sorted, form->count, sizeof(struct w_param *), by_position);
	form->order = places_of(form, sorted, form->count);
	free((void *)sorted);
	return form->operands != NULL && form->order != NULL;
}

static void
mark_required(struct w_form *form, yyjson_val *list)
{
	size_t i;
	size_t count;
	yyjson_val *key;

	yyjson_arr_foreach(list, i, count, key)
	{
		const struct w_param *param = NULL;

		if (yyjson_is_str(key))
			param = w_form_find(
			    form, yyjson_get_str(key), yyjson_get_len(key));
		if (param != NULL)
			form->params[param - form->params].is_required = true;
	}
}

static writ_status
read_properties(struct w_form_maker *maker)
{
	struct w_form *form = maker->form;
	yyjson_val *properties = yyjson_obj_get(maker->schema, "properties");
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *val;

	maker->at = properties;
	if (properties != NULL && !yyjson_is_obj(properties))
		return w_fail(maker->err, WRIT_E_INVALID, STAGE, 0,
		    "properties of the input_schema is not an object");
	count = yyjson_obj_size(properties);
	if (count > W_FORM_PARAMS_MAX)
		return w_fail(maker->err, WRIT_E_INVALID, STAGE, 0,
		    "the input_schema has %zu properties, the limit is %d",
		    count, W_FORM_PARAMS_MAX);
	form->params = calloc(count + 1, sizeof(*form->params));
	if (form->params == NULL)
		return w_fail_nomem(maker->err, STAGE);
	if (properties == NULL)
		return WRIT_OK;

	yyjson_obj_foreach(properties, i, count, key, val)
	{
		struct w_param *param = &form->params[form->count++];
		writ_status status = w_form_param_read(maker, key, val, param);

		if (status != WRIT_OK)
			return status;
	}
	return WRIT_OK;
}

static writ_status
make(struct w_form_maker *maker)
{
	struct w_form *form = maker->form;
	yyjson_val *schema = maker->schema;

	maker->at = schema;
	if (schema != NULL && !yyjson_is_obj(schema))
		return w_fail(maker->err, WRIT_E_INVALID, STAGE, 0,
		    "the input_schema is not an object");
	form->has_end_of_options =
	    yyjson_is_true(yyjson_obj_get(schema, "x-apexe-end-of-options"));
	form->is_open = schema != NULL && !yyjson_is_false(yyjson_obj_get(
					      schema, "additionalProperties"));

	writ_status status = WRIT_OK;
	if (schema != NULL)
		status = w_form_check_root(maker);
	if (status == WRIT_OK)
		status = read_properties(maker);
	if (status == WRIT_OK)
		w_form_mark_secrets(form, schema);
	if (status == WRIT_OK &&
	    (!make_lookup(form) || !w_form_make_order(form)))
		status = w_fail_nomem(maker->err, STAGE);
	if (status == WRIT_OK)
		status = refuse_twins(maker);
	if (status == WRIT_OK)
		status = w_form_link(maker);
	if (status != WRIT_OK)
		return status;
	mark_required(form, yyjson_obj_get(schema, "required"));
	return w_form_complete(form) ? WRIT_OK
				     : w_fail_nomem(maker->err, STAGE);
}

writ_status
w_form_new(yyjson_val *schema, struct w_form **out_form, yyjson_val **out_at,
    writ_error *err)
{
	struct w_form *form = calloc(1, sizeof(*form));
	struct w_form_maker maker = {
	    .form = form, .schema = schema, .err = err};

	if (form == NULL)
		return w_fail_nomem(err, STAGE);
	form->sequence = W_FORM_NONE;
	form->number = W_FORM_NONE;
	writ_status status = make(&maker);
	if (status != WRIT_OK) {
		if (out_at != NULL)
			*out_at = maker.at;
		w_form_free(form);
		return status;
	}
	*out_form = form;
	return WRIT_OK;
}

void
w_form_set_aside(struct w_form *form, const struct w_param *param)
{
	if (param->kind == W_PARAM_OPTION &&
	    yyjson_obj_get(param->schema, "x-apexe-flag") == NULL)
		form->params[param - form->params].is_aside = true;
}

void
w_form_free(struct w_form *form)
{
	if (form == NULL)
		return;
	for (size_t i = 0; i < form->count; i++) {
		free(form->params[i].flag);
		free(form->params[i].conflicts);
		free(form->params[i].requires);
	}
	free(form->params);
	free(form->operands);
	free(form->order);
	w_lookup_done(&form->lookup);
	w_lookup_done(&form->names);
	w_arena_done(&form->arena);
	free(form);
}
