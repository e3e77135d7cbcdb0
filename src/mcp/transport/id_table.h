/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MCP_ID_TABLE_H
#define W_MCP_ID_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Pending requests by the hash of their id: a client may have ten thousand of
 * them, so lookups must not be linear. Links are intrusive.
 */
struct w_mcp_id_link {
	struct w_mcp_id_link *next;
	uint64_t hash;
};

struct w_mcp_id_table {
	struct w_mcp_id_link **slots;
	size_t slot_count; /* a power of two, or 0 */
	size_t count;
};

uint64_t w_mcp_hash(const void *bytes, size_t len);

/* false: no memory. */
bool w_mcp_id_table_add(
    struct w_mcp_id_table *table, struct w_mcp_id_link *link, uint64_t hash);
void w_mcp_id_table_remove(
    struct w_mcp_id_table *table, struct w_mcp_id_link *link);

/* Iterates over the links of a hash; NULL: no more. */
struct w_mcp_id_link *w_mcp_id_table_first(
    const struct w_mcp_id_table *table, uint64_t hash);
struct w_mcp_id_link *w_mcp_id_table_next(const struct w_mcp_id_link *link);

/* Any link; NULL: the table is empty. */
struct w_mcp_id_link *w_mcp_id_table_any(const struct w_mcp_id_table *table);
void w_mcp_id_table_done(struct w_mcp_id_table *table);

#endif /* W_MCP_ID_TABLE_H */
