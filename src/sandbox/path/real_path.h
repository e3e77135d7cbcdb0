/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SANDBOX_REAL_PATH_H
#define W_SANDBOX_REAL_PATH_H

#include "sandbox/path/existence_cache.h"
#include "sandbox/profile/resolved_profile.h"

/* What relative paths and "~" are based on. */
struct w_real_path_base {
	const char *cwd;
	const char *home;
};

/*
 * The absolute form of a profile's path, with "." and "~" expanded and without
 * empty or "." components. The caller frees it. Fails for the empty path, "..",
 * "~name" and a newline. what is the list's name, for messages.
 */
writ_status w_real_path_expand(const char *text,
    const struct w_real_path_base *base, const char *what, char **out_path,
    writ_error *err);

/* How to treat a path that is a symbolic link. */
enum w_real_path_link {
	W_REAL_PATH_LINK_REFUSE,
	W_REAL_PATH_LINK_SKIP,
	W_REAL_PATH_LINK_FOLLOW,
};

struct w_real_path_query {
	const char *what;           /* the list's name, for messages */
	enum w_real_path_link link; /* for the last component */
	bool is_optional;           /* missing or inaccessible: not found */
	bool skips_unreadable;      /* unreadable for us: not found */
	bool takes_any_kind;        /* also pipes, sockets and devices */
};

/*
 * Looks up an absolute path. Symbolic links before the last component are
 * followed; the result has none, and names the file that was opened even if the
 * tree changes meanwhile. *out_found is false, and *out_real_path untouched,
 * for what the query says to skip.
 */
writ_status w_real_path_find(const char *path,
    const struct w_real_path_query *query, struct w_real_path *out_real_path,
    bool *out_found, writ_error *err);

/* What a path beneath a writable root is. */
enum w_real_path_kind {
	W_REAL_PATH_ABSENT,
	W_REAL_PATH_FOUND,
	W_REAL_PATH_LINKED, /* has links that must be followed: symlink_chain.h
			     */
};

/*
 * Looks up a path beneath a canonical root in order to protect it. A path that
 * is or leads through a symbolic link, or that cannot be opened, is
 * W_REAL_PATH_LINKED, with only its path set. If a file is in the way (.git of
 * a linked work tree), the result is that file. Pipes and sockets count as
 * files.
 */
writ_status w_real_path_find_beneath(const char *root, const char *relative,
    struct w_existence_cache *cache, struct w_real_path *out_real_path,
    enum w_real_path_kind *out_kind, writ_error *err);

/* Whether a canonical path is parent or lies beneath it. */
bool w_real_path_covers(const char *parent, const char *path);

void w_real_path_done(struct w_real_path *real_path);

/* Takes ownership of the real path, also on failure; false: no memory. */
bool w_real_paths_add(
    struct w_real_paths *real_paths, struct w_real_path *real_path);
/* Sorts by path and merges equal paths, with the rights of both. */
void w_real_paths_sort(struct w_real_paths *real_paths);
/* The deepest entry that covers the path, or NULL. */
const struct w_real_path *w_real_paths_covering(
    const struct w_real_paths *real_paths, const char *path);
void w_real_paths_done(struct w_real_paths *real_paths);

#endif /* W_SANDBOX_REAL_PATH_H */
