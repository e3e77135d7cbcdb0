/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SCHEMA_HASH_TABLE_H
#define W_SCHEMA_HASH_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Maps keys (bytes that the caller keeps alive) to pointers. Zero-initialised
 * is empty. */
struct w_hash_table {
	struct w_hash_table_slot *slots;
	size_t count;
	size_t cap; /* a power of two, or 0 */
};

/* NULL: no such key. */
void *w_hash_table_get(
    const struct w_hash_table *table, const void *key, size_t len);

/* The key must be new. false: no memory. */
bool w_hash_table_put(
    struct w_hash_table *table, const void *key, size_t len, void *thing);

void w_hash_table_done(struct w_hash_table *table);

#endif /* W_SCHEMA_HASH_TABLE_H */
