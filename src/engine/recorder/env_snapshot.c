/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Whether the environment has changed. Searching all of it for secrets costs
 * more than the record of a run; comparing pointers costs next to nothing, and
 * setenv() gives a changed variable a new pointer.
 */

#include "engine/recorder/env_snapshot.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool
w_env_snapshot_same(struct w_env_snapshot *snapshot)
{
	size_t count = 0;
	bool is_same = snapshot->is_known;

	for (; environ != NULL && environ[count] != NULL; count++)
		is_same = is_same && count < snapshot->count &&
			  snapshot->seen[count] == environ[count];
	if (is_same && count == snapshot->count)
		return true;

	snapshot->is_known = false;
	if (count > snapshot->cap) {
		const char **seen =
		    reallocarray(snapshot->seen, count, sizeof(*seen));

		if (seen == NULL)
			return false;
		snapshot->seen = seen;
		snapshot->cap = count;
	}
	if (count > 0)
		memcpy(
		    snapshot->seen, environ, count * sizeof(*snapshot->seen));
	snapshot->count = count;
	snapshot->is_known = true;
	return false;
}

void
w_env_snapshot_forget(struct w_env_snapshot *snapshot)
{
	snapshot->is_known = false;
}

void
w_env_snapshot_done(struct w_env_snapshot *snapshot)
{
	free(snapshot->seen);
	*snapshot = (struct w_env_snapshot){0};
}
