/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Resolves a profile to definite paths.
 *
 * Afterwards these hold, and the walls rely on them:
 *
 * 1. No grant and no guarded path lies in a hidden path.
 * 2. A grant has all rights of the grants around it, except writing inside a
 *    guarded path, and except those of grants beyond a closed path.
 * 3. Every hidden path lies in a grant, every guarded one in a writable grant.
 */

#include "sandbox/profile/resolved_profile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "os/resolve.h"
#include "sandbox/allowlist/program_allowlist.h"
#include "sandbox/profile/home_grants.h"
#include "sandbox/profile/profile_resolver.h"

#define STAGE "sandbox"

/* The canonical form of a path whose end may not exist; NULL: no memory. */
static char *
resolved_profile_canonical(const char *path)
{
	W_AUTO_FREE char *head = strdup(path);
	W_AUTO_FREE char *real = NULL;
	char *settled;
	size_t cut = strlen(path);

	if (head == NULL)
		return NULL;
	for (;;) {
		real = w_resolve_real(cut > 0 ? head : "/");
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
check_guarded(const struct w_profile_resolver *resolver, writ_error *err)
{
	const struct w_real_paths *grants = &resolver->resolved->grants;

	for (size_t i = 0; i < grants->count; i++) {
		const struct w_real_path *grant = &grants->items[i];
		const struct w_real_path *guard = w_real_paths_covering(
		    &resolver->resolved->guarded, grant->path);

		if (guard == NULL || (grant->may & W_MAY_WRITE) == 0)
			continue;
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "write path '%s' is in '%s', which profile '%s' protects",
		    grant->path, guard->path, resolver->profile->name);
	}
	return WRIT_OK;
}

/* The entry around a path, among the first entries of a list. */
static const struct w_real_path *
entry_around(
    const struct w_real_paths *real_paths, size_t first, const char *path)
{
	const struct w_real_paths earlier = {
	    .items = real_paths->items, .count = first};

	return w_real_paths_covering(&earlier, path);
}

/* A grant with the same rights as the one around it is kept: the sandbox has
 * some directories of its own, such as /tmp, and shows only the grants in
 * them. */
static void
merge_grants(struct w_resolved_profile *resolved)
{
	struct w_real_paths *grants = &resolved->grants;

	for (size_t i = 0; i < grants->count; i++) {
		struct w_real_path *real_path = &grants->items[i];
		const struct w_real_path *around =
		    entry_around(grants, i, real_path->path);
		const struct w_real_path *closed =
		    w_real_paths_covering(&resolved->closed, real_path->path);
		unsigned given = around != NULL ? around->may : 0;

		/* What may be written in the layer is not the machine's. */
		if (around != NULL && around->is_layer != real_path->is_layer)
			given &= ~(unsigned)W_MAY_WRITE;

		/* A closed path between the two takes no rights from above. */
		if (around != NULL && closed != NULL &&
		    !w_real_path_covers(closed->path, around->path))
			given = 0;
		if (w_real_paths_covering(
			&resolved->guarded, real_path->path) != NULL)
			given &= ~(unsigned)W_MAY_WRITE;
		real_path->may |= given;
	}
}

/* Drops what is hidden twice and what no grant shows anyway. */
static void
prune_hidden(struct w_resolved_profile *resolved)
{
	struct w_real_paths *hidden = &resolved->hidden;
	size_t kept = 0;

	for (size_t i = 0; i < hidden->count; i++) {
		struct w_real_path *real_path = &hidden->items[i];
		bool is_hidden = entry_around(hidden, kept, real_path->path);

		if (is_hidden || w_real_paths_covering(&resolved->grants,
				     real_path->path) == NULL)
			w_real_path_done(real_path);
		else
			hidden->items[kept++] = *real_path;
	}
	hidden->count = kept;
}

static writ_status
check_cwd(const struct w_profile_resolver *resolver, writ_error *err)
{
	const char *cwd = resolver->context->cwd;
	const struct w_real_path *hidden =
	    w_real_paths_covering(&resolver->resolved->hidden, cwd);

	if (hidden != NULL)
		return w_profile_refuse_hidden(
		    resolver, "cwd", cwd, hidden->path, err);
	if (w_real_paths_covering(&resolver->resolved->grants, cwd) != NULL)
		return WRIT_OK;
	return w_fail(err, WRIT_E_INVALID, STAGE, 0,
	    "the working directory '%s' cannot be read in profile '%s'", cwd,
	    resolver->profile->name);
}

static bool
has_paths(const char *const *paths)
{
	return paths != NULL && paths[0] != NULL;
}

/* What the walls of this profile cannot do is an error, not ignored. */
static writ_status
resolved_profile_check_walls(
    const struct w_profile_resolver *resolver, writ_error *err)
{
	const struct w_profile *profile = resolver->profile;
	const struct w_profile_context *context = resolver->context;
	bool has_walls = w_walls_hold(profile->walls);
	bool writes = has_paths(context->write) || profile->write.count > 0;
	writ_status status = WRIT_OK;

	if (!has_walls &&
	    (writes || has_paths(context->read) || has_paths(context->hide) ||
		resolver->resolved->network != W_NETWORK_HOST)) {
		status = w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "profile '%s' has no sandbox: paths and network cannot be "
		    "set",
		    profile->name);
		w_suggest(err, "use 'readonly', 'workspace' or 'strict'");
	} else if (writes && profile->walls == W_WALLS_READONLY) {
		status = w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "profile '%s' cannot have writable paths", profile->name);
		w_suggest(err, "use 'workspace' or 'strict'");
	} else if (profile->walls == W_WALLS_CONTAINER &&
		   w_network_has_loopback(resolver->resolved->network)) {
		status = w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "profile '%s' has no loopback of its own: its network is "
		    "off or host",
		    profile->name);
		w_suggest(err, "use 'workspace' where it can be built");
	}
	return status;
}

