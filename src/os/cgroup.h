/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_OS_CGROUP_H
#define W_OS_CGROUP_H

#include <stdbool.h>
#include <stddef.h>

#include "os/proc.h"

/*
 * Control groups, version 2. A directory here is always named by the
 * descriptor of its parent and its name.
 */

/* Opens the group of this process. -1 with errno: there is no version 2
 * hierarchy to be seen. */
int w_cgroup_open_own(void);

/* Makes and opens a group. -1 with errno. */
int w_cgroup_make(int parent_fd, const char *name);

/* Removes a group and the groups that its processes made below it. 0, or the
 * errno that kept it. */
int w_cgroup_remove(int parent_fd, const char *name);

/* 1: a process is alive in the group or below it; 0: none is; a negative
 * errno: it cannot be known now. */
int w_cgroup_populated(int dir_fd);

/* Opens the file that polls EPOLLPRI when that changes. -1 with errno. */
int w_cgroup_open_events(int dir_fd);

/* Appends the processes of the group, not of those below. */
bool w_cgroup_pids(int dir_fd, struct w_pids *pids);

/* Whether the process is in the group whose path ends or goes on with these
 * whole components, or below it. */
bool w_cgroup_has(const char *name, pid_t pid);

/* Kills every process in the group and below. 0, or an errno. The group
 * cannot be used again: what is born into it later dies at once. */
int w_cgroup_kill(int dir_fd);

#endif /* W_OS_CGROUP_H */
