/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_SIGNALS_H
#define W_CLI_SIGNALS_H

#include <stdbool.h>

#include <writ/error.h>

/*
 * Blocks SIGINT, SIGTERM, SIGHUP and SIGQUIT and returns a non-blocking
 * signalfd that reads them; -1 with *err filled when that fails. Also blocks
 * SIGPIPE and SIGXFSZ.
 */
int w_signals_open(writ_error *err);

/* Whether this process was started with the signal ignored, as under nohup.
 * A blocked signal is queued even then, so its reader has to ask. */
bool w_signals_is_ignored(int signal);

#endif /* W_CLI_SIGNALS_H */
