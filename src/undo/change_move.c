/* SPDX-License-Identifier: Apache-2.0 */

/* Moves one step; see change_move.h. */

#include "undo/change_move.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "base/auto.h"
#include "undo/layer_scan.h"
#include "undo/tree_open.h"

/* A name in the project and its place in the store, with both directories
 * open. */
struct move_ends {
	int project_fd;
	const char *name;
	int store_fd;
	const char *store_name;
	char slot[24];
};

struct move {
	const struct w_undo_place *place;
	struct w_undo_list *list;
	size_t index;
	struct w_undo_change *step;
	enum w_undo_side from;
	enum w_undo_side to;
	struct move_ends ends;
};

static void
note_trouble(struct w_undo_change *step, enum w_undo_trouble trouble, int error)
{
	step->trouble = trouble;
	step->error = error;
}

static void
note_success(struct w_undo_change *step, enum w_undo_side to)
{
	note_trouble(step, W_UNDO_FINE, 0);
	if (to == W_UNDO_AFTER)
		step->progress = W_UNDO_DONE;
	else if (step->progress == W_UNDO_DONE)
		step->progress = W_UNDO_UNDONE;
}

/* ---- is it still what we know? ---- */

static bool
is_late(const struct w_undo_place *place, const struct w_undo_version *version)
{
	const struct timespec *began = place->began;

	return began != NULL && (version->ctime_s > began->tv_sec ||
				    (version->ctime_s == began->tv_sec &&
					version->ctime_ns > began->tv_nsec));
}

static bool
is_unchanged(const struct w_undo_place *place,
    const struct w_undo_version *known, const struct w_undo_version *found)
{
	const struct stat at = {
	    .st_ctim = {.tv_sec = found->ctime_s,
		.tv_nsec = (long)found->ctime_ns},
	};

	if (!w_undo_version_equals(known, found))
		return false;
	if (S_ISDIR(known->mode))
		return true;
	return w_moved_files_explain(place->moved, known, &at);
}

/* What is in a directory, file by file. */
static bool
is_tree_unchanged(const struct move *move)
{
	const struct w_undo_list *list = move->list;
	W_AUTO_UNDO_LIST struct w_undo_list found = {0};
	size_t next = 1;

	if (move->step->is_cut)
		return true;
	if (w_undo_list_add(&found, W_UNDO_MADE, move->step->path) == NULL ||
	    w_undo_scan_members(&found, move->from, move->ends.project_fd,
		move->ends.name, move->step->path, NULL) != 0)
		return false;
	for (size_t i = move->index + 1;
	     i < list->count && list->items[i].kind == W_UNDO_MEMBER; i++) {
		const struct w_undo_change *known = &list->items[i];
		const struct w_undo_change *now = &found.items[next];

		if (!known->has[move->from])
			continue;
		if (next++ == found.count ||
		    strcmp(known->path, now->path) != 0 ||
		    !is_unchanged(move->place, &known->version[move->from],
			&now->version[move->from]) ||
		    (move->from == W_UNDO_BEFORE &&
			is_late(move->place, &known->version[W_UNDO_BEFORE])))
			return false;
	}
	return next == found.count;
}

/* Whether the project has what the step takes away. */
static bool
has_expected(const struct move *move, int *out_error)
{
	const struct w_undo_version *known = &move->step->version[move->from];
	struct w_undo_version found;
	struct stat st;

	*out_error = 0;
	if (fstatat(move->ends.project_fd, move->ends.name, &st,
		AT_SYMLINK_NOFOLLOW) < 0) {
		*out_error = errno;
		return !move->step->has[move->from] && errno == ENOENT;
	}
	if (!move->step->has[move->from]) {
		*out_error = EEXIST;
		return false;
	}
	w_undo_version_of(&st, &found);
	if (!is_unchanged(move->place, known, &found) ||
	    (move->from == W_UNDO_BEFORE && !S_ISDIR(known->mode) &&
		is_late(move->place, known)))
		return false;
	return !S_ISDIR(known->mode) || is_tree_unchanged(move);
}