/* Only what is guarded gets a link in its place. */
static writ_status
set_settings(const struct w_profile_resolver *resolver, writ_error *err)
{
	const struct w_restriction *restriction =
	    resolver->context->restriction;
	struct w_resolved_profile *resolved = resolver->resolved;

	if (restriction == NULL || restriction->settings == NULL ||
	    restriction->settings_copy == NULL)
		return WRIT_OK;
	const struct w_real_path *guard =
	    w_real_paths_covering(&resolved->guarded, restriction->settings);
	if (guard == NULL || guard->is_dir ||
	    strcmp(guard->path, restriction->settings) != 0)
		return WRIT_OK;
	resolved->settings = strdup(restriction->settings);
	resolved->settings_copy = strdup(restriction->settings_copy);
	return resolved->settings != NULL && resolved->settings_copy != NULL
		   ? WRIT_OK
		   : w_fail_nomem(err, STAGE);
}

static writ_status
resolve_all(struct w_profile_resolver *resolver, writ_error *err)
{
	const struct w_restriction *restriction =
	    resolver->context->restriction;
	writ_status status = resolved_profile_check_walls(resolver, err);

	if (status != WRIT_OK || !w_walls_hold(resolver->profile->walls))
		return status;
	status = w_profile_collect_hidden(resolver, err);
	if (status == WRIT_OK)
		status = w_profile_collect_grants(resolver, err);
	if (status == WRIT_OK)
		status = w_profile_restrict_write(resolver, err);
	if (status == WRIT_OK)
		status = w_profile_collect_guarded(resolver, err);
	if (status == WRIT_OK)
		status = w_profile_open_worktrees(resolver, err);
	if (status == WRIT_OK && w_profile_is_restricted(resolver))
		w_profile_restrict_guarded(resolver);
	if (status == WRIT_OK)
		status = check_guarded(resolver, err);
	if (status == WRIT_OK)
		status = check_cwd(resolver, err);
	if (status == WRIT_OK && restriction != NULL &&
	    restriction->has_execute)
		status = w_allowlist_build(resolver, err);
	if (status == WRIT_OK)
		status = w_profile_lay_home(resolver, err);
	if (status != WRIT_OK)
		return status;
	merge_grants(resolver->resolved);
	prune_hidden(resolver->resolved);
	status = set_settings(resolver, err);
	if (status == WRIT_OK)
		status = w_profile_collect_sockets(resolver, err);
	w_profile_identify_home(resolver, &resolver->resolved->hidden);
	w_profile_identify_home(resolver, &resolver->resolved->guarded);
	w_profile_identify_home(resolver, &resolver->resolved->sockets);
	return status;
}

/* Spilled outputs are hidden like the rest of the state, unless the command
 * works in that directory. */
