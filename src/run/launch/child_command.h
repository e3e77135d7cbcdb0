/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_CHILD_COMMAND_H
#define W_RUN_CHILD_COMMAND_H

#include "base/buf.h"
#include "run/launch/launch.h"

/*
 * The plan of our child: the command itself, or the helper that starts it.
 *
 * To run as another user, the helper's setuid stub gives up root in its own
 * memory and then executes the command. The subreaper role starts the command
 * as its child and stays. For both, a pipe reports how the start went: only the
 * process that becomes the command holds its write end, so no other process has
 * to be awake for it.
 */
struct w_child_command {
	struct w_child_plan plan;
	struct w_buf spec; /* the helper's arguments 1 and 3 */
	char **argv;       /* the helper's arguments, then the command's */
	int report;        /* our end of W_HELPER_REPORT_FD; -1: no helper */
	int report_out;
	int socket; /* to a subreaper; -1: none */
	int socket_out;
};

/* How the helper is used as our child. */
struct w_helper_setup {
	char role;              /* W_ROLE_SETUID_STUB or W_ROLE_SUBREAPER */
	int group_fd;           /* subreaper: the command's group; -1: none */
	const char *group_name; /* subreaper: to be removed; empty: none */
};

/*
 * helper_setup NULL: the helper is used only to change the user. What a control
 * group in limits counts gets no resource limit per process. A subreaper does
 * not join those groups.
 */
writ_status w_child_command_init(struct w_child_command *command,
    const struct w_launcher *launcher, const struct w_launch *launch,
    const struct w_limit_group *limits,
    const struct w_helper_setup *helper_setup, writ_error *err);
void w_child_command_done(struct w_child_command *command);

/* Waits until the helper, if there is one, has executed the command. 0, or the
 * errno, with the step in the plan. */
int w_child_command_await(struct w_child_command *command);

/* The resource limits that the command's own process sets, without what control
 * groups count. Returns their number. */
size_t w_child_command_limits(const struct w_launch *launch,
    const struct w_limit_group *group,
    struct w_child_limit out_limits[W_CHILD_LIMITS_MAX]);

#endif /* W_RUN_CHILD_COMMAND_H */
