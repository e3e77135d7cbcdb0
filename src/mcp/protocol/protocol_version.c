/* SPDX-License-Identifier: Apache-2.0 */
/* The table of protocol versions, one row each. */
#include "mcp/protocol/protocol_version.h"

#include <string.h>

/* clang-format off */
static const struct w_mcp_traits all[W_MCP_VERSIONS] = {
	[W_MCP_2024_11_05] = {
		.name = "2024-11-05", .has_handshake = true,
		.has_resource_code = true},
	[W_MCP_2025_03_26] = {
		.name = "2025-03-26", .has_handshake = true,
		.has_batches = true, .has_annotations = true,
		.has_resource_code = true},
	[W_MCP_2025_06_18] = {
		.name = "2025-06-18", .has_handshake = true,
		.has_annotations = true, .has_structured = true,
		.has_elicitation = true, .has_resource_code = true},
	[W_MCP_2025_11_25] = {
		.name = "2025-11-25", .has_handshake = true,
		.has_annotations = true, .has_structured = true,
		.has_elicitation = true, .has_titled_enum = true,
		.has_input_error = true, .has_resource_code = true},
	[W_MCP_2026_07_28] = {
		.name = "2026-07-28", .has_annotations = true,
		.has_structured = true, .has_titled_enum = true,
		.has_input_error = true, .has_result_type = true},
};
/* clang-format on */

const struct w_mcp_traits *
w_mcp_traits(enum w_mcp_version version)
{
	return &all[version];
}

bool
w_mcp_version_named(
    const char *name, size_t len, enum w_mcp_version *out_version)
{
	for (unsigned i = 0; i < W_MCP_VERSIONS; i++) {
		if (strlen(all[i].name) == len &&
		    memcmp(all[i].name, name, len) == 0) {
			*out_version = (enum w_mcp_version)i;
			return true;
		}
	}
	return false;
}
