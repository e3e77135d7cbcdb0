/* SPDX-License-Identifier: Apache-2.0 */

/* A list of changes as callers see it: by path, with words. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "engine/undo/changes_state.h"
#include "undo/change_count.h"
#include "undo/change_open.h"

#define STAGE "undo"

static const char *
type_word(uint32_t mode)
{
	switch (mode & S_IFMT) {
	case S_IFREG:
		return "file";
	case S_IFDIR:
		return "directory";
	case S_IFLNK:
		return "link";
	case S_IFIFO:
		return "fifo";
	case S_IFSOCK:
		return "socket";
	default:
		return "device";
	}
}

/* NULL: no memory, or none. */
static char *
trouble_text(const struct w_undo_change *step)
{
	const char *cause =
	    step->error != 0 ? strerrordesc_np(step->error) : NULL;
	char *text = NULL;

	if (step->trouble == W_UNDO_FINE)
		return NULL;
	if (step->trouble == W_UNDO_CONFLICT)
		return strdup(step->error == EEXIST ? "somebody made it since"
			      : step->error == ENOENT
				  ? "somebody removed it since"
				  : "somebody changed it since");
	return asprintf(&text, "it could not be moved: %s",
		   cause == NULL ? "unknown error" : cause) < 0
		   ? NULL
		   : text;
}

static void
add_side(writ_change *item, const struct w_undo_change *change, int side)
{
	const struct w_undo_version *version = &change->version[side];
	const uint64_t bytes = S_ISREG(version->mode) ? version->size : 0;

	if (!change->has[side])
		return;
	item->type = type_word(version->mode);
	*(side == W_UNDO_BEFORE ? &item->bytes_before : &item->bytes_after) =
	    bytes;
	*(side == W_UNDO_BEFORE ? &item->mode_before : &item->mode_after) =
	    version->mode & 07777;
}

static void
fill_item(struct w_changes *changes, size_t at, size_t index)
{
	const struct w_undo_list *list = &changes->set.list;
	const struct w_undo_change *change = &list->items[index];
	writ_change *item = &changes->items[at];

	*item = (writ_change){.path = change->path};
	item->kind = change->kind == W_UNDO_SETTINGS ? "settings"
		     : !change->has[W_UNDO_BEFORE]   ? "made"
		     : !change->has[W_UNDO_AFTER]    ? "deleted"
						     : "changed";
	add_side(item, change, W_UNDO_BEFORE);
	add_side(item, change, W_UNDO_AFTER);
	changes->indexes[at] = index;
	changes->troubles[at] =
	    trouble_text(&list->items[w_change_step(list, index)]);
	item->trouble = changes->troubles[at];
	if (change->progress == W_UNDO_WAITING)
		item->held = change->held;
}

/* ---- order ---- */

struct item_place {
	const char *path;
	size_t index;
};

static int
compare_places(const void *left, const void *right)
{
	const struct item_place *a = left, *b = right;
	const int order = strcmp(a->path, b->path);

	return order != 0 ? order
			  : (a->index > b->index) - (a->index < b->index);
}

/* Both sides of a file whose directory was replaced as a whole: the members for
 * before come first. */
static bool
is_other_side(const struct w_changes *changes, size_t at, size_t index)
{
	const struct w_undo_change *change = &changes->set.list.items[index];

	return strcmp(changes->items[at].path, change->path) == 0 &&
	       strcmp(changes->items[at].kind, "deleted") == 0 &&
	       change->kind == W_UNDO_MEMBER && change->has[W_UNDO_AFTER];
}

static void
fill_all(
    struct w_changes *changes, const struct item_place *places, size_t count)
{
	size_t used = 0;

	for (size_t i = 0; i < count; i++) {
		if (used > 0 &&
		    is_other_side(changes, used - 1, places[i].index)) {
			writ_change *item = &changes->items[used - 1];

			item->kind = "changed";
			add_side(item,
			    &changes->set.list.items[places[i].index],
			    W_UNDO_AFTER);
			continue;
		}
		fill_item(changes, used++, places[i].index);
	}
	changes->shown.count = used;
}

static uint64_t
microseconds(const struct timespec *time)
{
	return (uint64_t)time->tv_sec * 1000000 +
	       (uint64_t)time->tv_nsec / 1000;
}

static void
fill_head(struct w_changes *changes)
{
	const struct w_change_set *set = &changes->set;

	changes->shown = (writ_changes){
	    .run_id = set->id,
	    .project = set->root,
	    .state = (writ_changes_state)w_change_set_state(set),
	    .is_trial = set->is_trial,
	    .began_us = microseconds(&set->began),
	    .moved_us = microseconds(&set->ended),
	    .kept_bytes = w_change_set_bytes(set),
	    .items = changes->items,
	    .session = set->session,
	};
}

writ_status
w_changes_show(struct w_changes *changes, writ_error *err)
{
	const struct w_undo_list *list = &changes->set.list;
	struct item_place *places = calloc(list->count + 1, sizeof(*places));
	size_t count = 0;

	w_changes_hide(changes);
	changes->items = calloc(list->count + 1, sizeof(*changes->items));
	changes->indexes = calloc(list->count + 1, sizeof(*changes->indexes));
	changes->troubles = calloc(list->count + 1, sizeof(*changes->troubles));
	if (places == NULL || changes->items == NULL ||
	    changes->indexes == NULL || changes->troubles == NULL) {
		free(places);
		return w_fail_nomem(err, STAGE);
	}
	for (size_t i = 0; i < list->count; i++) {
		if (w_undo_change_is_shown(&list->items[i]))
			places[count++] =
			    (struct item_place){list->items[i].path, i};
	}
	qsort(places, count, sizeof(*places), compare_places);
	fill_head(changes);
	fill_all(changes, places, count);
	free(places);
	return WRIT_OK;
}

void
w_changes_hide(struct w_changes *changes)
{
	for (size_t i = 0;
	     changes->troubles != NULL && i < changes->shown.count; i++)
		free(changes->troubles[i]);
	free(changes->troubles);
	free(changes->indexes);
	free(changes->items);
	changes->troubles = NULL;
	changes->indexes = NULL;
	changes->items = NULL;
	changes->shown.count = 0;
}
