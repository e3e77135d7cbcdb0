/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SANDBOX_LINKED_WORKTREE_H
#define W_SANDBOX_LINKED_WORKTREE_H

#include <limits.h>
#include <stdbool.h>

/* The repository that a linked work tree of git belongs to, a directory
 * elsewhere. false: root is none, or its links do not agree. */
bool w_profile_find_repository(const char *root, char out_path[PATH_MAX]);

#endif /* W_SANDBOX_LINKED_WORKTREE_H */
