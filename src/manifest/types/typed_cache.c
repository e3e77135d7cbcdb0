/* SPDX-License-Identifier: Apache-2.0 */

/* Answers that are known already. */

#include "manifest/types/typed_cache.h"

#include <string.h>

struct w_typed_memory {
	struct w_typed_memory *next;
	const char *const *words;
	struct w_typed_answer answer;
};

void
w_typed_cache_done(struct w_typed_cache *cache)
{
	w_arena_done(&cache->arena);
}

void
w_typed_cache_forget(struct w_typed_cache *cache)
{
	if (cache->first == NULL)
		return;
	w_arena_done(&cache->arena);
	cache->arena = (struct w_arena){.chunks = NULL};
	cache->first = NULL;
}

static bool
is_same(const char *const *words, const struct w_typed_command *command)
{
	size_t i = 0;

	while (words[i] != NULL && command->words[i] != NULL &&
	       strcmp(words[i], command->words[i]) == 0)
		i++;
	return words[i] == NULL && command->words[i] == NULL;
}

/* An answer that cannot be kept is asked for again. */
static void
typed_cache_keep(struct w_typed_cache *cache,
    const struct w_typed_command *command, const struct w_typed_answer *answer)
{
	struct w_arena *arena = &cache->arena;
	struct w_typed_memory *memory =
	    w_arena_alloc(arena, 1, sizeof(*memory));
	const char **words =
	    w_arena_alloc(arena, command->count + 1, sizeof(*words));
	bool ok = memory != NULL && words != NULL;

	for (size_t i = 0; ok && i < command->count; i++) {
		words[i] = w_arena_text(
		    arena, command->words[i], strlen(command->words[i]));
		ok = words[i] != NULL;
	}
	if (!ok)
		return;
	memory->answer = *answer;
	for (int i = 0; ok && i < 2; i++) {
		memory->answer.text[i] =
		    w_arena_text(arena, answer->text[i], answer->len[i]);
		ok = memory->answer.text[i] != NULL;
	}
	if (!ok)
		return;
	memory->words = words;
	memory->next = cache->first;
	cache->first = memory;
}

bool
w_typed_ask(struct w_typed_step *x, const struct w_typed_command *command,
    struct w_typed_answer *out_answer)
{
	struct w_typed_cache *cache = x->step->cache;

	for (const struct w_typed_memory *at = cache->first; at != NULL;
	     at = at->next) {
		if (is_same(at->words, command)) {
			*out_answer = at->answer;
			return true;
		}
	}
	if (!w_typed_run(x, command, out_answer))
		return false;
	typed_cache_keep(cache, command, out_answer);
	return true;
}
