/* SPDX-License-Identifier: Apache-2.0 */

/* The tools read, write, edit, list and search. */

#include "mcp/files/file_tools.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "data/json.h"
#include "edit/patch.h"
#include "mcp/runs/tool_arguments.h"

enum {
	SAID_MAX = 8192,
};

#define INPUT_MAX ((size_t)128 << 20)

/* ---- arguments ---- */

/* "~/" is the home directory; models know that from shells. The caller frees.
 * NULL: it is no path, or there is no memory. */
static char *
file_tools_path(yyjson_val *arguments, const char *standard)
{
	yyjson_val *value = yyjson_obj_get(arguments, "path");
	const char *text = value == NULL ? standard : yyjson_get_str(value);
	const char *home = getenv("HOME");
	char *path = NULL;

	if (text == NULL || text[0] == '\0' ||
	    (value != NULL && strlen(text) != yyjson_get_len(value)))
		return NULL;
	if (strncmp(text, "~/", 2) != 0 || home == NULL)
		return strdup(text);
	return asprintf(&path, "%s%s", home, text + 1) < 0 ? NULL : path;
}

static void
file_tools_add_count(struct w_mcp_file_call *call, yyjson_val *arguments,
    const char *key, const char *option)
{
	yyjson_val *value = yyjson_obj_get(arguments, key);

	if (value != NULL)
		w_mcp_file_call_add_number(
		    call, option, yyjson_get_sint(value));
}

static void
file_tools_add_flag(struct w_mcp_file_call *call, yyjson_val *arguments,
    const char *key, const char *option)
{
	if (yyjson_is_true(yyjson_obj_get(arguments, key)))
		w_mcp_file_call_add(call, option);
}

static void
file_tools_add_text(struct w_mcp_file_call *call, yyjson_val *arguments,
    const char *key, const char *option)
{
	const char *text = yyjson_get_str(yyjson_obj_get(arguments, key));

	if (text == NULL)
		return;
	w_mcp_file_call_add(call, option);
	w_mcp_file_call_add(call, text);
}

/* The last words: where it leads to, "--", the pattern, the path. */
static void
file_tools_add_last(
    struct w_mcp_file_call *call, const char *path, const char *pattern)
{
	w_mcp_file_call_add_place(call, "--at", path);
	w_mcp_file_call_add(call, "--");
	if (pattern != NULL)
		w_mcp_file_call_add(call, pattern);
	w_mcp_file_call_add(call, path);
}

/* ---- read, list, search ---- */

static void
tool_file_read_call(struct w_rpc_request *rpc_request, yyjson_val *arguments)
{
	struct w_mcp_file_call *call = w_mcp_file_call_new(rpc_request, "read");
	W_AUTO_FREE char *path = file_tools_path(arguments, NULL);

	if (call == NULL)
		return;
	if (path == NULL) {
		w_mcp_file_call_refuse(
		    rpc_request, call, "path: expected the path of a file");
		return;
	}
	file_tools_add_count(call, arguments, "offset", "--from");
	file_tools_add_count(call, arguments, "limit", "--lines");
	w_mcp_file_call_add(call, "--images");
	file_tools_add_last(call, path, NULL);
	w_mcp_file_call_run(rpc_request, call, NULL, 0);
}

static void
tool_file_list_call(struct w_rpc_request *rpc_request, yyjson_val *arguments)
{
	struct w_mcp_file_call *call = w_mcp_file_call_new(rpc_request, "list");
	W_AUTO_FREE char *path = file_tools_path(arguments, ".");

	if (call == NULL)
		return;
	if (path == NULL) {
		w_mcp_file_call_refuse(rpc_request, call,
		    "path: expected the path of a directory");
		return;
	}
	file_tools_add_text(call, arguments, "match", "--match");
	file_tools_add_flag(call, arguments, "all", "--all");
	file_tools_add_last(call, path, NULL);
	w_mcp_file_call_run(rpc_request, call, NULL, 0);
}

static void
tool_file_search_call(struct w_rpc_request *rpc_request, yyjson_val *arguments)
{
	yyjson_val *pattern = yyjson_obj_get(arguments, "pattern");
	struct w_mcp_file_call *call =
	    w_mcp_file_call_new(rpc_request, "search");
	W_AUTO_FREE char *path = file_tools_path(arguments, ".");

	if (call == NULL)
		return;
	if (path == NULL ||
	    strlen(yyjson_get_str(pattern)) != yyjson_get_len(pattern)) {
		w_mcp_file_call_refuse(rpc_request, call,
		    "expected a pattern and a path, without NUL bytes");
		return;
	}
	file_tools_add_text(call, arguments, "match", "--match");
	file_tools_add_count(call, arguments, "context", "--context");
	file_tools_add_flag(call, arguments, "literal", "--literal");
	file_tools_add_flag(call, arguments, "ignore_case", "--ignore-case");
	file_tools_add_flag(call, arguments, "files_only", "--names");
	file_tools_add_flag(call, arguments, "all", "--all");
	file_tools_add_last(call, path, yyjson_get_str(pattern));
	w_mcp_file_call_run(rpc_request, call, NULL, 0);
}

