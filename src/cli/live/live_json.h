/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_LIVE_JSON_H
#define W_CLI_LIVE_JSON_H

#include "cli/live/live_feed.h"

/*
 * Prints what the feed tells as JSON, an object on a line for each event, and
 * the output of runs as it is recorded, until a signal comes or the reader
 * goes away. *out_exit is the exit status then. The feed is open.
 */
writ_status w_live_json(
    struct w_live_feed *feed, int signal_fd, int *out_exit, writ_error *err);

#endif /* W_CLI_LIVE_JSON_H */
