/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The modules of a server, loaded when needed; the built-in ones only if all
 * are asked for.
 */

#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/error.h"
#include "mcp/tools/tool_list_state.h"

#define STAGE "tools"

void
w_mcp_module_set_release(struct w_mcp_module_set *module_set)
{
	if (module_set == NULL || --module_set->users > 0)
		return;
	writ_modules_free(module_set->modules);
	free(module_set);
}

void
w_tool_list_forget_modules(struct w_tool_list *tool_list)
{
	w_mcp_module_set_release(tool_list->full);
	w_mcp_module_set_release(tool_list->files);
	tool_list->full = NULL;
	tool_list->files = NULL;
}

static writ_status
tool_list_modules_load(struct w_mcp *server, bool is_full,
    struct w_mcp_module_set **out_set, writ_error *err)
{
	writ_modules_options options = WRIT_MODULES_OPTIONS_INIT;
	W_AUTO_FREE struct w_mcp_module_set *module_set =
	    calloc(1, sizeof(*module_set));

	if (module_set == NULL)
		return w_fail_nomem(err, STAGE);
	options.config = server->options.config;
	options.project = server->cwd;
	options.no_builtin = !is_full;
	writ_status status =
	    writ_modules_new(&options, &module_set->modules, err);
	if (status != WRIT_OK)
		return status;
	module_set->users = 1;
	*out_set = w_take_ptr(&module_set);
	return WRIT_OK;
}

/* A project's modules must be compared with the built-in ones, which they may
 * not replace. */
static bool
has_project(const writ_modules *modules)
{
	for (size_t i = 0; i < writ_modules_count(modules); i++) {
		if (strcmp(writ_modules_at(modules, i)->tier, "project") == 0)
			return true;
	}
	return false;
}

static writ_status
load_files(struct w_mcp *server, struct w_tool_list *tool_list, writ_error *err)
{
	writ_status status = WRIT_OK;

	if (tool_list->files == NULL)
		status = tool_list_modules_load(
		    server, false, &tool_list->files, err);
	if (status != WRIT_OK || !has_project(tool_list->files->modules))
		return status;
	if (tool_list->full == NULL)
		status =
		    tool_list_modules_load(server, true, &tool_list->full, err);
	return status;
}

writ_status
w_mcp_module_set_hold(struct w_mcp *server, bool is_full,
    struct w_mcp_module_set **out_set, writ_error *err)
{
	struct w_tool_list *tool_list = w_tool_list_get(server);
	writ_status status = WRIT_OK;

	if (tool_list == NULL)
		return w_fail_nomem(err, STAGE);
	if (is_full && tool_list->full == NULL)
		status =
		    tool_list_modules_load(server, true, &tool_list->full, err);
	else if (tool_list->full == NULL)
		status = load_files(server, tool_list, err);
	if (status != WRIT_OK)
		return status;
	struct w_mcp_module_set *module_set =
	    tool_list->full != NULL ? tool_list->full : tool_list->files;
	module_set->users++;
	*out_set = module_set;
	return WRIT_OK;
}

writ_status
w_tool_list_modules(
    struct w_mcp *server, writ_modules **out_modules, writ_error *err)
{
	struct w_mcp_module_set *module_set = NULL;
	writ_status status =
	    w_mcp_module_set_hold(server, true, &module_set, err);

	if (status != WRIT_OK)
		return status;
	*out_modules = module_set->modules;
	w_mcp_module_set_release(module_set); /* the tool list still holds it */
	return WRIT_OK;
}
