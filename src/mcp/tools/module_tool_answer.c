/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The answer of a module's run. The module defines what is a success. An image,
 * audio or resource becomes a block of its kind, without a structured object:
 * some clients would show that instead.
 */

#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/encode.h"
#include "base/error.h"
#include "data/json.h"
#include "mcp/tools/module_tool_call.h"
#include "mcp/tools/tool.h"

enum {
	DEPTH_MAX = 600,
	BLOCK_MAX = 4 << 20, /* characters of base64 */
};

#define ANSWER_MAX ((size_t)64 << 20)

static void
module_tool_answer_fail_memory(struct w_rpc_request *rpc_request)
{
	writ_error err;

	(void)w_fail_nomem(&err, "answer");
	w_rpc_request_fail_with(rpc_request, &err);
}

/* ---- blocks ---- */

static bool
module_tool_answer_is_kind(yyjson_val *content, const char *kind)
{
	return yyjson_equals_str(yyjson_obj_get(content, "type"), kind);
}

static void
add_resource(struct w_buf *buf, const struct w_mcp_run *run,
    yyjson_val *content, const char *data)
{
	const char *uri = yyjson_get_str(yyjson_obj_get(content, "uri"));
	W_AUTO_BUF struct w_buf bytes;

	w_buf_init(&bytes, BLOCK_MAX);
	w_buf_add_str(buf, "{\"type\":\"resource\",\"resource\":{\"uri\":");
	if (uri != NULL)
		w_json_add_text(buf, uri);
	else
		w_buf_add_fmt(buf, "\"writ://run/%s/stdout\"", run->id);
	w_json_add_text_member(buf, "mimeType",
	    yyjson_get_str(yyjson_obj_get(content, "mime_type")));
	if (w_base64_decode(&bytes, data, strlen(data)) &&
	    w_utf8_valid(bytes.data, bytes.len)) {
		w_buf_add_str(buf, ",\"text\":");
		w_json_add_string(buf, bytes.data, bytes.len);
	} else {
		w_json_add_text_member(buf, "blob", data);
	}
	w_buf_add_str(buf, "}}");
}

static void
add_block(struct w_buf *buf, const struct w_mcp_run *run, yyjson_val *content)
{
	const char *data = yyjson_get_str(yyjson_obj_get(content, "data"));

	if (module_tool_answer_is_kind(content, "resource")) {
		add_resource(buf, run, content, data);
		return;
	}
	w_buf_add_char(buf, '{');
	w_json_add_text_member(
	    buf, "type", yyjson_get_str(yyjson_obj_get(content, "type")));
	w_json_add_text_member(buf, "data", data);
	w_json_add_text_member(buf, "mimeType",
	    yyjson_get_str(yyjson_obj_get(content, "mime_type")));
	w_buf_add_char(buf, '}');
}

static void
reply_blocks(struct w_rpc_request *rpc_request, const struct w_mcp_run *run,
    yyjson_val *content)
{
	W_AUTO_BUF struct w_buf caption;
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&caption, ANSWER_MAX);
	w_buf_init(&buf, ANSWER_MAX);
	w_buf_add_fmt(&caption, "%s (%s), %llu bytes, run %s",
	    yyjson_get_str(yyjson_obj_get(content, "type")),
	    yyjson_get_str(yyjson_obj_get(content, "mime_type")),
	    (unsigned long long)run->result->out[WRIT_STDOUT].bytes, run->id);
	w_buf_add_str(&buf, "\"content\":[");
	add_block(&buf, run, content);
	w_buf_add_str(&buf, ",{\"type\":\"text\",\"text\":");
	w_json_add_text(&buf, caption.data);
	w_buf_add_str(&buf, "}],\"isError\":false");
	if (buf.failed || caption.failed)
		module_tool_answer_fail_memory(rpc_request);
	else
		w_rpc_request_reply(rpc_request, buf.data, buf.len);
}

