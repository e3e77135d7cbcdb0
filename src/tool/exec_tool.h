/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_TOOL_EXEC_TOOL_H
#define W_TOOL_EXEC_TOOL_H

#include <limits.h>

#include <writ/draft.h>
#include <writ/tool.h>

#include "base/buf.h"
#include "data/json.h"

/*
 * The shapes of the tool that runs commands: each checks an input, makes a
 * request of it, and words the answer.
 */
#define W_TOOL_TEXT_MAX ((size_t)256 << 20)

/* Two texts that grow. */
struct w_tool_texts {
	struct w_buf text;
	struct w_buf json;
};

struct w_tool_shape {
	const char *word;
	const char *title;
	const char *description;
	const char *schema;
	/* Fills the draft. WRIT_E_INVALID: the message is what to answer. */
	writ_status (*check)(
	    struct writ_tool_run *run, yyjson_val *input, writ_error *err);
	/* Appends text and object of an ended run. */
	void (*answer)(const struct writ_tool_run *run,
	    const writ_result *result, const writ_tool_shown *shown,
	    struct w_tool_texts *out);
	/* Appends the text for a request that failed; NULL: its message. */
	void (*refuse)(const struct writ_tool_run *run, const writ_error *why,
	    struct w_buf *out);
};

struct writ_tool {
	writ_engine *engine;
	const struct w_tool_shape *shape;
	char base[PATH_MAX]; /* canonical */
	char *agent;         /* NULL: the default agent */
};

struct writ_tool_run {
	writ_tool *tool;
	struct w_json *input;
	writ_draft *draft;
};

extern const struct w_tool_shape w_shape_plain;
extern const struct w_tool_shape w_shape_story;
extern const struct w_tool_shape w_shape_oxios;

/* ---- exec_tool_answer.c ---- */

/* The timeout of a call that sets none, and the most that one may have: those
 * of the policy, else these. */
void w_shape_timeouts(
    const writ_tool *tool, uint64_t *timeout_ms, uint64_t *max_ms);

/* Refuses keys that are not in this list, which ends with NULL. */
writ_status w_shape_check_keys(
    yyjson_val *input, const char *const *keys, writ_error *err);

/* Appends strings of an array to argv. */
writ_status w_shape_add_words(
    writ_draft *draft, yyjson_val *words, writ_error *err);

/* The working directory, relative to the base; NULL: the base. */
writ_status w_shape_set_cwd(
    const struct writ_tool_run *run, const char *cwd, writ_error *err);

/* What a result has of its output, as UTF-8. Free owned with free(). */
writ_status w_shape_shown(const writ_result *result, writ_tool_shown *out_shown,
    char *owned[2], writ_error *err);

/* Appends both streams, with a newline between them, or "(no output)". */
void w_shape_add_output(struct w_buf *buf, const writ_tool_shown *shown);

/* Appends "stdout":TEXT,"stderr":TEXT. */
void w_shape_add_streams(struct w_buf *buf, const writ_tool_shown *shown);

#endif /* W_TOOL_EXEC_TOOL_H */
