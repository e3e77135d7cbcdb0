/* SPDX-License-Identifier: Apache-2.0 */

/* Glob matching. On a mismatch only the part after the last star is retried:
 * what stands before it has already matched as early as it can. The same holds
 * for path segments and "**". */

#include "policy/glob.h"

#include <string.h>

#include "base/ascii.h"

/* Returns the position after the closing bracket of a class. NULL: there is
 * none, so the bracket is literal. */
static const char *
glob_class_end(const char *glob, const char *end)
{
	const char *at = glob + 1;

	if (at < end && *at == '!')
		at++;
	/* A leading ']' is a member of the class. */
	if (at < end && *at == ']')
		at++;
	at = at < end ? memchr(at, ']', (size_t)(end - at)) : NULL;
	return at == NULL ? NULL : at + 1;
}

static bool
class_has(const char *glob, const char *end, char c)
{
	bool is_not = glob[1] == '!';
	const char *at = glob + (is_not ? 2 : 1);
	bool has = false;

	while (at < end - 1) {
		unsigned char low = (unsigned char)at[0];
		unsigned char high = low;

		if (at[1] == '-' && at + 2 < end - 1) {
			high = (unsigned char)at[2];
			at += 2;
		}
		if ((unsigned char)c >= low && (unsigned char)c <= high)
			has = true;
		at++;
	}
	return has != is_not;
}

static bool
class_fits(const char *glob, const char *end, char c, bool is_folded)
{
	if (class_has(glob, end, c))
		return true;
	if (!is_folded)
		return false;
	if (c >= 'a' && c <= 'z')
		return class_has(glob, end, (char)(c - 'a' + 'A'));
	return class_has(glob, end, w_lower(c));
}

/* Returns the rest of the glob if its first element matches c, else NULL. */
static const char *
after_one(const char *glob, const char *end, char c, bool is_folded)
{
	const char *behind =
	    glob < end && *glob == '[' ? glob_class_end(glob, end) : NULL;

	if (behind != NULL)
		return class_fits(glob, behind, c, is_folded) ? behind : NULL;
	if (glob == end)
		return NULL;
	if (*glob == '?' || *glob == c ||
	    (is_folded && w_lower(*glob) == w_lower(c)))
		return glob + 1;
	return NULL;
}

bool
w_glob_text(const char *glob, size_t glob_len, const char *text,
    size_t text_len, bool is_folded)
{
	const char *glob_end = glob + glob_len;
	const char *end = text + text_len;
	const char *star = NULL;
	const char *retry = NULL;

	while (text < end) {
		if (glob < glob_end && *glob == '*') {
			star = ++glob;
			retry = text;
			continue;
		}
		const char *next = after_one(glob, glob_end, *text, is_folded);
		if (next != NULL) {
			glob = next;
			text++;
		} else if (star != NULL) {
			glob = star;
			text = ++retry;
		} else {
			return false;
		}
	}
	while (glob < glob_end && *glob == '*')
		glob++;
	return glob == glob_end;
}

bool
w_glob_is_literal(const char *glob, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (glob[i] == '*' || glob[i] == '?' || glob[i] == '[')
			return false;
	}
	return true;
}

/* ---- segments ---- */

static bool
next_until(const char **at, const char *end, struct w_segment *out_segment)
{
	const char *from = *at;

	while (from < end && *from == '/')
		from++;
	if (from == end)
		return false;
	const char *slash = memchr(from, '/', (size_t)(end - from));
	*at = slash == NULL ? end : slash;
	*out_segment = (struct w_segment){from, (size_t)(*at - from)};
	return true;
}

bool
w_segment_next(const char **at, struct w_segment *out_segment)
{
	const char *from = *at + strspn(*at, "/");
	size_t len = strcspn(from, "/");

	*at = from + len;
	*out_segment = (struct w_segment){from, len};
	return len > 0;
}

bool
w_segment_is_any(const struct w_segment *segment)
{
	return segment->len == 2 && memcmp(segment->at, "**", 2) == 0;
}

static bool
is_rest_any(const char *glob, const char *end)
{
	struct w_segment segment;

	while (next_until(&glob, end, &segment)) {
		if (!w_segment_is_any(&segment))
			return false;
	}
	return true;
}

static bool
match_path(const char *glob, const char *glob_end, const char *path)
{
	const char *end = path + strlen(path);
	const char *any = NULL; /* after the last "**" */
	const char *retry = NULL;
	struct w_segment want;
	struct w_segment have;

	for (;;) {
		const char *glob_next = glob;
		const char *path_next = path;
		bool wants = next_until(&glob_next, glob_end, &want);

		if (!next_until(&path_next, end, &have))
			return is_rest_any(glob, glob_end);
		if (wants && w_segment_is_any(&want)) {
			any = glob = glob_next;
			retry = path;
		} else if (wants && w_glob_text(want.at, want.len, have.at,
					have.len, false)) {
			glob = glob_next;
			path = path_next;
		} else if (any != NULL) {
			(void)next_until(&retry, end, &have);
			glob = any;
			path = retry;
		} else {
			return false;
		}
	}
}

bool
w_glob_path(const char *glob, const char *path)
{
	return match_path(glob, glob + strlen(glob), path);
}

bool
w_glob_reaches(const char *glob, const char *directory, bool is_wide)
{
	const char *end = glob + strlen(glob);
	const char *at = glob;
	bool is_anywhere = false;
	struct w_segment segment;

	/* Everything lies below the root. */
	if (directory[strspn(directory, "/")] == '\0')
		return true;
	while (next_until(&at, end, &segment)) {
		bool is_last = at[strspn(at, "/")] == '\0';

		/* "**" matches any directory, and so does '*' after it: a glob
		 * for files anywhere does not mean this directory. */
		is_anywhere = is_anywhere || w_segment_is_any(&segment);
		bool is_specific = w_glob_is_literal(segment.at, segment.len) ||
				   (is_wide && !is_anywhere);
		if (!is_last && is_specific && match_path(glob, at, directory))
			return true;
	}
	return false;
}
