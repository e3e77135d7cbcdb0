/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_COMMAND_SIMPLE_COMMAND_H
#define W_COMMAND_SIMPLE_COMMAND_H

#include "base/buf.h"
#include "command/shell/shell.h"
#include "command/shell/shell_word.h"

/* What is read, and the lists of the part that is being read. */
struct w_shell_parser {
	struct w_shell_input in;
	struct w_arena arena;
	struct w_buf parts;
	struct w_buf words;
	struct w_buf assignments;
	struct w_buf redirections;
};

/* Reads one simple command, up to the operator behind it. */
writ_status w_shell_read_command(
    struct w_shell_parser *parser, struct w_simple_command *part);

/* Refuses a line that is continued in the middle of an operator: not every
 * shell looks beyond. */
writ_status w_shell_check_operator_end(struct w_shell_parser *parser);

#endif /* W_COMMAND_SIMPLE_COMMAND_H */
