/* SPDX-License-Identifier: Apache-2.0 */

/* --only: some resources of a manifest, by "type#name" or "type#alias". */

#include <stdlib.h>
#include <string.h>

#include "manifest/apply_steps.h"

#define STAGE "apply"

void
w_choice_done(struct w_choice *choice)
{
	free(choice->chosen);
	choice->chosen = NULL;
}

/* The resource that a text names; W_NO_TARGET: none. */
static size_t
find(const struct w_manifest *manifest, const char *text)
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
choose(struct w_choice *choice, const struct w_manifest *manifest,
    const char *text, writ_error *err)
{
	const size_t index = find(manifest, text);

	if (index != W_NO_TARGET) {
		choice->chosen[index] = true;
		return WRIT_OK;
	}
	(void)w_fail(err, WRIT_E_INVALID, STAGE, 0,
	    "'%s' is no resource of '%s'", text, manifest->file);
	if (strchr(text, '#') == NULL)
		w_suggest(err, "write it as type#name: 'exec#%s'", text);
	return WRIT_E_INVALID;
}

writ_status
w_choice_make(struct w_choice *choice, const struct w_manifest *manifest,
    const char *const *only, writ_error *err)
{
	writ_status status = WRIT_OK;

	choice->chosen = NULL;
	if (only == NULL)
		return WRIT_OK;
	choice->chosen = calloc(manifest->count + 1, sizeof(bool));
	if (choice->chosen == NULL)
		return w_fail_nomem(err, STAGE);
	for (; status == WRIT_OK && *only != NULL; only++)
		status = choose(choice, manifest, *only, err);
	if (status != WRIT_OK)
		w_choice_done(choice);
	return status;
}
