/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Keeping other programs from being read.
 *
 * Directories of programs are closed. Libraries have to be open; the programs
 * that lie among them, in a directory of theirs or one below it, are hidden
 * one by one. Deeper down nobody looks: that would take as long as reading
 * the whole tree.
 */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "sandbox/executable.h"
#include "sandbox/fence.h"

#define STAGE "sandbox"

enum {
	DEPTH = 3, /* of directories, the first included */
	HIDDEN_MAX = 1024
};

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
	    w_places_over(&confine->closed, place.path) != NULL) {
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

/* By its name: no library, and none of what has an ending in small letters
 * (.a, .pc, .cmake), which programs do not. */
static bool
may_be_program(const char *name)
{
	static const char *const endings[] = {"bin", "elf", "exe", "out"};
	const char *dot = strrchr(name, '.');

	if (strstr(name, ".so") != NULL)
		return false;
	if (dot == NULL || dot[1] == '\0' ||
	    strspn(dot + 1, "abcdefghijklmnopqrstuvwxyz") != strlen(dot + 1))
		return true;
	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
		if (strcmp(dot + 1, endings[i]) == 0)
			return true;
	}
	return false;
}

/* A script is no code to a loader. */
static bool
is_program(int dir_fd, const char *name, struct stat *out_found)
{
	struct w_executable look;

	if (fstatat(dir_fd, name, out_found, AT_SYMLINK_NOFOLLOW) < 0 ||
	    !S_ISREG(out_found->st_mode) || (out_found->st_mode & 0111) == 0)
		return false;
	W_AUTO_FD int fd = openat(
	    dir_fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return false;
	w_executable_look(fd, &look);
	return look.is_elf;
}

/* Where the search is. */
struct search {
	struct w_fence *fence;
	size_t budget; /* of programs to hide */
	unsigned depth;
};

static writ_status
hide_program(struct search *search, const char *path, const struct stat *found,
    writ_error *err)
{
	struct w_places *hidden = &search->fence->work->confine->hidden;
	struct w_place place = {
	    .path = strdup(path),
	    .dev = found->st_dev,
	    .ino = found->st_ino,
	};

	if (place.path == NULL || !w_places_add(hidden, &place))
		return w_fail_nomem(err, STAGE);
	if (search->budget-- == 0)
		return w_fail(err, WRIT_E_SANDBOX, STAGE, 0,
		    "more than %d programs lie among libraries, at '%s'",
		    HIDDEN_MAX, path);
	return WRIT_OK;
}

/* As deep as DEPTH. */
static writ_status look_through(
    struct search *search, const char *path, writ_error *err);

static writ_status
look_at(struct search *search, const char *dir, int dir_fd,
    const struct dirent *entry, writ_error *err)
{
	const bool is_dir = entry->d_type == DT_DIR;
	W_AUTO_FREE char *path = NULL;
	struct stat found;

	if (entry->d_name[0] == '.' || (is_dir && search->depth == DEPTH))
		return WRIT_OK;
	if (!is_dir &&
	    ((entry->d_type != DT_REG && entry->d_type != DT_UNKNOWN) ||
		!may_be_program(entry->d_name) ||
		!is_program(dir_fd, entry->d_name, &found)))
		return WRIT_OK;
	if (asprintf(&path, "%s/%s", dir, entry->d_name) < 0) {
		path = NULL;
		return w_fail_nomem(err, STAGE);
	}
	if (w_places_over(&search->fence->programs, path) != NULL)
		return WRIT_OK;
	return is_dir ? look_through(search, path, err)
		      : hide_program(search, path, &found, err);
}

static writ_status
look_through(struct search *search, const char *path, writ_error *err)
{
	const struct w_fence *fence = search->fence;
	writ_status status = WRIT_OK;
	const struct dirent *entry;

	if (w_places_over(&fence->areas, path) != NULL ||
	    w_places_over(&fence->work->confine->hidden, path) != NULL)
		return WRIT_OK;
	DIR *dir = opendir(path);
	if (dir == NULL)
		return errno == ENOMEM ? w_fail_nomem(err, STAGE) : WRIT_OK;
	search->depth++;
	while (status == WRIT_OK && (entry = readdir(dir)) != NULL)
		status = look_at(search, path, dirfd(dir), entry, err);
	search->depth--;
	(void)closedir(dir);
	return status;
}

writ_status
w_fence_close(struct w_fence *fence, writ_error *err)
{
	struct search search = {.fence = fence, .budget = HIDDEN_MAX};

	w_places_sort(&fence->programs);
	w_places_sort(&fence->areas);
	writ_status status = close_dirs(fence, err);
	for (size_t i = 0; status == WRIT_OK && i < fence->searched.count; i++)
		status =
		    look_through(&search, fence->searched.items[i].path, err);
	return status;
}
