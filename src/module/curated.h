/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MODULE_CURATED_H
#define W_MODULE_CURATED_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The descriptions that are built in (data/commands), as compact JSON: one text
 * for each program, found by its name or by another one. Nothing is read or
 * relocated before it is asked for.
 */
struct w_curated {
	const char *name; /* the program's own name, not what was asked for;
			     NUL-ended */
	const char *json;
	size_t len;
};

/* false: there is none. */
bool w_curated_find(
    const char *name, size_t len, struct w_curated *out_curated);

/* By name, ascending; of each program once. */
size_t w_curated_count(void);
struct w_curated w_curated_at(size_t place);

#endif /* W_MODULE_CURATED_H */
