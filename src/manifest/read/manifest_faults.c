/* SPDX-License-Identifier: Apache-2.0 */

/* The list of faults of a manifest. */

#include "manifest/read/manifest_faults.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

void
w_faults_add(struct w_faults *faults, const writ_error *fault)
{
	if (faults->count == W_FAULTS_MAX) {
		faults->more++;
		return;
	}

	writ_manifest_fault made = {
	    .line = fault->line, .column = fault->column};

	made.message = w_arena_text(
	    &faults->arena, fault->message, strlen(fault->message));
	if (fault->suggestion[0] != '\0')
		made.suggestion = w_arena_text(&faults->arena,
		    fault->suggestion, strlen(fault->suggestion));
	if (made.message == NULL ||
	    !w_grow(&faults->items, faults->count, &faults->cap)) {
		faults->has_failed = true;
		return;
	}
	faults->items[faults->count++] = made;
}

static void
manifest_faults_put_text(
    struct w_faults *faults, const char **into, const char *text)
{
	const char *copy = w_arena_text(&faults->arena, text, strlen(text));

	if (copy != NULL)
		*into = copy;
	else
		faults->has_failed = true;
}

/* The latest fault, unless it was dropped. */
static writ_manifest_fault *
newest(struct w_faults *faults)
{
	if (faults->count == 0 || faults->more > 0)
		return NULL;
	return &faults->items[faults->count - 1];
}

void
w_faults_suggest(struct w_faults *faults, const char *suggestion)
{
	writ_manifest_fault *fault = newest(faults);

	if (fault != NULL)
		manifest_faults_put_text(
		    faults, &fault->suggestion, suggestion);
}

void
w_faults_blame(struct w_faults *faults, const char *resource)
{
	writ_manifest_fault *fault = newest(faults);

	if (fault != NULL)
		manifest_faults_put_text(faults, &fault->resource, resource);
}

/* Insertion sort: there are few, and they are nearly sorted. */
void
w_faults_sort(struct w_faults *faults)
{
	writ_manifest_fault *items = faults->items;

	for (size_t i = 1; i < faults->count; i++) {
		const writ_manifest_fault fault = items[i];
		size_t at = i;

		for (; at > 0 && (fault.line < items[at - 1].line ||
				     (fault.line == items[at - 1].line &&
					 fault.column < items[at - 1].column));
		     at--)
			items[at] = items[at - 1];
		items[at] = fault;
	}
}

void
w_faults_done(struct w_faults *faults)
{
	w_arena_done(&faults->arena);
	free(faults->items);
	*faults = (struct w_faults){.count = 0};
}
