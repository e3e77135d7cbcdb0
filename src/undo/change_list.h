/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_UNDO_CHANGE_LIST_H
#define W_UNDO_CHANGE_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/sha256.h"

/*
 * What a run changed in a project: a list of steps, each of which moves one
 * file or directory into the project or out of it.
 *
 * A step has up to two sides: the file before the run and the one after it. One
 * of them is in the project, the other in the store. A directory moves as a
 * whole; what is in it follows the step as members, which say what was there.
 */

enum w_undo_kind {
	W_UNDO_MADE = 1, /* only after */
	W_UNDO_REPLACED, /* both */
	W_UNDO_DELETED,  /* only before */
	W_UNDO_SETTINGS, /* a directory that stays: mode, owner, times, extended
			    attributes */
	W_UNDO_MEMBER,   /* of the step above it; one side */
};

enum w_undo_side {
	W_UNDO_BEFORE,
	W_UNDO_AFTER,
};

enum {
	W_UNDO_DEPTH_MAX = 128,       /* directories in directories */
	W_UNDO_CHANGES_MAX = 1000000, /* in one list */
};

/* What tells one version of a file from another. */
struct w_undo_version {
	uint64_t dev;
	uint64_t ino;
	uint64_t size;
	uint64_t blocks; /* of 512 bytes */
	uint64_t rdev;
	int64_t mtime_s;
	int64_t ctime_s;
	uint32_t mtime_ns;
	uint32_t ctime_ns;
	uint32_t mode;
	uint32_t uid;
	uint32_t gid;
	uint32_t nlink;
};

/* Which side the project has. */
enum w_undo_progress {
	W_UNDO_WAITING, /* what was before: not accepted yet */
	W_UNDO_DONE,    /* what is after */
	W_UNDO_UNDONE,  /* what was before, again */
};

/* Why the last attempt to move a step failed. The step is as it was. */
enum w_undo_trouble {
	W_UNDO_FINE,
	W_UNDO_CONFLICT, /* somebody else changed it since; error: 0, or EEXIST:
			    it was made, ENOENT: it was removed */
	W_UNDO_FAILED,   /* a system call failed with error */
};

struct w_undo_change {
	enum w_undo_kind kind;
	char *path; /* relative to the project; "." is the project itself */
	bool has[2];
	char *held;  /* it is held back, and why; NULL: it is not */
	bool is_cut; /* its members are not all listed: too deep */
	struct w_undo_version version[2];
	struct w_buf xattrs[2]; /* of SETTINGS; see layer_xattrs.h */
	enum w_undo_progress progress;
	enum w_undo_trouble trouble;
	int error;
};

struct w_undo_list {
	struct w_undo_change *items;
	size_t count;
	size_t cap;
};

void w_undo_list_done(struct w_undo_list *list);
#define W_AUTO_UNDO_LIST __attribute__((cleanup(w_undo_list_done)))

/* A new item with a copy of path. NULL: no memory, or the list is full. */
struct w_undo_change *w_undo_list_add(
    struct w_undo_list *list, enum w_undo_kind kind, const char *path);

void w_undo_version_of(const struct stat *st, struct w_undo_version *out);

/* Whether it is the same file with the same content and settings, by all but
 * its change time. A directory's size and times are not looked at. */
bool w_undo_version_equals(
    const struct w_undo_version *a, const struct w_undo_version *b);
bool w_undo_version_same_file(
    const struct w_undo_version *version, const struct stat *st);

/* Whether the settings of a directory differ, apart from its times. */
bool w_undo_settings_differ(const struct w_undo_change *change);

/* Bytes that the side takes on disk, with members. */
uint64_t w_undo_list_bytes(
    const struct w_undo_list *list, enum w_undo_side side);

/*
 * The list as a file, and back. Reading checks everything: paths stay beneath
 * the project, members follow a step. WRIT_E_INVALID says what is wrong.
 */
bool w_undo_list_write(const struct w_undo_list *list, struct w_buf *out);
writ_status w_undo_list_read(const void *bytes, size_t len,
    struct w_undo_list *out_list, writ_error *err);

/* The hash of what changed: paths, kinds, sizes, modes. */
void w_undo_list_hash(
    const struct w_undo_list *list, uint8_t out[W_SHA256_SIZE]);

#endif /* W_UNDO_CHANGE_LIST_H */
