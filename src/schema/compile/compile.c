/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Compiles a schema: scans it, fills in its nodes, and finally looks for loops.
 */

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "schema/compile/keyword.h"
#include "schema/pointer.h"

#define PLACE_MAX   1024
#define MESSAGE_MAX 400
#define URI_SHOWN   200

/* Appends the location of a value: the URI of its document, unless it is the
 * schema's own, and its JSON Pointer. */
static void
compile_add_place(
    const struct w_compiler *compiler, struct w_buf *buf, yyjson_val *at)
{
	const struct w_listed_schema_tree *listed = compiler->documents;

	while (
	    listed != NULL && !w_pointer_is_inside(listed->document.root, at))
		listed = listed->next;
	if (listed == NULL)
		return;
	if (&listed->document != compiler->schema->document)
		w_buf_add_fmt(buf, "%.*s#", URI_SHOWN, listed->document.uri);
	w_pointer_add_place(buf, listed->document.root, at);
}

writ_status
w_compile_fail(
    struct w_compiler *compiler, yyjson_val *at, const char *fmt, ...)
{
	W_AUTO_BUF struct w_buf place;
	char message[MESSAGE_MAX] = "";
	va_list args;

	va_start(args, fmt);
	(void)vsnprintf(message, sizeof(message), fmt, args);
	va_end(args);
	w_buf_init(&place, PLACE_MAX);
	if (at != NULL)
		compile_add_place(compiler, &place, at);
	if (at != NULL &&
	    w_pointer_is_inside(compiler->schema->document->root, at))
		compiler->at = at;
	return w_fail(compiler->err, WRIT_E_INVALID, W_SCHEMA_STAGE, 0, "%s%s",
	    place.data, message);
}

writ_status
w_compile_nomem(struct w_compiler *compiler)
{
	return w_fail_nomem(compiler->err, W_SCHEMA_STAGE);
}

const char *
w_compile_type_name(yyjson_val *value)
{
	switch (yyjson_get_type(value)) {
	case YYJSON_TYPE_NULL:
		return "null";
	case YYJSON_TYPE_BOOL:
		return "a boolean";
	case YYJSON_TYPE_RAW:
	case YYJSON_TYPE_NUM:
		return "a number";
	case YYJSON_TYPE_STR:
		return "a string";
	case YYJSON_TYPE_ARR:
		return "an array";
	case YYJSON_TYPE_OBJ:
		return "an object";
	default:
		return "nothing";
	}
}

writ_status
w_compile_fail_type(
    struct w_compiler *compiler, yyjson_val *value, const char *wanted)
{
	return w_compile_fail(compiler, value, "must be %s, got %s", wanted,
	    w_compile_type_name(value));
}

void
w_compile_queue(struct w_compiler *compiler, struct w_node *node)
{
	if (node->is_queued)
		return;
	node->is_queued = true;
	if (compiler->last != NULL)
		compiler->last->next = node;
	compiler->last = node;
	if (compiler->pending == NULL)
		compiler->pending = node;
}

writ_status
w_compile_sub(
    struct w_compiler *compiler, yyjson_val *value, struct w_node **out_node)
{
	struct w_node *node = w_scan_node(compiler, value);

	if (node == NULL)
		return w_compile_fail(compiler, value,
		    "expected a schema, an object or a boolean, got %s",
		    w_compile_type_name(value));
	w_compile_queue(compiler, node);
	*out_node = node;
	return WRIT_OK;
}

writ_status
w_compile_subs(
    struct w_compiler *compiler, yyjson_val *array, struct w_nodes *out_nodes)
{
	size_t i;
	size_t count;
	yyjson_val *value;

	if (!yyjson_is_arr(array))
		return w_compile_fail_type(
		    compiler, array, "an array of schemas");
	if (yyjson_arr_size(array) == 0)
		return w_compile_fail(
		    compiler, array, "must have at least one schema");
	struct w_node **items = w_arena_alloc(&compiler->schema->arena,
	    yyjson_arr_size(array), sizeof(struct w_node *));
	if (items == NULL)
		return w_compile_nomem(compiler);
	yyjson_arr_foreach(array, i, count, value)
	{
		writ_status status = w_compile_sub(compiler, value, &items[i]);
		if (status != WRIT_OK)
			return status;
	}
	*out_nodes = (struct w_nodes){.items = items, .count = count};
	return WRIT_OK;
}

