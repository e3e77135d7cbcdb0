/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_ENV_SNAPSHOT_H
#define W_ENGINE_ENV_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>

/* The environment of this process at the last check: the pointers, not the
 * contents. All zero is empty. */
struct w_env_snapshot {
	const char **seen;
	size_t count;
	size_t cap;
	bool is_known;
};

/* Whether it is unchanged since the last call; remembers it if not. */
bool w_env_snapshot_same(struct w_env_snapshot *snapshot);

/* The next call reports a change. */
void w_env_snapshot_forget(struct w_env_snapshot *snapshot);
void w_env_snapshot_done(struct w_env_snapshot *snapshot);

#endif /* W_ENGINE_ENV_SNAPSHOT_H */
