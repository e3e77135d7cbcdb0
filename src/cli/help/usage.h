/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_USAGE_H
#define W_CLI_USAGE_H

#include "cli/cli_command.h"

/* Prints the help of a command to standard output; returns the exit status. */
int w_usage_print(const struct w_cli_command *command);

/* Prints the usage line and the commands of writ to standard error. */
void w_usage_print_short(void);

#endif /* W_CLI_USAGE_H */
