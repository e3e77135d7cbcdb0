/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_OS_LOOP_H
#define W_OS_LOOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/*
 * Readiness and deadlines, also over one pollable descriptor.
 *
 * Until somebody wants that descriptor, a few sources are waited for by poll():
 * a source of a short run would cost more to add to an epoll set, and to take
 * out again, than all waiting for it.
 *
 * Sources and timers live in the caller's storage. A source that was removed
 * gets no further event, not even one that was already fetched from the
 * kernel, so a callback may remove any source; its memory must stay until
 * w_loop_dispatch() returns (see w_loop_is_dispatching()).
 */
struct w_source;
struct w_timer;

/* The struct that contains a source or a timer. */
#define W_CONTAINER_OF(ptr, type, member) \
	((type *)(void *)((char *)(ptr)-offsetof(type, member)))

typedef void (*w_source_fn)(struct w_source *source, uint32_t events);
typedef void (*w_timer_fn)(struct w_timer *timer);

struct w_source {
	int fd; /* -1: not in the loop */
	uint32_t events;
	size_t slot; /* index in the list of those polled; or unused */
	w_source_fn fn;
};

struct w_timer {
	uint64_t due_ns;
	size_t slot; /* index in the heap + 1; 0: not armed */
	w_timer_fn fn;
};

/* More sources than these are left to epoll. */
enum {
	W_LOOP_POLLED_MAX = 16
};

struct w_loop {
	int epoll_fd; /* see w_loop_fd() */
	int timer_fd;
	bool is_polling;
	struct w_source *polled[W_LOOP_POLLED_MAX];
	size_t polled_count;
	uint64_t armed_ns; /* what timer_fd is set to; 0: disarmed */
	struct w_timer **heap;
	size_t heap_len;
	size_t heap_cap;
	bool dispatching;
};

writ_status w_loop_init(struct w_loop *loop, writ_error *err);
void w_loop_done(struct w_loop *loop);

/* A descriptor that is readable when w_loop_dispatch() has something to do.
 * Borrowed; it stays the same. */
int w_loop_fd(struct w_loop *loop);

/* 0, or an errno: the host has closed our descriptors, and what has their
 * numbers now is not ours. */
int w_loop_check(const struct w_loop *loop);

/* Starts watching source->fd for events. 0, or an errno. */
int w_loop_add(struct w_loop *loop, struct w_source *source, uint32_t events);

/* Changes the events of a watched source; 0 pauses it. */
int w_loop_modify(
    struct w_loop *loop, struct w_source *source, uint32_t events);

/* Stops watching; the descriptor stays open. Must be called before it is
 * closed: a process forked elsewhere may still hold a copy, and then closing
 * alone does not end the watch. */
void w_loop_remove(struct w_loop *loop, struct w_source *source);

/*
 * Reserves memory for count armed timers in all, so that arming cannot fail.
 * false: no memory.
 */
bool w_loop_reserve_timers(struct w_loop *loop, size_t count);

/* Arms or moves a timer. Its memory must have been reserved. */
void w_loop_arm(struct w_loop *loop, struct w_timer *timer, uint64_t due_ns);
void w_loop_disarm(struct w_loop *loop, struct w_timer *timer);

/* Waits up to timeout_ms (-1: forever) and calls the callbacks. */
writ_status w_loop_dispatch(
    struct w_loop *loop, int timeout_ms, writ_error *err);

/* CLOCK_MONOTONIC in nanoseconds. */
uint64_t w_now_ns(void);

/* In microseconds since 1970: now, and the time of boot. */
uint64_t w_unix_us(void);
uint64_t w_boot_us(void);

#define W_NS_PER_MS UINT64_C(1000000)

#endif /* W_OS_LOOP_H */
