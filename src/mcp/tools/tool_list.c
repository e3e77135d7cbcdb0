/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The list of tools: built on first use, and rebuilt when policy or module
 * files change.
 */

#include "mcp/tools/tool_list.h"

#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/error.h"
#include "base/match.h"
#include "mcp/files/file_tools.h"
#include "mcp/tools/exec_shape.h"
#include "mcp/tools/tool_list_state.h"

/* The core tools after `exec`, in list order. */
static const struct w_tool *const core[W_CORE_TOOLS - 1] = {
    &w_tool_run_read,
    &w_tool_run_input,
    &w_tool_run_kill,
    &w_tool_run_list,
    &w_tool_module_search,
    &w_tool_module_describe,
    &w_tool_module_call,
    &w_tool_policy_check,
};

static const struct w_tool *const file_tools[W_FILE_TOOLS] = {
    &w_tool_file_read,
    &w_tool_file_write,
    &w_tool_file_edit,
    &w_tool_file_list,
    &w_tool_file_search,
};

size_t
w_tool_list_fixed(const struct w_mcp *server)
{
	return W_CORE_TOOLS +
	       (server->options.tools == W_MCP_TOOLS_FILES ? W_FILE_TOOLS : 0);
}

struct w_tool_list *
w_tool_list_get(struct w_mcp *server)
{
	if (server->tool_list == NULL)
		server->tool_list = calloc(1, sizeof(*server->tool_list));
	return server->tool_list;
}

/* A policy that cannot be loaded chooses no schema; nothing can run then. */
static const struct w_tool *
choose_exec(struct w_mcp *server)
{
	enum w_mcp_shape shape = server->options.shape;
	const char *word = NULL;

	if (shape == W_MCP_SHAPE_POLICY &&
	    writ_engine_exec_shape(server->engine, server->cwd, &word, NULL) ==
		WRIT_OK) {
		if (strcmp(word, "story") == 0)
			shape = W_MCP_SHAPE_SEED002;
		else if (strcmp(word, "oxios") == 0)
			shape = W_MCP_SHAPE_SEED003;
	}
	const struct w_tool *shaped =
	    shape == W_MCP_SHAPE_SEED002 || shape == W_MCP_SHAPE_SEED003
		? w_mcp_shaped_get(server, shape)
		: NULL;
	return shaped != NULL ? shaped : &w_tool_exec;
}

const struct w_tool *
w_tool_list_core(struct w_mcp *server, size_t place)
{
	if (place >= W_CORE_TOOLS)
		return file_tools[place - W_CORE_TOOLS];
	if (place > 0)
		return core[place - 1];
	struct w_tool_list *tool_list = w_tool_list_get(server);
	if (tool_list == NULL)
		return &w_tool_exec;
	if (tool_list->exec == NULL)
		tool_list->exec = choose_exec(server);
	return tool_list->exec;
}

/* Drops what depends on files. */
static void
tool_list_forget(struct w_tool_list *tool_list)
{
	for (size_t i = 0; i < tool_list->extra_count; i++)
		w_mcp_module_tool_done(&tool_list->extras[i]);
	for (size_t i = 0; i < tool_list->left_out_count; i++) {
		free(tool_list->left_out[i].id);
		free(tool_list->left_out[i].reason);
	}
	for (unsigned i = 0; i < W_TOOL_LIST_VARIANTS; i++)
		w_tool_list_variant_done(&tool_list->variants[i]);
	/* The first is exec's, whose schema may change. */
	w_schema_free(tool_list->checks[0].schema);
	w_json_free(tool_list->checks[0].document);
	tool_list->checks[0] = (struct w_tool_check){NULL, NULL};
	free(tool_list->extras);
	free(tool_list->left_out);
	w_tool_list_forget_modules(tool_list);
	tool_list->extras = NULL;
	tool_list->extra_count = 0;
	tool_list->pinned_count = 0;
	tool_list->left_out = NULL;
	tool_list->left_out_count = 0;
	tool_list->exec = NULL;
	tool_list->is_made = false;
}

struct w_tool_list *
w_tool_list_make(struct w_mcp *server)
{
	struct w_tool_list *tool_list = w_tool_list_get(server);

	if (tool_list == NULL || tool_list->is_made)
		return tool_list;
	tool_list->is_made = w_tool_list_choose(server, tool_list);
	if (tool_list->is_made)
		return tool_list;
	tool_list_forget(tool_list);
	return NULL;
}

