/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Closes the directories of programs (the system's, those in the home directory
 * and those around a listed program), so that other programs in them cannot be
 * read.
 */

#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/auto.h"
#include "sandbox/allowlist/program_allowlist.h"

#define STAGE "sandbox"

static const char *const of_system[] = {"/bin", "/sbin", "/snap", "/usr/bin",
    "/usr/games", "/usr/libexec", "/usr/local/bin", "/usr/local/games",
    "/usr/local/libexec", "/usr/local/sbin", "/usr/sbin"};

static const char *const of_home[] = {
    ".bun/bin", ".cargo/bin", ".deno/bin", ".local/bin", "bin", "go/bin"};

static bool
holds_any(const char *dir, const struct w_real_paths *real_paths)
{
	for (size_t i = 0; i < real_paths->count; i++) {
		if (w_real_path_covers(dir, real_paths->items[i].path))
			return true;
	}
	return false;
}

/* True if the working directory, something writable or an explicit grant of the
 * profile lies in it. Such a directory must stay open. */
static bool
is_in_use(const struct w_allowlist *allowlist, const char *dir)
{
	const struct w_profile_resolver *resolver = allowlist->resolver;

	return w_real_path_covers(dir, resolver->context->cwd) ||
	       w_resolved_profile_is_writable(resolver->resolved, dir) ||
	       holds_any(dir, &resolver->resolved->grants);
}

/* It stays executable as a mount of its own; Landlock decides which files. */
static writ_status
open_for_programs(struct w_allowlist *allowlist,
    const struct w_real_path *closed, writ_error *err)
{
	struct w_real_path real_path = *closed;

	if (!holds_any(closed->path, &allowlist->programs))
		return WRIT_OK;
	real_path.path = strdup(closed->path);
	real_path.may = W_MAY_MAP;
	if (real_path.path == NULL ||
	    !w_real_paths_add(&allowlist->areas, &real_path))
		return w_fail_nomem(err, STAGE);
	return WRIT_OK;
}

static writ_status
close_real_path(struct w_allowlist *allowlist, struct w_real_path *real_path,
    bool is_home, writ_error *err)
{
	struct w_resolved_profile *resolved = allowlist->resolver->resolved;
	const bool has_programs =
	    holds_any(real_path->path, &allowlist->programs);

	real_path->may = 0;
	/* Closing costs one rule per sibling, too many in a home directory. */
	if (is_home && !has_programs && !is_in_use(allowlist, real_path->path))
		return w_real_paths_add(&resolved->hidden, real_path)
			   ? WRIT_OK
			   : w_fail_nomem(err, STAGE);
	writ_status status = open_for_programs(allowlist, real_path, err);
	if (status != WRIT_OK) {
		w_real_path_done(real_path);
		return status;
	}
	return w_real_paths_add(&resolved->closed, real_path)
		   ? WRIT_OK
		   : w_fail_nomem(err, STAGE);
}

static writ_status
close_dir(struct w_allowlist *allowlist, const char *path, bool is_home,
    writ_error *err)
{
	const struct w_resolved_profile *resolved =
	    allowlist->resolver->resolved;
	const struct w_real_path_query query = {.what = "execute",
	    .link = W_REAL_PATH_LINK_FOLLOW,
	    .is_optional = true};
	struct w_real_path real_path;
	bool is_found = false;

	writ_status status =
	    w_real_path_find(path, &query, &real_path, &is_found, err);
	if (status != WRIT_OK || !is_found)
		return status;
	if (!real_path.is_dir ||
	    w_real_paths_covering(&resolved->hidden, real_path.path) != NULL ||
	    w_real_paths_covering(&resolved->grants, real_path.path) == NULL ||
	    w_real_paths_covering(&resolved->closed, real_path.path) != NULL ||
	    w_real_path_covers(
		real_path.path, allowlist->resolver->context->cwd)) {
		w_real_path_done(&real_path);
		return WRIT_OK;
	}
	return close_real_path(allowlist, &real_path, is_home, err);
}

/* Closes another directory that has a conventional name for programs: one mount
 * and one rule instead of one mount per program. */
static writ_status
close_around(struct w_allowlist *allowlist, const struct w_real_path *program,
    writ_error *err)
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
	    w_resolved_profile_is_writable(allowlist->resolver->resolved, dir))
		return WRIT_OK;
	return close_dir(allowlist, dir, false, err);
}

writ_status
w_allowlist_close_dirs(struct w_allowlist *allowlist, writ_error *err)
{
	const char *home = allowlist->resolver->base.home;
	writ_status status = WRIT_OK;
	char path[PATH_MAX];

	for (size_t i = 0;
	     status == WRIT_OK && i < sizeof(of_system) / sizeof(of_system[0]);
	     i++)
		status = close_dir(allowlist, of_system[i], false, err);
	for (size_t i = 0;
	     status == WRIT_OK && i < sizeof(of_home) / sizeof(of_home[0]);
	     i++) {
		const int len =
		    snprintf(path, sizeof(path), "%s/%s", home, of_home[i]);

		if (len > 0 && (size_t)len < sizeof(path) &&
		    strcmp(home, "/") != 0)
			status = close_dir(allowlist, path, true, err);
	}
	for (size_t i = 0; status == WRIT_OK && i < allowlist->programs.count;
	     i++)
		status =
		    close_around(allowlist, &allowlist->programs.items[i], err);
	return status;
}
