/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SCHEMA_NAMES_H
#define W_SCHEMA_NAMES_H

#include <string.h>

#include "schema/hash.h"
#include "schema/node.h"

/* The name that a key of a value is; NULL: the schema does not name it. */
static inline struct w_name *
w_names_find(const struct w_object_rules *rules, const char *key, size_t len)
{
	if (rules->name_count == 0)
		return NULL;
	size_t at = w_hash_ends(key, len) & rules->slot_mask;
	while (rules->slots[at] != 0) {
		struct w_name *name = &rules->names[rules->slots[at] - 1];
		if (name->len == len && memcmp(name->text, key, len) == 0)
			return name;
		at = (at + 1) & rules->slot_mask;
	}
	return NULL;
}

#endif /* W_SCHEMA_NAMES_H */
