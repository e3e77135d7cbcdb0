/* SPDX-License-Identifier: Apache-2.0 */

/*
 * tools/list: a page of what there is. A cursor names the last tool of the page
 * before.
 */

#include <string.h>

#include "mcp/catalogue_state.h"
#include "mcp/lookout.h"
#include "mcp/tools.h"

static const char before[] = "after.";

/* false: it was answered. */
static bool
page_of(struct w_exchange *exchange, size_t *out_number)
{
	yyjson_val *cursor = yyjson_obj_get(exchange->params, "cursor");
	const char *text = yyjson_get_str(cursor);
	const size_t skip = sizeof(before) - 1;

	*out_number = 0;
	if (cursor == NULL)
		return true;
	if (text != NULL && strncmp(text, before, skip) == 0 &&
	    w_catalogue_page_after(exchange->server, text + skip, out_number))
		return true;
	w_exchange_fail(exchange, W_RPC_PARAMS, NULL,
	    "cursor: not one of this list; begin again without one");
	return false;
}

void
w_tools_list(struct w_exchange *exchange)
{
	struct w_mcp *server = exchange->server;
	size_t number;

	if (!page_of(exchange, &number))
		return;
	const struct w_tools_page *page =
	    w_catalogue_page(server, w_tool_form(exchange->version), number);
	if (page == NULL) {
		w_exchange_fail(
		    exchange, W_RPC_INTERNAL, NULL, "tools/list: no memory");
		return;
	}
	w_exchange_reply_cacheable(
	    exchange, page->text, page->len, W_MCP_TTL_MS);
	w_lookout_begin(server);
}
