/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_POLICY_GLOB_H
#define W_POLICY_GLOB_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Glob matching for names and paths, byte by byte. No allocation. The cost is
 * bounded by about len(glob) * len(text) steps for each "**".
 */

/* Matches the whole text against * ? [a-z] [!a-z] and literal characters.
 * is_folded: ignore ASCII case. */
bool w_glob_text(const char *glob, size_t glob_len, const char *text,
    size_t text_len, bool is_folded);

/* Whether the glob has no wildcard. */
bool w_glob_is_literal(const char *glob, size_t len);

/*
 * Matches a path segment by segment: '*' stays within one segment, a "**"
 * segment matches any number of them. Repeated, leading and trailing slashes
 * are ignored.
 */
bool w_glob_path(const char *glob, const char *path);

/* Whether the glob can match something below the directory: leading segments
 * match the directory, more segments follow, and the last matching one is
 * literal. With is_wide it may be any segment but "**" with no "**" before it.
 */
bool w_glob_reaches(const char *glob, const char *directory, bool is_wide);

/* One segment of a path or of a path glob. */
struct w_segment {
	const char *at;
	size_t len;
};

/* Reads the next segment and moves *at behind it; false: no more. */
bool w_segment_next(const char **at, struct w_segment *out_segment);

bool w_segment_is_any(const struct w_segment *segment); /* "**" */

#endif /* W_POLICY_GLOB_H */
