/* SPDX-License-Identifier: Apache-2.0 */

/* Finds the project that a path belongs to. */

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

void
w_trigger_project(const char *path, bool is_dir, char out_project[PATH_MAX])
{
	char dir[PATH_MAX];
	char git[PATH_MAX + sizeof("/.git")];

	const char *name = w_trigger_in_path(path);

	(void)snprintf(out_project, PATH_MAX, "%s", path);
	if (name != NULL)
		out_project[name - path] = '\0';
	if (name != NULL || !is_dir)
		cut_last(out_project);
	memcpy(dir, out_project, sizeof(dir));
	for (; strcmp(dir, "/") != 0; cut_last(dir)) {
		(void)snprintf(git, sizeof(git), "%s/.git", dir);
		if (faccessat(AT_FDCWD, git, F_OK, AT_SYMLINK_NOFOLLOW) == 0) {
			memcpy(out_project, dir, sizeof(dir));
			return;
		}
	}
}
