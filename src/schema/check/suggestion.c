/* SPDX-License-Identifier: Apache-2.0 */

/* Suggests what was probably meant instead of an unknown key or word. */

#include <string.h>

#include "base/match.h"
#include "schema/check/fault.h"

/* Limit on candidates. */
#define NAMES_MAX 256

/* How deep subschemas of the same object are searched. */
#define APPLIED_MAX 3

/* Candidates for a key; ends with NULL. */
struct candidates {
	const char *names[NAMES_MAX + 1];
	size_t count;
};

/* Adds the properties of a node and of subschemas for the same object. */
static void
add_candidates(
    struct candidates *candidates, const struct w_node *node, unsigned depth)
{
	const struct w_object_rules *rules = node->object;
	const struct w_logic *logic = node->logic;

	for (size_t i = 0; rules != NULL && i < rules->name_count; i++) {
		if (rules->names[i].node != NULL &&
		    candidates->count < NAMES_MAX)
			candidates->names[candidates->count++] =
			    rules->names[i].text;
	}
	if (logic == NULL || depth == 0)
		return;
	const struct w_nodes *const lists[] = {
	    &logic->all, &logic->any, &logic->one};
	for (size_t i = 0; i < 3; i++) {
		for (size_t j = 0; j < lists[i]->count; j++)
			add_candidates(
			    candidates, lists[i]->items[j], depth - 1);
	}
	if (logic->ref != NULL)
		add_candidates(candidates, logic->ref, depth - 1);
}

static const char *
nearest_name(const struct w_fault *fault)
{
	struct candidates candidates = {.count = 0};

	add_candidates(&candidates, fault->node,
	    fault->kind == W_FAULT_UNEVALUATED_KEY ? APPLIED_MAX : 0);
	candidates.names[candidates.count] = NULL;
	return w_match_nearest(yyjson_get_str(fault->name), candidates.names);
}

/* The nearest string of an enum. */
static const char *
nearest_choice(const struct w_fault *fault)
{
	const char *names[NAMES_MAX + 1];
	size_t used = 0;
	size_t i;
	size_t count;
	yyjson_val *choice;

	if (!yyjson_is_str(fault->value))
		return NULL;
	yyjson_arr_foreach(fault->node->logic->choices, i, count, choice)
	{
		if (yyjson_is_str(choice) && used < NAMES_MAX)
			names[used++] = yyjson_get_str(choice);
	}
	names[used] = NULL;
	return w_match_nearest(yyjson_get_str(fault->value), names);
}

void
w_suggestion_add(struct w_buf *buf, const struct w_fault *fault)
{
	const char *nearest = NULL;

	if (fault->kind == W_FAULT_UNKNOWN_KEY ||
	    fault->kind == W_FAULT_UNEVALUATED_KEY)
		nearest = nearest_name(fault);
	else if (fault->kind == W_FAULT_ENUM)
		nearest = nearest_choice(fault);
	if (nearest == NULL)
		return;
	w_buf_add_str(buf, "did you mean '");
	w_quote_bare(buf, nearest, strlen(nearest));
	w_buf_add_str(buf, "'?");
}
