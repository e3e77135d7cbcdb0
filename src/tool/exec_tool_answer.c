/* SPDX-License-Identifier: Apache-2.0 */

/* What the shapes share: parts of requests and of answers. */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <writ/policy.h>

#include "base/error.h"
#include "base/match.h"
#include "data/lossy_utf8.h"
#include "tool/exec_tool.h"

#define STAGE "arguments"

enum {
	PATH_MAX_LEN = 4095
};

/* ---- requests ---- */

void
w_shape_timeouts(const writ_tool *tool, uint64_t *timeout_ms, uint64_t *max_ms)
{
	uint64_t said_ms = 0;
	uint64_t said_max_ms = 0;

	/* If the policy cannot be read, the call fails for that. */
	if (writ_engine_timeouts(tool->engine, tool->base, tool->agent,
		&said_ms, &said_max_ms, NULL) != WRIT_OK)
		return;
	if (said_ms != 0)
		*timeout_ms = said_ms;
	if (said_max_ms != 0)
		*max_ms = said_max_ms;
}

writ_status
w_shape_check_keys(yyjson_val *input, const char *const *keys, writ_error *err)
{
	yyjson_obj_iter iter = yyjson_obj_iter_with(input);
	yyjson_val *key;

	while ((key = yyjson_obj_iter_next(&iter)) != NULL) {
		const char *name = yyjson_get_str(key);
		size_t i = 0;

		while (keys[i] != NULL && strcmp(keys[i], name) != 0)
			i++;
		if (keys[i] != NULL)
			continue;
		const char *near = w_match_nearest(name, keys);
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "Unknown parameter '%.64s'%s%s%s", name,
		    near == NULL ? "" : ", did you mean '",
		    near == NULL ? "" : near, near == NULL ? "" : "'?");
	}
	return WRIT_OK;
}

writ_status
w_shape_add_words(writ_draft *draft, yyjson_val *words, writ_error *err)
{
	writ_status status = WRIT_OK;
	yyjson_val *item;
	size_t i;
	size_t count;

	yyjson_arr_foreach(words, i, count, item)
	{
		if (status == WRIT_OK)
			status = writ_draft_set(
			    draft, "argv", yyjson_get_str(item), err);
	}
	return status;
}

writ_status
w_shape_set_cwd(
    const struct writ_tool_run *run, const char *cwd, writ_error *err)
{
	W_AUTO_BUF struct w_buf path;

	w_buf_init(&path, PATH_MAX_LEN);
	if (cwd == NULL || cwd[0] != '/')
		w_buf_add_str(&path, run->tool->base);
	if (cwd != NULL && cwd[0] != '/')
		w_buf_add_char(&path, '/');
	if (cwd != NULL)
		w_buf_add_str(&path, cwd);
	if (path.failed)
		return w_fail(err, WRIT_E_INVALID, "cwd", 0,
		    "the path of the working directory is too long");
	return writ_draft_set(run->draft, "cwd", path.data, err);
}

/* ---- output ---- */

static void
exec_tool_answer_add_part(struct w_buf *buf, const char *bytes, size_t len)
{
	struct w_lossy_utf8 decoder = {.held_len = 0};

	w_lossy_utf8_add(&decoder, buf, bytes, len);
	w_lossy_utf8_end(&decoder, buf);
}

writ_status
w_shape_shown(const writ_result *result, writ_tool_shown *out_shown,
    char *owned[2], writ_error *err)
{
	writ_tool_shown shown = {.is_cut = false};

	for (int i = 0; i < 2; i++) {
		const writ_output *out = &result->out[i];
		struct w_buf text;

		w_buf_init(&text, W_TOOL_TEXT_MAX);
		exec_tool_answer_add_part(&text, out->head, out->head_len);
		if (out->truncated) {
			w_buf_add_fmt(&text,
			    "\n[... %" PRIu64 " bytes omitted ...]\n",
			    out->bytes - out->head_len - out->tail_len);
			exec_tool_answer_add_part(
			    &text, out->tail, out->tail_len);
			shown.is_cut = true;
		}
		owned[i] = w_buf_take(&text, &shown.len[i]);
		if (owned[i] == NULL)
			return w_fail_nomem(err, "answer");
		shown.text[i] = owned[i];
	}
	*out_shown = shown;
	return WRIT_OK;
}

void
w_shape_add_output(struct w_buf *buf, const writ_tool_shown *shown)
{
	if (shown->len[0] == 0 && shown->len[1] == 0)
		w_buf_add_str(buf, "(no output)");
	w_buf_add(buf, shown->text[0], shown->len[0]);
	if (shown->len[0] > 0 && shown->len[1] > 0)
		w_buf_add_char(buf, '\n');
	w_buf_add(buf, shown->text[1], shown->len[1]);
}

void
w_shape_add_streams(struct w_buf *buf, const writ_tool_shown *shown)
{
	w_buf_add_str(buf, "\"stdout\":");
	w_json_add_string(buf, shown->text[0], shown->len[0]);
	w_buf_add_str(buf, ",\"stderr\":");
	w_json_add_string(buf, shown->text[1], shown->len[1]);
}
