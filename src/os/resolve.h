/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_OS_RESOLVE_H
#define W_OS_RESOLVE_H

#include <limits.h>
#include <stdbool.h>

/*
 * Resolves a path, following every link, even if the last of its names do not
 * exist yet. Everything is opened with O_PATH only.
 */
struct w_resolved_path {
	char path[PATH_MAX]; /* absolute; "": unknown */
	bool exists;
	bool is_elusive; /* it uses a magic link of /proc */
	bool is_directory;
};

/*
 * dir_fd is the base of a relative path. With is_entry a link at the end is not
 * followed, as for unlink() and rename(). What follows the last existing
 * directory is appended as text; a dangling link is followed to where the file
 * would be created.
 *
 * Unknown are: magic links of /proc, loops, directories that may not be
 * searched, paths that are too long.
 */
void w_resolve(int dir_fd, const char *path, bool is_entry,
    struct w_resolved_path *out_resolved);

/*
 * As realpath(path, NULL): the caller frees it; NULL with errno. Where no link
 * is on the way, which is nearly always, it takes two system calls instead of
 * one for each name.
 */
char *w_resolve_real(const char *path);

/* The path of a descriptor; false: it has none that is reachable from here. */
bool w_resolve_fd(int fd, char out_path[PATH_MAX]);

/*
 * Appends a path to a directory as text: resolves "." and "..", and removes
 * redundant slashes. dir is absolute and normalised; an absolute path replaces
 * it. false: too long.
 */
bool w_resolve_text(const char *dir, const char *path, char out_path[PATH_MAX]);

/* Whether a path is dir or below it; both absolute and normalised. */
bool w_resolve_is_in(const char *path, const char *dir);

#endif /* W_OS_RESOLVE_H */
