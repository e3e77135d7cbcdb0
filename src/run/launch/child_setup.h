/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_CHILD_SETUP_H
#define W_RUN_CHILD_SETUP_H

#include <asm/ioctls.h>

#include "os/syscall.h"
#include "run/launch/child.h"

/*
 * What a process sets up for itself before it executes the command, by raw
 * system calls: for the child half and for the sandbox init. Each returns 0 or
 * more, or a negative errno.
 */

/* The caller leads a session that has no terminal yet. */
static inline long
w_child_lead_terminal(int terminal)
{
	return w_sys3(__NR_ioctl, terminal, TIOCSCTTY, 0);
}

/* Makes itself the foreground process group. SIGTTOU must be blocked: until the
 * second step it is in the background. */
static inline long
w_child_join_terminal(int terminal)
{
	long ret = w_sys2(__NR_setpgid, 0, 0);
	const int group = (int)w_sys0(__NR_getpid);

	return ret < 0 ? ret : w_sys3(__NR_ioctl, terminal, TIOCSPGRP, &group);
}

/* JOIN stays in the parent's session, which has the terminal. */
static inline long
w_child_start_session(enum w_terminal_part part)
{
	return part == W_TERMINAL_JOIN ? 0 : w_sys0(__NR_setsid);
}

/* The terminal is standard input by now. */
static inline long
w_child_attach_terminal(enum w_terminal_part part)
{
	switch (part) {
	case W_TERMINAL_LEAD:
		return w_child_lead_terminal(0);
	case W_TERMINAL_JOIN:
		return w_child_join_terminal(0);
	case W_TERMINAL_NONE:
		break;
	}
	return 0;
}

/* Must come before anything that the groups count. */
static inline long
w_child_join_groups(const int *procs, size_t count)
{
	long ret = 0;

	for (size_t i = 0; i < count && ret >= 0; i++)
		ret = w_sys3(__NR_write, procs[i], "0", 1);
	return ret;
}

static inline long
w_child_set_limits(const struct w_child_limit *limits, size_t count)
{
	long ret = 0;

	for (size_t i = 0; i < count && ret >= 0; i++) {
		const uint64_t value[2] = {limits[i].soft, limits[i].hard};

		ret =
		    w_sys4(__NR_prlimit64, 0, limits[i].resource, value, NULL);
	}
	return ret;
}

/* The raw getpriority() returns 20 - nice: 40 for -20, 1 for 19. */
static inline long
w_child_set_nice(int by)
{
	if (by == 0)
		return 0;

	long now = w_sys2(__NR_getpriority, 0, 0);
	if (now < 0)
		return now;
	return w_sys3(__NR_setpriority, 0, 0, 20 - now + by);
}

#endif /* W_RUN_CHILD_SETUP_H */
