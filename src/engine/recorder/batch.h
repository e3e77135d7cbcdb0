/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_BATCH_H
#define W_ENGINE_BATCH_H

#include <stdbool.h>

#include "log/log.h"
#include "os/async_sync.h"
#include "os/loop.h"

/*
 * Brings records to the disk soon, many at once, without keeping the loop:
 *
 *     idle --record--> waiting --W_BATCH_MS--> syncing --done--> idle
 *                         ^                       |
 *                         `--------record---------'
 *
 * It works while the loop is dispatched. Whoever ends sooner leaves the sync
 * to the next writer or to the kernel. Whether a sync is done is looked at
 * when the next record is written, which tells the head of it.
 */
#define W_BATCH_MS 10

struct w_batch {
	struct w_loop *loop;  /* borrowed */
	struct w_log *log;    /* borrowed; NULL: nothing to sync */
	struct w_timer timer; /* armed: waiting */
	struct w_async_sync sync;
	struct w_log_mark covers; /* what the sync under way brings */
	unsigned runs;            /* that were begun */
};

void w_batch_init(struct w_batch *batch, struct w_loop *loop);

/* Waits for a sync that is under way, and begins no other. */
void w_batch_done(struct w_batch *batch);

/* A record is about to be written: notes a sync that is done by now. */
void w_batch_poll(struct w_batch *batch);

/* A record was written to the log. */
void w_batch_add(struct w_batch *batch, struct w_log *log);

/* A run was begun. Until the second one a sync keeps the loop: what a sync in
 * the background needs is costly to give back, and most engines of a command
 * line have one run. */
void w_batch_count_run(struct w_batch *batch);

#endif /* W_ENGINE_BATCH_H */
