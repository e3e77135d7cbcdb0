/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The tools of agent programs, and what each does to which path. One table
 * serves all programs: no name means two different things.
 *
 * A tool is judged as the command that does the same, so that one rule covers
 * both: reading a file is 'cat', writing one is 'tee'.
 */

#include "cli/hook/hook.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "data/json_words.h"

#define STAGE "hook"

enum kind {
	SHELL,
	READ,
	LIST, /* default path: "." */
	WRITE,
	EDIT, /* reads, then writes */
	DELETE,
	FETCH,
	PATCH,
};

static const struct tool {
	const char *name;
	enum kind kind;
} tools[] = {
    {"Bash", SHELL},
    {"Shell", SHELL},
    {"bash", SHELL},
    {"shell", SHELL},
    {"run_shell_command", SHELL},
    {"Read", READ},
    {"NotebookRead", READ},
    {"read_file", READ},
    {"view", READ},
    {"LS", LIST},
    {"Glob", LIST},
    {"Grep", LIST},
    {"list_directory", LIST},
    {"glob", LIST},
    {"grep", LIST},
    {"grep_search", LIST},
    {"search_file_content", LIST},
    {"Write", WRITE},
    {"write_file", WRITE},
    {"create", WRITE},
    {"Edit", EDIT},
    {"MultiEdit", EDIT},
    {"NotebookEdit", EDIT},
    {"StrReplace", EDIT},
    {"edit", EDIT},
    {"replace", EDIT},
    {"str_replace", EDIT},
    {"Delete", DELETE},
    {"delete_file", DELETE},
    {"WebFetch", FETCH},
    {"apply_patch", PATCH},
};

writ_status
w_hook_add_act(struct w_hook_event *event, enum w_hook_operation operation,
    const char *subject, size_t len, writ_error *err)
{
	if (event->act_count == W_HOOK_ACTS_MAX)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "the event is about more than %d files", W_HOOK_ACTS_MAX);

	struct w_hook_act *acts =
	    realloc(event->acts, (event->act_count + 1) * sizeof(*event->acts));
	if (acts == NULL)
		return w_fail_nomem(err, STAGE);
	event->acts = acts;

	char *copy = strndup(subject, len);
	if (copy == NULL)
		return w_fail_nomem(err, STAGE);
	event->acts[event->act_count++] =
	    (struct w_hook_act){.operation = operation, .subject = copy};
	return WRIT_OK;
}

static writ_status
fail_key(const struct w_hook_event *event, const char *what, writ_error *err)
{
	return w_fail(err, WRIT_E_INVALID, STAGE, 0,
	    "the tool '%.64s' is given no %s", event->tool, what);
}

static writ_status
need_key(const struct w_hook_event *event, const char *key,
    const char **out_text, writ_error *err)
{
	yyjson_val *val = yyjson_obj_get(event->input, key);

	if (val == NULL)
		return fail_key(event, key, err);
	if (!w_json_is_text(val))
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "'%s' of the tool '%.64s' is %s, expected text", key,
		    event->tool, w_json_type_words(val));
	*out_text = yyjson_get_str(val);
	return WRIT_OK;
}

/* The path of a tool. Each program reads one key and ignores the others; with
 * two keys present, the path judged might not be the one used. */
static writ_status
find_path(
    const struct w_hook_event *event, const char **out_path, writ_error *err)
{
	static const char *const keys[] = {"file_path", "path", "notebook_path",
	    "absolute_path", "target_file", "dir_path"};
	const char *found = NULL;

	*out_path = NULL;
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		if (yyjson_obj_get(event->input, keys[i]) == NULL)
			continue;
		if (found != NULL)
			return w_fail(err, WRIT_E_INVALID, STAGE, 0,
			    "the tool '%.64s' is given '%s' and '%s', and only "
			    "one of them can be meant",
			    event->tool, found, keys[i]);
		found = keys[i];
	}
	return found == NULL ? WRIT_OK : need_key(event, found, out_path, err);
}

