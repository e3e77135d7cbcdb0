/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_LOOKOUT_H
#define W_CLI_LOOKOUT_H

#include <stdbool.h>

#include "cli/outlet.h"
#include "cli/status_line.h"

/*
 * Somebody at a terminal who waits for runs of other processes: after a while
 * a line says so, and Ctrl-C wipes it before it ends the waiting. Without a
 * terminal there is neither, and signals do what they always do.
 */
struct w_lookout {
	struct w_outlet outlet;
	struct w_status_line line;
	int signal_fd; /* -1: no terminal */
};

void w_lookout_init(struct w_lookout *lookout, bool is_wanted);
void w_lookout_done(struct w_lookout *lookout);

/* How long to wait in one go, of the milliseconds that are left (-1: for
 * ever). */
int w_lookout_slice_ms(const struct w_lookout *lookout, int left_ms);

/* Renews the line. Returns the signal that ends the waiting; 0: none. */
int w_lookout_tick(struct w_lookout *lookout);

#endif /* W_CLI_LOOKOUT_H */
