/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_UNDO_CHANGE_OPEN_H
#define W_UNDO_CHANGE_OPEN_H

#include "undo/change_set.h"

/* Opens a plain file of a list for reading: the one before the run, or the one
 * after it, wherever it is now. A descriptor, or a negative errno: -EINVAL, it
 * is no plain file. */
int w_change_open(
    const struct w_change_set *set, size_t index, enum w_undo_side side);

/* The step that moves an item: itself, or the one that it is a member of. */
size_t w_change_step(const struct w_undo_list *list, size_t index);

#endif /* W_UNDO_CHANGE_OPEN_H */
