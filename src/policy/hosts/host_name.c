/* SPDX-License-Identifier: Apache-2.0 */

/* Names of hosts, in the one form in which they are compared. */

#include "policy/hosts/host_name.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/ascii.h"
#include "base/encode.h"
#include "schema/code_point.h"
#include "schema/format/idna.h"

#define STAGE     "host"
#define LABEL_MAX 63

/* The name as far as it is written. */
struct name_writer {
	char *out;
	size_t len;
	bool is_rtl;
	bool keeps_bidi;
};

static writ_status
refuse(writ_error *err, size_t at, const char *why)
{
	(void)w_fail(err, WRIT_E_INVALID, STAGE, 0, "%s", why);
	w_locate(err, 1, (unsigned)at + 1);
	return WRIT_E_INVALID;
}

static bool
name_writer_add(struct name_writer *writer, const char *text, size_t len)
{
	if (len > W_HOST_NAME_MAX - writer->len)
		return false;
	for (size_t i = 0; i < len; i++)
		writer->out[writer->len++] = w_lower(text[i]);
	return true;
}

/* The dots of RFC 3490 are dots. */
static bool
is_dot(uint32_t code)
{
	return code == '.' || code == 0x3002 || code == 0xff0e ||
	       code == 0xff61;
}

/* A label of ASCII. *out_bad: the first character that is wrong. */
static const char *
find_fault(const char *text, size_t len, size_t *out_bad)
{
	*out_bad = 0;
	if (len == 0)
		return "a part of the name is empty";
	if (len > LABEL_MAX)
		return "a part of the name is longer than 63 characters";
	for (size_t i = 0; i < len; i++) {
		*out_bad = i;
		if (!w_is_alpha(text[i]) && !w_is_digit(text[i]) &&
		    text[i] != '-' && text[i] != '_')
			return "a name has letters, digits, '-' and dots only";
		if (text[i] == '-' && (i == 0 || i == len - 1))
			return "a part of a name neither begins nor ends with "
			       "'-'";
	}
	return NULL;
}

/* An ASCII label that stands for other characters must stand for valid ones, so
 * that a name has one form. */
static bool
is_plain(struct name_writer *writer, const char *text, size_t len)
{
	struct w_idna_label label;

	if (len < 4 || strncasecmp(text, "xn--", 4) != 0)
		return true;
	if (!w_punycode_decode(text + 4, len - 4, &label) ||
	    !w_idna_label_valid(&label))
		return false;
	writer->is_rtl = writer->is_rtl || w_idna_is_rtl(&label);
	writer->keeps_bidi = writer->keeps_bidi && w_idna_bidi_valid(&label);
	return true;
}

static bool
add_encoded(struct name_writer *writer, struct w_idna_label *label)
{
	char encoded[W_IDNA_LABEL_MAX];

	for (size_t i = 0; i < label->count; i++) {
		if (label->codes[i] < 0x80)
			label->codes[i] =
			    (unsigned char)w_lower((char)label->codes[i]);
	}
	if (!w_idna_label_valid(label))
		return false;
	writer->is_rtl = writer->is_rtl || w_idna_is_rtl(label);
	writer->keeps_bidi = writer->keeps_bidi && w_idna_bidi_valid(label);
	const size_t len = w_punycode_encode(label, encoded);
	return len > 0 && name_writer_add(writer, "xn--", 4) &&
	       name_writer_add(writer, encoded, len);
}

/* One label and the dot behind it. *at moves behind both. */
static writ_status
add_label(struct name_writer *writer, const char *text, size_t len, size_t *at,
    writ_error *err)
{
	struct w_idna_label label = {.count = 0};
	const size_t from = *at;
	size_t end = len;
	bool is_ascii = true;
	bool is_long = false;

	while (*at < len) {
		const size_t here = *at;
		const uint32_t code = w_code_point_next(text, at);

		if (is_dot(code)) {
			end = here;
			break;
		}
		is_ascii = is_ascii && code < 0x80;
		is_long = label.count == W_IDNA_LABEL_MAX;
		if (!is_long)
			label.codes[label.count++] = code;
	}
	size_t bad = 0;
	const char *fault =
	    is_ascii ? find_fault(text + from, end - from, &bad) : NULL;
	if (fault != NULL)
		return refuse(err, from + bad, fault);
	if (writer->len > 0 && !name_writer_add(writer, ".", 1))
		return refuse(err, from, "the name is too long");
	if (!is_ascii)
		return !is_long && add_encoded(writer, &label)
			   ? WRIT_OK
			   : refuse(err, from,
				 "a part of the name is not valid in other "
				 "alphabets, or too long");
	if (!is_plain(writer, text + from, end - from))
		return refuse(err, from, "what follows 'xn--' is not valid");
	return name_writer_add(writer, text + from, end - from)
		   ? WRIT_OK
		   : refuse(err, from, "the name is too long");
}

/* A resolver takes "127.1" and "0x7f.1" for addresses. */
static bool
ends_in_number(const char *name, size_t len)
{
	const char *dot = memrchr(name, '.', len);
	const char *last = dot != NULL ? dot + 1 : name;
	size_t left = len - (size_t)(last - name);
	const bool is_hex = left >= 2 && last[0] == '0' && last[1] == 'x';

	if (is_hex) {
		last += 2;
		left -= 2;
	}
	while (left > 0 && (is_hex ? w_is_hex(*last) : w_is_digit(*last))) {
		last++;
		left--;
	}
	return left == 0;
}

writ_status
w_host_name_read(const char *text, size_t len, char *out, writ_error *err)
{
	char name[W_HOST_NAME_MAX + 1];
	struct name_writer writer = {.out = name, .keeps_bidi = true};
	size_t at = 0;

	if (len == 0)
		return refuse(err, 0, "the name is empty");
	const size_t bad = w_utf8_find_bad(text, len);
	if (bad < len)
		return refuse(err, bad, "the name is no valid UTF-8");
	while (at < len) {
		writ_status status = add_label(&writer, text, len, &at, err);

		if (status != WRIT_OK)
			return status;
	}
	if (writer.is_rtl && !writer.keeps_bidi)
		return refuse(err, 0, "the name mixes directions of writing");
	if (ends_in_number(name, writer.len))
		return refuse(err, 0, "what ends in a number is no name");
	memcpy(out, name, writer.len);
	out[writer.len] = '\0';
	return WRIT_OK;
}
