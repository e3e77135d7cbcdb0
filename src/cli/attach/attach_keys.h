/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_ATTACH_KEYS_H
#define W_CLI_ATTACH_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

/*
 * Finds the keys that detach a terminal, Ctrl-\ twice within a second, in what
 * is typed. The first one is held back until it is clear that no second one
 * follows.
 */
#define W_ATTACH_DETACH_MS 1000

/* Starts with all zero. */
struct w_attach_keys {
	bool has_held;
	uint64_t held_ms; /* when it was typed */
};

/* Appends what goes to the run. Returns whether the terminal is to be
 * detached. */
bool w_attach_keys_add(struct w_attach_keys *keys, struct w_buf *out,
    const char *bytes, size_t len, uint64_t now_ms);

/* For poll(): how long a key may be held back; -1: none is. */
int w_attach_keys_wait_ms(const struct w_attach_keys *keys, uint64_t now_ms);

/* Appends a key that was held back long enough. */
void w_attach_keys_wake(
    struct w_attach_keys *keys, struct w_buf *out, uint64_t now_ms);

#endif /* W_CLI_ATTACH_KEYS_H */
