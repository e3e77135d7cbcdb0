/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_UNDO_CHANGE_SET_H
#define W_UNDO_CHANGE_SET_H

#include "undo/change_list.h"
#include "undo/change_store.h"
#include "undo/layer_dir.h"
#include "undo/layer_xattrs.h"

/*
 * The changes of one run.
 *
 *	live --run ends--> waiting --accept--> accepted --undo--> undone
 *	                      |                    ^                 |
 *	                      +--drop--> gone      +------redo-------+
 *
 * 1. The list is written before the first file moves.
 * 2. What shall move is written (todo) before it moves, and removed when the
 *    list says how each step ended. After a crash the next open goes on.
 * 3. What is held back lies in held before anything moves.
 * 4. Each step is one rename, so the project has one side or the other.
 */

enum w_change_state {
	W_CHANGE_LIVE,     /* the run lives */
	W_CHANGE_WAITING,  /* nothing of it is in the project */
	W_CHANGE_ACCEPTED, /* at least a part is */
	W_CHANGE_UNDONE,   /* it was, and can be again */
	W_CHANGE_HELD,     /* all of it is held back */
};

struct w_change_set {
	char *id;
	char *root;
	struct timespec began;
	struct timespec ended; /* when it was last moved */
	struct timespec session_began;
	char *session; /* the name of its session; NULL: none */
	char owner[W_CHANGE_ID_MAX + 1]; /* see change_owner.h; ".": none */
	bool is_trial;
	bool is_user;
	bool is_live;
	bool has_list;
	int store_fd; /* borrowed */
	int dir_fd;   /* locked unless is_live */
	uint64_t root_dev;
	uint64_t root_ino;
	struct w_undo_list list;
};

/* Opens a run's changes, lists them if that was not done, and finishes a move
 * that was interrupted. Needs the store's lock. own: the layer of a run of ours
 * that has just ended; NULL: any other. WRIT_E_NOTFOUND: there are none. */
writ_status w_change_set_open(int store_fd, const char *id,
    const struct w_undo_layer *own, struct w_change_set *out_set,
    writ_error *err);
void w_change_set_done(struct w_change_set *set);
#define W_AUTO_CHANGE_SET __attribute__((cleanup(w_change_set_done)))

enum w_change_state w_change_set_state(const struct w_change_set *set);

/* Bytes that its files in the store take. */
uint64_t w_change_set_bytes(const struct w_change_set *set);

/* Makes the project have one side of all steps but those held back, or of those
 * selected (one byte for each item of the list; NULL: all). Fails only if it
 * could not begin; each step says in trouble why it did not move. */
writ_status w_change_set_move(struct w_change_set *set, enum w_undo_side to,
    const unsigned char *selected, writ_error *err);

/* Removes the files in the store: what waits is gone, what is accepted can no
 * longer be undone. */
writ_status w_change_set_drop(struct w_change_set *set, writ_error *err);

/* ---- change_facts.c ---- */

int w_change_set_copy_top(int layer_fd,
    const struct w_undo_layer_options *options, const struct stat *root);
writ_status w_change_set_write_facts(const struct w_undo_layer *layer,
    const struct w_undo_layer_options *options, writ_error *err);

/* false: there are none that can be understood. */
bool w_change_set_read_facts(struct w_change_set *set);

#endif /* W_UNDO_CHANGE_SET_H */
