/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_OS_PARENT_DIR_H
#define W_OS_PARENT_DIR_H

#include <limits.h>
#include <stdbool.h>
#include <sys/stat.h>

/*
 * The directory that a name is in, held open, for who writes files of others.
 *
 * What is done with the descriptor happens in this directory, whatever becomes
 * of the path. On the way to it a symbolic link is followed only if nobody but
 * root and us can have put it there: it belongs to one of us, and so does the
 * directory that it is in, which others cannot rename in (a sticky one keeps
 * them from it). Without that rule whoever owns a directory on the way could
 * lead what root writes to any other place.
 */
struct w_parent_dir {
	int fd;              /* O_PATH: the deepest directory there is */
	char rest[PATH_MAX]; /* what follows: the name, with the names of
				missing directories before it */
	const char *name;    /* the last name; points into rest */
};

/* path is absolute, without "." and "..", and no "/". 0, or an errno: ELOOP
 * where a link is not to be followed. */
int w_parent_dir_open(const char *path, struct w_parent_dir *out_parent);
void w_parent_dir_close(struct w_parent_dir *parent);

/* Whether all directories above the name are there. */
bool w_parent_dir_exists(const struct w_parent_dir *parent);

/* Opens a file that is to be read, or shown, to others; flags are those of
 * open(). A link at the end is followed by the same rule: whoever owns a
 * directory could put one there, to a file that only root may read. path is
 * absolute. 0, or an errno: ELOOP where a link is not to be followed. */
int w_parent_dir_open_file(const char *path, int flags, int *out_fd);

/* Whether a link in a directory is one that may be followed. */
bool w_parent_dir_trusts_link(const struct stat *dir, const struct stat *link);

#endif /* W_OS_PARENT_DIR_H */
