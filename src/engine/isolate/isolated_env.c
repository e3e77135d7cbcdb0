/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The environment of a runner.
 *
 * Its HOME is a new, empty directory, so every path that depends on HOME is set
 * explicitly; module directories are absolute, whatever directory the runner or
 * its module runs in.
 */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/buf.h"
#include "engine/config/config_state.h"
#include "engine/isolate/isolated.h"

#define STAGE "isolated"

/* The kernel's limit for one string: MAX_ARG_STRLEN, with its NUL. */
#define VARIABLE_MAX    (128 * 1024 - 1)
#define DIRS_MAX        ((size_t)16 << 20)

#define WORD_ITEM(n, w) [WRIT_ARGUMENTS_##n] = (w),
static const char *const arguments_words[] = {WRIT_ARGUMENTS_MAP(WORD_ITEM)};
#define ARGUMENTS_COUNT (sizeof(arguments_words) / sizeof(arguments_words[0]))

const char *
w_isolated_arguments_word(writ_arguments arguments)
{
	return (size_t)arguments < ARGUMENTS_COUNT ? arguments_words[arguments]
						   : NULL;
}

bool
w_isolated_arguments_find(const char *word, writ_arguments *out_arguments)
{
	for (size_t i = 0; i < ARGUMENTS_COUNT; i++) {
		if (strcmp(arguments_words[i], word) == 0) {
			*out_arguments = (writ_arguments)i;
			return true;
		}
	}
	return false;
}

static writ_status
isolated_env_put(
    struct w_words *env, const char *name, const char *value, writ_error *err)
{
	W_AUTO_FREE char *entry = NULL;

	if (strlen(name) + strlen(value) + 1 > VARIABLE_MAX)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "%s is too long for an isolated call: it goes to the "
		    "runner as a "
		    "variable, of at most %d bytes",
		    name, VARIABLE_MAX);
	int len = asprintf(&entry, "%s=%s", name, value);
	if (len < 0) {
		entry = NULL;
		return w_fail_nomem(err, STAGE);
	}
	return w_words_add(env, entry, (size_t)len) ? WRIT_OK
						    : w_fail_nomem(err, STAGE);
}

/* The runner finds defaults by itself, except for paths: those depend on
 * HOME. Module directories are added with those of the options. */
static writ_status
put_settings(const writ_config *config, struct w_words *env, writ_error *err)
{
	writ_status status = WRIT_OK;

	for (size_t id = 0; id < W_SETTING_COUNT && status == WRIT_OK; id++) {
		const writ_setting *setting = &config->settings[id];
		bool is_place = w_setting_rules[id].kind == W_SETTING_PATH;

		if (setting->value[0] == '\0' || id == W_SET_MODULES ||
		    (!is_place && strcmp(setting->origin, "default") == 0))
			continue;
		status =
		    isolated_env_put(env, setting->env, setting->value, err);
	}
	return status;
}

/* Appends one directory to a colon-separated list. */
static writ_status
isolated_env_add_dir(struct w_buf *list, const char *cwd, const char *dir,
    size_t len, writ_error *err)
{
	if (len == 0)
		return WRIT_OK;
	if (memchr(dir, ':', len) != NULL) {
		(void)w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "the directory of modules '%.*s' has a colon in its name",
		    (int)len, dir);
		w_suggest(err, "give it another name, or call without "
			       "isolation");
		return WRIT_E_INVALID;
	}
	if (list->len > 0)
		w_buf_add_char(list, ':');
	if (dir[0] != '/') {
		w_buf_add_str(list, cwd);
		w_buf_add_char(list, '/');
	}
	w_buf_add(list, dir, len);
	return WRIT_OK;
}

static writ_status
put_dirs(const writ_isolated_options *opts, const writ_config *config,
    const char *cwd, struct w_words *env, writ_error *err)
{
	const char *set = w_config_path(config, W_SET_MODULES);
	W_AUTO_BUF struct w_buf list;
	writ_status status = WRIT_OK;

	w_buf_init(&list, DIRS_MAX);
	for (size_t i = 0;
	     status == WRIT_OK && opts->dirs != NULL && opts->dirs[i] != NULL;
	     i++)
		status = isolated_env_add_dir(
		    &list, cwd, opts->dirs[i], strlen(opts->dirs[i]), err);
	if (status != WRIT_OK)
		return status;
	if (set != NULL && list.len > 0)
		w_buf_add_char(&list, ':');
	w_buf_add_str(&list, set == NULL ? "" : set);
	if (list.failed)
		return w_fail_nomem(err, STAGE);
	return list.len == 0
		   ? WRIT_OK
		   : isolated_env_put(env, W_ISOLATED_MODULES, list.data, err);
}

static writ_status
put_extensions(const char *cwd, struct w_words *env, writ_error *err)
{
	const char *root = w_config_variable(W_ISOLATED_EXTENSIONS);
	W_AUTO_FREE char *path = NULL;

	if (root == NULL || root[0] == '/')
		return root == NULL ? WRIT_OK
				    : isolated_env_put(env,
					  W_ISOLATED_EXTENSIONS, root, err);
	path = w_config_join(cwd, root);
	if (path == NULL)
		return w_fail_nomem(err, STAGE);
	return isolated_env_put(env, W_ISOLATED_EXTENSIONS, path, err);
}

static writ_status
put_places(const writ_isolated_options *opts, const writ_config *config,
    struct w_words *env, writ_error *err)
{
	W_AUTO_FREE char *cwd = getcwd(NULL, 0);

	if (cwd == NULL)
		return w_fail(err, WRIT_E_SYSTEM, "cwd", errno,
		    "cannot tell the current directory");
	writ_status status = put_dirs(opts, config, cwd, env, err);
	if (status == WRIT_OK)
		status = put_extensions(cwd, env, err);
	return status;
}

static writ_status
put_call(
    const writ_isolated_options *opts, struct w_words *env, writ_error *err)
{
	const char *word = w_isolated_arguments_word(opts->arguments);
	writ_status status = WRIT_OK;

	if (word == NULL)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "%d is not a way to check arguments", (int)opts->arguments);
	if (opts->arguments != WRIT_ARGUMENTS_LITERAL)
		status = isolated_env_put(env, W_ISOLATED_ARGUMENTS, word, err);
	if (status == WRIT_OK && opts->trace_id != NULL)
		status = isolated_env_put(
		    env, W_ISOLATED_TRACE, opts->trace_id, err);
	if (status != WRIT_OK || opts->call == NULL)
		return status;
	status = isolated_env_put(env, W_ISOLATED_CALL, opts->call, err);
	if (status == WRIT_E_INVALID)
		w_suggest(err, "put long standard input into a file and name "
			       "it as \"stdin_file\"");
	return status;
}

writ_status
w_isolated_env(const writ_isolated_options *opts, const writ_config *config,
    struct w_words *env, writ_error *err)
{
	writ_status status = put_settings(config, env, err);

	if (status == WRIT_OK)
		status = put_places(opts, config, env, err);
	if (status == WRIT_OK)
		status = put_call(opts, env, err);
	return status;
}
