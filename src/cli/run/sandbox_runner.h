/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_SANDBOX_RUNNER_H
#define W_CLI_SANDBOX_RUNNER_H

/* Calls one module in this process: argv[1] is WRIT_ISOLATED_FLAG, argv[2] the
 * id of the module. Returns the exit status. */
int w_cli_runner_run(int argc, char *const *argv);

#endif /* W_CLI_SANDBOX_RUNNER_H */
