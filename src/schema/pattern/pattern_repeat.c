/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Quantifiers, and the callouts that count the work of matching them.
 */

#include <string.h>

#include "schema/pattern/pattern_translator.h"

#define SHORT_REPEAT 64
#define ENDLESS      UINT32_MAX

struct quantifier {
	uint32_t min;
	uint32_t max;
	bool is_lazy;
};

void
w_pattern_call_out(
    struct w_pattern_reader *reader, enum w_pattern_callout number)
{
	if (reader->guarded)
		w_buf_add_fmt(reader->out, "(?C%d)", (int)number);
}

/* Inserts a callout before text that is already written. */
static void
insert_callout(struct w_pattern_reader *reader, size_t before,
    enum w_pattern_callout number)
{
	struct w_buf *out = reader->out;
	const size_t tail = out->len - before;
	const size_t from = out->len;

	if (!reader->guarded)
		return;
	w_pattern_call_out(reader, number);
	if (out->failed)
		return;

	const size_t added = out->len - from;
	char word[16];

	memcpy(word, out->data + from, added);
	memmove(out->data + before + added, out->data + before, tail);
	memcpy(out->data + before, word, added);
}

void
w_pattern_count_paths(struct w_pattern_reader *reader, uint32_t ways)
{
	if (ways > W_PATTERN_PATHS_MAX || reader->paths > W_PATTERN_PATHS_MAX)
		reader->paths = W_PATTERN_PATHS_MAX + 1;
	else if (ways > 1)
		reader->paths *= ways;
}

bool
w_pattern_read_number(struct w_pattern_reader *reader, uint32_t *out_number)
{
	const size_t from = reader->at;
	uint32_t number = 0;

	while (reader->at < reader->len) {
		char c = reader->text[reader->at];

		if (c < '0' || c > '9')
			break;
		if (number < 10000000)
			number = number * 10 + (uint32_t)(c - '0');
		reader->at++;
	}
	*out_number = number;
	return reader->at > from;
}

/* After the '{'. */
static bool
read_bounds(struct w_pattern_reader *reader, struct quantifier *quantifier)
{
	if (!w_pattern_read_number(reader, &quantifier->min))
		return false;
	quantifier->max = quantifier->min;
	if (w_pattern_looking_at(reader, ",")) {
		reader->at++;
		if (!w_pattern_read_number(reader, &quantifier->max))
			quantifier->max = ENDLESS;
	}
	if (!w_pattern_looking_at(reader, "}"))
		return false;
	reader->at++;
	return true;
}

/* false: no quantifier. */
static bool
read_quantifier(struct w_pattern_reader *reader, struct quantifier *quantifier,
    writ_status *out_status)
{
	const size_t from = reader->at;
	const char c = from < reader->len ? reader->text[from] : '\0';

	*out_status = WRIT_OK;
	if (c != '*' && c != '+' && c != '?' && c != '{')
		return false;
	reader->at++;
	*quantifier = (struct quantifier){.min = c == '+', .max = ENDLESS};
	if (c == '?')
		quantifier->max = 1;
	if (c == '{' && !read_bounds(reader, quantifier))
		*out_status = w_pattern_bad(reader, from,
		    "a repetition is '{3}', '{3,}' or '{3,5}'; a brace that "
		    "means itself is written as '\\{'");
	else if (quantifier->min > quantifier->max)
		*out_status = w_pattern_bad(
		    reader, from, "the bounds of the repetition are swapped");
	quantifier->is_lazy = w_pattern_looking_at(reader, "?");
	reader->at += quantifier->is_lazy;
	return true;
}

static void
add_quantifier(struct w_buf *out, const struct quantifier *quantifier)
{
	if (quantifier->max == ENDLESS)
		w_buf_add_fmt(out, "{%u,}", quantifier->min);
	else
		w_buf_add_fmt(out, "{%u,%u}", quantifier->min, quantifier->max);
	if (quantifier->is_lazy)
		w_buf_add_char(out, '?');
}

static void
repeat_char(struct w_pattern_reader *reader, size_t from,
    const struct quantifier *quantifier)
{
	bool is_long = quantifier->max > SHORT_REPEAT;

	if (is_long)
		insert_callout(reader, from, W_CALLOUT_SCAN);
	add_quantifier(reader->out, quantifier);
	if (is_long) {
		reader->scans++;
		w_pattern_call_out(reader, W_CALLOUT_SCANNED);
	} else if (quantifier->min != quantifier->max) {
		w_pattern_count_paths(
		    reader, quantifier->max - quantifier->min + 1);
		w_pattern_call_out(reader, W_CALLOUT_STEP);
	}
}

writ_status
w_pattern_repeat(
    struct w_pattern_reader *reader, const struct w_pattern_written *written)
{
	const size_t at = reader->at;
	struct quantifier quantifier;
	writ_status status;

	if (!read_quantifier(reader, &quantifier, &status))
		return WRIT_OK;
	if (status != WRIT_OK)
		return status;
	if (written->atom == W_ATOM_NONE)
		return w_pattern_bad(reader, at, "nothing to repeat");
	if (quantifier.min > W_PATTERN_REPEAT_MAX ||
	    (quantifier.max > W_PATTERN_REPEAT_MAX &&
		quantifier.max != ENDLESS))
		return w_pattern_bad(
		    reader, at, "more than 65535 repetitions are not counted");
	if (written->atom == W_ATOM_CHAR) {
		repeat_char(reader, written->from, &quantifier);
		return WRIT_OK;
	}
	reader->has_loop |= quantifier.max > 1;
	w_pattern_count_paths(reader, 2);
	if (written->atom == W_ATOM_GROUP)
		insert_callout(reader, written->from, W_CALLOUT_STEP);
	add_quantifier(reader->out, &quantifier);
	return WRIT_OK;
}
