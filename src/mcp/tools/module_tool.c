/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A module as a tool of its own. Its arguments are exactly the module's, with
 * the author's schema. Its annotations never promise less harm than is known
 * for certain.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/encode.h"
#include "base/error.h"
#include "base/sha256.h"
#include "mcp/tools/tool_list_state.h"

#define STAGE "tools"

enum {
	DESCRIPTION_MAX = 1000, /* bytes */
	COMMAND_MAX = 200,
	DEPTH_MAX = 256,
	HASH_LEN = 6, /* hex digits of the hash of an id */
};

#define TEXT_MAX ((size_t)64 << 20)
#define ANSWER_MEMBERS                                               \
	"\"outcome\":{\"type\":\"string\"},\"exit_code\":{\"type\":" \
	"\"integer\"},\"stdout\":{},\"stderr\":{},\"json_output\":{}"

/* ---- name ---- */

void
w_mcp_module_tool_name(
    const char *id, bool has_hash, char out[W_TOOL_NAME_MAX + 1])
{
	uint8_t sum[W_SHA256_SIZE];
	size_t len = strlen(id);

	has_hash = has_hash || len > W_TOOL_NAME_MAX;
	if (has_hash && len > W_TOOL_NAME_MAX - HASH_LEN - 1)
		len = W_TOOL_NAME_MAX - HASH_LEN - 1;
	for (size_t i = 0; i < len; i++) {
		const char c = id[i];

		out[i] =
		    (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ? c : '_';
	}
	out[len] = '\0';
	if (!has_hash)
		return;
	w_sha256(id, strlen(id), sum);
	(void)snprintf(
	    out + len, HASH_LEN + 2, "_%02x%02x%02x", sum[0], sum[1], sum[2]);
}

/* ---- description ---- */

static void
add_cut(struct w_buf *buf, const char *text, size_t max)
{
	const size_t len = strlen(text);

	if (len <= max) {
		w_buf_add_str(buf, text);
		return;
	}
	w_buf_add(buf, text, w_utf8_trim_end(text, max - 3));
	w_buf_add_str(buf, "...");
}

static char *
description_of(const writ_module *module)
{
	const char *text = module->description;
	const size_t len = strlen(text);
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, TEXT_MAX);
	add_cut(&buf, text, DESCRIPTION_MAX - COMMAND_MAX - 16);
	if (len > 0)
		w_buf_add_str(
		    &buf, strchr(".!?", text[len - 1]) != NULL ? " " : ". ");
	w_buf_add_str(&buf, "Runs: ");
	add_cut(&buf, module->command, COMMAND_MAX);
	return w_buf_take(&buf, NULL);
}

/* The sandbox enforces these, whoever wrote them. */
static bool
module_tool_is_word(yyjson_val *root, const char *key, const char *word)
{
	return yyjson_equals_str(yyjson_obj_get(root, key), word);
}

/*
 * The owner of the machine may declare what a module does. A project may come
 * from anywhere: only what the sandbox enforces is believed.
 */
static unsigned
hints_of(const writ_module *module, yyjson_val *root)
{
	const bool is_believed = strcmp(module->tier, "project") != 0;
	const bool is_offline = module_tool_is_word(root, "network", "off");
	const bool is_walled =
	    module_tool_is_word(root, "sandbox", "readonly") && is_offline;
	unsigned hints = 0;

	if (module->is_readonly && (is_believed || is_walled))
		hints |= W_TOOL_READ_ONLY;
	else if (module->is_destructive || !is_believed)
		hints |= W_TOOL_DESTRUCTIVE;
	if (module->is_idempotent && is_believed)
		hints |= W_TOOL_IDEMPOTENT;
	if (!is_offline && (module->is_open_world || !is_believed))
		hints |= W_TOOL_OPEN_WORLD;
	return hints;
}

void
w_mcp_module_tool_relink(struct w_mcp_module_tool *tool)
{
	tool->tool.name = tool->name;
	if (!tool->has_object)
		return;
	(void)snprintf(tool->output_schema, sizeof(tool->output_schema),
	    W_TOOL_ANSWER("%s", ANSWER_MEMBERS), tool->name);
	tool->tool.output_schema = tool->output_schema;
}

static writ_status
module_tool_fill(struct w_mcp_module_tool *tool, const writ_module *module,
    yyjson_val *root, writ_error *err)
{
	yyjson_val *schema = yyjson_obj_get(root, "input_schema");
	yyjson_val *output = yyjson_obj_get(root, "output");

	tool->input_schema = yyjson_is_obj(schema)
				 ? yyjson_val_write(schema, 0, NULL)
				 : strdup("{\"type\":\"object\"}");
	tool->id = strdup(module->id);
	tool->description = description_of(module);
	if (tool->input_schema == NULL || tool->id == NULL ||
	    tool->description == NULL)
		return w_fail_nomem(err, STAGE);
	w_mcp_module_tool_name(module->id, false, tool->name);
	tool->has_object = module_tool_is_word(output, "as", "text") ||
			   module_tool_is_word(output, "as", "json");
	tool->tool = (struct w_tool){
	    .description = tool->description,
	    .input_schema = tool->input_schema,
	    .hints = hints_of(module, root),
	    .module = tool->id,
	    .checks_input = true,
	};
	w_mcp_module_tool_relink(tool);
	return WRIT_OK;
}

writ_status
w_mcp_module_tool_init(struct w_mcp_module_tool *tool, writ_modules *modules,
    const writ_module *module, writ_error *err)
{
	const struct w_json_limits limits = {TEXT_MAX, DEPTH_MAX};
	W_AUTO_FREE char *json = NULL;
	struct w_json *document = NULL;
	size_t len = 0;

	*tool = (struct w_mcp_module_tool){.id = NULL};
	writ_status status =
	    writ_modules_json(modules, module->id, &json, &len, err);
	if (status == WRIT_OK)
		status = w_json_read_exact(json, len, &limits, &document, err);
	if (status == WRIT_OK)
		status =
		    module_tool_fill(tool, module, w_json_root(document), err);
	w_json_free(document);
	if (status != WRIT_OK)
		w_mcp_module_tool_done(tool);
	return status;
}

void
w_mcp_module_tool_done(struct w_mcp_module_tool *tool)
{
	free(tool->id);
	free(tool->description);
	free(tool->input_schema);
	*tool = (struct w_mcp_module_tool){.id = NULL};
}
