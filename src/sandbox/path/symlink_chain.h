/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SANDBOX_SYMLINK_CHAIN_H
#define W_SANDBOX_SYMLINK_CHAIN_H

#include "sandbox/path/real_path.h"

/*
 * What a path depends on: each symbolic link on the way to it, and what it
 * leads to in the end, of whatever kind (a pipe, a socket, a directory where a
 * file was meant). All of them have to be held fast for the path to stay what
 * it is.
 */
struct w_symlink_chain {
	struct w_real_paths real_paths;
	char *absent; /* the end of the way, where nothing is yet; or NULL */
};

/* Follows an absolute path. A file that stands in the way, or a directory that
 * may not be looked into, is its end. */
writ_status w_symlink_chain_follow(
    const char *path, struct w_symlink_chain *out_chain, writ_error *err);
void w_symlink_chain_done(struct w_symlink_chain *chain);

#endif /* W_SANDBOX_SYMLINK_CHAIN_H */
