/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_RELAY_TEXT_H
#define W_RUN_RELAY_TEXT_H

#include <stddef.h>
#include <stdint.h>

/* Texts and numbers of the net, for code without a C library. */

static inline char
relay_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

static inline size_t
relay_text_len(const char *text)
{
	size_t len = 0;

	while (text[len] != '\0')
		len++;
	return len;
}

/* Whether two texts are equal but for the case of letters. */
static inline int
relay_text_is(const char *a, size_t a_len, const char *b, size_t b_len)
{
	size_t i = 0;

	if (a_len != b_len)
		return 0;
	while (i < a_len && relay_lower(a[i]) == relay_lower(b[i]))
		i++;
	return i == a_len;
}

/* The same for names, of which one may have a dot at the end. */
static inline int
relay_name_is(const char *a, size_t a_len, const char *b, size_t b_len)
{
	if (a_len > 1 && a[a_len - 1] == '.')
		a_len--;
	if (b_len > 1 && b[b_len - 1] == '.')
		b_len--;
	return relay_text_is(a, a_len, b, b_len);
}

static inline uint32_t
relay_get_16(const uint8_t *at)
{
	return (uint32_t)at[0] << 8 | at[1];
}

static inline uint32_t
relay_get_32(const uint8_t *at)
{
	return relay_get_16(at) << 16 | relay_get_16(at + 2);
}

static inline void
relay_put_16(uint8_t *at, uint32_t value)
{
	at[0] = (uint8_t)(value >> 8);
	at[1] = (uint8_t)value;
}

static inline void
relay_put_32(uint8_t *at, uint32_t value)
{
	relay_put_16(at, value >> 16);
	relay_put_16(at + 2, value & 0xffff);
}

#endif /* W_RUN_RELAY_TEXT_H */
