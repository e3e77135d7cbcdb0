/* SPDX-License-Identifier: Apache-2.0 */
/* A hash table of intrusive links; it grows but never shrinks. */
#include "mcp/transport/id_table.h"

#include <stdlib.h>

enum {
	FIRST_SLOTS = 16
};

uint64_t
w_mcp_hash(const void *bytes, size_t len)
{
	const unsigned char *at = bytes;
	uint64_t hash = UINT64_C(14695981039346656037);

	for (size_t i = 0; i < len; i++)
		hash = (hash ^ at[i]) * UINT64_C(1099511628211);
	/* The low bits select the slot, but the high bits are mixed better. */
	return hash ^ (hash >> 32);
}

static struct w_mcp_id_link **
slot_of(const struct w_mcp_id_table *table, uint64_t hash)
{
	return &table->slots[hash & (table->slot_count - 1)];
}

static bool
id_table_grow(struct w_mcp_id_table *table)
{
	const size_t count =
	    table->slot_count == 0 ? FIRST_SLOTS : table->slot_count * 2;
	struct w_mcp_id_table larger = {
	    .slots = calloc(count, sizeof(struct w_mcp_id_link *)),
	    .slot_count = count,
	    .count = table->count,
	};

	if (larger.slots == NULL)
		return false;
	for (size_t i = 0; i < table->slot_count; i++) {
		while (table->slots[i] != NULL) {
			struct w_mcp_id_link *link = table->slots[i];
			struct w_mcp_id_link **slot =
			    slot_of(&larger, link->hash);

			table->slots[i] = link->next;
			link->next = *slot;
			*slot = link;
		}
	}
	free(table->slots);
	*table = larger;
	return true;
}

bool
w_mcp_id_table_add(
    struct w_mcp_id_table *table, struct w_mcp_id_link *link, uint64_t hash)
{
	if (table->count >= table->slot_count && !id_table_grow(table))
		return false;

	struct w_mcp_id_link **slot = slot_of(table, hash);
	link->hash = hash;
	link->next = *slot;
	*slot = link;
	table->count++;
	return true;
}

void
w_mcp_id_table_remove(struct w_mcp_id_table *table, struct w_mcp_id_link *link)
{
	if (table->slot_count == 0)
		return;

	struct w_mcp_id_link **at = slot_of(table, link->hash);
	while (*at != NULL && *at != link)
		at = &(*at)->next;
	if (*at == NULL)
		return;
	*at = link->next;
	table->count--;
}

static struct w_mcp_id_link *
same_hash(struct w_mcp_id_link *link, uint64_t hash)
{
	while (link != NULL && link->hash != hash)
		link = link->next;
	return link;
}

struct w_mcp_id_link *
w_mcp_id_table_first(const struct w_mcp_id_table *table, uint64_t hash)
{
	if (table->slot_count == 0)
		return NULL;
	return same_hash(*slot_of(table, hash), hash);
}

struct w_mcp_id_link *
w_mcp_id_table_next(const struct w_mcp_id_link *link)
{
	return same_hash(link->next, link->hash);
}

struct w_mcp_id_link *
w_mcp_id_table_any(const struct w_mcp_id_table *table)
{
	for (size_t i = 0; table->count > 0 && i < table->slot_count; i++) {
		if (table->slots[i] != NULL)
			return table->slots[i];
	}
	return NULL;
}

void
w_mcp_id_table_done(struct w_mcp_id_table *table)
{
	free(table->slots);
	*table = (struct w_mcp_id_table){0};
}
