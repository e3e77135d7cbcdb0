/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_OS_CGROUP_H
#define W_OS_CGROUP_H

#include <stdbool.h>
#include <stddef.h>

#include "os/proc.h"

/*
 * Control groups, of version 2 unless it says otherwise. A directory here is
 * always named by the descriptor of its parent and its name.
 */

/* Opens the group of this process. -1 with errno: there is no version 2
 * hierarchy to be seen. */
int w_cgroup_open_own(void);

/* Makes and opens a group that can be killed. -1 with errno. */
int w_cgroup_make(int parent_fd, const char *name);

/* Makes and opens a group of either version. -1 with errno. */
int w_cgroup_make_any(int parent_fd, const char *name);

/*
 * Removes the groups whose names start so and whose owners are gone: an owner
 * holds a lock on its group while it lives. What still has a process in it
 * stays.
 */
void w_cgroup_sweep(int parent_fd, const char *prefix);

/* Claims a group against the sweeping of others for as long as the descriptor
 * is open. -1 with errno: somebody was faster. */
int w_cgroup_claim(int dir_fd);

/* Removes a group and the groups that its processes made below it. 0, or the
 * errno that kept it. */
int w_cgroup_remove(int parent_fd, const char *name);

/* 1: a process is alive in the group or below it; 0: none is; a negative
 * errno: it cannot be known now; -ENOENT or -ENODEV: the group is gone. */
int w_cgroup_populated(int dir_fd);

/* Opens the file that polls EPOLLPRI when that changes. -1 with errno. */
int w_cgroup_open_events(int dir_fd);

/* What w_cgroup_populated() says, by that file. Whoever polls it and reads it
 * too is told of the next change only. */
int w_cgroup_read_events(int events_fd);

/* Appends the processes of the group, not of those below. */
bool w_cgroup_pids(int dir_fd, struct w_pids *pids);

/*
 * Sends a signal, then SIGCONT, to the members of the group whose path ends
 * with these whole components: politeness, which may miss one that was just
 * born, but never reaches a process outside.
 */
void w_cgroup_signal(int dir_fd, const char *path, int sig);

/* Kills every process in the group and below. 0, or an errno. The group
 * cannot be used again: what is born into it later dies at once. */
int w_cgroup_kill(int dir_fd);

#endif /* W_OS_CGROUP_H */
