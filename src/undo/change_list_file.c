/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The list of changes as a file.
 *
 *	magic, version
 *	for each change: kind, flags, lengths, path, why it is held back,
 *	sides, attributes
 *	SHA-256 of all before it
 *
 * Numbers are the machine's: the file never leaves it. The hash finds files
 * that a crash of the machine left incomplete; it is no protection against
 * somebody who can write there.
 */

#include <limits.h>
#include <string.h>

#include "undo/change_list.h"

#define STAGE "undo"

static const char magic[16] = "writ changes 2\n";

enum {
	HELD_MAX = 256,
	HAS_BEFORE = 1,
	HAS_AFTER = 2,
	IS_CUT = 4
};

struct list_head {
	uint32_t kind;
	uint32_t flags;
	uint32_t progress;
	uint32_t trouble;
	int32_t error;
	uint32_t path_len;
	uint32_t held_len; /* 0: it is not held back */
	uint32_t xattrs_len[2];
};

static void
write_change(const struct w_undo_change *change, struct w_buf *out)
{
	const struct list_head head = {
	    .kind = (uint32_t)change->kind,
	    .flags = (change->has[0] ? HAS_BEFORE : 0u) |
		     (change->has[1] ? HAS_AFTER : 0u) |
		     (change->is_cut ? IS_CUT : 0u),
	    .progress = (uint32_t)change->progress,
	    .trouble = (uint32_t)change->trouble,
	    .error = change->error,
	    .path_len = (uint32_t)strlen(change->path),
	    .held_len =
		change->held == NULL ? 0 : (uint32_t)strlen(change->held),
	    .xattrs_len = {(uint32_t)change->xattrs[0].len,
		(uint32_t)change->xattrs[1].len},
	};

	w_buf_add(out, &head, sizeof(head));
	w_buf_add(out, change->path, head.path_len);
	w_buf_add(out, change->held, head.held_len);
	for (int side = 0; side < 2; side++) {
		if (change->has[side])
			w_buf_add(out, &change->version[side],
			    sizeof(change->version[side]));
		w_buf_add(
		    out, change->xattrs[side].data, change->xattrs[side].len);
	}
}

bool
w_undo_list_write(const struct w_undo_list *list, struct w_buf *out)
{
	uint8_t sum[W_SHA256_SIZE];

	w_buf_add(out, magic, sizeof(magic));
	for (size_t i = 0; i < list->count; i++)
		write_change(&list->items[i], out);
	w_sha256(out->data, out->len, sum);
	w_buf_add(out, sum, sizeof(sum));
	return !out->failed;
}

struct list_input {
	const char *at;
	size_t left;
};

static bool
take(struct list_input *in, void *out, size_t len)
{
	if (in->left < len)
		return false;
	memcpy(out, in->at, len);
	in->at += len;
	in->left -= len;
	return true;
}

/* "a/b", without "", "." and ".." between the slashes. */
static bool
is_beneath(const char *path, size_t len)
{
	size_t start = 0;

	if (len == 0 || len >= PATH_MAX || memchr(path, '\0', len) != NULL)
		return false;
	if (len == 1 && path[0] == '.')
		return true;
	for (size_t i = 0; i <= len; i++) {
		const size_t part = i - start;

		if (i < len && path[i] != '/')
			continue;
		if (part == 0 || part > NAME_MAX ||
		    (part == 1 && path[start] == '.') ||
		    (part == 2 && memcmp(path + start, "..", 2) == 0))
			return false;
		start = i + 1;
	}
	return true;
}

static bool
is_member_of(const struct w_undo_list *list, const char *path)
{
	for (size_t i = list->count; i-- > 0;) {
		const char *step = list->items[i].path;
		const size_t len = strlen(step);

		if (list->items[i].kind == W_UNDO_MEMBER)
			continue;
		return list->items[i].kind != W_UNDO_SETTINGS &&
		       strncmp(step, path, len) == 0 && path[len] == '/';
	}
	return false;
}

