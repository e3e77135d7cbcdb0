/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The result of a call: that of its run, and what the module says about it.
 * Output that breaks the module's promise is reported, and fails nothing: the
 * command has run, and the caller decides what that is worth.
 */

#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/encode.h"
#include "base/size.h"
#include "data/json.h"
#include "engine/call/call.h"
#include "engine/call/call_content.h"

#define STAGE "result"

/* Content, and pointers into the output, are at most this many times as long
 * as the output; messages get extra room. */
#define OUTPUT_TIMES  8
#define MESSAGES_ROOM ((size_t)1 << 20)

/* Output in an object may be nested as deep as output may. */
#define DEPTH_MAX 520

bool
writ_call_is_success(const writ_call *call, const writ_result *result)
{
	return result->outcome == WRIT_EXITED && result->status_known &&
	       w_module_is_success(call->compiled->module, result->exit_code);
}

/* ---- content ---- */

static const char *
why_no_content(const writ_call *call, const writ_result *result)
{
	if (!writ_call_is_success(call, result))
		return "the command did not succeed";
	if (result->out[WRIT_STDOUT].truncated)
		return "the output was longer than what is kept of it";
	if (result->out[WRIT_STDOUT].head_len == 0)
		return "the output is empty";
	return NULL;
}

static void
add_content(struct w_buf *buf, const writ_call *call, const writ_result *result)
{
	const struct w_module *module = call->compiled->module;
	const writ_output *out = &result->out[WRIT_STDOUT];
	const char *why = why_no_content(call, result);

	if (module->output_as == W_OUTPUT_TEXT ||
	    module->output_as == W_OUTPUT_JSON)
		return;
	if (why != NULL) {
		w_json_add_text_member(buf, "content_error", why);
		return;
	}
	w_buf_add_str(buf, ",\"content\":{");
	w_json_add_text_member(buf, "type",
	    module->output_as == W_OUTPUT_IMAGE   ? "image"
	    : module->output_as == W_OUTPUT_AUDIO ? "audio"
						  : "resource");
	if (module->uri != NULL)
		w_json_add_text_member(buf, "uri", module->uri);
	w_json_add_text_member(buf, "mime_type",
	    module->mime_type != NULL ? module->mime_type
				      : w_call_content_type(module->output_as,
					    out->head, out->head_len));
	w_buf_add_str(buf, ",\"data\":\"");
	w_base64_add(buf, out->head, out->head_len);
	w_buf_add_str(buf, "\"}");
}

/* ---- output schema ---- */

/* Some schemas describe a whole result, not only stdout. */
static bool
describes_result(const struct w_module *module)
{
	yyjson_val *properties =
	    yyjson_obj_get(module->output_schema, "properties");

	return yyjson_obj_get(properties, "stdout") != NULL &&
	       yyjson_obj_get(properties, "exit_code") != NULL;
}

static void
add_subject(
    struct w_buf *buf, const struct w_module *module, const writ_result *result)
{
	const writ_output *out = result->out;

	if (!describes_result(module)) {
		w_buf_add_str(buf, result->json_output);
		return;
	}
	w_buf_add_str(buf, "{\"stdout\":");
	w_json_add_bytes(buf, out[WRIT_STDOUT].head, out[WRIT_STDOUT].head_len);
	w_buf_add_str(buf, ",\"stderr\":");
	w_json_add_bytes(buf, out[WRIT_STDERR].head, out[WRIT_STDERR].head_len);
	w_buf_add_fmt(buf, ",\"exit_code\":%d", result->exit_code);
	if (result->json_output != NULL) {
		w_buf_add_str(buf, ",\"json_output\":");
		w_buf_add_str(buf, result->json_output);
	}
	w_buf_add_char(buf, '}');
}

static void
call_result_add_problem(struct w_buf *buf, const char *instance,
    const char *schema, const char *message)
{
	w_buf_add_char(buf, '{');
	w_json_add_path_member(buf, "instance", instance);
	w_json_add_path_member(buf, "schema", schema);
	w_json_add_path_member(buf, "message", message);
	w_buf_add_char(buf, '}');
}

static writ_status
call_result_judge(struct w_buf *buf, const writ_call *call, const char *text,
    size_t len, writ_error *err)
{
	const struct w_json_limits limits = {len, DEPTH_MAX};
	W_AUTO_REPORT struct w_schema_report report = {.problems = NULL};
	writ_error inner = {0};
	struct w_json *json = NULL;
	bool is_valid = true;
	writ_status status =
	    w_json_read_exact(text, len, &limits, &json, &inner);

	if (status == WRIT_OK)
		status = w_schema_check(call->compiled->output,
		    w_json_root(json), &is_valid, &report, &inner);
	if (status == WRIT_E_NOMEM) {
		w_json_free(json);
		return w_fail_nomem(err, STAGE);
	}
	if (status != WRIT_OK || !is_valid)
		w_buf_add_str(buf, ",\"output_problems\":[");
	if (status != WRIT_OK)
		call_result_add_problem(buf, "", "", inner.message);
	for (size_t i = 0; i < report.count; i++) {
		if (i > 0)
			w_buf_add_char(buf, ',');
		call_result_add_problem(buf, report.problems[i].instance,
		    report.problems[i].schema, report.problems[i].message);
	}
	if (status != WRIT_OK || !is_valid)
		w_buf_add_char(buf, ']');
	w_json_free(json);
	return WRIT_OK;
}

static writ_status
add_output_problems(struct w_buf *buf, const writ_call *call,
    const writ_result *result, writ_error *err)
{
	const struct w_module *module = call->compiled->module;
	const bool is_whole = !result->out[WRIT_STDOUT].truncated &&
			      !result->out[WRIT_STDERR].truncated;
	const bool can_judge =
	    describes_result(module) ? is_whole : result->json_output != NULL;

	if (call->compiled->output == NULL || !can_judge ||
	    !writ_call_is_success(call, result))
		return WRIT_OK;
	W_AUTO_BUF struct w_buf subject;
	w_buf_init(&subject, buf->max);
	add_subject(&subject, module, result);
	if (subject.failed)
		return w_fail_nomem(err, STAGE);
	return call_result_judge(buf, call, subject.data, subject.len, err);
}

/* ---- the whole ---- */

static writ_status
add_call(struct w_buf *buf, const writ_call *call, const writ_result *result,
    writ_error *err)
{
	w_json_add_bool_member(
	    buf, "success", writ_call_is_success(call, result));
	add_content(buf, call, result);
	writ_status status = add_output_problems(buf, call, result, err);
	w_buf_add_char(buf, '}');
	return status;
}

writ_status
writ_call_result_json(const writ_call *call, const writ_result *result,
    char **out_json, size_t *out_len, writ_error *err)
{
	W_AUTO_FREE char *plain = NULL;
	size_t len;
	size_t max;
	writ_status status = writ_result_json(result, &plain, &len, err);

	if (status != WRIT_OK)
		return status;
	if (!w_size_mul(len, OUTPUT_TIMES, &max) ||
	    !w_size_add(max, MESSAGES_ROOM, &max))
		return w_fail_nomem(err, STAGE);
	W_AUTO_BUF struct w_buf buf;
	w_buf_init(&buf, max);
	/* Without its closing brace. */
	w_buf_add(&buf, plain, len - 1);
	status = add_call(&buf, call, result, err);
	if (status != WRIT_OK)
		return status;
	return w_json_take(&buf, STAGE, out_json, out_len, err);
}