/* ---- where it is ---- */

/* Descriptors in out_fds are yours. 0, or an errno. */
static int
open_ends(const struct w_undo_place *place, const struct w_undo_change *step,
    size_t index, struct move_ends *out)
{
	out->project_fd =
	    w_undo_open_parent(place->root_fd, step->path, &out->name);
	if (out->project_fd < 0)
		return -out->project_fd;
	if (step->kind == W_UNDO_DELETED || step->held != NULL) {
		(void)snprintf(out->slot, sizeof(out->slot), "%zu", index);
		out->store_name = out->slot;
		out->store_fd = w_undo_open_beneath(
		    step->held != NULL ? place->held_fd : place->old_fd, ".");
	} else {
		out->store_fd = w_undo_open_parent(
		    place->upper_fd, step->path, &out->store_name);
	}
	return out->store_fd < 0 ? -out->store_fd : 0;
}

/* Whether the store has the file that the project must not have. 1, 0, or a
 * negative errno. */
static int
is_there_already(const struct move *move)
{
	const struct w_undo_change *step = move->step;
	struct stat st;

	const int ret = fstatat(move->ends.store_fd, move->ends.store_name, &st,
	    AT_SYMLINK_NOFOLLOW);
	if (ret < 0 && errno != ENOENT)
		return -errno;
	if (!step->has[move->from])
		return ret < 0;
	return ret == 0 &&
	       w_undo_version_same_file(&step->version[move->from], &st);
}

/* ---- the move ---- */

/* A command may have taken away the right to write a directory. Then the owner
 * has it for the time of the rename. */
struct move_right {
	char link[32];
	mode_t mode; /* 0: nothing to give back */
};

static void
right_take(struct move_right *right, int fd)
{
	right->mode = 0;
	(void)snprintf(
	    right->link, sizeof(right->link), "/proc/self/fd/%d", fd);
	(void)w_undo_loosen(fd, &right->mode);
}

static void
right_give_back(const struct move_right *right)
{
	if (right->mode != 0)
		(void)chmod(right->link, right->mode & 07777);
}

/* 0, or an errno. */
static int
rename_once(const struct move *move, bool is_back)
{
	const struct move_ends *ends = &move->ends;
	const bool has_both = move->step->has[0] && move->step->has[1];
	const bool goes_in = move->step->has[move->to] != is_back;
	int ret;

	if (has_both)
		ret = renameat2(ends->store_fd, ends->store_name,
		    ends->project_fd, ends->name, RENAME_EXCHANGE);
	else if (goes_in)
		ret = renameat2(ends->store_fd, ends->store_name,
		    ends->project_fd, ends->name, RENAME_NOREPLACE);
	else
		ret = renameat2(ends->project_fd, ends->name, ends->store_fd,
		    ends->store_name, RENAME_NOREPLACE);
	return ret < 0 ? errno : 0;
}

static int
rename_ends(const struct move *move, bool is_back)
{
	const int flags = O_PATH | O_NOFOLLOW | O_CLOEXEC;
	const struct move_ends *ends = &move->ends;
	struct move_right rights[4];

	int error = rename_once(move, is_back);
	if (error != EACCES)
		return error;
	W_AUTO_FD int inside = openat(ends->project_fd, ends->name, flags);
	W_AUTO_FD int stored = openat(ends->store_fd, ends->store_name, flags);
	right_take(&rights[0], ends->project_fd);
	right_take(&rights[1], ends->store_fd);
	right_take(&rights[2], inside);
	right_take(&rights[3], stored);
	error = rename_once(move, is_back);
	for (size_t i = 0; i < sizeof(rights) / sizeof(*rights); i++)
		right_give_back(&rights[i]);
	return error;
}

/* Between the look and the rename somebody may have put another file there. */
static bool
got_expected(const struct move *move)
{
	const struct w_undo_change *step = move->step;
	struct stat st;

	if (!step->has[move->from])
		return true;
	return fstatat(move->ends.store_fd, move->ends.store_name, &st,
		   AT_SYMLINK_NOFOLLOW) == 0 &&
	       w_undo_version_same_file(&step->version[move->from], &st);
}

