/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Finds reference loops that do not descend into the value: a schema that
 * applies itself to the same value. Validation would never end.
 *
 * A depth-first search over the schemas that apply to the same value. It uses a
 * list of its own, not the stack, since chains of references may be as long as
 * the schema is big. The target of a $dynamicRef is known only during
 * validation, where the depth limit catches loops.
 */

#include <stdlib.h>

#include "base/auto.h"
#include "schema/compile/compiler.h"

enum {
	NOT_SEEN,
	ON_THE_WAY,
	DONE
};

/* Position among the schemas that a node applies. */
struct reference_loops_step {
	struct w_node *node;
	size_t next;
};

#define SINGLE_COUNT 5

static struct w_node *
get_single(const struct w_logic *logic, size_t *index)
{
	struct w_node *const single[SINGLE_COUNT] = {logic->ref, logic->negated,
	    logic->condition, logic->consequence, logic->alternative};

	for (; *index < SINGLE_COUNT; ++*index) {
		if (single[*index] != NULL)
			return single[*index];
	}
	return NULL;
}

/* The schema with this index in allOf, anyOf and oneOf. */
static struct w_node *
get_listed(const struct w_logic *logic, size_t index)
{
	const struct w_nodes *const lists[] = {
	    &logic->all, &logic->any, &logic->one};

	for (size_t i = 0; i < 3; i++) {
		if (index < lists[i]->count)
			return lists[i]->items[index];
		index -= lists[i]->count;
	}
	return NULL;
}

/* The schema at or after *index among those that a node applies to the same
 * value; moves *index to it. NULL: no more. */
static struct w_node *
get_applied(const struct w_node *node, size_t *index)
{
	const struct w_logic *logic = node->logic;
	const struct w_object_rules *object = node->object;
	size_t base = 0;

	if (logic != NULL) {
		struct w_node *found = get_single(logic, index);
		if (found == NULL)
			found = get_listed(logic, *index - SINGLE_COUNT);
		if (found != NULL)
			return found;
		base = SINGLE_COUNT + logic->all.count + logic->any.count +
		       logic->one.count;
	}
	for (; object != NULL && *index - base < object->dependency_count;
	     ++*index) {
		if (object->dependencies[*index - base].node != NULL)
			return object->dependencies[*index - base].node;
	}
	return NULL;
}

static writ_status
search_from(struct w_compiler *compiler, struct w_node *from,
    struct reference_loops_step *steps)
{
	size_t depth = 1;

	from->loop = ON_THE_WAY;
	steps[0] = (struct reference_loops_step){.node = from};
	while (depth > 0) {
		struct reference_loops_step *step = &steps[depth - 1];
		struct w_node *applied = get_applied(step->node, &step->next);
		step->next++;
		if (applied == NULL) {
			step->node->loop = DONE;
			depth--;
		} else if (applied->loop == ON_THE_WAY) {
			writ_status status =
			    w_compile_fail(compiler, step->node->schema,
				"applies itself to the same value without end");
			w_suggest(compiler->err,
			    "a schema may refer to itself only below "
			    "properties, items and the like");
			return status;
		} else if (applied->loop == NOT_SEEN) {
			applied->loop = ON_THE_WAY;
			steps[depth++] =
			    (struct reference_loops_step){.node = applied};
		}
	}
	return WRIT_OK;
}

writ_status
w_loops_check(struct w_compiler *compiler, struct w_node *first)
{
	W_AUTO_FREE struct reference_loops_step *steps =
	    calloc(compiler->node_count, sizeof(*steps));

	if (steps == NULL)
		return w_compile_nomem(compiler);
	for (struct w_node *node = first; node != NULL; node = node->next) {
		if (node->loop != NOT_SEEN)
			continue;
		writ_status status = search_from(compiler, node, steps);
		if (status != WRIT_OK)
			return status;
	}
	return WRIT_OK;
}
