/* SPDX-License-Identifier: Apache-2.0 */

/* Bit sets of members or items; small ones need no allocation. */

#include "schema/check/evaluated.h"

#include <stdlib.h>
#include <string.h>

bool
w_evaluated_init(struct w_evaluated *evaluated, size_t count)
{
	size_t words = count / 64 + 1;

	evaluated->count = count;
	evaluated->is_blurred = false;
	memset(evaluated->few, 0, sizeof(evaluated->few));
	evaluated->bits = evaluated->few;
	if (words > W_EVALUATED_WORDS)
		evaluated->bits = calloc(words, sizeof(uint64_t));
	return evaluated->bits != NULL;
}

void
w_evaluated_done(struct w_evaluated *evaluated)
{
	if (evaluated->bits != evaluated->few)
		free(evaluated->bits);
	evaluated->bits = NULL;
}

void
w_evaluated_add_all(
    struct w_evaluated *evaluated, const struct w_evaluated *more)
{
	for (size_t i = 0; i < evaluated->count / 64 + 1; i++)
		evaluated->bits[i] |= more->bits[i];
	evaluated->is_blurred |= more->is_blurred;
}
