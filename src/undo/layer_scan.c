/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Reads a layer.
 *
 *	in upper                   in the project      step
 *	a character device 0:0     something           deleted
 *	a directory                a directory         settings; look into it
 *	an opaque directory        a directory         replaced
 *	anything                   nothing             made
 *	anything                   something           replaced
 *
 * Only a step's own attributes are left in the layer: without its mark, an
 * opaque directory would look like one to look into if this is done again.
 */

#include "undo/layer_scan.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>

#include "base/auto.h"
#include "base/words.h"
#include "undo/tree_open.h"

#define STAGE "undo"

/* One directory of a walk, below the same path. */
struct scan_level {
	int upper_fd;
	int low_fd;
	unsigned depth;
};

struct scan_walk {
	const struct w_undo_scan *scan;
	struct w_undo_list *list;
	struct w_buf path;
};

static size_t
push(struct w_buf *path, const char *name)
{
	const size_t len = path->len;

	if (len > 0)
		w_buf_add_char(path, '/');
	w_buf_add_str(path, name);
	return len;
}

static void
pop(struct w_buf *path, size_t len)
{
	path->len = len;
	path->data[len] = '\0';
}

/* ---- members ---- */

struct member_walk {
	struct w_undo_list *list;
	enum w_undo_side side;
	const struct w_undo_xattrs *layer;
	struct w_buf path;
	size_t step; /* the index of the step they belong to */
};

static int walk_members(
    struct member_walk *walk, int dir_fd, const char *name, unsigned depth);

static int
add_member(
    struct member_walk *walk, int dir_fd, const char *name, unsigned depth)
{
	struct stat st;

