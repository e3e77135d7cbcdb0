/* SPDX-License-Identifier: Apache-2.0 */
/* A hash table of links; grows, and never shrinks. */
#include "mcp/links.h"

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
slot_of(const struct w_mcp_links *links, uint64_t hash)
{
	return &links->slots[hash & (links->slot_count - 1)];
}

static bool
grow(struct w_mcp_links *links)
{
	const size_t count =
	    links->slot_count == 0 ? FIRST_SLOTS : links->slot_count * 2;
	struct w_mcp_links larger = {
	    .slots = calloc(count, sizeof(struct w_mcp_link *)),
	    .slot_count = count,
	    .count = links->count,
	};

	if (larger.slots == NULL)
		return false;
	for (size_t i = 0; i < links->slot_count; i++) {
		while (links->slots[i] != NULL) {
			struct w_mcp_link *link = links->slots[i];
			struct w_mcp_link **slot = slot_of(&larger, link->hash);

			links->slots[i] = link->next;
			link->next = *slot;
			*slot = link;
		}
	}
	free(links->slots);
	*links = larger;
	return true;
}

bool
w_mcp_links_add(
    struct w_mcp_links *links, struct w_mcp_link *link, uint64_t hash)
{
	if (links->count >= links->slot_count && !grow(links))
		return false;

	struct w_mcp_link **slot = slot_of(links, hash);
	link->hash = hash;
	link->next = *slot;
	*slot = link;
	links->count++;
	return true;
}

void
w_mcp_links_remove(struct w_mcp_links *links, struct w_mcp_link *link)
{
	if (links->slot_count == 0)
		return;

	struct w_mcp_link **at = slot_of(links, link->hash);
	while (*at != NULL && *at != link)
		at = &(*at)->next;
	if (*at == NULL)
		return;
	*at = link->next;
	links->count--;
}

static struct w_mcp_link *
same_hash(struct w_mcp_link *link, uint64_t hash)
{
	while (link != NULL && link->hash != hash)
		link = link->next;
	return link;
}

struct w_mcp_link *
w_mcp_links_first(const struct w_mcp_links *links, uint64_t hash)
{
	if (links->slot_count == 0)
		return NULL;
	return same_hash(*slot_of(links, hash), hash);
}

struct w_mcp_link *
w_mcp_links_next(const struct w_mcp_link *link)
{
	return same_hash(link->next, link->hash);
}

struct w_mcp_link *
w_mcp_links_any(const struct w_mcp_links *links)
{
	for (size_t i = 0; links->count > 0 && i < links->slot_count; i++) {
		if (links->slots[i] != NULL)
			return links->slots[i];
	}
	return NULL;
}

void
w_mcp_links_done(struct w_mcp_links *links)
{
	free(links->slots);
	*links = (struct w_mcp_links){0};
}
