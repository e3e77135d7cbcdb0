/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_DELIVERY_H
#define W_CLI_DELIVERY_H

#include "cli/run/watch_state.h"

/* Writes everything, waiting for the reader; the run is over. */
void w_delivery_emit(
    struct w_watch *watch, writ_stream stream, const char *bytes, size_t len);

/* Prints what a runner answered. */
void w_delivery_isolated(struct w_watch *watch);

/* Prints the result as JSON. */
writ_status w_delivery_json(struct w_watch *watch, writ_error *err);

/* Writes what is left of live output, and the notes. */
void w_delivery_live(struct w_watch *watch);

/* Says so when output was lost, quiet or not; a reader that went away is no
 * reason to. */
void w_delivery_report_lost(const struct w_watch *watch);

/* What writ exits with. */
int w_delivery_exit_status(const struct w_watch *watch);

#endif /* W_CLI_DELIVERY_H */
