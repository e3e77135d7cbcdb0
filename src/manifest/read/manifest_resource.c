/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Reads resources, in both notations:
 *
 *   - exec: { name: /bin/true, timeout: 5s }
 *   - exec:
 *       - defaults: { timeout: 5s }
 *       - /bin/true: { cwd: /tmp }
 *
 * Defaults are read once, and are the initial value of each resource of their
 * list; a key of the resource replaces the default as a whole.
 *
 * A resource is read into a draft, with room for all that there is, and then
 * kept with what it says. A part that it adds nothing to is shared.
 */

#include <string.h>

#include "base/match.h"
#include "data/json_words.h"
#include "manifest/read/manifest_parser.h"

static const struct w_parse_type *const types[W_RESOURCE_TYPES] = {
    [W_RESOURCE_EXEC] = &w_parse_exec,
    [W_RESOURCE_FILE] = &w_parse_file,
    [W_RESOURCE_PACKAGE] = &w_parse_package,
    [W_RESOURCE_SERVICE] = &w_parse_service,
    [W_RESOURCE_USER] = &w_parse_user,
    [W_RESOURCE_GROUP] = &w_parse_group,
    [W_RESOURCE_ARCHIVE] = &w_parse_archive,
    [W_RESOURCE_EDIT] = &w_parse_edit,
    [W_RESOURCE_APPLY] = &w_parse_include,
};

static const char *const other_types[] = {"scaffold", NULL};

/* ---- one resource ---- */

static const char *
make_id(struct w_parser *parser, enum w_resource_type type, const char *name)
{
	const char *word = w_resource_word(type);
	const size_t len = strlen(name);
	char *id = w_parse_alloc(parser, strlen(word) + len + 2, 1);

	if (id == NULL)
		return NULL;
	(void)stpcpy(stpcpy(stpcpy(id, word), "#"), name);
	return id;
}

static void
manifest_resource_read_name(
    struct w_parser *parser, struct w_resource *resource, yyjson_val *val)
{
	struct w_property *name = &resource->name;

	if (!w_parse_fill(parser, val, "name", name)) {
		/* No further faults about it. */
		name->template.parts = NULL;
		name->text = w_parse_word(val);
	} else if (name->text[0] == '\0') {
		(void)w_parse_refuse(
		    parser, val, "name is required, and this one is empty");
	}
	resource->id = make_id(parser, resource->type, name->text);
}

/* Lists of references in defaults are copied for each resource, because each
 * has targets of its own. */
static bool
own_references(struct w_parser *parser, struct w_reference_list *list)
{
	struct w_reference *items;

	parser->references += list->count;
	if (parser->references > W_MANIFEST_REFERENCES_MAX)
		return w_parse_refuse(parser,
		    w_yaml_root(parser->manifest->yaml),
		    "the manifest has more than %d references",
		    W_MANIFEST_REFERENCES_MAX);
	if (list->count == 0)
		return true;
	items = w_parse_alloc(parser, list->count, sizeof(*items));
	if (items == NULL)
		return false;
	memcpy(items, list->items, list->count * sizeof(*items));
	list->items = items;
	return true;
}

static bool
is_marked_sensitive(yyjson_val *map)
{
	return yyjson_is_true(yyjson_obj_get(map, "sensitive"));
}

/* Reads a body over the current values of the draft. */
static void
read_body(
    struct w_parser *parser, struct w_resource_draft *draft, yyjson_val *map)
{
	const struct w_parse_type *type = types[draft->resource.type];

	if (yyjson_is_null(map))
		return;
	parser->draft = draft;
	const bool is_map = w_parse_map(parser, map,
	    w_resource_word(draft->resource.type), type->keys, draft);
	parser->draft = NULL;
	if (is_map)
		type->check_map(parser, map);
}

/* each makes more resources than the document has; their room doubles. */
static bool
have_room(struct w_parser *parser)
{
	struct w_manifest *manifest = parser->manifest;

	if (manifest->count < manifest->room)
		return true;
	if (manifest->count >= W_MANIFEST_RESOURCES_MAX) {
		(void)w_parse_refuse(parser, w_yaml_root(manifest->yaml),
		    "the manifest has more than %d resources",
		    W_MANIFEST_RESOURCES_MAX);
		return false;
	}
	const size_t room = 2 * manifest->room + 8;
	struct w_resource *resources =
	    w_parse_alloc(parser, room, sizeof(*resources));
	if (resources == NULL)
		return false;
	if (manifest->count > 0)
		memcpy(resources, manifest->resources,
		    manifest->count * sizeof(*resources));
	manifest->resources = resources;
	manifest->room = room;
	return true;
}

