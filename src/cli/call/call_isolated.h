/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_CALL_ISOLATED_H
#define W_CLI_CALL_ISOLATED_H

#include "cli/call/call_args.h"

/* Runs a valid call in its own process. Returns the exit status. */
int w_cli_call_isolated(struct w_call_args *args);

#endif /* W_CLI_CALL_ISOLATED_H */
