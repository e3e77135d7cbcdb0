/* SPDX-License-Identifier: Apache-2.0 */

/* Memory for the many small parts of a compiled thing (a schema, a rule, a
 * manifest), which are allocated side by side and freed together. */

#include "base/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK_SIZE 8192
#define ALIGNMENT  16

struct w_arena_chunk {
	struct w_arena_chunk *next;
	_Alignas(ALIGNMENT) char bytes[];
};

static char *
add_chunk(struct w_arena *arena, size_t size)
{
	struct w_arena_chunk *chunk = calloc(1, sizeof(*chunk) + size);

	if (chunk == NULL)
		return NULL;
	chunk->next = arena->chunks;
	arena->chunks = chunk;
	return chunk->bytes;
}

void *
w_arena_alloc(struct w_arena *arena, size_t count, size_t size)
{
	size_t total;

	if (__builtin_mul_overflow(count, size, &total) || total > SIZE_MAX / 2)
		return NULL;
	/* Size 0 gets an address, too: NULL means no memory. */
	if (total == 0)
		total = 1;
	total = (total + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
	if (total > CHUNK_SIZE / 4)
		return add_chunk(arena, total);
	if (total > arena->left) {
		char *bytes = add_chunk(arena, CHUNK_SIZE);
		if (bytes == NULL)
			return NULL;
		arena->at = bytes;
		arena->left = CHUNK_SIZE;
	}
	char *taken = arena->at;
	arena->at += total;
	arena->left -= total;
	return taken;
}

char *
w_arena_text(struct w_arena *arena, const char *text, size_t len)
{
	char *copy = w_arena_alloc(arena, len + 1, 1);

	if (copy != NULL && len > 0)
		memcpy(copy, text, len);
	return copy;
}

/* Keeps the current chunk for small things, zeroed. */
void
w_arena_reset(struct w_arena *arena)
{
	char *kept =
	    arena->at == NULL ? NULL : arena->at + arena->left - CHUNK_SIZE;
	struct w_arena_chunk *next = NULL;

	for (struct w_arena_chunk *one = arena->chunks; one != NULL;
	     one = next) {
		next = one->next;
		if (one->bytes != kept) {
			free(one);
			continue;
		}
		arena->chunks = one;
		one->next = NULL;
	}
	if (kept == NULL) {
		arena->chunks = NULL;
		return;
	}
	memset(kept, 0, CHUNK_SIZE - arena->left);
	arena->at = kept;
	arena->left = CHUNK_SIZE;
}

void
w_arena_done(struct w_arena *arena)
{
	while (arena->chunks != NULL) {
		struct w_arena_chunk *next = arena->chunks->next;
		free(arena->chunks);
		arena->chunks = next;
	}
	*arena = (struct w_arena){.chunks = NULL};
}
