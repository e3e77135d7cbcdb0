/* SPDX-License-Identifier: Apache-2.0 */

/* A hash table with open addressing, at most half full. Nothing is ever taken
 * out of it. */

#include "schema/hash_table.h"

#include <stdlib.h>
#include <string.h>

#include "schema/hash.h"

#define CAP_MIN 32

struct w_hash_table_slot {
	const void *key;
	size_t len;
	uint64_t hash;
	void *thing; /* NULL: the slot is free */
};

static void
place_slot(struct w_hash_table *lookup, const struct w_hash_table_slot *slot)
{
	size_t at = slot->hash & (lookup->cap - 1);

	while (lookup->slots[at].thing != NULL)
		at = (at + 1) & (lookup->cap - 1);
	lookup->slots[at] = *slot;
}

static bool
hash_table_grow(struct w_hash_table *lookup)
{
	struct w_hash_table wider = {
	    .count = lookup->count,
	    .cap = lookup->cap == 0 ? CAP_MIN : 2 * lookup->cap,
	};

	wider.slots = calloc(wider.cap, sizeof(*wider.slots));
	if (wider.slots == NULL)
		return false;
	for (size_t i = 0; i < lookup->cap; i++) {
		if (lookup->slots[i].thing != NULL)
			place_slot(&wider, &lookup->slots[i]);
	}
	free(lookup->slots);
	*lookup = wider;
	return true;
}

void *
w_hash_table_get(const struct w_hash_table *lookup, const void *key, size_t len)
{
	if (lookup->cap == 0)
		return NULL;

	uint64_t hash = w_hash_bytes(key, len);
	size_t at = hash & (lookup->cap - 1);
	for (; lookup->slots[at].thing != NULL;
	     at = (at + 1) & (lookup->cap - 1)) {
		const struct w_hash_table_slot *slot = &lookup->slots[at];
		if (slot->hash == hash && slot->len == len &&
		    memcmp(slot->key, key, len) == 0)
			return slot->thing;
	}
	return NULL;
}

bool
w_hash_table_put(
    struct w_hash_table *lookup, const void *key, size_t len, void *thing)
{
	struct w_hash_table_slot slot = {
	    .key = key,
	    .len = len,
	    .hash = w_hash_bytes(key, len),
	    .thing = thing,
	};

	if (2 * (lookup->count + 1) > lookup->cap && !hash_table_grow(lookup))
		return false;
	place_slot(lookup, &slot);
	lookup->count++;
	return true;
}

void
w_hash_table_done(struct w_hash_table *lookup)
{
	free(lookup->slots);
	*lookup = (struct w_hash_table){.slots = NULL};
}
