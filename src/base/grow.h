/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_BASE_GROW_H
#define W_BASE_GROW_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Makes room for one more item in a list that doubles:
 *
 *     if (!w_grow(&list->items, list->count, &list->cap))
 *         return w_fail_nomem(err, STAGE);
 *     list->items[list->count++] = item;
 *
 * false: no memory, and the list is unchanged.
 */
#define w_grow(slot, count, cap) \
	w_grow_items((slot), (count), (cap), sizeof(**(slot)))

/* The function behind it; slot points to the list's pointer. */
bool w_grow_items(void *slot, size_t count, size_t *cap, size_t size);

#endif /* W_BASE_GROW_H */
