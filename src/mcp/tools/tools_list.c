/* SPDX-License-Identifier: Apache-2.0 */

/*
 * tools/list: one page of the list. A cursor names the last tool of the
 * previous page.
 */

#include <string.h>

#include "mcp/resources/notifier.h"
#include "mcp/tools/tool_list_state.h"
#include "mcp/tools/tool_methods.h"

static const char before[] = "after.";

/* false: the request was answered. */
static bool
page_of(struct w_rpc_request *rpc_request, size_t *out_number)
{
	yyjson_val *cursor = yyjson_obj_get(rpc_request->params, "cursor");
	const char *text = yyjson_get_str(cursor);
	const size_t skip = sizeof(before) - 1;

	*out_number = 0;
	if (cursor == NULL)
		return true;
	if (text != NULL && strncmp(text, before, skip) == 0 &&
	    w_tool_list_page_after(
		rpc_request->server, text + skip, out_number))
		return true;
	w_rpc_request_fail(rpc_request, W_RPC_PARAMS, NULL,
	    "cursor: not one of this list; begin again without one");
	return false;
}

void
w_method_tools_list(struct w_rpc_request *rpc_request)
{
	struct w_mcp *server = rpc_request->server;
	size_t number;

	if (!page_of(rpc_request, &number))
		return;
	const struct w_tool_list_part *page = w_tool_list_page(server,
	    w_tool_list_variant_of(
		rpc_request->version, w_tool_has_object(rpc_request)),
	    number);
	if (page == NULL) {
		w_rpc_request_fail(
		    rpc_request, W_RPC_INTERNAL, NULL, "tools/list: no memory");
		return;
	}
	w_rpc_request_reply_cacheable(
	    rpc_request, page->text, page->len, W_MCP_TTL_MS);
	w_notifier_begin(server);
}
