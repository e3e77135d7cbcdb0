/* SPDX-License-Identifier: Apache-2.0 */

/* The changes of one run; see change_set.h. */

#include "undo/change_set.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>

#include "base/auto.h"
#include "os/file.h"
#include "os/replace.h"
#include "undo/change_count.h"
#include "undo/change_hold.h"
#include "undo/change_move.h"
#include "undo/change_store.h"
#include "undo/layer_scan.h"
#include "undo/tree_open.h"

#define STAGE "undo"

enum {
	LIST_MAX = 1 << 30
};

static const struct w_replace replaces = {.mode = 0600, .may_replace = true};

/* ---- the list ---- */

static writ_status
read_list(struct w_change_set *set, writ_error *err)
{
	W_AUTO_BUF struct w_buf bytes;
	W_AUTO_FD int fd =
	    openat(set->dir_fd, "list", O_RDONLY | O_NOFOLLOW | O_CLOEXEC);

	w_buf_init(&bytes, LIST_MAX);
	if (fd < 0)
		return errno == ENOENT
			   ? WRIT_OK
			   : w_fail(err, WRIT_E_SYSTEM, STAGE, errno,
				 "cannot read the changes of '%s'", set->id);
	const int error = w_file_read_all(fd, &bytes);
	if (error != 0)
		return w_fail(err, WRIT_E_SYSTEM, STAGE, error,
		    "cannot read the changes of '%s'", set->id);
	writ_status status =
	    w_undo_list_read(bytes.data, bytes.len, &set->list, err);
	set->has_list = status == WRIT_OK;
	return status;
}

/* The disk is full, or cannot be written on. */
static bool
lacks_room(int error)
{
	return error == ENOSPC || error == EDQUOT || error == EROFS;
}

/* is_needed: else the list may be known to this process alone, so that what
 * waits can be looked at and dropped on a full disk. Nothing moves then. */
static writ_status
write_list(struct w_change_set *set, bool is_needed, writ_error *err)
{
	W_AUTO_BUF struct w_buf bytes;
	int error = ENOMEM;

	w_buf_init(&bytes, LIST_MAX);
	if (w_undo_list_write(&set->list, &bytes))
		error = w_replace_file(
		    set->dir_fd, "list", bytes.data, bytes.len, &replaces);
	if (error != 0 && !is_needed && lacks_room(error))
		return WRIT_OK;
	if (error != 0)
		return w_fail(err, WRIT_E_SYSTEM, STAGE, error,
		    "cannot write the changes of '%s'", set->id);
	set->has_list = true;
	/* Runs are undone in the order in which they were accepted, and the
	 * file system's clock is too coarse for that. */
	(void)clock_gettime(CLOCK_REALTIME, &set->ended);
	const struct timespec times[2] = {set->ended, set->ended};
	(void)utimensat(set->dir_fd, "list", times, AT_SYMLINK_NOFOLLOW);
	return WRIT_OK;
}

/* The project may have been replaced by another directory since. */
static writ_status
open_root(const struct w_change_set *set, int *out_fd, writ_error *err)
{
	W_AUTO_FD int fd =
	    open(set->root, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return w_fail(err, WRIT_E_SYSTEM, STAGE, errno,
		    "cannot open '%s'", set->root);
	if (st.st_dev != set->root_dev || st.st_ino != set->root_ino)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "'%s' is another directory than the run changed",
		    set->root);
	*out_fd = w_take_fd(&fd);
	return WRIT_OK;
}