/* A rename changes the change time of all names of a file, also of those that
 * other steps and other runs left in the project. */
struct move_links {
	struct w_undo_version in;
	struct w_undo_version out;
};

static void
links_look(const struct move *move, struct move_links *links)
{
	struct stat st;

	*links = (struct move_links){0};
	if (move->step->has[move->to] &&
	    fstatat(move->ends.store_fd, move->ends.store_name, &st,
		AT_SYMLINK_NOFOLLOW) == 0)
		w_undo_version_of(&st, &links->in);
	if (move->step->has[move->from] &&
	    fstatat(move->ends.project_fd, move->ends.name, &st,
		AT_SYMLINK_NOFOLLOW) == 0)
		w_undo_version_of(&st, &links->out);
}

static void
links_note(const struct move *move, const struct w_undo_version *before, int fd,
    const char *name)
{
	struct stat st;

	if (before->nlink > 1 && !S_ISDIR(before->mode) &&
	    fstatat(fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	    w_undo_version_same_file(before, &st))
		w_moved_files_note(move->place->moved, before, &st);
}

/* What it is from now on, for the next look. */
static void
learn_version(const struct move *move, const struct move_links *links)
{
	struct w_undo_change *step = move->step;
	struct w_undo_version *version = &step->version[move->to];
	struct w_undo_version found;
	struct stat st;

	if (!step->has[move->to] ||
	    fstatat(move->ends.project_fd, move->ends.name, &st,
		AT_SYMLINK_NOFOLLOW) < 0)
		return;
	w_undo_version_of(&st, &found);
	if (!w_undo_version_equals(version, &found))
		return;
	/* What comes from the layer for the first time was nowhere before. */
	if (!S_ISDIR(st.st_mode) && links->in.nlink <= 1 &&
	    (move->to == W_UNDO_BEFORE || step->progress != W_UNDO_WAITING))
		w_moved_files_note(move->place->moved, version, &st);
	version->ctime_s = found.ctime_s;
	version->ctime_ns = found.ctime_ns;
}

/* The kernel's attributes are for the layer alone. */
static int
strip_store(const struct move *move)
{
	if (move->to != W_UNDO_AFTER || !move->step->has[W_UNDO_AFTER])
		return 0;
	return w_undo_strip(
	    &move->place->xattrs, move->ends.store_fd, move->ends.store_name);
}

static void
move_checked(struct move *move)
{
	struct move_links links = {0};
	int error = 0;

	const int is_done = is_there_already(move);
	if (is_done < 0) {
		note_trouble(move->step, W_UNDO_FAILED, -is_done);
		return;
	}
	if (is_done == 0) {
		if (!has_expected(move, &error)) {
			note_trouble(move->step, W_UNDO_CONFLICT, error);
			return;
		}
		links_look(move, &links);
		error = strip_store(move);
		if (error == 0)
			error = rename_ends(move, false);
		if (error != 0) {
			note_trouble(move->step,
			    error == EEXIST ? W_UNDO_CONFLICT : W_UNDO_FAILED,
			    error);
			return;
		}
		if (!got_expected(move)) {
			(void)rename_ends(move, true);
			note_trouble(move->step, W_UNDO_CONFLICT, 0);
			return;
		}
		links_note(
		    move, &links.in, move->ends.project_fd, move->ends.name);
		links_note(move, &links.out, move->ends.store_fd,
		    move->ends.store_name);
	}
	learn_version(move, &links);
	note_success(move->step, move->to);
}

/* ---- settings of a directory ---- */

/* known: with the rights that it may have been given for this move. */
static bool
has_settings(const struct w_undo_version *known, const struct stat *st)
{
	return known->uid == st->st_uid && known->gid == st->st_gid &&
	       (known->mode == st->st_mode ||
		   (known->mode | S_IRWXU) == st->st_mode);
}

/* Attributes need the right to write the directory, and an access list changes
 * its mode; so the mode comes last. */
static int
set_settings(int fd, const char *link, const struct move *move)
{
	const struct w_undo_version *to = &move->step->version[move->to];
	const struct w_undo_version *from = &move->step->version[move->from];
	mode_t ignored;

	if ((to->uid != from->uid || to->gid != from->gid) &&
	    fchownat(fd, "", to->uid, to->gid, AT_EMPTY_PATH) < 0)
		return errno;
	if (w_undo_settings_differ(move->step)) {
		(void)w_undo_loosen(fd, &ignored);
		const int error = w_undo_xattrs_set(
		    &move->place->xattrs, fd, &move->step->xattrs[move->to]);
		if (error != 0)
			return error;
	}
	return chmod(link, to->mode & 07777) < 0 ? errno : 0;
}

/* Whether a step directly in the directory was left alone: then its times are
 * somebody else's. */
static bool
is_disturbed(const struct move *move)
{
	const char *path = move->step->path;
	const size_t len = strcmp(path, ".") == 0 ? 0 : strlen(path);

	for (size_t i = move->index; i-- > 0;) {
		const struct w_undo_change *step = &move->list->items[i];
		const char *rest = step->path + len + (len > 0);

		if (len > 0 && (strncmp(step->path, path, len) != 0 ||
				   step->path[len] != '/'))
			break;
		if (step->trouble != W_UNDO_FINE && strchr(rest, '/') == NULL)
			return true;
	}
	return false;
}

/* Somebody's change of the mode stays. */
static void
move_settings(struct move *move)
{
	struct w_undo_change *step = move->step;
	const struct w_undo_version *to = &step->version[move->to];
	const struct timespec times[2] = {{.tv_nsec = UTIME_OMIT},
	    {.tv_sec = to->mtime_s, .tv_nsec = (long)to->mtime_ns}};
	W_AUTO_FD int fd =
	    w_undo_open_beneath(move->place->root_fd, step->path);
	struct stat st;
	char link[32];
	int error = 0;

	if (fd < 0 || fstat(fd, &st) < 0) {
		note_trouble(step, W_UNDO_CONFLICT, fd < 0 ? -fd : errno);
		return;
	}
	(void)snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	if (!has_settings(to, &st) &&
	    !has_settings(&step->version[move->from], &st)) {
		/* Only the times are ours. */
		if (w_undo_settings_differ(step)) {
			note_trouble(step, W_UNDO_CONFLICT, 0);
			return;
		}
	} else if (w_undo_settings_differ(step) || st.st_mode != to->mode) {
		error = set_settings(fd, link, move);
	}
	if (error != 0) {
		note_trouble(step, W_UNDO_FAILED, error);
		return;
	}
	if (!is_disturbed(move))
		(void)utimensat(AT_FDCWD, link, times, 0);
	note_success(step, move->to);
}

void
w_undo_change_move(const struct w_undo_place *place, struct w_undo_list *list,
    size_t index, enum w_undo_side to)
{
	struct move move = {
	    .place = place,
	    .list = list,
	    .index = index,
	    .step = &list->items[index],
	    .from = to == W_UNDO_AFTER ? W_UNDO_BEFORE : W_UNDO_AFTER,
	    .to = to,
	    .ends = {.project_fd = -1, .store_fd = -1},
	};

	if (move.step->kind == W_UNDO_MEMBER)
		return;
	if (move.step->kind == W_UNDO_SETTINGS) {
		move_settings(&move);
		return;
	}
	const int error = open_ends(place, move.step, index, &move.ends);
	if (error == 0)
		move_checked(&move);
	else
		note_trouble(move.step,
		    error == ENOENT || error == ENOTDIR || error == ELOOP
			? W_UNDO_CONFLICT
			: W_UNDO_FAILED,
		    error);
	if (move.ends.project_fd >= 0)
		w_close(&move.ends.project_fd);
	if (move.ends.store_fd >= 0)
		w_close(&move.ends.store_fd);
}
