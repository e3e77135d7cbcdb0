/* SPDX-License-Identifier: Apache-2.0 */

/* IP addresses and host names. */

#include <string.h>

#include "schema/code_point.h"
#include "schema/format/format_parts.h"
#include "schema/format/idna.h"

#define NAME_LEN_MAX 253

bool
w_format_ipv4(const char *text, size_t len)
{
	size_t i = 0;

	for (int part = 0; part < 4; part++) {
		const size_t from = i;
		int number = 0;

		while (i < len && i - from < 3 && w_is_digit(text[i]))
			number = number * 10 + (text[i++] - '0');
		if (i == from || number > 255 ||
		    (i - from > 1 && text[from] == '0'))
			return false;
		if (part < 3 && (i == len || text[i++] != '.'))
			return false;
	}
	return i == len;
}

/* Counts the groups of hexadecimal digits, separated by colons. The last may be
 * an IPv4 address, which counts as two. -1: invalid. */
static int
count_groups(const char *text, size_t len)
{
	int count = 0;
	size_t at = 0;

	if (len == 0)
		return 0;
	for (;;) {
		const size_t from = at;

		if (w_format_ipv4(text + at, len - at))
			return count + 2;
		while (at < len && at - from < 4 && w_is_hex(text[at]))
			at++;
		if (at == from || ++count > 8)
			return -1;
		if (at == len)
			return count;
		if (text[at++] != ':')
			return -1;
	}
}

bool
w_format_ipv6(const char *text, size_t len)
{
	const char *gap = len <= 45 ? memmem(text, len, "::", 2) : NULL;

	if (gap == NULL)
		return len <= 45 && count_groups(text, len) == 8;

	const size_t before_len = (size_t)(gap - text);
	const int before = count_groups(text, before_len);
	const int after = count_groups(gap + 2, len - before_len - 2);

	/* An IPv4 address may end the whole, not its first half. */
	return before >= 0 && after >= 0 && before + after <= 7 &&
	       memchr(text, '.', before_len) == NULL;
}

/* A label of letters, digits and hyphens. */
static bool
is_plain_label(const char *text, size_t len)
{
	if (len == 0 || len > W_IDNA_LABEL_MAX || text[0] == '-' ||
	    text[len - 1] == '-')
		return false;
	for (size_t i = 0; i < len; i++) {
		if (!w_is_alpha(text[i]) && !w_is_digit(text[i]) &&
		    text[i] != '-')
			return false;
	}
	return true;
}

/* Reads an ASCII label; false: invalid, also if its Punycode is. */
static bool
read_plain_label(const char *text, size_t len, struct w_idna_label *label)
{
	if (!is_plain_label(text, len))
		return false;
	if (len >= 4 && strncasecmp(text, "xn--", 4) == 0)
		return w_punycode_decode(text + 4, len - 4, label) &&
		       w_idna_label_valid(label);
	label->count = len;
	for (size_t i = 0; i < len; i++)
		label->codes[i] =
		    (unsigned char)text[i] | (w_is_alpha(text[i]) ? 0x20U : 0);
	return true;
}

/* Properties of the labels so far. */
struct format_net_name {
	size_t len; /* as ASCII, with the dots */
	bool is_rtl;
	bool keeps_bidi;
};

static void
count_label(
    struct format_net_name *name, const struct w_idna_label *label, size_t len)
{
	name->len += len + (name->len > 0);
	name->is_rtl |= w_idna_is_rtl(label);
	name->keeps_bidi = name->keeps_bidi && w_idna_bidi_valid(label);
}

static bool
format_net_is_name(const struct format_net_name *name)
{
	return name->len <= NAME_LEN_MAX && (!name->is_rtl || name->keeps_bidi);
}

bool
w_format_hostname(const char *text, size_t len)
{
	struct format_net_name name = {.keeps_bidi = true};
	size_t at = 0;

	if (len > NAME_LEN_MAX)
		return false;
	for (;;) {
		const char *dot = memchr(text + at, '.', len - at);
		const size_t label_len =
		    dot != NULL ? (size_t)(dot - text) - at : len - at;
		struct w_idna_label label;

		if (!read_plain_label(text + at, label_len, &label))
			return false;
		count_label(&name, &label, label_len);
		if (dot == NULL)
			return format_net_is_name(&name);
		at += label_len + 1;
	}
}

/* Reads a label and the dot after it; false: too long. */
static bool
take_label(const char *text, size_t len, size_t *at, size_t *out_len,
    struct w_idna_label *label)
{
	const size_t from = *at;

	label->count = 0;
	while (*at < len) {
		const size_t here = *at;
		const uint32_t code = w_code_point_next(text, at);

		*out_len = here - from;
		/* The full stops of RFC 3490. */
		if (code == '.' || code == 0x3002 || code == 0xff0e ||
		    code == 0xff61)
			return true;
		if (label->count == W_IDNA_LABEL_MAX)
			return false;
		label->codes[label->count++] = code;
	}
	*out_len = len - from;
	*at = len + 1;
	return true;
}

/* Checks a label of any characters; *out_ascii is its length as ASCII. */
static bool
check_label(
    const char *text, size_t len, struct w_idna_label *label, size_t *out_ascii)
{
	*out_ascii = len;
	if (label->count == len) {
		bool is_reserved = len >= 4 && text[2] == '-' &&
				   text[3] == '-' &&
				   strncasecmp(text, "xn", 2) != 0;

		return !is_reserved && read_plain_label(text, len, label);
	}

	const size_t encoded = w_punycode_encode(label, NULL);

	*out_ascii = encoded + 4;
	return encoded > 0 && w_idna_label_valid(label);
}

bool
w_format_idn_hostname(const char *text, size_t len)
{
	struct format_net_name name = {.keeps_bidi = true};
	size_t at = 0;

	/* A trailing dot would be followed by an empty label. */
	while (at <= len) {
		const size_t from = at;
		struct w_idna_label label;
		size_t label_len = 0;
		size_t ascii_len;

		if (!take_label(text, len, &at, &label_len, &label) ||
		    !check_label(text + from, label_len, &label, &ascii_len))
			return false;
		count_label(&name, &label, ascii_len);
		if (name.len > NAME_LEN_MAX)
			return false;
	}
	return format_net_is_name(&name);
}