static int
open_part(const struct w_change_set *set, const char *path)
{
	return openat(
	    set->dir_fd, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

static writ_status
hold_back(struct w_change_set *set, const struct w_undo_layer *own,
    int layer_fd, int root_fd, writ_error *err)
{
	W_AUTO_FD int upper_fd = w_undo_open_beneath(layer_fd, "upper");
	const struct w_undo_hold hold = {
	    .upper_fd = upper_fd,
	    .low_fd = root_fd,
	    .root = set->root,
	    .session_began = set->session_began,
	    .permit = own == NULL ? NULL : &own->permit,
	};

	if (upper_fd < 0)
		return w_fail(err, WRIT_E_SYSTEM, STAGE, -upper_fd,
		    "cannot open the layer of '%s'", set->id);
	return w_undo_hold(&hold, &set->list, err);
}

/* What is held back must not be in the layer when the rest moves. */
static writ_status
stash(const struct w_change_set *set, writ_error *err)
{
	bool has_any = false;
	int error = 0;

	for (size_t i = 0; i < set->list.count && !has_any; i++)
		has_any = set->list.items[i].held != NULL;
	if (!has_any)
		return WRIT_OK;
	if (mkdirat(set->dir_fd, "held", 0700) < 0 && errno != EEXIST)
		error = errno;
	W_AUTO_FD int held_fd = open_part(set, "held");
	W_AUTO_FD int layer_fd = open_part(set, "layer");
	W_AUTO_FD int upper_fd =
	    layer_fd < 0 ? -1 : w_undo_open_beneath(layer_fd, "upper");
	if (error == 0 && (held_fd < 0 || upper_fd < 0))
		error = errno;
	if (error == 0)
		error = w_undo_hold_stash(&set->list, upper_fd, held_fd);
	return error == 0 ? WRIT_OK
			  : w_fail(err, WRIT_E_SYSTEM, STAGE, error,
				"cannot hold back a part of the changes of "
				"'%s'",
				set->id);
}

/* own: as in w_change_set_open(). What its rules permit is known only while its
 * writ lives; else more is held back. */
static writ_status
scan(struct w_change_set *set, const struct w_undo_layer *own, writ_error *err)
{
	W_AUTO_FD int root_fd = -1;
	W_AUTO_FD int layer_fd = open_part(set, "layer");
	struct w_undo_scan scan = {
	    .layer_fd = layer_fd,
	    .root_fd = -1,
	    .xattrs = {.is_user = set->is_user},
	};

	if (layer_fd < 0)
		return w_fail(err, WRIT_E_SYSTEM, STAGE, errno,
		    "cannot open the layer of '%s'", set->id);
	writ_status status = open_root(set, &root_fd, err);
	if (status != WRIT_OK)
		return status;
	scan.root_fd = root_fd;
	status = w_undo_scan(&scan, &set->list, err);
	if (status == WRIT_OK)
		status = hold_back(set, own, layer_fd, root_fd, err);
	if (status == WRIT_OK)
		status = write_list(set, false, err);
	/* The kernel's own directory is closed to its owner, too: rm -r would
	 * fail at it. */
	if (status == WRIT_OK)
		(void)w_file_remove_tree_at(layer_fd, "work");
	return status;
}

/* ---- moves ---- */

/* What pruning looks at; without it nothing is pruned. */
static void
write_size(const struct w_change_set *set)
{
	char text[32 + 2 * W_CHANGE_ID_MAX];

	if (w_change_set_state(set) == W_CHANGE_WAITING) {
		(void)unlinkat(set->dir_fd, "size", 0);
		return;
	}
	bool is_held = false;
	for (size_t i = 0; i < set->list.count && !is_held; i++)
		is_held = set->list.items[i].held != NULL &&
			  set->list.items[i].progress == W_UNDO_WAITING;
	const int len = snprintf(text, sizeof(text), "%" PRIu64 " %s %s %s\n",
	    w_change_set_bytes(set), is_held ? "held" : "free",
	    set->session == NULL ? "." : set->session, set->owner);
	(void)w_replace_file(set->dir_fd, "size", text, (size_t)len, &replaces);
}

static writ_status
open_place(struct w_change_set *set, struct w_undo_place *out, writ_error *err)
{
	W_AUTO_FD int layer_fd = open_part(set, "layer");

	if (mkdirat(set->dir_fd, "old", 0700) < 0 && errno != EEXIST)
		return w_fail(err, WRIT_E_SYSTEM, STAGE, errno,
		    "cannot make room for the changes of '%s'", set->id);
	writ_status status = open_root(set, &out->root_fd, err);
	if (status != WRIT_OK)
		return status;
	out->old_fd = open_part(set, "old");
	out->held_fd = open_part(set, "held");
	out->upper_fd =
	    layer_fd < 0 ? -1 : w_undo_open_beneath(layer_fd, "upper");
	if (out->old_fd >= 0 && out->upper_fd >= 0)
		return WRIT_OK;
	return w_fail(err, WRIT_E_SYSTEM, STAGE, errno,
	    "cannot open the changes of '%s'", set->id);
}

/* Whether all that was to move in the directory was left alone: then it keeps
 * its times, and can be tried again. */
static bool
is_idle(const struct w_change_set *set, size_t index, const char *todo)
{
	const struct w_undo_change *settings = &set->list.items[index];
	const size_t len =
	    strcmp(settings->path, ".") == 0 ? 0 : strlen(settings->path);
	bool has_trouble = false;

	if (settings->kind != W_UNDO_SETTINGS ||
	    w_undo_settings_differ(settings))
		return false;
	for (size_t i = index; i-- > 0;) {
		const struct w_undo_change *step = &set->list.items[i];

		if (len > 0 && (strncmp(step->path, settings->path, len) != 0 ||
				   step->path[len] != '/'))
			break;
		if (step->kind == W_UNDO_MEMBER ||
		    step->kind == W_UNDO_SETTINGS)
			continue;
		has_trouble |= step->trouble != W_UNDO_FINE || !todo[1 + i];
		if (todo[1 + i] != 0 && step->trouble == W_UNDO_FINE)
			return false;
	}
	return has_trouble;
}

/* What is in a directory without rights for its owner can only be moved with
 * them. The step for its settings puts the mode right at the end. Parents come
 * after what is in them. */
static void
loosen_all(const struct w_change_set *set, const struct w_undo_place *place,
    const char *todo)
{
	for (size_t i = set->list.count; i-- > 0;) {
		const struct w_undo_change *step = &set->list.items[i];
		mode_t ignored;

		if (step->kind != W_UNDO_SETTINGS || todo[1 + i] == 0 ||
		    (step->version[0].mode & step->version[1].mode & S_IRWXU) ==
			S_IRWXU)
			continue;
		W_AUTO_FD int project_fd =
		    w_undo_open_beneath(place->root_fd, step->path);
		W_AUTO_FD int store_fd =
		    w_undo_open_beneath(place->upper_fd, step->path);
		(void)w_undo_loosen(project_fd, &ignored);
		(void)w_undo_loosen(store_fd, &ignored);
	}
}

static void
move_some(struct w_change_set *set, struct w_undo_place *place,
    const char *todo, bool are_held)
{
	const enum w_undo_side to =
	    todo[0] == 'a' ? W_UNDO_AFTER : W_UNDO_BEFORE;

	for (size_t i = 0; i < set->list.count; i++) {
		const struct w_undo_change *change = &set->list.items[i];

		if (todo[1 + i] == 0 || (change->held != NULL) != are_held ||
		    is_idle(set, i, todo))
			continue;
		/* A file put back by an undo is newer than the run. */
		place->began =
		    change->progress == W_UNDO_WAITING ? &set->began : NULL;
		w_undo_change_move(place, &set->list, i, to);
	}
}

/* todo: the side, then a byte for each item. */
static writ_status
move_all(struct w_change_set *set, const char *todo, writ_error *err)
{
	const enum w_undo_side to =
	    todo[0] == 'a' ? W_UNDO_AFTER : W_UNDO_BEFORE;
	struct w_moved_files moved;
	struct w_undo_place place = {
	    .root_fd = -1,
	    .upper_fd = -1,
	    .old_fd = -1,
	    .held_fd = -1,
	    .xattrs = {.is_user = set->is_user},
	    .moved = &moved,
	    .began = NULL,
	};

	w_moved_files_init(&moved, set->store_fd);
	writ_status status = open_place(set, &place, err);
	if (status == WRIT_OK)
		loosen_all(set, &place, todo);
	/* What was held back goes into its directory last, and out first. */
	if (status == WRIT_OK && to == W_UNDO_BEFORE)
		move_some(set, &place, todo, true);
	if (status == WRIT_OK)
		move_some(set, &place, todo, false);
	if (status == WRIT_OK && to == W_UNDO_AFTER)
		move_some(set, &place, todo, true);
	w_moved_files_write(&moved);
	w_moved_files_done(&moved);
	w_close(&place.root_fd);
	w_close(&place.upper_fd);
	w_close(&place.old_fd);
	w_close(&place.held_fd);
	if (status == WRIT_OK)
		status = write_list(set, true, err);
	if (status == WRIT_OK) {
		write_size(set);
		(void)unlinkat(set->dir_fd, "todo", 0);
	}
	return status;
}

writ_status
w_change_set_move(struct w_change_set *set, enum w_undo_side to,
    const unsigned char *selected, writ_error *err)
{
	W_AUTO_FREE char *todo = calloc(set->list.count + 1, 1);

	if (todo == NULL)
		return w_fail_nomem(err, STAGE);
	todo[0] = to == W_UNDO_AFTER ? 'a' : 'b';
	for (size_t i = 0; i < set->list.count; i++) {
		struct w_undo_change *change = &set->list.items[i];
		const bool is_in = change->progress == W_UNDO_DONE;

		todo[1 + i] = change->kind != W_UNDO_MEMBER &&
			      (selected == NULL ? change->held == NULL
						: selected[i] != 0) &&
			      is_in == (to == W_UNDO_BEFORE);
		change->trouble = W_UNDO_FINE;
	}
	if (!set->has_list) {
		writ_status status = write_list(set, true, err);

		if (status == WRIT_OK)
			status = stash(set, err);
		if (status != WRIT_OK)
			return status;
	}
	const int error = w_replace_file(
	    set->dir_fd, "todo", todo, set->list.count + 1, &replaces);
	return error == 0 ? move_all(set, todo, err)
			  : w_fail(err, WRIT_E_SYSTEM, STAGE, error,
				"cannot note what to move of '%s'", set->id);
}

static writ_status
resume(struct w_change_set *set, writ_error *err)
{
	W_AUTO_BUF struct w_buf todo;
	W_AUTO_FD int fd =
	    openat(set->dir_fd, "todo", O_RDONLY | O_NOFOLLOW | O_CLOEXEC);

	w_buf_init(&todo, (size_t)W_UNDO_CHANGES_MAX + 1);
	if (fd < 0)
		return WRIT_OK;
	const int error = w_file_read_all(fd, &todo);
	if (error != 0 || todo.len != set->list.count + 1)
		return w_fail(err, WRIT_E_INVALID, STAGE, error,
		    "cannot go on with the changes of '%s'", set->id);
	return move_all(set, todo.data, err);
}

/* ---- life ---- */

void
w_change_set_done(struct w_change_set *set)
{
	w_close(&set->dir_fd);
	free(set->id);
	free(set->root);
	free(set->session);
	w_undo_list_done(&set->list);
}

static writ_status
load(struct w_change_set *set, const struct w_undo_layer *own, writ_error *err)
{
	set->dir_fd =
	    own != NULL ? fcntl(own->dir_fd, F_DUPFD_CLOEXEC, W_FD_SAFE)
			: openat(set->store_fd, set->id,
			      O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (set->dir_fd < 0)
		return w_fail(err,
		    errno == ENOENT ? WRIT_E_NOTFOUND : WRIT_E_SYSTEM, STAGE,
		    errno == ENOENT ? 0 : errno, "there are no changes of '%s'",
		    set->id);
	set->is_live = own == NULL && flock(set->dir_fd, LOCK_EX | LOCK_NB) < 0;
	if (!w_change_set_read_facts(set))
		return w_fail(err, WRIT_E_NOTFOUND, STAGE, 0,
		    "there are no changes of '%s'", set->id);
	if (set->is_live)
		return WRIT_OK;
	writ_status status = read_list(set, err);
	if (status == WRIT_OK && !set->has_list)
		status = scan(set, own, err);
	if (status != WRIT_OK || !set->has_list)
		return status;
	status = stash(set, err);
	return status == WRIT_OK ? resume(set, err) : status;
}

writ_status
w_change_set_open(int store_fd, const char *id, const struct w_undo_layer *own,
    struct w_change_set *out_set, writ_error *err)
{
	struct w_change_set set = {.store_fd = store_fd, .dir_fd = -1};

	if (!w_change_store_is_id(id))
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "'%s' is not the id of a run", id);
	set.id = strdup(id);
	if (set.id == NULL)
		return w_fail_nomem(err, STAGE);
	writ_status status = load(&set, own, err);
	if (status == WRIT_OK)
		*out_set = set;
	else
		w_change_set_done(&set);
	return status;
}

enum w_change_state
w_change_set_state(const struct w_change_set *set)
{
	bool has[W_UNDO_UNDONE + 1] = {false};
	bool is_held = false;

	if (set->is_live)
		return W_CHANGE_LIVE;
	for (size_t i = 0; i < set->list.count; i++) {
		const struct w_undo_change *change = &set->list.items[i];

		if (change->kind == W_UNDO_MEMBER)
			continue;
		if (change->held != NULL && change->progress == W_UNDO_WAITING)
			is_held = true;
		else if (change->progress != W_UNDO_WAITING ||
			 w_undo_change_is_shown(change))
			has[change->progress] = true;
	}
	return has[W_UNDO_DONE]      ? W_CHANGE_ACCEPTED
	       : has[W_UNDO_UNDONE]  ? W_CHANGE_UNDONE
	       : has[W_UNDO_WAITING] ? W_CHANGE_WAITING
	       : is_held             ? W_CHANGE_HELD
				     : W_CHANGE_WAITING;
}

uint64_t
w_change_set_bytes(const struct w_change_set *set)
{
	return w_undo_list_bytes(&set->list,
	    w_change_set_state(set) == W_CHANGE_ACCEPTED ? W_UNDO_BEFORE
							 : W_UNDO_AFTER);
}

writ_status
w_change_set_drop(struct w_change_set *set, writ_error *err)
{
	const int error = w_file_remove_tree_at(set->store_fd, set->id);

	return error == 0 ? WRIT_OK
			  : w_fail(err, WRIT_E_SYSTEM, STAGE, error,
				"cannot remove the changes of '%s'", set->id);
}
