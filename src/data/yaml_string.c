/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Writes strings in YAML: plain if no reader could take it for something else,
 * as a block if it has lines and nothing that a block would change, and
 * otherwise in double quotes, with escapes.
 */

#include "data/yaml_string.h"

#include <string.h>
#include <strings.h>

#include "base/encode.h"

/* A longer key cannot precede its colon: a reader looks at most 1024 characters
 * ahead for it. An escape can be ten times as long. */
#define SIMPLE_KEY_MAX 100

/* The code point of the UTF-8 character at text, and its length. */
static uint32_t
yaml_string_decode(const char *text, size_t *out_len)
{
	const unsigned char *at = (const unsigned char *)text;

	if (at[0] < 0x80) {
		*out_len = 1;
		return at[0];
	}
	*out_len = at[0] >= 0xf0 ? 4 : at[0] >= 0xe0 ? 3 : 2;
	uint32_t code = at[0] & (0x7fU >> *out_len);
	for (size_t i = 1; i < *out_len; i++)
		code = code << 6 | (at[i] & 0x3fU);
	return code;
}

/* Whether a character may be written unescaped: readers refuse some, and take
 * others for the end of a line. */
static bool
is_itself(uint32_t code)
{
	if (code < 0xa0)
		return code >= 0x20 && code < 0x7f;
	return code != 0x2028 && code != 0x2029 && code != 0xfeff &&
	       code != 0xfffe && code != 0xffff;
}

static bool
are_themselves(const char *text, size_t len, const char *others)
{
	size_t size;

	for (size_t at = 0; at < len; at += size) {
		uint32_t code = yaml_string_decode(text + at, &size);

		if (!is_itself(code) && (code == 0 || code > 0x7f ||
					    strchr(others, (int)code) == NULL))
			return false;
	}
	return true;
}

/* Words that some reader takes for a boolean or null. */
static bool
is_loaded_word(const char *text, size_t len)
{
	static const char *const words[] = {
	    "true", "false", "null", "yes", "no", "on", "off", "y", "n"};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strlen(words[i]) == len &&
		    strncasecmp(text, words[i], len) == 0)
			return true;
	}
	return false;
}

static bool
yaml_string_has(const char *text, size_t len, const char *part)
{
	return memmem(text, len, part, strlen(part)) != NULL;
}

/* Numbers, dates and times begin with a digit, a sign or a dot. */
static bool
begins_plainly(unsigned char first)
{
	return (first >= 'a' && first <= 'z') ||
	       (first >= 'A' && first <= 'Z') || first == '_' || first == '/' ||
	       first == '(' || first >= 0x80;
}

bool
w_yaml_is_plain(const char *text, size_t len)
{
	if (len == 0 || !begins_plainly((unsigned char)text[0]))
		return false;
	if (text[len - 1] == ' ' || text[len - 1] == ':')
		return false;
	return are_themselves(text, len, "") && !is_loaded_word(text, len) &&
	       !yaml_string_has(text, len, ": ") &&
	       !yaml_string_has(text, len, " #");
}

static void
yaml_string_add_quoted(struct w_buf *buf, const char *text, size_t len)
{
	static const char from[] = "\"\\\n\r\t";
	static const char to[] = "\"\\nrt";
	size_t size;

	w_buf_add_char(buf, '"');
	for (size_t at = 0; at < len; at += size) {
		uint32_t code = yaml_string_decode(text + at, &size);
		const char *found =
		    code != 0 && code < 0x80 ? strchr(from, (int)code) : NULL;

		if (found != NULL) {
			w_buf_add_char(buf, '\\');
			w_buf_add_char(buf, to[found - from]);
		} else if (is_itself(code)) {
			w_buf_add(buf, text + at, size);
		} else {
			w_buf_add_fmt(buf, "\\u%04x", (unsigned)code);
		}
	}
	w_buf_add_char(buf, '"');
}

/* A block's first line shows its indentation, and all of its characters are
 * kept. */
static bool
is_block(const char *text, size_t len)
{
	return memchr(text, '\n', len) != NULL && text[0] != ' ' &&
	       text[0] != '\n' && text[0] != '\t' &&
	       are_themselves(text, len, "\n\t");
}

static void
add_block(struct w_buf *buf, const char *text, size_t len, size_t column)
{
	size_t breaks = 0;

	while (text[len - 1 - breaks] == '\n')
		breaks++;
	w_buf_add_str(buf, breaks == 0 ? "|-" : breaks == 1 ? "|" : "|+");
	for (size_t at = 0; at < len;) {
		const char *newline = memchr(text + at, '\n', len - at);
		size_t size =
		    newline != NULL ? (size_t)(newline - text) - at : len - at;

		w_buf_add_char(buf, '\n');
		if (size > 0)
			w_buf_add_fmt(buf, "%*s", (int)column, "");
		w_buf_add(buf, text + at, size);
		at += size + 1;
	}
}

void
w_yaml_add_string(
    struct w_buf *buf, const char *text, size_t len, size_t column)
{
	if (!w_utf8_valid(text, len))
		buf->failed = true;
	else if (w_yaml_is_plain(text, len))
		w_buf_add(buf, text, len);
	else if (column > 0 && len > 0 && is_block(text, len))
		add_block(buf, text, len, column);
	else
		yaml_string_add_quoted(buf, text, len);
}

bool
w_yaml_add_key(struct w_buf *buf, const char *text, size_t len)
{
	const bool is_simple = len <= SIMPLE_KEY_MAX;

	if (!is_simple)
		w_buf_add_str(buf, "? ");
	w_yaml_add_string(buf, text, len, 0);
	return is_simple;
}
