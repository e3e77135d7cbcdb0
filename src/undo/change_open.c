/* SPDX-License-Identifier: Apache-2.0 */

/* Opens files of a list of changes. */

#include "undo/change_open.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/auto.h"
#include "os/beneath.h"

size_t
w_change_step(const struct w_undo_list *list, size_t index)
{
	while (index > 0 && list->items[index].kind == W_UNDO_MEMBER)
		index--;
	return index;
}

static int
open_plain(int dir_fd, const char *path)
{
	W_AUTO_FD int fd = w_open_beneath(dir_fd, path, O_RDONLY | O_NONBLOCK);
	struct stat st;

	if (fd < 0)
		return fd;
	if (fstat(fd, &st) < 0)
		return -errno;
	return S_ISREG(st.st_mode) ? w_take_fd(&fd) : -EINVAL;
}

int
w_change_open(
    const struct w_change_set *set, size_t index, enum w_undo_side side)
{
	const struct w_undo_change *change = &set->list.items[index];
	const size_t at = w_change_step(&set->list, index);
	const struct w_undo_change *step = &set->list.items[at];
	const bool is_in =
	    (step->progress == W_UNDO_DONE) == (side == W_UNDO_AFTER);
	char path[PATH_MAX + 64];

	if (!change->has[side] || !S_ISREG(change->version[side].mode))
		return -EINVAL;
	if (is_in) {
		W_AUTO_FD int root_fd = open(
		    set->root, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

		return root_fd < 0 ? -errno : open_plain(root_fd, change->path);
	}
	if (step->kind == W_UNDO_DELETED || step->held != NULL)
		(void)snprintf(path, sizeof(path), "%s/%zu%s",
		    step->held != NULL ? "held" : "old", at,
		    change->path + strlen(step->path));
	else
		(void)snprintf(
		    path, sizeof(path), "layer/upper/%s", change->path);
	return open_plain(set->dir_fd, path);
}
