/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Finding what can be referred to: the subschemas of a document, the resources
 * among them ($id) and the names inside those (anchors). Values that no keyword
 * makes a schema are not looked into; a $ref may still lead there, and then
 * they are scanned at that time.
 */

#include <string.h>

#include "schema/keyword.h"
#include "schema/pointer.h"
#include "schema/uri.h"

static writ_status scan_schema(struct w_compiler *compiler, yyjson_val *value,
    struct w_resource *resource, unsigned depth);

struct w_node *
w_scan_node(const struct w_compiler *compiler, yyjson_val *value)
{
	return w_lookup_get(&compiler->nodes, &value, sizeof(yyjson_val *));
}

static bool
is_schema(yyjson_val *value)
{
	return yyjson_is_obj(value) || yyjson_is_bool(value);
}

static writ_status
add_node(struct w_compiler *compiler, yyjson_val *value,
    struct w_resource *resource, struct w_node **out_node)
{
	struct w_schema *schema = compiler->schema;

	if (++compiler->node_count > W_SCHEMA_NODES_MAX)
		return w_compile_fail(compiler, value,
		    "more than %zu schemas in a schema", W_SCHEMA_NODES_MAX);
	struct w_node *node = w_arena_alloc(&schema->arena, 1, sizeof(*node));
	if (node == NULL)
		return w_compile_nomem(compiler);
	node->schema = value;
	node->resource = resource;
	node->types = W_TYPES_ALL;
	if (!w_lookup_put(
		&compiler->nodes, &node->schema, sizeof(yyjson_val *), node))
		return w_compile_nomem(compiler);
	if (w_pointer_is_inside(schema->document->root, value))
		w_compile_queue(compiler, node);
	*out_node = node;
	return WRIT_OK;
}

/* Appends key to the arena as the C string URI#name or URI. */
static writ_status
make_key(struct w_compiler *compiler, struct w_buf *buf, char **out_key)
{
	if (!buf->failed)
		*out_key =
		    w_arena_text(&compiler->schema->arena, buf->data, buf->len);
	if (buf->failed || *out_key == NULL)
		return w_compile_nomem(compiler);
	return WRIT_OK;
}

static writ_status
add_anchor(struct w_compiler *compiler, struct w_resource *resource,
    struct w_node *node, yyjson_val *name, bool is_dynamic)
{
	W_AUTO_BUF struct w_buf buf;
	char *key = NULL;
	const char *text = yyjson_get_str(name);
	size_t len = yyjson_get_len(name);

	/* In draft-07 the name is the fragment of an $id. */
	if (resource->draft == W_SCHEMA_DRAFT_07)
		text = w_uri_fragment(text, len, &len);
	w_buf_init(&buf, strlen(resource->uri) + 1 + len);
	w_buf_add_fmt(&buf, "%s#", resource->uri);
	size_t name_at = buf.len;
	w_buf_add(&buf, text, len);
	writ_status status = make_key(compiler, &buf, &key);
	if (status != WRIT_OK)
		return status;
	if (w_lookup_get(&compiler->anchors, key, buf.len) != NULL)
		return w_compile_fail(compiler, name,
		    "the anchor '%s' is used twice", key + name_at);

	struct w_anchor *anchor =
	    w_arena_alloc(&compiler->schema->arena, 1, sizeof(*anchor));
	if (anchor == NULL ||
	    !w_lookup_put(&compiler->anchors, key, buf.len, anchor))
		return w_compile_nomem(compiler);
	*anchor = (struct w_anchor){
	    .name = key + name_at,
	    .len = len,
	    .node = node,
	    .is_dynamic = is_dynamic,
	};
	if (is_dynamic) {
		anchor->next = resource->dynamic_anchors;
		resource->dynamic_anchors = anchor;
	}
	return WRIT_OK;
}

static writ_status
add_resource_key(struct w_compiler *compiler, const char *uri,
    struct w_resource *resource, yyjson_val *at)
{
	if (w_lookup_get(&compiler->resources, uri, strlen(uri)) != NULL)
		return w_compile_fail(
		    compiler, at, "the identifier '%s' is used twice", uri);
	if (!w_lookup_put(&compiler->resources, uri, strlen(uri), resource))
		return w_compile_nomem(compiler);
	return WRIT_OK;
}

/* A string member, or NULL when it is no string: filling in will say so. */
static yyjson_val *
get_text(yyjson_val *schema, const char *key)
{
	yyjson_val *value = yyjson_obj_get(schema, key);

	return yyjson_is_str(value) ? value : NULL;
}

/* Whether an $id names a resource rather than a place in one. In draft-07 one
 * beside a $ref means nothing. */
