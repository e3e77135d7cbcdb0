/* SPDX-License-Identifier: Apache-2.0 */

/* Which project a place belongs to. */

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "trigger/trigger.h"

/* From "/a/b" or "/a/" to "/a"; from "/a" to "/". */
static void
cut_last(char *path)
{
	char *slash = strrchr(path, '/');

	slash[slash == path] = '\0';
}

static bool
has_git(const char *dir)
{
	char path[PATH_MAX + sizeof("/.git")];

	(void)snprintf(path, sizeof(path), "%s/.git", dir);
	return faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

void
w_trigger_project(const char *path, bool is_dir, char out_project[PATH_MAX])
{
	char dir[PATH_MAX];

	const char *name = w_trigger_in_path(path);

	(void)snprintf(out_project, PATH_MAX, "%s", path);
	if (name != NULL)
		out_project[name - path] = '\0';
	if (name != NULL || !is_dir)
		cut_last(out_project);
	memcpy(dir, out_project, sizeof(dir));
	for (; strcmp(dir, "/") != 0; cut_last(dir)) {
		if (has_git(dir)) {
			memcpy(out_project, dir, sizeof(dir));
			return;
		}
	}
}
