/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_DELIVERY_H
#define W_CLI_DELIVERY_H

#include "cli/run/watch_state.h"

/* Writes all bytes and waits for the reader; only after the run. */
void w_delivery_emit(
    struct w_watch *watch, writ_stream stream, const char *bytes, size_t len);

/* Prints the answer of a module runner. */
void w_delivery_isolated(struct w_watch *watch);

/* Prints the result as JSON. */
writ_status w_delivery_json(struct w_watch *watch, writ_error *err);

/* Writes the rest of live output, and the notes. */
void w_delivery_live(struct w_watch *watch);

/* Reports a write error, even with --quiet; EPIPE is no error. */
void w_delivery_report_lost(const struct w_watch *watch);

/* The exit status of writ. */
int w_delivery_exit_status(const struct w_watch *watch);

#endif /* W_CLI_DELIVERY_H */
