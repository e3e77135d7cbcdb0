/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SANDBOX_REAL_PATH_H
#define W_SANDBOX_REAL_PATH_H

#include "sandbox/path/existence_cache.h"
#include "sandbox/profile/resolved_profile.h"

/* Where relative paths and "~" lead. */
struct w_real_path_base {
	const char *cwd;
	const char *home;
};

/*
 * The absolute spelling of a profile's path, with "." and "~" replaced and
 * without empty or "." components; yours. Refuses the empty path, "..",
 * "~name" and a newline. what is the list's name, for messages.
 */
writ_status w_real_path_expand(const char *text,
    const struct w_real_path_base *base, const char *what, char **out_path,
    writ_error *err);

/* What becomes of a path that is a symbolic link. */
enum w_real_path_link {
	W_REAL_PATH_LINK_REFUSE,
	W_REAL_PATH_LINK_SKIP,
	W_REAL_PATH_LINK_FOLLOW,
};

struct w_real_path_query {
	const char *what;           /* the list's name, for messages */
	enum w_real_path_link link; /* for the last component */
	bool is_optional;           /* missing or out of reach: not found */
	bool skips_unreadable;      /* what we cannot read: not found */
	bool takes_any_kind;        /* also pipes, sockets and devices */
};

/*
 * Looks an absolute path up. Symbolic links before the last component are
 * followed; the answer has none, and is the file that was seen, also when the
 * tree changes meanwhile. *out_found is false, and *out_place untouched, for
 * what the query says to leave out.
 */
writ_status w_real_path_find(const char *path,
    const struct w_real_path_query *query, struct w_real_path *out_real_path,
    bool *out_found, writ_error *err);

/* What a path beneath a writable root turned out to be. */
enum w_real_path_kind {
	W_REAL_PATH_ABSENT,
	W_REAL_PATH_FOUND,
	W_REAL_PATH_LINKED, /* the way to it has to be followed: symlink_chain.h
			     */
};

/*
 * Looks up a path beneath a canonical root in order to protect it. One that
 * is, or leads through, a symbolic link, or that cannot be looked at, is
 * W_REAL_PATH_LINKED, with its path alone. Where a file stands in the way (.git
 * of a linked work tree), that file is the answer. A pipe or socket is a file.
 */
writ_status w_real_path_find_beneath(const char *root, const char *relative,
    struct w_existence_cache *cache, struct w_real_path *out_real_path,
    enum w_real_path_kind *out_kind, writ_error *err);

/* Whether a canonical path is parent, or lies beneath it. */
bool w_real_path_covers(const char *parent, const char *path);

void w_real_path_done(struct w_real_path *real_path);

/* Takes the place over, also when it fails: false, no memory. */
bool w_real_paths_add(
    struct w_real_paths *real_paths, struct w_real_path *real_path);
/* Sorts by path and joins equal paths, with the rights of both. */
void w_real_paths_sort(struct w_real_paths *real_paths);
/* The deepest place of the list that covers the path, or NULL. */
const struct w_real_path *w_real_paths_covering(
    const struct w_real_paths *real_paths, const char *path);
void w_real_paths_done(struct w_real_paths *real_paths);

#endif /* W_SANDBOX_REAL_PATH_H */
