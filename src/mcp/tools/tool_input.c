/* SPDX-License-Identifier: Apache-2.0 */

/* The answer to invalid arguments: all problems at once, each with its place
 * and a suggestion. */

#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/error.h"
#include "data/json_words.h"
#include "mcp/tools/tool.h"
#include "mcp/tools/tool_methods.h"

#define STAGE      "arguments"
#define ANSWER_MAX ((size_t)4 << 20)

/* "/argv/0" is shown as 'argv/0'. */
static const char *
tool_input_place_of(const writ_problem *problem)
{
	return problem->instance[0] == '/' ? problem->instance + 1
					   : problem->instance;
}

writ_status
w_tool_fail_input(writ_error *err, const writ_problem *problems, size_t count)
{
	if (count == 0)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "the arguments do not match the schema");
	const char *place = tool_input_place_of(&problems[0]);

	(void)w_fail(err, WRIT_E_INVALID, STAGE, 0, "%.80s%s%.200s", place,
	    place[0] != '\0' ? ": " : "", problems[0].message);
	if (problems[0].suggestion != NULL)
		w_suggest(err, "%s", problems[0].suggestion);
	return WRIT_E_INVALID;
}

writ_status
w_tool_text(yyjson_val *arguments, const char *key, const char **out_text,
    writ_error *err)
{
	yyjson_val *value = yyjson_obj_get(arguments, key);

	if (!w_json_is_text(value))
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "%s: expected a text without a NUL in it", key);
	*out_text = yyjson_get_str(value);
	return WRIT_OK;
}

static void
tool_input_add_text(struct w_buf *text, const writ_error *err,
    const writ_problem *problems, size_t count)
{
	if (count == 0) {
		w_buf_add_fmt(text, "invalid: %s", err->message);
		if (err->suggestion[0] != '\0')
			w_buf_add_fmt(text, " (%s)", err->suggestion);
		return;
	}
	w_buf_add_str(text, "invalid arguments, nothing was run:");
	for (size_t i = 0; i < count; i++) {
		const char *place = tool_input_place_of(&problems[i]);

		w_buf_add_fmt(text, "\n- %s%s%s", place,
		    place[0] != '\0' ? ": " : "", problems[i].message);
		if (problems[i].suggestion != NULL)
			w_buf_add_fmt(text, " (%s)", problems[i].suggestion);
	}
}

/* The error object, with the problems at the end of its details. */
static void
tool_input_add_json(struct w_buf *json, const writ_error *err,
    const writ_problem *problems, size_t count)
{
	static const char end[] = "}}}";
	W_AUTO_FREE char *error = NULL;
	size_t len = 0;

	if (writ_error_json(err, &error, &len) != WRIT_OK) {
		json->failed = true;
		return;
	}
	if (count == 0) {
		w_buf_add(json, error, len);
		return;
	}
	w_buf_add(json, error, len - strlen(end));
	w_buf_add_str(json, w_buf_last(json) == '{' ? "" : ",");
	w_buf_add_str(json, "\"problems\":[");
	for (size_t i = 0; i < count; i++) {
		w_buf_add_str(json, i > 0 ? ",{" : "{");
		w_json_add_path_member(json, "argument", problems[i].instance);
		w_json_add_path_member(json, "message", problems[i].message);
		w_json_add_path_member(
		    json, "suggestion", problems[i].suggestion);
		w_buf_add_char(json, '}');
	}
	w_buf_add_str(json, "]");
	w_buf_add_str(json, end);
}

void
w_tool_refuse_input(struct w_rpc_request *rpc_request, const writ_error *err,
    const writ_problem *problems, size_t count)
{
	W_AUTO_BUF struct w_buf text;
	W_AUTO_BUF struct w_buf json;

	w_buf_init(&text, ANSWER_MAX);
	w_buf_init(&json, ANSWER_MAX);
	tool_input_add_text(&text, err, problems, count);
	tool_input_add_json(&json, err, problems, count);
	if (text.failed || json.failed)
		w_tool_refuse(rpc_request, err, NULL);
	else if (w_mcp_traits(rpc_request->version)->has_input_error)
		w_tool_reply(rpc_request, text.data, text.len, json.data, true);
	else
		w_rpc_request_fail(
		    rpc_request, W_RPC_PARAMS, json.data, "%s", err->message);
}
