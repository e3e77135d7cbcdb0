/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_BATCH_H
#define W_ENGINE_BATCH_H

#include <stdbool.h>

#include "log/log.h"
#include "os/async_sync.h"
#include "os/loop.h"

/*
 * Syncs records soon, many at once, without blocking the loop:
 *
 *	idle --record--> waiting --W_BATCH_MS--> syncing --done--> idle
 *	                    ^                       |
 *	                    `--------record---------'
 *
 * It works while the loop is dispatched. A process that ends sooner leaves the
 * sync to the next writer or to the kernel. A finished sync is noticed when the
 * next record is written, which then says what is on disk.
 */
#define W_BATCH_MS 10

struct w_batch {
	struct w_loop *loop;  /* borrowed */
	struct w_log *log;    /* borrowed; NULL: nothing to sync */
	struct w_timer timer; /* armed: waiting */
	struct w_async_sync sync;
	struct w_log_mark covers; /* what the current sync covers */
	unsigned runs;            /* number of runs begun, at most 2 */
};

void w_batch_init(struct w_batch *batch, struct w_loop *loop);

/* Waits for the current sync, and starts no other. */
void w_batch_done(struct w_batch *batch);

/* Before a record is written: notices a finished sync. */
void w_batch_poll(struct w_batch *batch);

/* After a record was written to the log. */
void w_batch_add(struct w_batch *batch, struct w_log *log);

/* A run was begun. Until the second one a sync blocks the loop: a background
 * sync is costly to set up, and most engines of a command line have one run. */
void w_batch_count_run(struct w_batch *batch);

#endif /* W_ENGINE_BATCH_H */
