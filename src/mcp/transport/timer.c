/* SPDX-License-Identifier: Apache-2.0 */
/* Timers: a binary heap, the earliest at index 1. */
#include "mcp/transport/timer.h"

#include <limits.h>
#include <stdlib.h>
#include <time.h>

#include "base/grow.h"

uint64_t
w_mcp_now_ns(void)
{
	struct timespec now;

	/* Cannot fail for this clock. */
	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * UINT64_C(1000000000) +
	       (uint64_t)now.tv_nsec;
}

static void
timer_put(struct w_mcp_timers *timers, size_t place, struct w_mcp_timer *timer)
{
	timers->heap[place - 1] = timer;
	timer->place = place;
}

static void
sift_up(struct w_mcp_timers *timers, struct w_mcp_timer *timer)
{
	size_t place = timer->place;

	while (place > 1) {
		struct w_mcp_timer *parent = timers->heap[place / 2 - 1];
		if (parent->at_ns <= timer->at_ns)
			break;
		timer_put(timers, place, parent);
		place /= 2;
	}
	timer_put(timers, place, timer);
}

static void
sift_down(struct w_mcp_timers *timers, struct w_mcp_timer *timer)
{
	size_t place = timer->place;

	while (place * 2 <= timers->count) {
		size_t child = place * 2;
		if (child < timers->count &&
		    timers->heap[child]->at_ns < timers->heap[child - 1]->at_ns)
			child++;
		if (timer->at_ns <= timers->heap[child - 1]->at_ns)
			break;
		timer_put(timers, place, timers->heap[child - 1]);
		place = child;
	}
	timer_put(timers, place, timer);
}

bool
w_mcp_timer_set(
    struct w_mcp_timers *timers, struct w_mcp_timer *timer, uint64_t after_ms)
{
	const uint64_t now = w_mcp_now_ns();
	uint64_t at;

	if (__builtin_mul_overflow(after_ms, UINT64_C(1000000), &at) ||
	    __builtin_add_overflow(at, now, &at))
		at = UINT64_MAX;
	w_mcp_timer_stop(timers, timer);
	if (!w_grow(&timers->heap, timers->count, &timers->cap))
		return false;
	timer->at_ns = at;
	timers->count++;
	timer->place = timers->count;
	sift_up(timers, timer);
	return true;
}

void
w_mcp_timer_stop(struct w_mcp_timers *timers, struct w_mcp_timer *timer)
{
	const size_t place = timer->place;

	if (place == 0)
		return;
	timer->place = 0;

	struct w_mcp_timer *last = timers->heap[timers->count - 1];
	timers->count--;
	if (last == timer)
		return;
	last->place = place;
	sift_up(timers, last);
	sift_down(timers, last);
}

void
w_mcp_timers_run(struct w_mcp_timers *timers)
{
	/* Read once, so that a timer that re-arms itself cannot keep us
	 * here. */
	const uint64_t now = w_mcp_now_ns();

	while (timers->count > 0 && timers->heap[0]->at_ns <= now) {
		struct w_mcp_timer *timer = timers->heap[0];

		w_mcp_timer_stop(timers, timer);
		timer->fire(timer->ctx);
	}
}

int
w_mcp_timers_wait(const struct w_mcp_timers *timers)
{
	if (timers->count == 0)
		return -1;

	const uint64_t now = w_mcp_now_ns();
	const uint64_t at = timers->heap[0]->at_ns;
	if (at <= now)
		return 0;

	const uint64_t ms =
	    (at - now) / 1000000 + ((at - now) % 1000000 > 0 ? 1 : 0);
	return ms > INT_MAX ? INT_MAX : (int)ms;
}

void
w_mcp_timers_done(struct w_mcp_timers *timers)
{
	for (size_t i = 0; i < timers->count; i++)
		timers->heap[i]->place = 0;
	free(timers->heap);
	*timers = (struct w_mcp_timers){0};
}
