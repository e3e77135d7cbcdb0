/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Which file the module of an isolated call is in.
 *
 * The caller checks who owns the file. A runner could not: in a user namespace
 * root's files look like anybody's. So the runner gets the stat data that the
 * file had when it was checked, and accepts no other.
 */

#include <string.h>

#include "base/auto.h"
#include "base/buf.h"
#include "base/error.h"
#include "engine/isolate/isolated.h"
#include "engine/modules/modules.h"
#include "os/trust.h"

#define STAGE        "runner"
#define VARIABLE_MAX (128 * 1024)

static writ_status
isolated_file_put(
    const struct w_registry_file *file, struct w_words *env, writ_error *err)
{
	W_AUTO_BUF struct w_buf entry;
	char identity[W_STAT_DATA_TEXT_MAX];

	w_buf_init(&entry, VARIABLE_MAX);
	w_stat_data_format(&file->identity, identity);
	w_buf_add_fmt(&entry, "%s=%s%s", W_ISOLATED_FILE, identity, file->path);
	if (entry.failed || !w_words_add(env, entry.data, entry.len))
		return w_fail_nomem(err, STAGE);
	return WRIT_OK;
}

static writ_status
put_found(const writ_modules *modules, const char *id, struct w_words *env,
    bool *out_is_trusted, writ_error *err)
{
	size_t place;

	if (w_modules_find_index(modules, id, &place, NULL) != WRIT_OK)
		return WRIT_OK;
	*out_is_trusted =
	    strcmp(writ_modules_at(modules, place)->tier, "project") != 0;
	const struct w_registry_file file =
	    w_registry_file_of(modules->registry, place);
	if (strcmp(file.path, W_REGISTRY_MEMORY) == 0) {
		(void)w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "the module '%s' is in memory, and a runner reads the file "
		    "of its module",
		    id);
		w_suggest(err, "call it without isolation, or write it to a "
			       "file (writ module add)");
		return WRIT_E_INVALID;
	}
	return isolated_file_put(&file, env, err);
}

writ_status
w_isolated_put_file(const char *id, const writ_isolated_options *opts,
    const writ_config *config, struct w_words *env, bool *out_is_trusted,
    writ_error *err)
{
	writ_modules_options options = WRIT_MODULES_OPTIONS_INIT;
	writ_modules *modules = NULL;

	if (opts->modules != NULL)
		return put_found(opts->modules, id, env, out_is_trusted, err);
	options.config = config;
	options.dirs = opts->dirs;
	writ_status status = writ_modules_new(&options, &modules, err);
	if (status != WRIT_OK)
		return status == WRIT_E_NOMEM ? status : WRIT_OK;
	status = put_found(modules, id, env, out_is_trusted, err);
	writ_modules_free(modules);
	return status;
}

writ_status
w_isolated_modules(const char *id, writ_modules **out_modules, writ_error *err)
{
	writ_modules_options options = WRIT_MODULES_OPTIONS_INIT;
	W_AUTO_FREE char *text = NULL;

	writ_status status = w_isolated_take_env(W_ISOLATED_FILE, &text, err);
	if (status != WRIT_OK)
		return status;
	if (text != NULL)
		return w_isolated_modules_of(id, text, out_modules, err);
	/* A cache written in a user namespace without root would be invalid for
	 * everybody else: they see other owners. */
	options.no_cache = w_trust_root_uid() != 0;
	return writ_modules_new(&options, out_modules, err);
}

writ_status
w_isolated_modules_of(const char *id, const char *text,
    writ_modules **out_modules, writ_error *err)
{
	struct w_registry_file file = {.id = id};
	size_t len = w_stat_data_parse(text, &file.identity);

	if (len == 0)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "%s is '%s', which names no file", W_ISOLATED_FILE, text);
	file.path = text + len;
	return w_modules_of_file(&file, out_modules, err);
}
