/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Whether the environment has changed. Looking for secrets in all of it costs
 * a run more than its record; comparing pointers costs next to nothing, and
 * setenv() gives a variable that changes a new one.
 */

#include "engine/surroundings.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool
w_surroundings_same(struct w_surroundings *around)
{
	size_t count = 0;
	bool is_same = around->is_known;

	for (; environ != NULL && environ[count] != NULL; count++)
		is_same = is_same && count < around->count &&
			  around->seen[count] == environ[count];
	if (is_same && count == around->count)
		return true;

	around->is_known = false;
	if (count > around->cap) {
		const char **seen =
		    reallocarray(around->seen, count, sizeof(*seen));

		if (seen == NULL)
			return false;
		around->seen = seen;
		around->cap = count;
	}
	if (count > 0)
		memcpy(around->seen, environ, count * sizeof(*around->seen));
	around->count = count;
	around->is_known = true;
	return false;
}

void
w_surroundings_forget(struct w_surroundings *around)
{
	around->is_known = false;
}

void
w_surroundings_done(struct w_surroundings *around)
{
	free(around->seen);
	*around = (struct w_surroundings){0};
}
