/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_DETACH_H
#define W_CLI_DETACH_H

#include "cli/run/watch.h"

/*
 * Forks a process that runs the request, outlives this one and has no
 * terminal. Returns in both. Here: the exit status, after the command has
 * started (the run id is printed, as options->is_json says) or failed to start
 * (the error is printed). In the new process: the status of the run, after it
 * has ended.
 */
int w_detach_run(const struct w_watch_options *options);

/* Reports to w_detach_run() in the parent that the run has started. */
void w_detach_report_start(int parent_fd, const char *run_id);

/* Reports that it waits for an approval; left is the time, as text. */
void w_detach_report_waiting(
    int parent_fd, const char *approval, const char *left);

/* Reports that it did not start. approval: the question that stays open; "":
 * none. */
void w_detach_report_error(
    int parent_fd, const writ_error *err, const char *approval);

#endif /* W_CLI_DETACH_H */
