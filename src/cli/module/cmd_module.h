/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_CMD_MODULE_H
#define W_CLI_CMD_MODULE_H

#include "cli/cli_command.h"

/* The subcommands of `writ module`. */
extern const struct w_cli_command w_cmd_module_list;
extern const struct w_cli_command w_cmd_module_search;
extern const struct w_cli_command w_cmd_module_show;
extern const struct w_cli_command w_cmd_module_explain;
extern const struct w_cli_command w_cmd_module_check;
extern const struct w_cli_command w_cmd_module_add;

#endif /* W_CLI_CMD_MODULE_H */
