/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Loads one module directory: unchanged files from the cache, the others from
 * disk.
 *
 * A file is taken from the cache if all of its stat data is unchanged. One that
 * was changed just before it was read is marked unsure and read again next
 * time: stat_data.h says why.
 *
 * The stat data is taken before the file is read. If the file changes in
 * between, the data is too old and the file is read again; it is never too new.
 */

#include "module/registry/module_dir.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "log/log_files.h"
#include "module/registry/curated.h"
#include "module/registry/registry_cache.h"
#include "module/registry/registry_command.h"
#include "module/registry/registry_listing.h"
#include "module/registry/registry_read.h"
#include "os/resolve.h"

#define STAGE     "modules"

#define NOT_KNOWN UINT32_MAX

static writ_status
module_dir_refuse_missing(
    const struct w_registry_dir *dir, int error, writ_error *err)
{
	writ_status status = error == ENOENT || error == ENOTDIR
				 ? WRIT_E_INVALID
				 : WRIT_E_SYSTEM;

	return w_fail(err, status, STAGE, error,
	    "cannot use the module directory '%s'", dir->path);
}

/* Other users could put a module there that we would run. */
static writ_status
check_hands(const char *path, int fd, writ_error *err)
{
	char why[W_LOG_WHY_MAX];
	struct stat st;

	if (fstat(fd, &st) < 0)
		return w_fail(err, WRIT_E_SYSTEM, STAGE, errno,
		    "cannot look at the module directory '%s'", path);
	if (w_log_file_is_ours(&st, S_IFDIR, why))
		return WRIT_OK;
	(void)w_fail(err, WRIT_E_INVALID, STAGE, 0,
	    "the module directory '%s' %s: nothing in it is used", path, why);
	w_suggest(
	    err, "give it to yourself or root, and: chmod go-w '%s'", path);
	return WRIT_E_INVALID;
}

static writ_status
module_dir_report(const struct w_module_dir_reporter *reporter,
    const char *path, const writ_error *problem, writ_error *err)
{
	if (!reporter->report(reporter->ctx, path, problem))
		return w_fail_nomem(err, STAGE);
	return WRIT_OK;
}

