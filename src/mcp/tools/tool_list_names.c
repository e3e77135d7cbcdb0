/* SPDX-License-Identifier: Apache-2.0 */

/* Names and order of modules in the list of tools. */

#include <stdlib.h>
#include <string.h>

#include "mcp/tools/tool_list_state.h"

static bool
is_core_name(struct w_mcp *server, const char *name)
{
	for (size_t i = 0; i < w_tool_list_fixed(server); i++) {
		if (strcmp(w_tool_list_core(server, i)->name, name) == 0)
			return true;
	}
	return false;
}

static int
tool_list_names_compare_names(const void *a, const void *b)
{
	const struct w_mcp_module_tool *left = a;
	const struct w_mcp_module_tool *right = b;

	return strcmp(left->name, right->name);
}

static int
tool_list_names_compare_places(const void *a, const void *b)
{
	const struct w_mcp_module_tool *left = a;
	const struct w_mcp_module_tool *right = b;

	if (left->is_pinned != right->is_pinned)
		return left->is_pinned ? -1 : 1;
	return strcmp(left->name, right->name);
}

/*
 * On a collision both get a hash: if only the second did, the meaning of the
 * first name would depend on which files exist.
 */
void
w_tool_list_assign_names(struct w_mcp *server, struct w_tool_list *tool_list)
{
	struct w_mcp_module_tool *tools = tool_list->extras;
	const size_t count = tool_list->extra_count;
	bool is_twin = false;

	qsort(tools, count, sizeof(*tools), tool_list_names_compare_names);
	for (size_t i = 0; i < count; i++) {
		const bool is_next_twin =
		    i + 1 < count &&
		    strcmp(tools[i].name, tools[i + 1].name) == 0;

		if (is_twin || is_next_twin ||
		    is_core_name(server, tools[i].name))
			w_mcp_module_tool_name(
			    tools[i].id, true, tools[i].name);
		is_twin = is_next_twin;
	}
	qsort(tools, count, sizeof(*tools), tool_list_names_compare_places);
	for (size_t i = 0; i < count; i++) {
		w_mcp_module_tool_relink(&tools[i]);
		tool_list->pinned_count += tools[i].is_pinned;
	}
}
