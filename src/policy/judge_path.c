/* SPDX-License-Identifier: Apache-2.0 */

/* Which paths a rule means: "~/" is the home directory, "./" each root. */

#include <string.h>

#include "policy/glob.h"
#include "policy/judge_state.h"

bool
w_path_is_in(const char *path, const char *directory, const char **out_rest)
{
	size_t len = strlen(directory);

	while (len > 0 && directory[len - 1] == '/')
		len--;
	if (strncmp(path, directory, len) != 0 ||
	    (path[len] != '/' && path[len] != '\0'))
		return false;
	*out_rest = path + len;
	return true;
}

/* A glob that is relative to a directory. */
static bool
fits_beneath(
    const char *glob, const char *directory, const char *path, bool is_whole)
{
	const char *rest;

	if (directory == NULL)
		return false;
	if (w_path_is_in(path, directory, &rest))
		return w_glob_path(glob, rest) ||
		       (is_whole && w_glob_reaches(glob, rest));
	/* Above it, all of it is touched. */
	return is_whole && w_path_is_in(directory, path, &rest);
}

static bool
fits(const struct w_trial *trial, const char *glob, const char *path,
    bool is_whole)
{
	const char *const *root = trial->seat->roots;

	if (strncmp(glob, "~/", 2) == 0)
		return fits_beneath(glob + 2, trial->c->home, path, is_whole);
	if (strncmp(glob, "./", 2) != 0)
		return w_glob_path(glob, path) ||
		       (is_whole && w_glob_reaches(glob, path));
	for (; root != NULL && *root != NULL; root++) {
		if (fits_beneath(glob + 2, *root, path, is_whole))
			return true;
	}
	return false;
}

bool
w_paths_have(
    const struct w_trial *trial, w_globs globs, const char *path, bool is_whole)
{
	if (path == NULL)
		return false;
	for (; *globs != NULL; globs++) {
		if (fits(trial, *globs, path, is_whole))
			return true;
	}
	return false;
}
