/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SCHEMA_NODE_H
#define W_SCHEMA_NODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <yyjson.h>

#include "base/arena.h"
#include "schema/format/format.h"
#include "schema/hash.h"
#include "schema/pattern/pattern.h"
#include "schema/schema.h"

/*
 * A compiled schema: a node for each (sub)schema, with its rules grouped by the
 * type of value they apply to. Everything lies in the arena of struct w_schema;
 * NULL: absent.
 */

/* A document; JSON Pointers in messages start at its root. */
struct w_schema_tree {
	const char *uri; /* "": none */
	yyjson_val *root;
};

/* A schema with its own URI ($id), or the root of a document. */
struct w_schema_resource {
	const char *uri;
	const struct w_schema_tree *document;
	yyjson_val *root;
	enum w_schema_draft draft;
	unsigned vocabularies; /* bits of enum w_vocabulary */
	struct w_anchor *dynamic_anchors;
	struct w_schema_resource *next;
};

enum w_vocabulary {
	W_VOCABULARY_CORE = 1 << 0,
	W_VOCABULARY_APPLICATOR = 1 << 1,
	W_VOCABULARY_UNEVALUATED = 1 << 2,
	W_VOCABULARY_VALIDATION = 1 << 3,
	W_VOCABULARY_FORMAT_ASSERTION = 1 << 4,
};

/* A named place in a resource: $anchor or $dynamicAnchor. */
struct w_anchor {
	const char *name;
	size_t len;
	struct w_node *node;
	bool is_dynamic;
	struct w_anchor *next; /* next dynamic anchor of the resource */
};

/* Bits of the allowed types: 1 << YYJSON_TYPE_x, and one for integers. Numbers
 * too large for a machine type are RAW. */
#define W_SCHEMA_TYPE(type) (1U << (type))
#define W_SCHEMA_NUMBER \
	(W_SCHEMA_TYPE(YYJSON_TYPE_NUM) | W_SCHEMA_TYPE(YYJSON_TYPE_RAW))
#define W_SCHEMA_INTEGER   (1U << 8)
#define W_SCHEMA_TYPES_ALL 0xfeU

struct w_size_range {
	size_t min;
	size_t max;
};

struct w_number_rules {
	yyjson_val *minimum;
	yyjson_val *maximum;
	yyjson_val *above; /* exclusiveMinimum */
	yyjson_val *below;
	yyjson_val *multiple;
};

struct w_text_rules {
	struct w_size_range length; /* in characters */
	const struct w_pattern *pattern;
	w_format_fn format;
};

struct w_nodes {
	struct w_node **items;
	size_t count;
};

struct w_list_rules {
	struct w_size_range size;
	struct w_nodes prefix;
	struct w_node *rest; /* items after the prefix */
	struct w_node *contains;
	struct w_size_range found; /* how many items must match contains */
	struct w_node *unevaluated;
	bool is_unique;
	bool marks_found; /* items that match contains are evaluated */
};

/* A property name that the schema mentions. */
struct w_name {
	struct w_ends ends;
	const char *text;
	size_t len;
	struct w_node *node; /* from properties; NULL: none */
	unsigned bit; /* index in the set of tracked keys, plus one; 0: not
			 tracked */
};

struct w_pattern_rule {
	const struct w_pattern *pattern;
	yyjson_val *source; /* the key: the pattern as written */
	struct w_node *node;
};

/* What the presence of a key requires. */
struct w_dependency {
	yyjson_val *key;
	bool is_old; /* from dependencies (draft 07) */
	unsigned bit;
	yyjson_val *names; /* required keys */
	unsigned *needs;   /* their bits */
	size_t need_count;
	struct w_node *node;
};

struct w_object_rules {
	struct w_size_range size;
	struct w_name *names;
	size_t name_count;
	uint32_t *slots; /* hash table: index into names, plus one */
	size_t slot_mask;
	size_t noted;       /* number of tracked names */
	uint64_t *required; /* bit set of required names */
	struct w_pattern_rule *patterns;
	size_t pattern_count;
	struct w_node *additional;
	struct w_node *key; /* propertyNames */
	struct w_dependency *dependencies;
	size_t dependency_count;
	struct w_node *unevaluated;
};

struct w_dynamic {
	const char *name; /* NULL: an ordinary reference */
	size_t len;
	struct w_node *target;
};

/* Rules for values of any type. */
struct w_logic {
	struct w_node *ref;
	struct w_dynamic *dynamic;
	struct w_nodes all;
	struct w_nodes any;
	struct w_nodes one;
	struct w_node *negated;
	struct w_node *condition;
	struct w_node *consequence;
	struct w_node *alternative;
	yyjson_val *constant;
	yyjson_val *choices;
};

struct w_node {
	yyjson_val *schema;
	struct w_schema_resource *resource;
	unsigned types;
	unsigned plain;  /* types without further rules */
	unsigned asking; /* types with an unevaluated* keyword */
	bool is_never;   /* the schema false */
	bool is_queued;
	uint8_t loop; /* state of the loop search */
	struct w_number_rules *number;
	struct w_text_rules *text;
	struct w_list_rules *list;
	struct w_object_rules *object;
	struct w_logic *logic;
	struct w_node *next; /* next in the compile queue */
};

struct w_owned_pattern {
	struct w_pattern *pattern;
	struct w_owned_pattern *next;
};

struct w_schema {
	struct w_arena arena;
	const struct w_schema_tree *document;
	struct w_node *root;
	bool is_dynamic; /* has a $dynamicRef: scopes must be tracked */
	struct w_owned_pattern *patterns;
	yyjson_doc *metaschemas;
};

#endif /* W_SCHEMA_NODE_H */
