/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_BASE_MATCH_H
#define W_BASE_MATCH_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* Matches a whole name against a glob of * ? [a-z] [!a-z] and literal
 * characters, in time linear in len(glob) * len(name). */
bool w_match_glob(const char *glob, const char *name);

/*
 * The candidate nearest to word by edit distance (a swap of neighbours counts
 * one), or NULL when none is near enough to suggest. candidates ends with
 * NULL.
 */
const char *w_match_nearest(const char *word, const char *const *candidates);

/* Adds "did you mean 'nearest'?" to an error just filled; nothing for NULL. */
void w_match_suggest(const char *nearest, writ_error *err);

#endif /* W_BASE_MATCH_H */
