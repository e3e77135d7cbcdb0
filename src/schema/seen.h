/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SCHEMA_SEEN_H
#define W_SCHEMA_SEEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define W_SEEN_WORDS 4

/*
 * Which members or items of one value have been judged by some schema: what
 * unevaluatedProperties and unevaluatedItems ask. It is kept only where one of
 * these will ask.
 */
struct w_seen {
	size_t count;
	uint64_t *bits;
	bool is_blurred; /* a choice failed: nobody can say what it would have
			    judged */
	uint64_t few[W_SEEN_WORDS];
};

/* false: no memory. */
bool w_seen_init(struct w_seen *seen, size_t count);
void w_seen_done(struct w_seen *seen);
#define W_AUTO_SEEN __attribute__((cleanup(w_seen_done)))

void w_seen_add_all(struct w_seen *seen, const struct w_seen *more);

static inline void
w_seen_add(struct w_seen *seen, size_t index)
{
	seen->bits[index / 64] |= UINT64_C(1) << index % 64;
}

static inline bool
w_seen_has(const struct w_seen *seen, size_t index)
{
	return (seen->bits[index / 64] >> index % 64 & 1) != 0;
}

#endif /* W_SCHEMA_SEEN_H */