static writ_status
hook_tool_add_path(struct w_hook_event *event, enum kind kind, const char *path,
    size_t len, writ_error *err)
{
	writ_status status = WRIT_OK;

	if (len == 0)
		return fail_key(event, "path", err);
	if (kind == LIST)
		return w_hook_add_act(event, W_HOOK_LIST, path, len, err);
	if (kind == DELETE)
		return w_hook_add_act(event, W_HOOK_DELETE, path, len, err);
	if (kind == READ || kind == EDIT)
		status = w_hook_add_act(event, W_HOOK_READ, path, len, err);
	if (status == WRIT_OK && kind != READ)
		status = w_hook_add_act(event, W_HOOK_WRITE, path, len, err);
	return status;
}

/* Adds the files that a patch touches. */
static writ_status
add_patch(struct w_hook_event *event, const char *patch, writ_error *err)
{
	static const struct {
		const char *start;
		enum kind kind;
	} marks[] = {
	    {"*** Add File: ", WRITE},
	    {"*** Update File: ", EDIT},
	    {"*** Delete File: ", DELETE},
	    {"*** Move to: ", WRITE},
	};
	writ_status status = WRIT_OK;

	while (status == WRIT_OK && *patch != '\0') {
		/* Whoever applies the patch accepts blanks before a mark. */
		patch += strspn(patch, " \t\r");
		size_t len = strcspn(patch, "\n");

		for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
			const size_t skip = strlen(marks[i].start);
			size_t end = len;

			if (strncmp(patch, marks[i].start, skip) != 0)
				continue;
			while (end > skip && strchr(" \t\r", patch[end - 1]))
				end--;
			status = hook_tool_add_path(event, marks[i].kind,
			    patch + skip, end - skip, err);
			break;
		}
		patch += len + (patch[len] == '\n');
	}
	if (status == WRIT_OK && event->act_count == 0)
		return w_fail(
		    err, WRIT_E_INVALID, STAGE, 0, "the patch names no file");
	return status;
}

static writ_status
add_by_key(struct w_hook_event *event, enum kind kind, writ_error *err)
{
	const char *text = NULL;
	writ_status status =
	    need_key(event, kind == FETCH ? "url" : "command", &text, err);

	if (status != WRIT_OK)
		return status;
	if (kind == PATCH)
		return add_patch(event, text, err);
	if (kind == SHELL)
		return w_hook_add_act(
		    event, W_HOOK_SHELL, text, strlen(text), err);
	if (strncmp(text, "http://", 7) != 0 &&
	    strncmp(text, "https://", 8) != 0)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "'%.64s' is not an address that the tool '%.64s' could "
		    "fetch",
		    text, event->tool);
	return w_hook_add_act(event, W_HOOK_FETCH, text, strlen(text), err);
}

writ_status
w_hook_find_acts(struct w_hook_event *event, writ_error *err)
{
	const struct tool *tool = NULL;
	const char *path = NULL;

	for (size_t i = 0; i < sizeof(tools) / sizeof(tools[0]); i++) {
		if (strcmp(tools[i].name, event->tool) == 0)
			tool = &tools[i];
	}
	if (tool == NULL)
		return WRIT_OK;
	if (tool->kind == SHELL || tool->kind == FETCH || tool->kind == PATCH)
		return add_by_key(event, tool->kind, err);

	writ_status status = find_path(event, &path, err);
	if (status != WRIT_OK)
		return status;
	if (path == NULL && tool->kind == LIST)
		path = ".";
	if (path == NULL)
		return fail_key(event, "path", err);
	return hook_tool_add_path(event, tool->kind, path, strlen(path), err);
}

void
w_hook_argv(const struct w_hook_act *act, const char **argv)
{
	static const struct {
		const char *words[3]; /* before the subject */
	} rows[] = {
	    [W_HOOK_SHELL] = {{"sh", "-c"}},
	    [W_HOOK_READ] = {{"cat", "--"}},
	    [W_HOOK_LIST] = {{"ls", "--"}},
	    [W_HOOK_WRITE] = {{"tee", "--"}},
	    [W_HOOK_DELETE] = {{"rm", "-f", "--"}},
	    [W_HOOK_FETCH] = {{"curl"}},
	};
	size_t count = 0;

	for (size_t i = 0; i < 3 && rows[act->operation].words[i] != NULL; i++)
		argv[count++] = rows[act->operation].words[i];
	argv[count++] = act->subject;
	argv[count] = NULL;
}
