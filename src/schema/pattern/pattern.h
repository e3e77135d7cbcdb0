/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SCHEMA_PATTERN_H
#define W_SCHEMA_PATTERN_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/*
 * Regular expressions as JSON Schema means them: the dialect of ECMA-262 with
 * the flag u, searched anywhere in the text. Matching is bounded in time and
 * memory, whatever the pattern.
 */
struct w_pattern;

/* Fails with WRIT_E_INVALID, and says where in the pattern and why. */
writ_status w_pattern_compile(const char *text, size_t len,
    struct w_pattern **out_pattern, writ_error *err);
void w_pattern_free(struct w_pattern *pattern);

enum w_pattern_answer {
	W_PATTERN_NO,
	W_PATTERN_YES,
	W_PATTERN_LIMIT, /* it took too long to say */
};

/*
 * text is valid UTF-8. *budget is what several matches may take together, in
 * steps of some nanoseconds; what this one took is taken off it, and the
 * answer is W_PATTERN_LIMIT when it does not do. NULL: only the pattern's own
 * limit holds.
 */
enum w_pattern_answer w_pattern_match(const struct w_pattern *pattern,
    const char *text, size_t len, uint64_t *budget);

#endif /* W_SCHEMA_PATTERN_H */
