/* SPDX-License-Identifier: Apache-2.0 */

/* A parsed manifest: resources by name, and source locations. */

#include "manifest/manifest.h"

#include <stdlib.h>
#include <string.h>

#include "manifest/read/manifest_parser.h"

/* Longer keys are allocated. */
#define KEY_MAX 256

const char *
w_resource_word(enum w_resource_type type)
{
	static const char *const words[W_RESOURCE_TYPES] = {
	    [W_RESOURCE_EXEC] = "exec",
	    [W_RESOURCE_FILE] = "file",
	    [W_RESOURCE_PACKAGE] = "package",
	    [W_RESOURCE_SERVICE] = "service",
	    [W_RESOURCE_USER] = "user",
	    [W_RESOURCE_GROUP] = "group",
	    [W_RESOURCE_ARCHIVE] = "archive",
	    [W_RESOURCE_EDIT] = "edit",
	    [W_RESOURCE_APPLY] = "apply",
	};

	return words[type];
}

bool
w_resource_can_subscribe(enum w_resource_type type)
{
	return type == W_RESOURCE_EXEC || type == W_RESOURCE_SERVICE;
}

const struct w_reference_list *
w_resource_subscriptions(const struct w_resource *resource)
{
	if (resource->type == W_RESOURCE_EXEC)
		return &resource->as.exec.guards->subscribe;
	return resource->type == W_RESOURCE_SERVICE
		   ? &resource->as.typed->subscribe
		   : NULL;
}

void
w_manifest_free(struct w_manifest *manifest)
{
	if (manifest == NULL)
		return;
	while (manifest->children != NULL) {
		struct w_manifest *child = manifest->children;

		manifest->children = child->next;
		w_manifest_free(child);
	}
	w_hash_table_done(&manifest->ids);
	w_yaml_free(manifest->yaml);
	w_arena_done(&manifest->arena);
	free(manifest);
}

static bool
file_under(struct w_manifest *manifest, const char *key, size_t index)
{
	struct w_manifest_id **newest =
	    w_hash_table_get(&manifest->ids, key, strlen(key));
	struct w_manifest_id *id =
	    w_arena_alloc(&manifest->arena, 1, sizeof(*id));

	if (id == NULL)
		return false;
	id->index = index;
	if (newest != NULL) {
		id->older = *newest;
		*newest = id;
		return true;
	}
	newest = w_arena_alloc(&manifest->arena, 1, sizeof(*newest));
	if (newest == NULL)
		return false;
	*newest = id;
	return w_hash_table_put(&manifest->ids, key, strlen(key), newest);
}

/* Formats "type#name" into the given buffer, or into the arena if too long. */
static const char *
manifest_make_key(struct w_arena *arena, const char *type, const char *name)
{
	const size_t type_len = strlen(type);
	const size_t name_len = strlen(name);
	char *key = w_arena_alloc(arena, type_len + name_len + 2, 1);

	if (key == NULL)
		return NULL;
	memcpy(key, type, type_len);
	key[type_len] = '#';
	memcpy(key + type_len + 1, name, name_len + 1);
	return key;
}

bool
w_manifest_add_id(struct w_manifest *manifest, size_t index)
{
	const struct w_resource *resource = &manifest->resources[index];

	if (!file_under(manifest, resource->id, index))
		return false;
	if (resource->extras->alias.text == NULL ||
	    strcmp(resource->extras->alias.text, resource->name.text) == 0)
		return true;
	const char *key = manifest_make_key(&manifest->arena,
	    w_resource_word(resource->type), resource->extras->alias.text);
	return key != NULL && file_under(manifest, key, index);
}

static size_t
manifest_find_key(
    const struct w_manifest *manifest, const char *key, size_t before)
{
	struct w_manifest_id *const *newest =
	    w_hash_table_get(&manifest->ids, key, strlen(key));
	const struct w_manifest_id *id = newest != NULL ? *newest : NULL;

	while (id != NULL && id->index >= before)
		id = id->older;
	return id != NULL ? id->index : W_NO_TARGET;
}

size_t
w_manifest_find(const struct w_manifest *manifest, const char *type,
    const char *name, size_t before)
{
	char key[KEY_MAX];
	struct w_arena arena = {.chunks = NULL};
	const char *long_key;
	size_t found = W_NO_TARGET;

	if (strlen(type) + strlen(name) + 2 <= sizeof(key)) {
		(void)stpcpy(stpcpy(stpcpy(key, type), "#"), name);
		return manifest_find_key(manifest, key, before);
	}
	long_key = manifest_make_key(&arena, type, name);
	if (long_key != NULL)
		found = manifest_find_key(manifest, long_key, before);
	w_arena_done(&arena);
	return found;
}
