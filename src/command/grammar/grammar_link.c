/* SPDX-License-Identifier: Apache-2.0 */

/* References between the properties of a grammar. */

#include <stdlib.h>

#include "base/match.h"
#include "base/size.h"
#include "command/grammar/grammar_param.h"

#define STAGE "binding"

static writ_status
grammar_link_refuse_key(struct w_grammar_builder *builder,
    const struct w_param *param, yyjson_val *key, const char *keyword)
{
	const char *name = unsafe_yyjson_get_str(key);

	builder->at = key;
	(void)w_fail(builder->err, WRIT_E_INVALID, STAGE, 0,
	    "property '%.64s': %s names '%.64s', which is not a property",
	    param->key, keyword, name);

	const char *near = w_grammar_nearest(builder->grammar, name);
	w_match_suggest(near, builder->err);
	return WRIT_E_INVALID;
}

/* The capacity is always a power of two, so the count alone shows when the list
 * is full. */
static bool
grammar_link_push(size_t **list, size_t *count, size_t place)
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

/* The parameter that a key in a list of keys names; NULL: failed. */
static struct w_param *
other(struct w_grammar_builder *builder, const struct w_param *param,
    yyjson_val *key, const char *keyword)
{
	const struct w_param *found = w_grammar_find(
	    builder->grammar, yyjson_get_str(key), yyjson_get_len(key));

	if (found == NULL) {
		(void)grammar_link_refuse_key(builder, param, key, keyword);
		return NULL;
	}
	if (found == param) {
		builder->at = key;
		(void)w_fail(builder->err, WRIT_E_INVALID, STAGE, 0,
		    "property '%.64s': %s names itself", param->key, keyword);
		return NULL;
	}
	return &builder->grammar->params[found - builder->grammar->params];
}

bool
w_grammar_note_conflict(struct w_param *param, struct w_param *peer,
    const struct w_grammar *grammar)
{
	return grammar_link_push(&param->conflicts, &param->conflict_count,
		   (size_t)(peer - grammar->params)) &&
	       grammar_link_push(&peer->conflicts, &peer->conflict_count,
		   (size_t)(param - grammar->params));
}

bool
w_grammar_note_need(struct w_param *param, struct w_param *peer,
    const struct w_grammar *grammar)
{
	return grammar_link_push(&param->requires, &param->require_count,
	    (size_t)(peer - grammar->params));
}

/* Notes the parameters that one keyword lists. */
static writ_status
link_peers(struct w_grammar_builder *builder, struct w_param *param,
    const char *keyword,
    bool (*note)(struct w_param *param, struct w_param *peer,
	const struct w_grammar *grammar))
{
	size_t i;
	size_t count;
	yyjson_val *key;

	yyjson_arr_foreach(
	    yyjson_obj_get(param->schema, keyword), i, count, key)
	{
		struct w_param *peer = other(builder, param, key, keyword);

		if (peer == NULL)
			return WRIT_E_INVALID;
		if (!note(param, peer, builder->grammar))
			return w_fail_nomem(builder->err, STAGE);
	}
	return WRIT_OK;
}

/* Members listed by the schema of a sequence must be parameters. */
static writ_status
check_sequence(struct w_grammar_builder *builder, const struct w_param *param)
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
		    other(builder, param, key, "a step of the sequence");

		if (member == NULL)
			return WRIT_E_INVALID;
		if (member->kind != W_PARAM_SEQUENCE)
			continue;
		builder->at = key;
		return w_fail(builder->err, WRIT_E_INVALID, STAGE, 0,
		    "property '%.64s': a sequence cannot have another in it",
		    param->key);
	}
	return WRIT_OK;
}

/* No input can have a key that a closed schema requires but does not list. */
static writ_status
check_required(struct w_grammar_builder *builder)
{
	yyjson_val *list = yyjson_obj_get(builder->schema, "required");
	size_t i;
	size_t count;
	yyjson_val *key;

	if (builder->grammar->is_open ||
	    yyjson_obj_get(builder->schema, "patternProperties") != NULL)
		return WRIT_OK;
	yyjson_arr_foreach(list, i, count, key)
	{
		if (!yyjson_is_str(key) ||
		    w_grammar_find(builder->grammar, yyjson_get_str(key),
			yyjson_get_len(key)) != NULL)
			continue;
		builder->at = key;
		(void)w_fail(builder->err, WRIT_E_INVALID, STAGE, 0,
		    "required names '%.64s', which is not a property",
		    yyjson_get_str(key));
		const char *near =
		    w_grammar_nearest(builder->grammar, yyjson_get_str(key));
		w_match_suggest(near, builder->err);
		return WRIT_E_INVALID;
	}
	return WRIT_OK;
}

/* Both sides may list the conflict. */
void
w_grammar_sort_links(struct w_grammar *grammar)
{
	for (size_t i = 0; i < grammar->count; i++) {
		struct w_param *param = &grammar->params[i];

		sort_once(param->conflicts, &param->conflict_count);
		sort_once(param->requires, &param->require_count);
	}
}

writ_status
w_grammar_link(struct w_grammar_builder *builder)
{
	struct w_grammar *grammar = builder->grammar;
	writ_status status = check_required(builder);

	for (size_t i = 0; i < grammar->count && status == WRIT_OK; i++) {
		struct w_param *param = &grammar->params[i];

		status = link_peers(builder, param, "x-apexe-conflicts-with",
		    w_grammar_note_conflict);
		if (status == WRIT_OK)
			status = link_peers(builder, param, "x-writ-requires",
			    w_grammar_note_need);
		if (status == WRIT_OK)
			status = check_sequence(builder, param);
	}
	w_grammar_sort_links(grammar);
	return status;
}
