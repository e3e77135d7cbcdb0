/* SPDX-License-Identifier: Apache-2.0 */

/* The tool `module_search`: finds described commands. */

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/auto.h"
#include "base/error.h"
#include "data/json.h"
#include "mcp/runs/tool_arguments.h"
#include "mcp/tools/tool_list_state.h"
#include "mcp/tools/tool_methods.h"

#define ANSWER_MAX ((size_t)4 << 20)

enum {
	LIMIT = 10,
};

/* ---- one module ---- */

static const char *
risk_of(const writ_module *module)
{
	if (module->is_readonly)
		return module->is_open_world ? "reads, network" : "reads";
	return module->is_destructive ? "may change or delete" : "changes";
}

static void
tool_module_search_add_row(
    struct w_buf *json, struct w_buf *text, const writ_module *module)
{
	w_buf_add_str(json, w_buf_last(json) == '[' ? "{" : ",{");
	w_json_add_text_member(json, "id", module->id);
	w_json_add_path_member(json, "command", module->command);
	w_json_add_path_member(json, "description", module->description);
	w_json_add_text_member(json, "risk", risk_of(module));
	w_buf_add_char(json, '}');
	w_buf_add_fmt(text, "%s: %s (%s; %s)\n", module->id,
	    module->description, module->command, risk_of(module));
}

/* ---- notes ---- */

struct note {
	const char *first; /* the first reason */
	size_t count;
};

static void
count_left_out(void *ctx, const char *id, const char *reason)
{
	struct note *note = ctx;

	(void)id;
	if (note->count == 0)
		note->first = reason;
	note->count++;
}

static void
add_note(struct w_buf *buf, struct w_mcp *server, const writ_modules *modules,
    size_t left)
{
	struct note note = {.count = 0};
	size_t broken = 0;

	if (left > 0)
		w_buf_add_fmt(
		    buf, "%zu more: narrow the query or raise limit", left);
	(void)writ_modules_problems(modules, &broken);
	if (broken > 0)
		w_buf_add_fmt(buf,
		    "%s%zu problem%s in files of modules, which a person sees "
		    "by 'writ module list'",
		    buf->len > 0 ? "; " : "", broken, broken == 1 ? "" : "s");
	w_tool_list_left_out(server, count_left_out, &note);
	if (note.count == 0)
		return;
	w_buf_add_fmt(buf,
	    "%s%zu of these modules are not tools of their own (%s): use "
	    "module_call",
	    buf->len > 0 ? "; " : "", note.count, note.first);
}

/* ---- search ---- */

/* An exact command name comes first. */
static void
tool_module_search_put_first(
    const writ_module **found, size_t count, const char *command)
{
	for (size_t i = 1; i < count; i++) {
		const writ_module *module = found[i];

		if (strcasecmp(module->command, command) != 0)
			continue;
		memmove(found + 1, found, i * sizeof(*found));
		found[0] = module;
		return;
	}
}

static void
tool_module_search_add_answer(const writ_module *const *found, size_t count,
    size_t shown, const char *note, struct w_buf *json, struct w_buf *text)
{
	w_buf_add_str(json, "{\"modules\":[");
	for (size_t i = 0; i < shown; i++)
		tool_module_search_add_row(json, text, found[i]);
	w_buf_add_fmt(json, "],\"total\":%zu", count);
	w_json_add_path_member(json, "note", note[0] != '\0' ? note : NULL);
	w_buf_add_char(json, '}');
	if (count == 0)
		w_buf_add_str(
		    text, "no module matches: try fewer or other words\n");
	if (note[0] != '\0')
		w_buf_add_fmt(text, "%s\n", note);
}

static writ_status
tool_module_search(struct w_mcp *server, const writ_modules *modules,
    yyjson_val *arguments, struct w_buf *json, struct w_buf *text,
    writ_error *err)
{
	const size_t limit =
	    (size_t)w_tool_arguments_number(arguments, "limit", LIMIT);
	W_AUTO_FREE const writ_module **found = NULL;
	const char *query = "";
	size_t count = 0;
	W_AUTO_BUF struct w_buf note;
	writ_status status = WRIT_OK;

	w_buf_init(&note, ANSWER_MAX);
	if (yyjson_obj_get(arguments, "query") != NULL)
		status = w_tool_text(arguments, "query", &query, err);
	if (status == WRIT_OK)
		status =
		    writ_modules_search(modules, query, &found, &count, err);
	if (status != WRIT_OK)
		return status;
	const size_t shown = count < limit ? count : limit;

	tool_module_search_put_first(found, count, query);
	add_note(&note, server, modules, count - shown);
	tool_module_search_add_answer(
	    found, count, shown, note.data, json, text);
	return json->failed || text->failed || note.failed
		   ? w_fail_nomem(err, "module")
		   : WRIT_OK;
}

static void
tool_module_search_call(
    struct w_rpc_request *rpc_request, yyjson_val *arguments)
{
	struct w_mcp *server = rpc_request->server;
	struct w_mcp_module_set *module_set = NULL;
	W_AUTO_BUF struct w_buf json;
	W_AUTO_BUF struct w_buf text;
	writ_error err = {0};

	w_buf_init(&json, ANSWER_MAX);
	w_buf_init(&text, ANSWER_MAX);
	/* Held, because the list of tools may be rebuilt meanwhile. */
	writ_status status =
	    w_mcp_module_set_hold(server, true, &module_set, &err);
	if (status == WRIT_OK)
		status = tool_module_search(
		    server, module_set->modules, arguments, &json, &text, &err);
	if (status == WRIT_OK)
		w_tool_reply(
		    rpc_request, text.data, text.len, json.data, false);
	else
		w_tool_refuse(rpc_request, &err, NULL);
	w_mcp_module_set_release(module_set);
}

/* clang-format off */
static const char input_schema[] =
	"{\"type\":\"object\",\"properties\":{"
	"\"query\":{\"type\":\"string\",\"description\":"
		"\"words that all occur\"},"
	"\"limit\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":100}},"
	"\"additionalProperties\":false}";
/* clang-format on */

const struct w_tool w_tool_module_search = {
    .name = "module_search",
    .title = "Find a module",
    .description = "Finds commands with typed arguments and known "
		   "effects. Then: module_describe, module_call.",
    .input_schema = input_schema,
    .output_schema = W_TOOL_ANSWER(
	"module_search", "\"modules\":{\"type\":\"array\",\"items\":{}}"),
    .hints = W_TOOL_READ_ONLY,
    .call = tool_module_search_call,
};
