/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MODULE_SHELL_PART_H
#define W_MODULE_SHELL_PART_H

#include "base/buf.h"
#include "module/shell.h"
#include "module/shell_word.h"

/* What is read, and the lists of the part that is being read. */
struct w_shell_taker {
	struct w_shell_input in;
	struct w_arena arena;
	struct w_buf parts;
	struct w_buf words;
	struct w_buf assignments;
	struct w_buf redirections;
};

/* Reads one simple command, up to the operator behind it. */
writ_status w_shell_read_part(
    struct w_shell_taker *taker, struct w_shell_part *part);

/* Refuses a line that is continued in the middle of an operator: not every
 * shell looks beyond. */
writ_status w_shell_check_operator_end(struct w_shell_taker *taker);

#endif /* W_MODULE_SHELL_PART_H */
