/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MCP_LINKS_H
#define W_MCP_LINKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * What waits for an answer, by a hash of its id: a client may have ten thousand
 * requests under way, and none is looked for among all of them. A link is part
 * of what it stands for.
 */
struct w_mcp_link {
	struct w_mcp_link *next;
	uint64_t hash;
};

struct w_mcp_links {
	struct w_mcp_link **slots;
	size_t slot_count; /* a power of two, or 0 */
	size_t count;
};

uint64_t w_mcp_hash(const void *bytes, size_t len);

/* false: no memory. */
bool w_mcp_links_add(
    struct w_mcp_links *links, struct w_mcp_link *link, uint64_t hash);
void w_mcp_links_remove(struct w_mcp_links *links, struct w_mcp_link *link);

/* Those of a hash, one after the other; NULL: no more. */
struct w_mcp_link *w_mcp_links_first(
    const struct w_mcp_links *links, uint64_t hash);
struct w_mcp_link *w_mcp_links_next(const struct w_mcp_link *link);

/* Any one; NULL: there is none. */
struct w_mcp_link *w_mcp_links_any(const struct w_mcp_links *links);
void w_mcp_links_done(struct w_mcp_links *links);

#endif /* W_MCP_LINKS_H */
