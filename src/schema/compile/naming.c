/* SPDX-License-Identifier: Apache-2.0 */

/* Names of schemas: URIs of resources ($id), and anchors in them (in draft-07
 * the fragment of an $id). */

#include <string.h>

#include "schema/compile/compiler.h"
#include "schema/compile/uri.h"

/* Copies the buffer into the arena. */
static writ_status
naming_make_key(struct w_compiler *compiler, struct w_buf *buf, char **out_key)
{
	if (!buf->failed)
		*out_key =
		    w_arena_text(&compiler->schema->arena, buf->data, buf->len);
	if (buf->failed || *out_key == NULL)
		return w_compile_nomem(compiler);
	return WRIT_OK;
}

/* The key of an anchor in the global table: URI#name. */
static writ_status
make_anchor_key(struct w_compiler *compiler,
    const struct w_schema_resource *resource, yyjson_val *name,
    struct w_anchor *out_anchor, char **out_key)
{
	W_AUTO_BUF struct w_buf buf;
	const char *text = yyjson_get_str(name);
	size_t len = yyjson_get_len(name);

	/* In draft-07 the name is the fragment of an $id. */
	if (resource->draft == W_SCHEMA_DRAFT_07)
		text = w_uri_fragment(text, len, &len);
	w_buf_init(&buf, strlen(resource->uri) + 1 + len);
	w_buf_add_fmt(&buf, "%s#", resource->uri);
	w_buf_add(&buf, text, len);
	writ_status status = naming_make_key(compiler, &buf, out_key);
	if (status != WRIT_OK)
		return status;
	out_anchor->name = *out_key + strlen(resource->uri) + 1;
	out_anchor->len = len;
	return WRIT_OK;
}

static writ_status
add_anchor(struct w_compiler *compiler, struct w_schema_resource *resource,
    struct w_node *node, yyjson_val *name, bool is_dynamic)
{
	struct w_anchor *anchor =
	    w_arena_alloc(&compiler->schema->arena, 1, sizeof(*anchor));
	char *key = NULL;

	if (anchor == NULL)
		return w_compile_nomem(compiler);
	anchor->node = node;
	anchor->is_dynamic = is_dynamic;
	writ_status status =
	    make_anchor_key(compiler, resource, name, anchor, &key);
	if (status != WRIT_OK)
		return status;
	size_t key_len = strlen(resource->uri) + 1 + anchor->len;
	if (w_hash_table_get(&compiler->anchors, key, key_len) != NULL)
		return w_compile_fail(compiler, name,
		    "the anchor '%s' is used twice", anchor->name);
	if (!w_hash_table_put(&compiler->anchors, key, key_len, anchor))
		return w_compile_nomem(compiler);
	if (is_dynamic) {
		anchor->next = resource->dynamic_anchors;
		resource->dynamic_anchors = anchor;
	}
	return WRIT_OK;
}

writ_status
w_naming_add_key(struct w_compiler *compiler, const char *uri,
    struct w_schema_resource *resource, yyjson_val *at)
{
	if (w_hash_table_get(&compiler->resources, uri, strlen(uri)) != NULL)
		return w_compile_fail(
		    compiler, at, "the identifier '%s' is used twice", uri);
	if (!w_hash_table_put(&compiler->resources, uri, strlen(uri), resource))
		return w_compile_nomem(compiler);
	return WRIT_OK;
}

/* A string member; NULL: not a string, which compiling reports. */
static yyjson_val *
get_text(yyjson_val *schema, const char *key)
{
	yyjson_val *value = yyjson_obj_get(schema, key);

	return yyjson_is_str(value) ? value : NULL;
}

/* Whether an $id names a resource rather than an anchor. Draft-07 ignores an
 * $id next to a $ref. */
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
check_id(struct w_compiler *compiler, yyjson_val *id,
    const struct w_schema_resource *outer)
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

/* Creates the resource of a schema that has a URI. */
static writ_status
add_resource(struct w_compiler *compiler, const struct w_schema_resource *outer,
    yyjson_val *schema, yyjson_val *id, struct w_schema_resource **out_resource)
{
	W_AUTO_BUF struct w_buf buf;
	char *uri = NULL;

	w_buf_init(&buf, strlen(outer->uri) + W_URI_ROOM);
	if (id != NULL)
		w_uri_resolve(
		    &buf, outer->uri, yyjson_get_str(id), yyjson_get_len(id));
	else
		w_buf_add_str(&buf, outer->uri);
	writ_status status = naming_make_key(compiler, &buf, &uri);
	if (status != WRIT_OK)
		return status;

	struct w_schema_resource *resource =
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
	return w_naming_add_key(compiler, uri, resource, id);
}

writ_status
w_naming_enter(struct w_compiler *compiler, yyjson_val *schema,
    struct w_schema_resource **resource)
{
	struct w_schema_resource outer = **resource;
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

writ_status
w_naming_add_anchors(struct w_compiler *compiler,
    struct w_schema_resource *resource, struct w_node *node)
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
