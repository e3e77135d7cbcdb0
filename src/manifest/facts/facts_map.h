/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MANIFEST_FACTS_MAP_H
#define W_MANIFEST_FACTS_MAP_H

#include "expr/value.h"

/*
 * Builds a map of facts. Invalid values (NULL, not UTF-8) are omitted; running
 * out of memory sets failed, which the caller checks once.
 */
struct w_fact_map {
	struct w_arena *arena;
	struct w_value_member *members;
	size_t count;
	size_t cap;
	bool failed; /* no memory */
};

#define W_FACT_MAP_MAX 100000

void w_fact_map_init(struct w_fact_map *map, struct w_arena *arena);

/* The name must outlive the arena's values; texts are copied. */
void w_fact_add(
    struct w_fact_map *map, const char *name, const struct w_value *value);
void w_fact_add_text(
    struct w_fact_map *map, const char *name, const char *text, size_t len);
void w_fact_add_string(
    struct w_fact_map *map, const char *name, const char *text);
void w_fact_add_int(struct w_fact_map *map, const char *name, uint64_t number);
void w_fact_add_bool(struct w_fact_map *map, const char *name, bool is_true);

/* Adds a map as a member, unless it is empty. */
void w_fact_add_map(
    struct w_fact_map *map, const char *name, const struct w_fact_map *inner);

/* Adds the values of a map as a list; their names are ignored. */
void w_fact_add_list(
    struct w_fact_map *map, const char *name, const struct w_fact_map *items);

struct w_value w_fact_map_value(const struct w_fact_map *map);

#endif /* W_MANIFEST_FACTS_MAP_H */
