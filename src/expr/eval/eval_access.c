/* SPDX-License-Identifier: Apache-2.0 */

/* Members of maps and elements of lists. A missing name is an error with a
 * suggestion, which shows nothing of a secret map. */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/match.h"
#include "expr/eval/eval.h"
#include "expr/parse/expr_parser.h"

/* Limit on names considered for a suggestion. */
#define NAMES_MAX 256

/* The accessed object as written: Data.users. */
static void
name_object(const struct w_expr_node *node, char out[64])
{
	(void)snprintf(out, 64, "%s",
	    node->kind == W_NODE_ROOT ? w_expr_parse_roots[node->root] : "");
	if (node->kind != W_NODE_ACCESS ||
	    node->as.of.right->kind != W_NODE_LITERAL ||
	    node->as.of.right->as.literal.kind != W_VALUE_STRING)
		return;
	char outer[64];
	name_object(node->as.of.left, outer);
	if (outer[0] != '\0')
		(void)snprintf(out, 64, "%.40s.%.20s", outer,
		    node->as.of.right->as.literal.as.string.text);
}

static writ_status
refuse_member(struct w_eval *eval, const struct w_expr_node *node,
    const struct w_value *map, const struct w_value *key)
{
	const char *names[NAMES_MAX + 1];
	size_t count = map->as.map.count;
	char object[64];

	if (key->is_secret || map->is_secret)
		return w_eval_fail(eval, node, "no member of that name");
	name_object(node->as.of.left, object);
	(void)w_eval_fail(eval, node, "no member '%s'%s%s", key->as.string.text,
	    object[0] == '\0' ? "" : " in ", object);
	if (count > NAMES_MAX)
		count = NAMES_MAX;
	for (size_t i = 0; i < count; i++)
		names[i] = map->as.map.members[i].name;
	names[count] = NULL;
	w_match_suggest(w_match_nearest(key->as.string.text, names), eval->err);
	return WRIT_E_INVALID;
}

static writ_status
access_member(struct w_eval *eval, const struct w_expr_node *node,
    const struct w_value *map, const struct w_value *key,
    struct w_value *out_value)
{
	const struct w_value *found =
	    w_value_member(map, key->as.string.text, key->as.string.len);

	if (!map->is_indexed) {
		writ_status status =
		    w_eval_spend(eval, node, map->as.map.count >> 4);
		if (status != WRIT_OK)
			return status;
	}
	if (found != NULL)
		*out_value = *found;
	else if ((node->flags & W_NODE_TOLERANT) != 0)
		*out_value = (struct w_value){
		    .kind = W_VALUE_NULL, .is_secret = map->is_secret};
	else
		return refuse_member(eval, node, map, key);
	return w_eval_mark(eval, node, key->is_secret, out_value);
}

static writ_status
access_item(struct w_eval *eval, const struct w_expr_node *node,
    const struct w_value *list, const struct w_value *key,
    struct w_value *out_value)
{
	int64_t index = key->as.integer;
	size_t count = list->as.list.count;

	/* From the end: -1 is the last. */
	if (index < 0 && index >= -(int64_t)count)
		index += (int64_t)count;
	if (index >= 0 && (uint64_t)index < count)
		*out_value = list->as.list.items[index];
	else if ((node->flags & W_NODE_TOLERANT) != 0)
		*out_value = (struct w_value){
		    .kind = W_VALUE_NULL, .is_secret = list->is_secret};
	else if (key->is_secret || list->is_secret)
		return w_eval_fail(eval, node, "the list is shorter than that");
	else
		return w_eval_fail(eval, node,
		    "no element %" PRId64 " in a list of %zu", index, count);
	return w_eval_mark(eval, node, key->is_secret, out_value);
}

static writ_status
refuse_kinds(struct w_eval *eval, const struct w_expr_node *node,
    const struct w_value *object, const struct w_value *key)
{
	const char *kind = w_value_kind_words(object->kind);

	if (object->kind == W_VALUE_LIST) {
		(void)w_eval_fail(eval, node,
		    "an element of a list is found by a whole number, not %s",
		    w_value_kind_words(key->kind));
		w_suggest(eval->err,
		    "write [0], or go through them with map() or filter()");
		return WRIT_E_INVALID;
	}
	if (object->kind == W_VALUE_MAP)
		return w_eval_fail(eval, node,
		    "a member of a map is found by a string, not %s",
		    w_value_kind_words(key->kind));
	if (key->kind != W_VALUE_STRING || key->is_secret)
		return w_eval_fail(eval, node, "%s has no elements", kind);
	(void)w_eval_fail(
	    eval, node, "%s has no member '%s'", kind, key->as.string.text);
	if (object->kind == W_VALUE_NULL)
		w_suggest(eval->err, "write '?.' where null is allowed");
	return WRIT_E_INVALID;
}

writ_status
w_eval_access(struct w_eval *eval, const struct w_expr_node *node,
    struct w_value *out_value)
{
	struct w_value object;
	struct w_value key;
	writ_status status = w_eval_node(eval, node->as.of.left, &object);

	if (status != WRIT_OK)
		return status;
	if (object.kind == W_VALUE_NULL && node->flags != 0) {
		*out_value = object;
		return WRIT_OK;
	}
	status = w_eval_node(eval, node->as.of.right, &key);
	if (status != WRIT_OK)
		return status;
	if (object.kind == W_VALUE_MAP && key.kind == W_VALUE_STRING)
		return access_member(eval, node, &object, &key, out_value);
	if (object.kind == W_VALUE_LIST && key.kind == W_VALUE_INT)
		return access_item(eval, node, &object, &key, out_value);
	return refuse_kinds(eval, node, &object, &key);
}
