/* SPDX-License-Identifier: Apache-2.0 */

/* The public API of modules: loads, finds and searches them. */

#include "engine/modules/modules.h"

#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/match.h"
#include "command/description/dotted_id.h"
#include "engine/modules/modules_dirs.h"

#define STAGE "module"

static writ_module
about_of(const struct w_module_summary *summary)
{
	return (writ_module){
	    .id = summary->id,
	    .description = summary->description,
	    .command = summary->command,
	    .tags = summary->tags,
	    .version = summary->version,
	    .is_readonly = summary->annotations.is_readonly,
	    .is_destructive = summary->annotations.is_destructive,
	    .is_idempotent = summary->annotations.is_idempotent,
	    .requires_approval = summary->annotations.requires_approval,
	    .is_open_world = summary->annotations.is_open_world,
	    .file = summary->file,
	    .line = summary->line,
	    .tier = summary->tier,
	};
}

static writ_status
take_about(writ_modules *modules, writ_error *err)
{
	const size_t count = w_registry_count(modules->registry);

	modules->about = calloc(count + 1, sizeof(*modules->about));
	modules->compiled_modules =
	    calloc(count + 1, sizeof(*modules->compiled_modules));
	if (modules->about == NULL || modules->compiled_modules == NULL)
		return w_fail_nomem(err, STAGE);
	modules->count = count;
	for (size_t i = 0; i < count; i++)
		modules->about[i] =
		    about_of(w_registry_at(modules->registry, i));
	return WRIT_OK;
}

static writ_status
take_problems(writ_modules *modules, writ_error *err)
{
	const struct w_registry_problem *found;
	const size_t count = w_registry_problems(modules->registry, &found);

	modules->problems = calloc(count + 1, sizeof(*modules->problems));
	if (modules->problems == NULL)
		return w_fail_nomem(err, STAGE);
	modules->problem_count = count;
	for (size_t i = 0; i < count; i++)
		modules->problems[i] =
		    (writ_module_problem){found[i].file, found[i].error};
	return WRIT_OK;
}

static writ_status
take_all(writ_modules *modules, writ_error *err)
{
	writ_status status = take_about(modules, err);

	return status == WRIT_OK ? take_problems(modules, err) : status;
}

static writ_status
modules_load(writ_modules *modules, const writ_modules_options *opts,
    const writ_config *config, writ_error *err)
{
	struct w_modules_dirs dirs = {.dirs = NULL};
	writ_status status = w_modules_dirs_find(opts, config, &dirs, err);

	if (status == WRIT_OK) {
		const struct w_registry_options options = {
		    .dirs = dirs.dirs,
		    .dir_count = dirs.count,
		    .cache_dir = opts->no_cache
				     ? NULL
				     : w_config_path(config, W_SET_CACHE_DIR),
		    .has_builtin = !opts->only_dirs && !opts->no_builtin,
		    .text = opts->text,
		    .text_len = opts->text_len,
		};

		status = w_registry_load(&options, &modules->registry, err);
	}
	w_modules_dirs_done(&dirs);
	return status;
}

static writ_status
modules_fill(
    writ_modules *modules, const writ_modules_options *opts, writ_error *err)
{
	writ_modules_options options = WRIT_MODULES_OPTIONS_INIT;
	writ_config *own = NULL;
	writ_status status = WRIT_OK;

	/* Options of an older caller may be shorter than ours. */
	if (opts != NULL && opts->size >= sizeof(opts->size))
		memcpy(&options, opts,
		    opts->size < sizeof(options) ? opts->size
						 : sizeof(options));
	if (options.config == NULL)
		status = w_config_new_lenient(&own, err);
	if (status == WRIT_OK)
		status = modules_load(
		    modules, &options, own != NULL ? own : options.config, err);
	if (status == WRIT_OK)
		status = take_all(modules, err);
	writ_config_free(own);
	return status;
}

writ_status
writ_modules_new(const writ_modules_options *opts, writ_modules **out_modules,
    writ_error *err)
{
	writ_modules *modules = calloc(1, sizeof(*modules));

	if (modules == NULL)
		return w_fail_nomem(err, STAGE);
	writ_status status = modules_fill(modules, opts, err);
	if (status != WRIT_OK) {
		writ_modules_free(modules);
		return status;
	}
	*out_modules = modules;
	return WRIT_OK;
}

