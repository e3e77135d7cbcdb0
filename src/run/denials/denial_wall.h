/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_DENIAL_WALL_H
#define W_RUN_DENIAL_WALL_H

#include "run/denials/denial_context.h"

/*
 * Which wall stands before a path, and what could be asked for instead.
 *
 * The path may come from the command's output, so the answer must not tell what
 * the command cannot see: nothing hidden or unseen is looked up, and no link in
 * such a place is followed.
 */
#define W_DENIAL_WALL_MAP(X)      \
	X(NONE, NULL)             \
	X(READ_ONLY, "readonly")  \
	X(PROTECTED, "protected") \
	X(HIDDEN, "hidden")       \
	X(UNSEEN, "unseen")       \
	X(NETWORK, "network")     \
	X(SYSTEM_CALL, "seccomp")

enum w_denial_wall {
#define X(name, word) W_DENIAL_WALL_##name,
	W_DENIAL_WALL_MAP(X)
#undef X
};

/* NULL for W_DENIAL_WALL_NONE. */
const char *w_denial_wall_word(enum w_denial_wall wall);

/* The wall before an absolute path. out_path is the path with its links
 * resolved, as far as the command can see them. */
enum w_denial_wall w_denial_wall_of(const struct w_denial_context *context,
    const char *path, char out_path[PATH_MAX]);

/*
 * The directory to ask for, so that a path that w_denial_wall_of() resolved can
 * be written. false: none is proposed. Never proposed are the root, the
 * directories in it, those of the system, the home directory and what it is in,
 * what configures or is run by a user's programs (~/.*, ~/bin, except caches),
 * writ's own, and what this user could not write anyway.
 */
bool w_denial_wall_ask(const struct w_denial_context *context, const char *path,
    char out_path[PATH_MAX]);

#endif /* W_RUN_DENIAL_WALL_H */
