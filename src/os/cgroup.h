/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_OS_CGROUP_H
#define W_OS_CGROUP_H

#include <stdbool.h>
#include <stddef.h>

#include "os/proc.h"

/*
 * Control groups, of version 2 unless stated otherwise. A directory is always
 * given by the descriptor of its parent and its name.
 */

/* Opens the group of this process. -1 with errno: no version 2 hierarchy is
 * visible. */
int w_cgroup_open_own(void);

/* Creates and opens a group with cgroup.kill. -1 with errno. */
int w_cgroup_make(int parent_fd, const char *name);

/* Creates and opens a group of either version. -1 with errno. */
int w_cgroup_make_any(int parent_fd, const char *name);

/*
 * Removes the groups with this prefix whose owners are gone: an owner holds a
 * lock on its group while it lives. Groups that still have processes stay.
 */
void w_cgroup_sweep(int parent_fd, const char *prefix);

/* Locks a group against w_cgroup_sweep() of others while the descriptor is
 * open. -1 with errno: another process was faster. */
int w_cgroup_claim(int dir_fd);

/* Removes a group and the groups that its processes created below it. 0, or the
 * errno. */
int w_cgroup_remove(int parent_fd, const char *name);

/* 1: a process is alive in the group or below it; 0: none; a negative errno:
 * unknown now; -ENOENT or -ENODEV: the group is gone. */
int w_cgroup_populated(int dir_fd);

/* Opens cgroup.events, which signals EPOLLPRI when that changes. -1 with
 * errno. */
int w_cgroup_open_events(int dir_fd);

/* The same as w_cgroup_populated(), by that file. After reading it, a poll
 * reports only the next change. */
int w_cgroup_read_events(int events_fd);

/* Appends the processes of the group, not those of its children. */
bool w_cgroup_pids(int dir_fd, struct w_pids *pids);

/*
 * Sends a signal, then SIGCONT, to the members of the group whose path ends
 * with these whole components. It may miss a process that was just forked, but
 * never signals one outside.
 */
void w_cgroup_signal(int dir_fd, const char *path, int sig);

/* Kills every process in the group and below. 0, or an errno. The group cannot
 * be reused: the kernel kills whatever is forked into it later. */
int w_cgroup_kill(int dir_fd);

#endif /* W_OS_CGROUP_H */