struct w_resource *
w_parse_new_resource(struct w_parser *parser)
{
	struct w_manifest *manifest = parser->manifest;

	if (!have_room(parser))
		return NULL;
	struct w_resource *resource = &manifest->resources[manifest->count];
	resource->index = manifest->count++;
	return resource;
}

/* ---- drafts ---- */

static struct w_reference_list *
draft_subscriptions(struct w_resource_draft *draft)
{
	if (draft->resource.type == W_RESOURCE_EXEC)
		return &draft->guards.subscribe;
	return draft->resource.type == W_RESOURCE_SERVICE
		   ? &draft->body.typed.subscribe
		   : NULL;
}

/* A draft that is a copy of the defaults gets what each has for itself. */
static void
begin_draft(struct w_parser *parser, struct w_resource_draft *draft)
{
	struct w_resource *resource = &draft->resource;

	resource->home = parser->manifest;
	resource->parent = W_NO_TARGET;
	memset(draft->is_own, 0, sizeof(draft->is_own));
	if (!own_references(parser, &resource->require))
		resource->require.count = 0;
	struct w_reference_list *subscribe = draft_subscriptions(draft);
	if (subscribe == NULL || subscribe->count == 0)
		return;
	draft->is_own[W_PART_GUARDS] = true;
	if (!own_references(parser, subscribe))
		subscribe->count = 0;
}

static const void *
keep_copy(struct w_parser *parser, const void *part, size_t size)
{
	void *copy = w_parse_alloc(parser, 1, size);

	if (copy != NULL)
		memcpy(copy, part, size);
	return copy;
}

/* A draft that adds nothing to a part shares it with others like it. */
static const void *
keep_part(struct w_parser *parser, const struct w_resource_draft *draft,
    struct w_resource_draft *like, enum w_resource_part which)
{
	const void *part = &draft->extras;
	size_t size = sizeof(draft->extras);

	if (which == W_PART_GUARDS) {
		part = &draft->guards;
		size = sizeof(draft->guards);
	} else if (which == W_PART_SETTINGS) {
		part = &draft->settings;
		size = sizeof(draft->settings);
	}
	if (draft->is_own[which])
		return keep_copy(parser, part, size);
	if (like->kept[which] == NULL)
		like->kept[which] = keep_copy(parser, part, size);
	return like->kept[which];
}

/* Makes a resource of a draft. false: no memory. */
static bool
keep_draft(struct w_parser *parser, const struct w_resource_draft *draft,
    struct w_resource_draft *like, struct w_resource *resource)
{
	const size_t index = resource->index;

	*resource = draft->resource;
	resource->index = index;
	resource->extras = keep_part(parser, draft, like, W_PART_EXTRAS);
	switch (resource->type) {
	case W_RESOURCE_EXEC:
		resource->as.exec.guards =
		    keep_part(parser, draft, like, W_PART_GUARDS);
		resource->as.exec.settings =
		    keep_part(parser, draft, like, W_PART_SETTINGS);
		break;
	case W_RESOURCE_FILE:
		resource->as.file = keep_copy(
		    parser, &draft->body.file, sizeof(draft->body.file));
		break;
	case W_RESOURCE_PACKAGE:
	case W_RESOURCE_SERVICE:
	case W_RESOURCE_USER:
	case W_RESOURCE_GROUP:
	case W_RESOURCE_ARCHIVE:
	case W_RESOURCE_EDIT:
		resource->as.typed = keep_copy(
		    parser, &draft->body.typed, sizeof(draft->body.typed));
		break;
	case W_RESOURCE_APPLY:
	case W_RESOURCE_TYPES:
		break;
	}
	return !parser->is_out_of_memory;
}

/* elements: of each; NULL: it has none. */
static void
read_one(struct w_parser *parser, struct w_resource_draft *like,
    yyjson_val *const map[2], const struct w_value *elements, size_t which)
{
	yyjson_val *name = map[0];
	yyjson_val *body = map[1];
	struct w_resource *resource = w_parse_new_resource(parser);
	struct w_resource_draft draft = *like;

	if (resource == NULL)
		return;
	begin_draft(parser, &draft);
	struct w_resource *read = &draft.resource;
	if (!w_parse_each_set(parser, read, elements, which))
		return;
	read->at = w_parse_location(parser, name != NULL ? name : body);
	parser->is_sensitive = read->is_sensitive || is_marked_sensitive(body);
	if (name != NULL)
		manifest_resource_read_name(parser, read, name);
	else
		read->name.text = "";
	if (read->id == NULL)
		read->id = make_id(parser, read->type, "");
	parser->resource = read->name.text[0] != '\0' ? read->id : NULL;
	read_body(parser, &draft, body);
	if (keep_draft(parser, &draft, like, resource) && name != NULL)
		types[resource->type]->check(parser, resource);
	parser->resource = NULL;
	parser->is_sensitive = false;
}

