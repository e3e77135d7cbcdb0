/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The catalogue: nothing of it is there before somebody asks, and what depends
 * on files outside is thrown away when they change.
 */

#include "mcp/catalogue.h"

#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/error.h"
#include "base/match.h"
#include "mcp/catalogue_state.h"

/* The core behind `exec`, in the order of the list. */
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

struct w_catalogue *
w_catalogue_get(struct w_mcp *server)
{
	if (server->catalogue == NULL)
		server->catalogue = calloc(1, sizeof(*server->catalogue));
	return server->catalogue;
}

/* A policy that is not in order says nothing about it, and lets nothing run. */
static const struct w_tool *
choose_exec(struct w_mcp *server)
{
	enum w_mcp_shape shape = server->options.shape;
	const char *word = NULL;

	if (shape == W_MCP_SHAPE_POLICY &&
	    writ_engine_exec_shape(server->engine, server->cwd, &word, NULL) ==
		WRIT_OK) {
		if (strcmp(word, "story") == 0)
			shape = W_MCP_SHAPE_STORY;
		else if (strcmp(word, "oxios") == 0)
			shape = W_MCP_SHAPE_OXIOS;
	}
	switch (shape) {
	case W_MCP_SHAPE_STORY:
		return &w_tool_exec_story;
	case W_MCP_SHAPE_OXIOS:
		return &w_tool_exec_oxios;
	case W_MCP_SHAPE_POLICY:
	case W_MCP_SHAPE_ARGV:
		break;
	}
	return &w_tool_exec;
}

static const struct w_tool *
exec_of(struct w_mcp *server)
{
	struct w_catalogue *catalogue = w_catalogue_get(server);

	if (catalogue == NULL)
		return &w_tool_exec;
	if (catalogue->exec == NULL)
		catalogue->exec = choose_exec(server);
	return catalogue->exec;
}

const struct w_tool *
w_catalogue_core(struct w_mcp *server, size_t place)
{
	return place == 0 ? exec_of(server) : core[place - 1];
}

/* What depends on files. */
static void
forget(struct w_catalogue *catalogue)
{
	for (size_t i = 0; i < catalogue->extra_count; i++)
		w_module_tool_done(&catalogue->extras[i]);
	for (size_t i = 0; i < catalogue->left_out_count; i++) {
		free(catalogue->left_out[i].id);
		free(catalogue->left_out[i].reason);
	}
	for (unsigned i = 0; i < W_TOOL_FORMS; i++)
		w_tools_form_done(&catalogue->forms[i]);
	/* The first is that of exec, which may get another shape. */
	w_schema_free(catalogue->checks[0].schema);
	w_json_free(catalogue->checks[0].document);
	catalogue->checks[0] = (struct w_tool_check){NULL, NULL};
	free(catalogue->extras);
	free(catalogue->left_out);
	w_catalogue_forget_modules(catalogue);
	catalogue->extras = NULL;
	catalogue->extra_count = 0;
	catalogue->pinned_count = 0;
	catalogue->left_out = NULL;
	catalogue->left_out_count = 0;
	catalogue->exec = NULL;
	catalogue->is_made = false;
}

struct w_catalogue *
w_catalogue_make(struct w_mcp *server)
{
	struct w_catalogue *catalogue = w_catalogue_get(server);

	if (catalogue == NULL || catalogue->is_made)
		return catalogue;
	catalogue->is_made = w_catalogue_choose(server, catalogue);
	if (catalogue->is_made)
		return catalogue;
	forget(catalogue);
	return NULL;
}

const struct w_tool *
w_catalogue_at(struct w_mcp *server, size_t place)
{
	if (place < W_CORE_TOOLS)
		return w_catalogue_core(server, place);
	const struct w_catalogue *catalogue = w_catalogue_make(server);
	const size_t extra = place - W_CORE_TOOLS;

	if (catalogue == NULL || extra >= catalogue->extra_count)
		return NULL;
	return &catalogue->extras[extra].tool;
}

static void
suggest(struct w_mcp *server, const char *name, char out[64])
{
	const struct w_tool *tool;
	size_t count = 0;

	out[0] = '\0';
	while (w_catalogue_at(server, count) != NULL)
		count++;
	W_AUTO_FREE const char **names = calloc(count + 1, sizeof(*names));
	if (names == NULL)
		return;
	for (size_t i = 0; (tool = w_catalogue_at(server, i)) != NULL; i++)
		names[i] = tool->name;
	const char *nearest = w_match_nearest(name, names);
	if (nearest != NULL && strlen(nearest) < 64)
		memcpy(out, nearest, strlen(nearest) + 1);
}

const struct w_tool *
w_catalogue_find(struct w_mcp *server, const char *name, char suggestion[64])
{
	const struct w_tool *tool;

	suggestion[0] = '\0';
	for (size_t i = 0; (tool = w_catalogue_at(server, i)) != NULL; i++) {
		if (strcmp(tool->name, name) == 0)
			return tool;
	}
	suggest(server, name, suggestion);
	return NULL;
}

/* ---- its end ---- */

static bool
is_same(const struct w_tools_form *old, struct w_mcp *server, unsigned form)
{
	for (size_t i = 0; i < old->count; i++) {
		const struct w_tools_page *page =
		    w_catalogue_page(server, form, i);

		if (page == NULL || page->len != old->pages[i].len ||
		    memcmp(page->text, old->pages[i].text, page->len) != 0)
			return false;
	}
	return w_catalogue_page(server, form, old->count) == NULL;
}

bool
w_catalogue_refresh(struct w_mcp *server)
{
	struct w_catalogue *catalogue = server->catalogue;
	struct w_tools_form old[W_TOOL_FORMS];
	bool has_changed = false;

	if (catalogue == NULL)
		return false;
	memcpy(old, catalogue->forms, sizeof(old));
	memset(catalogue->forms, 0, sizeof(catalogue->forms));
	forget(catalogue);
	for (unsigned i = 0; i < W_TOOL_FORMS; i++) {
		/* A form that nobody has seen has not changed for anybody. */
		if (old[i].pages != NULL && !is_same(&old[i], server, i))
			has_changed = true;
		w_tools_form_done(&old[i]);
	}
	return has_changed;
}

void
w_catalogue_free(struct w_mcp *server)
{
	struct w_catalogue *catalogue = server->catalogue;

	if (catalogue == NULL)
		return;
	forget(catalogue);
	for (size_t i = 0; i < W_CORE_TOOLS; i++) {
		w_schema_free(catalogue->checks[i].schema);
		w_json_free(catalogue->checks[i].document);
	}
	w_json_free(catalogue->nothing);
	free(catalogue);
	server->catalogue = NULL;
}

/* ---- looking at it ---- */

void
w_catalogue_lint(struct w_mcp *server, w_tool_fault_fn fault, void *ctx)
{
	const struct w_tool *tool;

	for (size_t i = 0; (tool = w_catalogue_at(server, i)) != NULL; i++)
		(void)w_tool_lint(tool, fault, ctx);
}

void
w_catalogue_left_out(struct w_mcp *server, w_left_out_fn each, void *ctx)
{
	const struct w_catalogue *catalogue = w_catalogue_make(server);

	if (catalogue == NULL)
		return;
	for (size_t i = 0; i < catalogue->left_out_count; i++)
		each(ctx, catalogue->left_out[i].id,
		    catalogue->left_out[i].reason);
}
