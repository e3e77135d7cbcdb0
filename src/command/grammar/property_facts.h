/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_COMMAND_PROPERTY_FACTS_H
#define W_COMMAND_PROPERTY_FACTS_H

#include <stdbool.h>

#include <yyjson.h>

/* The types by name; the last row has no name. */
struct w_type_name {
	const char *name;
	unsigned bit;
};
extern const struct w_type_name w_type_names[];

/* What a property's schema says about its values. */
struct w_property_facts {
	unsigned types;
	unsigned item_types; /* 0: cannot be an array */
	bool is_path;
};

/* root is what local references start from. Never too few types: a schema that
 * is not understood, too deep or too large can be any type. */
struct w_property_facts w_property_facts(yyjson_val *root, yyjson_val *schema);

#endif /* W_COMMAND_PROPERTY_FACTS_H */
