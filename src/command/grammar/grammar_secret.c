/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Which arguments are secret.
 *
 * x-sensitive may be anywhere in the schema of a property: in its members, in
 * an alternative, behind a reference. A partly secret value is rendered as a
 * whole, so one mark anywhere makes all of it secret. What cannot be followed
 * to its end is secret too, if the schema has any mark: hiding too much does no
 * harm.
 */

#include "command/grammar/grammar_secret.h"

#include <limits.h>

#define MARK      "x-sensitive"
#define DEPTH_MAX 64
#define NODES_MAX 8192

struct grammar_secret_search {
	yyjson_val *root;
	unsigned left; /* nodes that may still be visited */
	bool follows;  /* follow references */
};

static bool has_mark(
    struct grammar_secret_search *search, yyjson_val *val, unsigned depth);

static bool
has_mark_in_member(struct grammar_secret_search *search, yyjson_val *key,
    yyjson_val *val, unsigned depth)
{
	if (yyjson_equals_str(key, MARK) && yyjson_is_true(val))
		return true;
	if (!search->follows || !yyjson_is_str(val) ||
	    (!yyjson_equals_str(key, "$ref") &&
		!yyjson_equals_str(key, "$dynamicRef")))
		return has_mark(search, val, depth);

	/* Only "#" and "#/$defs/name" can be followed. */
	const char *text = yyjson_get_str(val);
	if (text[0] != '#' || (text[1] != '\0' && text[1] != '/'))
		return true;
	yyjson_val *target = yyjson_ptr_get(search->root, text + 1);
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

/* Keywords that do not apply to values of the input by themselves, or are
 * visited separately. */
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

/* What the schema says about the input outside its properties. */
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
		*out_listed |=
		    !yyjson_equals_str(key, "additionalProperties") &&
		    !yyjson_equals_str(key, "unevaluatedProperties");
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
