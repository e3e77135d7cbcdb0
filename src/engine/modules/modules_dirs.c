/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Where modules are looked up.
 *
 * Directories of the caller come first and must exist; then those of the
 * environment; then those of the user, the system and the installation. The
 * project comes last: anybody may have written it, so it may add modules but
 * never replace one.
 */

#include "engine/modules/modules_dirs.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/grow.h"
#include "engine/config/project_dir.h"

#define STAGE      "module"
#define FOLDER     "modules"
#define EXTENSIONS "APCORE_EXTENSIONS_ROOT"

static const char by_option[] = "option";
static const char by_environment[] = "environment";

void
w_modules_dirs_done(struct w_modules_dirs *dirs)
{
	free(dirs->dirs);
	w_words_done(&dirs->paths);
	*dirs = (struct w_modules_dirs){.dirs = NULL};
}

static writ_status
modules_dirs_add(struct w_modules_dirs *dirs, const char *path, size_t len,
    const struct w_registry_dir *how, writ_error *err)
{
	if (!w_grow(&dirs->dirs, dirs->count, &dirs->cap))
		return w_fail_nomem(err, STAGE);
	if (!w_words_add(&dirs->paths, path, len))
		return w_fail_nomem(err, STAGE);
	dirs->dirs[dirs->count] = *how;
	dirs->dirs[dirs->count++].path =
	    dirs->paths.items[dirs->paths.count - 1];
	return WRIT_OK;
}

static writ_status
add_given(
    struct w_modules_dirs *dirs, const char *const *given, writ_error *err)
{
	const struct w_registry_dir how = {
	    .tier = by_option, .must_exist = true};
	writ_status status = WRIT_OK;

	for (size_t i = 0;
	     given != NULL && given[i] != NULL && status == WRIT_OK; i++)
		status = modules_dirs_add(
		    dirs, given[i], strlen(given[i]), &how, err);
	return status;
}

static writ_status
add_setting(
    struct w_modules_dirs *dirs, const writ_config *config, writ_error *err)
{
	const char *at = w_config_path(config, W_SET_MODULES);
	const bool is_option =
	    strcmp(config->settings[W_SET_MODULES].origin, by_option) == 0;
	const struct w_registry_dir how = {
	    .tier = is_option ? by_option : by_environment,
	    .must_exist = is_option};
	writ_status status = WRIT_OK;

	while (at != NULL && *at != '\0' && status == WRIT_OK) {
		const size_t len = strcspn(at, ":");

		status = modules_dirs_add(dirs, at, len, &how, err);
		at += len + (at[len] == ':');
	}
	return status;
}

static writ_status
add_joined(struct w_modules_dirs *dirs, const char *dir, const char *name,
    const struct w_registry_dir *how, writ_error *err)
{
	if (dir == NULL)
		return WRIT_OK;
	W_AUTO_FREE char *path = w_config_join(dir, name);
	if (path == NULL)
		return w_fail_nomem(err, STAGE);
	return modules_dirs_add(dirs, path, strlen(path), how, err);
}

static writ_status
add_places(
    struct w_modules_dirs *dirs, const writ_config *config, writ_error *err)
{
	const struct {
		const char *dir;
		const char *tier;
	} places[] = {
	    {w_config_path(config, W_SET_CONFIG_DIR), "user"},
	    {w_config_path(config, W_SET_SYSTEM_DIR), "system"},
	    {WRIT_DATADIR, "shipped"},
	};
	writ_status status = WRIT_OK;

	for (size_t i = 0;
	     i < sizeof(places) / sizeof(places[0]) && status == WRIT_OK; i++) {
		const struct w_registry_dir how = {.tier = places[i].tier};

		status = add_joined(dirs, places[i].dir, FOLDER, &how, err);
	}
	return status;
}

/* ---- the project ---- */

static writ_status
add_project(struct w_modules_dirs *dirs, const char *start, writ_error *err)
{
	const struct w_registry_dir how = {
	    .tier = "project", .may_only_add = true};
	W_AUTO_FREE char *dir = realpath(start == NULL ? "." : start, NULL);
	W_AUTO_FREE char *home = NULL;
	W_AUTO_FREE char *project = NULL;

	if (dir == NULL && errno == ENOMEM)
		return w_fail_nomem(err, STAGE);
	if (dir == NULL && start != NULL)
		return w_fail(err, WRIT_E_INVALID, STAGE, errno,
		    "cannot find the project '%s'", start);
	writ_status status = w_home_find(&home, err);
	if (status == WRIT_OK)
		status = w_project_find(dir, home, &project, err);
	return status == WRIT_OK ? add_joined(dirs, project,
				       W_PROJECT_DIR "/" FOLDER, &how, err)
				 : status;
}

writ_status
w_modules_dirs_find(const writ_modules_options *opts, const writ_config *config,
    struct w_modules_dirs *out_dirs, writ_error *err)
{
	const struct w_registry_dir by_variable = {.tier = by_environment};
	const char *extensions = w_config_variable(EXTENSIONS);

	writ_status status = add_given(out_dirs, opts->dirs, err);

	if (status != WRIT_OK || opts->only_dirs)
		return status;
	status = add_setting(out_dirs, config, err);
	if (status == WRIT_OK && extensions != NULL)
		status = modules_dirs_add(out_dirs, extensions,
		    strlen(extensions), &by_variable, err);
	if (status == WRIT_OK)
		status = add_places(out_dirs, config, err);
	if (status == WRIT_OK && !opts->no_project)
		status = add_project(out_dirs, opts->project, err);
	return status;
}