/* What is wrong with one element is likely to be so with the others: the first
 * one with faults is the last one. */
static void
read_resource(struct w_parser *parser, struct w_resource_draft *like,
    yyjson_val *name, yyjson_val *body)
{
	yyjson_val *const map[2] = {name, body};
	yyjson_val *each = yyjson_obj_get(body, "each");
	struct w_value elements;
	const bool was_refused = parser->is_refused;

	if (each == NULL) {
		read_one(parser, like, map, NULL, 0);
		return;
	}
	if (!w_parse_each(parser, each, &elements))
		return;
	parser->is_refused = false;
	for (size_t i = 0; i < w_parse_each_count(&elements) &&
			   !parser->is_refused && !parser->is_out_of_memory;
	     i++)
		read_one(parser, like, map, &elements, i);
	parser->is_refused |= was_refused;
	parser->has_each = true;
	parser->scope->item = parser->scope->key = NULL;
}

/* ---- both notations ---- */

static void
read_direct(
    struct w_parser *parser, struct w_resource_draft *blank, yyjson_val *val)
{
	yyjson_val *name = yyjson_obj_get(val, "name");

	if (name == NULL) {
		(void)w_parse_refuse(parser, val, "name is required");
		w_parse_suggest(parser,
		    "add it, or make a list: '- NAME: { ... }' beneath %s",
		    w_resource_word(blank->resource.type));
	}
	read_resource(parser, blank, name, val);
}

static void
read_named(struct w_parser *parser, struct w_resource_draft *like,
    yyjson_val *name, yyjson_val *body)
{
	const yyjson_val *inner = yyjson_obj_get(body, "name");

	if (inner != NULL) {
		(void)w_parse_refuse(parser, inner,
		    "the name is the key already: '%.60s'", w_parse_word(name));
		w_parse_suggest(parser, "use command for what it runs");
	}
	read_resource(parser, like, name, body);
}

static bool
is_defaults(yyjson_val *item)
{
	return yyjson_obj_size(item) == 1 &&
	       yyjson_obj_get(item, "defaults") != NULL;
}

static void
read_defaults_body(
    struct w_parser *parser, struct w_resource_draft *like, yyjson_val *body)
{
	static const char *const own[] = {
	    "name", "alias", "each", "register", NULL};

	for (size_t i = 0; own[i] != NULL; i++) {
		yyjson_val *val = yyjson_obj_get(body, own[i]);

		if (val != NULL)
			(void)w_parse_refuse(parser, val,
			    "defaults cannot have the key '%s'", own[i]);
	}
	parser->is_sensitive = is_marked_sensitive(body);
	read_body(parser, like, body);
	for (size_t i = 0; i < W_PARTS; i++) {
		if (like->is_own[i])
			like->kept[i] = NULL;
	}
}

/* They may be anywhere in the list. */
static void
read_defaults(
    struct w_parser *parser, struct w_resource_draft *like, yyjson_val *list)
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
			(void)w_parse_refuse(parser, item,
			    "multiple defaults found in one list");
		else
			read_defaults_body(
			    parser, like, yyjson_obj_get(item, "defaults"));
		is_read = true;
	}
}

/* A map with the name as its only key. */
static bool
check_named(struct w_parser *parser, const char *type, yyjson_val *item)
{
	if (yyjson_obj_size(item) == 1)
		return true;
	if (yyjson_obj_size(item) > 1) {
		(void)w_parse_refuse(parser, item,
		    "multiple resource names found in %s resource", type);
		w_parse_suggest(parser,
		    "check the indentation: properties go beneath the name");
		return false;
	}
	(void)w_parse_refuse(parser, item,
	    "a resource in a list must be a map with its name as the only "
	    "key, not %s",
	    w_json_type_words(item));
	if (yyjson_is_str(item))
		w_parse_suggest(
		    parser, "write '%.60s: {}'", w_parse_word(item));
	return false;
}

static void
manifest_resource_read_list(
    struct w_parser *parser, struct w_resource_draft *like, yyjson_val *list)
{
	size_t i;
	size_t count;
	yyjson_val *item;

