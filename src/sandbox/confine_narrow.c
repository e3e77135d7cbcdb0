/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What a decision leaves of the writable places.
 *
 * The places that were writable before stay readable, and what is protected in
 * them stays protected: a narrowed place must not be a way around that. What
 * cannot be made writable is left out; the command then meets the wall.
 */

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "sandbox/confine_collect.h"

#define STAGE "sandbox"

bool
w_confine_is_narrowed(const struct w_confine_work *work)
{
	const struct w_narrow *narrow = work->context->narrow;

	return narrow != NULL && narrow->has_write &&
	       work->profile->walls > W_WALLS_READONLY;
}

bool
w_confine_is_writable(const struct w_confine *confine, const char *path)
{
	for (size_t i = 0; i < confine->grants.count; i++) {
		const struct w_place *grant = &confine->grants.items[i];

		if ((grant->may & W_MAY_WRITE) != 0 &&
		    w_place_covers(grant->path, path))
			return true;
	}
	return false;
}

/* Keeps in mind where protecting starts, and takes the right away. */
static bool
take_writes(struct w_confine_work *work)
{
	struct w_places *grants = &work->confine->grants;

	for (size_t i = 0; i < grants->count; i++) {
		struct w_place *grant = &grants->items[i];
		struct w_place root = *grant;

		if ((grant->may & W_MAY_WRITE) == 0)
			continue;
		grant->may &= ~(unsigned)W_MAY_WRITE;
		root.path = strdup(grant->path);
		if (root.path == NULL || !w_places_add(&work->roots, &root))
			return false;
	}
	return true;
}

/* What the sandbox has to itself is writable as far as it should be; named
 * here, it would be the machine's instead. */
static bool
is_own_place(const char *path)
{
	static const char *const whole[] = {"/dev", "/proc", "/sys"};
	static const char *const alone[] = {
	    "/run", "/tmp", "/var/run", "/var/tmp"};

	for (size_t i = 0; i < sizeof(whole) / sizeof(whole[0]); i++) {
		if (w_place_covers(whole[i], path))
			return true;
	}
	for (size_t i = 0; i < sizeof(alone) / sizeof(alone[0]); i++) {
		if (strcmp(alone[i], path) == 0)
			return true;
	}
	return false;
}

static bool
is_plain(const char *path)
{
	struct stat found;

	return lstat(path, &found) == 0 &&
	       (S_ISREG(found.st_mode) || S_ISDIR(found.st_mode));
}

static writ_status
find_write(const struct w_confine_work *work, const char *path,
    struct w_places *writes, writ_error *err)
{
	const struct w_place_query query = {
	    .what = "write", .link = W_PLACE_LINK_SKIP, .is_optional = true};
	struct w_place place;
	bool is_found = false;

	if (!is_plain(path) || is_own_place(path) ||
	    w_places_over(&work->confine->hidden, path) != NULL)
		return WRIT_OK;
	writ_status status = w_place_find(path, &query, &place, &is_found, err);
	if (status != WRIT_OK || !is_found)
		return status;
	const struct w_place *around =
	    w_places_over(&work->confine->grants, place.path);
	const unsigned run = around == NULL ? W_MAY_EXECUTE : around->may;
	place.may = W_MAY_READ | W_MAY_WRITE | (run & W_MAY_EXECUTE);
	return w_places_add(writes, &place) ? WRIT_OK
					    : w_fail_nomem(err, STAGE);
}

writ_status
w_confine_narrow_write(struct w_confine_work *work, writ_error *err)
{
	struct w_places *grants = &work->confine->grants;
	struct w_places writes = {.items = NULL};
	writ_status status = WRIT_OK;

	if (!w_confine_is_narrowed(work))
		return WRIT_OK;
	const char *const *paths = work->context->narrow->write;
	if (!take_writes(work))
		return w_fail_nomem(err, STAGE);
	for (; status == WRIT_OK && paths != NULL && *paths != NULL; paths++)
		status = find_write(work, *paths, &writes, err);
	for (size_t i = 0; status == WRIT_OK && i < writes.count; i++) {
		if (!w_places_add(grants, &writes.items[i]))
			status = w_fail_nomem(err, STAGE);
	}
	w_places_done(&writes);
	w_places_sort(grants);
	return status;
}

/* What is protected stays readable; what lies in nothing writable needs no
 * guard, and cannot come into being. */
void
w_confine_narrow_guarded(struct w_confine_work *work)
{
	struct w_confine *confine = work->confine;
	struct w_places *guarded = &confine->guarded;
	struct w_words *absent = &confine->absent;
	size_t kept = 0;

	for (size_t i = 0; i < confine->grants.count; i++) {
		struct w_place *grant = &confine->grants.items[i];

		if (w_places_over(guarded, grant->path) != NULL)
			grant->may &= ~(unsigned)W_MAY_WRITE;
	}
	for (size_t i = 0; i < guarded->count; i++) {
		if (w_confine_is_writable(confine, guarded->items[i].path))
			guarded->items[kept++] = guarded->items[i];
		else
			w_place_done(&guarded->items[i]);
	}
	guarded->count = kept;
	kept = 0;
	for (size_t i = 0; i < absent->count; i++) {
		if (w_confine_is_writable(confine, absent->items[i]))
			absent->items[kept++] = absent->items[i];
		else
			free(absent->items[i]);
	}
	absent->count = kept;
	if (absent->items != NULL)
		absent->items[kept] = NULL;
}
