/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Finds the place of a value in a JSON text.
 *
 * yyjson stores the values of a document in one array, in the order of the
 * text, a container before its contents. So value number n is at the n-th word
 * of the text that begins a value.
 */

#include "data/json_place.h"

#include <stdint.h>
#include <string.h>

#include "base/position.h"

static bool
json_place_is_one_of(char c, const char *chars)
{
	return c != '\0' && strchr(chars, c) != NULL;
}

/* The offset after the value that begins here; a container ends with its
 * bracket. */
static size_t
skip_word(const char *text, size_t len, size_t at)
{
	if (text[at] == '{' || text[at] == '[')
		return at + 1;
	if (text[at] != '"') {
		while (
		    at < len && !json_place_is_one_of(text[at], " \t\r\n,:]}"))
			at++;
		return at;
	}
	for (at++; at < len && text[at] != '"'; at++)
		at += text[at] == '\\';
	return at + 1;
}

static size_t
json_place_word_at(const char *text, size_t len, size_t number)
{
	size_t at = 0;

	for (;;) {
		while (
		    at < len && json_place_is_one_of(text[at], " \t\r\n,:]}"))
			at++;
		if (at >= len || number == 0)
			return at;
		number--;
		at = skip_word(text, len, at);
	}
}

bool
w_json_find_place(const char *text, size_t len, const yyjson_val *root,
    const yyjson_val *val, unsigned *out_line, unsigned *out_column)
{
	/* Compared as numbers: a value of another document is elsewhere. */
	const uintptr_t from = (uintptr_t)root;
	const uintptr_t here = (uintptr_t)val;

	if (root == NULL || val == NULL || here < from ||
	    (here - from) / sizeof(*val) > len)
		return false;

	const size_t offset =
	    json_place_word_at(text, len, (here - from) / sizeof(*val));

	if (offset >= len)
		return false;
	w_position_of(text, offset, out_line, out_column);
	return true;
}
