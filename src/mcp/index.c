/* SPDX-License-Identifier: Apache-2.0 */
/* A hash table of links; grows, and never shrinks. */
#include "mcp/index.h"

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
	/* The low bits choose the slot; the high ones are the better mixed. */
	return hash ^ (hash >> 32);
}

static struct w_mcp_link **
slot_of(const struct w_mcp_index *index, uint64_t hash)
{
	return &index->slots[hash & (index->slot_count - 1)];
}

static bool
grow(struct w_mcp_index *index)
{
	const size_t count =
	    index->slot_count == 0 ? FIRST_SLOTS : index->slot_count * 2;
	struct w_mcp_index larger = {
	    .slots = calloc(count, sizeof(struct w_mcp_link *)),
	    .slot_count = count,
	    .count = index->count,
	};

	if (larger.slots == NULL)
		return false;
	for (size_t i = 0; i < index->slot_count; i++) {
		while (index->slots[i] != NULL) {
			struct w_mcp_link *link = index->slots[i];
			struct w_mcp_link **slot = slot_of(&larger, link->hash);

			index->slots[i] = link->next;
			link->next = *slot;
			*slot = link;
		}
	}
	free(index->slots);
	*index = larger;
	return true;
}

bool
w_mcp_index_add(
    struct w_mcp_index *index, struct w_mcp_link *link, uint64_t hash)
{
	if (index->count >= index->slot_count && !grow(index))
		return false;

	struct w_mcp_link **slot = slot_of(index, hash);
	link->hash = hash;
	link->next = *slot;
	*slot = link;
	index->count++;
	return true;
}

void
w_mcp_index_remove(struct w_mcp_index *index, struct w_mcp_link *link)
{
	if (index->slot_count == 0)
		return;

	struct w_mcp_link **at = slot_of(index, link->hash);
	while (*at != NULL && *at != link)
		at = &(*at)->next;
	if (*at == NULL)
		return;
	*at = link->next;
	index->count--;
}

static struct w_mcp_link *
same_hash(struct w_mcp_link *link, uint64_t hash)
{
	while (link != NULL && link->hash != hash)
		link = link->next;
	return link;
}

struct w_mcp_link *
w_mcp_index_first(const struct w_mcp_index *index, uint64_t hash)
{
	if (index->slot_count == 0)
		return NULL;
	return same_hash(*slot_of(index, hash), hash);
}

struct w_mcp_link *
w_mcp_index_next(const struct w_mcp_link *link)
{
	return same_hash(link->next, link->hash);
}

struct w_mcp_link *
w_mcp_index_any(const struct w_mcp_index *index)
{
	for (size_t i = 0; index->count > 0 && i < index->slot_count; i++) {
		if (index->slots[i] != NULL)
			return index->slots[i];
	}
	return NULL;
}

void
w_mcp_index_done(struct w_mcp_index *index)
{
	free(index->slots);
	*index = (struct w_mcp_index){0};
}
