/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_OS_ASYNC_SYNC_H
#define W_OS_ASYNC_SYNC_H

#include <stdbool.h>
#include <stdint.h>

/*
 * fdatasync() without waiting for the disk and without a thread, by the
 * kernel's own asynchronous I/O. There is no wake-up when it is done: the
 * caller polls, which costs one system call where an eventfd would cost four.
 * Where it is not available, the sync is made at once.
 *
 *     init -> start(fd) -> finish, until it is true -> start ...
 *
 * Nothing is set up in the kernel before the first start: tearing it down costs
 * a process milliseconds at exit, which one that syncs nothing should not pay.
 * A process that exits during a sync is kept by the kernel until it is done.
 */
struct w_async_sync {
	uint64_t context; /* aio_context_t; 0: none */
	bool is_refused;  /* io_setup() failed */
	bool is_busy;     /* started, not finished */
	bool is_made;     /* was made synchronously, with this result */
	int error;
};

void w_async_sync_init(struct w_async_sync *sync);

/* Waits for a sync in progress. */
void w_async_sync_done(struct w_async_sync *sync);

/* Starts to sync a file; fd may be closed meanwhile. One at a time: EBUSY until
 * w_async_sync_finish() has returned the result. 0, or an errno. */
int w_async_sync_start(struct w_async_sync *sync, int fd);

/* Gets the result. false: not yet, or nothing was started. *out_error is 0 or
 * the errno of the sync. */
bool w_async_sync_finish(struct w_async_sync *sync, int *out_error);

#endif /* W_OS_ASYNC_SYNC_H */