/* ---- write ---- */

static void
tool_file_write_call(struct w_rpc_request *rpc_request, yyjson_val *arguments)
{
	yyjson_val *content = yyjson_obj_get(arguments, "content");
	const size_t len = yyjson_get_len(content);
	struct w_mcp_file_call *call =
	    w_mcp_file_call_new(rpc_request, "write");
	W_AUTO_FREE char *path = file_tools_path(arguments, NULL);

	if (call == NULL)
		return;
	char *text = malloc(len + 1);
	if (path == NULL || text == NULL) {
		free(text);
		w_mcp_file_call_refuse(
		    rpc_request, call, "path: expected the path of a file");
		return;
	}
	memcpy(text, yyjson_get_str(content), len);
	call->has_diff = true;
	file_tools_add_last(call, path, NULL);
	w_mcp_file_call_run(rpc_request, call, text, len);
}

/* ---- edit ---- */

static bool
file_tools_add_edit(struct w_buf *buf, yyjson_val *edit)
{
	yyjson_val *old_text = yyjson_obj_get(edit, "old_string");
	yyjson_val *new_text = yyjson_obj_get(edit, "new_string");

	if (!yyjson_is_str(old_text) || !yyjson_is_str(new_text))
		return false;
	w_buf_add_str(buf, buf->len > 1 ? ",{" : "{");
	w_buf_add_str(buf, "\"old_string\":");
	w_json_add_string(
	    buf, yyjson_get_str(old_text), yyjson_get_len(old_text));
	w_buf_add_str(buf, ",\"new_string\":");
	w_json_add_string(
	    buf, yyjson_get_str(new_text), yyjson_get_len(new_text));
	w_json_add_bool_member(buf, "replace_all",
	    yyjson_is_true(yyjson_obj_get(edit, "replace_all")));
	w_buf_add_char(buf, '}');
	return true;
}

/* One edit beside the path, or a list of them. */
static bool
file_tools_add_edits(struct w_buf *buf, yyjson_val *arguments)
{
	yyjson_val *edits = yyjson_obj_get(arguments, "edits");
	yyjson_arr_iter iter = yyjson_arr_iter_with(edits);
	yyjson_val *edit;

	w_buf_add_char(buf, '[');
	if (edits == NULL && !file_tools_add_edit(buf, arguments))
		return false;
	while ((edit = yyjson_arr_iter_next(&iter)) != NULL) {
		if (!file_tools_add_edit(buf, edit))
			return false;
	}
	w_buf_add_char(buf, ']');
	return !buf->failed;
}

static void
file_tools_edit(struct w_rpc_request *rpc_request, struct w_mcp_file_call *call,
    yyjson_val *arguments)
{
	W_AUTO_FREE char *path = file_tools_path(arguments, NULL);
	W_AUTO_BUF struct w_buf edits;
	size_t len = 0;

	w_buf_init(&edits, INPUT_MAX);
	if (path == NULL || !file_tools_add_edits(&edits, arguments)) {
		w_mcp_file_call_refuse(rpc_request, call,
		    "expected path with old_string and new_string (or a list "
		    "edits of them), or patch");
		return;
	}
	file_tools_add_last(call, path, NULL);
	char *input = w_buf_take(&edits, &len);
	w_mcp_file_call_run(rpc_request, call, input, len);
}

static void
file_tools_add_changed(struct w_mcp_file_call *call, const char *path)
{
	w_mcp_file_call_add(call, "--change");
	w_mcp_file_call_add(call, path);
	w_mcp_file_call_add_place(call, "--at", path);
}

static void
file_tools_add_removed(struct w_mcp_file_call *call, const char *path)
{
	w_mcp_file_call_add(call, "--remove");
	w_mcp_file_call_add(call, path);
	w_mcp_file_call_add_place(call, "--remove-at", path);
}

/* The files that the patch names: it is read here for nothing else. */
static bool
file_tools_add_patched(struct w_mcp_file_call *call, const char *text,
    size_t len, struct w_buf *why)
{
	struct w_patch patch;

	if (w_patch_read(text, len, &patch, why) != WRIT_OK)
		return false;
	for (size_t i = 0; i < patch.file_count; i++) {
		const struct w_patch_file *file = &patch.files[i];

		if (file->action == W_PATCH_REMOVE || file->moved_to != NULL)
			file_tools_add_removed(call, file->path);
		else
			file_tools_add_changed(call, file->path);
		if (file->moved_to != NULL)
			file_tools_add_changed(call, file->moved_to);
	}
	w_patch_done(&patch);
	return true;
}

static void
file_tools_patch(struct w_rpc_request *rpc_request,
    struct w_mcp_file_call *call, yyjson_val *patch)
{
	const char *text = yyjson_get_str(patch);
	const size_t len = yyjson_get_len(patch);
	W_AUTO_BUF struct w_buf why;

