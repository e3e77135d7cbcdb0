/* SPDX-License-Identifier: Apache-2.0 */

/* A hash table with open addressing, at most half full, without removal. */

#include "schema/hash_table.h"

#include <stdlib.h>
#include <string.h>

#include "schema/hash.h"

#define CAP_MIN 32

struct w_hash_table_slot {
	const void *key;
	size_t len;
	uint64_t hash;
	void *thing; /* NULL: free slot */
};

static void
place_slot(struct w_hash_table *table, const struct w_hash_table_slot *slot)
{
	size_t at = slot->hash & (table->cap - 1);

	while (table->slots[at].thing != NULL)
		at = (at + 1) & (table->cap - 1);
	table->slots[at] = *slot;
}

static bool
hash_table_grow(struct w_hash_table *table)
{
	struct w_hash_table wider = {
	    .count = table->count,
	    .cap = table->cap == 0 ? CAP_MIN : 2 * table->cap,
	};

	wider.slots = calloc(wider.cap, sizeof(*wider.slots));
	if (wider.slots == NULL)
		return false;
	for (size_t i = 0; i < table->cap; i++) {
		if (table->slots[i].thing != NULL)
			place_slot(&wider, &table->slots[i]);
	}
	free(table->slots);
	*table = wider;
	return true;
}

void *
w_hash_table_get(const struct w_hash_table *table, const void *key, size_t len)
{
	if (table->cap == 0)
		return NULL;

	uint64_t hash = w_hash_bytes(key, len);
	size_t at = hash & (table->cap - 1);
	for (; table->slots[at].thing != NULL;
	     at = (at + 1) & (table->cap - 1)) {
		const struct w_hash_table_slot *slot = &table->slots[at];
		if (slot->hash == hash && slot->len == len &&
		    memcmp(slot->key, key, len) == 0)
			return slot->thing;
	}
	return NULL;
}

bool
w_hash_table_put(
    struct w_hash_table *table, const void *key, size_t len, void *thing)
{
	struct w_hash_table_slot slot = {
	    .key = key,
	    .len = len,
	    .hash = w_hash_bytes(key, len),
	    .thing = thing,
	};

	if (2 * (table->count + 1) > table->cap && !hash_table_grow(table))
		return false;
	place_slot(table, &slot);
	table->count++;
	return true;
}

void
w_hash_table_done(struct w_hash_table *table)
{
	free(table->slots);
	*table = (struct w_hash_table){.slots = NULL};
}
