/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Parses an event into acts.
 *
 *     claude    hook_event_name "PreToolUse", tool_name, tool_input
 *     codex     the same, with turn_id
 *     gemini    hook_event_name "BeforeTool", tool_name, tool_input
 *     cursor    hook_event_name "beforeShellExecution", "beforeReadFile" or
 *               "preToolUse", conversation_id
 *     copilot   toolName, toolArgs: JSON in a string
 */

#include "cli/hook/hook.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "data/json.h"
#include "data/json_words.h"

#define STAGE     "hook"
#define DEPTH_MAX 64

static const char *const format_words[] = {
#define X(name, word) word,
    W_HOOK_FORMAT_MAP(X)
#undef X
};

bool
w_hook_format_named(const char *word, enum w_hook_format *out_format)
{
	for (int i = 0; i < W_HOOK_FORMAT_COUNT; i++) {
		if (strcmp(format_words[i], word) == 0) {
			*out_format = (enum w_hook_format)i;
			return true;
		}
	}
	return false;
}

/* *out_text is NULL if the key is missing or null. */
static writ_status
hook_event_take_text(
    yyjson_val *root, const char *key, const char **out_text, writ_error *err)
{
	yyjson_val *val = yyjson_obj_get(root, key);

	*out_text = NULL;
	if (val == NULL || yyjson_is_null(val))
		return WRIT_OK;
	if (!w_json_is_text(val))
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "'%s' of the event is %s, expected text", key,
		    w_json_type_words(val));
	*out_text = yyjson_get_str(val);
	return WRIT_OK;
}

static writ_status
need_text(
    yyjson_val *root, const char *key, const char **out_text, writ_error *err)
{
	writ_status status = hook_event_take_text(root, key, out_text, err);

	if (status == WRIT_OK && *out_text == NULL)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "the event has no '%s'", key);
	return status;
}

/* ---- the format ---- */

static writ_status
detect(yyjson_val *root, struct w_hook_event *event, writ_error *err)
{
	const char *name;
	writ_status status =
	    hook_event_take_text(root, "hook_event_name", &name, err);

	if (status != WRIT_OK)
		return status;
	if (name == NULL && yyjson_obj_get(root, "toolName") != NULL)
		event->format = W_HOOK_COPILOT;
	else if (name == NULL)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "this is not the event of a hook: it has no "
		    "'hook_event_name' and no 'toolName'");
	else if (yyjson_obj_get(root, "cursor_version") != NULL ||
		 yyjson_obj_get(root, "conversation_id") != NULL)
		event->format = W_HOOK_CURSOR;
	else if (strcmp(name, "BeforeTool") == 0)
		event->format = W_HOOK_GEMINI;
	else if (yyjson_obj_get(root, "turn_id") != NULL)
		event->format = W_HOOK_CODEX;
	else
		event->format = W_HOOK_CLAUDE;
	return WRIT_OK;
}

/* ---- the working directory ---- */

static writ_status
take_cwd(yyjson_val *root, struct w_hook_event *event, writ_error *err)
{
	yyjson_val *roots = yyjson_obj_get(root, "workspace_roots");
	yyjson_val *first = yyjson_arr_get_first(roots);
	const char *cwd;
	writ_status status = hook_event_take_text(root, "cwd", &cwd, err);

	if (status != WRIT_OK)
		return status;
	if ((cwd == NULL || cwd[0] == '\0') && w_json_is_text(first))
		cwd = yyjson_get_str(first);
	if (cwd == NULL || cwd[0] == '\0')
		return WRIT_OK;
	event->cwd = strdup(cwd);
	return event->cwd == NULL ? w_fail_nomem(err, STAGE) : WRIT_OK;
}

/* The tool's own directory, relative to that of the event. */
static writ_status
enter(struct w_hook_event *event, const char *dir, writ_error *err)
{
	W_AUTO_BUF struct w_buf path;

	w_buf_init(&path, W_HOOK_BYTES_MAX);
	if (dir[0] != '/' && event->cwd != NULL)
		w_buf_add_fmt(&path, "%s/", event->cwd);
	w_buf_add_str(&path, dir);
	free(event->cwd);
	event->cwd = w_buf_take(&path, NULL);
	return event->cwd == NULL ? w_fail_nomem(err, STAGE) : WRIT_OK;
}

static writ_status
take_directory(struct w_hook_event *event, writ_error *err)
{
	static const char *const keys[] = {
	    "working_directory", "directory", "dir_path"};
	const char *dir = NULL;

	if (event->act_count != 1 || event->acts[0].operation != W_HOOK_SHELL)
		return WRIT_OK;
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		writ_status status =
		    hook_event_take_text(event->input, keys[i], &dir, err);

		if (status == WRIT_OK && dir != NULL && dir[0] != '\0')
			status = enter(event, dir, err);
		if (status != WRIT_OK)
			return status;
	}
	return WRIT_OK;
}

