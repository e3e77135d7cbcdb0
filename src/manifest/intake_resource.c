/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Reading resources, in both spellings:
 *
 *   - exec: { name: /bin/true, timeout: 5s }
 *   - exec:
 *       - defaults: { timeout: 5s }
 *       - /bin/true: { cwd: /tmp }
 *
 * Defaults are read once, and are what each resource of their list starts
 * from; what it says itself takes their place, whole.
 */

#include <string.h>

#include "base/match.h"
#include "data/json_words.h"
#include "manifest/intake.h"

static const struct w_intake_type *const types[W_RESOURCE_TYPES] = {
    [W_RESOURCE_EXEC] = &w_intake_exec,
    [W_RESOURCE_FILE] = &w_intake_file,
};

static const char *const other_types[] = {
    "package", "service", "archive", "scaffold", "apply", NULL};

/* ---- one resource ---- */

static const char *
make_id(struct w_intake *intake, enum w_resource_type type, const char *name)
{
	const char *word = w_resource_word(type);
	const size_t len = strlen(name);
	char *id = w_intake_alloc(intake, strlen(word) + len + 2, 1);

	if (id == NULL)
		return NULL;
	(void)stpcpy(stpcpy(stpcpy(id, word), "#"), name);
	return id;
}

static void
read_name(struct w_intake *intake, struct w_resource *resource, yyjson_val *val)
{
	struct w_field *name = &resource->name;

	if (!w_intake_fill(intake, val, "name", name)) {
		/* Nothing more is said about it. */
		name->template.parts = NULL;
		name->text = w_intake_word(val);
	} else if (name->text[0] == '\0') {
		(void)w_intake_refuse(
		    intake, val, "name is required, and this one is empty");
	}
	resource->id = make_id(intake, resource->type, name->text);
}

/* Defaults have lists of references that become those of several resources,
 * each with targets of its own. */
static bool
own_references(struct w_intake *intake, struct w_reference_list *list)
{
	struct w_reference *items;

	intake->references += list->count;
	if (intake->references > W_MANIFEST_REFERENCES_MAX)
		return w_intake_refuse(intake,
		    w_yaml_root(intake->manifest->yaml),
		    "the manifest has more than %d references",
		    W_MANIFEST_REFERENCES_MAX);
	if (list->count == 0)
		return true;
	items = w_intake_alloc(intake, list->count, sizeof(*items));
	if (items == NULL)
		return false;
	memcpy(items, list->items, list->count * sizeof(*items));
	list->items = items;
	return true;
}

static bool
says_sensitive(yyjson_val *map)
{
	return yyjson_is_true(yyjson_obj_get(map, "sensitive"));
}

/* Reads a body over what the resource has so far. */
static void
read_body(struct w_intake *intake, struct w_resource *resource, yyjson_val *map)
{
	const struct w_intake_type *type = types[resource->type];

	if (yyjson_is_null(map))
		return;
	if (w_intake_map(intake, map, w_resource_word(resource->type),
		type->keys, resource))
		type->check_map(intake, map);
}

static struct w_resource *
next_resource(struct w_intake *intake, const struct w_resource *like)
{
	struct w_manifest *manifest = intake->manifest;
	struct w_resource *resource = &manifest->resources[manifest->count];

	*resource = *like;
	resource->index = manifest->count++;
	if (!own_references(intake, &resource->require))
		resource->require.count = 0;
	if (resource->type == W_RESOURCE_EXEC &&
	    !own_references(intake, &resource->as.exec.subscribe))
		resource->as.exec.subscribe.count = 0;
	return resource;
}

static void
read_resource(struct w_intake *intake, const struct w_resource *like,
    yyjson_val *name, yyjson_val *body)
{
	struct w_resource *resource = next_resource(intake, like);

	resource->at = w_intake_spot(intake, name != NULL ? name : body);
	intake->is_sensitive = like->is_sensitive || says_sensitive(body);
	if (name != NULL)
		read_name(intake, resource, name);
	else
		resource->name.text = "";
	if (resource->id == NULL)
		resource->id = make_id(intake, resource->type, "");
	intake->resource = resource->name.text[0] != '\0' ? resource->id : NULL;
	read_body(intake, resource, body);
	if (!intake->is_out_of_memory && name != NULL)
		types[resource->type]->check(intake, resource);
	intake->resource = NULL;
	intake->is_sensitive = false;
}

