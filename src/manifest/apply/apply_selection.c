/* SPDX-License-Identifier: Apache-2.0 */

/* Selects resources: --only by "type#name" or "type#alias", --tags and
 * --skip-tags by their tags. */

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

/* With the resources of a manifest that it applies. */
static void
choose(struct w_apply_selection *selection, const struct w_manifest *manifest,
    size_t index, bool is_chosen)
{
	const struct w_resource *resource = &manifest->resources[index];

	selection->chosen[index] = is_chosen;
	if (resource->type != W_RESOURCE_APPLY)
		return;
	for (size_t i = 0; i < resource->as.include.count; i++)
		selection->chosen[resource->as.include.first + i] = is_chosen;
}

static writ_status
apply_selection_choose(struct w_apply_selection *selection,
    const struct w_manifest *manifest, const char *text, writ_error *err)
{
	const size_t index = apply_selection_find(manifest, text);

	if (index != W_NO_TARGET) {
		choose(selection, manifest, index, true);
		return WRIT_OK;
	}
	(void)w_fail(err, WRIT_E_INVALID, STAGE, 0,
	    "'%s' is not a resource of '%s'", text, manifest->file);
	if (strchr(text, '#') == NULL)
		w_suggest(err, "write it as type#name: 'exec#%s'", text);
	return WRIT_E_INVALID;
}

static bool
has_own_tag(const struct w_resource *resource, const char *const *tags)
{
	for (; tags != NULL && *tags != NULL; tags++) {
		for (size_t i = 0; i < resource->extras->tags.count; i++) {
			if (strcmp(resource->extras->tags.items[i].text,
				*tags) == 0)
				return true;
		}
	}
	return false;
}

/* The tags of an apply resource are also those of what it applies. */
static bool
has_tag(const struct w_manifest *manifest, const struct w_resource *resource,
    const char *const *tags)
{
	for (;; resource = &manifest->resources[resource->parent]) {
		if (has_own_tag(resource, tags))
			return true;
		if (resource->parent == W_NO_TARGET)
			return false;
	}
}

/* A tag that no resource has is misspelt. */
static writ_status
check_tags(
    const struct w_manifest *manifest, const char *const *tags, writ_error *err)
{
	for (; tags != NULL && *tags != NULL; tags++) {
		const char *const one[2] = {*tags, NULL};
		size_t i = 0;

		while (i < manifest->count &&
		       !has_own_tag(&manifest->resources[i], one))
			i++;
		if (i == manifest->count)
			return w_fail(err, WRIT_E_INVALID, STAGE, 0,
			    "no resource of '%s' has the tag '%s'",
			    manifest->file, *tags);
	}
	return WRIT_OK;
}

/* Of those that --only chose; without it, of all. */
static writ_status
choose_tags(struct w_apply_selection *selection,
    const struct w_manifest *manifest, const struct w_apply_options *options,
    writ_error *err)
{
	writ_status status = check_tags(manifest, options->tags, err);

	if (status == WRIT_OK)
		status = check_tags(manifest, options->skip_tags, err);
	for (size_t i = 0; status == WRIT_OK && i < manifest->count; i++) {
		const struct w_resource *resource = &manifest->resources[i];

		if (options->only == NULL)
			selection->chosen[i] = true;
		if ((options->tags != NULL &&
			!has_tag(manifest, resource, options->tags)) ||
		    has_tag(manifest, resource, options->skip_tags))
			selection->chosen[i] = false;
	}
	return status;
}

writ_status
w_apply_select(struct w_apply_selection *selection,
    const struct w_manifest *manifest, const struct w_apply_options *options,
    writ_error *err)
{
	const char *const *only = options->only;
	writ_status status = WRIT_OK;

	selection->chosen = NULL;
	if (only == NULL && options->tags == NULL && options->skip_tags == NULL)
		return WRIT_OK;
	selection->chosen = calloc(manifest->count + 1, sizeof(bool));
	if (selection->chosen == NULL)
		return w_fail_nomem(err, STAGE);
	for (; status == WRIT_OK && only != NULL && *only != NULL; only++)
		status =
		    apply_selection_choose(selection, manifest, *only, err);
	if (status == WRIT_OK)
		status = choose_tags(selection, manifest, options, err);
	if (status != WRIT_OK)
		w_apply_selection_done(selection);
	return status;
}
