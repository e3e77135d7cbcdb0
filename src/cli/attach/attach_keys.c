/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The keys that detach.
 */

#include "cli/attach/attach_keys.h"

#define DETACH '\034' /* Ctrl-\ */

bool
w_attach_keys_add(struct w_attach_keys *keys, struct w_buf *out,
    const char *bytes, size_t len, uint64_t now_ms)
{
	w_attach_keys_wake(keys, out, now_ms);
	for (size_t i = 0; i < len; i++) {
		const bool is_detach = bytes[i] == DETACH;

		if (is_detach && keys->has_held)
			return true;
		if (keys->has_held)
			w_buf_add_char(out, DETACH);
		keys->has_held = is_detach;
		keys->held_ms = now_ms;
		if (!is_detach)
			w_buf_add_char(out, bytes[i]);
	}
	return false;
}

int
w_attach_keys_wait_ms(const struct w_attach_keys *keys, uint64_t now_ms)
{
	if (!keys->has_held)
		return -1;
	const uint64_t past_ms = now_ms - keys->held_ms;
	return past_ms >= W_ATTACH_DETACH_MS
		   ? 0
		   : (int)(W_ATTACH_DETACH_MS - past_ms);
}

void
w_attach_keys_wake(
    struct w_attach_keys *keys, struct w_buf *out, uint64_t now_ms)
{
	if (w_attach_keys_wait_ms(keys, now_ms) != 0)
		return;
	keys->has_held = false;
	w_buf_add_char(out, DETACH);
}
