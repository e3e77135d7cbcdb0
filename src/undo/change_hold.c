/* SPDX-License-Identifier: Apache-2.0 */

/* Holds back what runs later; see change_hold.h. */

#include "undo/change_hold.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "trigger/git_refs.h"
#include "trigger/trigger.h"
#include "undo/tree_open.h"

#define STAGE "undo"

struct holding {
	const struct w_undo_hold *hold;
	struct w_undo_list *list;
	bool has_failed;
};

/* ---- the list ---- */

static bool
has_new_side(const struct w_undo_change *change, const char *path)
{
	return change->has[W_UNDO_AFTER] && change->kind != W_UNDO_SETTINGS &&
	       strcmp(change->path, path) == 0;
}

static bool
is_beneath(const char *path, const char *dir)
{
	const size_t len = strlen(dir);

	return strncmp(path, dir, len) == 0 && path[len] == '/';
}

/* Takes a member, with what is beneath it, out of its directory's step and adds
 * it to the end as a step. false: no memory. */
static bool
move_to_end(struct w_undo_list *list, size_t first)
{
	const size_t count = list->count;
	const char *path = list->items[first].path;
	size_t next = first + 1;

	while (next < count && list->items[next].kind == W_UNDO_MEMBER &&
	       list->items[next].has[W_UNDO_AFTER] &&
	       is_beneath(list->items[next].path, path))
		next++;
	const size_t taken = next - first;
	struct w_undo_change *items = calloc(taken, sizeof(*items));
	if (items == NULL)
		return false;
	memcpy(items, &list->items[first], taken * sizeof(*items));
	memmove(&list->items[first], &list->items[next],
	    (count - next) * sizeof(*items));
	memcpy(&list->items[count - taken], items, taken * sizeof(*items));
	free(items);
	list->items[count - taken].kind = W_UNDO_MADE;
	return true;
}

static bool
mark(struct w_undo_list *list, size_t index, const char *why)
{
	struct w_undo_change *change = &list->items[index];

	if (change->held != NULL)
		return true;
	change->held = strdup(why);
	if (change->held == NULL)
		return false;
	return change->kind != W_UNDO_MEMBER || move_to_end(list, index);
}

/* ---- which ---- */

/* Else an agent could not change to another branch. */
static bool
is_checked_out(const struct w_undo_hold *hold, const char *path)
{
	const struct w_git_refs refs = {.low_fd = hold->low_fd,
	    .upper_fd = hold->upper_fd,
	    .before = hold->session_began};
	const char *name;

	if (hold->session_began.tv_sec == 0)
		return false;
	W_AUTO_FD int dir_fd = w_undo_open_parent(hold->upper_fd, path, &name);
	return dir_fd >= 0 && w_git_refs_hold(&refs, path, dir_fd, name);
}

static bool
is_permitted(const struct w_undo_hold *hold, const char *path)
{
	const struct w_undo_permit *permit = hold->permit;
	char whole[PATH_MAX];

	return permit != NULL && permit->has != NULL &&
	       snprintf(whole, sizeof(whole), "%s/%s", hold->root, path) <
		   (int)sizeof(whole) &&
	       permit->has(&permit->named, whole);
}

static bool
take_trigger(void *ctx, const char *path, const char *why)
{
	struct holding *holding = ctx;
	struct w_undo_list *list = holding->list;

	for (size_t i = 0; i < list->count; i++) {
		if (!has_new_side(&list->items[i], path))
			continue;
		if (is_permitted(holding->hold, path) ||
		    is_checked_out(holding->hold, path))
			return true;
		holding->has_failed |= !mark(list, i, why);
		return !holding->has_failed;
	}
	/* It was copied to the layer and is not among the changes: an empty
	 * mark of the kernel. */
	return true;
}

writ_status
w_undo_hold(
    const struct w_undo_hold *hold, struct w_undo_list *list, writ_error *err)
{
	struct holding holding = {.hold = hold, .list = list};
	const struct w_trigger_layer layer = {
	    .upper_fd = hold->upper_fd,
	    .low_fd = hold->low_fd,
	    .root = hold->root,
	};

	if (!w_triggers_find_in_layer(&layer, take_trigger, &holding) ||
	    holding.has_failed)
		return w_fail(err, WRIT_E_SYSTEM, STAGE, 0,
		    "cannot find out what of the changes would run something "
		    "later");
	return WRIT_OK;
}

/* ---- moving it away ---- */

/* Directories above a file that are closed to their owner: open while it
 * moves. */
struct hold_rights {
	int fds[W_UNDO_DEPTH_MAX + 2];
	mode_t modes[W_UNDO_DEPTH_MAX + 2];
	size_t count;
};

static void
rights_take(struct hold_rights *rights, int upper_fd, const char *path)
{
	char part[PATH_MAX];

	for (size_t len = 0; path[len] != '\0' && len < sizeof(part) - 1 &&
			     rights->count < W_UNDO_DEPTH_MAX + 2;) {
		len += strcspn(path + len, "/");
		if (len >= sizeof(part))
			return;
		memcpy(part, path, len);
		part[len] = '\0';
		W_AUTO_FD int fd = w_undo_open_beneath(upper_fd, part);
		if (w_undo_loosen(fd, &rights->modes[rights->count]))
			rights->fds[rights->count++] = w_take_fd(&fd);
		len += path[len] == '/';
	}
}

static void
rights_give_back(struct hold_rights *rights)
{
	while (rights->count > 0) {
		rights->count--;
		w_undo_tighten(
		    rights->fds[rights->count], rights->modes[rights->count]);
		w_close(&rights->fds[rights->count]);
	}
}

static int
stash_one(
    const struct w_undo_change *change, size_t index, int upper_fd, int held_fd)
{
	struct hold_rights rights = {.count = 0};
	const char *name;
	char slot[24];

	(void)snprintf(slot, sizeof(slot), "%zu", index);
	if (faccessat(held_fd, slot, F_OK, AT_SYMLINK_NOFOLLOW) == 0)
		return 0;
	/* Its own too: a directory has to be writable for its new "..". */
	rights_take(&rights, upper_fd, change->path);
	W_AUTO_FD int dir_fd =
	    w_undo_open_parent(upper_fd, change->path, &name);
	const int error = dir_fd < 0 ? -dir_fd
			  : renameat2(dir_fd, name, held_fd, slot, 0) < 0
			      ? errno
			      : 0;
	rights_give_back(&rights);
	return error;
}

int
w_undo_hold_stash(const struct w_undo_list *list, int upper_fd, int held_fd)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct w_undo_change *change = &list->items[i];

		if (change->held == NULL || change->progress != W_UNDO_WAITING)
			continue;
		const int error = stash_one(change, i, upper_fd, held_fd);
		if (error != 0)
			return error;
	}
	return 0;
}
