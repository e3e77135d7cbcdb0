/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SCHEMA_PROPERTY_NAMES_H
#define W_SCHEMA_PROPERTY_NAMES_H

#include <string.h>

#include "schema/hash.h"
#include "schema/node.h"

/* Looks up a key; NULL: the schema does not name it. */
static inline struct w_name *
w_names_find(const struct w_object_rules *rules, const char *key, size_t len)
{
	if (rules->name_count == 0)
		return NULL;
	const struct w_ends ends = w_ends_of(key, len);
	size_t at = w_hash_ends(&ends, len) & rules->slot_mask;
	for (; rules->slots[at] != 0; at = (at + 1) & rules->slot_mask) {
		struct w_name *name = &rules->names[rules->slots[at] - 1];
		if (name->len == len && name->ends.head == ends.head &&
		    name->ends.tail == ends.tail &&
		    (len <= W_ENDS_WHOLE || memcmp(name->text, key, len) == 0))
			return name;
	}
	return NULL;
}

#endif /* W_SCHEMA_PROPERTY_NAMES_H */
