/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SCHEMA_PATTERN_H
#define W_SCHEMA_PATTERN_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/*
 * Regular expressions of JSON Schema: ECMA-262 with the flag u, not anchored.
 * Matching is bounded in time and memory for every pattern.
 */
struct w_pattern;

/* Fails with WRIT_E_INVALID and a message with the position and cause. */
writ_status w_pattern_compile(const char *text, size_t len,
    struct w_pattern **out_pattern, writ_error *err);
void w_pattern_free(struct w_pattern *pattern);

enum w_pattern_answer {
	W_PATTERN_NO,
	W_PATTERN_YES,
	W_PATTERN_LIMIT, /* the time limit was hit */
};

/*
 * text must be valid UTF-8. *budget is shared by several matches, in steps of
 * some nanoseconds, and decremented by what this one takes; W_PATTERN_LIMIT: it
 * was used up. NULL: only the pattern's own limit applies.
 */
enum w_pattern_answer w_pattern_match(const struct w_pattern *pattern,
    const char *text, size_t len, uint64_t *budget);

#endif /* W_SCHEMA_PATTERN_H */
