/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_OS_RESOLVE_H
#define W_OS_RESOLVE_H

#include <limits.h>
#include <stdbool.h>

/*
 * Where a path leads when every link is followed, also if the last of its
 * names do not exist yet. Nothing is opened but names (O_PATH).
 */
struct w_resolved_path {
	char path[PATH_MAX]; /* absolute; "" when it cannot be told */
	bool exists;
	bool is_elusive; /* it goes by a link that is no text */
	bool is_directory;
};

/*
 * dir_fd is where a relative path starts. With is_entry a link at its end is
 * the thing itself, as it is for who deletes or renames it. What follows the
 * last directory that exists is appended by its text; a link to nothing is
 * followed to where the thing would come into being.
 *
 * It cannot be told: links of /proc that are no texts, loops, directories that
 * may not be searched, paths that are too long.
 */
void w_resolve(int dir_fd, const char *path, bool is_entry,
    struct w_resolved_path *out_resolved);

/* The path of a descriptor; false: it has none that leads to it from here. */
bool w_resolve_fd(int fd, char out_path[PATH_MAX]);

/*
 * Appends a path to a directory by its text alone: without "." and "..", and
 * without slashes that say nothing. dir is absolute and normal; an absolute
 * path stands for itself. false: it is too long.
 */
bool w_resolve_text(const char *dir, const char *path, char out_path[PATH_MAX]);

/* Whether a path is a directory or lies in it; both absolute and normal. */
bool w_resolve_is_in(const char *path, const char *dir);

#endif /* W_OS_RESOLVE_H */
