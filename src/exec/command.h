/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_EXEC_COMMAND_H
#define W_EXEC_COMMAND_H

#include "base/buf.h"
#include "exec/launch.h"

/*
 * The plan of the process that becomes the command.
 *
 * Usually that is the command itself. To run as another user it is the helper
 * in its launch role, which gives up root in a memory of its own and then
 * becomes the command; over a socket it tells why it could not.
 */
struct w_command {
	struct w_child_plan plan;
	struct w_buf spec; /* the helper's first argument */
	char **argv;       /* with the helper's words before the command's */
	int ours;          /* the socket; -1 without a helper */
	int theirs;
};

writ_status w_command_init(struct w_command *command,
    const struct w_launcher *launcher, const struct w_launch *launch,
    writ_error *err);
void w_command_done(struct w_command *command);

/* Waits for a launching helper to become the command. 0, or the errno, with
 * the step in the plan. */
int w_command_await(struct w_command *command);

#endif /* W_EXEC_COMMAND_H */
