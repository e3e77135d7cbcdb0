/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MANIFEST_APPLY_LOCK_H
#define W_MANIFEST_APPLY_LOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/*
 * One apply at a time for a state directory: flock() on its file "apply.lock",
 * which says who holds it.
 *
 *     {"pid":4711,"start":81234,"since":"2026-11-16T04:20:00.123456Z",
 *      "command":"writ apply site.yaml"}
 *
 * The kernel releases the lock however its holder dies. A child that the holder
 * was just starting may have it for a moment longer: that moment is waited for.
 * An apply that is started by a command of the apply that holds the lock is a
 * part of it, and does not wait.
 */
struct w_apply_lock_options {
	const char *state_dir; /* made if needed */
	const char *command;   /* what is held: "writ apply site.yaml" */
	uint64_t wait_ms;      /* for another apply; 0: not at all */
	/* Called once if it has to wait, with a sentence. NULL: nobody. */
	void (*on_wait)(void *ctx, const char *holder);
	void *ctx;
};

/* *out_fd is yours: closing it releases the lock. -1: the apply is a part of
 * another one. WRIT_E_INVALID: another apply holds the lock. */
writ_status w_apply_lock_take(
    const struct w_apply_lock_options *options, int *out_fd, writ_error *err);

#endif /* W_MANIFEST_APPLY_LOCK_H */
