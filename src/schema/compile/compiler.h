/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SCHEMA_COMPILER_H
#define W_SCHEMA_COMPILER_H

#include "base/buf.h"
#include "schema/hash_table.h"
#include "schema/node.h"

/*
 * The work of making nodes out of a schema. A document is first scanned, which
 * finds every subschema, $id and anchor in it and gives each subschema an empty
 * node; then the nodes that are needed are filled in, one after the other.
 */
struct w_compiler {
	struct w_schema *schema;
	struct w_schema_options options;
	struct w_hash_table nodes;     /* by the address of the schema */
	struct w_hash_table resources; /* by URI */
	struct w_hash_table anchors;   /* by URI#name */
	struct w_schema_resource *resource_list;
	struct w_listed_schema_tree *documents;
	struct w_node *pending; /* the first node still to be filled in */
	struct w_node *last;    /* the end of the list of all that are needed */
	size_t node_count;
	yyjson_val *at; /* what is wrong, in the schema's own document */
	writ_error *err;

	/* Keywords of the node at hand that only make sense together. */
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

/* Limits on what is accepted as a schema. */
#define W_SCHEMA_DEPTH_MAX 256
#define W_SCHEMA_NODES_MAX ((size_t)1 << 20)

#define W_SCHEMA_STAGE     "schema"

/* Fails with the place of a value in front of the message. */
writ_status w_compile_fail(struct w_compiler *compiler, yyjson_val *at,
    const char *fmt, ...) __attribute__((format(printf, 3, 4), cold));

/* The like: "must be a string, got a number". */
writ_status w_compile_fail_type(struct w_compiler *compiler, yyjson_val *value,
    const char *wanted) __attribute__((cold));
writ_status w_compile_nomem(struct w_compiler *compiler);

/* "a number", "an object", ... */
const char *w_compile_type_name(yyjson_val *value);

/* The node of a subschema; it will be filled in. Fails when the value is no
 * schema. */
writ_status w_compile_sub(
    struct w_compiler *compiler, yyjson_val *value, struct w_node **out_node);
writ_status w_compile_subs(
    struct w_compiler *compiler, yyjson_val *array, struct w_nodes *out_nodes);
void w_compile_queue(struct w_compiler *compiler, struct w_node *node);

/* scan.c */

/* Makes the nodes of a schema and all below it. */
writ_status w_scan(struct w_compiler *compiler, yyjson_val *value,
    struct w_schema_resource *resource, struct w_node **out_node);
writ_status w_scan_document(struct w_compiler *compiler, const char *uri,
    yyjson_val *root, struct w_node **out_node);
struct w_node *w_scan_node(
    const struct w_compiler *compiler, yyjson_val *value);

/* naming.c */

/* Finds out in which resource a schema is, which may begin with it. */
writ_status w_naming_enter(struct w_compiler *compiler, yyjson_val *schema,
    struct w_schema_resource **resource);
writ_status w_naming_add_anchors(struct w_compiler *compiler,
    struct w_schema_resource *resource, struct w_node *node);

/* Makes a resource known by a URI; at is what says so. */
writ_status w_naming_add_key(struct w_compiler *compiler, const char *uri,
    struct w_schema_resource *resource, yyjson_val *at);

/* dialect.c */

/* Those of a document that says nothing about them. */
unsigned w_dialect_vocabularies(const struct w_compiler *compiler);

/* What $schema says; value NULL: nothing, and the resource is left as it is. */
writ_status w_dialect_read(struct w_compiler *compiler, yyjson_val *value,
    struct w_schema_resource *resource);

/* reference.c */

/* *out_resource is NULL when there is none with this URI. */
writ_status w_reference_resource(struct w_compiler *compiler, const char *uri,
    struct w_schema_resource **out_resource);
writ_status w_reference_find(struct w_compiler *compiler,
    const struct w_node *node, yyjson_val *ref, struct w_node **out_node,
    const struct w_anchor **out_anchor);

/* reference_loops.c */

/* Refuses schemas that are applied to a value because they are applied to that
 * same value. first: the beginning of the list of nodes. */
writ_status w_loops_check(struct w_compiler *compiler, struct w_node *first);

/* The ends of filling in: what needs several keywords. */
writ_status w_compile_object_end(
    struct w_compiler *compiler, struct w_node *node);
writ_status w_compile_list_end(
    struct w_compiler *compiler, struct w_node *node);

/* The rules of a node, made on first use; NULL: no memory. */
struct w_list_rules *w_list_rules(
    struct w_compiler *compiler, struct w_node *node);
struct w_object_rules *w_object_rules(
    struct w_compiler *compiler, struct w_node *node);
struct w_logic *w_logic(struct w_compiler *compiler, struct w_node *node);

writ_status w_compile_count(
    struct w_compiler *compiler, yyjson_val *value, size_t *out_count);
writ_status w_compile_pattern(struct w_compiler *compiler, yyjson_val *text,
    const struct w_pattern **out_pattern);

#endif /* W_SCHEMA_COMPILER_H */
