/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_EXEC_HELPER_START_H
#define W_EXEC_HELPER_START_H

#include "exec/launch.h"

/* What a start came to: 0, or an errno, and the step if a child took it. */
struct w_attempt {
	int error;
	bool is_step;
	enum w_step step;
};

struct w_helper_start {
	char role;
	uint64_t flags;         /* further CLONE_ flags */
	int group_fd;           /* where the command goes; -1: nowhere */
	const char *group_name; /* of a group the helper fills and removes
	                           itself; "" when there is none */
};

/* The plan of a child that is the command itself. */
void w_launch_plan(const struct w_launch *launch, struct w_child_plan *plan);

/*
 * Starts the command through the helper. *out_attempt tells how that went, as
 * the caller may know another way; the status is for failures that no other
 * way avoids.
 */
writ_status w_helper_start(struct w_launcher *launcher,
    const struct w_launch *launch, const struct w_helper_start *start,
    struct w_tree *tree, struct w_attempt *out_attempt, writ_error *err);

#endif /* W_EXEC_HELPER_START_H */
