/* SPDX-License-Identifier: Apache-2.0 */

/* Resolves $ref: to a resource by its URI, then to its root, an anchor or a
 * JSON Pointer in it. A document is scanned when it is first referenced. */

#include <string.h>

#include "schema/compile/compiler.h"
#include "schema/compile/metaschemas.h"
#include "schema/compile/uri.h"
#include "schema/pointer.h"

static yyjson_val *
find_given(const struct w_compiler *compiler, const char *uri)
{
	const struct w_schema_options *options = &compiler->options;

	for (size_t i = 0; i < options->document_count; i++) {
		if (strcmp(options->documents[i].uri, uri) == 0)
			return options->documents[i].root;
	}
	return NULL;
}

writ_status
w_reference_resource(struct w_compiler *compiler, const char *uri,
    struct w_schema_resource **out_resource)
{
	struct w_schema *schema = compiler->schema;
	struct w_node *node = NULL;
	bool has_failed = false;

	*out_resource =
	    w_hash_table_get(&compiler->resources, uri, strlen(uri));
	if (*out_resource != NULL)
		return WRIT_OK;
	yyjson_val *root = find_given(compiler, uri);
	if (root == NULL)
		root =
		    w_metaschema_find(&schema->metaschemas, uri, &has_failed);
	if (has_failed)
		return w_compile_nomem(compiler);
	if (root == NULL)
		return WRIT_OK;

	char *kept = w_arena_text(&schema->arena, uri, strlen(uri));
	if (kept == NULL)
		return w_compile_nomem(compiler);
	writ_status status = w_scan_document(compiler, kept, root, &node);
	if (status == WRIT_OK)
		*out_resource =
		    w_hash_table_get(&compiler->resources, uri, strlen(uri));
	return status;
}

static writ_status
fail_nowhere(struct w_compiler *compiler, yyjson_val *ref, const char *why)
{
	return w_compile_fail(
	    compiler, ref, "'%s' leads nowhere: %s", yyjson_get_str(ref), why);
}

static writ_status
follow_pointer(struct w_compiler *compiler,
    const struct w_schema_resource *resource, yyjson_val *ref,
    const struct w_buf *pointer, struct w_node **out_node)
{
	yyjson_val *value = resource->root;
	struct w_node *node = w_scan_node(compiler, value);
	const char *text = pointer->data;
	size_t len = pointer->len;

	/* For a place that no keyword makes a schema, the nearest schema above
	 * determines the resource. */
	struct w_node *above = node;
	while (len > 0) {
		value = w_pointer_step(value, &text, &len);
		if (value == NULL)
			return fail_nowhere(
			    compiler, ref, "there is no such place");
		node = w_scan_node(compiler, value);
		if (node != NULL)
			above = node;
	}
	if (node != NULL) {
		*out_node = node;
		return WRIT_OK;
	}
	if (!yyjson_is_obj(value) && !yyjson_is_bool(value))
		return w_compile_fail(compiler, ref,
		    "'%s' leads to %s, which is not a schema",
		    yyjson_get_str(ref), w_compile_type_name(value));
	return w_scan(compiler, value, above->resource, out_node);
}

static writ_status
follow_anchor(struct w_compiler *compiler,
    const struct w_schema_resource *resource, yyjson_val *ref,
    const struct w_buf *name, const struct w_anchor **out_anchor)
{
	W_AUTO_BUF struct w_buf key;

	w_buf_init(&key, strlen(resource->uri) + 1 + name->len);
	w_buf_add_fmt(&key, "%s#", resource->uri);
	w_buf_add(&key, name->data, name->len);
	if (key.failed)
		return w_compile_nomem(compiler);
	*out_anchor = w_hash_table_get(&compiler->anchors, key.data, key.len);
	if (*out_anchor == NULL)
		return fail_nowhere(compiler, ref, "there is no such anchor");
	return WRIT_OK;
}

static writ_status
follow_fragment(struct w_compiler *compiler,
    const struct w_schema_resource *resource, yyjson_val *ref,
    struct w_node **out_node, const struct w_anchor **out_anchor)
{
	W_AUTO_BUF struct w_buf fragment;
	size_t len = 0;
	const char *text =
	    w_uri_fragment(yyjson_get_str(ref), yyjson_get_len(ref), &len);

	w_buf_init(&fragment, len);
	if (text != NULL && !w_uri_decode(&fragment, text, len))
		return fail_nowhere(
		    compiler, ref, "a percent sign must be written %25");
	if (fragment.failed)
		return w_compile_nomem(compiler);
	if (fragment.len == 0) {
		*out_node = w_scan_node(compiler, resource->root);
		return WRIT_OK;
	}
	if (fragment.data[0] == '/')
		return follow_pointer(
		    compiler, resource, ref, &fragment, out_node);
	writ_status status =
	    follow_anchor(compiler, resource, ref, &fragment, out_anchor);
	if (status == WRIT_OK)
		*out_node = (*out_anchor)->node;
	return status;
}

writ_status
w_reference_find(struct w_compiler *compiler, const struct w_node *node,
    yyjson_val *ref, struct w_node **out_node,
    const struct w_anchor **out_anchor)
{
	W_AUTO_BUF struct w_buf uri;
	struct w_schema_resource *resource = NULL;

	*out_anchor = NULL;
	w_buf_init(&uri, W_URI_ROOM);
	if (!w_uri_is_short(
		node->resource->uri, yyjson_get_str(ref), yyjson_get_len(ref)))
		return w_compile_fail(compiler, ref, "is too long a URI");
	w_uri_resolve(&uri, node->resource->uri, yyjson_get_str(ref),
	    yyjson_get_len(ref));
	if (uri.failed)
		return w_compile_nomem(compiler);
	writ_status status =
	    w_reference_resource(compiler, uri.data, &resource);
	if (status != WRIT_OK)
		return status;
	if (resource == NULL) {
		status = fail_nowhere(
		    compiler, ref, "no document with this name was given");
		w_suggest(compiler->err,
		    "nothing is fetched: put what it means under $defs and "
		    "refer to that");
		return status;
	}
	status = follow_fragment(compiler, resource, ref, out_node, out_anchor);
	if (status == WRIT_OK)
		w_compile_queue(compiler, *out_node);
	return status;
}
