/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_OS_ASYNC_SYNC_H
#define W_OS_ASYNC_SYNC_H

#include <stdbool.h>
#include <stdint.h>

/*
 * fdatasync() without waiting for the disk and without a thread, by the
 * kernel's own asynchronous I/O. Nobody is woken when it is done: who wants to
 * know asks, which costs one system call where an eventfd would cost four.
 * Where it cannot be had the sync is made at once.
 *
 *     init -> start(fd) -> finish, until it is true -> start ...
 *
 * Nothing is set up in the kernel before the first start: tearing that down
 * costs a process milliseconds when it ends, which one that syncs nothing
 * should not pay. A process that ends while a sync is under way is kept by
 * the kernel until it is done.
 */
struct w_async_sync {
	uint64_t context; /* the kernel's name for it; 0: none */
	bool is_refused;  /* no context to be had */
	bool is_busy;     /* started, not finished */
	bool is_made;     /* was made at once, with this result */
	int error;
};

void w_async_sync_init(struct w_async_sync *sync);

/* Waits for a sync that is under way. */
void w_async_sync_done(struct w_async_sync *sync);

/* Begins to sync a file; fd may be closed meanwhile. One at a time: EBUSY
 * until w_async_sync_finish() has taken the result. 0, or an errno. */
int w_async_sync_start(struct w_async_sync *sync, int fd);

/* Takes the result. false: not yet, or nothing was started. *out_error is 0
 * or the errno of the sync. */
bool w_async_sync_finish(struct w_async_sync *sync, int *out_error);

#endif /* W_OS_ASYNC_SYNC_H */
