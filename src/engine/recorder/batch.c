/* SPDX-License-Identifier: Apache-2.0 */

/* Syncs records in batches. */

#include "engine/recorder/batch.h"

static void
wait_some(struct w_batch *batch)
{
	struct w_loop *loop = batch->loop;

	/* Runs have reserved room for one more timer; without a run there
	 * may be none. */
	if (batch->timer.slot == 0 &&
	    w_loop_reserve_timers(loop, loop->heap_len + 1))
		w_loop_arm(
		    loop, &batch->timer, w_now_ns() + W_BATCH_MS * W_NS_PER_MS);
}

void
w_batch_poll(struct w_batch *batch)
{
	int error;

	if (w_async_sync_finish(&batch->sync, &error) && error == 0)
		w_log_synced(batch->log, &batch->covers);
}

static void
on_due(struct w_timer *timer)
{
	struct w_batch *batch = W_CONTAINER_OF(timer, struct w_batch, timer);

	w_batch_poll(batch);
	/* A slow disk: records that came meanwhile have to wait. */
	if (batch->sync.is_busy) {
		wait_some(batch);
		return;
	}
	int fd = w_log_sync_fd(batch->log, &batch->covers);
	if (fd < 0)
		return;
	if (batch->runs < 2 || w_async_sync_start(&batch->sync, fd) != 0)
		(void)w_log_sync(batch->log);
}

void
w_batch_init(struct w_batch *batch, struct w_loop *loop)
{
	*batch = (struct w_batch){
	    .loop = loop,
	    .timer = {.fn = on_due},
	};
	w_async_sync_init(&batch->sync);
}

void
w_batch_done(struct w_batch *batch)
{
	if (batch->loop == NULL)
		return;
	if (batch->timer.slot != 0)
		w_loop_disarm(batch->loop, &batch->timer);
	w_batch_poll(batch);
	w_async_sync_done(&batch->sync);
	batch->loop = NULL;
}

void
w_batch_add(struct w_batch *batch, struct w_log *log)
{
	if (batch->loop == NULL)
		return;
	batch->log = log;
	wait_some(batch);
}

void
w_batch_count_run(struct w_batch *batch)
{
	if (batch->runs < 2)
		batch->runs++;
}
