/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_USAGE_H
#define W_CLI_USAGE_H

#include "cli/cli_command.h"

/* Prints the help of a command to standard output; returns the exit status. */
int w_usage_print(const struct w_cli_command *command);

#endif /* W_CLI_USAGE_H */
