/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SCHEMA_COMPILER_H
#define W_SCHEMA_COMPILER_H

#include "base/buf.h"
#include "schema/hash_table.h"
#include "schema/node.h"

/*
 * Compiles a schema into nodes. First a document is scanned: every subschema,
 * $id and anchor is found, and each subschema gets an empty node. Then the
 * nodes that are needed are filled in one by one.
 */
struct w_compiler {
	struct w_schema *schema;
	struct w_schema_options options;
	struct w_hash_table nodes;     /* by the address of the schema */
	struct w_hash_table resources; /* by URI */
	struct w_hash_table anchors;   /* by URI#name */
	struct w_schema_resource *resource_list;
	struct w_listed_schema_tree *documents;
	struct w_node *pending; /* the next node to fill in */
	struct w_node *last;    /* end of the list of needed nodes */
	size_t node_count;
	yyjson_val *at; /* the error's place, if in the schema's own document */
	writ_error *err;

	/* Keywords of the current node that depend on each other. */
	struct w_parts {
		yyjson_val *properties;
		yyjson_val *patterns;
		yyjson_val *required;
		yyjson_val *dependent_required;
		yyjson_val *dependent_schemas;
		yyjson_val *dependencies;
		yyjson_val *additional_items;
	} parts;
};

struct w_listed_schema_tree {
	struct w_schema_tree document;
	struct w_listed_schema_tree *next;
};

/* Limits for a schema. */
#define W_SCHEMA_DEPTH_MAX 256
#define W_SCHEMA_NODES_MAX ((size_t)1 << 20)

#define W_SCHEMA_STAGE     "schema"

/* Fails; the message starts with the JSON Pointer of at. */
writ_status w_compile_fail(struct w_compiler *compiler, yyjson_val *at,
    const char *fmt, ...) __attribute__((format(printf, 3, 4), cold));

/* Fails with "must be a string, got a number". */
writ_status w_compile_fail_type(struct w_compiler *compiler, yyjson_val *value,
    const char *wanted) __attribute__((cold));
writ_status w_compile_nomem(struct w_compiler *compiler);

/* "a number", "an object", ... */
const char *w_compile_type_name(yyjson_val *value);

/* The node of a subschema, queued for filling in. Fails if the value is not a
 * schema. */
writ_status w_compile_sub(
    struct w_compiler *compiler, yyjson_val *value, struct w_node **out_node);
writ_status w_compile_subs(
    struct w_compiler *compiler, yyjson_val *array, struct w_nodes *out_nodes);
void w_compile_queue(struct w_compiler *compiler, struct w_node *node);

/* scan.c */

/* Creates the nodes of a schema and all below it. */
writ_status w_scan(struct w_compiler *compiler, yyjson_val *value,
    struct w_schema_resource *resource, struct w_node **out_node);
writ_status w_scan_document(struct w_compiler *compiler, const char *uri,
    yyjson_val *root, struct w_node **out_node);
struct w_node *w_scan_node(
    const struct w_compiler *compiler, yyjson_val *value);

/* naming.c */

/* Updates the resource if the schema starts one ($id). */
writ_status w_naming_enter(struct w_compiler *compiler, yyjson_val *schema,
    struct w_schema_resource **resource);
writ_status w_naming_add_anchors(struct w_compiler *compiler,
    struct w_schema_resource *resource, struct w_node *node);

/* Registers a resource under a URI; at: the value that declares it. */
writ_status w_naming_add_key(struct w_compiler *compiler, const char *uri,
    struct w_schema_resource *resource, yyjson_val *at);

/* dialect.c */

/* The vocabularies of a document without $schema. */
unsigned w_dialect_vocabularies(const struct w_compiler *compiler);

/* Applies $schema to a resource; value NULL: no change. */
writ_status w_dialect_read(struct w_compiler *compiler, yyjson_val *value,
    struct w_schema_resource *resource);

/* reference.c */

/* *out_resource is NULL if no resource has this URI. */
writ_status w_reference_resource(struct w_compiler *compiler, const char *uri,
    struct w_schema_resource **out_resource);
writ_status w_reference_find(struct w_compiler *compiler,
    const struct w_node *node, yyjson_val *ref, struct w_node **out_node,
    const struct w_anchor **out_anchor);

/* reference_loops.c */

/* Rejects schemas that apply themselves to the same value again. first: start
 * of the node list. */
writ_status w_loops_check(struct w_compiler *compiler, struct w_node *first);

/* Called after all keywords of a node were compiled. */
writ_status w_compile_object_end(
    struct w_compiler *compiler, struct w_node *node);
writ_status w_compile_list_end(
    struct w_compiler *compiler, struct w_node *node);

writ_status w_compile_pattern(struct w_compiler *compiler, yyjson_val *text,
    const struct w_pattern **out_pattern);

#endif /* W_SCHEMA_COMPILER_H */