	const int error =
	    walk->layer == NULL ? 0 : w_undo_strip(walk->layer, dir_fd, name);
	if (error != 0)
		return error;
	if (fstatat(dir_fd, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return errno;
	struct w_undo_change *member =
	    w_undo_list_add(walk->list, W_UNDO_MEMBER, walk->path.data);
	if (member == NULL)
		return ENOMEM;
	member->has[walk->side] = true;
	w_undo_version_of(&st, &member->version[walk->side]);
	return S_ISDIR(st.st_mode) ? walk_members(walk, dir_fd, name, depth + 1)
				   : 0;
}

static int
walk_members(
    struct member_walk *walk, int dir_fd, const char *name, unsigned depth)
{
	W_AUTO_WORDS struct w_words names = {0};

	if (depth > W_UNDO_DEPTH_MAX) {
		walk->list->items[walk->step].is_cut = true;
		return 0;
	}
	W_AUTO_UNDO_LISTING struct w_undo_listing dir = {.fd = -1};
	w_undo_listing_open(&dir, dir_fd, name);
	if (dir.fd < 0)
		return -dir.fd;
	int error = w_undo_list_names(dir.fd, &names);
	for (size_t i = 0; i < names.count && error == 0; i++) {
		const size_t len = push(&walk->path, names.items[i]);

		if (walk->path.failed) {
			walk->list->items[walk->step].is_cut = true;
			return 0;
		}
		error = add_member(walk, dir.fd, names.items[i], depth);
		pop(&walk->path, len);
	}
	return error;
}

int
w_undo_scan_members(struct w_undo_list *list, enum w_undo_side side, int dir_fd,
    const char *name, const char *path, const struct w_undo_xattrs *layer)
{
	struct member_walk walk = {.list = list, .side = side, .layer = layer};

	for (walk.step = list->count - 1;
	     list->items[walk.step].kind == W_UNDO_MEMBER;)
		walk.step--;
	w_buf_init(&walk.path, PATH_MAX);
	w_buf_add_str(&walk.path, path);
	const int error = walk_members(&walk, dir_fd, name, 0);
	w_buf_done(&walk.path);
	return error;
}

/* ---- steps ---- */

static int scan_level(struct scan_walk *walk, const struct scan_level *level);

/* The file of each side; NULL: none. */
struct scan_pair {
	const struct stat *upper;
	const struct stat *low;
};

static int
add_step(struct scan_walk *walk, const struct scan_level *level,
    const char *name, const struct scan_pair *pair)
{
	struct w_undo_list *list = walk->list;
	const enum w_undo_kind kind = pair->upper == NULL ? W_UNDO_DELETED
				      : pair->low == NULL ? W_UNDO_MADE
							  : W_UNDO_REPLACED;
	struct w_undo_change *step =
	    w_undo_list_add(list, kind, walk->path.data);
	int error = 0;

	if (step == NULL)
		return ENOMEM;
	if (pair->low != NULL) {
		step->has[W_UNDO_BEFORE] = true;
		w_undo_version_of(pair->low, &step->version[W_UNDO_BEFORE]);
	}
	if (pair->upper != NULL) {
		step->has[W_UNDO_AFTER] = true;
		w_undo_version_of(pair->upper, &step->version[W_UNDO_AFTER]);
	}
	if (pair->low != NULL && S_ISDIR(pair->low->st_mode))
		error = w_undo_scan_members(list, W_UNDO_BEFORE, level->low_fd,
		    name, walk->path.data, NULL);
	if (error == 0 && pair->upper != NULL && S_ISDIR(pair->upper->st_mode))
		error = w_undo_scan_members(list, W_UNDO_AFTER, level->upper_fd,
		    name, walk->path.data, &walk->scan->xattrs);
	return error;
}

static int
add_settings(struct scan_walk *walk, const struct w_undo_listing *dir,
    const struct w_undo_listing *below)
{
	const struct w_undo_xattrs *xattrs = &walk->scan->xattrs;
	struct stat upper, low;

	if (fstat(dir->fd, &upper) < 0 || fstat(below->fd, &low) < 0)
		return errno;
	if (dir->mode != 0)
		upper.st_mode = dir->mode;
	if (below->mode != 0)
		low.st_mode = below->mode;
	struct w_undo_change *step = w_undo_list_add(walk->list,
	    W_UNDO_SETTINGS, walk->path.len == 0 ? "." : walk->path.data);
	if (step == NULL)
		return ENOMEM;
	step->has[W_UNDO_BEFORE] = true;
	step->has[W_UNDO_AFTER] = true;
	w_undo_version_of(&low, &step->version[W_UNDO_BEFORE]);
	w_undo_version_of(&upper, &step->version[W_UNDO_AFTER]);
	/* It is the project's directory on both sides. */
	step->version[W_UNDO_AFTER].dev = low.st_dev;
	step->version[W_UNDO_AFTER].ino = low.st_ino;
	const int error =
	    w_undo_xattrs_get(xattrs, below->fd, &step->xattrs[W_UNDO_BEFORE]);
	return error != 0 ? error
			  : w_undo_xattrs_get(
				xattrs, dir->fd, &step->xattrs[W_UNDO_AFTER]);
}

/* A directory on both sides. The settings come after what is in it, because
 * moving files changes its times. */
static int
scan_both(
    struct scan_walk *walk, const struct scan_level *level, const char *name)
{
	W_AUTO_UNDO_LISTING struct w_undo_listing upper = {.fd = -1};
	W_AUTO_UNDO_LISTING struct w_undo_listing low = {.fd = -1};

	w_undo_listing_open(&upper, level->upper_fd, name);
	w_undo_listing_open(&low, level->low_fd, name);
	const struct scan_level below = {upper.fd, low.fd, level->depth + 1};
	if (upper.fd < 0 || low.fd < 0)
		return upper.fd < 0 ? -upper.fd : -low.fd;
	if (level->depth >= W_UNDO_DEPTH_MAX)
		return ENAMETOOLONG;
	const int error = scan_level(walk, &below);
	return error != 0 ? error : add_settings(walk, &upper, &low);
}

/* 1, 0, or a negative errno. */
static int
hides_what_is_below(const struct scan_walk *walk,
    const struct scan_level *level, const char *name)
{
	W_AUTO_UNDO_LISTING struct w_undo_listing dir = {.fd = -1};

	w_undo_listing_open(&dir, level->upper_fd, name);
	return dir.fd < 0 ? dir.fd
			  : w_undo_is_opaque(&walk->scan->xattrs, dir.fd);
}

static int
scan_name(
    struct scan_walk *walk, const struct scan_level *level, const char *name)
{
	struct stat upper, low;
	struct scan_pair pair = {.upper = &upper, .low = &low};

	if (fstatat(level->upper_fd, name, &upper, AT_SYMLINK_NOFOLLOW) < 0)
		return errno;
	if (fstatat(level->low_fd, name, &low, AT_SYMLINK_NOFOLLOW) < 0) {
		if (errno != ENOENT)
			return errno;
		pair.low = NULL;
	}
	if (S_ISCHR(upper.st_mode) && upper.st_rdev == 0)
		pair.upper = NULL;
	if (pair.upper == NULL && pair.low == NULL)
		return 0;
	if (pair.upper != NULL && pair.low != NULL && S_ISDIR(low.st_mode) &&
	    S_ISDIR(upper.st_mode)) {
		const int hides = hides_what_is_below(walk, level, name);

		if (hides < 0)
			return -hides;
		if (hides == 0)
			return scan_both(walk, level, name);
	}
	return add_step(walk, level, name, &pair);
}

static int
scan_level(struct scan_walk *walk, const struct scan_level *level)
{
	W_AUTO_WORDS struct w_words names = {0};
	int error = w_undo_list_names(level->upper_fd, &names);

	for (size_t i = 0; i < names.count && error == 0; i++) {
		const size_t len = push(&walk->path, names.items[i]);

		error = walk->path.failed
			    ? ENAMETOOLONG
			    : scan_name(walk, level, names.items[i]);
		/* What failed can be seen in the message. */
		if (error == 0)
			pop(&walk->path, len);
	}
	return error;
}

writ_status
w_undo_scan(const struct w_undo_scan *scan, struct w_undo_list *out_list,
    writ_error *err)
{
	W_AUTO_UNDO_LIST struct w_undo_list list = {0};
	struct scan_walk walk = {.scan = scan, .list = &list};
	W_AUTO_UNDO_LISTING struct w_undo_listing upper = {.fd = -1};

	w_undo_listing_open(&upper, scan->layer_fd, "upper");
	const struct w_undo_listing low = {.fd = scan->root_fd};
	const struct scan_level top = {upper.fd, low.fd, 0};
	if (upper.fd < 0)
		return w_fail(err, WRIT_E_SYSTEM, STAGE, -upper.fd,
		    "cannot list the changes");
	w_buf_init(&walk.path, PATH_MAX);
	int error = scan_level(&walk, &top);
	if (error == 0)
		error = add_settings(&walk, &upper, &low);
	writ_status status =
	    error == 0 ? WRIT_OK
		       : w_fail(err, WRIT_E_SYSTEM, STAGE, error,
			     "cannot list the changes at '%s'", walk.path.data);
	w_buf_done(&walk.path);
	if (status != WRIT_OK)
		return status;
	*out_list = list;
	list = (struct w_undo_list){0};
	return WRIT_OK;
}