/* ---- the acts ---- */

/* The arguments of a tool: an object, or an object as JSON in a string. */
static writ_status
take_input(struct w_hook_event *event, yyjson_val *val, writ_error *err)
{
	static const struct w_json_limits limits = {
	    .bytes_max = W_HOOK_BYTES_MAX, .depth_max = DEPTH_MAX};

	if (yyjson_is_str(val)) {
		writ_status status = w_json_read(yyjson_get_str(val),
		    yyjson_get_len(val), &limits, &event->inner, err);

		if (status != WRIT_OK)
			return status;
		val = w_json_root(event->inner);
	}
	if (!yyjson_is_obj(val))
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "the event does not say what the tool is given");
	event->input = val;
	return WRIT_OK;
}

static writ_status
take_tool(struct w_hook_event *event, yyjson_val *root, const char *tool_key,
    const char *input_key, writ_error *err)
{
	writ_status status = need_text(root, tool_key, &event->tool, err);

	if (status == WRIT_OK)
		status =
		    take_input(event, yyjson_obj_get(root, input_key), err);
	if (status == WRIT_OK)
		status = w_hook_find_acts(event, err);
	if (status == WRIT_OK)
		status = take_directory(event, err);
	return status;
}

static writ_status
take_single(struct w_hook_event *event, yyjson_val *root, const char *key,
    enum w_hook_operation operation, writ_error *err)
{
	const char *subject;
	writ_status status = need_text(root, key, &subject, err);

	if (status != WRIT_OK)
		return status;
	return w_hook_add_act(event, operation, subject, strlen(subject), err);
}

static writ_status
take_named(struct w_hook_event *event, yyjson_val *root, writ_error *err)
{
	const char *wanted = event->format == W_HOOK_GEMINI   ? "BeforeTool"
			     : event->format == W_HOOK_CURSOR ? "preToolUse"
							      : "PreToolUse";
	writ_status status =
	    need_text(root, "hook_event_name", &event->name, err);

	if (status != WRIT_OK)
		return status;
	if (event->format == W_HOOK_CURSOR &&
	    strcmp(event->name, "beforeShellExecution") == 0)
		return take_single(event, root, "command", W_HOOK_SHELL, err);
	if (event->format == W_HOOK_CURSOR &&
	    strcmp(event->name, "beforeReadFile") == 0)
		return take_single(event, root, "file_path", W_HOOK_READ, err);
	if (strcmp(event->name, wanted) != 0)
		return WRIT_OK;
	return take_tool(event, root, "tool_name", "tool_input", err);
}

static writ_status
hook_event_take_event(
    struct w_hook_event *event, yyjson_val *root, writ_error *err)
{
	static const char *const session_keys[W_HOOK_FORMAT_COUNT] = {
	    [W_HOOK_CLAUDE] = "session_id",
	    [W_HOOK_CODEX] = "session_id",
	    [W_HOOK_COPILOT] = "sessionId",
	    [W_HOOK_CURSOR] = "conversation_id",
	    [W_HOOK_GEMINI] = "session_id",
	};
	writ_status status = WRIT_OK;

	if (!yyjson_is_obj(root))
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "the event is %s, expected a map", w_json_type_words(root));
	if (event->format == W_HOOK_AUTO)
		status = detect(root, event, err);
	if (status == WRIT_OK)
		status = take_cwd(root, event, err);
	if (status == WRIT_OK)
		status = hook_event_take_text(
		    root, session_keys[event->format], &event->session, err);
	if (status != WRIT_OK)
		return status;
	if (event->format != W_HOOK_COPILOT)
		return take_named(event, root, err);
	/* Copilot's events have no names. One without a result is the event
	 * before a tool is used. */
	if (yyjson_obj_get(root, "toolResult") != NULL)
		return WRIT_OK;
	return take_tool(event, root, "toolName", "toolArgs", err);
}

writ_status
w_hook_read(const char *text, size_t len, enum w_hook_format format,
    struct w_hook_event *out_event, writ_error *err)
{
	static const struct w_json_limits limits = {
	    .bytes_max = W_HOOK_BYTES_MAX, .depth_max = DEPTH_MAX};
	struct w_hook_event event = {.format = format};
	writ_status status = w_json_read(text, len, &limits, &event.json, err);

	if (status == WRIT_OK)
		status =
		    hook_event_take_event(&event, w_json_root(event.json), err);
	if (status != WRIT_OK) {
		w_hook_done(&event);
		return status;
	}
	*out_event = event;
	return WRIT_OK;
}

void
w_hook_done(struct w_hook_event *event)
{
	for (size_t i = 0; i < event->act_count; i++)
		free(event->acts[i].subject);
	free(event->acts);
	free(event->cwd);
	w_json_free(event->inner);
	w_json_free(event->json);
	*event = (struct w_hook_event){.format = event->format};
}
