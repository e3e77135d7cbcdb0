/* SPDX-License-Identifier: Apache-2.0 */

/* The list of changes in memory. */

#include "undo/change_list.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

enum {
	XATTRS_MAX = 256 * 1024
};

void
w_undo_list_done(struct w_undo_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		free(list->items[i].path);
		free(list->items[i].held);
		w_buf_done(&list->items[i].xattrs[0]);
		w_buf_done(&list->items[i].xattrs[1]);
	}
	free(list->items);
	*list = (struct w_undo_list){0};
}

struct w_undo_change *
w_undo_list_add(
    struct w_undo_list *list, enum w_undo_kind kind, const char *path)
{
	if (list->count >= W_UNDO_CHANGES_MAX ||
	    !w_grow(&list->items, list->count, &list->cap))
		return NULL;
	struct w_undo_change *change = &list->items[list->count];
	*change = (struct w_undo_change){.kind = kind, .path = strdup(path)};
	if (change->path == NULL)
		return NULL;
	w_buf_init(&change->xattrs[0], XATTRS_MAX);
	w_buf_init(&change->xattrs[1], XATTRS_MAX);
	list->count++;
	return change;
}

void
w_undo_version_of(const struct stat *st, struct w_undo_version *out)
{
	*out = (struct w_undo_version){
	    .dev = st->st_dev,
	    .ino = st->st_ino,
	    .size = (uint64_t)st->st_size,
	    .blocks = (uint64_t)st->st_blocks,
	    .rdev = st->st_rdev,
	    .mtime_s = st->st_mtim.tv_sec,
	    .mtime_ns = (uint32_t)st->st_mtim.tv_nsec,
	    .ctime_s = st->st_ctim.tv_sec,
	    .ctime_ns = (uint32_t)st->st_ctim.tv_nsec,
	    .mode = st->st_mode,
	    .uid = st->st_uid,
	    .gid = st->st_gid,
	    .nlink = (uint32_t)st->st_nlink,
	};
}

bool
w_undo_version_same_file(
    const struct w_undo_version *version, const struct stat *st)
{
	return version->dev == st->st_dev && version->ino == st->st_ino &&
	       (version->mode & S_IFMT) == (st->st_mode & S_IFMT);
}

bool
w_undo_version_equals(
    const struct w_undo_version *a, const struct w_undo_version *b)
{
	if (a->dev != b->dev || a->ino != b->ino || a->mode != b->mode ||
	    a->uid != b->uid || a->gid != b->gid)
		return false;
	if (S_ISDIR(a->mode))
		return true;
	return a->size == b->size && a->rdev == b->rdev &&
	       a->mtime_s == b->mtime_s && a->mtime_ns == b->mtime_ns;
}

bool
w_undo_settings_differ(const struct w_undo_change *change)
{
	const struct w_undo_version *before = &change->version[W_UNDO_BEFORE];
	const struct w_undo_version *after = &change->version[W_UNDO_AFTER];
	const struct w_buf *xattrs = change->xattrs;

	return before->mode != after->mode || before->uid != after->uid ||
	       before->gid != after->gid || xattrs[0].len != xattrs[1].len ||
	       memcmp(xattrs[0].data, xattrs[1].data, xattrs[0].len) != 0;
}

uint64_t
w_undo_list_bytes(const struct w_undo_list *list, enum w_undo_side side)
{
	uint64_t blocks = 0;

	for (size_t i = 0; i < list->count; i++) {
		const struct w_undo_change *change = &list->items[i];

		if (change->has[side] && change->kind != W_UNDO_SETTINGS)
			blocks += change->version[side].blocks;
	}
	return blocks * 512;
}

void
w_undo_list_hash(const struct w_undo_list *list, uint8_t out[W_SHA256_SIZE])
{
	struct w_sha256 sum;

	w_sha256_init(&sum);
	for (size_t i = 0; i < list->count; i++) {
		const struct w_undo_change *change = &list->items[i];
		const uint64_t facts[] = {(uint64_t)change->kind,
		    change->has[0] ? change->version[0].size : 0,
		    change->has[0] ? change->version[0].mode : 0,
		    change->has[1] ? change->version[1].size : 0,
		    change->has[1] ? change->version[1].mode : 0};

		if (change->kind == W_UNDO_SETTINGS &&
		    !w_undo_settings_differ(change))
			continue;
		w_sha256_add(&sum, change->path, strlen(change->path) + 1);
		w_sha256_add(&sum, facts, sizeof(facts));
	}
	w_sha256_end(&sum, out);
}
