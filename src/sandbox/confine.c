/* SPDX-License-Identifier: Apache-2.0 */

/*
 * From a profile to definite places.
 *
 * Holds afterwards, and the walls are built on it:
 * 1. No grant and no guarded place lies in a hidden place.
 * 2. A grant has all rights of the grants around it, except writing inside a
 *    guarded place, and except those of grants beyond a closed place.
 * 3. Every hidden place lies in a grant, every guarded one in a writable one.
 */

#include "sandbox/confine.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "sandbox/confine_collect.h"
#include "sandbox/fence.h"

#define STAGE "sandbox"

/* The canonical form of a path of which the end may not exist; NULL: no
 * memory. */
static char *
settle(const char *path)
{
	W_AUTO_FREE char *head = strdup(path);
	W_AUTO_FREE char *real = NULL;
	char *settled;
	size_t cut = strlen(path);

	if (head == NULL)
		return NULL;
	for (;;) {
		real = realpath(cut > 0 ? head : "/", NULL);
		if (real != NULL || cut == 0 || errno == ENOMEM)
			break;
		while (cut > 0 && head[--cut] != '/')
			;
		head[cut] = '\0';
	}
	if (real == NULL)
		return NULL;
	const char *tail = path + cut;
	if (strcmp(real, "/") == 0 && tail[0] == '/')
		tail++;
	return asprintf(&settled, "%s%s", real, tail) < 0 ? NULL : settled;
}

static writ_status
check_guarded(const struct w_confine_work *work, writ_error *err)
{
	const struct w_places *grants = &work->confine->grants;

	for (size_t i = 0; i < grants->count; i++) {
		const struct w_place *grant = &grants->items[i];
		const struct w_place *guard =
		    w_places_over(&work->confine->guarded, grant->path);

		if (guard == NULL || (grant->may & W_MAY_WRITE) == 0)
			continue;
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "write path '%s' lies in '%s', which profile '%s' "
		    "protects",
		    grant->path, guard->path, work->profile->name);
	}
	return WRIT_OK;
}

/* The place around a path, among the first of a list. */
static const struct w_place *
place_around(const struct w_places *places, size_t first, const char *path)
{
	const struct w_places earlier = {
	    .items = places->items, .count = first};

	return w_places_over(&earlier, path);
}

/* Whether a closed place lies between a grant and the one around it. */
static bool
is_closed(const struct w_confine *confine, const struct w_place *place,
    const struct w_place *around)
{
	const struct w_place *closed =
	    w_places_over(&confine->closed, place->path);

	return closed != NULL && !w_place_covers(closed->path, around->path);
}

/* What repeats the rights of the grant around it stays: the sandbox has some
 * directories to itself, /tmp for one, and shows only the grants in them. */
static void
merge_grants(struct w_confine *confine)
{
	struct w_places *grants = &confine->grants;

	for (size_t i = 0; i < grants->count; i++) {
		struct w_place *place = &grants->items[i];
		const struct w_place *around =
		    place_around(grants, i, place->path);
		unsigned given = around != NULL ? around->may : 0;

		if (around != NULL && is_closed(confine, place, around))
			given = 0;
		if (w_places_over(&confine->guarded, place->path) != NULL)
			given &= ~(unsigned)W_MAY_WRITE;
		place->may |= given;
	}
}

/* Leaves out what is hidden twice, and what no grant shows anyway. */
static void
prune_hidden(struct w_confine *confine)
{
	struct w_places *hidden = &confine->hidden;
	size_t kept = 0;

	for (size_t i = 0; i < hidden->count; i++) {
		struct w_place *place = &hidden->items[i];
		bool is_hidden = place_around(hidden, kept, place->path);

		if (is_hidden ||
		    w_places_over(&confine->grants, place->path) == NULL)
			w_place_done(place);
		else
			hidden->items[kept++] = *place;
	}
	hidden->count = kept;
}

static writ_status
check_cwd(const struct w_confine_work *work, writ_error *err)
{
	const char *cwd = work->context->cwd;
	const struct w_place *hidden =
	    w_places_over(&work->confine->hidden, cwd);

	if (hidden != NULL)
		return w_confine_refuse_hidden(
		    work, "cwd", cwd, hidden->path, err);
	if (w_places_over(&work->confine->grants, cwd) != NULL)
		return WRIT_OK;
	return w_fail(err, WRIT_E_INVALID, STAGE, 0,
	    "the working directory '%s' cannot be read in profile '%s'", cwd,
	    work->profile->name);
}

static bool
has_paths(const char *const *paths)
{
	return paths != NULL && paths[0] != NULL;
}