const struct w_tool *
w_tool_list_at(struct w_mcp *server, size_t place)
{
	const size_t fixed = w_tool_list_fixed(server);

	if (place < fixed)
		return w_tool_list_core(server, place);
	const struct w_tool_list *tool_list = w_tool_list_make(server);
	const size_t extra = place - fixed;

	if (tool_list == NULL || extra >= tool_list->extra_count)
		return NULL;
	return &tool_list->extras[extra].tool;
}

static void
tool_list_suggest(struct w_mcp *server, const char *name, char out[64])
{
	const struct w_tool *tool;
	size_t count = 0;

	out[0] = '\0';
	while (w_tool_list_at(server, count) != NULL)
		count++;
	W_AUTO_FREE const char **names = calloc(count + 1, sizeof(*names));
	if (names == NULL)
		return;
	for (size_t i = 0; (tool = w_tool_list_at(server, i)) != NULL; i++)
		names[i] = tool->name;
	const char *nearest = w_match_nearest(name, names);
	if (nearest != NULL && strlen(nearest) < 64)
		memcpy(out, nearest, strlen(nearest) + 1);
}

const struct w_tool *
w_tool_list_find(struct w_mcp *server, const char *name, char suggestion[64])
{
	const struct w_tool *tool;

	suggestion[0] = '\0';
	for (size_t i = 0; (tool = w_tool_list_at(server, i)) != NULL; i++) {
		if (strcmp(tool->name, name) == 0)
			return tool;
	}
	tool_list_suggest(server, name, suggestion);
	return NULL;
}

/* ---- refresh ---- */

static bool
tool_list_is_same(const struct w_tool_list_variant *old, struct w_mcp *server,
    unsigned variant)
{
	for (size_t i = 0; i < old->count; i++) {
		const struct w_tool_list_part *page =
		    w_tool_list_page(server, variant, i);

		if (page == NULL || page->len != old->pages[i].len ||
		    memcmp(page->text, old->pages[i].text, page->len) != 0)
			return false;
	}
	return w_tool_list_page(server, variant, old->count) == NULL;
}

bool
w_tool_list_refresh(struct w_mcp *server)
{
	struct w_tool_list *tool_list = server->tool_list;
	struct w_tool_list_variant old[W_TOOL_LIST_VARIANTS];
	bool has_changed = false;

	if (tool_list == NULL)
		return false;
	memcpy(old, tool_list->variants, sizeof(old));
	memset(tool_list->variants, 0, sizeof(tool_list->variants));
	tool_list_forget(tool_list);
	for (unsigned i = 0; i < W_TOOL_LIST_VARIANTS; i++) {
		/* A variant that was never sent has changed for nobody. */
		if (old[i].pages != NULL &&
		    !tool_list_is_same(&old[i], server, i))
			has_changed = true;
		w_tool_list_variant_done(&old[i]);
	}
	return has_changed;
}

void
w_tool_list_free(struct w_mcp *server)
{
	struct w_tool_list *tool_list = server->tool_list;

	if (tool_list == NULL)
		return;
	tool_list_forget(tool_list);
	for (size_t i = 0; i < W_CORE_TOOLS + W_FILE_TOOLS; i++) {
		w_schema_free(tool_list->checks[i].schema);
		w_json_free(tool_list->checks[i].document);
	}
	w_json_free(tool_list->nothing);
	free(tool_list);
	server->tool_list = NULL;
}

/* ---- lint ---- */

void
w_tool_list_lint(struct w_mcp *server, w_tool_fault_fn fault, void *ctx)
{
	const struct w_tool *tool;

	for (size_t i = 0; (tool = w_tool_list_at(server, i)) != NULL; i++)
		(void)w_tool_lint(tool, fault, ctx);
}

void
w_tool_list_left_out(struct w_mcp *server, w_left_out_fn each, void *ctx)
{
	const struct w_tool_list *tool_list = w_tool_list_make(server);

	if (tool_list == NULL)
		return;
	for (size_t i = 0; i < tool_list->left_out_count; i++)
		each(ctx, tool_list->left_out[i].id,
		    tool_list->left_out[i].reason);
}
