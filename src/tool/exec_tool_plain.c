/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The shape "argv", writ's own: keys of a request, without those that choose
 * walls. The text is the output, and how it ended unless that is 0.
 */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/duration.h"
#include "base/error.h"
#include "data/json_words.h"
#include "tool/exec_tool.h"

#define STAGE "arguments"

static const char *const keys[] = {"argv", "command", "cwd", "env", "stdin",
    "timeout_ms", "description", NULL};

/* ---- call ---- */

static bool
has_both_or_none(yyjson_val *input)
{
	return (yyjson_obj_get(input, "argv") != NULL) ==
	       (yyjson_obj_get(input, "command") != NULL);
}

/* The keys of a request but for two: a text for a shell is called otherwise,
 * and the directory is relative to the base. */
static writ_status
fill_request(
    const struct writ_tool_run *run, yyjson_val *input, writ_error *err)
{
	yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
	yyjson_mut_val *root =
	    doc == NULL ? NULL : yyjson_val_mut_copy(doc, input);
	W_AUTO_FREE char *text = NULL;
	size_t len = 0;

	if (root != NULL) {
		yyjson_mut_obj_remove_key(root, "cwd");
		(void)yyjson_mut_obj_rename_key(doc, root, "command", "shell");
		text = yyjson_mut_val_write(root, 0, &len);
	}
	yyjson_mut_doc_free(doc);
	return text == NULL ? w_fail_nomem(err, STAGE)
			    : writ_draft_read_json(run->draft, text, len, err);
}

static writ_status
exec_tool_plain_check(
    struct writ_tool_run *run, yyjson_val *input, writ_error *err)
{
	yyjson_val *cwd = yyjson_obj_get(input, "cwd");
	writ_status status = w_shape_check_keys(input, keys, err);

	if (status == WRIT_OK && has_both_or_none(input))
		status = w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "argv or command says what to run, and only one of them");
	if (status == WRIT_OK && cwd != NULL && !w_json_is_text(cwd))
		status = w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "cwd must be a text, not %s", w_json_type_words(cwd));
	if (status == WRIT_OK)
		status = fill_request(run, input, err);
	if (status != WRIT_OK)
		return status;
	writ_draft_request(run->draft)->prefers_bash = true;
	return w_shape_set_cwd(run, yyjson_get_str(cwd), err);
}

/* ---- answer ---- */

static void
add_ending(struct w_buf *buf, const writ_result *result)
{
	if (result->outcome == WRIT_EXITED && result->exit_code == 0)
		return;
	w_buf_add_str(buf, w_buf_last(buf) == '\n' ? "[" : "\n[");
	if (result->outcome == WRIT_EXITED)
		w_buf_add_fmt(buf, "exit code %d", result->exit_code);
	else if (result->outcome == WRIT_SIGNALED)
		w_buf_add_fmt(buf, "ended by signal %d", result->signal);
	else if (result->outcome == WRIT_TIMED_OUT)
		w_duration_add(buf, "timed out after", result->limit_value);
	else
		w_buf_add_str(buf, writ_outcome_word(result->outcome));
	if (result->limit != WRIT_LIMIT_NONE)
		w_buf_add_fmt(
		    buf, ", limit: %s", writ_limit_word(result->limit));
	w_buf_add_char(buf, ']');
}

static void
exec_tool_plain_answer(const struct writ_tool_run *run,
    const writ_result *result, const writ_tool_shown *shown,
    struct w_tool_texts *out)
{
	char *json = NULL;
	size_t len = 0;

	(void)run;
	w_shape_add_output(&out->text, shown);
	add_ending(&out->text, result);
	if (writ_result_json(result, &json, &len, NULL) == WRIT_OK)
		w_buf_add(&out->json, json, len);
	else
		out->json.failed = true;
	free(json);
}

static const char schema[] =
    "{\"type\":\"object\",\"properties\":{\"argv\":{\"type\":\"array\","
    "\"items\":{\"type\":\"string\"},\"minItems\":1,\"description\":"
    "\"program and arguments, taken literally\"},\"command\":{\"type\":"
    "\"string\",\"description\":\"instead of argv: text for bash\"},"
    "\"cwd\":{\"type\":\"string\"},\"env\":{\"type\":\"object\","
    "\"additionalProperties\":{\"type\":\"string\"}},\"stdin\":{\"type\":"
    "\"string\",\"description\":\"all that it reads\"},\"timeout_ms\":{"
    "\"type\":\"integer\",\"minimum\":0,\"description\":\"then it is "
    "killed\"},\"description\":{\"type\":\"string\",\"description\":\"why, "
    "in a few words\"}},\"additionalProperties\":false}";

const struct w_tool_shape w_shape_plain = {
    .word = "argv",
    .title = "Run a command",
    .description =
	"Runs a command in the sandbox and waits for it. Every command is "
	"judged by the policy and recorded. Answers with its output and, "
	"unless that is 0, how it ended.",
    .schema = schema,
    .check = exec_tool_plain_check,
    .answer = exec_tool_plain_answer,
};
