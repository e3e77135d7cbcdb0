/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MCP_PROTOCOL_VERSION_H
#define W_MCP_PROTOCOL_VERSION_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The versions of the protocol and what differs between them. Nothing else
 * compares dates.
 *
 * The first four start with a handshake (initialize) for the whole connection;
 * the last has none, and every request names its version.
 */
enum w_mcp_version {
	W_MCP_2024_11_05,
	W_MCP_2025_03_26,
	W_MCP_2025_06_18,
	W_MCP_2025_11_25,
	W_MCP_2026_07_28,
	W_MCP_VERSIONS,
};

#define W_MCP_NEWEST_HANDSHAKE W_MCP_2025_11_25

/* Masks of versions. */
#define W_MCP_WITHOUT_HANDSHAKE (1U << W_MCP_2026_07_28)
#define W_MCP_ANY_VERSION       ((1U << W_MCP_VERSIONS) - 1)
#define W_MCP_WITH_HANDSHAKE    (W_MCP_ANY_VERSION & ~W_MCP_WITHOUT_HANDSHAKE)

struct w_mcp_traits {
	const char *name; /* "2025-06-18" */
	bool has_handshake;
	bool has_batches;
	bool has_annotations;   /* tool annotations */
	bool has_structured;    /* structuredContent, outputSchema, title */
	bool has_elicitation;   /* server to client, as a request */
	bool has_titled_enum;   /* enums in forms: oneOf with const and title */
	bool has_input_error;   /* bad arguments: a result, not an error */
	bool has_result_type;   /* resultType, ttlMs, cacheScope */
	bool has_resource_code; /* a missing resource is -32002 */
};

const struct w_mcp_traits *w_mcp_traits(enum w_mcp_version version);

/* false: not a version that writ supports. */
bool w_mcp_version_named(
    const char *name, size_t len, enum w_mcp_version *out_version);

#endif /* W_MCP_PROTOCOL_VERSION_H */
