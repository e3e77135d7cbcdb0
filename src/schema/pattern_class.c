/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What stands for one character of a regular expression: classes and escapes.
 *
 * A surrogate is no character of any text, so classes are written without
 * them, and a class that is empty then matches nothing.
 */

#include <string.h>

#include "schema/code_point.h"
#include "schema/pattern_text.h"

#define SURROGATE_FIRST 0xd800U
#define SURROGATE_LAST  0xdfffU

static const char nothing[] = "[^\\x{0}-\\x{10ffff}]";
static const char anything[] = "[\\x{0}-\\x{10ffff}]";

/* White space and line ends of ECMA-262, and all the rest. */
static const char blanks[] = "\\x{9}-\\x{d}\\x{20}\\x{a0}\\x{1680}"
			     "\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}"
			     "\\x{205f}\\x{3000}\\x{feff}";
static const char no_blanks[] =
    "\\x{0}-\\x{8}\\x{e}-\\x{1f}\\x{21}-\\x{9f}\\x{a1}-\\x{167f}"
    "\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}"
    "\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}"
    "\\x{ff00}-\\x{10ffff}";

/* One member of a class: a character, or a set that is written already. */
struct member {
	bool is_set;
	uint32_t code;
};

static bool
is_surrogate(uint32_t code)
{
	return code >= SURROGATE_FIRST && code <= SURROGATE_LAST;
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
		low = SURROGATE_LAST + 1;
	if (is_surrogate(high))
		high = SURROGATE_FIRST - 1;
	if (low > high)
		return;
	w_pattern_add_char(out, low);
	if (high > low) {
		w_buf_add_char(out, '-');
		w_pattern_add_char(out, high);
	}
}

static int
hex_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

/* Takes exactly count digits, or none. */
static bool
read_hex(struct w_pattern_reader *reader, size_t count, uint32_t *out_code)
{
	uint32_t code = 0;

	if (reader->len - reader->at < count)
		return false;
	for (size_t i = 0; i < count; i++) {
		int digit = hex_value(reader->text[reader->at + i]);

		if (digit < 0)
			return false;
		code = code << 4 | (uint32_t)digit;
	}
	reader->at += count;
	*out_code = code;
	return true;
}

/* After "\u{". */
static bool
read_braced(struct w_pattern_reader *reader, uint32_t *out_code)
{
	uint32_t code = 0;
	size_t from = reader->at;

	while (reader->at < reader->len) {
		int digit = hex_value(reader->text[reader->at]);

		if (digit < 0)
			break;
		code = code << 4 | (uint32_t)digit;
		if (code > 0x10ffff)
			return false;
		reader->at++;
	}
	if (reader->at == from || reader->at == reader->len ||
	    reader->text[reader->at] != '}')
		return false;
	reader->at++;
	*out_code = code;
	return true;
}

/* After "\u". Two halves of a pair are one character. */
static bool
read_unicode(struct w_pattern_reader *reader, uint32_t *out_code)
{
	if (reader->at < reader->len && reader->text[reader->at] == '{') {
		reader->at++;
		return read_braced(reader, out_code);
	}
	if (!read_hex(reader, 4, out_code))
		return false;
	if (*out_code < SURROGATE_FIRST || *out_code > 0xdbff)
		return true;

	const size_t after = reader->at;
	uint32_t low;

	if (reader->len - after >= 6 && reader->text[after] == '\\' &&
	    reader->text[after + 1] == 'u') {
		reader->at += 2;
		if (read_hex(reader, 4, &low) && low >= 0xdc00 &&
		    low <= SURROGATE_LAST) {
			*out_code = 0x10000 +
				    ((*out_code - SURROGATE_FIRST) << 10) +
				    (low - 0xdc00);
			return true;
		}
		reader->at = after;
	}
	return true;
}

/* After "\p" or "\P". */
static writ_status
read_property(struct w_pattern_reader *reader, struct w_buf *out, bool inverted)
{
	const size_t from = reader->at;
	const char *rest = reader->text + from;
	const char *end = memchr(rest, '}', reader->len - from);

	if (reader->at == reader->len || rest[0] != '{' || end == NULL ||
	    !w_pattern_add_property(
		out, rest + 1, (size_t)(end - rest) - 1, inverted))
		return w_pattern_bad(reader, from,
		    "\\p is followed by the name of a property in braces, as "
		    "in \\p{Letter}");
	reader->at += (size_t)(end - rest) + 1;
	return WRIT_OK;
}

