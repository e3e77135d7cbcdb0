/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Converts the options of the MCP server to its options struct, and back to
 * words for another process.
 */

#include "cli/mcp/mcp_args.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/match.h"
#include "cli/options/options.h"

#define NAME_MAX_LEN 128

static const char *const shapes[] = {
#define X(name, word) [W_MCP_SHAPE_##name] = (word),
    W_MCP_SHAPE_MAP(X)
#undef X
	NULL,
};

static const char *const tool_sets[] = {
#define X(name, word) [W_MCP_TOOLS_##name] = (word),
    W_MCP_TOOLS_MAP(X)
#undef X
	NULL,
};

static const char *const exposures[] = {
#define X(name, word) [W_MCP_EXPOSE_##name] = (word),
    W_MCP_EXPOSE_MAP(X)
#undef X
	NULL,
};

writ_status
w_cli_mcp_args_init(struct w_mcp_args *args,
    const struct w_cli_command *command, writ_error *err)
{
	*args = (struct w_mcp_args){.command = command};
	writ_status status = writ_config_new(&args->config, err);
	args->options.config = args->config;
	return status;
}

void
w_cli_mcp_args_done(struct w_mcp_args *args)
{
	writ_config_free(args->config);
	w_words_done(&args->pinned);
	w_words_done(&args->publish);
	w_words_done(&args->connect);
	w_words_done(&args->words);
}

/* ---- values ---- */

static writ_status
mcp_args_take_word(const struct w_mcp_args *args, const struct w_option *option,
    const char *value, const char *const *words, unsigned *out_place,
    writ_error *err)
{
	for (unsigned i = 0; words[i] != NULL; i++) {
		if (strcmp(words[i], value) != 0)
			continue;
		*out_place = i;
		return WRIT_OK;
	}
	(void)w_usage_fail(args->command, err, "--%s: unknown word '%.64s'",
	    option->name, value);
	w_suggest(err, "one of %s", option->words);
	w_match_suggest(w_match_nearest(value, words), err);
	return WRIT_E_INVALID;
}

/* The other process starts in another directory, so paths are made absolute. */
static writ_status
mcp_args_remember(struct w_mcp_args *args, const struct w_option *option,
    const char *value, writ_error *err)
{
	W_AUTO_FREE char *dir = NULL;
	W_AUTO_BUF struct w_buf name;

	w_buf_init(&name, NAME_MAX_LEN);
	if (option->kind == W_OPTION_SETTING) {
		value = writ_config_get(args->config, option->key);
	} else if (option->id == W_MCP_CWD) {
		dir = realpath(value, NULL);
		if (dir == NULL)
			return w_fail(err, WRIT_E_INVALID, "mcp", errno,
			    "%s: --cwd: '%.200s'", args->command->name, value);
		value = dir;
	}
	w_buf_add_fmt(&name, "--%s", option->name);
	if (!name.failed && w_words_add(&args->words, name.data, name.len) &&
	    (option->arg[0] == '\0' ||
		w_words_add(&args->words, value, strlen(value))))
		return WRIT_OK;
	return w_fail_nomem(err, "mcp");
}

writ_status
w_cli_mcp_store(void *ctx, const struct w_option *option, const char *value,
    writ_error *err)
{
	struct w_mcp_args *args = ctx;
	struct w_mcp_options *options = &args->options;
	unsigned place = 0;
	writ_status status;

	if (option->id == W_MCP_SHAPE) {
		status = mcp_args_take_word(
		    args, option, value, shapes, &place, err);
		options->shape = (enum w_mcp_shape)place;
	} else if (option->id == W_MCP_TOOLS) {
		status = mcp_args_take_word(
		    args, option, value, tool_sets, &place, err);
		options->tools = (enum w_mcp_tools)place;
	} else if (option->id == W_MCP_EXPOSE) {
		status = mcp_args_take_word(
		    args, option, value, exposures, &place, err);
		options->expose = (enum w_mcp_expose)place;
	} else {
		status = w_option_put(args->command, option, args, value, err);
		options->pinned = (const char *const *)args->pinned.items;
		options->publish = (const char *const *)args->publish.items;
		options->connect = (const char *const *)args->connect.items;
	}
	return status == WRIT_OK ? mcp_args_remember(args, option, value, err)
				 : status;
}

bool
w_install_own_path(char *path, size_t size)
{
	ssize_t len = readlink("/proc/self/exe", path, size);

	if (len <= 0 || (size_t)len >= size)
		return false;
	path[len] = '\0';
	return true;
}
