/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Reads the keys of the live view, also those that a terminal sends as an
 * escape sequence.
 */

#include "cli/live/live_keys.h"

#include <string.h>

#define ESC    '\033'
#define CTRL_C '\003'

static enum w_live_key
plain_key(char byte)
{
	static const struct {
		char byte;
		enum w_live_key key;
	} rows[] = {
	    {'j', W_LIVE_DOWN},
	    {'k', W_LIVE_UP},
	    {' ', W_LIVE_PAGE_DOWN},
	    {'b', W_LIVE_PAGE_UP},
	    {'\r', W_LIVE_OPEN},
	    {'\n', W_LIVE_OPEN},
	    {'w', W_LIVE_QUESTION},
	    {'x', W_LIVE_END},
	    {'q', W_LIVE_QUIT},
	    {CTRL_C, W_LIVE_STOP},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (rows[i].byte == byte)
			return rows[i].key;
	}
	return W_LIVE_OTHER;
}

/* The sequence is complete. */
static enum w_live_key
long_key(const char *sequence)
{
	static const struct {
		const char *sequence; /* behind Escape */
		enum w_live_key key;
	} rows[] = {
	    {"[A", W_LIVE_UP},
	    {"OA", W_LIVE_UP},
	    {"[B", W_LIVE_DOWN},
	    {"OB", W_LIVE_DOWN},
	    {"[5~", W_LIVE_PAGE_UP},
	    {"[6~", W_LIVE_PAGE_DOWN},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (strcmp(rows[i].sequence, sequence) == 0)
			return rows[i].key;
	}
	return W_LIVE_OTHER;
}

static bool
is_complete(const struct w_live_keys *keys, char byte)
{
	if (keys->len == 2)
		return byte != '[' && byte != 'O';
	return keys->sequence[1] == 'O' || (byte >= 0x40 && byte <= 0x7e);
}

enum w_live_key
w_live_keys_accept(struct w_live_keys *keys, char byte)
{
	if (keys->len == 0 && byte != ESC)
		return plain_key(byte);
	/* Escape, and then another key. */
	if (keys->len == 1 && byte == ESC)
		return W_LIVE_BACK;
	if (keys->len + 1 < sizeof(keys->sequence))
		keys->sequence[keys->len++] = byte;
	keys->sequence[keys->len] = '\0';
	if (keys->len < 2 || !is_complete(keys, byte))
		return W_LIVE_NONE;
	keys->len = 0;
	return long_key(keys->sequence + 1);
}

bool
w_live_keys_has_escape(const struct w_live_keys *keys)
{
	return keys->len > 0;
}

enum w_live_key
w_live_keys_wake(struct w_live_keys *keys)
{
	const bool is_alone = keys->len == 1;

	keys->len = 0;
	return is_alone ? W_LIVE_BACK : W_LIVE_OTHER;
}
