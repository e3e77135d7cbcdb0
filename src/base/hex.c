/* SPDX-License-Identifier: Apache-2.0 */

/* Bytes as hexadecimal digits. */

#include "base/hex.h"

static const char digits_of[] = "0123456789abcdef";

void
w_hex_put(char *out, const void *bytes, size_t len)
{
	const uint8_t *from = bytes;

	for (size_t i = 0; i < len; i++) {
		out[2 * i] = digits_of[from[i] >> 4];
		out[2 * i + 1] = digits_of[from[i] & 15];
	}
}

static int
value_of(char digit)
{
	if (digit >= '0' && digit <= '9')
		return digit - '0';
	if (digit >= 'a' && digit <= 'f')
		return digit - 'a' + 10;
	return -1;
}

bool
w_hex_get(void *out, const char *digits, size_t len)
{
	uint8_t *to = out;

	for (size_t i = 0; i < len; i++) {
		int high = value_of(digits[2 * i]);
		int low = value_of(digits[2 * i + 1]);

		if (high < 0 || low < 0)
			return false;
		to[i] = (uint8_t)(high << 4 | low);
	}
	return true;
}
