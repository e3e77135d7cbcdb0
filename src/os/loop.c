/* SPDX-License-Identifier: Apache-2.0 */

/*
 * poll() for a few sources that only w_loop_dispatch() waits for. Otherwise
 * epoll for readiness, one timerfd for the earliest of all deadlines.
 *
 * The timers are a binary heap of pointers; each timer knows its index, so
 * moving and disarming need no search. The timerfd is set only when the
 * earliest deadline becomes earlier: when it becomes later, the descriptor
 * fires once for nothing, which is cheaper than a system call for each change.
 */

#include "os/loop.h"

#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/size.h"

#define NS_PER_S UINT64_C(1000000000)

enum {
	BATCH = 64
};

uint64_t
w_now_ns(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

static uint64_t
clock_us(clockid_t clock)
{
	struct timespec now;

	(void)clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

uint64_t
w_unix_us(void)
{
	return clock_us(CLOCK_REALTIME);
}

uint64_t
w_boot_us(void)
{
	return clock_us(CLOCK_REALTIME) - clock_us(CLOCK_BOOTTIME);
}

writ_status
w_loop_init(struct w_loop *loop, writ_error *err)
{
	W_AUTO_FD int epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (epoll_fd < 0)
		return w_fail(
		    err, WRIT_E_SYSTEM, "loop", errno, "epoll_create1");
	W_AUTO_FD int timer_fd =
	    timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (timer_fd < 0)
		return w_fail(
		    err, WRIT_E_SYSTEM, "loop", errno, "timerfd_create");

	/* A NULL pointer is the timerfd. */
	struct epoll_event event = {.events = EPOLLIN};
	if (epoll_ctl(epoll_fd, EPOLL_CTL_ADD, timer_fd, &event) < 0)
		return w_fail(err, WRIT_E_SYSTEM, "loop", errno, "epoll_ctl");

	*loop = (struct w_loop){
	    .epoll_fd = w_take_fd(&epoll_fd),
	    .timer_fd = w_take_fd(&timer_fd),
	    .is_polling = true,
	};
	return WRIT_OK;
}

void
w_loop_done(struct w_loop *loop)
{
	w_close(&loop->timer_fd);
	w_close(&loop->epoll_fd);
	free(loop->heap);
	loop->heap = NULL;
}

/* ---- sources ---- */

static void
poll_also(struct w_loop *loop, struct w_source *source)
{
	source->slot = loop->polled_count;
	loop->polled[loop->polled_count++] = source;
}

static void
poll_no_more(struct w_loop *loop, const struct w_source *source)
{
	struct w_source *last = loop->polled[--loop->polled_count];

	last->slot = source->slot;
	loop->polled[last->slot] = last;
}

static void set_timer_fd(struct w_loop *loop, uint64_t due_ns);

/* 0, or an errno: then they are still polled. */
static int
leave_to_epoll(struct w_loop *loop)
{
	for (size_t i = 0; i < loop->polled_count; i++) {
		struct w_source *source = loop->polled[i];
		struct epoll_event event = {
		    .events = source->events, .data.ptr = source};

		if (epoll_ctl(
			loop->epoll_fd, EPOLL_CTL_ADD, source->fd, &event) == 0)
			continue;
		const int error = errno;
		while (i-- > 0)
			(void)epoll_ctl(loop->epoll_fd, EPOLL_CTL_DEL,
			    loop->polled[i]->fd, NULL);
		return error;
	}
	loop->is_polling = false;
	loop->polled_count = 0;
	if (loop->heap_len > 0)
		set_timer_fd(loop, loop->heap[0]->due_ns);
	return 0;
}

int
w_loop_fd(struct w_loop *loop)
{
	/* Without memory in the kernel: again when it is dispatched, at once.
	 */
	if (loop->is_polling && leave_to_epoll(loop) != 0)
		set_timer_fd(loop, 1);
	return loop->epoll_fd;
}

int
w_loop_check(const struct w_loop *loop)
{
	struct epoll_event event = {.events = EPOLLIN};

	/* Else w_loop_add() would say so. */
	return !loop->is_polling || epoll_ctl(loop->epoll_fd, EPOLL_CTL_MOD,
					loop->timer_fd, &event) == 0
		   ? 0
		   : errno;
}

int
w_loop_add(struct w_loop *loop, struct w_source *source, uint32_t events)
{
	struct epoll_event event = {.events = events, .data.ptr = source};

	if (loop->is_polling && loop->polled_count == W_LOOP_POLLED_MAX) {
		const int error = leave_to_epoll(loop);

		if (error != 0)
			return error;
	}
	if (loop->is_polling)
		poll_also(loop, source);
	else if (epoll_ctl(loop->epoll_fd, EPOLL_CTL_ADD, source->fd, &event) <
		 0)
		return errno;
	source->events = events;
	return 0;
}

/* epoll reports hang-up and error even without requested events; so a paused
 * source leaves the kernel's set. */
int
w_loop_modify(struct w_loop *loop, struct w_source *source, uint32_t events)
{
	struct epoll_event event = {.events = events, .data.ptr = source};
	int op = EPOLL_CTL_MOD;

	if (source->events == events)
		return 0;
	if (source->events == 0)
		return w_loop_add(loop, source, events);
	if (loop->is_polling) {
		if (events == 0)
			poll_no_more(loop, source);
		source->events = events;
		return 0;
	}
	if (events == 0)
		op = EPOLL_CTL_DEL;
	if (epoll_ctl(loop->epoll_fd, op, source->fd, &event) < 0)
		return errno;
	source->events = events;
	return 0;
}

void
w_loop_remove(struct w_loop *loop, struct w_source *source)
{
	if (source->fd < 0)
		return;
	(void)w_loop_modify(loop, source, 0);
	source->fd = -1;
}

static void
heap_place(struct w_loop *loop, size_t at, struct w_timer *timer)
{
	loop->heap[at] = timer;
	timer->slot = at + 1;
}

static void
heap_up(struct w_loop *loop, size_t at, struct w_timer *timer)
{
	while (at > 0) {
		size_t parent = (at - 1) / 2;

		if (loop->heap[parent]->due_ns <= timer->due_ns)
			break;
		heap_place(loop, at, loop->heap[parent]);
		at = parent;
	}
	heap_place(loop, at, timer);
}

static void
heap_down(struct w_loop *loop, size_t at, struct w_timer *timer)
{
	for (;;) {
		size_t child = 2 * at + 1;

		if (child >= loop->heap_len)
			break;
		if (child + 1 < loop->heap_len &&
		    loop->heap[child + 1]->due_ns < loop->heap[child]->due_ns)
			child++;
		if (timer->due_ns <= loop->heap[child]->due_ns)
			break;
		heap_place(loop, at, loop->heap[child]);
		at = child;
	}
	heap_place(loop, at, timer);
}

bool
w_loop_reserve_timers(struct w_loop *loop, size_t count)
{
	size_t bytes;

	if (count <= loop->heap_cap)
		return true;

	size_t cap = loop->heap_cap < 16 ? 16 : loop->heap_cap;
	while (cap < count)
		cap *= 2;
	if (!w_size_mul(cap, sizeof(struct w_timer *), &bytes))
		return false;
	struct w_timer **heap = realloc(loop->heap, bytes);
	if (heap == NULL)
		return false;
	loop->heap = heap;
	loop->heap_cap = cap;
	return true;
}

void
w_loop_disarm(struct w_loop *loop, struct w_timer *timer)
{
	if (timer->slot == 0)
		return;

	size_t at = timer->slot - 1;
	struct w_timer *last = loop->heap[--loop->heap_len];
	timer->slot = 0;
	if (last == timer)
		return;
	if (at > 0 && last->due_ns < loop->heap[(at - 1) / 2]->due_ns)
		heap_up(loop, at, last);
	else
		heap_down(loop, at, last);
}

/* due_ns is never zero, which would disarm the timerfd. */
static void
set_timer_fd(struct w_loop *loop, uint64_t due_ns)
{
	const struct itimerspec spec = {
	    .it_value.tv_sec = (time_t)(due_ns / NS_PER_S),
	    .it_value.tv_nsec = (long)(due_ns % NS_PER_S),
	};

	/* Cannot fail: the descriptor is ours and the time is valid. */
	(void)timerfd_settime(loop->timer_fd, TFD_TIMER_ABSTIME, &spec, NULL);
	loop->armed_ns = due_ns;
}

void
w_loop_arm(struct w_loop *loop, struct w_timer *timer, uint64_t due_ns)
{
	w_loop_disarm(loop, timer);
	timer->due_ns = due_ns == 0 ? 1 : due_ns;
	heap_up(loop, loop->heap_len++, timer);

	/* While dispatching, one check at the end covers every change. */
	if (!loop->dispatching && !loop->is_polling &&
	    (loop->armed_ns == 0 || timer->due_ns < loop->armed_ns))
		set_timer_fd(loop, timer->due_ns);
}

static void
fire_timers(struct w_loop *loop)
{
	uint64_t now = w_now_ns();

	while (loop->heap_len > 0 && loop->heap[0]->due_ns <= now) {
		struct w_timer *timer = loop->heap[0];

		w_loop_disarm(loop, timer);
		timer->fn(timer);
	}
}

static void
take_expirations(struct w_loop *loop)
{
	uint64_t expirations;

	(void)!read(loop->timer_fd, &expirations, sizeof(expirations));
	loop->armed_ns = 0;
}

/* Removed, or paused, by a callback of the same batch: nothing is called. */
static void
call(struct w_source *source, uint32_t events)
{
	if (source->fd >= 0 && source->events != 0)
		source->fn(source, events);
}

static bool
handle(struct w_loop *loop, const struct epoll_event *event)
{
	struct w_source *source = event->data.ptr;

	if (source == NULL) {
		take_expirations(loop);
		return true;
	}
	call(source, event->events);
	return false;
}

/* How long poll() waits: no longer than until the earliest timer, which it must
 * not miss by waking up early again and again. */
static int
poll_ms(const struct w_loop *loop, int timeout_ms)
{
	if (loop->heap_len == 0)
		return timeout_ms;
	const uint64_t due_ns = loop->heap[0]->due_ns;
	const uint64_t now_ns = w_now_ns();
	const uint64_t ms =
	    due_ns <= now_ns
		? 0
		: (due_ns - now_ns + W_NS_PER_MS - 1) / W_NS_PER_MS;

	if (timeout_ms >= 0 && ms > (uint64_t)timeout_ms)
		return timeout_ms;
	return ms > INT_MAX ? INT_MAX : (int)ms;
}

/* Nothing sets the timer before, unless w_loop_fd() failed. */
static void
leave_to_epoll_if_wanted(struct w_loop *loop)
{
	if (loop->armed_ns == 0)
		return;
	take_expirations(loop);
	if (leave_to_epoll(loop) != 0)
		set_timer_fd(loop, 1);
}

/* What callbacks armed while they were called. */
static void
end_dispatch(struct w_loop *loop)
{
	loop->dispatching = false;
	if (!loop->is_polling && loop->heap_len > 0 &&
	    (loop->armed_ns == 0 || loop->heap[0]->due_ns < loop->armed_ns))
		set_timer_fd(loop, loop->heap[0]->due_ns);
}

static writ_status
dispatch_polled(struct w_loop *loop, int timeout_ms, writ_error *err)
{
	/* Callbacks change the list. */
	struct w_source *sources[W_LOOP_POLLED_MAX];
	struct pollfd fds[W_LOOP_POLLED_MAX];
	const size_t count = loop->polled_count;

	for (size_t i = 0; i < count; i++) {
		sources[i] = loop->polled[i];
		fds[i] = (struct pollfd){
		    .fd = sources[i]->fd, .events = (short)sources[i]->events};
	}
	int ready = poll(fds, count, poll_ms(loop, timeout_ms));
	if (ready < 0 && errno == EINTR)
		return WRIT_OK;
	if (ready < 0)
		return w_fail(err, WRIT_E_SYSTEM, "loop", errno, "poll");

	loop->dispatching = true;
	for (size_t i = 0; i < count; i++) {
		if (fds[i].revents != 0)
			call(sources[i], (uint16_t)fds[i].revents);
	}
	if (loop->heap_len > 0)
		fire_timers(loop);
	end_dispatch(loop);
	return WRIT_OK;
}

static writ_status
dispatch_epoll(struct w_loop *loop, int timeout_ms, writ_error *err)
{
	struct epoll_event events[BATCH];
	bool timer_due = false;

	int count = epoll_wait(loop->epoll_fd, events, BATCH, timeout_ms);
	if (count < 0 && errno == EINTR)
		return WRIT_OK;
	if (count < 0)
		return w_fail(err, WRIT_E_SYSTEM, "loop", errno, "epoll_wait");

	loop->dispatching = true;
	for (int i = 0; i < count; i++)
		timer_due |= handle(loop, &events[i]);
	if (timer_due)
		fire_timers(loop);
	end_dispatch(loop);
	return WRIT_OK;
}

writ_status
w_loop_dispatch(struct w_loop *loop, int timeout_ms, writ_error *err)
{
	if (loop->is_polling)
		leave_to_epoll_if_wanted(loop);
	return loop->is_polling ? dispatch_polled(loop, timeout_ms, err)
				: dispatch_epoll(loop, timeout_ms, err);
}
