/* SPDX-License-Identifier: Apache-2.0 */

/* Records on their way to the disk. */

#include "engine/batch.h"

#include <sys/epoll.h>

static void
wait_some(struct w_batch *batch)
{
	struct w_loop *loop = batch->loop;

	batch->has_more = false;
	/* Runs have reserved room for one more; without a run it may lack. */
	if (batch->timer.slot == 0 &&
	    w_loop_reserve_timers(loop, loop->heap_len + 1))
		w_loop_arm(
		    loop, &batch->timer, w_now_ns() + W_BATCH_MS * W_NS_PER_MS);
}

static void
on_synced(struct w_source *source, uint32_t events)
{
	struct w_batch *batch = W_OWNER_OF(source, struct w_batch, source);
	int error;

	(void)events;
	if (!w_async_sync_finish(&batch->sync, &error))
		return;
	if (error == 0)
		w_log_synced(batch->log, &batch->covers);
	if (batch->has_more)
		wait_some(batch);
}

/* false: a sync in the background cannot be had. */
static bool
make_sync(struct w_batch *batch)
{
	if (batch->is_made)
		return true;
	batch->is_made = w_async_sync_init(&batch->sync) == 0;
	if (batch->is_made) {
		batch->source = (struct w_source){
		    .fd = batch->sync.event_fd, .fn = on_synced};
		if (w_loop_add(batch->loop, &batch->source, EPOLLIN) == 0)
			return true;
	}
	batch->is_made = false;
	batch->source.fd = -1;
	w_async_sync_done(&batch->sync);
	return false;
}

static void
on_due(struct w_timer *timer)
{
	struct w_batch *batch = W_OWNER_OF(timer, struct w_batch, timer);
	int fd = w_log_sync_fd(batch->log, &batch->covers);

	if (fd < 0)
		return;
	if (batch->runs < 2 || !make_sync(batch) ||
	    w_async_sync_start(&batch->sync, fd) != 0)
		(void)w_log_sync(batch->log);
}

void
w_batch_init(struct w_batch *batch, struct w_loop *loop)
{
	*batch = (struct w_batch){
	    .loop = loop,
	    .timer = {.fn = on_due},
	    .source = {.fd = -1},
	};
}

void
w_batch_done(struct w_batch *batch)
{
	if (batch->timer.slot != 0)
		w_loop_disarm(batch->loop, &batch->timer);
	if (batch->is_made) {
		w_loop_remove(batch->loop, &batch->source);
		w_async_sync_done(&batch->sync);
	}
	batch->is_made = false;
	batch->loop = NULL;
}

void
w_batch_note(struct w_batch *batch, struct w_log *log)
{
	if (batch->loop == NULL)
		return;
	batch->log = log;
	batch->has_more = true;
	if (!batch->is_made || !batch->sync.is_busy)
		wait_some(batch);
}

void
w_batch_count(struct w_batch *batch)
{
	if (batch->runs < 2)
		batch->runs++;
}
