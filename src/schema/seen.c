/* SPDX-License-Identifier: Apache-2.0 */

/* Sets of members or items, without an allocation for most. */

#include "schema/seen.h"

#include <stdlib.h>
#include <string.h>

bool
w_seen_init(struct w_seen *seen, size_t count)
{
	size_t words = count / 64 + 1;

	seen->count = count;
	seen->is_blurred = false;
	memset(seen->few, 0, sizeof(seen->few));
	seen->bits = seen->few;
	if (words > W_SEEN_WORDS)
		seen->bits = calloc(words, sizeof(uint64_t));
	return seen->bits != NULL;
}

void
w_seen_done(struct w_seen *seen)
{
	if (seen->bits != seen->few)
		free(seen->bits);
	seen->bits = NULL;
}

void
w_seen_add_all(struct w_seen *seen, const struct w_seen *more)
{
	for (size_t i = 0; i < seen->count / 64 + 1; i++)
		seen->bits[i] |= more->bits[i];
	seen->is_blurred |= more->is_blurred;
}
