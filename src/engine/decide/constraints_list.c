/* SPDX-License-Identifier: Apache-2.0 */

/* Lists of texts that live as long as the constraints. */

#include <string.h>

#include "engine/decide/constraints.h"

#define START 8

bool
w_constraints_list_has(const struct w_constraints_list *list, const char *text)
{
	for (size_t i = 0; i < list->count; i++) {
		if (strcmp(list->items[i], text) == 0)
			return true;
	}
	return false;
}

static bool
constraints_list_grow(struct w_constraints_list *list)
{
	if (list->count + 1 < list->cap)
		return true;
	const size_t cap = list->cap == 0 ? START : list->cap * 2;
	const char **more =
	    w_arena_alloc(&list->constraints->arena, cap, sizeof(*more));
	if (more == NULL) {
		list->has_failed = true;
		return false;
	}
	if (list->count > 0)
		memcpy(more, list->items, list->count * sizeof(*more));
	list->items = more;
	list->cap = cap;
	return true;
}

void
w_constraints_list_add(struct w_constraints_list *list, const char *text)
{
	if (text == NULL)
		list->has_failed = true;
	else if (!w_constraints_list_has(list, text) &&
		 constraints_list_grow(list))
		list->items[list->count++] = text;
}

void
w_constraints_list_copy(struct w_constraints_list *list, const char *text)
{
	if (!w_constraints_list_has(list, text))
		w_constraints_list_add(
		    list, w_arena_text(
			      &list->constraints->arena, text, strlen(text)));
}

void
w_constraints_list_add_all(
    struct w_constraints_list *list, const char *const *texts)
{
	for (; texts != NULL && *texts != NULL; texts++)
		w_constraints_list_add(list, *texts);
}

const char *const *
w_constraints_list_end(struct w_constraints_list *list)
{
	if (list->has_failed || !constraints_list_grow(list))
		return NULL;
	list->items[list->count] = NULL;
	return list->items;
}
