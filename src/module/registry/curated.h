/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MODULE_CURATED_H
#define W_MODULE_CURATED_H

#include <stdbool.h>
#include <stddef.h>

#include "module/registry/module_index.h"

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
	size_t place; /* among all of them */
};

/* Where they are said to be from. */
#define W_CURATED_ORIGIN "builtin"

/* false: there is none. */
bool w_curated_find(
    const char *name, size_t len, struct w_curated *out_curated);

/* By name, ascending; of each program once. */
size_t w_curated_count(void);
struct w_curated w_curated_at(size_t place);

/* What is built in as an image, with a file for each program and in their
 * order, but without texts. To be given back with w_module_index_done(). false:
 * no memory. */
bool w_curated_open(struct w_module_index *module_index);

#endif /* W_MODULE_CURATED_H */