static writ_status
compile_members(struct w_compiler *compiler, struct w_node *node)
{
	yyjson_val *ref = node->resource->draft == W_SCHEMA_DRAFT_07
			      ? yyjson_obj_get(node->schema, "$ref")
			      : NULL;
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *value;

	yyjson_obj_foreach(node->schema, i, count, key, value)
	{
		const struct w_keyword *keyword = w_keyword_find(
		    node->resource, yyjson_get_str(key), yyjson_get_len(key));
		/* Draft 07 ignores keywords next to a $ref. */
		if (keyword == NULL || (ref != NULL && value != ref))
			continue;
		writ_status status =
		    w_keyword_compile(keyword, compiler, node, value);
		if (status != WRIT_OK)
			return status;
	}
	return WRIT_OK;
}

/* Precomputes what holds for all values. */
static void
summarize_node(struct w_node *node)
{
	node->asking = 0;
	if (node->list != NULL && node->list->unevaluated != NULL)
		node->asking |= W_SCHEMA_TYPE(YYJSON_TYPE_ARR);
	if (node->object != NULL && node->object->unevaluated != NULL)
		node->asking |= W_SCHEMA_TYPE(YYJSON_TYPE_OBJ);
	node->plain = node->types & W_SCHEMA_TYPES_ALL;
	if (node->number != NULL)
		node->plain &= ~W_SCHEMA_NUMBER;
	if (node->text != NULL)
		node->plain &= ~W_SCHEMA_TYPE(YYJSON_TYPE_STR);
	if (node->list != NULL)
		node->plain &= ~W_SCHEMA_TYPE(YYJSON_TYPE_ARR);
	if (node->object != NULL)
		node->plain &= ~W_SCHEMA_TYPE(YYJSON_TYPE_OBJ);
	if (node->logic != NULL)
		node->plain = 0;
}

static writ_status
compile_node(struct w_compiler *compiler, struct w_node *node)
{
	compiler->parts = (struct w_parts){.properties = NULL};
	writ_status status = compile_members(compiler, node);
	if (status == WRIT_OK)
		status = w_compile_object_end(compiler, node);
	if (status == WRIT_OK)
		status = w_compile_list_end(compiler, node);
	if (status != WRIT_OK)
		return status;
	node->is_never = yyjson_is_false(node->schema);
	if (node->is_never)
		node->types = 0;
	summarize_node(node);
	return WRIT_OK;
}

/* A $dynamicRef may resolve to any dynamic anchor of its name. */
static void
queue_dynamic(struct w_compiler *compiler)
{
	const struct w_schema_resource *resource = compiler->resource_list;

	for (; resource != NULL; resource = resource->next) {
		const struct w_anchor *anchor = resource->dynamic_anchors;
		for (; anchor != NULL; anchor = anchor->next)
			w_compile_queue(compiler, anchor->node);
	}
}

static writ_status
compile_root(struct w_compiler *compiler, yyjson_val *root)
{
	struct w_schema *schema = compiler->schema;

	writ_status status = w_scan_document(compiler, "", root, &schema->root);
	if (status != WRIT_OK)
		return status;
	compiler->options.draft = schema->root->resource->draft;
	w_compile_queue(compiler, schema->root);
	do {
		/* Compiling a node may queue others after it. */
		while (compiler->pending != NULL) {
			status = compile_node(compiler, compiler->pending);
			if (status != WRIT_OK)
				return status;
			compiler->pending = compiler->pending->next;
		}
		if (schema->is_dynamic)
			queue_dynamic(compiler);
	} while (compiler->pending != NULL);
	return w_loops_check(compiler, schema->root);
}

writ_status
w_schema_compile(yyjson_val *root, const struct w_schema_options *options,
    struct w_schema **out_schema, yyjson_val **out_at, writ_error *err)
{
	struct w_schema *schema = calloc(1, sizeof(*schema));
	struct w_compiler compiler = {.schema = schema, .err = err};

	if (schema == NULL)
		return w_fail_nomem(err, W_SCHEMA_STAGE);
	if (options != NULL)
		compiler.options = *options;
	writ_status status = compile_root(&compiler, root);
	w_hash_table_done(&compiler.nodes);
	w_hash_table_done(&compiler.resources);
	w_hash_table_done(&compiler.anchors);
	if (status != WRIT_OK) {
		w_schema_free(schema);
		if (out_at != NULL)
			*out_at = compiler.at;
		return status;
	}
	*out_schema = schema;
	return WRIT_OK;
}

void
w_schema_free(struct w_schema *schema)
{
	if (schema == NULL)
		return;
	for (; schema->patterns != NULL;
	     schema->patterns = schema->patterns->next)
		w_pattern_free(schema->patterns->pattern);
	yyjson_doc_free(schema->metaschemas);
	w_arena_done(&schema->arena);
	free(schema);
}
