/* SPDX-License-Identifier: Apache-2.0 */

/* prompts/list and prompts/get. */

#include "mcp/protocol/prompts.h"

#include <string.h>

#include "base/error.h"
#include "base/match.h"
#include "data/json_words.h"
#include "mcp/server.h"
#include "mcp/tools/tool_methods.h"

#define TEXT_MAX ((size_t)8 << 20)

/* ---- prompts/list ---- */

static void
prompts_add_arguments(struct w_buf *buf, const struct w_prompt *prompt)
{
	w_buf_add_str(buf, ",\"arguments\":[");
	for (size_t i = 0; i < W_PROMPT_ARGUMENTS; i++) {
		const struct w_prompt_argument *one = &prompt->arguments[i];

		if (one->name == NULL)
			break;
		w_buf_add_str(buf, i > 0 ? ",{" : "{");
		w_json_add_text_member(buf, "name", one->name);
		w_json_add_text_member(buf, "description", one->description);
		w_json_add_bool_member(buf, "required", one->is_required);
		w_buf_add_char(buf, '}');
	}
	w_buf_add_char(buf, ']');
}

void
w_method_prompts_list(struct w_rpc_request *rpc_request)
{
	const bool has_titles =
	    w_mcp_traits(rpc_request->version)->has_structured;
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, TEXT_MAX);
	if (yyjson_obj_get(rpc_request->params, "cursor") != NULL) {
		w_rpc_request_fail(rpc_request, W_RPC_PARAMS, NULL,
		    "cursor: not one of this list; begin again without one");
		return;
	}
	w_buf_add_str(&buf, "\"prompts\":[");
	for (const struct w_prompt *one = w_prompts; one->name != NULL; one++) {
		w_buf_add_str(&buf, one == w_prompts ? "{" : ",{");
		w_json_add_text_member(&buf, "name", one->name);
		if (has_titles)
			w_json_add_text_member(&buf, "title", one->title);
		w_json_add_text_member(&buf, "description", one->description);
		prompts_add_arguments(&buf, one);
		w_buf_add_char(&buf, '}');
	}
	w_buf_add_char(&buf, ']');
	if (buf.failed)
		w_rpc_request_fail(rpc_request, W_RPC_INTERNAL, NULL,
		    "prompts/list: no memory");
	else
		w_rpc_request_reply_cacheable(
		    rpc_request, buf.data, buf.len, W_MCP_TTL_MS);
}

const struct w_prompt *
w_prompt_find(struct w_rpc_request *rpc_request, yyjson_val *name)
{
	if (!w_json_is_text(name)) {
		w_rpc_request_fail(rpc_request, W_RPC_PARAMS, NULL,
		    "name: expected that of a prompt");
		return NULL;
	}
	for (const struct w_prompt *one = w_prompts; one->name != NULL; one++) {
		if (yyjson_equals_str(name, one->name))
			return one;
	}
	const char *names[8] = {NULL};
	for (size_t i = 0; i < 7 && w_prompts[i].name != NULL; i++)
		names[i] = w_prompts[i].name;
	const char *nearest = w_match_nearest(yyjson_get_str(name), names);

	if (nearest != NULL)
		w_rpc_request_fail(rpc_request, W_RPC_PARAMS, NULL,
		    "unknown prompt '%.64s', did you mean '%s'?",
		    yyjson_get_str(name), nearest);
	else
		w_rpc_request_fail(rpc_request, W_RPC_PARAMS, NULL,
		    "unknown prompt '%.64s'", yyjson_get_str(name));
	return NULL;
}

/* ---- prompts/get ---- */

static bool
has_argument(const struct w_prompt *prompt, yyjson_val *name)
{
	for (size_t i = 0; i < W_PROMPT_ARGUMENTS; i++) {
		if (prompt->arguments[i].name != NULL &&
		    yyjson_equals_str(name, prompt->arguments[i].name))
			return true;
	}
	return false;
}

static writ_status
prompts_check_names(
    const struct w_prompt *prompt, yyjson_val *arguments, writ_error *err)
{
	yyjson_obj_iter iter = yyjson_obj_iter_with(arguments);
	yyjson_val *name;

	if (arguments != NULL && !yyjson_is_obj(arguments))
		return w_fail(err, WRIT_E_INVALID, "prompt", 0,
		    "arguments: expected an object, got %s",
		    w_json_type_words(arguments));
	while ((name = yyjson_obj_iter_next(&iter)) != NULL) {
		if (!has_argument(prompt, name))
			return w_fail(err, WRIT_E_INVALID, "prompt", 0,
			    "'%s' has no argument '%.64s'", prompt->name,
			    yyjson_get_str(name));
	}
	return WRIT_OK;
}

static writ_status
prompts_read_arguments(const struct w_prompt *prompt, yyjson_val *arguments,
    const char *values[W_PROMPT_ARGUMENTS], writ_error *err)
{
	writ_status status = prompts_check_names(prompt, arguments, err);

	for (size_t i = 0; status == WRIT_OK && i < W_PROMPT_ARGUMENTS; i++) {
		const struct w_prompt_argument *one = &prompt->arguments[i];

		values[i] = NULL;
		if (one->name == NULL)
			continue;
		if (yyjson_obj_get(arguments, one->name) != NULL)
			status =
			    w_tool_text(arguments, one->name, &values[i], err);
		else if (one->is_required)
			status = w_fail(err, WRIT_E_INVALID, "prompt", 0,
			    "%s: missing, %s", one->name, one->description);
	}
	return status;
}

static void
prompts_reply(struct w_rpc_request *rpc_request, const struct w_prompt *prompt,
    const struct w_buf *text)
{
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, TEXT_MAX);
	w_buf_add_str(&buf, "\"description\":");
	w_json_add_text(&buf, prompt->description);
	w_buf_add_str(&buf, ",\"messages\":[{\"role\":\"user\",\"content\":{"
			    "\"type\":\"text\",\"text\":");
	w_json_add_string(&buf, text->data, text->len);
	w_buf_add_str(&buf, "}}]");
	if (buf.failed || text->failed)
		w_rpc_request_fail(rpc_request, W_RPC_INTERNAL, NULL,
		    "prompts/get: no memory, or too long");
	else
		w_rpc_request_reply(rpc_request, buf.data, buf.len);
}

void
w_method_prompts_get(struct w_rpc_request *rpc_request)
{
	const struct w_prompt *prompt = w_prompt_find(
	    rpc_request, yyjson_obj_get(rpc_request->params, "name"));
	const char *values[W_PROMPT_ARGUMENTS] = {NULL};
	W_AUTO_BUF struct w_buf text;
	writ_error err = {0};

	w_buf_init(&text, TEXT_MAX);
	if (prompt == NULL)
		return;
	writ_status status = prompts_read_arguments(prompt,
	    yyjson_obj_get(rpc_request->params, "arguments"), values, &err);
	if (status == WRIT_OK)
		status = prompt->write(rpc_request, values, &text, &err);
	if (status == WRIT_OK)
		prompts_reply(rpc_request, prompt, &text);
	else
		w_rpc_request_fail(rpc_request, W_RPC_PARAMS, NULL, "%s%s%s",
		    err.message, err.suggestion[0] != '\0' ? ", " : "",
		    err.suggestion);
}
