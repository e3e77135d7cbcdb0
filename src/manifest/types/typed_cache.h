/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MANIFEST_TYPED_CACHE_H
#define W_MANIFEST_TYPED_CACHE_H

#include "manifest/types/typed_step.h"

/*
 * Answers of queries, so that a hundred packages ask once what is installed.
 * They are forgotten when a resource has changed anything.
 */
struct w_typed_cache {
	struct w_arena arena;
	struct w_typed_memory *first;
	bool is_updated; /* the package lists were fetched in this apply */
};

void w_typed_cache_done(struct w_typed_cache *cache);
void w_typed_cache_forget(struct w_typed_cache *cache);

/* Like w_typed_run(), unless the answer is known. */
bool w_typed_ask(struct w_typed_step *x, const struct w_typed_command *command,
    struct w_typed_answer *out_answer);

#endif /* W_MANIFEST_TYPED_CACHE_H */
