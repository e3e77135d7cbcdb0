/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MODULE_CURATED_H
#define W_MODULE_CURATED_H

#include <stdbool.h>
#include <stddef.h>

#include "module/registry/module_index.h"

/*
 * The built-in command descriptions (data/commands), as compact JSON: one text
 * for each program, found by its name or an alias. Nothing is read or relocated
 * before it is used.
 */
struct w_curated {
	const char *
	    name; /* the program's own name, not the one looked up; NUL-ended */
	const char *json;
	size_t len;
	size_t place; /* index among all of them */
};

/* Their origin in messages and records. */
#define W_CURATED_ORIGIN "builtin"

/* false: none. */
bool w_curated_find(
    const char *name, size_t len, struct w_curated *out_curated);

/* Sorted by name; each program once. */
size_t w_curated_count(void);
struct w_curated w_curated_at(size_t place);

/* The built-in descriptions as a module index, with a file for each program in
 * their order. Free it with w_module_index_done(). false: no memory. */
bool w_curated_open(struct w_module_index *module_index);

#endif /* W_MODULE_CURATED_H */