static bool
set_spill_dir(struct w_profile_resolver *resolver)
{
	if (resolver->context->spill_dir == NULL)
		return true;
	resolver->spill_dir =
	    resolved_profile_canonical(resolver->context->spill_dir);
	if (resolver->spill_dir == NULL)
		return false;
	if (w_real_path_covers(resolver->spill_dir, resolver->base.cwd) ||
	    (resolver->state_dir != NULL &&
		w_real_path_covers(resolver->state_dir, resolver->spill_dir))) {
		free(resolver->spill_dir);
		resolver->spill_dir = NULL;
	}
	return true;
}

static bool
resolved_profile_prepare(struct w_profile_resolver *resolver)
{
	const struct w_profile_context *context = resolver->context;
	struct w_resolved_profile *resolved = resolver->resolved;

	resolved->profile = strdup(resolver->profile->name);
	resolved->home = strdup(resolver->base.home);
	resolver->home = resolved_profile_canonical(resolver->base.home);
	if (context->state_dir != NULL)
		resolver->state_dir =
		    resolved_profile_canonical(context->state_dir);
	if (resolver->home != NULL)
		resolved->real_home = strdup(resolver->home);
	return resolved->profile != NULL && resolved->home != NULL &&
	       resolved->real_home != NULL &&
	       (context->state_dir == NULL || resolver->state_dir != NULL) &&
	       set_spill_dir(resolver);
}

/* The lower of two limits; 0: none. */
static uint64_t
resolved_profile_lower(uint64_t a, uint64_t b)
{
	if (a == 0 || b == 0)
		return a + b;
	return a < b ? a : b;
}

writ_status
w_profile_resolve(const struct w_profile *profile,
    const struct w_profile_context *context,
    struct w_resolved_profile *out_resolved, writ_error *err)
{
	const char *home = context->home;
	struct w_resolved_profile resolved = {
	    .walls = profile->walls,
	    .network =
		context->has_network ? context->network : profile->network,
	    .tmp_size = resolved_profile_lower(
		context->tmp_size, profile->limits.tmp_size),
	    .is_root = geteuid() == 0,
	};
	struct w_profile_resolver resolver = {
	    .profile = profile,
	    .context = context,
	    .resolved = &resolved,
	    .base.cwd = context->cwd,
	    .base.home = home != NULL && home[0] == '/' ? home : "/",
	    .cache.index = context->name_index,
	};
	writ_status status = WRIT_OK;

	if (!resolved_profile_prepare(&resolver))
		status = w_fail_nomem(err, STAGE);
	if (status == WRIT_OK)
		status = resolve_all(&resolver, err);
	free(resolver.home);
	free(resolver.state_dir);
	free(resolver.spill_dir);
	w_real_paths_done(&resolver.roots);
	w_existence_cache_done(&resolver.cache);
	if (status != WRIT_OK)
		w_resolved_profile_done(&resolved);
	else
		*out_resolved = resolved;
	return status;
}

bool
w_resolved_profile_allows(
    const struct w_resolved_profile *resolved, const char *path, unsigned may)
{
	if (!w_walls_hold(resolved->walls))
		return true;
	if (w_real_paths_covering(&resolved->hidden, path) != NULL)
		return false;
	if ((may & W_MAY_WRITE) != 0 &&
	    w_real_paths_covering(&resolved->guarded, path) != NULL)
		return false;
	const struct w_real_path *grant =
	    w_real_paths_covering(&resolved->grants, path);
	const struct w_real_path *closed =
	    w_real_paths_covering(&resolved->closed, path);
	if (grant == NULL || (grant->may & may) != may)
		return false;
	return closed == NULL || strlen(closed->path) < strlen(grant->path);
}

void
w_resolved_profile_done(struct w_resolved_profile *resolved)
{
	free(resolved->profile);
	free(resolved->home);
	free(resolved->real_home);
	w_real_paths_done(&resolved->grants);
	w_real_paths_done(&resolved->hidden);
	w_real_paths_done(&resolved->guarded);
	w_real_paths_done(&resolved->sockets);
	w_real_paths_done(&resolved->closed);
	w_words_done(&resolved->absent);
	free(resolved->settings);
	free(resolved->settings_copy);
	*resolved = (struct w_resolved_profile){0};
}
