/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_COMMAND_SIMPLE_COMMAND_H
#define W_COMMAND_SIMPLE_COMMAND_H

#include "base/buf.h"
#include "command/shell/shell.h"
#include "command/shell/shell_word.h"

/* The parser's state, with the lists of the current command. */
struct w_shell_parser {
	struct w_shell_input in;
	struct w_arena arena;
	struct w_buf parts;
	struct w_buf words;
	struct w_buf assignments;
	struct w_buf redirections;
};

/* Reads one simple command, up to the next operator. */
writ_status w_shell_read_command(
    struct w_shell_parser *parser, struct w_simple_command *part);

/* Fails for a line continuation inside an operator: not every shell reads
 * on. */
writ_status w_shell_check_operator_end(struct w_shell_parser *parser);

#endif /* W_COMMAND_SIMPLE_COMMAND_H */
