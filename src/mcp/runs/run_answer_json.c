/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The result object of a run: the library's, reduced for an answer: streams cut
 * to the budget, and two more members, "cursor" and "hint".
 */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/encode.h"
#include "data/json.h"
#include "mcp/runs/output_view.h"

enum {
	DEPTH_MAX = 600, /* a module's output has up to 512 levels */
	HINT_MAX = 1024,
};

static void
add_base64(struct w_buf *buf, const char *key, const char *bytes, size_t len)
{
	w_buf_add_fmt(buf, "\"%s\":\"", key);
	w_base64_add(buf, bytes, len);
	w_buf_add_char(buf, '"');
}

static void
run_answer_json_add_bytes(
    struct w_buf *buf, const struct w_output_stream *stream)
{
	w_buf_add_char(buf, '{');
	add_base64(buf, "b64", stream->head, stream->head_len);
	if (stream->is_cut) {
		w_buf_add_char(buf, ',');
		add_base64(buf, "tail_b64", stream->tail, stream->tail_len);
		w_buf_add_fmt(buf, ",\"omitted\":%" PRIu64,
		    w_output_stream_omitted(stream));
	}
	w_buf_add_char(buf, '}');
}

/* Same encoding of a stream as in a result object (docs/request.md). */
static void
run_answer_json_add_stream(
    struct w_buf *buf, const struct w_output_stream *stream)
{
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, buf->max);
	if (!stream->is_text) {
		run_answer_json_add_bytes(buf, stream);
		return;
	}
	w_output_stream_add(&text, stream);
	buf->failed = buf->failed || text.failed;
	w_json_add_string(buf, text.data, text.len);
}

/* Whether an answer includes this member of the result object. The full object
 * is the resource writ://run/{id}/meta. */
static bool
run_answer_json_is_included(
    const char *key, yyjson_val *value, const struct w_mcp_run *run)
{
	static const char *const left_out[] = {"stdout_sha256", "stderr_sha256",
	    "recording", "recording_bytes", "audit", "tree_by", "open_files",
	    NULL};
	const bool is_limited =
	    run->result != NULL && run->result->outcome == WRIT_LIMITED;

	for (size_t i = 0; left_out[i] != NULL; i++) {
		if (strcmp(left_out[i], key) == 0)
			return false;
	}
	if (strcmp(key, "cpu_by") == 0 || strcmp(key, "memory_by") == 0 ||
	    strcmp(key, "processes_by") == 0)
		return is_limited && !yyjson_is_null(value);
	if (strcmp(key, "triggers") == 0 || strcmp(key, "denials") == 0)
		return yyjson_arr_size(value) > 0;
	if (strcmp(key, "background") == 0)
		return yyjson_get_uint(value) > 0;
	return !yyjson_is_null(value);
}

static void
run_answer_json_add_value(struct w_buf *buf, yyjson_val *value)
{
	size_t len = 0;
	char *text = yyjson_val_write(value, 0, &len);

	if (text == NULL)
		buf->failed = true;
	else
		w_buf_add(buf, text, len);
	free(text);
}

/* The sandbox, without empty lists. */
static void
run_answer_json_add_sandbox(struct w_buf *buf, yyjson_val *sandbox)
{
	yyjson_obj_iter iter = yyjson_obj_iter_with(sandbox);
	yyjson_val *key;
	char before = '{';

	while ((key = yyjson_obj_iter_next(&iter)) != NULL) {
		yyjson_val *value = yyjson_obj_iter_get_val(key);

		if (yyjson_is_arr(value) && yyjson_arr_size(value) == 0)
			continue;
		w_buf_add_fmt(buf, "%c\"%s\":", before, yyjson_get_str(key));
		before = ',';
		run_answer_json_add_value(buf, value);
	}
	w_buf_add_char(buf, '}');
}

/* Members that depend on what is shown; false: not one of them. */
static bool
run_answer_json_add_shown(
    struct w_buf *buf, const char *key, const struct w_output_view *view)
{
	const struct w_output_stream *out = &view->streams[WRIT_STDOUT];
	const struct w_output_stream *err = &view->streams[WRIT_STDERR];

