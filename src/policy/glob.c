/* SPDX-License-Identifier: Apache-2.0 */

/* Globs. What comes behind the last star that was met is the only thing that
 * ever has to be tried again: what stands before it has matched as early as it
 * can. The same holds for segments and "**". */

#include "policy/glob.h"

#include <string.h>

static char
glob_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool
is_between(char low, char high, char c)
{
	return (unsigned char)c >= (unsigned char)low &&
	       (unsigned char)c <= (unsigned char)high;
}

/* Behind the bracket that ends a class; NULL: it is a plain bracket. */
static const char *
glob_class_end(const char *glob, const char *end)
{
	const char *at = glob + 1;

	if (at < end && *at == '!')
		at++;
	/* A bracket that comes first is one of the class. */
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
		char low = at[0];
		char high = low;

		if (at[1] == '-' && at + 2 < end - 1) {
			high = at[2];
			at += 2;
		}
		has = has || is_between(low, high, c);
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
	return class_has(glob, end, glob_lower(c));
}

/* What of the glob follows when its first element is that character; NULL: it
 * is not. */
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
	    (is_folded && glob_lower(*glob) == glob_lower(c)))
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
	const char *any = NULL; /* behind the last "**" */
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

/* "**" is any directory, and so is '*' behind it: what is about some file
 * anywhere is not about every directory. */
static bool
says_which(const struct w_segment *segment, bool is_anywhere, bool is_wide)
{
	if (w_glob_is_literal(segment->at, segment->len))
		return true;
	return is_wide && !is_anywhere && !w_segment_is_any(segment);
}

bool
w_glob_reaches(const char *glob, const char *directory, bool is_wide)
{
	const char *end = glob + strlen(glob);
	const char *at = glob;
	bool is_anywhere = false;
	struct w_segment segment;

	/* Everything is in the root. */
	if (directory[strspn(directory, "/")] == '\0')
		return true;
	while (next_until(&at, end, &segment)) {
		bool is_last = at[strspn(at, "/")] == '\0';

		if (!is_last && says_which(&segment, is_anywhere, is_wide) &&
		    match_path(glob, at, directory))
			return true;
		is_anywhere = is_anywhere || w_segment_is_any(&segment);
	}
	return false;
}
