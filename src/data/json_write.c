/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Writes JSON strings. Whole outputs of commands pass through here, so runs of
 * plain bytes are found eight at a time and copied at once.
 *
 * Control characters are always escaped, including DEL and C1 (U+0080 to
 * U+009F), which JSON allows: a document may be shown on a terminal, which
 * obeys them.
 */

#include "data/json.h"

#include <stdlib.h>
#include <string.h>

#include "base/encode.h"

#define DEL         0x7f
#define C1_LEAD     0xc2 /* of U+0080 to U+00BF in UTF-8 */

#define DIGITS_MAX  20

#define EVERY(byte) (UINT64_C(0x0101010101010101) * (byte))

/* The bit trick for "some byte is below n" (n up to 128): a borrow sets the top
 * bit of a byte where it was clear. */
#define HAS_BELOW(word, n) (((word)-EVERY(n)) & ~(word)&EVERY(0x80))

static bool
json_write_is_plain(unsigned char c)
{
	return c >= 0x20 && c != '"' && c != '\\' && c != DEL && c != C1_LEAD;
}

static size_t
plain_len(const char *text, size_t len)
{
	size_t done = 0;

	for (; len - done >= sizeof(uint64_t); done += sizeof(uint64_t)) {
		uint64_t word;
		memcpy(&word, text + done, sizeof(word));
		/* May report a special byte where there is none, never the
		 * reverse. */
		const uint64_t special = HAS_BELOW(word, 0x20) |
					 HAS_BELOW(word ^ EVERY('"'), 1) |
					 HAS_BELOW(word ^ EVERY('\\'), 1) |
					 HAS_BELOW(word ^ EVERY(DEL), 1) |
					 HAS_BELOW(word ^ EVERY(C1_LEAD), 1);
		if (special != 0)
			break;
	}
	while (done < len && json_write_is_plain((unsigned char)text[done]))
		done++;
	return done;
}

/* Returns the letter of a short escape, or 0. */
static char
short_escape(char c)
{
	static const char from[] = "\"\\\b\f\n\r\t";
	static const char to[] = "\"\\bfnrt";
	const char *found = memchr(from, c, sizeof(from) - 1);

	if (found == NULL)
		return '\0';
	return to[found - from];
}

static void
add_code(struct w_buf *buf, unsigned char code)
{
	static const char hex[] = "0123456789abcdef";
	const char six[] = {
	    '\\', 'u', '0', '0', hex[code >> 4], hex[code & 15]};

	w_buf_add(buf, six, sizeof(six));
}

/* Appends a character that is not plain and returns its length in bytes. */
static size_t
json_write_add_escaped(struct w_buf *buf, const char *text, size_t len)
{
	const unsigned char byte = (unsigned char)text[0];
	const unsigned char next = len > 1 ? (unsigned char)text[1] : 0;
	const char letter = short_escape(text[0]);

	if (letter != '\0') {
		const char two[] = {'\\', letter};
		w_buf_add(buf, two, sizeof(two));
		return 1;
	}
	if (byte != C1_LEAD) {
		add_code(buf, byte);
		return 1;
	}
	if (next >= 0x80 && next < 0xa0)
		add_code(buf, next);
	else
		w_buf_add(buf, text, len > 1 ? 2 : 1);
	return len > 1 ? 2 : 1;
}

/* Most strings are short: what a call more costs is seen there. */
static inline __attribute__((always_inline)) void
json_write_add_chars(struct w_buf *buf, const char *text, size_t len)
{
	while (len > 0) {
		size_t plain = plain_len(text, len);

		w_buf_add(buf, text, plain);
		text += plain;
		len -= plain;
		if (len > 0) {
			const size_t taken =
			    json_write_add_escaped(buf, text, len);

			text += taken;
			len -= taken;
		}
	}
}

void
w_json_add_chars(struct w_buf *buf, const char *text, size_t len)
{
	json_write_add_chars(buf, text, len);
}

void
w_json_add_string(struct w_buf *buf, const char *text, size_t len)
{
	w_buf_add_char(buf, '"');
	json_write_add_chars(buf, text, len);
	w_buf_add_char(buf, '"');
}

