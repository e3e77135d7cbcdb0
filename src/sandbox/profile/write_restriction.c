/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Restricts the writable paths to what a decision allows.
 *
 * Paths that were writable before stay readable, and what is protected in them
 * stays protected: a restricted path must not be a way around that. What cannot
 * be made writable is skipped; the command then fails at the wall.
 */

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "sandbox/profile/profile_resolver.h"

#define STAGE "sandbox"

bool
w_profile_is_restricted(const struct w_profile_resolver *resolver)
{
	const struct w_restriction *restriction =
	    resolver->context->restriction;

	return restriction != NULL && restriction->has_write &&
	       w_walls_can_write(resolver->profile->walls);
}

bool
w_resolved_profile_is_writable(
    const struct w_resolved_profile *resolved, const char *path)
{
	for (size_t i = 0; i < resolved->grants.count; i++) {
		const struct w_real_path *grant = &resolved->grants.items[i];

		if ((grant->may & W_MAY_WRITE) != 0 &&
		    w_real_path_covers(grant->path, path))
			return true;
	}
	return false;
}

/* Remembers the writable roots, for protecting, and removes their write
 * right. */
static bool
take_writes(struct w_profile_resolver *resolver)
{
	struct w_real_paths *grants = &resolver->resolved->grants;

	for (size_t i = 0; i < grants->count; i++) {
		struct w_real_path *grant = &grants->items[i];
		struct w_real_path root = *grant;

		if ((grant->may & W_MAY_WRITE) == 0)
			continue;
		grant->may &= ~(unsigned)W_MAY_WRITE;
		root.path = strdup(grant->path);
		if (root.path == NULL ||
		    !w_real_paths_add(&resolver->roots, &root))
			return false;
	}
	return true;
}

/* The command may work below the top of its project. */
static writ_status
add_roots(struct w_profile_resolver *resolver, writ_error *err)
{
	const struct w_real_path_query query = {.what = "write",
	    .link = W_REAL_PATH_LINK_SKIP,
	    .is_optional = true};
	const char *const *roots = resolver->context->restriction->roots;
	writ_status status = WRIT_OK;

	for (; status == WRIT_OK && roots != NULL && *roots != NULL; roots++) {
		struct w_real_path root;
		bool is_found = false;

		status =
		    w_real_path_find(*roots, &query, &root, &is_found, err);
		if (status != WRIT_OK || !is_found)
			continue;
		root.may = W_MAY_READ | W_MAY_EXECUTE;
		if (!w_real_paths_add(&resolver->roots, &root))
			return w_fail_nomem(err, STAGE);
	}
	w_real_paths_sort(&resolver->roots);
	return status;
}

/* Directories private to the sandbox are writable as they should be; listed
 * here, they would be the machine's instead. */
static bool
is_private_dir(const char *path)
{
	static const char *const whole[] = {"/dev", "/proc", "/sys"};
	static const char *const alone[] = {
	    "/run", "/tmp", "/var/run", "/var/tmp"};

	for (size_t i = 0; i < sizeof(whole) / sizeof(whole[0]); i++) {
		if (w_real_path_covers(whole[i], path))
			return true;
	}
	for (size_t i = 0; i < sizeof(alone) / sizeof(alone[0]); i++) {
		if (strcmp(alone[i], path) == 0)
			return true;
	}
	return false;
}

static writ_status
find_write(const struct w_profile_resolver *resolver, const char *path,
    struct w_real_paths *writes, writ_error *err)
{
	const struct w_real_path_query query = {.what = "write",
	    .link = W_REAL_PATH_LINK_SKIP,
	    .is_optional = true};
	struct w_real_path real_path;
	bool is_found = false;
	struct stat found;

	if (lstat(path, &found) != 0 ||
	    (!S_ISREG(found.st_mode) && !S_ISDIR(found.st_mode)) ||
	    is_private_dir(path) ||
	    w_real_paths_covering(&resolver->resolved->hidden, path) != NULL)
		return WRIT_OK;
	writ_status status =
	    w_real_path_find(path, &query, &real_path, &is_found, err);
	if (status != WRIT_OK || !is_found)
		return status;
	const struct w_real_path *around =
	    w_real_paths_covering(&resolver->resolved->grants, real_path.path);
	const unsigned run = around == NULL ? W_MAY_EXECUTE : around->may;
	real_path.may = W_MAY_READ | W_MAY_WRITE | (run & W_MAY_EXECUTE);
	return w_real_paths_add(writes, &real_path) ? WRIT_OK
						    : w_fail_nomem(err, STAGE);
}

writ_status
w_profile_restrict_write(struct w_profile_resolver *resolver, writ_error *err)
{
	struct w_real_paths *grants = &resolver->resolved->grants;
	struct w_real_paths writes = {.items = NULL};
	writ_status status = WRIT_OK;

	if (!w_profile_is_restricted(resolver))
		return WRIT_OK;
	const char *const *paths = resolver->context->restriction->write;
	if (!take_writes(resolver))
		return w_fail_nomem(err, STAGE);
	status = add_roots(resolver, err);
	for (; status == WRIT_OK && paths != NULL && *paths != NULL; paths++)
		status = find_write(resolver, *paths, &writes, err);
	for (size_t i = 0; status == WRIT_OK && i < writes.count; i++) {
		if (!w_real_paths_add(grants, &writes.items[i]))
			status = w_fail_nomem(err, STAGE);
	}
	w_real_paths_done(&writes);
	w_real_paths_sort(grants);
	return status;
}

/* What is protected stays readable; what lies in nothing writable needs no
 * guard and cannot be created. */
void
w_profile_restrict_guarded(struct w_profile_resolver *resolver)
{
	struct w_resolved_profile *resolved = resolver->resolved;
	struct w_real_paths *guarded = &resolved->guarded;
	struct w_words *absent = &resolved->absent;
	size_t kept = 0;

	for (size_t i = 0; i < resolved->grants.count; i++) {
		struct w_real_path *grant = &resolved->grants.items[i];

		if (w_real_paths_covering(guarded, grant->path) != NULL)
			grant->may &= ~(unsigned)W_MAY_WRITE;
	}
	for (size_t i = 0; i < guarded->count; i++) {
		if (w_resolved_profile_is_writable(
			resolved, guarded->items[i].path))
			guarded->items[kept++] = guarded->items[i];
		else
			w_real_path_done(&guarded->items[i]);
	}
	guarded->count = kept;
	kept = 0;
	for (size_t i = 0; i < absent->count; i++) {
		if (w_resolved_profile_is_writable(resolved, absent->items[i]))
			absent->items[kept++] = absent->items[i];
		else
			free(absent->items[i]);
	}
	absent->count = kept;
	if (absent->items != NULL)
		absent->items[kept] = NULL;
}
