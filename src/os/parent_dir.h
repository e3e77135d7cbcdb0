/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_OS_PARENT_DIR_H
#define W_OS_PARENT_DIR_H

#include <limits.h>
#include <stdbool.h>
#include <sys/stat.h>

/*
 * The directory that contains a name, held open, to write files in directories
 * of other users.
 *
 * What is done with the descriptor happens in this directory, whatever becomes
 * of the path. A symbolic link in the path is followed only if nobody but root
 * and us can have created it: it belongs to one of us, and so does its
 * directory, in which others cannot rename (or it is sticky). Otherwise the
 * owner of a directory in the path could redirect what root writes.
 */
struct w_parent_dir {
	int fd;              /* O_PATH: the deepest existing directory */
	char rest[PATH_MAX]; /* the rest: missing directories, then the name */
	const char *name;    /* the last name; points into rest */
};

/* path is absolute, without "." and "..", and not "/". 0, or an errno: ELOOP: a
 * link that must not be followed. */
int w_parent_dir_open(const char *path, struct w_parent_dir *out_parent);
void w_parent_dir_close(struct w_parent_dir *parent);

/* Whether all directories above the name exist. */
bool w_parent_dir_exists(const struct w_parent_dir *parent);

/* Opens a file whose contents others will see; flags as for open(). A link at
 * the end is followed by the same rule: the owner of a directory could point it
 * at a file that only root may read. path is absolute. 0, or an errno: ELOOP: a
 * link that must not be followed. */
int w_parent_dir_open_file(const char *path, int flags, int *out_fd);

/* Whether a link in a directory may be followed. */
bool w_parent_dir_trusts_link(const struct stat *dir, const struct stat *link);

#endif /* W_OS_PARENT_DIR_H */
