/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_LIVE_KEYS_H
#define W_CLI_LIVE_KEYS_H

#include <stdbool.h>
#include <stddef.h>

/* The keys of `writ watch`: takes bytes from the terminal. */
enum w_live_key {
	W_LIVE_NONE,  /* not yet a key */
	W_LIVE_OTHER, /* one without a meaning */
	W_LIVE_DOWN,
	W_LIVE_UP,
	W_LIVE_PAGE_DOWN,
	W_LIVE_PAGE_UP,
	W_LIVE_OPEN,
	W_LIVE_BACK,
	W_LIVE_QUESTION,
	W_LIVE_END,
	W_LIVE_QUIT,
	W_LIVE_STOP,
};

/* If no byte follows Escape for so long, it was Escape. */
#define W_LIVE_ESCAPE_MS 50

/* Starts with all zero. */
struct w_live_keys {
	char sequence[8]; /* from Escape on */
	size_t len;
};

enum w_live_key w_live_keys_accept(struct w_live_keys *keys, char byte);

/* Whether Escape was pressed, or a key that begins with it; and what it means
 * if no byte follows soon. */
bool w_live_keys_has_escape(const struct w_live_keys *keys);
enum w_live_key w_live_keys_wake(struct w_live_keys *keys);

#endif /* W_CLI_LIVE_KEYS_H */
