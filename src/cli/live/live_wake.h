/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_LIVE_WAKE_H
#define W_CLI_LIVE_WAKE_H

#include <stdbool.h>

#include <writ/error.h>

/*
 * Says when the trail or a recorded output may have changed, also while their
 * directories do not exist yet, and after they were replaced.
 */
struct w_live_wake {
	const char *state_dir; /* borrowed */
	int fd;                /* polls readable; -1: not open */
};

writ_status w_live_wake_open(
    struct w_live_wake *wake, const char *state_dir, writ_error *err);
void w_live_wake_close(struct w_live_wake *wake);

/* Whether something may have changed since the last call. Call it before
 * reading: what happens afterwards wakes again. */
bool w_live_wake_take(struct w_live_wake *wake);

#endif /* W_CLI_LIVE_WAKE_H */
