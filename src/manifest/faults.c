/* SPDX-License-Identifier: Apache-2.0 */

/* A list of what is wrong with a manifest. */

#include "manifest/faults.h"

#include <stdlib.h>
#include <string.h>

static bool
make_room(struct w_faults *faults)
{
	if (faults->count < faults->cap)
		return true;

	const size_t cap = faults->cap == 0 ? 16 : faults->cap * 2;
	struct w_manifest_fault *items =
	    reallocarray(faults->items, cap, sizeof(*items));

	if (items == NULL)
		return false;
	faults->items = items;
	faults->cap = cap;
	return true;
}

void
w_faults_add(struct w_faults *faults, const writ_error *fault)
{
	if (faults->count == W_FAULTS_MAX) {
		faults->more++;
		return;
	}

	struct w_manifest_fault made = {
	    .line = fault->line, .column = fault->column};

	made.message = w_arena_text(
	    &faults->arena, fault->message, strlen(fault->message));
	if (fault->suggestion[0] != '\0')
		made.suggestion = w_arena_text(&faults->arena,
		    fault->suggestion, strlen(fault->suggestion));
	if (made.message == NULL || !make_room(faults)) {
		faults->has_failed = true;
		return;
	}
	faults->items[faults->count++] = made;
}

void
w_faults_done(struct w_faults *faults)
{
	w_arena_done(&faults->arena);
	free(faults->items);
	*faults = (struct w_faults){.count = 0};
}
