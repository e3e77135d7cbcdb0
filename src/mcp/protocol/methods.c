/* SPDX-License-Identifier: Apache-2.0 */
/* The table of methods, one row each. */
#include "mcp/protocol/lifecycle.h"
#include "mcp/protocol/rpc_request.h"
#include "mcp/resources/notifier.h"
#include "mcp/resources/resource_methods.h"
#include "mcp/tools/tool_methods.h"

/* clang-format off */
const struct w_method w_methods[] = {
	{"completion/complete", W_MCP_ANY_VERSION, w_method_completion_complete},
	{"initialize", W_MCP_WITH_HANDSHAKE, w_method_initialize},
	{"logging/setLevel", W_MCP_WITH_HANDSHAKE, w_method_set_level},
	{"ping", W_MCP_WITH_HANDSHAKE, w_method_ping},
	{"prompts/get", W_MCP_ANY_VERSION, w_method_prompts_get},
	{"prompts/list", W_MCP_ANY_VERSION, w_method_prompts_list},
	{"resources/list", W_MCP_ANY_VERSION, w_method_resources_list},
	{"resources/read", W_MCP_ANY_VERSION, w_method_resources_read},
	{"resources/subscribe", W_MCP_WITH_HANDSHAKE, w_method_resources_subscribe},
	{"resources/templates/list", W_MCP_ANY_VERSION, w_method_resources_templates},
	{"resources/unsubscribe", W_MCP_WITH_HANDSHAKE,
	    w_method_resources_unsubscribe},
	{"server/discover", W_MCP_WITHOUT_HANDSHAKE, w_method_discover},
	{"subscriptions/listen", W_MCP_WITHOUT_HANDSHAKE,
	    w_method_subscriptions_listen},
	{"tools/call", W_MCP_ANY_VERSION, w_method_tools_call},
	{"tools/list", W_MCP_ANY_VERSION, w_method_tools_list},
	{NULL, 0, NULL},
};
/* clang-format on */
