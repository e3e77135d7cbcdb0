/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_OS_PROC_H
#define W_OS_PROC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

/*
 * Reads processes from /proc. Everything here is a snapshot of a moving target:
 * good for counting, sampling and best-effort signals; never to decide that a
 * tree is gone.
 */

/* Fails, with a suggestion, unless /proc is the kernel's. Without it paths of
 * descriptors and processes cannot be found. */
writ_status w_proc_check(writ_error *err);

/* A growing list of process ids. */
struct w_pids {
	pid_t *items;
	size_t count;
	size_t cap;
};

void w_pids_done(struct w_pids *pids);
bool w_pids_add(struct w_pids *pids, pid_t pid);

/* Appends the pids of a text like cgroup.procs or children. */
bool w_pids_parse(struct w_pids *pids, const char *text);

/* Appends all descendants of a process, not the process itself. */
bool w_pids_descend(struct w_pids *pids, pid_t root);

struct w_usage {
	uint64_t cpu_ms;       /* including children it has waited for */
	uint64_t memory_bytes; /* anonymous pages in memory */
	bool is_zombie;
};

/* false: the process is gone. */
bool w_proc_usage(pid_t pid, struct w_usage *out_usage);

/* When a process was started, in clock ticks since boot: with its pid, that
 * identifies it within this boot. 0, or an errno: ESRCH: a zombie; ENOENT:
 * gone, or hidden; else it could not be read. */
int w_proc_start(pid_t pid, uint64_t *out_ticks);

#endif /* W_OS_PROC_H */
