/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Which modules become tools. A long list of tools costs a model more than it
 * helps, so by default these are only the ones written for this machine or
 * project, and only if they are few.
 */

#include <malloc.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/match.h"
#include "mcp/tools/tool_list_state.h"

enum {
	REASON_MAX = 400,
};

/* ---- omitted modules ---- */

void
w_tool_list_leave_out(
    struct w_tool_list *tool_list, const char *id, const char *fmt, ...)
{
	const size_t count = tool_list->left_out_count;
	char reason[REASON_MAX];
	va_list args;
	struct w_left_out *grown = reallocarray(
	    tool_list->left_out, count + 1, sizeof(*tool_list->left_out));

	if (grown == NULL) {
		tool_list->has_failed = true;
		return;
	}
	tool_list->left_out = grown;
	va_start(args, fmt);
	(void)vsnprintf(reason, sizeof(reason), fmt, args);
	va_end(args);
	grown[count] = (struct w_left_out){strdup(id), strdup(reason)};
	if (grown[count].id != NULL && grown[count].reason != NULL) {
		tool_list->left_out_count = count + 1;
		return;
	}
	free(grown[count].id);
	free(grown[count].reason);
	tool_list->has_failed = true;
}

/* ---- selection ---- */

static bool
is_pinned(const struct w_mcp *server, const char *id)
{
	const char *const *pinned = server->options.pinned;

	for (size_t i = 0; pinned != NULL && pinned[i] != NULL; i++) {
		if (w_match_glob(pinned[i], id))
			return true;
	}
	return false;
}

static bool
tool_list_choice_is_wanted(
    const struct w_mcp *server, const writ_module *module)
{
	switch (server->options.expose) {
	case W_MCP_EXPOSE_AUTO:
		/* Built-in modules were not chosen for this machine. */
		return (strcmp(module->tier, "builtin") != 0 &&
			   strcmp(module->tier, "shipped") != 0) ||
		       is_pinned(server, module->id);
	case W_MCP_EXPOSE_ALL:
		return true;
	case W_MCP_EXPOSE_PINNED:
		return is_pinned(server, module->id);
	case W_MCP_EXPOSE_CORE:
		break;
	}
	return false;
}

static void
tool_list_choice_note_missing(const struct w_mcp *server,
    struct w_tool_list *tool_list, const writ_modules *modules)
{
	const char *const *pinned = server->options.pinned;

	for (size_t i = 0; pinned != NULL && pinned[i] != NULL; i++) {
		const size_t count = writ_modules_count(modules);
		bool is_found = false;

		for (size_t k = 0; k < count && !is_found; k++)
			is_found = w_match_glob(
			    pinned[i], writ_modules_at(modules, k)->id);
		if (!is_found)
			w_tool_list_leave_out(tool_list, pinned[i],
			    "there is no such module to pin");
	}
}

/* ---- building ---- */

struct tool_list_choice_finding {
	char text[REASON_MAX];
	bool is_found;
};

static void
save_fault(void *ctx, const char *tool, const char *fault)
{
	struct tool_list_choice_finding *finding = ctx;

	(void)tool;
	if (!finding->is_found)
		(void)snprintf(
		    finding->text, sizeof(finding->text), "%s", fault);
	finding->is_found = true;
}

static void
tool_list_choice_add(struct w_tool_list *tool_list, writ_modules *modules,
    const writ_module *module, bool is_pin)
{
	struct w_mcp_module_tool *tool =
	    &tool_list->extras[tool_list->extra_count];
	struct tool_list_choice_finding finding = {.is_found = false};
	writ_error err;

	if (w_mcp_module_tool_init(tool, modules, module, &err) != WRIT_OK) {
		tool_list->has_failed =
		    tool_list->has_failed || err.status == WRIT_E_NOMEM;
		w_tool_list_leave_out(tool_list, module->id, "%s", err.message);
		return;
	}
	if (!w_tool_lint(&tool->tool, save_fault, &finding))
		tool_list->has_failed = true;
	if (finding.is_found) {
		w_tool_list_leave_out(
		    tool_list, module->id, "%s", finding.text);
		w_mcp_module_tool_done(tool);
		return;
	}
	tool->is_pinned = is_pin;
	tool_list->extra_count++;
}