	read_defaults(parser, like, list);
	yyjson_arr_foreach(list, i, count, item)
	{
		yyjson_obj_iter iter = yyjson_obj_iter_with(item);
		yyjson_val *name = yyjson_obj_iter_next(&iter);

		if (is_defaults(item) ||
		    !check_named(
			parser, w_resource_word(like->resource.type), item))
			continue;
		read_named(parser, like, name, yyjson_obj_iter_get_val(name));
	}
}

static void
manifest_resource_read_type(
    struct w_parser *parser, enum w_resource_type type, yyjson_val *val)
{
	struct w_resource_draft blank = {.resource.type = type};

	blank.resource.ensure = "present";
	blank.resource.provider = "posix";
	if (types[type]->begin != NULL)
		types[type]->begin(&blank);
	memcpy(blank.kept, parser->kept[type], sizeof(blank.kept));
	if (yyjson_is_arr(val)) {
		manifest_resource_read_list(parser, &blank, val);
	} else if (yyjson_is_obj(val)) {
		read_direct(parser, &blank, val);
	} else {
		(void)w_parse_refuse(parser, val,
		    "%s must be a map with a name, or a list, not %s",
		    w_resource_word(type), w_json_type_words(val));
		if (yyjson_is_str(val))
			w_parse_suggest(parser, "write { name: '%.60s' }",
			    w_parse_word(val));
	}
	for (size_t i = 0; i < W_PARTS; i++) {
		if (!blank.is_own[i])
			parser->kept[type][i] = blank.kept[i];
	}
}

/* ---- all resources ---- */

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
manifest_resource_refuse_type(struct w_parser *parser, yyjson_val *key)
{
	const char *words[W_RESOURCE_TYPES + 1] = {NULL};

	for (size_t i = 0; other_types[i] != NULL; i++) {
		if (!yyjson_equals_str(key, other_types[i]))
			continue;
		(void)w_parse_refuse(parser, key,
		    "resource type '%s' is not supported yet", other_types[i]);
		return;
	}
	for (size_t i = 0; i < W_RESOURCE_TYPES; i++)
		words[i] = w_resource_word((enum w_resource_type)i);
	(void)w_parse_refuse(
	    parser, key, "unknown resource type '%.60s'", w_parse_word(key));
	w_parse_suggest_word(parser, w_match_nearest(w_parse_word(key), words));
}

static void
read_item(struct w_parser *parser, yyjson_val *item)
{
	yyjson_obj_iter iter;
	yyjson_val *key;

	if (!yyjson_obj_iter_init(item, &iter) || yyjson_obj_size(item) == 0) {
		(void)w_parse_refuse(parser, item,
		    "a resource must be a map from its type, not %s",
		    w_json_type_words(item));
		return;
	}
	key = yyjson_obj_iter_next(&iter);
	const int type = find_type(key);
	if (type < 0)
		manifest_resource_refuse_type(parser, key);
	else
		manifest_resource_read_type(parser, (enum w_resource_type)type,
		    yyjson_obj_iter_get_val(key));
	key = yyjson_obj_iter_next(&iter);
	if (key == NULL)
		return;
	(void)w_parse_refuse(parser, key,
	    "an item has one resource type, and this one '%.60s' as well",
	    w_parse_word(key));
	w_parse_suggest(parser, "begin another item with '- '");
}

/* An upper bound: invalid ones count too. */
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
w_parse_resources(struct w_parser *parser, yyjson_val *val)
{
	size_t i;
	size_t count;
	yyjson_val *item;

	if (!yyjson_is_arr(val)) {
		(void)w_parse_refuse(parser, val,
		    "resources must be a list, not %s", w_json_type_words(val));
		return;
	}
	const size_t total = count_resources(val);
	if (total > W_MANIFEST_RESOURCES_MAX) {
		(void)w_parse_refuse(parser, val,
		    "the manifest has %zu resources, the limit is %d", total,
		    W_MANIFEST_RESOURCES_MAX);
		return;
	}
	parser->manifest->resources =
	    w_parse_alloc(parser, total, sizeof(struct w_resource));
	if (parser->manifest->resources == NULL)
		return;
	parser->manifest->room = total;
	yyjson_arr_foreach(val, i, count, item) read_item(parser, item);
	/* A list of each may be empty on this machine. */
	if (parser->manifest->count == 0 && !parser->is_refused &&
	    !parser->has_each)
		(void)w_parse_refuse(
		    parser, val, "manifest must contain resources");
}
