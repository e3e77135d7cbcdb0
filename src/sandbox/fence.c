/* SPDX-License-Identifier: Apache-2.0 */

/* From a list of programs to all that they take to start; see fence.h. */

#include "sandbox/fence.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/auto.h"
#include "sandbox/executable.h"

#define STAGE "sandbox"

/* Where env(1) finds what a script's first line asks it for. */
static const char *const search_path[] = {"/usr/local/sbin", "/usr/local/bin",
    "/usr/sbin", "/usr/bin", "/sbin", "/bin"};

bool
w_fence_is_wanted(const struct w_confine_work *work)
{
	const struct w_narrow *narrow = work->context->narrow;

	return narrow != NULL && narrow->has_execute &&
	       work->profile->walls >= W_WALLS_READONLY;
}

/* All that the grants around a path give; they are not yet merged. */
static unsigned
rights_at(const struct w_confine *confine, const char *path)
{
	unsigned may = 0;

	if (w_places_over(&confine->hidden, path) != NULL)
		return 0;
	for (size_t i = 0; i < confine->grants.count; i++) {
		if (w_place_covers(confine->grants.items[i].path, path))
			may |= confine->grants.items[i].may;
	}
	return may;
}

static bool
has_place(const struct w_places *places, const char *path)
{
	for (size_t i = 0; i < places->count; i++) {
		if (strcmp(places->items[i].path, path) == 0)
			return true;
	}
	return false;
}

/* What is not there, or is no file or directory, is left out. */
static writ_status
find(const char *path, struct w_place *out_place, bool *out_found,
    writ_error *err)
{
	const struct w_place_query query = {.what = "execute",
	    .link = W_PLACE_LINK_FOLLOW,
	    .is_optional = true};
	writ_error unseen;

	*out_found = false;
	writ_status status =
	    w_place_find(path, &query, out_place, out_found, &unseen);
	if (status == WRIT_E_NOMEM)
		return w_fail_nomem(err, STAGE);
	return WRIT_OK;
}

writ_status
w_fence_add_program(struct w_fence *fence, const char *path, writ_error *err)
{
	const unsigned needed = W_MAY_READ | W_MAY_EXECUTE;
	struct w_place place;
	bool is_found;

	if (path[0] != '/')
		return WRIT_OK;
	writ_status status = find(path, &place, &is_found, err);
	if (status != WRIT_OK || !is_found)
		return status;
	if (has_place(&fence->programs, place.path) ||
	    (rights_at(fence->work->confine, place.path) & needed) != needed) {
		w_place_done(&place);
		return WRIT_OK;
	}
	if (fence->programs.count == W_FENCE_PROGRAMS_MAX) {
		status = w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "more than %d programs may be executed, at '%s'",
		    W_FENCE_PROGRAMS_MAX, place.path);
		w_place_done(&place);
		return status;
	}
	place.may = needed | W_MAY_MAP;
	return w_places_add(&fence->programs, &place)
		   ? WRIT_OK
		   : w_fail_nomem(err, STAGE);
}

/* Nothing that can be written to is code. */
writ_status
w_fence_add_area(
    struct w_fence *fence, const char *path, bool is_searched, writ_error *err)
{
	const struct w_confine *confine = fence->work->confine;
	struct w_places *list = is_searched ? &fence->searched : &fence->areas;
	struct w_place place;
	bool is_found;

	writ_status status = find(path, &place, &is_found, err);
	if (status != WRIT_OK || !is_found)
		return status;
	if (!place.is_dir || has_place(list, place.path) ||
	    (rights_at(confine, place.path) & W_MAY_READ) == 0 ||
	    w_confine_is_writable(confine, place.path)) {
		w_place_done(&place);
		return WRIT_OK;
	}
	place.may = W_MAY_READ | W_MAY_MAP;
	return w_places_add(list, &place) ? WRIT_OK : w_fail_nomem(err, STAGE);
}

/* The directory that a path lies in; yours. */
static char *
parent_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash == NULL || slash == path
		   ? strdup("/")
		   : strndup(path, (size_t)(slash - path));
}

/* Libraries lie beside the loader that looks for them; where /usr is not all
 * of the system, beneath it too. */
static writ_status
add_libraries(struct w_fence *fence, const char *loader, writ_error *err)
{
	W_AUTO_FREE char *real = realpath(loader, NULL);
	W_AUTO_FREE char *dir = real == NULL ? NULL : parent_of(real);
	W_AUTO_FREE char *twin = NULL;

	if (real == NULL)
		return errno == ENOMEM ? w_fail_nomem(err, STAGE) : WRIT_OK;
	if (dir == NULL || asprintf(&twin, "/usr%s", dir) < 0) {
		twin = NULL;
		return w_fail_nomem(err, STAGE);
	}
	writ_status status = w_fence_add_area(fence, dir, true, err);
	if (status == WRIT_OK && strncmp(dir, "/usr/", 5) != 0)
		status = w_fence_add_area(fence, twin, true, err);
	if (status == WRIT_OK)
		status = w_fence_add_area(fence, "/usr/local/lib", true, err);
	return status;
}

