/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Which arguments are secret.
 *
 * x-sensitive may stand anywhere in the schema of a property: in its members,
 * in one of several alternatives, behind a reference. A value that is secret
 * in part becomes words as a whole, so one mark anywhere makes all of it
 * secret. What cannot be followed to its end counts as secret too, as long as
 * the schema has a mark at all: to hide too much does no harm.
 */

#include "command/grammar/grammar_secret.h"

#include <limits.h>

#define MARK      "x-sensitive"
#define DEPTH_MAX 64
#define NODES_MAX 8192

struct grammar_secret_search {
	yyjson_val *root;
	unsigned left; /* nodes that may still be looked at */
	bool follows;  /* references */
};

static bool has_mark(
    struct grammar_secret_search *search, yyjson_val *val, unsigned depth);

/* "#", "#/$defs/name"; NULL: another kind of reference. */
static yyjson_val *
referred(const struct grammar_secret_search *search, yyjson_val *ref)
{
	const char *text = yyjson_get_str(ref);

	if (text == NULL || text[0] != '#' ||
	    (text[1] != '\0' && text[1] != '/'))
		return NULL;
	return yyjson_ptr_get(search->root, text + 1);
}

static bool
grammar_secret_is_reference(yyjson_val *key, yyjson_val *val)
{
	return yyjson_is_str(val) && (yyjson_equals_str(key, "$ref") ||
					 yyjson_equals_str(key, "$dynamicRef"));
}

static bool
has_mark_in_member(struct grammar_secret_search *search, yyjson_val *key,
    yyjson_val *val, unsigned depth)
{
	if (yyjson_equals_str(key, MARK) && yyjson_is_true(val))
		return true;
	if (!search->follows || !grammar_secret_is_reference(key, val))
		return has_mark(search, val, depth);

	yyjson_val *target = referred(search, val);
	return target == NULL || has_mark(search, target, depth);
}

/* Recursion is bounded by DEPTH_MAX. */
static bool
has_mark(struct grammar_secret_search *search, yyjson_val *val, unsigned depth)
{
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *item;

	if (!yyjson_is_ctn(val))
		return false;
	if (depth == DEPTH_MAX || search->left == 0)
		return true;
	search->left--;
	yyjson_arr_foreach(val, i, count, item)
	{
		if (has_mark(search, item, depth + 1))
			return true;
	}
	yyjson_obj_foreach(val, i, count, key, item)
	{
		if (has_mark_in_member(search, key, item, depth + 1))
			return true;
	}
	return false;
}

static bool
is_secret(yyjson_val *root, yyjson_val *schema)
{
	struct grammar_secret_search search = {
	    .root = root, .left = NODES_MAX, .follows = true};

	return has_mark(&search, schema, 0);
}

/* Keywords that say nothing about the values of the input by themselves, or
 * are looked at one by one. */
static bool
grammar_secret_is_elsewhere(yyjson_val *key)
{
	static const char *const names[] = {
	    "properties", "$defs", "definitions", NULL};

	for (size_t i = 0; names[i] != NULL; i++) {
		if (yyjson_equals_str(key, names[i]))
			return true;
	}
	return false;
}

static bool
is_about_others(yyjson_val *key)
{
	return yyjson_equals_str(key, "additionalProperties") ||
	       yyjson_equals_str(key, "unevaluatedProperties");
}

/* What the schema says of the input besides its properties. */
static void
look_at_rest(yyjson_val *schema, bool *out_listed, bool *out_others)
{
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *val;

	yyjson_obj_foreach(schema, i, count, key, val)
	{
		struct grammar_secret_search search = {
		    .root = schema, .left = NODES_MAX, .follows = true};

		if (grammar_secret_is_elsewhere(key) ||
		    !has_mark_in_member(&search, key, val, 0))
			continue;
		*out_others = true;
		*out_listed |= !is_about_others(key);
	}
}

void
w_grammar_mark_secrets(struct w_grammar *grammar, yyjson_val *schema)
{
	struct grammar_secret_search any = {.root = schema, .left = UINT_MAX};
	bool is_listed = false;

	if (!has_mark(&any, schema, 0))
		return;
	grammar->has_secrets = true;
	look_at_rest(schema, &is_listed, &grammar->has_other_secrets);
	for (size_t i = 0; i < grammar->count; i++) {
		struct w_param *param = &grammar->params[i];

		param->is_secret =
		    is_listed || is_secret(schema, param->schema);
	}
}
