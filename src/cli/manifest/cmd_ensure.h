/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_CMD_ENSURE_H
#define W_CLI_CMD_ENSURE_H

#include "cli/cli_command.h"

/* The subcommands of `writ ensure`. */
extern const struct w_cli_command w_cmd_ensure_exec;
extern const struct w_cli_command w_cmd_ensure_file;
extern const struct w_cli_command w_cmd_ensure_package;
extern const struct w_cli_command w_cmd_ensure_service;
extern const struct w_cli_command w_cmd_ensure_user;
extern const struct w_cli_command w_cmd_ensure_group;
extern const struct w_cli_command w_cmd_ensure_archive;
extern const struct w_cli_command w_cmd_ensure_edit;

#endif /* W_CLI_CMD_ENSURE_H */