writ_status
w_modules_of_file(const struct w_registry_file *file,
    writ_modules **out_modules, writ_error *err)
{
	const struct w_registry_options options = {.only = file};
	writ_modules *modules = calloc(1, sizeof(*modules));

	if (modules == NULL)
		return w_fail_nomem(err, STAGE);
	writ_status status = w_registry_load(&options, &modules->registry, err);
	if (status == WRIT_OK)
		status = take_all(modules, err);
	if (status != WRIT_OK) {
		writ_modules_free(modules);
		return status;
	}
	*out_modules = modules;
	return WRIT_OK;
}

void
writ_modules_free(writ_modules *modules)
{
	if (modules == NULL)
		return;
	for (size_t i = 0; i < modules->count; i++)
		w_compiled_module_free(modules->compiled_modules[i]);
	free(modules->compiled_modules);
	free(modules->about);
	free(modules->problems);
	w_registry_free(modules->registry);
	free(modules);
}

size_t
writ_modules_count(const writ_modules *modules)
{
	return modules->count;
}

const writ_module *
writ_modules_at(const writ_modules *modules, size_t place)
{
	return place < modules->count ? &modules->about[place] : NULL;
}

const writ_module_problem *
writ_modules_problems(const writ_modules *modules, size_t *out_count)
{
	*out_count = modules->problem_count;
	return modules->problems;
}

/* The problem of a part of a file that would have been this module: its
 * message begins with the id. NULL: none. */
static const writ_module_problem *
find_problem(const writ_modules *modules, const char *id)
{
	const size_t len = strlen(id);

	for (size_t i = 0; i < modules->problem_count; i++) {
		const char *message = modules->problems[i].error.message;

		if (strncmp(message, id, len) == 0 && message[len] == ':')
			return &modules->problems[i];
	}
	return NULL;
}

static writ_status
fail_broken(const writ_module_problem *problem, const char *id, writ_error *err)
{
	const writ_error *error = &problem->error;
	const char *what = error->message + strlen(id) + 1;

	(void)w_fail(err, WRIT_E_INVALID, STAGE, 0,
	    "the module '%s' cannot be used: %s:%u:%u: %s", id, problem->file,
	    error->line, error->column, what + strspn(what, " "));
	if (error->suggestion[0] != '\0')
		w_suggest(err, "%s", error->suggestion);
	return WRIT_E_INVALID;
}

static writ_status
fail_missing(const writ_modules *modules, const char *id, writ_error *err)
{
	const writ_module_problem *problem = find_problem(modules, id);

	if (problem != NULL)
		return fail_broken(problem, id, err);
	const char *nearest = w_registry_nearest(modules->registry, id);

	(void)w_fail(
	    err, WRIT_E_NOTFOUND, STAGE, 0, "there is no module '%s'", id);
	if (nearest != NULL)
		w_match_suggest(nearest, err);
	else if (modules->problem_count > 0)
		w_suggest(err, "%zu %s of modules could not be used",
		    modules->problem_count,
		    modules->problem_count == 1 ? "file" : "files");
	return WRIT_E_NOTFOUND;
}

writ_status
w_modules_find_index(const writ_modules *modules, const char *id,
    size_t *out_place, writ_error *err)
{
	writ_status status = w_dotted_id_check(id, err);

	if (status != WRIT_OK)
		return status;
	const size_t place = w_registry_find(modules->registry, id);
	if (place == SIZE_MAX)
		return fail_missing(modules, id, err);
	*out_place = place;
	return WRIT_OK;
}

writ_status
writ_modules_find(const writ_modules *modules, const char *id,
    const writ_module **out_module, writ_error *err)
{
	size_t place;
	writ_status status = w_modules_find_index(modules, id, &place, err);

	if (status == WRIT_OK)
		*out_module = &modules->about[place];
	return status;
}

writ_status
writ_modules_search(const writ_modules *modules, const char *query,
    const writ_module ***out_found, size_t *out_count, writ_error *err)
{
	W_AUTO_FREE size_t *places = NULL;
	size_t count = 0;
	writ_status status =
	    w_registry_search(modules->registry, query, &places, &count, err);

	if (status != WRIT_OK)
		return status;
	const writ_module **found = calloc(count + 1, sizeof(*found));
	if (found == NULL)
		return w_fail_nomem(err, STAGE);
	for (size_t i = 0; i < count; i++)
		found[i] = &modules->about[places[i]];
	*out_found = found;
	*out_count = count;
	return WRIT_OK;
}
