/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SCHEMA_CODE_POINT_H
#define W_SCHEMA_CODE_POINT_H

#include <stddef.h>
#include <stdint.h>

/* Reads the next character and moves *at. The text is valid UTF-8 and not at
 * its end. */
static inline uint32_t
w_code_point_next(const char *text, size_t *at)
{
	const unsigned char *bytes = (const unsigned char *)text + *at;

	if (bytes[0] < 0x80) {
		*at += 1;
		return bytes[0];
	}
	if (bytes[0] < 0xe0) {
		*at += 2;
		return (bytes[0] & 0x1fU) << 6 | (bytes[1] & 0x3fU);
	}
	if (bytes[0] < 0xf0) {
		*at += 3;
		return (bytes[0] & 0x0fU) << 12 | (bytes[1] & 0x3fU) << 6 |
		       (bytes[2] & 0x3fU);
	}
	*at += 4;
	return (bytes[0] & 0x07U) << 18 | (bytes[1] & 0x3fU) << 12 |
	       (bytes[2] & 0x3fU) << 6 | (bytes[3] & 0x3fU);
}

/* Number of characters: counts the bytes that are no continuation. */
static inline size_t
w_code_point_count(const char *text, size_t len)
{
	size_t count = 0;

	for (size_t i = 0; i < len; i++)
		count += ((unsigned char)text[i] & 0xc0) != 0x80;
	return count;
}

#endif /* W_SCHEMA_CODE_POINT_H */
