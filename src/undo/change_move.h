/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_UNDO_CHANGE_MOVE_H
#define W_UNDO_CHANGE_MOVE_H

#include "undo/change_list.h"
#include "undo/layer_xattrs.h"
#include "undo/moved_files.h"

/* Where the two sides of each step are. */
struct w_undo_place {
	int root_fd;  /* the project */
	int upper_fd; /* the layer: after, while the project has before; of a
			 replaced file also the other way round */
	int old_fd;   /* what was deleted, named by the step's index */
	int held_fd;  /* what is held back, named likewise */
	struct w_undo_xattrs xattrs;
	struct w_moved_files *moved;
	const struct timespec *began; /* the project's files that changed after
					 it are somebody's; NULL: not asked */
};

/*
 * Makes the project have one side of a step.
 *
 *	made        one rename, which fails if the name exists
 *	replaced    one exchange of two names
 *	deleted     one rename
 *
 * So at each moment the project has one side or the other, and the store tells
 * which: doing a step again finishes it or changes nothing. What the project
 *has must be the other side, unchanged; else the step is left alone, and
 *trouble says so. What was moved out is looked at once more: if somebody was
 *faster, it is put back.
 */
void w_undo_change_move(const struct w_undo_place *place,
    struct w_undo_list *list, size_t index, enum w_undo_side to);

#endif /* W_UNDO_CHANGE_MOVE_H */
