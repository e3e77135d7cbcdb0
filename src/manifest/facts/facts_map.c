/* SPDX-License-Identifier: Apache-2.0 */

/* Builds maps of facts. */

#include "manifest/facts/facts_map.h"

#include <string.h>

#include "base/encode.h"

void
w_fact_map_init(struct w_fact_map *map, struct w_arena *arena)
{
	*map = (struct w_fact_map){.arena = arena};
}

static bool
facts_map_grow(struct w_fact_map *map)
{
	size_t cap = map->cap > 0 ? 2 * map->cap : 8;
	struct w_value_member *members =
	    w_arena_alloc(map->arena, cap, sizeof(*members));

	if (members == NULL)
		return false;
	if (map->count > 0)
		memcpy(members, map->members, map->count * sizeof(*members));
	map->members = members;
	map->cap = cap;
	return true;
}

void
w_fact_add(
    struct w_fact_map *map, const char *name, const struct w_value *value)
{
	if (map->count == W_FACT_MAP_MAX)
		return;
	if (map->count == map->cap && !facts_map_grow(map)) {
		map->failed = true;
		return;
	}
	map->members[map->count++] = (struct w_value_member){
	    .name = name, .len = strlen(name), .value = *value};
}

void
w_fact_add_text(
    struct w_fact_map *map, const char *name, const char *text, size_t len)
{
	if (text == NULL || len > W_VALUE_TEXT_MAX ||
	    !w_utf8_valid(text, len) || memchr(text, '\0', len) != NULL)
		return;
	const char *copy = w_arena_text(map->arena, text, len);
	if (copy == NULL) {
		map->failed = true;
		return;
	}
	const struct w_value value = w_value_text(copy, len);
	w_fact_add(map, name, &value);
}

void
w_fact_add_string(struct w_fact_map *map, const char *name, const char *text)
{
	if (text != NULL)
		w_fact_add_text(map, name, text, strlen(text));
}

void
w_fact_add_int(struct w_fact_map *map, const char *name, uint64_t number)
{
	const struct w_value value = {
	    .kind = W_VALUE_INT, .as.integer = (int64_t)number};

	if (number <= INT64_MAX)
		w_fact_add(map, name, &value);
}

void
w_fact_add_bool(struct w_fact_map *map, const char *name, bool is_true)
{
	const struct w_value value = {
	    .kind = W_VALUE_BOOL, .as.boolean = is_true};

	w_fact_add(map, name, &value);
}

struct w_value
w_fact_map_value(const struct w_fact_map *map)
{
	return (struct w_value){.kind = W_VALUE_MAP,
	    .as.map = {.members = map->members, .count = map->count}};
}

void
w_fact_add_map(
    struct w_fact_map *map, const char *name, const struct w_fact_map *inner)
{
	const struct w_value value = w_fact_map_value(inner);

	if (inner->count > 0)
		w_fact_add(map, name, &value);
	map->failed = map->failed || inner->failed;
}

void
w_fact_add_list(
    struct w_fact_map *map, const char *name, const struct w_fact_map *items)
{
	struct w_value *values =
	    w_arena_alloc(map->arena, items->count, sizeof(*values));
	const struct w_value list = {.kind = W_VALUE_LIST,
	    .as.list = {.items = values, .count = items->count}};

	map->failed = map->failed || items->failed || values == NULL;
	if (map->failed)
		return;
	for (size_t i = 0; i < items->count; i++)
		values[i] = items->members[i].value;
	w_fact_add(map, name, &list);
}
