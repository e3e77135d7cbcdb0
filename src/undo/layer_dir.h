/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_UNDO_LAYER_DIR_H
#define W_UNDO_LAYER_DIR_H

#include <stdbool.h>
#include <sys/types.h>
#include <time.h>

#include "base/words.h"

/*
 * The directories of one run's layer, in the store of changes:
 *
 *	STATE/undo/RUN/facts           what the layer lies over
 *	STATE/undo/RUN/layer/upper     what the run writes
 *	STATE/undo/RUN/layer/work      the kernel's own
 *	STATE/undo/RUN/old             what it deleted
 *	STATE/undo/RUN/held            what is held back
 *	STATE/undo/RUN/list            the changes, once they are known
 *	STATE/undo/RUN/todo            a move that is under way
 *
 * A lock on RUN says that the run lives.
 */

/* The files that are not held back, because a rule names them. What it says is
 * read by whoever knows policies. */
struct w_undo_permit {
	bool (*has)(const struct w_words *named, const char *path);
	struct w_words named;
};

struct w_undo_layer {
	char *id;
	char *root; /* the project: absolute, canonical */
	char *path; /* STATE/undo/RUN/layer */
	int dir_fd; /* STATE/undo/RUN, locked */
	dev_t dev;  /* of path */
	ino_t ino;
	ino_t top; /* the inode that the top of the view has: upper's */
	struct timespec began;
	bool is_trial;
	bool is_user;
	struct w_undo_permit permit; /* has is NULL: all are held back */
};

struct w_undo_layer_options {
	const char *state_dir;
	const char *id; /* of the run */
	const char *root;
	bool is_trial;
	bool is_user;                  /* the mount uses userxattr */
	struct timespec session_began; /* of the session that it is part of; 0:
					  not known */
	const char *session;           /* its name; NULL: none */
	const char *owner;             /* see change_owner.h; NULL: none */
	const struct w_undo_permit *permit; /* copied; NULL: none */
};

/* Why there can be no layer over a project; NULL: there can. A word that can be
 * shown: constant. */
const char *w_undo_layer_lack(const char *state_dir, const char *root);

writ_status w_undo_layer_make(const struct w_undo_layer_options *options,
    struct w_undo_layer **out_layer, writ_error *err);

/* Closes it; the directories stay. */
void w_undo_layer_free(struct w_undo_layer *layer);

/* Removes the directories and closes it: the run never began. */
void w_undo_layer_drop(struct w_undo_layer *layer);

#endif /* W_UNDO_LAYER_DIR_H */
