/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_LIVE_SEAT_H
#define W_CLI_LIVE_SEAT_H

#include "cli/live/live_feed.h"

/*
 * Shows the feed to the person at this terminal, until the person leaves or a
 * signal comes. *out_exit is the exit status then. The feed is open.
 */
writ_status w_live_seat(
    struct w_live_feed *feed, int signal_fd, int *out_exit, writ_error *err);

#endif /* W_CLI_LIVE_SEAT_H */
