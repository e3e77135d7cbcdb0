/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MCP_RESOURCE_URI_H
#define W_MCP_RESOURCE_URI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The names of what can be read; docs/mcp.md has the list. */
enum w_mcp_resource_kind {
	W_MCP_RESOURCE_RUNS,
	W_MCP_RESOURCE_STDOUT,
	W_MCP_RESOURCE_STDERR,
	W_MCP_RESOURCE_META,
	W_MCP_RESOURCE_AUDIT,
	W_MCP_RESOURCE_POLICY,
};

#define W_MCP_RESOURCE_URI_MAX 256

struct w_mcp_resource {
	enum w_mcp_resource_kind kind;
	char run[27];    /* "": of no run */
	uint64_t offset; /* of a stream */
	uint64_t length; /* 0: as much as is usual */
};

/* false: nothing has such a name. There is one spelling for each. */
bool w_mcp_resource_parse_uri(
    const char *uri, size_t len, struct w_mcp_resource *out_resource);

#endif /* W_MCP_RESOURCE_URI_H */
