/* SPDX-License-Identifier: Apache-2.0 */

/* The tool `module_search`: which described commands there are. */

#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/error.h"
#include "data/json.h"
#include "mcp/catalogue_state.h"
#include "mcp/run_arguments.h"
#include "mcp/tools.h"

#define ANSWER_MAX ((size_t)4 << 20)

enum {
	LIMIT = 10,
};

/* ---- one of them ---- */

static const char *
risk_of(const writ_module *module)
{
	if (module->is_readonly)
		return module->is_open_world ? "reads, network" : "reads";
	return module->is_destructive ? "may change or delete" : "changes";
}

static void
add_row(struct w_buf *json, struct w_buf *text, const writ_module *module)
{
	w_buf_add_str(json, json->data[json->len - 1] == '[' ? "{" : ",{");
	w_json_add_text_member(json, "id", module->id);
	w_json_add_path_member(json, "command", module->command);
	w_json_add_path_member(json, "description", module->description);
	w_json_add_text_member(json, "risk", risk_of(module));
	w_buf_add_char(json, '}');
	w_buf_add_fmt(text, "%s: %s (%s; %s)\n", module->id,
	    module->description, module->command, risk_of(module));
}

/* ---- what else to know ---- */

struct note {
	const char *first; /* the reason that was told */
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
add_note(struct w_buf *buf, struct w_mcp *server, size_t shown, size_t found)
{
	struct note note = {.count = 0};

	if (shown < found)
		w_buf_add_fmt(buf, "%zu more: narrow the query or raise limit",
		    found - shown);
	w_catalogue_left_out(server, count_left_out, &note);
	if (note.count == 0)
		return;
	w_buf_add_fmt(buf,
	    "%s%zu of these modules are not tools of their own (%s): use "
	    "module_call",
	    buf->len > 0 ? "; " : "", note.count, note.first);
}

/* ---- all of them ---- */

static bool
add_answer(struct w_mcp *server, const writ_module *const *found, size_t count,
    size_t limit, struct w_buf *json, struct w_buf *text)
{
	const size_t shown = count < limit ? count : limit;
	W_AUTO_BUF struct w_buf note;

	w_buf_init(&note, ANSWER_MAX);
	add_note(&note, server, shown, count);
	w_buf_add_str(json, "{\"modules\":[");
	for (size_t i = 0; i < shown; i++)
		add_row(json, text, found[i]);
	w_buf_add_fmt(json, "],\"total\":%zu", count);
	w_json_add_text_member(json, "note", note.len > 0 ? note.data : NULL);
	w_buf_add_char(json, '}');
	if (count == 0)
		w_buf_add_str(
		    text, "no module matches: fewer or other words may\n");
	if (note.len > 0)
		w_buf_add_fmt(text, "%s\n", note.data);
	return !json->failed && !text->failed && !note.failed;
}

static writ_status
search(struct w_mcp *server, yyjson_val *arguments, struct w_buf *json,
    struct w_buf *text, writ_error *err)
{
	const char *query = "";
	const uint64_t limit =
	    w_run_arguments_number(arguments, "limit", LIMIT);
	W_AUTO_FREE const writ_module **found = NULL;
	writ_modules *modules = NULL;
	size_t count = 0;
	writ_status status = w_catalogue_modules(server, &modules, err);

	if (status == WRIT_OK && yyjson_obj_get(arguments, "query") != NULL)
		status = w_tool_text(arguments, "query", &query, err);
	if (status == WRIT_OK)
		status =
		    writ_modules_search(modules, query, &found, &count, err);
	if (status != WRIT_OK)
		return status;
	return add_answer(server, found, count, (size_t)limit, json, text)
		   ? WRIT_OK
		   : w_fail_nomem(err, "module");
}

static void
call(struct w_exchange *exchange, yyjson_val *arguments)
{
	W_AUTO_BUF struct w_buf json;
	W_AUTO_BUF struct w_buf text;
	writ_error err = {0};

	w_buf_init(&json, ANSWER_MAX);
	w_buf_init(&text, ANSWER_MAX);
	if (search(exchange->server, arguments, &json, &text, &err) != WRIT_OK)
		w_tool_refuse(exchange, &err, NULL);
	else
		w_tool_reply(exchange, text.data, text.len, json.data, false);
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
    .call = call,
};