/* ---- the two spellings ---- */

static void
read_direct(
    struct w_intake *intake, const struct w_resource *blank, yyjson_val *val)
{
	yyjson_val *name = yyjson_obj_get(val, "name");

	if (name == NULL) {
		(void)w_intake_refuse(intake, val, "name is required");
		w_intake_suggest(intake,
		    "add it, or make a list: '- NAME: { ... }' beneath %s",
		    w_resource_word(blank->type));
	}
	read_resource(intake, blank, name, val);
}

static void
read_named(struct w_intake *intake, const struct w_resource *like,
    yyjson_val *name, yyjson_val *body)
{
	const yyjson_val *inner = yyjson_obj_get(body, "name");

	if (inner != NULL) {
		(void)w_intake_refuse(intake, inner,
		    "the name is the key already: '%.60s'",
		    w_intake_word(name));
		w_intake_suggest(intake, "use command for what it runs");
	}
	read_resource(intake, like, name, body);
}

static bool
is_defaults(yyjson_val *item)
{
	return yyjson_obj_size(item) == 1 &&
	       yyjson_obj_get(item, "defaults") != NULL;
}

static void
read_defaults_body(
    struct w_intake *intake, struct w_resource *like, yyjson_val *body)
{
	static const char *const own[] = {"name", "alias", NULL};

	for (size_t i = 0; own[i] != NULL; i++) {
		yyjson_val *val = yyjson_obj_get(body, own[i]);

		if (val != NULL)
			(void)w_intake_refuse(intake, val,
			    "defaults cannot have the key '%s'", own[i]);
	}
	intake->is_sensitive = says_sensitive(body);
	read_body(intake, like, body);
}

/* Wherever in the list they stand. */
static void
read_defaults(
    struct w_intake *intake, struct w_resource *like, yyjson_val *list)
{
	size_t i;
	size_t count;
	yyjson_val *item;
	bool is_read = false;

	yyjson_arr_foreach(list, i, count, item)
	{
		if (!is_defaults(item))
			continue;
		if (is_read)
			(void)w_intake_refuse(intake, item,
			    "multiple defaults found in one list");
		else
			read_defaults_body(
			    intake, like, yyjson_obj_get(item, "defaults"));
		is_read = true;
	}
}

/* A map with the name as its only key. */
static bool
check_named(struct w_intake *intake, const char *type, yyjson_val *item)
{
	if (yyjson_obj_size(item) == 1)
		return true;
	if (yyjson_obj_size(item) > 1) {
		(void)w_intake_refuse(intake, item,
		    "multiple resource names found in %s resource", type);
		w_intake_suggest(intake, "check the indentation: properties "
					 "stand beneath the name");
		return false;
	}
	(void)w_intake_refuse(intake, item,
	    "a resource in a list must be a map with its name as the only "
	    "key, not %s",
	    w_json_type_words(item));
	if (yyjson_is_str(item))
		w_intake_suggest(
		    intake, "write '%.60s: {}'", w_intake_word(item));
	return false;
}

static void
read_list(struct w_intake *intake, struct w_resource *like, yyjson_val *list)
{
	size_t i;
	size_t count;
	yyjson_val *item;

	read_defaults(intake, like, list);
	yyjson_arr_foreach(list, i, count, item)
	{
		yyjson_obj_iter iter = yyjson_obj_iter_with(item);
		yyjson_val *name = yyjson_obj_iter_next(&iter);

		if (is_defaults(item) ||
		    !check_named(intake, w_resource_word(like->type), item))
			continue;
		read_named(intake, like, name, yyjson_obj_iter_get_val(name));
	}
}

