/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_SANDBOX_RUNNER_H
#define W_CLI_SANDBOX_RUNNER_H

#include <stdbool.h>

/* Whether this process was started as a runner of modules: by its first
 * argument, and before any option is looked at. */
bool w_cli_runner_is_asked(int argc, char *const *argv);

/* Is one. Returns the exit status. */
int w_cli_runner_run(int argc, char *const *argv);

#endif /* W_CLI_SANDBOX_RUNNER_H */
