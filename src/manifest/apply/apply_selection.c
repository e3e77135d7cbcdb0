/* SPDX-License-Identifier: Apache-2.0 */

/* --only: selects resources by "type#name" or "type#alias". */

#include <stdlib.h>
#include <string.h>

#include "manifest/apply/apply_phases.h"

#define STAGE "apply"

void
w_apply_selection_done(struct w_apply_selection *selection)
{
	free(selection->chosen);
	selection->chosen = NULL;
}

/* W_NO_TARGET: no such resource. */
static size_t
apply_selection_find(const struct w_manifest *manifest, const char *text)
{
	const char *hash = strchr(text, '#');
	char type[32];

	if (hash == NULL || (size_t)(hash - text) >= sizeof(type))
		return W_NO_TARGET;
	memcpy(type, text, (size_t)(hash - text));
	type[hash - text] = '\0';
	return w_manifest_find(manifest, type, hash + 1, manifest->count);
}

static writ_status
apply_selection_choose(struct w_apply_selection *selection,
    const struct w_manifest *manifest, const char *text, writ_error *err)
{
	const size_t index = apply_selection_find(manifest, text);

	if (index != W_NO_TARGET) {
		selection->chosen[index] = true;
		return WRIT_OK;
	}
	(void)w_fail(err, WRIT_E_INVALID, STAGE, 0,
	    "'%s' is not a resource of '%s'", text, manifest->file);
	if (strchr(text, '#') == NULL)
		w_suggest(err, "write it as type#name: 'exec#%s'", text);
	return WRIT_E_INVALID;
}

writ_status
w_apply_select(struct w_apply_selection *selection,
    const struct w_manifest *manifest, const char *const *only, writ_error *err)
{
	writ_status status = WRIT_OK;

	selection->chosen = NULL;
	if (only == NULL)
		return WRIT_OK;
	selection->chosen = calloc(manifest->count + 1, sizeof(bool));
	if (selection->chosen == NULL)
		return w_fail_nomem(err, STAGE);
	for (; status == WRIT_OK && *only != NULL; only++)
		status =
		    apply_selection_choose(selection, manifest, *only, err);
	if (status != WRIT_OK)
		w_apply_selection_done(selection);
	return status;
}
