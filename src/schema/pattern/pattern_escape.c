/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Backslash escapes, inside and outside of classes.
 */

#include <string.h>

#include "base/hex.h"
#include "schema/pattern/pattern_translator.h"

/* White space and line terminators of ECMA-262, and their complement. */
static const char blanks[] = "\\x{9}-\\x{d}\\x{20}\\x{a0}\\x{1680}"
			     "\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}"
			     "\\x{205f}\\x{3000}\\x{feff}";
static const char no_blanks[] =
    "\\x{0}-\\x{8}\\x{e}-\\x{1f}\\x{21}-\\x{9f}\\x{a1}-\\x{167f}"
    "\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}"
    "\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}"
    "\\x{ff00}-\\x{10ffff}";

/* Reads exactly count digits, or none. */
static bool
read_hex(struct w_pattern_reader *reader, size_t count, uint32_t *out_code)
{
	uint32_t code = 0;

	if (reader->len - reader->at < count)
		return false;
	for (size_t i = 0; i < count; i++) {
		int digit = w_hex_digit(reader->text[reader->at + i]);

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
		int digit = w_hex_digit(reader->text[reader->at]);

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

/* After "\u". A surrogate pair is one character. */
static bool
read_unicode(struct w_pattern_reader *reader, uint32_t *out_code)
{
	if (reader->at < reader->len && reader->text[reader->at] == '{') {
		reader->at++;
		return read_braced(reader, out_code);
	}
	if (!read_hex(reader, 4, out_code))
		return false;
	if (*out_code < W_SURROGATE_FIRST || *out_code > 0xdbff)
		return true;

	const size_t after = reader->at;
	uint32_t low;

	if (reader->len - after >= 6 && reader->text[after] == '\\' &&
	    reader->text[after + 1] == 'u') {
		reader->at += 2;
		if (read_hex(reader, 4, &low) && low >= 0xdc00 &&
		    low <= W_SURROGATE_LAST) {
			*out_code = 0x10000 +
				    ((*out_code - W_SURROGATE_FIRST) << 10) +
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

/* Escapes for sets of characters; false: not one of them. */
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

/* Escapes for one character, inside and outside of classes. */
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

writ_status
w_pattern_read_escaped(struct w_pattern_reader *reader, struct w_buf *out,
    bool in_class, struct w_pattern_member *member)
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
