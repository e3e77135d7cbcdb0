/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_BASE_ARENA_H
#define W_BASE_ARENA_H

#include <stddef.h>

/* Memory that is freed all at once. All zero is empty. */
struct w_arena {
	struct w_arena_chunk *chunks;
	char *at;
	size_t left;
};

/* Zeroed memory for count items; NULL: no memory. */
void *w_arena_alloc(struct w_arena *arena, size_t count, size_t size);

/* A NUL-terminated copy; NULL: no memory. */
char *w_arena_text(struct w_arena *arena, const char *text, size_t len);

/* Frees everything, but keeps one chunk for reuse. */
void w_arena_reset(struct w_arena *arena);

void w_arena_done(struct w_arena *arena);

#endif /* W_BASE_ARENA_H */
