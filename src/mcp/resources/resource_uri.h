/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MCP_RESOURCE_URI_H
#define W_MCP_RESOURCE_URI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Resource URIs; docs/mcp.md lists them. */
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
	char run[27];    /* "": not about a run */
	uint64_t offset; /* into a stream */
	uint64_t length; /* 0: the default */
};

/* false: no resource has that URI. Each resource has only one spelling. */
bool w_mcp_resource_parse_uri(
    const char *uri, size_t len, struct w_mcp_resource *out_resource);

#endif /* W_MCP_RESOURCE_URI_H */