/* The escapes that are several characters; false: it is not one of them. */
static bool
add_set(struct w_buf *out, char letter)
{
	switch (letter) {
	case 'd':
	case 'D':
	case 'w':
	case 'W':
		w_buf_add_fmt(out, "\\%c", letter);
		return true;
	case 's':
		w_buf_add_str(out, blanks);
		return true;
	case 'S':
		w_buf_add_str(out, no_blanks);
		return true;
	default:
		return false;
	}
}

static bool
read_control(struct w_pattern_reader *reader, char letter, uint32_t *out_code)
{
	static const char letters[] = "tnvfr";
	static const char codes[] = "\t\n\v\f\r";
	const char *known = strchr(letters, letter);

	if (letter != '\0' && known != NULL) {
		*out_code = (unsigned char)codes[known - letters];
		return true;
	}
	if (letter == 'c' && reader->at < reader->len) {
		char which = reader->text[reader->at] | 0x20;

		if (which < 'a' || which > 'z')
			return false;
		reader->at++;
		*out_code = (unsigned char)which & 0x1f;
		return true;
	}
	return false;
}

/* The escapes that are one character, inside and outside of classes. */
static bool
read_single(struct w_pattern_reader *reader, char letter, uint32_t *out_code)
{
	static const char syntax[] = "^$\\.*+?()[]{}|/";
	bool digit_follows = reader->at < reader->len &&
			     reader->text[reader->at] >= '0' &&
			     reader->text[reader->at] <= '9';

	*out_code = (unsigned char)letter;
	if (letter != '\0' && strchr(syntax, letter) != NULL)
		return true;
	if (letter == '0' && !digit_follows) {
		*out_code = 0;
		return true;
	}
	if (letter == 'x')
		return read_hex(reader, 2, out_code);
	if (letter == 'u')
		return read_unicode(reader, out_code);
	return read_control(reader, letter, out_code);
}

/* After the backslash. */
static writ_status
read_escaped(struct w_pattern_reader *reader, struct w_buf *out, bool in_class,
    struct member *member)
{
	const size_t from = reader->at - 1;

	if (reader->at == reader->len)
		return w_pattern_bad(
		    reader, from, "nothing follows the backslash");

	const char letter = reader->text[reader->at++];

	if (letter == 'p' || letter == 'P') {
		member->is_set = true;
		return read_property(reader, out, letter == 'P');
	}
	member->is_set = add_set(out, letter);
	if (member->is_set)
		return WRIT_OK;
	if (in_class && (letter == 'b' || letter == '-')) {
		member->code = letter == 'b' ? '\b' : '-';
		return WRIT_OK;
	}
	if (!read_single(reader, letter, &member->code))
		return w_pattern_bad(reader, from,
		    "ECMA-262 has no such escape; a character that means "
		    "itself is written without the backslash");
	return WRIT_OK;
}

static writ_status
read_member(
    struct w_pattern_reader *reader, struct w_buf *out, struct member *member)
{
	*member = (struct member){.is_set = false};
	if (reader->text[reader->at] == '\\') {
		reader->at++;
		return read_escaped(reader, out, true, member);
	}
	member->code = w_code_point_next(reader->text, &reader->at);
	return WRIT_OK;
}

/* Whether a range goes on here: a hyphen that the class does not end with. */
static bool
at_range(const struct w_pattern_reader *reader)
{
	return reader->len - reader->at >= 2 &&
	       reader->text[reader->at] == '-' &&
	       reader->text[reader->at + 1] != ']';
}

static writ_status
read_range(struct w_pattern_reader *reader, struct w_buf *out)
{
	const size_t from = reader->at;
	struct member low;
	struct member high;
	writ_status status = read_member(reader, out, &low);

	if (status != WRIT_OK)
		return status;
	if (!at_range(reader)) {
		if (!low.is_set)
			add_range(out, low.code, low.code);
		return WRIT_OK;
	}
	reader->at++;
	status = read_member(reader, out, &high);
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
	if (inside->len == 0) {
		w_buf_add_str(out, negated ? anything : nothing);
		return;
	}
	w_buf_add_str(out, negated ? "[^" : "[");
	w_buf_add(out, inside->data, inside->len);
	w_buf_add_char(out, ']');
	out->failed |= inside->failed;
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
		writ_status status = read_range(reader, &inside);

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
	struct member member = {.is_set = false};

	w_buf_init(&inside, W_PATTERN_TEXT_MAX);

	writ_status status = read_escaped(reader, &inside, false, &member);

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
