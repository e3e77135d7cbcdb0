/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_TARGET_H
#define W_RUN_TARGET_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Looks into a process that waits in a system call. By the time this returns,
 * it may be gone and its pid reused: check before using the result.
 */

/* Copies memory; false: not all of it is readable. */
bool w_target_bytes(pid_t pid, uint64_t at, void *out_bytes, size_t len);

/* Copies as much as is readable, of at most PATH_MAX bytes; returns how much.
 */
size_t w_target_part(pid_t pid, uint64_t at, void *out_bytes, size_t len);

/* Copies a string; false: not readable, or too long. */
bool w_target_text(pid_t pid, uint64_t at, char out_text[PATH_MAX]);

/* Makes a path absolute: relative to a descriptor of the process, or to its
 * working directory (AT_FDCWD). An empty path is the descriptor's own. false:
 * the descriptor has no path, or the result is too long. */
bool w_target_resolve(
    pid_t pid, int dir_fd, const char *path, char out_path[PATH_MAX]);

/* A descriptor of its root directory; -1: none. */
int w_target_root(pid_t pid);

#endif /* W_RUN_TARGET_H */
