/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The modules of a server, loaded when they are needed: those that are built in
 * only when somebody asks for all of them.
 */

#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/error.h"
#include "mcp/catalogue_state.h"

#define STAGE "tools"

void
w_collection_release(struct w_collection *collection)
{
	if (collection == NULL || --collection->users > 0)
		return;
	writ_modules_free(collection->modules);
	free(collection);
}

void
w_catalogue_forget_modules(struct w_catalogue *catalogue)
{
	w_collection_release(catalogue->full);
	w_collection_release(catalogue->files);
	catalogue->full = NULL;
	catalogue->files = NULL;
}

static writ_status
load(struct w_mcp *server, bool is_full, struct w_collection **out_shelf,
    writ_error *err)
{
	writ_modules_options options = WRIT_MODULES_OPTIONS_INIT;
	W_AUTO_FREE struct w_collection *collection =
	    calloc(1, sizeof(*collection));

	if (collection == NULL)
		return w_fail_nomem(err, STAGE);
	options.config = server->options.config;
	options.project = server->cwd;
	options.no_builtin = !is_full;
	writ_status status =
	    writ_modules_new(&options, &collection->modules, err);
	if (status != WRIT_OK)
		return status;
	collection->users = 1;
	*out_shelf = w_take_ptr(&collection);
	return WRIT_OK;
}

/* What a project adds has to be compared with what is built in, since it may
 * replace none of that. */
static bool
has_project(const writ_modules *modules)
{
	for (size_t i = 0; i < writ_modules_count(modules); i++) {
		if (strcmp(writ_modules_at(modules, i)->tier, "project") == 0)
			return true;
	}
	return false;
}

static writ_status
load_files(struct w_mcp *server, struct w_catalogue *catalogue, writ_error *err)
{
	writ_status status = WRIT_OK;

	if (catalogue->files == NULL)
		status = load(server, false, &catalogue->files, err);
	if (status != WRIT_OK || !has_project(catalogue->files->modules))
		return status;
	if (catalogue->full == NULL)
		status = load(server, true, &catalogue->full, err);
	return status;
}

writ_status
w_collection_hold(struct w_mcp *server, bool is_full,
    struct w_collection **out_shelf, writ_error *err)
{
	struct w_catalogue *catalogue = w_catalogue_get(server);
	writ_status status = WRIT_OK;

	if (catalogue == NULL)
		return w_fail_nomem(err, STAGE);
	if (is_full && catalogue->full == NULL)
		status = load(server, true, &catalogue->full, err);
	else if (catalogue->full == NULL)
		status = load_files(server, catalogue, err);
	if (status != WRIT_OK)
		return status;
	struct w_collection *collection =
	    catalogue->full != NULL ? catalogue->full : catalogue->files;
	collection->users++;
	*out_shelf = collection;
	return WRIT_OK;
}

writ_status
w_catalogue_modules(
    struct w_mcp *server, writ_modules **out_modules, writ_error *err)
{
	struct w_collection *collection = NULL;
	writ_status status = w_collection_hold(server, true, &collection, err);

	if (status != WRIT_OK)
		return status;
	*out_modules = collection->modules;
	w_collection_release(collection); /* the catalogue has it still */
	return WRIT_OK;
}
