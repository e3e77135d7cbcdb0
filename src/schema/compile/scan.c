/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Finds what can be referenced: the subschemas of a document, each with its
 * resource. Values that no keyword makes a schema are skipped; if a $ref leads
 * to one, it is scanned then.
 */

#include <string.h>

#include "schema/compile/keyword.h"
#include "schema/compile/uri.h"
#include "schema/pointer.h"

static writ_status scan_schema(struct w_compiler *compiler, yyjson_val *value,
    struct w_schema_resource *resource, unsigned depth);

struct w_node *
w_scan_node(const struct w_compiler *compiler, yyjson_val *value)
{
	return w_hash_table_get(&compiler->nodes, &value, sizeof(yyjson_val *));
}

static bool
is_schema(yyjson_val *value)
{
	return yyjson_is_obj(value) || yyjson_is_bool(value);
}

static writ_status
scan_add_node(struct w_compiler *compiler, yyjson_val *value,
    struct w_schema_resource *resource, struct w_node **out_node)
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
	node->types = W_SCHEMA_TYPES_ALL;
	if (!w_hash_table_put(
		&compiler->nodes, &node->schema, sizeof(yyjson_val *), node))
		return w_compile_nomem(compiler);
	if (w_pointer_is_inside(schema->document->root, value))
		w_compile_queue(compiler, node);
	*out_node = node;
	return WRIT_OK;
}

/* Scans the members or items of a container that can be schemas. */
static writ_status
scan_each(struct w_compiler *compiler, yyjson_val *container,
    struct w_schema_resource *resource, unsigned depth)
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
    yyjson_val *value, struct w_schema_resource *resource, unsigned depth)
{
	bool is_one = keyword->shape == W_KEYWORD_SHAPE_SCHEMA ||
		      keyword->shape == W_KEYWORD_SHAPE_SCHEMA_OR_LIST;
	bool is_list = keyword->shape == W_KEYWORD_SHAPE_LIST ||
		       keyword->shape == W_KEYWORD_SHAPE_SCHEMA_OR_LIST;
	bool is_map = keyword->shape == W_KEYWORD_SHAPE_MAP;

	if (is_one && is_schema(value))
		return scan_schema(compiler, value, resource, depth + 1);
	if ((is_list && yyjson_is_arr(value)) ||
	    (is_map && yyjson_is_obj(value)))
		return scan_each(compiler, value, resource, depth + 1);
	return WRIT_OK;
}

static writ_status
scan_members(struct w_compiler *compiler, yyjson_val *schema,
    struct w_schema_resource *resource, unsigned depth)
{
	bool is_ref = resource->draft == W_SCHEMA_DRAFT_07 &&
		      yyjson_obj_get(schema, "$ref") != NULL;
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *value;

	yyjson_obj_foreach(schema, i, count, key, value)
	{
		const struct w_keyword *keyword = w_keyword_find(
		    resource, yyjson_get_str(key), yyjson_get_len(key));
		if (keyword == NULL)
			continue;
		/* Draft-07 ignores keywords next to a $ref, but definitions
		 * are commonly put there. */
		if (is_ref && strcmp(keyword->name, "definitions") != 0)
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
    struct w_schema_resource *resource, unsigned depth)
{
	struct w_node *node = NULL;

	if (depth > W_SCHEMA_DEPTH_MAX)
		return w_compile_fail(compiler, value,
		    "nested more than %d levels deep", W_SCHEMA_DEPTH_MAX);
	if (w_scan_node(compiler, value) != NULL)
		return WRIT_OK;
	writ_status status = w_naming_enter(compiler, value, &resource);
	if (status == WRIT_OK)
		status = scan_add_node(compiler, value, resource, &node);
	if (status == WRIT_OK)
		status = w_naming_add_anchors(compiler, resource, node);
	if (status == WRIT_OK)
		status = scan_members(compiler, value, resource, depth);
	return status;
}

writ_status
w_scan(struct w_compiler *compiler, yyjson_val *value,
    struct w_schema_resource *resource, struct w_node **out_node)
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

static struct w_schema_tree *
list_document(struct w_compiler *compiler, const char *uri, yyjson_val *root)
{
	struct w_listed_schema_tree *listed =
	    w_arena_alloc(&compiler->schema->arena, 1, sizeof(*listed));

	if (listed == NULL)
		return NULL;
	listed->document = (struct w_schema_tree){.uri = uri, .root = root};
	listed->next = compiler->documents;
	compiler->documents = listed;
	if (compiler->schema->document == NULL)
		compiler->schema->document = &listed->document;
	return &listed->document;
}

writ_status
w_scan_document(struct w_compiler *compiler, const char *uri, yyjson_val *root,
    struct w_node **out_node)
{
	const struct w_schema_tree *document =
	    list_document(compiler, uri, root);

	if (document == NULL)
		return w_compile_nomem(compiler);

	/* A resource without a root: the scan creates the real one. */
	struct w_schema_resource outside = {
	    .uri = uri,
	    .document = document,
	    .draft = compiler->options.draft,
	    .vocabularies = w_dialect_vocabularies(compiler),
	};
	writ_status status = w_scan(compiler, root, &outside, out_node);
	if (status != WRIT_OK)
		return status;

	/* Its $id may differ from the URI it was found under. */
	struct w_schema_resource *resource = NULL;
	if (w_hash_table_get(&compiler->resources, uri, strlen(uri)) != NULL)
		return WRIT_OK;
	for (resource = compiler->resource_list; resource->root != root;)
		resource = resource->next;
	return w_naming_add_key(compiler, uri, resource, root);
}