static writ_status
add_by_name(struct w_fence *fence, const char *name, writ_error *err)
{
	writ_status status = WRIT_OK;
	const size_t count = sizeof(search_path) / sizeof(search_path[0]);
	char path[512];

	if (name[0] == '/')
		return w_fence_add_program(fence, name, err);
	/* An option or an assignment: who knows what env does then. */
	if (name[0] == '\0' || strpbrk(name, "-=/") == name ||
	    strchr(name, '=') != NULL || strchr(name, '/') != NULL)
		return WRIT_OK;
	for (size_t i = 0; status == WRIT_OK && i < count; i++) {
		(void)snprintf(
		    path, sizeof(path), "%s/%s", search_path[i], name);
		status = w_fence_add_program(fence, path, err);
	}
	return status;
}

static bool
is_env(const char *interpreter)
{
	const char *slash = strrchr(interpreter, '/');

	return slash != NULL && strcmp(slash + 1, "env") == 0;
}

/* What the kernel will open besides the file. */
static writ_status
add_needs(struct w_fence *fence, const char *path, writ_error *err)
{
	struct w_executable found;
	W_AUTO_FD int fd =
	    open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0)
		return WRIT_OK;
	w_executable_look(fd, &found);
	if (found.interpreter[0] == '\0')
		return WRIT_OK;
	writ_status status = w_fence_add_program(fence, found.interpreter, err);
	if (status == WRIT_OK && found.is_elf)
		status = add_libraries(fence, found.interpreter, err);
	if (status == WRIT_OK && found.is_script && is_env(found.interpreter))
		status = add_by_name(fence, found.argument, err);
	return status;
}

static writ_status
collect(struct w_fence *fence, writ_error *err)
{
	const struct w_narrow *narrow = fence->work->context->narrow;
	const char *const *at = narrow->execute;
	writ_status status = WRIT_OK;

	for (; status == WRIT_OK && at != NULL && *at != NULL; at++)
		status = w_fence_add_program(fence, *at, err);
	/* The list grows meanwhile. */
	for (size_t i = 0; status == WRIT_OK && i < fence->programs.count;
	     i++) {
		const char *path = fence->programs.items[i].path;

		if (fence->programs.items[i].is_dir)
			continue;
		W_AUTO_FREE char *copy = strdup(path);
		if (copy == NULL)
			return w_fail_nomem(err, STAGE);
		status = add_needs(fence, copy, err);
		if (status == WRIT_OK)
			status = w_fence_add_kin(fence, copy, err);
	}
	at = narrow->helpers;
	for (; status == WRIT_OK && at != NULL && *at != NULL; at++)
		status = w_fence_add_program(fence, *at, err);
	return status;
}

/* A listed program that the command could write to would be whatever it
 * writes. */
static writ_status
guard(struct w_confine *confine, const struct w_place *program, writ_error *err)
{
	struct w_place guarded = *program;

	if (!w_confine_is_writable(confine, program->path))
		return WRIT_OK;
	guarded.may = 0;
	guarded.path = strdup(program->path);
	if (guarded.path == NULL || !w_places_add(&confine->guarded, &guarded))
		return w_fail_nomem(err, STAGE);
	return WRIT_OK;
}

/* A second name in a writable place would be a way to write to the file. */
static bool
is_elsewhere_too(const struct w_confine *confine, const struct w_place *place)
{
	struct stat found;

	return !place->is_dir && w_confine_is_writable(confine, place->path) &&
	       (lstat(place->path, &found) < 0 || found.st_nlink > 1);
}

static writ_status
move_all(struct w_places *from, struct w_confine *confine, writ_error *err)
{
	for (size_t i = 0; i < from->count; i++) {
		if (is_elsewhere_too(confine, &from->items[i]))
			continue;
		writ_status status = guard(confine, &from->items[i], err);

		if (status != WRIT_OK)
			return status;
		if (!w_places_add(&confine->grants, &from->items[i]))
			return w_fail_nomem(err, STAGE);
	}
	return WRIT_OK;
}

static writ_status
apply(struct w_fence *fence, writ_error *err)
{
	struct w_confine *confine = fence->work->confine;

	for (size_t i = 0; i < confine->grants.count; i++) {
		struct w_place *grant = &confine->grants.items[i];

		grant->may &= ~(unsigned)W_MAY_EXECUTE;
	}
	writ_status status = move_all(&fence->programs, confine, err);
	if (status == WRIT_OK)
		status = move_all(&fence->areas, confine, err);
	if (status == WRIT_OK)
		status = move_all(&fence->searched, confine, err);
	w_places_sort(&confine->grants);
	w_places_sort(&confine->guarded);
	w_places_sort(&confine->hidden);
	w_places_sort(&confine->closed);
	confine->is_fenced = true;
	return status;
}

writ_status
w_fence_build(struct w_confine_work *work, writ_error *err)
{
	struct w_fence fence = {.work = work};

	writ_status status = collect(&fence, err);
	w_places_sort(&fence.programs);
	w_places_sort(&fence.areas);
	if (status == WRIT_OK)
		status = w_fence_close(&fence, err);
	if (status == WRIT_OK)
		status = w_fence_search(&fence, err);
	if (status == WRIT_OK)
		status = apply(&fence, err);
	w_places_done(&fence.programs);
	w_places_done(&fence.areas);
	w_places_done(&fence.searched);
	return status;
}
