/* SPDX-License-Identifier: Apache-2.0 */

/* The difference that a change makes, as text. */

#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/buf.h"
#include "base/error.h"
#include "edit/file_diff.h"
#include "engine/undo/changes_state.h"
#include "os/file.h"
#include "undo/change_open.h"

/* A side that is missing is an empty text. false: it cannot be shown. */
static bool
read_side(const struct w_change_set *set, size_t index, enum w_undo_side side,
    struct w_buf *out)
{
	if (!set->list.items[index].has[side])
		return true;
	W_AUTO_FD int fd = w_change_open(set, index, side);
	return fd >= 0 && w_file_read_all(fd, out) == 0;
}

/* The members of a directory that was replaced have one side each. */
static size_t
index_of(const struct w_changes *changes, size_t item, enum w_undo_side side)
{
	const struct w_undo_list *list = &changes->set.list;
	const size_t index = changes->indexes[item];

	if (list->items[index].has[side] ||
	    strcmp(changes->items[item].kind, "changed") != 0)
		return index;
	for (size_t i = index + 1; i < list->count; i++) {
		if (list->items[i].kind == W_UNDO_MEMBER &&
		    list->items[i].has[side] &&
		    strcmp(list->items[i].path, list->items[index].path) == 0)
			return i;
	}
	return index;
}

writ_status
writ_changes_diff(
    const writ_changes *shown, size_t index, char **out_text, writ_error *err)
{
	const struct w_changes *changes = w_changes_of(shown);
	struct w_buf texts[2];
	bool can = index < shown->count;
	writ_status status = WRIT_OK;

	*out_text = NULL;
	for (int i = 0; i < 2; i++) {
		const enum w_undo_side side =
		    i == 0 ? W_UNDO_BEFORE : W_UNDO_AFTER;

		w_buf_init(&texts[side], W_DIFF_BYTES_MAX);
		can = can &&
		      read_side(&changes->set, index_of(changes, index, side),
			  side, &texts[side]);
	}
	if (can) {
		const char *path = shown->items[index].path;
		const struct w_diff_side old = {
		    texts[0].len == 0 ? "/dev/null" : path, texts[0].data,
		    texts[0].len};
		const struct w_diff_side new = {
		    texts[1].len == 0 ? "/dev/null" : path, texts[1].data,
		    texts[1].len};

		status = w_diff_unified(&old, &new, out_text, err);
	}
	w_buf_done(&texts[0]);
	w_buf_done(&texts[1]);
	return status;
}
