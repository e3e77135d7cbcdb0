/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What exists on this machine, for lint: programs in PATH, described commands,
 * and modules. Each is looked up when first needed.
 */

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <writ/module.h>

#include "base/auto.h"
#include "base/match.h"
#include "engine/policies/inspection.h"

#define DEFAULT_PATH "/usr/local/bin:/usr/bin:/bin"
#define PROGRAMS_MAX 16384
#define MODULES_MAX  65536

void
w_inventory_init(struct w_inventory *inventory, const writ_config *config)
{
	const char *path = secure_getenv("PATH");

	*inventory = (struct w_inventory){
	    .config = config, .path_list = path == NULL ? DEFAULT_PATH : path};
}

void
w_inventory_done(struct w_inventory *inventory)
{
	w_known_commands_done(&inventory->known);
	writ_modules_free(inventory->modules);
	w_words_done(&inventory->programs);
}

/* ---- programs ---- */

/* The next directory of a list. false: no more. */
static bool
next_dir(const char **list, char dir[PATH_MAX])
{
	while (**list != '\0') {
		const size_t len = strcspn(*list, ":");
		const char *start = *list;

		*list += len + ((*list)[len] == ':');
		if (len == 0 || len >= PATH_MAX)
			continue;
		memcpy(dir, start, len);
		dir[len] = '\0';
		return true;
	}
	return false;
}

static bool
is_in_path(const struct w_inventory *inventory, const char *name)
{
	const char *list = inventory->path_list;
	char dir[PATH_MAX];
	char path[PATH_MAX];

	while (next_dir(&list, dir)) {
		const int len =
		    snprintf(path, sizeof(path), "%s/%s", dir, name);

		if (len > 0 && (size_t)len < sizeof(path) &&
		    access(path, X_OK) == 0)
			return true;
	}
	return false;
}

static bool
has_program(void *ctx, const char *name)
{
	struct w_inventory *inventory = ctx;
	struct w_known known = {.command = NULL};

	if (strchr(name, '/') != NULL)
		return access(name, F_OK) == 0;
	return is_in_path(inventory, name) ||
	       (w_known_commands_find(&inventory->known, inventory->config,
		    name, strlen(name), &known, NULL) == WRIT_OK &&
		   known.command != NULL);
}

static void
list_dir(struct w_inventory *inventory, const char *dir)
{
	DIR *stream = opendir(dir);
	const struct dirent *entry;

	if (stream == NULL)
		return;
	while (inventory->programs.count < PROGRAMS_MAX) {
		entry = readdir(stream);
		if (entry == NULL)
			break;
		if (entry->d_name[0] == '.')
			continue;
		(void)w_words_add(
		    &inventory->programs, entry->d_name, strlen(entry->d_name));
	}
	(void)closedir(stream);
}

static const char *
nearest_program(void *ctx, const char *name)
{
	struct w_inventory *inventory = ctx;
	const char *list = inventory->path_list;
	char dir[PATH_MAX];

	while (!inventory->has_programs && next_dir(&list, dir))
		list_dir(inventory, dir);
	inventory->has_programs = true;
	return inventory->programs.count == 0
		   ? NULL
		   : w_match_nearest(
			 name, (const char *const *)inventory->programs.items);
}

/* ---- modules ---- */

static writ_modules *
find_modules(struct w_inventory *inventory)
{
	writ_modules_options options = WRIT_MODULES_OPTIONS_INIT;

	options.config = inventory->config;
	/* If they cannot be loaded, every module counts as existing. */
	if (!inventory->has_modules)
		(void)writ_modules_new(&options, &inventory->modules, NULL);
	inventory->has_modules = true;
	return inventory->modules;
}

static bool
inventory_has_module(void *ctx, const char *glob)
{
	const writ_modules *modules = find_modules(ctx);
	const size_t count = modules == NULL ? 0 : writ_modules_count(modules);

	for (size_t i = 0; i < count; i++) {
		if (w_match_glob(glob, writ_modules_at(modules, i)->id))
			return true;
	}
	return modules == NULL;
}

static bool
is_of_project(void *ctx, const char *glob)
{
	const writ_modules *modules = find_modules(ctx);
	const size_t count = modules == NULL ? 0 : writ_modules_count(modules);
	bool is_any = false;

	for (size_t i = 0; i < count; i++) {
		const writ_module *module = writ_modules_at(modules, i);

		if (!w_match_glob(glob, module->id))
			continue;
		/* A command described by a project has the id of its program,
		 * which the project cannot choose. */
		if (strcmp(module->tier, "project") != 0 ||
		    strncmp(module->id, "cli.", 4) == 0)
			return false;
		is_any = true;
	}
	return is_any;
}

static const char *
nearest_module(void *ctx, const char *name)
{
	const writ_modules *modules = find_modules(ctx);
	size_t count = modules == NULL ? 0 : writ_modules_count(modules);
	W_AUTO_FREE const char **ids = NULL;

	count = count > MODULES_MAX ? MODULES_MAX : count;
	ids = calloc(count + 1, sizeof(*ids));
	for (size_t i = 0; ids != NULL && i < count; i++)
		ids[i] = writ_modules_at(modules, i)->id;
	return ids == NULL ? NULL : w_match_nearest(name, ids);
}

struct w_lint_source
w_inventory_lint_source(struct w_inventory *inventory)
{
	return (struct w_lint_source){
	    .has_program = has_program,
	    .has_module = inventory_has_module,
	    .is_of_project = is_of_project,
	    .nearest_program = nearest_program,
	    .nearest_module = nearest_module,
	    .ctx = inventory,
	};
}
