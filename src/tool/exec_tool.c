/* SPDX-License-Identifier: Apache-2.0 */

/* The tool as an object: which shape it has, and what it says of itself. */

#include "tool/exec_tool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <writ/policy.h>

#include "base/auto.h"
#include "base/error.h"

#define STAGE "tool"

static const struct w_tool_shape *const shapes[] = {
    &w_shape_plain, &w_shape_story, &w_shape_oxios};

static writ_status
choose_shape(writ_tool *tool, const char *word, writ_error *err)
{
	writ_status status = WRIT_OK;

	if (word == NULL)
		status = writ_engine_exec_shape(
		    tool->engine, tool->base, &word, err);
	if (status != WRIT_OK)
		return status;
	for (size_t i = 0; i < sizeof(shapes) / sizeof(*shapes); i++) {
		if (strcmp(shapes[i]->word, word) == 0) {
			tool->shape = shapes[i];
			return WRIT_OK;
		}
	}
	(void)w_fail(err, WRIT_E_INVALID, STAGE, 0,
	    "there is no shape '%.64s' of the tool", word);
	w_suggest(err, "argv, story or oxios");
	return WRIT_E_INVALID;
}

static writ_status
exec_tool_fill(
    writ_tool *tool, const writ_tool_options *options, writ_error *err)
{
	const char *base = options->base == NULL ? "." : options->base;
	W_AUTO_FREE char *real = realpath(base, NULL);
	struct stat found;

	if (real == NULL || strlen(real) >= sizeof(tool->base))
		return w_fail(err, WRIT_E_INVALID, "base", errno,
		    "cannot use the directory '%.256s'", base);
	(void)strcpy(tool->base, real);
	if (stat(real, &found) == 0 && !S_ISDIR(found.st_mode))
		return w_fail(err, WRIT_E_INVALID, "base", ENOTDIR,
		    "cannot use the directory '%.256s'", base);
	if (options->agent != NULL) {
		tool->agent = strdup(options->agent);
		if (tool->agent == NULL)
			return w_fail_nomem(err, STAGE);
	}
	return choose_shape(tool, options->shape, err);
}

writ_status
writ_tool_new(writ_engine *engine, const writ_tool_options *opts,
    writ_tool **out_tool, writ_error *err)
{
	writ_tool_options options = WRIT_TOOL_OPTIONS_INIT;
	writ_tool *tool = calloc(1, sizeof(*tool));

	if (tool == NULL)
		return w_fail_nomem(err, STAGE);
	/* Options of an older caller may be shorter than ours. */
	if (opts != NULL && opts->size >= sizeof(opts->size))
		memcpy(&options, opts,
		    opts->size < sizeof(options) ? opts->size
						 : sizeof(options));
	tool->engine = engine;
	writ_status status = exec_tool_fill(tool, &options, err);
	if (status != WRIT_OK) {
		writ_tool_free(tool);
		return status;
	}
	*out_tool = tool;
	return WRIT_OK;
}

void
writ_tool_free(writ_tool *tool)
{
	if (tool == NULL)
		return;
	free(tool->agent);
	free(tool);
}

const char *
writ_tool_name(const writ_tool *tool)
{
	(void)tool;
	return "exec";
}

const char *
writ_tool_title(const writ_tool *tool)
{
	return tool->shape->title;
}

const char *
writ_tool_description(const writ_tool *tool)
{
	return tool->shape->description;
}

const char *
writ_tool_schema(const writ_tool *tool)
{
	return tool->shape->schema;
}

const char *
writ_tool_shape(const writ_tool *tool)
{
	return tool->shape->word;
}