static bool
has_its_sides(const struct list_head *head, const char *path)
{
	const uint32_t sides = head->flags & (HAS_BEFORE | HAS_AFTER);

	if ((head->flags & ~(uint32_t)(HAS_BEFORE | HAS_AFTER | IS_CUT)) != 0 ||
	    head->progress > W_UNDO_UNDONE || head->trouble > W_UNDO_FAILED)
		return false;
	if (strcmp(path, ".") == 0 && head->kind != W_UNDO_SETTINGS)
		return false;
	switch ((enum w_undo_kind)head->kind) {
	case W_UNDO_MADE:
		return sides == HAS_AFTER;
	case W_UNDO_DELETED:
		return sides == HAS_BEFORE;
	case W_UNDO_REPLACED:
	case W_UNDO_SETTINGS:
		return sides == (HAS_BEFORE | HAS_AFTER);
	case W_UNDO_MEMBER:
		return sides == HAS_BEFORE || sides == HAS_AFTER;
	}
	return false;
}

static bool
read_sides(struct list_input *in, const struct list_head *head,
    struct w_undo_change *change)
{
	for (int side = 0; side < 2; side++) {
		const size_t len = head->xattrs_len[side];

		change->has[side] =
		    (head->flags & (side == 0 ? HAS_BEFORE : HAS_AFTER)) != 0;
		if (change->has[side] && !take(in, &change->version[side],
					     sizeof(change->version[side])))
			return false;
		if (len > in->left ||
		    (len > 0 && change->kind != W_UNDO_SETTINGS))
			return false;
		w_buf_add(&change->xattrs[side], in->at, len);
		in->at += len;
		in->left -= len;
		if (change->xattrs[side].failed)
			return false;
	}
	return true;
}

/* Only a step that makes or replaces something is held back. */
static bool
read_held(struct list_input *in, const struct list_head *head,
    struct w_undo_change *change)
{
	if (head->held_len == 0)
		return true;
	if (head->held_len > HELD_MAX || head->held_len > in->left ||
	    memchr(in->at, '\0', head->held_len) != NULL ||
	    (head->kind != W_UNDO_MADE && head->kind != W_UNDO_REPLACED))
		return false;
	change->held = strndup(in->at, head->held_len);
	in->at += head->held_len;
	in->left -= head->held_len;
	return change->held != NULL;
}

static bool
read_change(struct list_input *in, struct w_undo_list *list)
{
	char path[PATH_MAX];
	struct list_head head;

	if (!take(in, &head, sizeof(head)) || head.path_len > in->left ||
	    !is_beneath(in->at, head.path_len))
		return false;
	(void)take(in, path, head.path_len);
	path[head.path_len] = '\0';
	if (!has_its_sides(&head, path) ||
	    (head.kind == W_UNDO_MEMBER && !is_member_of(list, path)))
		return false;
	struct w_undo_change *change =
	    w_undo_list_add(list, (enum w_undo_kind)head.kind, path);
	if (change == NULL)
		return false;
	change->progress = (enum w_undo_progress)head.progress;
	change->trouble = (enum w_undo_trouble)head.trouble;
	change->error = head.error;
	change->is_cut = (head.flags & IS_CUT) != 0;
	return read_held(in, &head, change) && read_sides(in, &head, change);
}

writ_status
w_undo_list_read(const void *bytes, size_t len, struct w_undo_list *out_list,
    writ_error *err)
{
	struct w_undo_list list = {0};
	uint8_t sum[W_SHA256_SIZE];
	const char *text = bytes;

	if (len < sizeof(magic) + sizeof(sum) ||
	    memcmp(text, magic, sizeof(magic)) != 0)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "this is not a list of changes");
	struct list_input in = {.at = text + sizeof(magic),
	    .left = len - sizeof(magic) - sizeof(sum)};
	w_sha256(text, len - sizeof(sum), sum);
	if (memcmp(sum, text + len - sizeof(sum), sizeof(sum)) != 0)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "the list of changes is damaged");
	while (in.left > 0) {
		if (read_change(&in, &list))
			continue;
		w_undo_list_done(&list);
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "the list of changes is damaged");
	}
	*out_list = list;
	return WRIT_OK;
}
