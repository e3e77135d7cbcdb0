/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_UNDO_CHANGE_HOLD_H
#define W_UNDO_CHANGE_HOLD_H

#include "undo/change_list.h"
#include "undo/layer_dir.h"

/*
 * What is held back when the changes of a run are accepted: files that make a
 * program outside the sandbox run something later (trigger/trigger.h). Each
 * becomes a step of its own, also out of a directory that moves as a whole, and
 * lies in STATE/undo/RUN/held until a person restores it. What was checked out
 * of a ref as it was before the session is not held back: see git_refs.h.
 */
struct w_undo_hold {
	int upper_fd;
	int low_fd; /* the project */
	const char *root;
	struct timespec session_began;      /* what refs held then is not held
					       back; 0: not known */
	const struct w_undo_permit *permit; /* NULL: none */
};

/* Marks them in a list that has just been made. WRIT_E_SYSTEM: not everything
 * could be looked at. */
writ_status w_undo_hold(
    const struct w_undo_hold *hold, struct w_undo_list *list, writ_error *err);

/* Moves what is held back out of the layer; does nothing to what is there
 * already. 0, or an errno. */
int w_undo_hold_stash(
    const struct w_undo_list *list, int upper_fd, int held_fd);

#endif /* W_UNDO_CHANGE_HOLD_H */
