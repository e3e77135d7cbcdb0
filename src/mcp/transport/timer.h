/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MCP_TIMER_H
#define W_MCP_TIMER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The server's timers: a binary heap by time. A timer is embedded in its owner,
 * and stopped before that is freed. */
struct w_mcp_timer {
	uint64_t at_ns; /* CLOCK_MONOTONIC */
	size_t place;   /* index in the heap, from 1; 0: not set */
	void (*fire)(void *ctx);
	void *ctx;
};

struct w_mcp_timers {
	struct w_mcp_timer **heap;
	size_t count;
	size_t cap;
};

uint64_t w_mcp_now_ns(void);

/* Arms or re-arms it. false: no memory. */
bool w_mcp_timer_set(
    struct w_mcp_timers *timers, struct w_mcp_timer *timer, uint64_t after_ms);
void w_mcp_timer_stop(struct w_mcp_timers *timers, struct w_mcp_timer *timer);

/* Fires what is due. */
void w_mcp_timers_run(struct w_mcp_timers *timers);

/* Milliseconds until the next one, rounded up; -1: none. */
int w_mcp_timers_wait(const struct w_mcp_timers *timers);
void w_mcp_timers_done(struct w_mcp_timers *timers);

#endif /* W_MCP_TIMER_H */
