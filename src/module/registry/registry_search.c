/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Searches for modules: by words, and by an id that is nearly right. Case is
 * ignored for ASCII letters.
 */

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/ascii.h"
#include "base/auto.h"
#include "base/match.h"
#include "module/registry/registry.h"

#define STAGE  "modules"
#define BLANKS " \t\r\n"

/* Longer queries are not from people. */
#define WORDS_MAX 32

/* How much a similar id can differ in length; w_match_nearest() accepts no
 * more. */
#define NEAR_LEN 3

/* How well a word matches, best last. */
enum fit {
	FIT_NONE,
	FIT_PART,        /* anywhere */
	FIT_DESCRIPTION, /* a word of it */
	FIT_TAG,
	FIT_BEGINNING, /* of the id or of one of its segments */
	FIT_SEGMENT,
	FIT_ID,
};

struct word {
	const char *text;
	size_t len;
};

static bool
is_word_char(char c)
{
	return w_is_name_start(c) || w_is_digit(c) || (c & 0x80) != 0;
}

/* Finds the word in the text. */
static const char *
find_part(const char *text, const struct word *word)
{
	for (; *text != '\0'; text++) {
		if (strncasecmp(text, word->text, word->len) == 0)
			return text;
	}
	return NULL;
}

static bool
registry_search_has_word(const char *text, const struct word *word)
{
	const char *at = text;

	while ((at = find_part(at, word)) != NULL) {
		bool starts = at == text || !is_word_char(at[-1]);

		if (starts && !is_word_char(at[word->len]))
			return true;
		at++;
	}
	return false;
}

static bool
registry_search_is_word(const char *text, const struct word *word)
{
	return strncasecmp(text, word->text, word->len) == 0 &&
	       text[word->len] == '\0';
}

static enum fit
fit_id(const char *id, const struct word *word)
{
	enum fit best = FIT_NONE;

	if (registry_search_is_word(id, word))
		return FIT_ID;
	for (const char *segment = id; segment != NULL;) {
		const char *dot = strchr(segment, '.');

		if (strncasecmp(segment, word->text, word->len) == 0) {
			char end = segment[word->len];

			if (end == '.' || end == '\0')
				return FIT_SEGMENT;
			best = FIT_BEGINNING;
		}
		segment = dot == NULL ? NULL : dot + 1;
	}
	return best;
}

static enum fit
fit_tags(const char *const *tags, const struct word *word)
{
	enum fit best = FIT_NONE;

	for (; *tags != NULL; tags++) {
		if (registry_search_is_word(*tags, word))
			return FIT_TAG;
		if (find_part(*tags, word) != NULL)
			best = FIT_PART;
	}
	return best;
}

static enum fit
fit_word(const struct w_module_summary *summary, const struct word *word)
{
	enum fit id = fit_id(summary->id, word);

	if (id != FIT_NONE)
		return id;
	enum fit tags = fit_tags(summary->tags, word);
	if (tags == FIT_TAG)
		return tags;
	if (registry_search_has_word(summary->description, word))
		return FIT_DESCRIPTION;
	if (tags == FIT_PART || find_part(summary->id, word) != NULL ||
	    find_part(summary->command, word) != NULL ||
	    find_part(summary->description, word) != NULL)
		return FIT_PART;
	return FIT_NONE;
}

/* How well all words match; 0: one does not. */
static unsigned
fit_all(const struct w_module_summary *summary, const struct word *words,
    size_t count)
{
	unsigned sum = 1;

	for (size_t i = 0; i < count; i++) {
		enum fit fit = fit_word(summary, &words[i]);

		if (fit == FIT_NONE)
			return 0;
		sum += (unsigned)fit;
	}
	return sum;
}

static writ_status
split_query(const char *query, struct word words[WORDS_MAX], size_t *out_count,
    writ_error *err)
{
	size_t count = 0;

	for (const char *at = query + strspn(query, BLANKS); *at != '\0';) {
		size_t len = strcspn(at, BLANKS);

		if (count == WORDS_MAX)
			return w_fail(err, WRIT_E_INVALID, STAGE, 0,
			    "a query has at most %d words", WORDS_MAX);
		words[count++] = (struct word){at, len};
		at += len;
		at += strspn(at, BLANKS);
	}
	*out_count = count;
	return WRIT_OK;
}

struct hit {
	size_t place;
	unsigned fit;
};

/* Indexes are by id already. */
static int
compare_hits(const void *a, const void *b)
{
	const struct hit *left = a;
	const struct hit *right = b;

	if (left->fit != right->fit)
		return left->fit > right->fit ? -1 : 1;
	return left->place < right->place ? -1 : 1;
}

writ_status
w_registry_search(const struct w_registry *registry, const char *query,
    size_t **out_places, size_t *out_count, writ_error *err)
{
	size_t all = w_registry_count(registry);
	struct word words[WORDS_MAX];
	size_t word_count = 0;
	size_t count = 0;
	writ_status status = split_query(query, words, &word_count, err);

	if (status != WRIT_OK)
		return status;
	W_AUTO_FREE struct hit *hits = calloc(all + 1, sizeof(*hits));
	W_AUTO_FREE size_t *places = calloc(all + 1, sizeof(*places));
	if (hits == NULL || places == NULL)
		return w_fail_nomem(err, STAGE);
	for (size_t i = 0; i < all; i++) {
		unsigned fit =
		    fit_all(w_registry_at(registry, i), words, word_count);

		if (fit > 0)
			hits[count++] = (struct hit){i, fit};
	}
	qsort(hits, count, sizeof(*hits), compare_hits);
	for (size_t i = 0; i < count; i++)
		places[i] = hits[i].place;
	*out_places = w_take_ptr(&places);
	*out_count = count;
	return WRIT_OK;
}

/* People leave out parts of an id: compare all of it, then all but its first
 * segment, then only its last. NULL: no such part. */
static const char *
part_of_id(const char *id, int way)
{
	const char *dot = way == 1 ? strchr(id, '.') : strrchr(id, '.');

	if (way == 0)
		return id;
	return dot == NULL ? NULL : dot + 1;
}

/* Only those of similar length: a comparison is expensive. */
static size_t
collect_parts(
    const struct w_registry *registry, size_t len, int way, const char **parts)
{
	size_t count = 0;

	for (size_t i = 0; i < w_registry_count(registry); i++) {
		const char *part =
		    part_of_id(w_registry_at(registry, i)->id, way);
		size_t part_len = part == NULL ? 0 : strlen(part);

		if (part != NULL && part_len + NEAR_LEN >= len &&
		    len + NEAR_LEN >= part_len)
			parts[count++] = part;
	}
	parts[count] = NULL;
	return count;
}

/* The id that a part belongs to. */
static const char *
id_of_part(const struct w_registry *registry, const char *part, int way)
{
	for (size_t i = 0; i < w_registry_count(registry); i++) {
		const char *id = w_registry_at(registry, i)->id;

		if (part_of_id(id, way) == part)
			return id;
	}
	return NULL;
}

const char *
w_registry_nearest(const struct w_registry *registry, const char *id)
{
	W_AUTO_FREE const char **parts =
	    calloc(w_registry_count(registry) + 1, sizeof(*parts));
	size_t len = strlen(id);

	for (int way = 0; parts != NULL && way < 3; way++) {
		(void)collect_parts(registry, len, way, parts);
		const char *near = w_match_nearest(id, parts);
		/* A part of an id is short: with two typos it is another
		 * word. */
		if (near != NULL &&
		    w_match_distance(id, near) <= (way == 0 ? 2 : 1))
			return id_of_part(registry, near, way);
	}
	return NULL;
}
