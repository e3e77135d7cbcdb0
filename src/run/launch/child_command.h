/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_CHILD_COMMAND_H
#define W_RUN_CHILD_COMMAND_H

#include "base/buf.h"
#include "run/launch/launch.h"

/*
 * The plan of our child: the command itself, or the helper on its way to it.
 *
 * To run as another user the helper's launch role gives up root in a memory
 * of its own and then becomes the command. The keeper role starts the command
 * as its child and stays. Of both a pipe tells how the start went: only the
 * process that becomes the command holds its other end, so no other process
 * has to be awake for it.
 */
struct w_child_command {
	struct w_child_plan plan;
	struct w_buf spec; /* the helper's first argument, and its third */
	char **argv;       /* with the helper's words before the command's */
	int report;        /* our end of W_HELPER_REPORT_FD; -1: no helper */
	int report_out;
	int socket; /* to a keeper; -1: there is none */
	int socket_out;
};

/* A helper as our child. */
struct w_helper_setup {
	char role;    /* W_ROLE_SETUID_STUB or W_ROLE_SUBREAPER */
	int group_fd; /* keeper: where the command goes; -1: nowhere */
	const char *group_name; /* keeper: to be removed; empty: none */
};

/*
 * above may be NULL: then a helper is used only to change the user. What
 * limits counts needs no limit of each process. A keeper does not join them.
 */
writ_status w_child_command_init(struct w_child_command *command,
    const struct w_launcher *launcher, const struct w_launch *launch,
    const struct w_limit_group *limits,
    const struct w_helper_setup *helper_setup, writ_error *err);
void w_child_command_done(struct w_child_command *command);

/* Waits until the helper, if there is one, has the command running. 0, or the
 * errno, with the step in the plan. */
int w_child_command_await(struct w_child_command *command);

/* The resource limits that the command's own process sets, given what control
 * groups count for it; how many there are. */
size_t w_child_command_limits(const struct w_launch *launch,
    const struct w_limit_group *group,
    struct w_child_limit out_limits[W_CHILD_LIMITS_MAX]);

#endif /* W_RUN_CHILD_COMMAND_H */
