/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SCHEMA_LOOKUP_H
#define W_SCHEMA_LOOKUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* From keys, which are bytes that the caller keeps, to things. All zero is
 * empty. */
struct w_lookup {
	struct w_lookup_slot *slots;
	size_t count;
	size_t cap; /* a power of two, or 0 */
};

/* NULL: there is no such key. */
void *w_lookup_get(const struct w_lookup *lookup, const void *key, size_t len);

/* The key must be new. false: no memory. */
bool w_lookup_put(
    struct w_lookup *lookup, const void *key, size_t len, void *thing);

void w_lookup_done(struct w_lookup *lookup);

#endif /* W_SCHEMA_LOOKUP_H */
