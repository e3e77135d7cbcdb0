/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Encodes bytes as text: UTF-8 checks, base64, run ids.
 *
 * The output of commands passes through here, so each function is linear and
 * accepts any bytes.
 */

#include "base/encode.h"

#include <string.h>

/* Base64 is buffered on the stack, this many groups at a time. */
#define GROUPS_MAX 256

static const char base64_digits[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* Crockford's base 32: no I, L, O, U, which are easily misread. */
static const char base32_digits[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/*
 * The length of a character with this lead byte, and the bounds of its second
 * byte, which exclude overlong forms, surrogates and values above U+10FFFF. 0:
 * not a lead byte.
 */
static size_t
lead_len(unsigned char lead, unsigned char *out_low, unsigned char *out_high)
{
	*out_low = 0x80;
	*out_high = 0xbf;
	if (lead < 0x80)
		return 1;
	if (lead < 0xc2 || lead > 0xf4)
		return 0;
	if (lead < 0xe0)
		return 2;

	if (lead == 0xe0)
		*out_low = 0xa0;
	else if (lead == 0xed)
		*out_high = 0x9f;
	else if (lead == 0xf0)
		*out_low = 0x90;
	else if (lead == 0xf4)
		*out_high = 0x8f;
	return lead < 0xf0 ? 3 : 4;
}

/* The length that the character at at[0] should have, or 0 if the bytes present
 * are malformed. May be more than left. */
static size_t
sequence_len(const unsigned char *at, size_t left)
{
	unsigned char low;
	unsigned char high;
	size_t want = lead_len(at[0], &low, &high);
	size_t have = want < left ? want : left;

	if (have > 1 && (at[1] < low || at[1] > high))
		return 0;
	for (size_t i = 2; i < have; i++) {
		if ((at[i] & 0xc0) != 0x80)
			return 0;
	}
	return want;
}

static size_t
skip_ascii(const unsigned char *at, size_t len)
{
	size_t done = 0;

	for (; len - done >= sizeof(uint64_t); done += sizeof(uint64_t)) {
		uint64_t chunk;
		memcpy(&chunk, at + done, sizeof(chunk));
		if ((chunk & UINT64_C(0x8080808080808080)) != 0)
			break;
	}
	while (done < len && at[done] < 0x80)
		done++;
	return done;
}

size_t
w_utf8_find_bad(const void *bytes, size_t len)
{
	const unsigned char *at = bytes;
	size_t done = 0;

	while (done < len) {
		if (at[done] < 0x80) {
			done += skip_ascii(at + done, len - done);
			continue;
		}
		size_t want = sequence_len(at + done, len - done);
		if (want == 0 || want > len - done)
			break;
		done += want;
	}
	return done;
}

bool
w_utf8_valid(const void *bytes, size_t len)
{
	return w_utf8_find_bad(bytes, len) == len;
}

size_t
w_utf8_trim_end(const void *bytes, size_t len)
{
	const unsigned char *at = bytes;

	for (size_t back = 1; back <= 3 && back <= len; back++) {
		const unsigned char *start = at + len - back;

		if ((*start & 0xc0) == 0x80)
			continue;
		return sequence_len(start, back) > back ? len - back : len;
	}
	return len;
}

size_t
w_utf8_trim_start(const void *bytes, size_t len)
{
	const unsigned char *at = bytes;
	size_t count = 0;

	while (count < 3 && count < len && (at[count] & 0xc0) == 0x80)
		count++;
	return count;
}

static void
encode_group(const unsigned char in[3], char out[4])
{
	uint32_t group = (uint32_t)in[0] << 16 | (uint32_t)in[1] << 8 | in[2];

	for (size_t i = 0; i < 4; i++)
		out[i] = base64_digits[group >> (18 - 6 * i) & 63];
}

void
w_base64_add(struct w_buf *buf, const void *bytes, size_t len)
{
	const unsigned char *at = bytes;
	char out[GROUPS_MAX * 4];
	size_t used = 0;

	for (; len >= 3; len -= 3, at += 3) {
		encode_group(at, out + used);
		used += 4;
		if (used == sizeof(out)) {
			w_buf_add(buf, out, used);
			used = 0;
		}
	}
	w_buf_add(buf, out, used);
	if (len == 0)
		return;

	unsigned char last[3] = {at[0], len > 1 ? at[1] : 0, 0};
	encode_group(last, out);
	out[3] = '=';
	if (len == 1)
		out[2] = '=';
	w_buf_add(buf, out, 4);
}

static int
base64_value(char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (c >= '0' && c <= '9')
		return c - '0' + 52;
	if (c == '+')
		return 62;
	return c == '/' ? 63 : -1;
}

/* Decodes four digits; *out_len is the number of bytes. */
static bool
decode_group(const char in[4], unsigned char out[3], size_t *out_len)
{
	size_t digits = 4;
	uint32_t group = 0;

	while (digits > 2 && in[digits - 1] == '=')
		digits--;
	for (size_t i = 0; i < 4; i++) {
		int value = i < digits ? base64_value(in[i]) : 0;
		if (value < 0)
			return false;
		group = group << 6 | (uint32_t)value;
	}

	/* Unused bits must be zero, or two texts would decode to the same
	 * bytes. */
	size_t len = digits - 1;
	if ((group & (UINT32_C(0xffffff) >> (8 * len))) != 0)
		return false;
	for (size_t i = 0; i < 3; i++)
		out[i] = (unsigned char)(group >> (16 - 8 * i) & 0xff);
	*out_len = len;
	return true;
}

bool
w_base64_decode(struct w_buf *buf, const char *text, size_t len)
{
	unsigned char out[GROUPS_MAX * 3];
	size_t used = 0;

	if (len % 4 != 0)
		return false;
	for (size_t at = 0; at < len; at += 4) {
		size_t group_len;

		if (!decode_group(text + at, out + used, &group_len))
			return false;
		if (group_len < 3 && at + 4 < len)
			return false;
		used += group_len;
		if (used > sizeof(out) - 3) {
			w_buf_add(buf, out, used);
			used = 0;
		}
	}
	w_buf_add(buf, out, used);
	return !buf->failed;
}

void
w_id_format(uint64_t unix_ms, const uint8_t random[10], char out[W_ID_LEN + 1])
{
	for (size_t i = 0; i < 10; i++)
		out[i] = base32_digits[unix_ms >> (45 - 5 * i) & 31];

	/* Eight digits hold exactly five bytes. */
	for (size_t half = 0; half < 2; half++) {
		uint64_t bits = 0;

		for (size_t i = 0; i < 5; i++)
			bits = bits << 8 | random[5 * half + i];
		for (size_t i = 0; i < 8; i++) {
			out[10 + 8 * half + i] =
			    base32_digits[bits >> (35 - 5 * i) & 31];
		}
	}
	out[W_ID_LEN] = '\0';
}
