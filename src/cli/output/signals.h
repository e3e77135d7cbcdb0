/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_SIGNALS_H
#define W_CLI_SIGNALS_H

#include <stdbool.h>

#include <writ/error.h>

/*
 * Blocks SIGINT, SIGTERM, SIGHUP and SIGQUIT and returns a non-blocking
 * signalfd that reads them; -1 with *err filled on failure. Also blocks
 * SIGPIPE and SIGXFSZ.
 */
int w_signals_open(writ_error *err);

/* Whether this process was started with the signal ignored, as by nohup. A
 * blocked signal is queued even then, so the reader has to check. */
bool w_signals_is_ignored(int signal);

#endif /* W_CLI_SIGNALS_H */