static bool
names_resource(yyjson_val *schema, yyjson_val *id, enum w_schema_draft draft)
{
	if (id == NULL)
		return false;
	if (draft != W_SCHEMA_DRAFT_07)
		return true;
	return yyjson_obj_get(schema, "$ref") == NULL &&
	       yyjson_get_str(id)[0] != '#';
}

static writ_status
check_id(
    struct w_compiler *compiler, yyjson_val *id, const struct w_resource *outer)
{
	size_t len = 0;
	const char *fragment =
	    w_uri_fragment(yyjson_get_str(id), yyjson_get_len(id), &len);

	if (outer->draft != W_SCHEMA_DRAFT_07 && fragment != NULL && len > 0) {
		writ_status status = w_compile_fail(compiler, id,
		    "'%s' must not have a fragment", yyjson_get_str(id));
		w_suggest(compiler->err, "name a place with $anchor");
		return status;
	}
	if (!w_uri_is_short(outer->uri, yyjson_get_str(id), yyjson_get_len(id)))
		return w_compile_fail(compiler, id, "is too long a URI");
	return WRIT_OK;
}

/* Makes a resource of its own out of a schema that has a URI. */
static writ_status
add_resource(struct w_compiler *compiler, const struct w_resource *outer,
    yyjson_val *schema, yyjson_val *id, struct w_resource **out_resource)
{
	W_AUTO_BUF struct w_buf buf;
	char *uri = NULL;

	w_buf_init(&buf, strlen(outer->uri) + W_URI_ROOM);
	if (id != NULL)
		w_uri_resolve(
		    &buf, outer->uri, yyjson_get_str(id), yyjson_get_len(id));
	else
		w_buf_add_str(&buf, outer->uri);
	writ_status status = make_key(compiler, &buf, &uri);
	if (status != WRIT_OK)
		return status;

	struct w_resource *resource =
	    w_arena_alloc(&compiler->schema->arena, 1, sizeof(*resource));
	if (resource == NULL)
		return w_compile_nomem(compiler);
	*resource = *outer;
	resource->uri = uri;
	resource->root = schema;
	resource->dynamic_anchors = NULL;
	resource->next = compiler->resource_list;
	compiler->resource_list = resource;
	*out_resource = resource;
	return add_resource_key(compiler, uri, resource, id);
}

/* Finds out in which resource a schema is, which may begin with it. */
static writ_status
enter_resource(struct w_compiler *compiler, yyjson_val *schema,
    struct w_resource **resource)
{
	struct w_resource outer = **resource;
	yyjson_val *id = get_text(schema, "$id");
	bool is_root = outer.root == NULL;
	bool may_begin = is_root || id != NULL;

	if (!may_begin)
		return WRIT_OK;
	writ_status status =
	    w_dialect_read(compiler, yyjson_obj_get(schema, "$schema"), &outer);
	if (status != WRIT_OK)
		return status;
	if (!names_resource(schema, id, outer.draft))
		id = NULL;
	if (id != NULL)
		status = check_id(compiler, id, &outer);
	if (status != WRIT_OK || (!is_root && id == NULL))
		return status;
	return add_resource(compiler, &outer, schema, id, resource);
}

static writ_status
add_anchors(struct w_compiler *compiler, struct w_resource *resource,
    struct w_node *node)
{
	yyjson_val *schema = node->schema;
	writ_status status = WRIT_OK;
	size_t len = 0;

	if (resource->draft == W_SCHEMA_DRAFT_07) {
		yyjson_val *id = get_text(schema, "$id");
		if (id != NULL && yyjson_obj_get(schema, "$ref") == NULL &&
		    w_uri_fragment(
			yyjson_get_str(id), yyjson_get_len(id), &len) != NULL &&
		    len > 0)
			status =
			    add_anchor(compiler, resource, node, id, false);
		return status;
	}
	yyjson_val *anchor = get_text(schema, "$anchor");
	if (anchor != NULL)
		status = add_anchor(compiler, resource, node, anchor, false);
	anchor = get_text(schema, "$dynamicAnchor");
	if (status == WRIT_OK && anchor != NULL)
		status = add_anchor(compiler, resource, node, anchor, true);
	return status;
}

/* Scans those members or items of a container that can be schemas. */
static writ_status
scan_each(struct w_compiler *compiler, yyjson_val *container,
    struct w_resource *resource, unsigned depth)
{
	size_t count = yyjson_get_len(container);
	size_t step = yyjson_is_obj(container) ? 1 : 0;
	yyjson_val *at = count > 0 ? unsafe_yyjson_get_first(container) : NULL;

	for (size_t i = 0; i < count; i++) {
		yyjson_val *value = at + step;
		writ_status status = WRIT_OK;
		if (is_schema(value))
			status = scan_schema(compiler, value, resource, depth);
		if (status != WRIT_OK)
			return status;
		at = unsafe_yyjson_get_next(value);
	}
	return WRIT_OK;
}

