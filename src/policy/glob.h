/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_POLICY_GLOB_H
#define W_POLICY_GLOB_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Globs of names and of paths, by their bytes. No allocation, and no input
 * takes more than about len(glob) * len(text) steps for each "**".
 */

/* A whole text against * ? [a-z] [!a-z] and literal characters. is_folded: the
 * letters a to z are those of either case. */
bool w_glob_text(const char *glob, size_t glob_len, const char *text,
    size_t text_len, bool is_folded);

/* Whether it has no character that stands for others. */
bool w_glob_is_literal(const char *glob, size_t len);

/*
 * A path against a glob, segment by segment: '*' stays within one, a segment
 * that is "**" is any number of them. How many slashes there are between two,
 * in front and behind, does not matter.
 */
bool w_glob_path(const char *glob, const char *path);

/* Whether the glob is about something in that directory: some of its segments
 * match the directory, more follow, and the last of those that match is a
 * literal one; or any but "**" with no "**" before it, if is_wide. */
bool w_glob_reaches(const char *glob, const char *directory, bool is_wide);

/* One segment of a path or a path's glob. */
struct w_segment {
	const char *at;
	size_t len;
};

/* The next one, and *at behind it; false: there is none. */
bool w_segment_next(const char **at, struct w_segment *out_segment);

bool w_segment_is_any(const struct w_segment *segment); /* "**" */

#endif /* W_POLICY_GLOB_H */