/* What the walls of this profile cannot do is refused, not ignored. */
static writ_status
check_walls(const struct w_confine_work *work, writ_error *err)
{
	const struct w_profile *profile = work->profile;
	const struct w_confine_context *context = work->context;
	bool has_walls = profile->walls >= W_WALLS_READONLY;
	bool writes = has_paths(context->write) || profile->write.count > 0;
	writ_status status = WRIT_OK;

	if (!has_walls &&
	    (writes || has_paths(context->read) || has_paths(context->hide) ||
		work->confine->network != W_NETWORK_HOST)) {
		status = w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "profile '%s' has no walls: paths and network cannot be "
		    "set",
		    profile->name);
		w_suggest(err, "use 'readonly', 'workspace' or 'strict'");
	} else if (writes && profile->walls == W_WALLS_READONLY) {
		status = w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "profile '%s' cannot have writable paths", profile->name);
		w_suggest(err, "use 'workspace' or 'strict'");
	}
	return status;
}

static writ_status
resolve_all(struct w_confine_work *work, writ_error *err)
{
	writ_status status = check_walls(work, err);

	if (status != WRIT_OK || work->profile->walls < W_WALLS_READONLY)
		return status;
	status = w_confine_collect_hidden(work, err);
	if (status == WRIT_OK)
		status = w_confine_collect_grants(work, err);
	if (status == WRIT_OK)
		status = w_confine_narrow_write(work, err);
	if (status == WRIT_OK)
		status = w_confine_collect_guarded(work, err);
	if (status == WRIT_OK && w_confine_is_narrowed(work))
		w_confine_narrow_guarded(work);
	if (status == WRIT_OK)
		status = check_guarded(work, err);
	if (status == WRIT_OK)
		status = check_cwd(work, err);
	if (status == WRIT_OK && w_fence_is_wanted(work))
		status = w_fence_build(work, err);
	if (status != WRIT_OK)
		return status;
	merge_grants(work->confine);
	prune_hidden(work->confine);
	return w_confine_collect_sockets(work, err);
}

/* Outputs that are spilled are no more for the command than the rest of the
 * state; but a directory that it works in cannot be hidden from it. */
static bool
settle_spill(struct w_confine_work *work)
{
	if (work->context->spill_dir == NULL)
		return true;
	work->spill_dir = settle(work->context->spill_dir);
	if (work->spill_dir == NULL)
		return false;
	if (w_place_covers(work->spill_dir, work->base.cwd) ||
	    (work->state_dir != NULL &&
		w_place_covers(work->state_dir, work->spill_dir))) {
		free(work->spill_dir);
		work->spill_dir = NULL;
	}
	return true;
}

static bool
prepare(struct w_confine_work *work)
{
	const struct w_confine_context *context = work->context;
	struct w_confine *confine = work->confine;

	confine->profile = strdup(work->profile->name);
	confine->home = strdup(work->base.home);
	work->home = settle(work->base.home);
	if (context->state_dir != NULL)
		work->state_dir = settle(context->state_dir);
	return confine->profile != NULL && confine->home != NULL &&
	       work->home != NULL &&
	       (context->state_dir == NULL || work->state_dir != NULL) &&
	       settle_spill(work);
}

/* Of two limits, where 0 is none. */
static uint64_t
lower(uint64_t a, uint64_t b)
{
	if (a == 0 || b == 0)
		return a + b;
	return a < b ? a : b;
}

writ_status
w_confine_resolve(const struct w_profile *profile,
    const struct w_confine_context *context, struct w_confine *out_confine,
    writ_error *err)
{
	const char *home = context->home;
	struct w_confine confine = {
	    .walls = profile->walls,
	    .network =
		context->has_network ? context->network : profile->network,
	    .tmp_size = lower(context->tmp_size, profile->limits.tmp_size),
	    .is_root = geteuid() == 0,
	};
	struct w_confine_work work = {
	    .profile = profile,
	    .context = context,
	    .confine = &confine,
	    .base.cwd = context->cwd,
	    .base.home = home != NULL && home[0] == '/' ? home : "/",
	};
	writ_status status = WRIT_OK;

	if (!prepare(&work))
		status = w_fail_nomem(err, STAGE);
	if (status == WRIT_OK)
		status = resolve_all(&work, err);
	free(work.home);
	free(work.state_dir);
	free(work.spill_dir);
	w_places_done(&work.roots);
	w_glance_done(&work.glance);
	if (status != WRIT_OK)
		w_confine_done(&confine);
	else
		*out_confine = confine;
	return status;
}

bool
w_confine_allows(
    const struct w_confine *confine, const char *path, unsigned may)
{
	if (confine->walls < W_WALLS_READONLY)
		return true;
	if (w_places_over(&confine->hidden, path) != NULL)
		return false;
	if ((may & W_MAY_WRITE) != 0 &&
	    w_places_over(&confine->guarded, path) != NULL)
		return false;
	const struct w_place *grant = w_places_over(&confine->grants, path);
	const struct w_place *closed = w_places_over(&confine->closed, path);
	if (grant == NULL || (grant->may & may) != may)
		return false;
	return closed == NULL || strlen(closed->path) < strlen(grant->path);
}

void
w_confine_done(struct w_confine *confine)
{
	free(confine->profile);
	free(confine->home);
	w_places_done(&confine->grants);
	w_places_done(&confine->hidden);
	w_places_done(&confine->guarded);
	w_places_done(&confine->sockets);
	w_places_done(&confine->closed);
	w_words_done(&confine->absent);
	*confine = (struct w_confine){0};
}
