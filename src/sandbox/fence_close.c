/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Keeping other programs from being read: their directories are closed, those
 * of the system, at home, and around a listed program.
 */

#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/auto.h"
#include "sandbox/fence.h"

#define STAGE "sandbox"

static const char *const of_system[] = {"/bin", "/sbin", "/snap", "/usr/bin",
    "/usr/games", "/usr/libexec", "/usr/local/bin", "/usr/local/games",
    "/usr/local/libexec", "/usr/local/sbin", "/usr/sbin"};

static const char *const of_home[] = {
    ".bun/bin", ".cargo/bin", ".deno/bin", ".local/bin", "bin", "go/bin"};

static bool
holds_any(const char *dir, const struct w_places *places)
{
	for (size_t i = 0; i < places->count; i++) {
		if (w_place_covers(dir, places->items[i].path))
			return true;
	}
	return false;
}

/* Whether the working directory, something writable or what a profile names in
 * particular lies in it: it has to stay as it is. */
static bool
is_in_use(const struct w_fence *fence, const char *dir)
{
	const struct w_confine_work *work = fence->work;

	return w_place_covers(dir, work->context->cwd) ||
	       w_confine_is_writable(work->confine, dir) ||
	       holds_any(dir, &work->confine->grants);
}

/* As a mount of its own it has code, and Landlock says which. */
static writ_status
open_for_programs(
    struct w_fence *fence, const struct w_place *closed, writ_error *err)
{
	struct w_place place = *closed;

	if (!holds_any(closed->path, &fence->programs))
		return WRIT_OK;
	place.path = strdup(closed->path);
	place.may = W_MAY_MAP;
	if (place.path == NULL || !w_places_add(&fence->areas, &place))
		return w_fail_nomem(err, STAGE);
	return WRIT_OK;
}

static writ_status
close_place(
    struct w_fence *fence, struct w_place *place, bool is_home, writ_error *err)
{
	struct w_confine *confine = fence->work->confine;
	const bool has_programs = holds_any(place->path, &fence->programs);

	place->may = 0;
	/* Closing costs a rule for each of its siblings: too many at home. */
	if (is_home && !has_programs && !is_in_use(fence, place->path))
		return w_places_add(&confine->hidden, place)
			   ? WRIT_OK
			   : w_fail_nomem(err, STAGE);
	writ_status status = open_for_programs(fence, place, err);
	if (status != WRIT_OK) {
		w_place_done(place);
		return status;
	}
	return w_places_add(&confine->closed, place) ? WRIT_OK
						     : w_fail_nomem(err, STAGE);
}

static writ_status
close_dir(
    struct w_fence *fence, const char *path, bool is_home, writ_error *err)
{
	const struct w_confine *confine = fence->work->confine;
	const struct w_place_query query = {.what = "execute",
	    .link = W_PLACE_LINK_FOLLOW,
	    .is_optional = true};
	struct w_place place;
	bool is_found = false;

	writ_status status = w_place_find(path, &query, &place, &is_found, err);
	if (status != WRIT_OK || !is_found)
		return status;
	if (!place.is_dir ||
	    w_places_over(&confine->hidden, place.path) != NULL ||
	    w_places_over(&confine->grants, place.path) == NULL ||
	    w_places_over(&confine->closed, place.path) != NULL ||
	    w_place_covers(place.path, fence->work->context->cwd)) {
		w_place_done(&place);
		return WRIT_OK;
	}
	return close_place(fence, &place, is_home, err);
}

static writ_status
close_dirs(struct w_fence *fence, writ_error *err)
{
	const char *home = fence->work->base.home;
	writ_status status = WRIT_OK;
	char path[PATH_MAX];

	for (size_t i = 0;
	     status == WRIT_OK && i < sizeof(of_system) / sizeof(of_system[0]);
	     i++)
		status = close_dir(fence, of_system[i], false, err);
	for (size_t i = 0;
	     status == WRIT_OK && i < sizeof(of_home) / sizeof(of_home[0]);
	     i++) {
		const int len =
		    snprintf(path, sizeof(path), "%s/%s", home, of_home[i]);

		if (len > 0 && (size_t)len < sizeof(path) &&
		    strcmp(home, "/") != 0)
			status = close_dir(fence, path, true, err);
	}
	return status;
}

/* Another directory of programs, by the name that such have: one mount and one
 * rule more, in place of a mount for each program. */
static writ_status
close_around(
    struct w_fence *fence, const struct w_place *program, writ_error *err)
{
	const char *slash = strrchr(program->path, '/');
	W_AUTO_FREE char *dir =
	    strndup(program->path, (size_t)(slash - program->path));

	if (dir == NULL)
		return w_fail_nomem(err, STAGE);
	const char *name = strrchr(dir, '/');
	if (program->is_dir || name == NULL ||
	    (fnmatch("*bin", name + 1, 0) != 0 &&
		strcmp(name + 1, "shims") != 0) ||
	    w_confine_is_writable(fence->work->confine, dir))
		return WRIT_OK;
	return close_dir(fence, dir, false, err);
}

static writ_status
close_others(struct w_fence *fence, writ_error *err)
{
	writ_status status = WRIT_OK;

	for (size_t i = 0; status == WRIT_OK && i < fence->programs.count; i++)
		status = close_around(fence, &fence->programs.items[i], err);
	return status;
}

writ_status
w_fence_close(struct w_fence *fence, writ_error *err)
{
	writ_status status = close_dirs(fence, err);

	return status == WRIT_OK ? close_others(fence, err) : status;
}
