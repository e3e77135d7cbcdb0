/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_UNDO_CHANGE_COUNT_H
#define W_UNDO_CHANGE_COUNT_H

#include "undo/change_set.h"

/* How many files and directories a list changes, as people count them: what is
 * in a directory that came or went counts too. */
struct w_change_count {
	size_t all;
	size_t made;
	size_t changed;
	size_t deleted;
	size_t held;      /* steps held back: not among those above */
	size_t conflicts; /* steps left alone because somebody changed them */
	size_t failures;  /* steps that a system call refused */
};

void w_change_count(const struct w_undo_list *list, struct w_change_count *out);

/* Not a directory of which only the times changed. */
bool w_undo_change_is_shown(const struct w_undo_change *change);

#endif /* W_UNDO_CHANGE_COUNT_H */