void
w_json_add_text(struct w_buf *buf, const char *text)
{
	if (text == NULL)
		w_buf_add_str(buf, "null");
	else
		w_json_add_string(buf, text, strlen(text));
}

void
w_json_add_bytes(struct w_buf *buf, const char *bytes, size_t len)
{
	if (w_utf8_valid(bytes, len)) {
		w_json_add_string(buf, bytes, len);
		return;
	}
	w_buf_add_str(buf, "{\"b64\":\"");
	w_base64_add(buf, bytes, len);
	w_buf_add_str(buf, "\"}");
}

bool
w_json_get_bytes(struct w_buf *buf, yyjson_val *val)
{
	yyjson_val *coded = yyjson_obj_get(val, "b64");

	if (yyjson_is_str(val)) {
		w_buf_add(buf, yyjson_get_str(val), yyjson_get_len(val));
		return true;
	}
	return yyjson_is_str(coded) &&
	       w_base64_decode(
		   buf, yyjson_get_str(coded), yyjson_get_len(coded));
}

void
w_json_add_path(struct w_buf *buf, const char *path)
{
	if (path == NULL)
		w_buf_add_str(buf, "null");
	else
		w_json_add_bytes(buf, path, strlen(path));
}

void
w_json_add_list(struct w_buf *buf, const char *const *paths)
{
	w_buf_add_char(buf, '[');
	for (size_t i = 0; paths != NULL && paths[i] != NULL; i++) {
		if (i > 0)
			w_buf_add_char(buf, ',');
		w_json_add_path(buf, paths[i]);
	}
	w_buf_add_char(buf, ']');
}

/* A record has many numbers, and printf is slow. */
void
w_json_add_number(struct w_buf *buf, uint64_t value)
{
	char digits[DIGITS_MAX];
	size_t at = DIGITS_MAX;

	do {
		digits[--at] = (char)('0' + value % 10);
		value /= 10;
	} while (value > 0);
	w_buf_add(buf, digits + at, DIGITS_MAX - at);
}

void
w_json_add_value(struct w_buf *buf, yyjson_val *val)
{
	size_t len = 0;
	char *text = yyjson_val_write(val, YYJSON_WRITE_NOFLAG, &len);

	if (val == NULL)
		w_buf_add_str(buf, "null");
	else if (text == NULL)
		buf->failed = true;
	else
		w_buf_add(buf, text, len);
	free(text);
}

void
w_json_add_name(struct w_buf *buf, const char *name)
{
	const bool is_first = w_buf_last(buf) == '{';

	w_buf_add_str(buf, is_first ? "\"" : ",\"");
	w_buf_add_str(buf, name);
	w_buf_add_str(buf, "\":");
}

void
w_json_add_text_member(struct w_buf *buf, const char *name, const char *text)
{
	w_json_add_name(buf, name);
	w_json_add_text(buf, text);
}

void
w_json_add_path_member(struct w_buf *buf, const char *name, const char *path)
{
	w_json_add_name(buf, name);
	w_json_add_path(buf, path);
}

void
w_json_add_bool_member(struct w_buf *buf, const char *name, bool is_true)
{
	w_json_add_name(buf, name);
	w_buf_add_str(buf, is_true ? "true" : "false");
}

void
w_json_add_list_member(
    struct w_buf *buf, const char *name, const char *const *paths)
{
	w_json_add_name(buf, name);
	w_json_add_list(buf, paths);
}

void
w_json_add_number_member(struct w_buf *buf, const char *name, uint64_t value)
{
	w_json_add_name(buf, name);
	w_json_add_number(buf, value);
}

void
w_json_add_value_member(struct w_buf *buf, const char *name, yyjson_val *val)
{
	w_json_add_name(buf, name);
	w_json_add_value(buf, val);
}

writ_status
w_json_take(struct w_buf *buf, const char *stage, char **out_json,
    size_t *out_len, writ_error *err)
{
	char *json = w_buf_take(buf, out_len);

	if (json == NULL)
		return w_fail_nomem(err, stage);
	*out_json = json;
	return WRIT_OK;
}
