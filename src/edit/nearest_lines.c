/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Where a text comes nearest to lines that are not in it.
 *
 * Lines are compared by a hash that ignores white space. If none is the same,
 * the one with the most pairs of characters in common is the nearest.
 */

#include "edit/nearest_lines.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"

enum {
	TEXT_LINES_MAX = 200000, /* looked at */
	WANTED_MAX = 40,
	SHOWN_LINES = 6,
	SHOWN_BYTES = 120,
	PAIR_BITS = 1024,
	LINE_BYTES = 400, /* of a line that are compared */
	HALF = 2,
};

struct nearest_place {
	size_t line;
	size_t same; /* lines that are the same but for white space */
};

/* 0 for a blank line. FNV-1a. */
static uint64_t
hash_of(const struct w_edit_line *line)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);
	bool is_blank = true;

	for (size_t i = 0; i < line->len; i++) {
		const unsigned char byte = (unsigned char)line->text[i];

		if (byte == ' ' || byte == '\t' || byte == '\r')
			continue;
		is_blank = false;
		hash = (hash ^ byte) * UINT64_C(0x100000001b3);
	}
	return is_blank ? 0 : hash | 1;
}

static uint64_t *
hash_lines(const struct w_edit_lines *lines, size_t count)
{
	uint64_t *hashes = calloc(count + 1, sizeof(*hashes));

	for (size_t i = 0; hashes != NULL && i < count; i++)
		hashes[i] = hash_of(&lines->items[i]);
	return hashes;
}

/* The start where most lines agree; blank ones say nothing. */
static struct nearest_place
nearest_by_lines(const uint64_t *text, size_t text_count,
    const uint64_t *wanted, size_t wanted_count)
{
	struct nearest_place best = {0, 0};

	for (size_t i = 0; i < text_count; i++) {
		size_t same = 0;

		for (size_t k = 0; k < wanted_count && i + k < text_count; k++)
			same += wanted[k] != 0 && wanted[k] == text[i + k];
		if (same > best.same)
			best = (struct nearest_place){i, same};
	}
	return best;
}

/* ---- similar lines ---- */

struct pairs {
	uint64_t bits[PAIR_BITS / 64];
	size_t count;
};

static void
collect_pairs(struct pairs *pairs, const struct w_edit_line *line)
{
	const size_t len = line->len > LINE_BYTES ? LINE_BYTES : line->len;
	unsigned last = 0;

	memset(pairs, 0, sizeof(*pairs));
	for (size_t i = 0; i < len; i++) {
		const unsigned byte = (unsigned char)line->text[i];

		if (byte == ' ' || byte == '\t')
			continue;
		const unsigned pair = (last * 31 + byte * 7) % PAIR_BITS;

		if (last != 0 &&
		    (pairs->bits[pair / 64] >> (pair % 64) & 1) == 0) {
			pairs->bits[pair / 64] |= UINT64_C(1) << (pair % 64);
			pairs->count++;
		}
		last = byte;
	}
}

static size_t
common_pairs(const struct pairs *a, const struct pairs *b)
{
	size_t count = 0;

	for (size_t i = 0; i < PAIR_BITS / 64; i++)
		count += (size_t)__builtin_popcountll(a->bits[i] & b->bits[i]);
	return count;
}

/* The wanted line that says most. */
static size_t
longest_of(const struct w_edit_lines *wanted, size_t count)
{
	size_t longest = 0;

	for (size_t i = 1; i < count; i++) {
		if (wanted->items[i].len > wanted->items[longest].len)
			longest = i;
	}
	return longest;
}

/* false: nothing has half of the pairs in common. */
static bool
nearest_by_pairs(const struct w_edit_lines *text, size_t text_count,
    const struct w_edit_line *wanted, size_t *out_line)
{
	struct pairs ours, theirs;
	size_t best = 0;

	collect_pairs(&ours, wanted);
	for (size_t i = 0; i < text_count; i++) {
		collect_pairs(&theirs, &text->items[i]);
		const size_t more =
		    ours.count > theirs.count ? ours.count : theirs.count;
		const size_t common = common_pairs(&ours, &theirs);

		if (more == 0 || common * HALF < more)
			continue;
		const size_t score = common * 1000 / more;
		if (score > best) {
			best = score;
			*out_line = i;
		}
	}
	return best > 0;
}

/* ---- the words ---- */

static void
add_lines(struct w_buf *buf, const struct w_edit_lines *text, size_t from,
    size_t count)
{
	for (size_t i = from; i < from + count && i < text->count; i++) {
		w_buf_add_fmt(buf, "\n%zu\t", i + 1);
		w_edit_add_shown(
		    buf, text->items[i].text, text->items[i].len, SHOWN_BYTES);
	}
}

static size_t
count_words(const uint64_t *hashes, size_t count)
{
	size_t said = 0;

	for (size_t i = 0; i < count; i++)
		said += hashes[i] != 0;
	return said;
}

void
w_edit_add_nearest(struct w_buf *buf, const struct w_edit_lines *text,
    const struct w_edit_lines *wanted)
{
	const size_t text_count =
	    text->count > TEXT_LINES_MAX ? TEXT_LINES_MAX : text->count;
	const size_t wanted_count =
	    wanted->count > WANTED_MAX ? WANTED_MAX : wanted->count;
	W_AUTO_FREE uint64_t *text_hashes = hash_lines(text, text_count);
	W_AUTO_FREE uint64_t *wanted_hashes = hash_lines(wanted, wanted_count);
	size_t line = 0;

	if (text_hashes == NULL || wanted_hashes == NULL || wanted_count == 0)
		return;
	const struct nearest_place place = nearest_by_lines(
	    text_hashes, text_count, wanted_hashes, wanted_count);
	const size_t shown =
	    wanted_count > SHOWN_LINES ? SHOWN_LINES : wanted_count;
	if (place.same > 0) {
		const bool is_whole =
		    wanted_count == wanted->count &&
		    place.same == count_words(wanted_hashes, wanted_count);

		w_buf_add_fmt(buf, "nearest, from line %zu%s:", place.line + 1,
		    is_whole ? " (only white space differs)" : "");
		add_lines(buf, text, place.line, shown);
		return;
	}
	const size_t longest = longest_of(wanted, wanted_count);
	if (!nearest_by_pairs(text, text_count, &wanted->items[longest], &line))
		return;
	line = line > longest ? line - longest : 0;
	w_buf_add_fmt(buf, "nearest, from line %zu:", line + 1);
	add_lines(buf, text, line, shown);
}
