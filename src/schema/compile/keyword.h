/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SCHEMA_KEYWORD_H
#define W_SCHEMA_KEYWORD_H

#include "schema/compile/compiler.h"

/* Where the value of a keyword has subschemas. */
enum w_keyword_shape {
	W_KEYWORD_SHAPE_PLAIN, /* nowhere */
	W_KEYWORD_SHAPE_SCHEMA,
	W_KEYWORD_SHAPE_LIST,
	W_KEYWORD_SHAPE_MAP,
	W_KEYWORD_SHAPE_SCHEMA_OR_LIST,
};

/* What the value of a keyword is stored in. */
enum w_keyword_home {
	W_KEYWORD_HOME_NONE, /* the function finds its place */
	W_KEYWORD_HOME_LOGIC,
	W_KEYWORD_HOME_NUMBER,
	W_KEYWORD_HOME_TEXT,
	W_KEYWORD_HOME_LIST,
	W_KEYWORD_HOME_OBJECT,
	W_KEYWORD_HOME_PARTS, /* of an object; compile_names.c joins them */
};

/* Compiles the value of a keyword into place: a field of its home, or NULL. */
typedef writ_status w_keyword_fn(struct w_compiler *compiler,
    struct w_node *node, yyjson_val *value, void *place);

struct w_keyword {
	const char *name;
	unsigned drafts; /* bits: 1 << enum w_schema_draft */
	unsigned vocabulary;
	enum w_keyword_shape shape;
	w_keyword_fn *compile;
	enum w_keyword_home home;
	size_t offset; /* of the place in its home */
};

/* The keyword with this name in a resource; NULL: an annotation. */
const struct w_keyword *w_keyword_find(
    const struct w_schema_resource *resource, const char *name, size_t len);

/* Compiles one keyword of a node. */
writ_status w_keyword_compile(const struct w_keyword *keyword,
    struct w_compiler *compiler, struct w_node *node, yyjson_val *value);

/* The rules of a node, created on first use; NULL: no memory. */
void *w_keyword_rules(
    struct w_compiler *compiler, struct w_node *node, enum w_keyword_home home);

/* compile_value.c */
w_keyword_fn w_keyword_type;
w_keyword_fn w_keyword_const;
w_keyword_fn w_keyword_enum;
w_keyword_fn w_keyword_string;
w_keyword_fn w_keyword_boolean;
w_keyword_fn w_keyword_array;
w_keyword_fn w_keyword_object;

/* compile_scalar.c */
w_keyword_fn w_keyword_count;
w_keyword_fn w_keyword_number;
w_keyword_fn w_keyword_multiple_of;
w_keyword_fn w_keyword_pattern;
w_keyword_fn w_keyword_format;

/* compile_subschema.c */
w_keyword_fn w_keyword_sub;
w_keyword_fn w_keyword_subs;
w_keyword_fn w_keyword_map;
w_keyword_fn w_keyword_items;
w_keyword_fn w_keyword_items_07;
w_keyword_fn w_keyword_additional_items;
w_keyword_fn w_keyword_unique_items;
w_keyword_fn w_keyword_ref;
w_keyword_fn w_keyword_dynamic_ref;

/* compile_object.c */
w_keyword_fn w_keyword_required;
w_keyword_fn w_keyword_dependent_required;
w_keyword_fn w_keyword_dependencies;

#endif /* W_SCHEMA_KEYWORD_H */
