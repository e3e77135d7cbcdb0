/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_WAITER_H
#define W_CLI_WAITER_H

#include <stdbool.h>

#include "cli/output/status_line.h"
#include "cli/output/writer.h"

/*
 * Waits for runs of other processes. On a terminal a status line appears after
 * a while, and Ctrl-C wipes it before it ends the waiting. Without a terminal
 * there is no line, and signals have their default action.
 */
struct w_waiter {
	struct w_writer writer;
	struct w_status_line line;
	int signal_fd; /* -1: no terminal */
};

void w_waiter_init(struct w_waiter *waiter, bool is_wanted);
void w_waiter_done(struct w_waiter *waiter);

/* The timeout of one wait, if left_ms are left (-1: for ever). */
int w_waiter_slice_ms(const struct w_waiter *waiter, int left_ms);

/* Updates the line. Returns the signal that ends the waiting; 0: none. */
int w_waiter_tick(struct w_waiter *waiter);

#endif /* W_CLI_WAITER_H */
