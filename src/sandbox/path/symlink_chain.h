/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SANDBOX_SYMLINK_CHAIN_H
#define W_SANDBOX_SYMLINK_CHAIN_H

#include "sandbox/path/real_path.h"

/*
 * What a path depends on: each symbolic link on the way, and the file at its
 * end, of any type (a pipe, a socket, a directory where a file was expected).
 * All of them must be pinned for the path to stay the same.
 */
struct w_symlink_chain {
	struct w_real_paths real_paths;
	char *absent; /* the end of the path if it does not exist; or NULL */
};

/* Follows an absolute path. A file in the way, or a directory that may not be
 * searched, is its end. */
writ_status w_symlink_chain_follow(
    const char *path, struct w_symlink_chain *out_chain, writ_error *err);
void w_symlink_chain_done(struct w_symlink_chain *chain);

#endif /* W_SANDBOX_SYMLINK_CHAIN_H */