	w_buf_init(&why, SAID_MAX);
	char *input = malloc(len + 1);
	if (input == NULL || !file_tools_add_patched(call, text, len, &why)) {
		free(input);
		w_mcp_file_call_refuse(rpc_request, call,
		    why.len == 0 ? "no memory for the patch" : why.data);
		return;
	}
	memcpy(input, text, len);
	w_mcp_file_call_run(rpc_request, call, input, len);
}

static void
tool_file_edit_call(struct w_rpc_request *rpc_request, yyjson_val *arguments)
{
	yyjson_val *patch = yyjson_obj_get(arguments, "patch");
	struct w_mcp_file_call *call =
	    w_mcp_file_call_new(rpc_request, patch != NULL ? "patch" : "edit");

	if (call == NULL)
		return;
	call->has_diff = true;
	if (patch != NULL)
		file_tools_patch(rpc_request, call, patch);
	else
		file_tools_edit(rpc_request, call, arguments);
}

/* ---- the tools ---- */

/* clang-format off */
#define TEXT_ARGUMENT "{\"type\":\"string\"}"
#define FLAG_ARGUMENT "{\"type\":\"boolean\"}"
#define OBJECT(members, required, strict) \
	"{\"type\":\"object\",\"properties\":{" members "}" \
	required strict "}"
/* Where a wrong name would be missed silently. */
#define STRICT ",\"additionalProperties\":false"

#define ITEM(members) \
	"{\"type\":\"object\",\"properties\":{" members "}}"

const struct w_tool w_tool_file_read = {
	.name = "read",
	.description = "Reads a file, with line numbers; images too.",
	.input_schema = OBJECT(
		"\"path\":" TEXT_ARGUMENT ","
		"\"offset\":{\"type\":\"integer\",\"description\":"
			"\"first line, -9: the last 9\"},"
		"\"limit\":{\"type\":\"integer\"}",
		",\"required\":[\"path\"]", ""),
	.hints = W_TOOL_READ_ONLY,
	.call = tool_file_read_call,
};

const struct w_tool w_tool_file_list = {
	.name = "list",
	.description =
		"Lists a directory, or the files below it that match.",
	.input_schema = OBJECT(
		"\"path\":" TEXT_ARGUMENT ","
		"\"match\":{\"type\":\"string\",\"description\":"
			"\"*.c or src/**/*.h\"},"
		"\"all\":" FLAG_ARGUMENT, "", STRICT),
	.hints = W_TOOL_READ_ONLY,
	.call = tool_file_list_call,
};

const struct w_tool w_tool_file_search = {
	.name = "search",
	.description =
		"Finds lines in files by a regular expression. all: also in "
		"ignored ones.",
	.input_schema = OBJECT(
		"\"pattern\":" TEXT_ARGUMENT ",\"path\":" TEXT_ARGUMENT ","
		"\"match\":" TEXT_ARGUMENT ","
		"\"context\":{\"type\":\"integer\"},"
		"\"literal\":" FLAG_ARGUMENT ","
		"\"ignore_case\":" FLAG_ARGUMENT ","
		"\"files_only\":" FLAG_ARGUMENT ",\"all\":" FLAG_ARGUMENT,
		",\"required\":[\"pattern\"]", STRICT),
	.hints = W_TOOL_READ_ONLY,
	.call = tool_file_search_call,
};

const struct w_tool w_tool_file_write = {
	.name = "write",
	.description = "Makes a file, and directories for it, or replaces it.",
	.input_schema = OBJECT(
		"\"path\":" TEXT_ARGUMENT ",\"content\":" TEXT_ARGUMENT,
		",\"required\":[\"path\",\"content\"]", ""),
	.hints = W_TOOL_DESTRUCTIVE,
	.call = tool_file_write_call,
};

const struct w_tool w_tool_file_edit = {
	.name = "edit",
	.description =
		"Replaces old_string, exact and there once, by new_string; or "
		"makes several edits; or applies a patch. All or nothing.",
	.input_schema = OBJECT(
		"\"path\":" TEXT_ARGUMENT ","
		"\"old_string\":" TEXT_ARGUMENT ","
		"\"new_string\":" TEXT_ARGUMENT ","
		"\"replace_all\":" FLAG_ARGUMENT ","
		"\"edits\":{\"type\":\"array\",\"items\":" ITEM(
			"\"old_string\":" TEXT_ARGUMENT ","
			"\"new_string\":" TEXT_ARGUMENT ","
			"\"replace_all\":" FLAG_ARGUMENT) "},"
		"\"patch\":{\"type\":\"string\",\"description\":"
			"\"alone: unified diff or *** Begin Patch\"}", "", ""),
	.hints = W_TOOL_DESTRUCTIVE,
	.call = tool_file_edit_call,
};
/* clang-format on */