/* Whether it is short enough, and the protocol version has such blocks. */
static bool
module_tool_answer_fits(
    const struct w_rpc_request *rpc_request, yyjson_val *content)
{
	yyjson_val *data = yyjson_obj_get(content, "data");

	if (!yyjson_is_str(data) || yyjson_get_len(data) > BLOCK_MAX)
		return false;
	return !module_tool_answer_is_kind(content, "audio") ||
	       w_mcp_traits(rpc_request->version)->has_annotations;
}

/* ---- objects ---- */

/* What would exceed the output budget is left to run_read. */
static bool
is_too_long(const struct w_mcp_run *run, const char *key, yyjson_val *value)
{
	W_AUTO_FREE char *text = NULL;
	size_t len = 0;

	if (strcmp(key, "content") == 0)
		return true;
	if (strcmp(key, "json_output") != 0)
		return false;
	text = yyjson_val_write(value, 0, &len);
	return text == NULL || len > run->output;
}

static void
add_shortened(
    struct w_buf *buf, const struct w_mcp_run *run, yyjson_val *result)
{
	yyjson_obj_iter iter = yyjson_obj_iter_with(result);
	yyjson_val *key;

	w_buf_add_char(buf, '{');
	while ((key = yyjson_obj_iter_next(&iter)) != NULL) {
		const char *name = yyjson_get_str(key);
		yyjson_val *value = yyjson_obj_iter_get_val(key);

		w_buf_add_str(buf, buf->len > 1 ? "," : "");
		if (is_too_long(run, name, value)) {
			w_buf_add_fmt(buf, "\"%s_error\":", name);
			w_json_add_text(buf,
			    "longer than this answer may be: stdout has all "
			    "of it, see run_read");
			continue;
		}
		W_AUTO_FREE char *json = yyjson_val_write(value, 0, NULL);
		w_json_add_text(buf, name);
		w_buf_add_char(buf, ':');
		w_buf_add_str(buf, json != NULL ? json : "");
		buf->failed = buf->failed || json == NULL;
	}
	w_buf_add_char(buf, '}');
}

static void
reply_object(struct w_rpc_request *rpc_request, struct w_mcp_run *run,
    const char *json, size_t len, bool is_error)
{
	W_AUTO_BUF struct w_buf text;
	W_AUTO_BUF struct w_buf object;

	w_buf_init(&text, ANSWER_MAX);
	w_buf_init(&object, ANSWER_MAX);
	w_mcp_run_add_answer(&text, run);
	w_mcp_run_add_result_json(&object, run, json, len);
	if (text.failed || object.failed)
		module_tool_answer_fail_memory(rpc_request);
	else
		w_tool_reply(
		    rpc_request, text.data, text.len, object.data, is_error);
}

static void
module_tool_answer_reply(struct w_rpc_request *rpc_request,
    struct w_mcp_run *run, yyjson_val *result, bool is_error)
{
	yyjson_val *content = yyjson_obj_get(result, "content");
	W_AUTO_BUF struct w_buf shortened;

	w_buf_init(&shortened, ANSWER_MAX);
	if (content != NULL && !is_error &&
	    module_tool_answer_fits(rpc_request, content)) {
		reply_blocks(rpc_request, run, content);
		return;
	}
	add_shortened(&shortened, run, result);
	if (shortened.failed)
		module_tool_answer_fail_memory(rpc_request);
	else
		reply_object(
		    rpc_request, run, shortened.data, shortened.len, is_error);
}

void
w_mcp_module_answer(struct w_rpc_request *rpc_request, struct w_mcp_run *run,
    const writ_call *call)
{
	W_AUTO_FREE char *json = NULL;
	struct w_json *document = NULL;
	size_t len = 0;
	writ_error err;

	if (run->result == NULL) {
		w_mcp_run_answer(rpc_request, run);
		return;
	}
	writ_status status =
	    writ_call_result_json(call, run->result, &json, &len, &err);
	const struct w_json_limits limits = {len, DEPTH_MAX};
	if (status == WRIT_OK)
		status = w_json_read_exact(json, len, &limits, &document, &err);
	if (status != WRIT_OK)
		w_rpc_request_fail_with(rpc_request, &err);
	else
		module_tool_answer_reply(rpc_request, run,
		    w_json_root(document),
		    !writ_call_is_success(call, run->result));
	w_json_free(document);
}
