/* SPDX-License-Identifier: Apache-2.0 */

/*
 * creates and removes: whether a path exists.
 *
 * Files of any type count; a symlink counts if its target exists. If a path
 * cannot be examined, the resource fails.
 */

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "manifest/apply/exec_resource.h"

/* Relative to the command's directory, which need not exist yet. */
static bool
guard_paths_exists(struct w_exec_step *x, const char *path, bool *out_is_there)
{
	W_AUTO_FD int dir = -1;
	struct stat st;
	int error = 0;

	if (path[0] != '/') {
		dir = open(x->cwd.text, O_PATH | O_DIRECTORY | O_CLOEXEC);
		error = dir < 0 ? errno : 0;
	}
	if (error == 0 && fstatat(dir, path, &st, 0) != 0)
		error = errno;
	*out_is_there = error == 0;
	if (error == 0 || error == ENOENT || error == ENOTDIR)
		return true;
	writ_error err;
	(void)w_fail(
	    &err, WRIT_E_SYSTEM, "guard", error, "cannot look at '%s'", path);
	w_resource_step_fail_error(x->step, &err);
	return false;
}

/* The first path that exists (or not) decides. */
static bool
find_first(struct w_exec_step *x, const char *const *paths, bool wanted,
    bool *out_found)
{
	*out_found = false;
	for (; *paths != NULL; paths++) {
		bool is_there;

		if (!guard_paths_exists(x, *paths, &is_there))
			return false;
		if (is_there != wanted)
			continue;
		*out_found = true;
		return true;
	}
	return true;
}

bool
w_guard_has_all(
    struct w_exec_step *x, const char *const *paths, bool *out_holds)
{
	bool has_missing;

	if (!find_first(x, paths, false, &has_missing))
		return false;
	*out_holds = !has_missing;
	return true;
}

bool
w_guard_has_any(
    struct w_exec_step *x, const char *const *paths, bool *out_holds)
{
	return find_first(x, paths, true, out_holds);
}
