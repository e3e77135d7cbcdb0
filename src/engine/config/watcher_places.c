/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The places where policies and modules can be, existing or not, and their
 * current state.
 */

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>

#include "base/auto.h"
#include "base/grow.h"
#include "engine/config/project_dir.h"
#include "engine/config/watcher_state.h"
#include "engine/modules/modules_dirs.h"
#include "engine/policies/policies.h"
#include "module/registry/registry_listing.h"

#define STAGE       "watch"
#define POLICY_NAME "policy.yaml"
#define PLACES_MAX  4096

/* Of a directory above the place: the next one is created. */
#define ON_THE_WAY                                                 \
	(IN_CREATE | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | \
	    IN_ONLYDIR | IN_MASK_ADD)
/* Of the directory with the files: editors write, rename, or do both. */
#define AT_HOME \
	(ON_THE_WAY | IN_CLOSE_WRITE | IN_MOVED_FROM | IN_DELETE | IN_ATTRIB)

void
w_watched_done(struct w_watched_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		free(list->items[i].path);
		free(list->items[i].awaited);
	}
	free(list->items);
	*list = (struct w_watched_list){.items = NULL};
}

/* ---- places ---- */

static bool
watcher_places_has(
    const struct w_watched_list *list, const char *path, unsigned what)
{
	for (size_t i = 0; i < list->count; i++) {
		if (list->items[i].what == what &&
		    strcmp(list->items[i].path, path) == 0)
			return true;
	}
	return false;
}

static writ_status
watcher_places_add(struct w_watched_list *list, const char *path, unsigned what,
    bool is_dir, writ_error *err)
{
	if (path[0] != '/' || list->count >= PLACES_MAX ||
	    watcher_places_has(list, path, what))
		return WRIT_OK;
	if (!w_grow(&list->items, list->count, &list->cap))
		return w_fail_nomem(err, STAGE);
	struct w_watched place = {
	    .path = strdup(path), .what = what, .is_dir = is_dir, .wd = -1};
	if (place.path == NULL)
		return w_fail_nomem(err, STAGE);
	list->items[list->count++] = place;
	return WRIT_OK;
}

/* The target of a link changes in another directory. */
static writ_status
add_both(struct w_watched_list *list, const char *path, unsigned what,
    bool is_dir, writ_error *err)
{
	W_AUTO_FREE char *real = realpath(path, NULL);
	writ_status status = watcher_places_add(list, path, what, is_dir, err);

	if (status == WRIT_OK && real != NULL)
		status = watcher_places_add(list, real, what, is_dir, err);
	return status;
}

static writ_status
add_policy_in(struct w_watched_list *list, const char *dir, const char *below,
    writ_error *err)
{
	char path[PATH_MAX];
	int len = dir == NULL ? 0
			      : snprintf(path, sizeof(path),
				    "%s%s/" POLICY_NAME, dir, below);

	if (len <= 0 || (size_t)len >= sizeof(path))
		return WRIT_OK;
	return add_both(list, path, WRIT_CHANGED_POLICY, false, err);
}

/* Included files, as far as the policies could be read. */
static writ_status
add_included(
    struct w_watched_list *list, struct w_policies *policies, writ_error *err)
{
	writ_status status = WRIT_OK;

	for (size_t i = 0; i < policies->count; i++) {
		const struct w_fingerprints *marks =
		    &policies->loaded[i]->marks;

		for (size_t j = 0; j < marks->count && status == WRIT_OK; j++)
			status = add_both(list, marks->items[j].path,
			    WRIT_CHANGED_POLICY, false, err);
	}
	return status;
}

static writ_status
watcher_places_add_policies(const writ_watch *watch,
    struct w_watched_list *list, struct w_policies *policies, writ_error *err)
{
	const writ_config *config = watch->config;
	const char *chosen = w_config_path(config, W_SET_POLICY);
	writ_status status = add_policy_in(
	    list, w_config_path(config, W_SET_SYSTEM_DIR), "", err);

	if (status == WRIT_OK && chosen != NULL && chosen[0] == '/')
		status =
		    add_both(list, chosen, WRIT_CHANGED_POLICY, false, err);
	if (status == WRIT_OK && chosen == NULL)
		status = add_policy_in(
		    list, w_config_path(config, W_SET_CONFIG_DIR), "", err);
	if (status == WRIT_OK && chosen == NULL)
		status =
		    add_policy_in(list, watch->cwd, "/" W_PROJECT_DIR, err);
	if (status == WRIT_OK && chosen == NULL && policies->project != NULL)
		status = add_policy_in(
		    list, policies->project, "/" W_PROJECT_DIR, err);
	return status == WRIT_OK ? add_included(list, policies, err) : status;
}

