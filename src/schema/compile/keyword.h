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

struct w_keyword {
	const char *name;
	unsigned drafts; /* bits: 1 << enum w_schema_draft */
	unsigned vocabulary;
	enum w_keyword_shape shape;
	writ_status (*compile)(struct w_compiler *compiler, struct w_node *node,
	    yyjson_val *value);
};

/* The keyword with this name in a resource; NULL: an annotation. */
const struct w_keyword *w_keyword_find(
    const struct w_schema_resource *resource, const char *name, size_t len);

/* One function for each keyword, or for several that differ only in name. */
typedef writ_status w_keyword_fn(
    struct w_compiler *compiler, struct w_node *node, yyjson_val *value);

/* compile_value.c */
w_keyword_fn w_keyword_type;
w_keyword_fn w_keyword_const;
w_keyword_fn w_keyword_enum;
w_keyword_fn w_keyword_string;
w_keyword_fn w_keyword_boolean;
w_keyword_fn w_keyword_array;
w_keyword_fn w_keyword_object;

/* compile_scalar.c */
w_keyword_fn w_keyword_minimum;
w_keyword_fn w_keyword_maximum;
w_keyword_fn w_keyword_exclusive_minimum;
w_keyword_fn w_keyword_exclusive_maximum;
w_keyword_fn w_keyword_multiple_of;
w_keyword_fn w_keyword_min_length;
w_keyword_fn w_keyword_max_length;
w_keyword_fn w_keyword_pattern;
w_keyword_fn w_keyword_format;

/* compile_list.c */
w_keyword_fn w_keyword_items;
w_keyword_fn w_keyword_items_07;
w_keyword_fn w_keyword_prefix_items;
w_keyword_fn w_keyword_additional_items;
w_keyword_fn w_keyword_contains;
w_keyword_fn w_keyword_min_contains;
w_keyword_fn w_keyword_max_contains;
w_keyword_fn w_keyword_min_items;
w_keyword_fn w_keyword_max_items;
w_keyword_fn w_keyword_unique_items;
w_keyword_fn w_keyword_unevaluated_items;

/* compile_object.c */
w_keyword_fn w_keyword_properties;
w_keyword_fn w_keyword_pattern_properties;
w_keyword_fn w_keyword_additional_properties;
w_keyword_fn w_keyword_property_names;
w_keyword_fn w_keyword_required;
w_keyword_fn w_keyword_dependent_required;
w_keyword_fn w_keyword_dependent_schemas;
w_keyword_fn w_keyword_dependencies;
w_keyword_fn w_keyword_min_properties;
w_keyword_fn w_keyword_max_properties;
w_keyword_fn w_keyword_unevaluated_properties;

/* compile_logic.c */
w_keyword_fn w_keyword_ref;
w_keyword_fn w_keyword_dynamic_ref;
w_keyword_fn w_keyword_all_of;
w_keyword_fn w_keyword_any_of;
w_keyword_fn w_keyword_one_of;
w_keyword_fn w_keyword_not;
w_keyword_fn w_keyword_if;
w_keyword_fn w_keyword_then;
w_keyword_fn w_keyword_else;
w_keyword_fn w_keyword_definitions;
w_keyword_fn w_keyword_content_schema;

#endif /* W_SCHEMA_KEYWORD_H */
