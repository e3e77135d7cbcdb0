/* SPDX-License-Identifier: Apache-2.0 */

/* Runs by their ids: open addressing, never more than three quarters full. */

#include "audit/query/audit_run_map.h"

#include <stdlib.h>
#include <string.h>

void
w_audit_run_map_done(struct w_audit_run_map *map)
{
	free(map->slots);
	*map = (struct w_audit_run_map){0};
}

/* The random part of an id is at its end. */
static size_t
hash_of(const char *run)
{
	uint64_t hash = UINT64_C(14695981039346656037);

	for (const char *at = run; *at != '\0'; at++)
		hash = (hash ^ (uint8_t)*at) * UINT64_C(1099511628211);
	return (size_t)(hash ^ hash >> 32);
}

/* The run's slot, or the free one where it would go. */
static struct w_audit_run_slot *
probe(const struct w_audit_run_map *map, const char *run)
{
	size_t at = hash_of(run) & (map->cap - 1);

	while (map->slots[at].run[0] != '\0' &&
	       strcmp(map->slots[at].run, run) != 0)
		at = (at + 1) & (map->cap - 1);
	return &map->slots[at];
}

static bool
audit_run_map_grow(struct w_audit_run_map *map)
{
	size_t live = 0;

	for (size_t i = 0; i < map->cap; i++)
		live += map->slots[i].run[0] != '\0' && !map->slots[i].is_gone;
	struct w_audit_run_map bigger = {.cap = 64};
	while (bigger.cap < live * 4)
		bigger.cap *= 2;
	bigger.slots = calloc(bigger.cap, sizeof(*bigger.slots));
	if (bigger.slots == NULL)
		return false;
	for (size_t i = 0; i < map->cap; i++) {
		const struct w_audit_run_slot *slot = &map->slots[i];

		if (slot->run[0] == '\0' || slot->is_gone)
			continue;
		*probe(&bigger, slot->run) = *slot;
		bigger.count++;
	}
	free(map->slots);
	*map = bigger;
	return true;
}

struct w_audit_run_slot *
w_audit_run_map_get(const struct w_audit_run_map *map, const char *run)
{
	if (map->cap == 0 || run[0] == '\0')
		return NULL;
	struct w_audit_run_slot *slot = probe(map, run);
	return slot->run[0] == '\0' || slot->is_gone ? NULL : slot;
}

struct w_audit_run_slot *
w_audit_run_map_put(struct w_audit_run_map *map, const char *run)
{
	if (map->count >= map->cap / 4 * 3 && !audit_run_map_grow(map))
		return NULL;
	struct w_audit_run_slot *slot = probe(map, run);
	if (slot->run[0] != '\0' && !slot->is_gone)
		return slot;
	if (slot->run[0] == '\0')
		map->count++;
	*slot = (struct w_audit_run_slot){0};
	memcpy(slot->run, run, strnlen(run, W_ID_LEN));
	return slot;
}

void
w_audit_run_map_drop(struct w_audit_run_slot *slot)
{
	slot->is_gone = true;
}
