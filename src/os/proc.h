/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_OS_PROC_H
#define W_OS_PROC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

/*
 * Looking at processes through /proc. Everything here is a snapshot of a
 * moving thing: good for counting, sampling and polite signals; never the
 * means by which a tree is known to be gone.
 */

/* Whether /proc is the kernel's. Without it no path can be told from another,
 * and no process be found: writ_status for who needs it, with the remedy. */
writ_status w_proc_check(writ_error *err);

/* A growing list of process ids. */
struct w_pids {
	pid_t *items;
	size_t count;
	size_t cap;
};

void w_pids_done(struct w_pids *pids);
bool w_pids_add(struct w_pids *pids, pid_t pid);

/* Appends the numbers of a text like that of cgroup.procs or children. */
bool w_pids_parse(struct w_pids *pids, const char *text);

/* Appends all descendants of a process, not the process itself. */
bool w_pids_descend(struct w_pids *pids, pid_t root);

struct w_usage {
	uint64_t cpu_ms;       /* with the children it has waited for */
	uint64_t memory_bytes; /* anonymous pages in memory */
	bool is_zombie;
};

/* false: the process is gone. */
bool w_proc_usage(pid_t pid, struct w_usage *out_usage);

/* When a process was started, in clock ticks since the boot: with its number,
 * that tells it from any other of this boot. 0, or an errno: ESRCH: it is dead,
 * and only not waited for; ENOENT: it is gone, or hidden; else it could not be
 * looked at. */
int w_proc_start(pid_t pid, uint64_t *out_ticks);

#endif /* W_OS_PROC_H */
