/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_CMD_ENSURE_H
#define W_CLI_CMD_ENSURE_H

#include "cli/cli_command.h"

/* The subcommands of `writ ensure`. */
extern const struct w_cli_command w_cmd_ensure_exec;
extern const struct w_cli_command w_cmd_ensure_file;

#endif /* W_CLI_CMD_ENSURE_H */
