/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_USAGE_H
#define W_CLI_USAGE_H

#include "cli/command.h"

/* Prints the help of a command to standard output; returns the exit status. */
int w_usage_print(const struct w_command *command);

/* Appends text, wrapped at 80 columns, each line after the first indented by
 * indent blanks; column is where the first line starts. */
struct w_buf;
void w_usage_wrap(
    struct w_buf *buf, const char *text, size_t column, size_t indent);

#endif /* W_CLI_USAGE_H */