static writ_status
find_policies(
    const writ_watch *watch, struct w_watched_list *list, writ_error *err)
{
	struct w_policies policies = {.is_lenient = true, .home = watch->home};

	/* The files are known, whatever is wrong with them. */
	(void)w_policies_find(&policies, watch->config, watch->cwd, NULL);
	writ_status status =
	    watcher_places_add_policies(watch, list, &policies, err);
	w_policies_done(&policies);
	return status;
}

static writ_status
find_modules(
    const writ_watch *watch, struct w_watched_list *list, writ_error *err)
{
	writ_modules_options options = WRIT_MODULES_OPTIONS_INIT;
	struct w_modules_dirs dirs = {.dirs = NULL};
	char path[PATH_MAX];

	options.dirs = (const char *const *)watch->dirs.items;
	options.project = watch->cwd;
	writ_status status =
	    w_modules_dirs_find(&options, watch->config, &dirs, err);
	for (size_t i = 0; i < dirs.count && status == WRIT_OK; i++)
		status = add_both(
		    list, dirs.dirs[i].path, WRIT_CHANGED_MODULES, true, err);
	w_modules_dirs_done(&dirs);
	int len = snprintf(
	    path, sizeof(path), "%s/" W_PROJECT_DIR "/modules", watch->cwd);
	if (status == WRIT_OK && len > 0 && (size_t)len < sizeof(path))
		status = watcher_places_add(
		    list, path, WRIT_CHANGED_MODULES, true, err);
	return status;
}

/* ---- watches ---- */

/* Watches the nearest existing directory. What cannot be watched is skipped. */
static bool
add_watch(int inotify_fd, struct w_watched *place)
{
	char dir[PATH_MAX];
	size_t len = strlen(place->path);

	if (len >= sizeof(dir))
		return true;
	memcpy(dir, place->path, len + 1);
	place->is_here = true;
	if (place->is_dir)
		place->wd = inotify_add_watch(inotify_fd, dir, AT_HOME);
	while (place->wd < 0 && len > 1) {
		size_t end = len;

		while (len > 0 && place->path[len - 1] != '/')
			len--;
		dir[len > 1 ? len - 1 : 1] = '\0';
		const bool is_own = end == strlen(place->path);
		place->wd = inotify_add_watch(inotify_fd, dir,
		    is_own && !place->is_dir ? AT_HOME : ON_THE_WAY);
		if (place->wd >= 0) {
			place->is_here = is_own;
			place->awaited = strndup(place->path + len, end - len);
			return place->awaited != NULL;
		}
		len = len > 1 ? len - 1 : 0;
	}
	return true;
}

/* ---- state ---- */

static void
watcher_places_add_dir(struct w_sha256 *sum, const char *path)
{
	W_AUTO_FD int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	W_AUTO_LISTING struct w_listing listing = {.files = NULL};

	if (fd < 0 || w_listing_read(fd, &listing, NULL) != WRIT_OK) {
		w_sha256_add(sum, "-", 1);
		return;
	}
	for (size_t i = 0; i < listing.count; i++) {
		const char *name = w_listing_name(&listing, i);

		w_sha256_add(sum, name, strlen(name) + 1);
		w_sha256_add(sum, &listing.files[i].identity,
		    sizeof(listing.files[i].identity));
	}
}

static void
hash_places(const struct w_watched_list *list, unsigned what,
    uint8_t out[W_SHA256_SIZE])
{
	struct w_sha256 sum;
	struct stat st;

	w_sha256_init(&sum);
	for (size_t i = 0; i < list->count; i++) {
		const struct w_watched *place = &list->items[i];

		if (place->what != what)
			continue;
		w_sha256_add(&sum, place->path, strlen(place->path) + 1);
		if (place->is_dir) {
			watcher_places_add_dir(&sum, place->path);
			continue;
		}
		struct w_stat_data identity = {.dev = 0};
		if (stat(place->path, &st) == 0)
			w_stat_data_set(&st, &identity);
		w_sha256_add(&sum, &identity, sizeof(identity));
	}
	w_sha256_end(&sum, out);
}

writ_status
w_watched_find(
    writ_watch *watch, struct w_watched_list *out_list, writ_error *err)
{
	writ_status status = find_policies(watch, out_list, err);

	if (status == WRIT_OK)
		status = find_modules(watch, out_list, err);
	for (size_t i = 0; i < out_list->count && status == WRIT_OK; i++) {
		if (!add_watch(watch->inotify_fd, &out_list->items[i]))
			status = w_fail_nomem(err, STAGE);
	}
	if (status != WRIT_OK)
		return status;
	hash_places(out_list, WRIT_CHANGED_POLICY, out_list->policy);
	hash_places(out_list, WRIT_CHANGED_MODULES, out_list->modules);
	return WRIT_OK;
}
