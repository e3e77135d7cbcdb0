/* SPDX-License-Identifier: Apache-2.0 */

/* Counts changes. */

#include "undo/change_count.h"

bool
w_undo_change_is_shown(const struct w_undo_change *change)
{
	return change->kind != W_UNDO_SETTINGS ||
	       w_undo_settings_differ(change);
}

void
w_change_count(const struct w_undo_list *list, struct w_change_count *out)
{
	struct w_change_count count = {0};

	for (size_t i = 0; i < list->count; i++) {
		const struct w_undo_change *change = &list->items[i];

		if (!w_undo_change_is_shown(change))
			continue;
		count.all++;
		if (change->held != NULL &&
		    change->progress == W_UNDO_WAITING) {
			count.held++;
			continue;
		}
		count.made += !change->has[W_UNDO_BEFORE];
		count.deleted += !change->has[W_UNDO_AFTER];
		count.changed +=
		    change->has[W_UNDO_BEFORE] && change->has[W_UNDO_AFTER];
		count.conflicts += change->trouble == W_UNDO_CONFLICT;
		count.failures += change->trouble == W_UNDO_FAILED;
	}
	*out = count;
}
