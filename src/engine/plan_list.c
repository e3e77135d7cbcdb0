/* SPDX-License-Identifier: Apache-2.0 */

/* Lists of texts that live as long as a plan. */

#include <string.h>

#include "engine/plan.h"

#define START 8

bool
w_plan_list_has(const struct w_plan_list *list, const char *text)
{
	for (size_t i = 0; i < list->count; i++) {
		if (strcmp(list->items[i], text) == 0)
			return true;
	}
	return false;
}

static bool
grow(struct w_plan_list *list)
{
	if (list->count + 1 < list->cap)
		return true;
	const size_t cap = list->cap == 0 ? START : list->cap * 2;
	const char **more =
	    w_arena_alloc(&list->plan->arena, cap, sizeof(*more));
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
w_plan_list_add(struct w_plan_list *list, const char *text)
{
	if (text == NULL)
		list->has_failed = true;
	else if (!w_plan_list_has(list, text) && grow(list))
		list->items[list->count++] = text;
}

void
w_plan_list_copy(struct w_plan_list *list, const char *text)
{
	if (!w_plan_list_has(list, text))
		w_plan_list_add(
		    list, w_arena_text(&list->plan->arena, text, strlen(text)));
}

void
w_plan_list_add_all(struct w_plan_list *list, const char *const *texts)
{
	for (; texts != NULL && *texts != NULL; texts++)
		w_plan_list_add(list, *texts);
}

const char *const *
w_plan_list_end(struct w_plan_list *list)
{
	if (list->has_failed || !grow(list))
		return NULL;
	list->items[list->count] = NULL;
	return list->items;
}
