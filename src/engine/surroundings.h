/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_SURROUNDINGS_H
#define W_ENGINE_SURROUNDINGS_H

#include <stdbool.h>
#include <stddef.h>

/* The environment of this process, as it was when somebody last looked: which
 * strings, not what is in them. All zero has seen nothing. */
struct w_surroundings {
	const char **seen;
	size_t count;
	size_t cap;
	bool is_known;
};

/* Whether it is the same as last time; remembers it if not. */
bool w_surroundings_same(struct w_surroundings *around);

/* The next look finds a change. */
void w_surroundings_forget(struct w_surroundings *around);
void w_surroundings_done(struct w_surroundings *around);

#endif /* W_ENGINE_SURROUNDINGS_H */
