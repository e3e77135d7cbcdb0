/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_WATCH_HOST_H
#define W_CLI_WATCH_HOST_H

#include <writ/approval.h>

#include "cli/run/watch_state.h"

/*
 * Connections of a live run that wait for a person's answer.
 */

/* A writ_connection_fn; ctx is a struct w_watch. */
bool w_watch_host_question(
    void *ctx, writ_job *job, writ_connection_question *question);

/* Asks what that left to be asked: at this terminal, while the run goes on and
 * its output for the terminal is held back; or prints that it is waited for. */
void w_watch_host_ask(struct w_watch *watch);

#endif /* W_CLI_WATCH_HOST_H */
