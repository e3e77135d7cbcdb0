/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_TRIGGER_GIT_OBJECT_H
#define W_TRIGGER_GIT_OBJECT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "trigger/sha1.h"

/*
 * Reads the objects of a git repository: loose ones and those in packs, with
 * SHA-1 names. Whoever can write in the repository can write anything there, so
 * each object is compared with its name, and nothing runs git.
 */

enum w_git_kind {
	W_GIT_OTHER,
	W_GIT_COMMIT, /* as in packs */
	W_GIT_TREE,
	W_GIT_BLOB,
	W_GIT_TAG
};

struct w_git_id {
	uint8_t bytes[W_SHA1_SIZE];
};

/* An object's content, without its header. git_fd: the git directory. Empties
 * out first. false: there is none of that kind, it is damaged, or too large. */
bool w_git_object_read(int git_fd, const struct w_git_id *id,
    enum w_git_kind kind, struct w_buf *out);

/* The name that a content has. */
void w_git_object_name(
    enum w_git_kind kind, const void *bytes, size_t len, struct w_git_id *out);

/* The content of a loose object's file; *out_kind is W_GIT_OTHER if it is none
 * of the four. Also for the fuzzer, as is the next. */
bool w_git_object_parse(const void *bytes, size_t len,
    enum w_git_kind *out_kind, struct w_buf *out);

/* Appends the result of a delta to out. */
bool w_git_object_patch(
    const struct w_buf *base, const struct w_buf *delta, struct w_buf *out);

/* ---- git_tree.c ---- */

/* "tree HEX" or "parent HEX" of a commit, "object HEX" of a tag: the which-th
 * line of that name. */
bool w_git_commit_get(const struct w_buf *commit, const char *name,
    size_t which, struct w_git_id *out);

/* The entry of a tree with this name. */
bool w_git_tree_get(const struct w_buf *tree, const char *name, size_t len,
    unsigned *out_mode, struct w_git_id *out);

#endif /* W_TRIGGER_GIT_OBJECT_H */
