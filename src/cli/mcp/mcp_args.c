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
#include "base/duration.h"
#include "base/error.h"
#include "base/match.h"
#include "base/size.h"
#include "cli/options/options.h"

#define RUNS_MAX     4096
#define NAME_MAX_LEN 128

static const char *const shapes[] = {
#define X(name, word) [W_MCP_SHAPE_##name] = (word),
    W_MCP_SHAPE_MAP(X)
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
    const struct w_cli_command *command, int argc, writ_error *err)
{
	*args = (struct w_mcp_args){.command = command};
	args->pinned = calloc((size_t)argc + 1, sizeof(*args->pinned));
	if (args->pinned == NULL)
		return w_fail_nomem(err, "mcp");
	writ_status status = writ_config_new(&args->config, err);
	args->options.config = args->config;
	return status;
}

void
w_cli_mcp_args_done(struct w_mcp_args *args)
{
	writ_config_free(args->config);
	free(args->pinned);
	w_words_done(&args->words);
}

/* ---- values ---- */

static writ_status
mcp_args_refuse(const struct w_mcp_args *args, const struct w_option *option,
    const char *value, const char *expected, writ_error *err)
{
	return w_usage_fail(args->command, err,
	    "--%s: expected %s, got '%.64s'", option->name, expected, value);
}

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

static writ_status
take_runs(struct w_mcp_args *args, const struct w_option *option,
    const char *value, writ_error *err)
{
	char *end = NULL;
	unsigned long count = strtoul(value, &end, 10);

	if (value[0] < '0' || value[0] > '9' || *end != '\0' || count == 0 ||
	    count > RUNS_MAX)
		return mcp_args_refuse(
		    args, option, value, "a number from 1 to 4096", err);
	args->options.max_runs = count;
	return WRIT_OK;
}

static writ_status
take_yield(struct w_mcp_args *args, const struct w_option *option,
    const char *value, writ_error *err)
{
	uint64_t ms = 0;

	if (w_duration_parse(value, &ms, err) != WRIT_OK)
		return w_options_name(args->command, option, err);
	if (ms == 0 || ms > W_MCP_YIELD_MAX_MS)
		return mcp_args_refuse(args, option, value, "1ms to 10m", err);
	args->options.yield_ms = ms;
	return WRIT_OK;
}

static writ_status
take_bytes(struct w_mcp_args *args, const struct w_option *option,
    const char *value, writ_error *err)
{
	uint64_t bytes = 0;

	if (w_size_parse(value, &bytes, err) != WRIT_OK)
		return w_options_name(args->command, option, err);
	if (bytes == 0 || bytes > W_MCP_OUTPUT_MAX)
		return mcp_args_refuse(args, option, value, "1B to 1MiB", err);
	args->options.output = bytes;
	return WRIT_OK;
}

/* ---- options ---- */

static writ_status
mcp_args_apply(struct w_mcp_args *args, const struct w_option *option,
    const char *value, writ_error *err)
{
	struct w_mcp_options *options = &args->options;
	unsigned place = 0;
	writ_status status = WRIT_OK;

	switch ((enum w_mcp_option)option->id) {
	case W_MCP_AGENT:
		options->agent = value;
		break;
	case W_MCP_CWD:
		options->cwd = value;
		break;
	case W_MCP_SANDBOX:
		options->sandbox = value;
		break;
	case W_MCP_SHAPE:
		status = mcp_args_take_word(
		    args, option, value, shapes, &place, err);
		options->shape = (enum w_mcp_shape)place;
		break;
	case W_MCP_EXPOSE:
		status = mcp_args_take_word(
		    args, option, value, exposures, &place, err);
		options->expose = (enum w_mcp_expose)place;
		break;
	case W_MCP_PIN:
		args->pinned[args->pinned_count++] = value;
		options->pinned = args->pinned;
		break;
	case W_MCP_RUNS:
		return take_runs(args, option, value, err);
	case W_MCP_YIELD:
		return take_yield(args, option, value, err);
	case W_MCP_BYTES:
		return take_bytes(args, option, value, err);
	case W_MCP_TRUST_FORMS:
		options->trust_forms = true;
		break;
	case W_MCP_STDIO:
	case W_MCP_OWN:
		break;
	}
	return status;
}

/* The other process starts in another directory, so paths are made absolute. */
static writ_status
mcp_args_remember(struct w_mcp_args *args, const struct w_option *option,
    const char *value, writ_error *err)
{
	W_AUTO_FREE char *dir = NULL;
	W_AUTO_BUF struct w_buf name;

	w_buf_init(&name, NAME_MAX_LEN);
	if (option->target == W_TO_SETTING) {
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
	    (option->arg == NULL ||
		w_words_add(&args->words, value, strlen(value))))
		return WRIT_OK;
	return w_fail_nomem(err, "mcp");
}

writ_status
w_cli_mcp_args_accept(struct w_mcp_args *args, const struct w_option *option,
    const char *value, writ_error *err)
{
	writ_status status;

	if (option->target == W_TO_SETTING) {
		status = writ_config_set(args->config, option->key, value, err);
		if (status != WRIT_OK)
			return w_options_name(args->command, option, err);
	} else {
		status = mcp_args_apply(args, option, value, err);
	}
	if (status == WRIT_OK &&
	    (option->arg != NULL || option->id == W_MCP_TRUST_FORMS))
		status = mcp_args_remember(args, option, value, err);
	return status;
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
