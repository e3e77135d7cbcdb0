/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Matches names: globs for lists of users, edit distance for misspelled words.
 * No allocation, no locale; both work on bytes.
 */

#include "base/match.h"

#include <stdint.h>
#include <string.h>

#include "base/ascii.h"

/* Longer names get no suggestion: nobody types them by hand. */
#define NEAREST_LEN_MAX 64

/* With more typos than this it is another word, however long. */
#define DISTANCE_MAX 3

/* The end of a character class, after its bracket; NULL: it is a plain
 * bracket. */
static const char *
match_class_end(const char *glob)
{
	const char *at = glob + 1;

	if (*at == '!')
		at++;
	/* A bracket that comes first is a member of the class. */
	at = strchr(*at == ']' ? at + 1 : at, ']');
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
		has = has ||
		      ((unsigned char)c >= low && (unsigned char)c <= high);
		at++;
	}
	return has != is_not;
}

/* The rest of the glob if its first element matches c; NULL: it does not. */
static const char *
after_one(const char *glob, char c)
{
	const char *end = *glob == '[' ? match_class_end(glob) : NULL;

	if (end != NULL)
		return class_has(glob, end, c) ? end : NULL;
	if (*glob == '\0' || (*glob != '?' && *glob != c))
		return NULL;
	return glob + 1;
}

/*
 * Only the last star ever needs a retry: what comes before it has matched as
 * early as possible, so moving an earlier star cannot help.
 */
bool
w_match_glob(const char *glob, const char *name)
{
	const char *star = NULL;
	const char *retry = NULL;

	while (*name != '\0') {
		const char *next = after_one(glob, *name);

		if (*glob == '*') {
			star = glob++;
			retry = name;
		} else if (next != NULL) {
			glob = next;
			name++;
		} else if (star != NULL) {
			glob = star + 1;
			name = ++retry;
		} else {
			return false;
		}
	}
	return glob[strspn(glob, "*")] == '\0';
}

static size_t
smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Edit distance with swaps of neighbours, ignoring case. Each row is the
 * distance of one prefix of a to every prefix of b. */
static size_t
distance(const char *a, size_t a_len, const char *b, size_t b_len)
{
	size_t rows[3][NEAREST_LEN_MAX + 1];
	size_t *before = rows[0];
	size_t *above = rows[1];
	size_t *row = rows[2];

	for (size_t j = 0; j <= b_len; j++) {
		before[j] = 0;
		above[j] = j;
	}
	for (size_t i = 1; i <= a_len; i++) {
		row[0] = i;
		for (size_t j = 1; j <= b_len; j++) {
			char x = w_lower(a[i - 1]);
			char y = w_lower(b[j - 1]);
			size_t best = above[j - 1] + (x != y);

			best = smaller(best, above[j] + 1);
			best = smaller(best, row[j - 1] + 1);
			if (i > 1 && j > 1 && x == w_lower(b[j - 2]) &&
			    w_lower(a[i - 2]) == y)
				best = smaller(best, before[j - 2] + 1);
			row[j] = best;
		}
		size_t *oldest = before;
		before = above;
		above = row;
		row = oldest;
	}
	return above[b_len];
}

size_t
w_match_distance(const char *a, const char *b)
{
	const size_t a_len = strnlen(a, NEAREST_LEN_MAX + 1);
	const size_t b_len = strnlen(b, NEAREST_LEN_MAX + 1);

	if (a_len > NEAREST_LEN_MAX || b_len > NEAREST_LEN_MAX)
		return SIZE_MAX;
	return distance(a, a_len, b, b_len);
}

const char *
w_match_nearest(const char *word, const char *const *candidates)
{
	size_t len = strnlen(word, NEAREST_LEN_MAX + 1);
	const char *nearest = NULL;
	size_t nearest_distance = DISTANCE_MAX + 1;

	if (len > NEAREST_LEN_MAX)
		return NULL;
	for (; *candidates != NULL; candidates++) {
		size_t other_len = strnlen(*candidates, NEAREST_LEN_MAX + 1);
		if (other_len > NEAREST_LEN_MAX)
			continue;

		/* One typo for every three letters; two-letter words resemble
		 * everything. */
		size_t longer = len > other_len ? len : other_len;
		size_t far = distance(word, len, *candidates, other_len);
		if (far <= longer / 3 && far < nearest_distance) {
			nearest = *candidates;
			nearest_distance = far;
		}
	}
	return nearest;
}

void
w_match_suggest(const char *nearest, writ_error *err)
{
	if (nearest != NULL)
		w_suggest(err, "did you mean '%s'?", nearest);
}
