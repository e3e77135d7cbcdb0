/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_TARGET_H
#define W_RUN_TARGET_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Looking into a process that waits in a system call. It may be gone, or its
 * number another's, by the time this returns: ask before it is believed.
 */

/* Copies memory; false: not all of it is there. */
bool w_target_bytes(pid_t pid, uint64_t at, void *out_bytes, size_t len);

/* Copies a text; false: it is not readable, or too long. */
bool w_target_text(pid_t pid, uint64_t at, char out_text[PATH_MAX]);

/* Makes a path absolute: against a descriptor of the process, or against its
 * working directory (AT_FDCWD). An empty one is the descriptor's own. false:
 * that has no path, or all is too long. */
bool w_target_resolve(
    pid_t pid, int dir_fd, const char *path, char out_path[PATH_MAX]);

/* A descriptor of its root; -1: none. */
int w_target_root(pid_t pid);

#endif /* W_RUN_TARGET_H */
