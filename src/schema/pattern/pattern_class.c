/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Character classes and escapes.
 *
 * No text contains surrogates, so classes are written without them; a class
 * that becomes empty matches nothing.
 */

#include <string.h>

#include "schema/code_point.h"
#include "schema/pattern/pattern_translator.h"

static const char nothing[] = "[^\\x{0}-\\x{10ffff}]";
static const char anything[] = "[\\x{0}-\\x{10ffff}]";

static bool
is_surrogate(uint32_t code)
{
	return code >= W_SURROGATE_FIRST && code <= W_SURROGATE_LAST;
}

void
w_pattern_add_char(struct w_buf *out, uint32_t code)
{
	bool is_plain = (code >= '0' && code <= '9') ||
			(code >= 'A' && code <= 'Z') ||
			(code >= 'a' && code <= 'z');

	if (is_plain)
		w_buf_add_char(out, (char)code);
	else
		w_buf_add_fmt(out, "\\x{%x}", (unsigned)code);
}

static void
add_range(struct w_buf *out, uint32_t low, uint32_t high)
{
	if (is_surrogate(low))
		low = W_SURROGATE_LAST + 1;
	if (is_surrogate(high))
		high = W_SURROGATE_FIRST - 1;
	if (low > high)
		return;
	w_pattern_add_char(out, low);
	if (high > low) {
		w_buf_add_char(out, '-');
		w_pattern_add_char(out, high);
	}
}

static writ_status
pattern_class_read_member(struct w_pattern_reader *reader, struct w_buf *out,
    struct w_pattern_member *member)
{
	*member = (struct w_pattern_member){.is_set = false};
	if (reader->text[reader->at] == '\\') {
		reader->at++;
		return w_pattern_read_escaped(reader, out, true, member);
	}
	member->code = w_code_point_next(reader->text, &reader->at);
	return WRIT_OK;
}

static writ_status
pattern_class_read_range(struct w_pattern_reader *reader, struct w_buf *out)
{
	const size_t from = reader->at;
	struct w_pattern_member low;
	struct w_pattern_member high;
	writ_status status = pattern_class_read_member(reader, out, &low);

	if (status != WRIT_OK)
		return status;
	/* A hyphen makes a range unless it ends the class. */
	if (reader->len - reader->at < 2 || reader->text[reader->at] != '-' ||
	    reader->text[reader->at + 1] == ']') {
		if (!low.is_set)
			add_range(out, low.code, low.code);
		return WRIT_OK;
	}
	reader->at++;
	status = pattern_class_read_member(reader, out, &high);
	if (status != WRIT_OK)
		return status;
	if (low.is_set || high.is_set)
		return w_pattern_bad(
		    reader, from, "a range goes from one character to another");
	if (low.code > high.code)
		return w_pattern_bad(
		    reader, from, "the range ends before it begins");
	add_range(out, low.code, high.code);
	return WRIT_OK;
}

static void
add_class(struct w_buf *out, const struct w_buf *inside, bool negated)
{
	out->failed |= inside->failed;
	if (inside->len == 0) {
		w_buf_add_str(out, negated ? anything : nothing);
		return;
	}
	w_buf_add_str(out, negated ? "[^" : "[");
	w_buf_add(out, inside->data, inside->len);
	w_buf_add_char(out, ']');
}

writ_status
w_pattern_read_class(struct w_pattern_reader *reader)
{
	const size_t from = reader->at - 1;
	W_AUTO_BUF struct w_buf inside;
	bool negated =
	    reader->at < reader->len && reader->text[reader->at] == '^';

	w_buf_init(&inside, W_PATTERN_TEXT_MAX);
	if (negated)
		reader->at++;
	while (reader->at < reader->len && reader->text[reader->at] != ']') {
		writ_status status = pattern_class_read_range(reader, &inside);

		if (status != WRIT_OK)
			return status;
	}
	if (reader->at == reader->len)
		return w_pattern_bad(reader, from, "the class is not closed");
	reader->at++;
	add_class(reader->out, &inside, negated);
	return WRIT_OK;
}

writ_status
w_pattern_read_escape(struct w_pattern_reader *reader)
{
	W_AUTO_BUF struct w_buf inside;
	struct w_pattern_member member = {.is_set = false};

	w_buf_init(&inside, W_PATTERN_TEXT_MAX);

	writ_status status =
	    w_pattern_read_escaped(reader, &inside, false, &member);

	if (status != WRIT_OK)
		return status;
	if (member.is_set)
		add_class(reader->out, &inside, false);
	else if (is_surrogate(member.code))
		w_buf_add_str(reader->out, nothing);
	else
		w_pattern_add_char(reader->out, member.code);
	return WRIT_OK;
}