static void
tool_list_choice_add_all(struct w_mcp *server, struct w_tool_list *tool_list,
    writ_modules *modules, size_t wanted)
{
	const size_t count = writ_modules_count(modules);
	const bool only_pinned = server->options.expose == W_MCP_EXPOSE_AUTO &&
				 wanted > W_MCP_TOOLS_MAX;

	for (size_t i = 0; i < count; i++) {
		const writ_module *module = writ_modules_at(modules, i);
		const bool is_pin = is_pinned(server, module->id);

		if (!tool_list_choice_is_wanted(server, module))
			continue;
		if (is_pin || !only_pinned)
			tool_list_choice_add(
			    tool_list, modules, module, is_pin);
		else
			w_tool_list_leave_out(tool_list, module->id,
			    "%zu modules are more than the %d that become "
			    "tools by themselves",
			    wanted, W_MCP_TOOLS_MAX);
	}
}

/* ---- budget ---- */

static size_t
size_of(struct w_tool_list *tool_list)
{
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, (size_t)1 << 30);
	for (size_t i = 0; i < tool_list->extra_count; i++)
		w_tool_add_json(
		    &buf, &tool_list->extras[i].tool, W_TOOL_LIST_VARIANTS - 1);
	tool_list->has_failed = tool_list->has_failed || buf.failed;
	return buf.len;
}

static void
keep_pinned(struct w_tool_list *tool_list, size_t bytes)
{
	size_t kept = 0;

	for (size_t i = 0; i < tool_list->extra_count; i++) {
		struct w_mcp_module_tool *tool = &tool_list->extras[i];

		if (tool->is_pinned) {
			tool_list->extras[kept++] = *tool;
			continue;
		}
		w_tool_list_leave_out(tool_list, tool->id,
		    "%zu bytes of modules are more than the %d that become "
		    "tools by themselves",
		    bytes, W_MCP_TOOLS_BYTES);
		w_mcp_module_tool_done(tool);
	}
	tool_list->extra_count = kept;
}

static void
tool_list_choice_choose(
    struct w_mcp *server, struct w_tool_list *tool_list, writ_modules *modules)
{
	size_t wanted = 0;

	for (size_t i = 0; i < writ_modules_count(modules); i++)
		wanted += tool_list_choice_is_wanted(
		    server, writ_modules_at(modules, i));

	tool_list_choice_note_missing(server, tool_list, modules);
	if (wanted == 0)
		return;
	tool_list->extras = calloc(wanted, sizeof(*tool_list->extras));
	if (tool_list->extras == NULL) {
		tool_list->has_failed = true;
		return;
	}
	tool_list_choice_add_all(server, tool_list, modules, wanted);
	const size_t bytes = server->options.expose == W_MCP_EXPOSE_AUTO
				 ? size_of(tool_list)
				 : 0;
	if (bytes > W_MCP_TOOLS_BYTES)
		keep_pinned(tool_list, bytes);
	w_tool_list_assign_names(server, tool_list);
}

bool
w_tool_list_choose(struct w_mcp *server, struct w_tool_list *tool_list)
{
	const bool has_pins =
	    server->options.pinned != NULL && server->options.pinned[0] != NULL;
	struct w_mcp_module_set *module_set = NULL;
	writ_error err;

	tool_list->has_failed = false;
	if (server->options.expose == W_MCP_EXPOSE_CORE)
		return true;
	if (w_mcp_module_set_hold(server,
		has_pins || server->options.expose == W_MCP_EXPOSE_ALL,
		&module_set, &err) != WRIT_OK) {
		w_tool_list_leave_out(tool_list, "*", "%s", err.message);
		return err.status != WRIT_E_NOMEM;
	}
	tool_list_choice_choose(server, tool_list, module_set->modules);
	w_mcp_module_set_release(module_set);
	/* Inspecting hundreds of modules fills caches; a call reloads what it
	 * needs. */
	if (tool_list->extra_count > W_MCP_TOOLS_MAX) {
		w_tool_list_forget_modules(tool_list);
		(void)malloc_trim(0);
	}
	return !tool_list->has_failed;
}
