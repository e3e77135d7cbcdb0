/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_BASE_ASCII_H
#define W_BASE_ASCII_H

#include <stdbool.h>

/* Classes of ASCII characters. Those of <ctype.h> depend on the locale, and are
 * undefined for a negative char. */

static inline bool
w_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static inline bool
w_is_alpha(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static inline bool
w_is_hex(char c)
{
	return w_is_digit(c) || (c >= 'a' && c <= 'f') ||
	       (c >= 'A' && c <= 'F');
}

/* The beginning of a name in most languages: a letter or '_'. */
static inline bool
w_is_name_start(char c)
{
	return w_is_alpha(c) || c == '_';
}

static inline char
w_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

#endif /* W_BASE_ASCII_H */
