/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SCHEMA_EVALUATED_H
#define W_SCHEMA_EVALUATED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define W_EVALUATED_WORDS 4

/*
 * Which members or items of a value were evaluated by some schema, for
 * unevaluatedProperties and unevaluatedItems. Tracked only where one of these
 * is used. Also serves as a set of property names.
 */
struct w_evaluated {
	size_t count;
	uint64_t *bits;
	bool is_blurred; /* an anyOf or oneOf failed: the set is incomplete */
	uint64_t few[W_EVALUATED_WORDS];
};

/* false: no memory. */
bool w_evaluated_init(struct w_evaluated *evaluated, size_t count);
void w_evaluated_done(struct w_evaluated *evaluated);
#define W_AUTO_EVALUATED __attribute__((cleanup(w_evaluated_done)))

void w_evaluated_add_all(
    struct w_evaluated *evaluated, const struct w_evaluated *more);

static inline void
w_evaluated_add(struct w_evaluated *evaluated, size_t index)
{
	evaluated->bits[index / 64] |= UINT64_C(1) << index % 64;
}

static inline bool
w_evaluated_has(const struct w_evaluated *evaluated, size_t index)
{
	return (evaluated->bits[index / 64] >> index % 64 & 1) != 0;
}

#endif /* W_SCHEMA_EVALUATED_H */
