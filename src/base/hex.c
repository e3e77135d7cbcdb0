/* SPDX-License-Identifier: Apache-2.0 */

/* Converts between bytes and hexadecimal digits. */

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

/* One more than the value of a digit; 0: not a digit. A table, because millions
 * of hashes are checked and branches on them cannot be predicted. */
static const uint8_t value_of[256] = {
    ['0'] = 1,
    ['1'] = 2,
    ['2'] = 3,
    ['3'] = 4,
    ['4'] = 5,
    ['5'] = 6,
    ['6'] = 7,
    ['7'] = 8,
    ['8'] = 9,
    ['9'] = 10,
    ['a'] = 11,
    ['b'] = 12,
    ['c'] = 13,
    ['d'] = 14,
    ['e'] = 15,
    ['f'] = 16,
};

bool
w_hex_get(void *out, const char *digits, size_t len)
{
	uint8_t *to = out;
	bool is_good = true;

	for (size_t i = 0; i < len; i++) {
		unsigned high = value_of[(uint8_t)digits[2 * i]];
		unsigned low = value_of[(uint8_t)digits[2 * i + 1]];

		is_good &= (high != 0) & (low != 0);
		to[i] = (uint8_t)((high - 1) << 4 | ((low - 1) & 15));
	}
	return is_good;
}

int
w_hex_digit(char c)
{
	const char lower = (char)(c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c);

	return value_of[(uint8_t)lower] - 1;
}