	if (strcmp(key, "stdout") == 0)
		run_answer_json_add_stream(buf, out);
	else if (strcmp(key, "stderr") == 0)
		run_answer_json_add_stream(buf, err);
	else if (strcmp(key, "stdout_truncated") == 0)
		w_buf_add_str(buf, out->is_cut ? "true" : "false");
	else if (strcmp(key, "stderr_truncated") == 0)
		w_buf_add_str(buf, err->is_cut ? "true" : "false");
	else
		return false;
	return true;
}

static void
run_answer_json_add_member(struct w_buf *buf, yyjson_val *key,
    const struct w_mcp_run *run, const struct w_output_view *view)
{
	const char *name = yyjson_get_str(key);
	yyjson_val *value = yyjson_obj_iter_get_val(key);

	/* A module's output once more, as parsed JSON: too long if the text
	 * was. */
	if (strcmp(name, "json_output") == 0 && run->result != NULL &&
	    run->result->json_output != NULL &&
	    strlen(run->result->json_output) > run->output) {
		w_buf_add_str(buf, "\"json_error\":\"it is longer than "
				   "max_bytes: run_read has it\"");
		return;
	}
	w_json_add_text(buf, name);
	w_buf_add_char(buf, ':');
	if (strcmp(name, "sandbox") == 0 && yyjson_is_obj(value))
		run_answer_json_add_sandbox(buf, value);
	else if (!run_answer_json_add_shown(buf, name, view))
		run_answer_json_add_value(buf, value);
}

/* The caller appends the closing brace. */
static void
add_members(struct w_buf *buf, const struct w_mcp_run *run,
    const struct w_output_view *view, const char *json, size_t len)
{
	const struct w_json_limits limits = {len, DEPTH_MAX};
	struct w_json *tree = NULL;

	if (w_json_read_exact(json, len, &limits, &tree, NULL) != WRIT_OK) {
		buf->failed = true;
		return;
	}
	yyjson_obj_iter iter = yyjson_obj_iter_with(w_json_root(tree));
	yyjson_val *key;
	char before = '{';
	while ((key = yyjson_obj_iter_next(&iter)) != NULL) {
		if (!run_answer_json_is_included(
			yyjson_get_str(key), yyjson_obj_iter_get_val(key), run))
			continue;
		w_buf_add_char(buf, before);
		before = ',';
		run_answer_json_add_member(buf, key, run, view);
	}
	w_json_free(tree);
}

static void
add_guide(struct w_buf *buf, const struct w_mcp_run *run,
    const struct w_output_view *view)
{
	const bool is_running = run->result == NULL;
	W_AUTO_BUF struct w_buf hint;

	w_buf_init(&hint, HINT_MAX);
	w_mcp_run_add_hint(&hint, run, view);
	w_buf_add_fmt(buf,
	    ",\"cursor\":{\"stdout\":%" PRIu64 ",\"stderr\":%" PRIu64 "}",
	    w_output_stream_cursor(&view->streams[WRIT_STDOUT], is_running),
	    w_output_stream_cursor(&view->streams[WRIT_STDERR], is_running));
	if (hint.len > 0)
		w_json_add_text_member(buf, "hint", hint.data);
}

void
w_mcp_run_add_result_json(
    struct w_buf *buf, struct w_mcp_run *run, const char *json, size_t len)
{
	W_AUTO_OUTPUT_VIEW struct w_output_view view;

	w_output_view_init(&view, run);
	add_members(buf, run, &view, json, len);
	add_guide(buf, run, &view);
	w_buf_add_char(buf, '}');
}

void
w_mcp_run_add_result(struct w_buf *buf, struct w_mcp_run *run)
{
	W_AUTO_FREE char *json = NULL;
	size_t len = 0;

	const writ_status status =
	    run->result != NULL
		? writ_result_json(run->result, &json, &len, NULL)
		: writ_job_json(run->job, &json, &len, NULL);
	if (status != WRIT_OK)
		buf->failed = true;
	else
		w_mcp_run_add_result_json(buf, run, json, len);
}