writ_status
w_module_dir_open(const struct w_registry_dir *dir,
    const struct w_module_dir_reporter *reporter, int *out_fd, char **out_path,
    writ_error *err)
{
	W_AUTO_FD int fd = open(dir->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	W_AUTO_FREE char *path = fd < 0 ? NULL : w_resolve_real(dir->path);
	int error = errno;
	writ_error problem;

	*out_fd = -1;
	if (path == NULL && error == ENOMEM)
		return w_fail_nomem(err, STAGE);
	if (path == NULL && dir->must_exist)
		return module_dir_refuse_missing(dir, error, err);
	if (path == NULL && error == ENOENT)
		return WRIT_OK;
	if (path == NULL) {
		(void)module_dir_refuse_missing(dir, error, &problem);
		return module_dir_report(reporter, dir->path, &problem, err);
	}
	if (check_hands(path, fd, &problem) != WRIT_OK)
		return module_dir_report(reporter, path, &problem, err);
	*out_fd = w_take_fd(&fd);
	*out_path = w_take_ptr(&path);
	return WRIT_OK;
}

/* A directory while it is loaded. */
struct loading {
	int fd;
	const char *path;
	struct w_listing listing;
	struct w_module_index old; /* from the cache, or empty */
	uint32_t *known;           /* indexes in old, or NOT_KNOWN */
	size_t known_count;
	bool must_write; /* the cache should be written */
	int64_t now_nsec;
	struct w_module_index_builder builder;
};

/* The index of a file in the old module index, from *at on; NOT_KNOWN: no file
 * of that name. Both lists are sorted by name. */
static uint32_t
find_old(const struct w_module_index *old, const char *name, uint32_t *at)
{
	while (old->head != NULL && *at < old->head->file_count) {
		int order =
		    strcmp(name, w_module_index_name(old, &old->files[*at]));

		if (order <= 0)
			return order == 0 ? *at : NOT_KNOWN;
		++*at;
	}
	return NOT_KNOWN;
}

static writ_status
find_known(struct loading *loading, writ_error *err)
{
	const struct w_listing *listing = &loading->listing;
	const struct w_module_index *old = &loading->old;
	uint32_t at = 0;

	loading->must_write =
	    old->head == NULL || old->head->file_count != listing->count;
	loading->known = calloc(listing->count + 1, sizeof(uint32_t));
	if (loading->known == NULL)
		return w_fail_nomem(err, STAGE);
	for (size_t i = 0; i < listing->count; i++) {
		uint32_t place = find_old(old, w_listing_name(listing, i), &at);
		bool is_known = place != NOT_KNOWN &&
				w_stat_data_is_same(&listing->files[i].identity,
				    &old->files[place].identity);

		if (!is_known)
			loading->must_write = true;
		is_known = is_known && old->files[place].is_unsure == 0;
		loading->known[i] = is_known ? place : NOT_KNOWN;
		loading->known_count += is_known;
	}
	return WRIT_OK;
}

static writ_status
module_dir_read_file(struct loading *loading, size_t place, writ_error *err)
{
	const struct w_stat_data *identity =
	    &loading->listing.files[place].identity;
	const char *name = w_listing_name(&loading->listing, place);
	const struct w_binding_sink sink = w_registry_sink(&loading->builder);
	writ_error problem = {0};
	writ_status status;

	w_module_index_builder_begin(&loading->builder, identity, name);
	if (w_registry_is_command(name))
		status = w_registry_read_command(
		    &loading->builder, loading->fd, name, &problem);
	else
		status = w_binding_read_file(
		    loading->fd, name, true, &sink, &problem);
	if (status == WRIT_E_NOMEM)
		return w_fail_nomem(err, STAGE);
	if (status != WRIT_OK)
		w_module_index_builder_add_problem(&loading->builder, &problem);

	/* An access that the system denied now may be allowed later, without a
	 * change to the file. */
	bool is_unsure = w_stat_data_is_racy(identity, loading->now_nsec) ||
			 identity->mode == 0 || problem.sys_errno != 0;
	w_module_index_builder_end(&loading->builder, is_unsure);
	if (!is_unsure)
		loading->must_write = true;
	return WRIT_OK;
}

static writ_status
module_dir_make_index(struct loading *loading,
    struct w_module_index *out_module_index, writ_error *err)
{
	for (size_t i = 0; i < loading->listing.count; i++) {
		uint32_t known = loading->known[i];
		writ_status status = WRIT_OK;

		if (known != NOT_KNOWN)
			w_module_index_builder_copy(&loading->builder,
			    &loading->old, &loading->old.files[known]);
		else
			status = module_dir_read_file(loading, i, err);
		if (status != WRIT_OK)
			return status;
	}
	return w_module_index_builder_make(
	    &loading->builder, out_module_index, err);
}

static writ_status
module_dir_load(struct loading *loading, struct w_module_dir *module_dir,
    const char *cache_dir, writ_error *err)
{
	writ_status status = find_known(loading, err);

	if (status != WRIT_OK)
		return status;
	if (loading->old.head != NULL && !loading->must_write &&
	    loading->known_count == loading->listing.count) {
		module_dir->module_index = loading->old;
		loading->old = (struct w_module_index){0};
		return WRIT_OK;
	}
	module_dir->read_count = loading->listing.count - loading->known_count;
	status = module_dir_make_index(loading, &module_dir->module_index, err);
	if (status == WRIT_OK && cache_dir != NULL && loading->must_write)
		w_registry_cache_write(
		    cache_dir, loading->path, &module_dir->module_index);
	return status;
}

static writ_status
report_left_out(const struct loading *loading,
    const struct w_module_dir_reporter *reporter, writ_error *err)
{
	writ_error problem;

	if (loading->listing.left_out == 0)
		return WRIT_OK;
	(void)w_fail(&problem, WRIT_E_INVALID, STAGE, 0,
	    "the module directory '%s' has more than %d files: the last %zu "
	    "of them are not used",
	    loading->path, W_REGISTRY_FILES_MAX, loading->listing.left_out);
	w_suggest(&problem, "put several modules into one file");
	return module_dir_report(reporter, loading->path, &problem, err);
}

static writ_status
list_and_load(struct loading *loading, struct w_module_dir *module_dir,
    const char *cache_dir, const struct w_module_dir_reporter *reporter,
    writ_error *err)
{
	writ_error problem;
	writ_status status =
	    w_listing_read(loading->fd, &loading->listing, &problem);

	if (status == WRIT_E_NOMEM)
		return w_fail_nomem(err, STAGE);
	if (status != WRIT_OK)
		return module_dir_report(
		    reporter, loading->path, &problem, err);
	status = report_left_out(loading, reporter, err);
	if (status != WRIT_OK)
		return status;
	if (cache_dir != NULL)
		(void)w_registry_cache_read(
		    cache_dir, loading->path, &loading->old);
	return module_dir_load(loading, module_dir, cache_dir, err);
}

writ_status
w_module_dir_load(struct w_module_dir *module_dir, int fd, const char *path,
    const char *cache_dir, const struct w_module_dir_reporter *reporter,
    writ_error *err)
{
	/* The root directory: every path has a slash of its own. */
	const char *prefix = strcmp(path, "/") == 0 ? "" : path;
	struct loading loading = {
	    .fd = fd, .path = prefix, .now_nsec = w_stat_data_now()};

	w_buf_init(&loading.listing.names, 0);
	w_module_index_builder_init(&loading.builder, prefix);
	writ_status status =
	    list_and_load(&loading, module_dir, cache_dir, reporter, err);
	w_module_index_builder_done(&loading.builder);
	w_module_index_done(&loading.old);
	w_listing_done(&loading.listing);
	free(loading.known);
	return status;
}

writ_status
w_module_dir_load_builtin(struct w_module_dir *module_dir, writ_error *err)
{
	module_dir->is_builtin = true;
	module_dir->tier = strdup(W_CURATED_ORIGIN);
	if (module_dir->tier == NULL ||
	    !w_curated_open(&module_dir->module_index))
		return w_fail_nomem(err, STAGE);
	return WRIT_OK;
}

void
w_module_dir_done(struct w_module_dir *module_dir)
{
	const uint32_t count = module_dir->module_index.head == NULL
				   ? 0
				   : module_dir->module_index.head->file_count;

	for (uint32_t i = 0; module_dir->commands != NULL && i < count; i++) {
		w_command_free(module_dir->commands[i].command);
		yyjson_doc_free(module_dir->commands[i].doc);
	}
	free(module_dir->commands);
	module_dir->commands = NULL;
	w_module_index_done(&module_dir->module_index);
	free(module_dir->tier);
	module_dir->tier = NULL;
}
