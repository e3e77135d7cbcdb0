/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_CHANGES_STATE_H
#define W_ENGINE_CHANGES_STATE_H

#include <writ/undo.h>

#include "undo/change_set.h"

/* What is behind a writ_changes. */
struct w_changes {
	writ_changes shown; /* first: it is what callers have */
	const writ_config *config;
	struct w_change_set set;
	int store_fd; /* locked */
	writ_change *items;
	size_t *indexes; /* of the items in the list */
	char **troubles;
};

/* changes_items.c: fills shown from the list. */
writ_status w_changes_show(struct w_changes *changes, writ_error *err);
void w_changes_hide(struct w_changes *changes);

static inline struct w_changes *
w_changes_of(const writ_changes *changes)
{
	return (struct w_changes *)(uintptr_t)changes;
}

#endif /* W_ENGINE_CHANGES_STATE_H */
