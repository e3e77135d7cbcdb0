/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Directories of a layer that are closed to their owner: opened for the time of
 * a search.
 *
 * A command can take the rights of a directory away, and the next one can give
 * them back. What is in it has to be known before it is in the project. The
 * layer is ours alone, so nobody else sees the directory open.
 */

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/auto.h"
#include "base/grow.h"
#include "trigger/trigger.h"

/* A descriptor of only a path cannot be changed by itself. */
static bool
set_mode(int fd, mode_t mode)
{
	char link[32];

	(void)snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	return fd >= 0 && chmod(link, mode & 07777) == 0;
}

static void
loosen_one(struct w_trigger_search *search, const char *path)
{
	W_AUTO_FD int fd =
	    w_trigger_open_in(search->root_fd, path, O_PATH | O_DIRECTORY);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0 || (st.st_mode & S_IRWXU) == S_IRWXU)
		return;
	char *copy = strdup(path);
	if (copy == NULL || !w_grow(&search->closed, search->closed_count,
				&search->closed_cap)) {
		free(copy);
		search->triggers->is_cut = true;
		return;
	}
	search->closed[search->closed_count++] =
	    (struct w_trigger_closed){.path = copy, .mode = st.st_mode};
	(void)set_mode(fd, st.st_mode | S_IRWXU);
}

void
w_trigger_loosen(struct w_trigger_search *search, const char *path)
{
	char part[PATH_MAX];

	for (size_t len = 0; path[len] != '\0';) {
		len += strcspn(path + len, "/");
		if (len >= sizeof(part))
			return;
		memcpy(part, path, len);
		part[len] = '\0';
		loosen_one(search, part);
		len += path[len] == '/';
	}
}

/* What is inside comes after what is around it. */
void
w_trigger_tighten_all(struct w_trigger_search *search)
{
	while (search->closed_count > 0) {
		struct w_trigger_closed *closed =
		    &search->closed[--search->closed_count];

		W_AUTO_FD int fd = w_trigger_open_in(
		    search->root_fd, closed->path, O_PATH | O_DIRECTORY);

		(void)set_mode(fd, closed->mode);
		free(closed->path);
	}
	free(search->closed);
	search->closed = NULL;
}
