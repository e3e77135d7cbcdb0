/* SPDX-License-Identifier: Apache-2.0 */

/* Matches paths: "~/" is the home directory, "./" is each root. */

#include <string.h>

#include "policy/evaluate/evaluation.h"
#include "policy/glob.h"

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

/* A glob that starts with "~/". */
static bool
fits_home(const char *glob, const char *home, const char *path, unsigned whole)
{
	const char *rest;

	if (home == NULL)
		return false;
	if (w_path_is_in(path, home, &rest))
		return w_glob_path(glob, rest) ||
		       (whole != 0 && w_glob_reaches(glob, rest,
					  whole == W_EFFECT_DELETE));
	/* A directory above the home directory contains all of it. */
	return whole != 0 && w_path_is_in(home, path, &rest);
}

/* A glob that starts with "./". Every build writes to the root itself, so such
 * a write does not match globs for files in it; deleting the root does. */
static bool
fits_root(const char *glob, const char *root, const char *path, unsigned whole)
{
	const char *rest;

	if (!w_path_is_in(path, root, &rest))
		return whole == W_EFFECT_DELETE &&
		       w_path_is_in(root, path, &rest);
	if (w_glob_path(glob, rest))
		return true;
	if (rest[strspn(rest, "/")] == '\0')
		return whole == W_EFFECT_DELETE;
	return whole != 0 &&
	       w_glob_reaches(glob, rest, whole == W_EFFECT_DELETE);
}

static bool
match_path_fits(const struct w_evaluation *evaluation, const char *glob,
    const char *path, unsigned whole)
{
	const char *const *root = evaluation->tier->roots;

	if (strncmp(glob, "~/", 2) == 0)
		return fits_home(
		    glob + 2, evaluation->facts->home, path, whole);
	if (strncmp(glob, "./", 2) != 0)
		return w_glob_path(glob, path) ||
		       (whole != 0 && w_glob_reaches(glob, path,
					  whole == W_EFFECT_DELETE));
	for (; root != NULL && *root != NULL; root++) {
		if (fits_root(glob + 2, *root, path, whole))
			return true;
	}
	return false;
}

bool
w_path_globs_match(const struct w_evaluation *evaluation, w_globs globs,
    const char *path, unsigned whole)
{
	if (path == NULL)
		return false;
	for (; *globs != NULL; globs++) {
		if (match_path_fits(evaluation, *globs, path, whole))
			return true;
	}
	return false;
}
