/* SPDX-License-Identifier: Apache-2.0 */

/* What is wrong with policies: a list that owns its texts, so that it outlives
 * what it is about. */

#include <stdlib.h>
#include <string.h>

#include "policy/policy.h"

void
w_policy_faults_done(struct w_policy_faults *faults)
{
	free(faults->items);
	w_arena_done(&faults->arena);
	*faults = (struct w_policy_faults){.items = NULL};
}

static bool
copy(struct w_arena *arena, const char *text, const char **out_copy)
{
	*out_copy = NULL;
	if (text == NULL)
		return true;
	*out_copy = w_arena_text(arena, text, strlen(text));
	return *out_copy != NULL;
}

bool
w_policy_faults_add(struct w_policy_faults *faults, const struct w_spot *spot,
    bool is_warning, const char *message, const char *suggestion)
{
	struct w_policy_fault fault = {.spot = *spot, .is_warning = is_warning};

	if (faults->count == W_POLICY_FAULTS_MAX)
		return true;
	if (faults->count == faults->cap) {
		size_t cap = faults->cap == 0 ? 8 : faults->cap * 2;
		struct w_policy_fault *items =
		    reallocarray(faults->items, cap, sizeof(*items));

		if (items == NULL)
			return false;
		faults->items = items;
		faults->cap = cap;
	}
	if (!copy(&faults->arena, spot->file, &fault.spot.file) ||
	    !copy(&faults->arena, message, &fault.message) ||
	    !copy(&faults->arena, suggestion, &fault.suggestion))
		return false;
	faults->items[faults->count++] = fault;
	return true;
}
