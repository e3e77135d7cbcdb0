/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_DETACH_H
#define W_CLI_DETACH_H

#include "cli/run/watch.h"

/*
 * Runs the request in a process of its own, which outlives this one and has
 * no terminal. Returns in both: here with the exit status once the command
 * has started (its id is printed) or has not (the error is), and in the other
 * process with the status of the run when that has ended. plan.is_json says
 * how the id is printed.
 */
int w_detach_run(const struct w_watch_options *plan);

/* The run has started: tells whoever waits in w_detach_run(). */
void w_detach_report_start(int parent_fd, const char *run_id);

/* It waits for somebody to agree, for so long. */
void w_detach_report_waiting(
    int parent_fd, const char *approval, const char *left);

/* It has not. */
void w_detach_report_error(int parent_fd, const writ_error *err);

#endif /* W_CLI_DETACH_H */