static void
read_type(struct w_intake *intake, enum w_resource_type type, yyjson_val *val)
{
	struct w_resource blank = {.type = type};

	blank.ensure = "present";
	blank.provider = "posix";
	types[type]->begin(&blank);
	if (yyjson_is_arr(val)) {
		read_list(intake, &blank, val);
	} else if (yyjson_is_obj(val)) {
		read_direct(intake, &blank, val);
	} else {
		(void)w_intake_refuse(intake, val,
		    "%s must be a map with a name, or a list, not %s",
		    w_resource_word(type), w_json_type_words(val));
		if (yyjson_is_str(val))
			w_intake_suggest(intake, "write { name: '%.60s' }",
			    w_intake_word(val));
	}
}

/* ---- all of them ---- */

static int
find_type(yyjson_val *key)
{
	for (int i = 0; i < W_RESOURCE_TYPES; i++) {
		if (yyjson_equals_str(
			key, w_resource_word((enum w_resource_type)i)))
			return i;
	}
	return -1;
}

static void
refuse_type(struct w_intake *intake, yyjson_val *key)
{
	const char *words[W_RESOURCE_TYPES + 1] = {NULL};

	for (size_t i = 0; other_types[i] != NULL; i++) {
		if (!yyjson_equals_str(key, other_types[i]))
			continue;
		(void)w_intake_refuse(intake, key,
		    "resource type '%s' is not supported yet", other_types[i]);
		return;
	}
	for (size_t i = 0; i < W_RESOURCE_TYPES; i++)
		words[i] = w_resource_word((enum w_resource_type)i);
	(void)w_intake_refuse(
	    intake, key, "unknown resource type '%.60s'", w_intake_word(key));
	w_intake_suggest_word(
	    intake, w_match_nearest(w_intake_word(key), words));
}

static void
read_item(struct w_intake *intake, yyjson_val *item)
{
	yyjson_obj_iter iter;
	yyjson_val *key;

	if (!yyjson_obj_iter_init(item, &iter) || yyjson_obj_size(item) == 0) {
		(void)w_intake_refuse(intake, item,
		    "a resource must be a map from its type, not %s",
		    w_json_type_words(item));
		return;
	}
	key = yyjson_obj_iter_next(&iter);
	const int type = find_type(key);
	if (type < 0)
		refuse_type(intake, key);
	else
		read_type(intake, (enum w_resource_type)type,
		    yyjson_obj_iter_get_val(key));
	key = yyjson_obj_iter_next(&iter);
	if (key == NULL)
		return;
	(void)w_intake_refuse(intake, key,
	    "an item has one resource type, and this one '%.60s' as well",
	    w_intake_word(key));
	w_intake_suggest(intake, "begin another item with '- '");
}

/* At most: what is refused does not become one. */
static size_t
count_resources(yyjson_val *list)
{
	size_t total = 0;
	size_t i;
	size_t count;
	yyjson_val *item;

	yyjson_arr_foreach(list, i, count, item)
	{
		yyjson_obj_iter iter = yyjson_obj_iter_with(item);
		yyjson_val *val =
		    yyjson_obj_iter_get_val(yyjson_obj_iter_next(&iter));

		total += yyjson_is_arr(val) ? yyjson_arr_size(val) : 1;
	}
	return total;
}

void
w_intake_resources(struct w_intake *intake, yyjson_val *val)
{
	size_t i;
	size_t count;
	yyjson_val *item;

	if (!yyjson_is_arr(val)) {
		(void)w_intake_refuse(intake, val,
		    "resources must be a list, not %s", w_json_type_words(val));
		return;
	}
	const size_t total = count_resources(val);
	if (total > W_MANIFEST_RESOURCES_MAX) {
		(void)w_intake_refuse(intake, val,
		    "the manifest has %zu resources, the limit is %d", total,
		    W_MANIFEST_RESOURCES_MAX);
		return;
	}
	intake->manifest->resources =
	    w_intake_alloc(intake, total, sizeof(struct w_resource));
	if (intake->manifest->resources == NULL)
		return;
	yyjson_arr_foreach(val, i, count, item) read_item(intake, item);
	if (intake->manifest->count == 0 && !intake->is_refused)
		(void)w_intake_refuse(
		    intake, val, "manifest must contain resources");
}
