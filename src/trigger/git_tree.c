/* SPDX-License-Identifier: Apache-2.0 */

/* Finds what commits, tags and trees of git name. */

#include <string.h>

#include "base/hex.h"
#include "trigger/git_object.h"

/* Its lines end at the first empty one, where the message begins. */
bool
w_git_commit_get(const struct w_buf *commit, const char *name, size_t which,
    struct w_git_id *out)
{
	const size_t len = strlen(name);
	const char *at = commit->data;
	const char *end = at + commit->len;

	while (at < end && *at != '\n') {
		const char *line_end = memchr(at, '\n', (size_t)(end - at));

		if (line_end == NULL)
			return false;
		const size_t line = (size_t)(line_end - at);
		if (line == len + 1 + 2 * (size_t)W_SHA1_SIZE &&
		    memcmp(at, name, len) == 0 && at[len] == ' ' &&
		    which-- == 0)
			return w_hex_get(out->bytes, at + len + 1, W_SHA1_SIZE);
		at = line_end + 1;
	}
	return false;
}

/* "MODE NAME", a NUL, 20 bytes. */
bool
w_git_tree_get(const struct w_buf *tree, const char *name, size_t len,
    unsigned *out_mode, struct w_git_id *out)
{
	const char *at = tree->data;
	const char *end = at + tree->len;

	while (at < end) {
		const char *name_end = memchr(at, '\0', (size_t)(end - at));
		unsigned mode = 0;

		if (name_end == NULL || end - name_end <= W_SHA1_SIZE)
			return false;
		for (; *at >= '0' && *at <= '7'; at++)
			mode = mode << 3 | (unsigned)(*at - '0');
		if (*at++ != ' ')
			return false;
		if ((size_t)(name_end - at) == len &&
		    memcmp(at, name, len) == 0) {
			*out_mode = mode;
			memcpy(out->bytes, name_end + 1, W_SHA1_SIZE);
			return true;
		}
		at = name_end + 1 + W_SHA1_SIZE;
	}
	return false;
}
