/* SPDX-License-Identifier: Apache-2.0 */

/* Resolves paths in the machine's own file system tree. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "run/denials/denial_context.h"

void
w_denial_flatten_path(char *path)
{
	const char *in = path;
	size_t out = 0;

	while (*in != '\0') {
		size_t skipped = strspn(in, "/");
		size_t len = strcspn(in + skipped, "/");

		in += skipped;
		if (len == 2 && in[0] == '.' && in[1] == '.') {
			while (out > 0 && path[--out] != '/')
				;
		} else if (len > 0 && !(len == 1 && in[0] == '.')) {
			path[out++] = '/';
			memmove(path + out, in, len);
			out += len;
		}
		in += len;
	}
	if (out == 0)
		path[out++] = '/';
	path[out] = '\0';
}

/* The canonical form of the longest existing prefix, and the rest unchanged. */
static bool
denial_path_settle(const char *path, size_t cut, char out_path[PATH_MAX])
{
	W_AUTO_FREE char *head = strdup(path);
	W_AUTO_FREE char *real = NULL;

	if (head == NULL)
		return false;
	for (;;) {
		head[cut] = '\0';
		real = realpath(cut > 0 ? head : "/", NULL);
		if (real != NULL || cut == 0)
			break;
		while (cut > 0 && head[--cut] != '/')
			;
	}
	if (real == NULL)
		return false;
	int len = snprintf(out_path, PATH_MAX, "%s/%s", real, path + cut);
	if (len < 0 || len >= PATH_MAX)
		return false;
	w_denial_flatten_path(out_path);
	return true;
}

bool
w_denial_resolve_path(const char *path, bool follows, char out_path[PATH_MAX])
{
	size_t len = strlen(path);
	size_t cut = len;

	if (len == 0 || len >= PATH_MAX)
		return false;
	while (cut > 1 && path[cut - 1] == '/')
		cut--;
	/* Keeps the last name; after ".." there is none. */
	if (!follows && !(cut >= 2 && path[cut - 1] == '.')) {
		while (cut > 0 && path[cut - 1] != '/')
			cut--;
	}
	return denial_path_settle(path, cut, out_path);
}
