/* SPDX-License-Identifier: Apache-2.0 */

/* The tool `module_describe`: the arguments of a module, and what it does. */

#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/error.h"
#include "data/json.h"
#include "mcp/tools/tool_list_state.h"
#include "mcp/tools/tool_methods.h"

#define ANSWER_MAX ((size_t)64 << 20)

enum {
	DEPTH_MAX = 600,
};

/* What callers need; not how the module renders its command. */
static const char *const described[] = {"id", "description", "documentation",
    "command", "annotations", "input_schema", "output_schema", "output",
    "success", "timeout_ms", "examples", NULL};

static bool
has_names(const char *key)
{
	static const char *const keys[] = {"properties", "patternProperties",
	    "$defs", "definitions", "dependentSchemas", NULL};

	for (size_t i = 0; keys[i] != NULL; i++) {
		if (strcmp(keys[i], key) == 0)
			return true;
	}
	return false;
}

/* Removes keys that only the renderer reads ("x-apexe-flag"). Under
 * "properties" and the like, keys are names of arguments instead. Recursion is
 * bounded by the depth limit of the parser. */
static void
strip_internal(yyjson_mut_val *schema, bool are_names)
{
	yyjson_mut_obj_iter object = yyjson_mut_obj_iter_with(schema);
	yyjson_mut_arr_iter array = yyjson_mut_arr_iter_with(schema);
	yyjson_mut_val *item;

	while ((item = yyjson_mut_obj_iter_next(&object)) != NULL) {
		const char *key = yyjson_mut_get_str(item);

		if (!are_names && (strncmp(key, "x-apexe-", 8) == 0 ||
				      strncmp(key, "x-writ-", 7) == 0))
			(void)yyjson_mut_obj_iter_remove(&object);
		else
			strip_internal(yyjson_mut_obj_iter_get_val(item),
			    !are_names && has_names(key));
	}
	while ((item = yyjson_mut_arr_iter_next(&array)) != NULL)
		strip_internal(item, false);
}

static char *
copy_stripped(yyjson_val *schema)
{
	yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
	yyjson_mut_val *copy = yyjson_val_mut_copy(doc, schema);
	char *text = NULL;

	if (copy != NULL) {
		strip_internal(copy, false);
		text = yyjson_mut_val_write(copy, 0, NULL);
	}
	yyjson_mut_doc_free(doc);
	return text;
}

static void
add_described(struct w_buf *buf, yyjson_val *module)
{
	for (size_t i = 0; described[i] != NULL; i++) {
		yyjson_val *value = yyjson_obj_get(module, described[i]);
		W_AUTO_FREE char *text = NULL;

		if (value == NULL || yyjson_is_null(value))
			continue;
		text = strcmp(described[i], "input_schema") == 0
			   ? copy_stripped(value)
			   : yyjson_val_write(value, 0, NULL);
		if (text == NULL)
			buf->failed = true;
		else
			w_buf_add_fmt(buf, "%s\"%s\":%s",
			    buf->len > 1 ? "," : "", described[i], text);
	}
}

static const char *
tool_name(struct w_mcp *server, const char *id)
{
	const struct w_tool *tool;

	for (size_t i = w_tool_list_fixed(server);
	     (tool = w_tool_list_at(server, i)) != NULL; i++) {
		if (strcmp(tool->module, id) == 0)
			return tool->name;
	}
	return NULL;
}

writ_status
w_mcp_module_describe(
    struct w_mcp *server, const char *id, struct w_buf *buf, writ_error *err)
{
	W_AUTO_FREE char *json = NULL;
	struct w_json *document = NULL;
	writ_modules *modules = NULL;
	size_t len = 0;
	writ_status status = w_tool_list_modules(server, &modules, err);

	if (status == WRIT_OK)
		status = writ_modules_json(modules, id, &json, &len, err);
	const struct w_json_limits limits = {len, DEPTH_MAX};
	if (status == WRIT_OK)
		status = w_json_read_exact(json, len, &limits, &document, err);
	if (status != WRIT_OK)
		return status;
	w_buf_add_char(buf, '{');
	add_described(buf, w_json_root(document));
	w_json_add_text_member(buf, "tool", tool_name(server, id));
	w_buf_add_char(buf, '}');
	w_json_free(document);
	return buf->failed ? w_fail_nomem(err, "module") : WRIT_OK;
}

static void
tool_module_describe_call(
    struct w_rpc_request *rpc_request, yyjson_val *arguments)
{
	const char *id;
	W_AUTO_BUF struct w_buf buf;
	writ_error err = {0};

	w_buf_init(&buf, ANSWER_MAX);
	if (w_tool_text(arguments, "id", &id, &err) != WRIT_OK ||
	    w_mcp_module_describe(rpc_request->server, id, &buf, &err) !=
		WRIT_OK)
		w_tool_refuse(rpc_request, &err, NULL);
	else
		w_tool_reply(rpc_request, buf.data, buf.len, buf.data, false);
}

const struct w_tool w_tool_module_describe = {
    .name = "module_describe",
    .title = "Describe a module",
    .description = "The arguments of a module as a JSON Schema, its command "
		   "and effects. Then: module_call.",
    .input_schema = "{\"type\":\"object\",\"properties\":{\"id\":{\"type\":"
		    "\"string\"}},\"required\":[\"id\"],"
		    "\"additionalProperties\":false}",
    .hints = W_TOOL_READ_ONLY,
    .call = tool_module_describe_call,
};
