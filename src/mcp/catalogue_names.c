/* SPDX-License-Identifier: Apache-2.0 */

/* The names of modules as tools, and their order in the list. */

#include <stdlib.h>
#include <string.h>

#include "mcp/catalogue_state.h"

static bool
is_core_name(struct w_mcp *server, const char *name)
{
	for (size_t i = 0; i < W_CORE_TOOLS; i++) {
		if (strcmp(w_catalogue_core(server, i)->name, name) == 0)
			return true;
	}
	return false;
}

static int
compare_names(const void *a, const void *b)
{
	const struct w_module_tool *left = a;
	const struct w_module_tool *right = b;

	return strcmp(left->name, right->name);
}

static int
compare_places(const void *a, const void *b)
{
	const struct w_module_tool *left = a;
	const struct w_module_tool *right = b;

	if (left->is_pinned != right->is_pinned)
		return left->is_pinned ? -1 : 1;
	return strcmp(left->name, right->name);
}

/*
 * Where two would have one name, both get another: if only the second did, the
 * first name would mean something else when a file comes or goes.
 */
void
w_catalogue_settle_names(struct w_mcp *server, struct w_catalogue *catalogue)
{
	struct w_module_tool *tools = catalogue->extras;
	const size_t count = catalogue->extra_count;
	bool is_twin = false;

	qsort(tools, count, sizeof(*tools), compare_names);
	for (size_t i = 0; i < count; i++) {
		const bool is_next_twin =
		    i + 1 < count &&
		    strcmp(tools[i].name, tools[i + 1].name) == 0;

		if (is_twin || is_next_twin ||
		    is_core_name(server, tools[i].name))
			w_module_name(tools[i].id, true, tools[i].name);
		is_twin = is_next_twin;
	}
	qsort(tools, count, sizeof(*tools), compare_places);
	for (size_t i = 0; i < count; i++) {
		w_module_tool_settle(&tools[i]);
		catalogue->pinned_count += tools[i].is_pinned;
	}
}
