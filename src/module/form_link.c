/* SPDX-License-Identifier: Apache-2.0 */

/* What the properties of a form say about each other. */

#include <stdlib.h>

#include "base/match.h"
#include "base/size.h"
#include "module/form_param.h"

#define STAGE "binding"

static writ_status
refuse_key(struct w_form_maker *maker, const struct w_param *param,
    yyjson_val *key, const char *keyword)
{
	const char *name = unsafe_yyjson_get_str(key);

	maker->at = key;
	(void)w_fail(maker->err, WRIT_E_INVALID, STAGE, 0,
	    "property '%.64s': %s names '%.64s', which is no property",
	    param->key, keyword, name);

	const char *near = w_form_nearest(maker->form, name);
	w_match_suggest(near, maker->err);
	return WRIT_E_INVALID;
}

/* The room is always a power of two, so that the count alone says when it is
 * used up. */
static bool
push(size_t **list, size_t *count, size_t place)
{
	size_t size;

	if ((*count & (*count - 1)) == 0) {
		if (!w_size_mul(
			*count > 0 ? *count * 2 : 1, sizeof(**list), &size))
			return false;
		size_t *grown = realloc(*list, size);
		if (grown == NULL)
			return false;
		*list = grown;
	}
	(*list)[(*count)++] = place;
	return true;
}

static int
by_value(const void *left, const void *right)
{
	size_t a = *(const size_t *)left;
	size_t b = *(const size_t *)right;

	return (a > b) - (a < b);
}

static void
sort_once(size_t *list, size_t *count)
{
	size_t kept = 0;

	if (*count == 0)
		return;
	qsort(list, *count, sizeof(*list), by_value);
	for (size_t i = 1; i < *count; i++) {
		if (list[i] != list[kept])
			list[++kept] = list[i];
	}
	*count = kept + 1;
}

/* The parameter that a key in a list of keys names; NULL with the error. */
static struct w_param *
other(struct w_form_maker *maker, const struct w_param *param, yyjson_val *key,
    const char *keyword)
{
	const struct w_param *found =
	    w_form_find(maker->form, yyjson_get_str(key), yyjson_get_len(key));

	if (found == NULL) {
		(void)refuse_key(maker, param, key, keyword);
		return NULL;
	}
	if (found == param) {
		maker->at = key;
		(void)w_fail(maker->err, WRIT_E_INVALID, STAGE, 0,
		    "property '%.64s': %s names itself", param->key, keyword);
		return NULL;
	}
	return &maker->form->params[found - maker->form->params];
}

bool
w_form_note_conflict(
    struct w_param *param, struct w_param *peer, const struct w_form *form)
{
	return push(&param->conflicts, &param->conflict_count,
		   (size_t)(peer - form->params)) &&
	       push(&peer->conflicts, &peer->conflict_count,
		   (size_t)(param - form->params));
}

bool
w_form_note_need(
    struct w_param *param, struct w_param *peer, const struct w_form *form)
{
	return push(&param->requires, &param->require_count,
	    (size_t)(peer - form->params));
}

/* Notes the parameters that a keyword of one lists. */
static writ_status
link_peers(struct w_form_maker *maker, struct w_param *param,
    const char *keyword,
    bool (*note)(
	struct w_param *param, struct w_param *peer, const struct w_form *form))
{
	size_t i;
	size_t count;
	yyjson_val *key;

	yyjson_arr_foreach(
	    yyjson_obj_get(param->schema, keyword), i, count, key)
	{
		struct w_param *peer = other(maker, param, key, keyword);

		if (peer == NULL)
			return WRIT_E_INVALID;
		if (!note(param, peer, maker->form))
			return w_fail_nomem(maker->err, STAGE);
	}
	return WRIT_OK;
}

/* Members that the schema of a sequence lists must be parameters. */
static writ_status
check_sequence(struct w_form_maker *maker, const struct w_param *param)
{
	yyjson_val *items = yyjson_obj_get(param->schema, "items");
	yyjson_val *members = yyjson_obj_get(items, "properties");
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *val;

	if (param->kind != W_PARAM_SEQUENCE || members == NULL)
		return WRIT_OK;
	yyjson_obj_foreach(members, i, count, key, val)
	{
		const struct w_param *member =
		    other(maker, param, key, "a step of the sequence");

		if (member == NULL)
			return WRIT_E_INVALID;
		if (member->kind != W_PARAM_SEQUENCE)
			continue;
		maker->at = key;
		return w_fail(maker->err, WRIT_E_INVALID, STAGE, 0,
		    "property '%.64s': a sequence cannot have another in it",
		    param->key);
	}
	return WRIT_OK;
}

/* What a closed schema requires but does not list, no input can have. */
static writ_status
check_required(struct w_form_maker *maker)
{
	yyjson_val *list = yyjson_obj_get(maker->schema, "required");
	size_t i;
	size_t count;
	yyjson_val *key;

	if (maker->form->is_open ||
	    yyjson_obj_get(maker->schema, "patternProperties") != NULL)
		return WRIT_OK;
	yyjson_arr_foreach(list, i, count, key)
	{
		if (!yyjson_is_str(key) ||
		    w_form_find(maker->form, yyjson_get_str(key),
			yyjson_get_len(key)) != NULL)
			continue;
		maker->at = key;
		(void)w_fail(maker->err, WRIT_E_INVALID, STAGE, 0,
		    "required names '%.64s', which is no property",
		    yyjson_get_str(key));
		const char *near =
		    w_form_nearest(maker->form, yyjson_get_str(key));
		w_match_suggest(near, maker->err);
		return WRIT_E_INVALID;
	}
	return WRIT_OK;
}

/* Both sides may have said it. */
void
w_form_sort_links(struct w_form *form)
{
	for (size_t i = 0; i < form->count; i++) {
		struct w_param *param = &form->params[i];

		sort_once(param->conflicts, &param->conflict_count);
		sort_once(param->requires, &param->require_count);
	}
}

writ_status
w_form_link(struct w_form_maker *maker)
{
	struct w_form *form = maker->form;
	writ_status status = check_required(maker);

	for (size_t i = 0; i < form->count && status == WRIT_OK; i++) {
		struct w_param *param = &form->params[i];

		status = link_peers(maker, param, "x-apexe-conflicts-with",
		    w_form_note_conflict);
		if (status == WRIT_OK)
			status = link_peers(
			    maker, param, "x-writ-requires", w_form_note_need);
		if (status == WRIT_OK)
			status = check_sequence(maker, param);
	}
	w_form_sort_links(form);
	return status;
}