static writ_status
scan_keyword(struct w_compiler *compiler, const struct w_keyword *keyword,
    yyjson_val *value, struct w_resource *resource, unsigned depth)
{
	bool is_one = keyword->shape == W_SHAPE_SCHEMA ||
		      keyword->shape == W_SHAPE_SCHEMA_OR_LIST;
	bool is_list = keyword->shape == W_SHAPE_LIST ||
		       keyword->shape == W_SHAPE_SCHEMA_OR_LIST;
	bool is_map = keyword->shape == W_SHAPE_MAP;

	if (is_one && is_schema(value))
		return scan_schema(compiler, value, resource, depth + 1);
	if ((is_list && yyjson_is_arr(value)) ||
	    (is_map && yyjson_is_obj(value)))
		return scan_each(compiler, value, resource, depth + 1);
	return WRIT_OK;
}

/* Beside a $ref, draft-07 gives a meaning to nothing; but definitions are
 * commonly put there. */
static bool
is_ignored(const struct w_keyword *keyword, const struct w_resource *resource,
    bool has_ref)
{
	return has_ref && resource->draft == W_SCHEMA_DRAFT_07 &&
	       strcmp(keyword->name, "definitions") != 0;
}

static writ_status
scan_members(struct w_compiler *compiler, yyjson_val *schema,
    struct w_resource *resource, unsigned depth)
{
	bool has_ref = yyjson_obj_get(schema, "$ref") != NULL;
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *value;

	yyjson_obj_foreach(schema, i, count, key, value)
	{
		const struct w_keyword *keyword = w_keyword_find(
		    resource, yyjson_get_str(key), yyjson_get_len(key));
		if (keyword == NULL || is_ignored(keyword, resource, has_ref))
			continue;
		writ_status status =
		    scan_keyword(compiler, keyword, value, resource, depth);
		if (status != WRIT_OK)
			return status;
	}
	return WRIT_OK;
}

static writ_status
scan_schema(struct w_compiler *compiler, yyjson_val *value,
    struct w_resource *resource, unsigned depth)
{
	struct w_node *node = NULL;

	if (depth > W_SCHEMA_DEPTH_MAX)
		return w_compile_fail(compiler, value,
		    "nested more than %d levels deep", W_SCHEMA_DEPTH_MAX);
	if (w_scan_node(compiler, value) != NULL)
		return WRIT_OK;
	writ_status status = enter_resource(compiler, value, &resource);
	if (status == WRIT_OK)
		status = add_node(compiler, value, resource, &node);
	if (status == WRIT_OK)
		status = add_anchors(compiler, resource, node);
	if (status == WRIT_OK)
		status = scan_members(compiler, value, resource, depth);
	return status;
}

writ_status
w_scan(struct w_compiler *compiler, yyjson_val *value,
    struct w_resource *resource, struct w_node **out_node)
{
	if (!is_schema(value))
		return w_compile_fail(compiler, value,
		    "expected a schema, an object or a boolean, got %s",
		    w_compile_type_name(value));
	writ_status status = scan_schema(compiler, value, resource, 0);
	if (status == WRIT_OK)
		*out_node = w_scan_node(compiler, value);
	return status;
}

writ_status
w_scan_document(struct w_compiler *compiler, const char *uri, yyjson_val *root,
    struct w_node **out_node)
{
	struct w_listed_document *listed =
	    w_arena_alloc(&compiler->schema->arena, 1, sizeof(*listed));

	if (listed == NULL)
		return w_compile_nomem(compiler);
	listed->document = (struct w_document){.uri = uri, .root = root};
	listed->next = compiler->documents;
	compiler->documents = listed;
	if (compiler->schema->document == NULL)
		compiler->schema->document = &listed->document;

	/* A resource without a root: what is scanned next begins one. */
	struct w_resource outside = {
	    .uri = uri,
	    .document = &listed->document,
	    .draft = compiler->options.draft,
	    .vocabularies = ~(unsigned)W_VOCABULARY_FORMAT_ASSERTION,
	};
	if (compiler->options.formats)
		outside.vocabularies |= W_VOCABULARY_FORMAT_ASSERTION;
	writ_status status = w_scan(compiler, root, &outside, out_node);
	if (status != WRIT_OK)
		return status;

	/* It may call itself something else than where it was found. */
	struct w_resource *resource = NULL;
	if (w_lookup_get(&compiler->resources, uri, strlen(uri)) != NULL)
		return WRIT_OK;
	for (resource = compiler->resource_list; resource->root != root;)
		resource = resource->next;
	return add_resource_key(compiler, uri, resource, root);
}
