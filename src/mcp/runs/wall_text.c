/* SPDX-License-Identifier: Apache-2.0 */

/* A wall that was part of a failure, in words. */

#include "mcp/runs/wall_text.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Short, as people write it. The library has escaped the path. */
static void
wall_text_add_path(struct w_buf *buf, const char *path)
{
	const char *home = getenv("HOME");
	const size_t len = home == NULL ? 0 : strlen(home);

	if (len > 1 && strncmp(path, home, len) == 0 && path[len] == '/')
		w_buf_add_fmt(buf, "~%s", path + len);
	else
		w_buf_add_str(buf, path);
}

/* "readonly" and "network" are clear from what was refused. */
static bool
says_more(const char *wall)
{
	return strcmp(wall, "readonly") != 0 && strcmp(wall, "network") != 0;
}

void
w_mcp_wall_add_text(struct w_buf *buf, const writ_wall_denial *denial)
{
	const bool shows_wall = says_more(denial->wall);

	w_buf_add_str(buf, denial->what);
	if (denial->path != NULL) {
		w_buf_add_char(buf, ' ');
		wall_text_add_path(buf, denial->path);
	} else if (denial->host != NULL || denial->family != NULL) {
		w_buf_add_fmt(buf, " %s",
		    denial->host != NULL ? denial->host : denial->family);
	} else if (!shows_wall) {
		w_buf_add_str(buf, " to the network");
	}
	if (shows_wall)
		w_buf_add_fmt(buf, " (%s%s)", denial->wall,
		    denial->is_guessed ? ", guessed" : "");
	else if (denial->is_guessed)
		w_buf_add_str(buf, " (guessed)");
}
