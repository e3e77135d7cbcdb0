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
 * The candidate with the smallest edit distance to word (a swap of neighbours
 * costs one), or NULL when none is close enough. candidates is NULL-ended.
 */
const char *w_match_nearest(const char *word, const char *const *candidates);

/* The edit distance of two words; SIZE_MAX if one is too long to compare. */
size_t w_match_distance(const char *a, const char *b);

/* Adds "did you mean 'nearest'?" to an error just filled; NULL: nothing. */
void w_match_suggest(const char *nearest, writ_error *err);

#endif /* W_BASE_MATCH_H */
