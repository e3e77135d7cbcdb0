/* SPDX-License-Identifier: Apache-2.0 */

/* The list of policy errors and warnings. It owns its texts, so it outlives the
 * policy. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policy/policy.h"

#include "base/grow.h"

#define RAW_MAX 1024

void
w_policy_faults_done(struct w_policy_faults *faults)
{
	free(faults->items);
	w_arena_done(&faults->arena);
	*faults = (struct w_policy_faults){.items = NULL};
}

static bool
policy_faults_copy(
    struct w_arena *arena, const char *text, const char **out_copy)
{
	*out_copy = NULL;
	if (text == NULL)
		return true;
	*out_copy = w_arena_text(arena, text, strlen(text));
	return *out_copy != NULL;
}

bool
w_policy_faults_add(struct w_policy_faults *faults,
    const struct w_policy_location *location, bool is_warning,
    const char *message, const char *suggestion)
{
	struct w_policy_fault fault = {
	    .location = *location, .is_warning = is_warning};

	if (faults->count == W_POLICY_FAULTS_MAX)
		return true;
	if (!w_grow(&faults->items, faults->count, &faults->cap))
		return false;
	if (!policy_faults_copy(
		&faults->arena, location->file, &fault.location.file) ||
	    !policy_faults_copy(&faults->arena, message, &fault.message) ||
	    !policy_faults_copy(&faults->arena, suggestion, &fault.suggestion))
		return false;
	faults->items[faults->count++] = fault;
	return true;
}

bool
w_policy_faults_suggest(
    struct w_policy_faults *faults, const char *fmt, va_list args)
{
	struct w_policy_fault *newest = &faults->items[faults->count - 1];
	writ_error err = {.status = WRIT_E_INVALID};
	char raw[RAW_MAX];

	/* Larger than err.suggestion: w_suggest() truncates at a character
	 * boundary. */
	(void)vsnprintf(raw, sizeof(raw), fmt, args);
	w_suggest(&err, "%s", raw);
	return policy_faults_copy(
	    &faults->arena, err.suggestion, &newest->suggestion);
}
