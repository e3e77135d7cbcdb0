/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Where a path leads to.
 *
 * The policy judges both the path as it is spelled and this one, and writ-file
 * opens only this one, following no link. So it does not matter if somebody
 * changes a link after this: what is opened was judged.
 */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "mcp/files/file_tools.h"

enum {
	MISSING_MAX = 64, /* directories that are made */
};

/* Without ".", ".." and doubled slashes, as text. */
static bool
place_name_normalise(const char *path, char out[PATH_MAX])
{
	size_t len = 0;

	while (*path != '\0') {
		path += strspn(path, "/");
		const size_t part = strcspn(path, "/");

		if (part == 2 && path[0] == '.' && path[1] == '.') {
			while (len > 0 && out[--len] != '/')
				;
		} else if (part > 0 && !(part == 1 && path[0] == '.')) {
			if (len + part + 2 > PATH_MAX)
				return false;
			out[len++] = '/';
			memcpy(out + len, path, part);
			len += part;
		}
		path += part;
	}
	if (len == 0)
		out[len++] = '/';
	out[len] = '\0';
	return true;
}

/* Resolves what there is of it, and appends the rest. What ".." comes behind is
 * never missing: the kernel would refuse it. */
static bool
place_name_resolve(const char *path, char out[PATH_MAX])
{
	char dir[PATH_MAX];

	(void)snprintf(dir, sizeof(dir), "%s", path);
	for (int i = 0; i < MISSING_MAX; i++) {
		W_AUTO_FREE char *real = realpath(dir, NULL);

		if (real != NULL) {
			const char *rest = path + strlen(dir);
			const int len = snprintf(out, PATH_MAX, "%s%s",
			    strcmp(real, "/") == 0 ? "" : real, rest);

			/* The root itself. */
			if (len == 0) {
				out[0] = '/';
				out[1] = '\0';
			}
			return len >= 0 && len < PATH_MAX &&
			       strstr(rest, "/..") == NULL;
		}
		char *slash = errno == ENOENT ? strrchr(dir, '/') : NULL;
		if (slash == NULL || slash == dir)
			return false;
		*slash = '\0';
	}
	return false;
}

void
w_mcp_file_place(const char *dir, const char *path, char out_place[PATH_MAX])
{
	char whole[PATH_MAX], plain[PATH_MAX];
	const int len =
	    path[0] == '/' ? snprintf(whole, sizeof(whole), "%s", path)
			   : snprintf(whole, sizeof(whole), "%s/%s", dir, path);
	size_t end = len < 0 ? 0 : (size_t)len;

	out_place[0] = '\0';
	if (end == 0 || end >= sizeof(whole))
		return;
	while (end > 1 && whole[end - 1] == '/')
		whole[--end] = '\0';
	if (!place_name_normalise(whole, plain) ||
	    !place_name_resolve(whole, out_place) ||
	    (strcmp(plain, out_place) == 0 && strstr(path, "..") == NULL))
		out_place[0] = '\0';
}
