/* SPDX-License-Identifier: Apache-2.0 */

/* Lists that double. */

#include "base/grow.h"

#include <stdlib.h>
#include <string.h>

#include "base/size.h"

#define FIRST_CAP 16

bool
w_grow_items(void *slot, size_t count, size_t *cap, size_t size)
{
	size_t wanted = FIRST_CAP, bytes;
	void *items;

	if (count < *cap)
		return true;
	if (*cap > 0 && !w_size_mul(*cap, 2, &wanted))
		return false;
	if (!w_size_mul(wanted, size, &bytes))
		return false;
	memcpy(&items, slot, sizeof(items));
	void *more = realloc(items, bytes);
	if (more == NULL)
		return false;
	memcpy(slot, &more, sizeof(more));
	*cap = wanted;
	return true;
}
