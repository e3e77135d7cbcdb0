/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_EXECVE_FILE_H
#define W_RUN_EXECVE_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* The file that a process asks to execute, and the directory it is in. What is
 * found here may be another file when the kernel looks. */
struct w_execve_file {
	char path[PATH_MAX]; /* absolute, as named; of a descriptor: its own */
	int fd;              /* O_PATH; -1: not found */
	char cwd[PATH_MAX];  /* "": unknown */
	int cwd_fd;          /* -1: unknown */
	/* Kept from call to call: all processes of a run have the same root,
	 * and most the same directory. */
	int root_fd; /* -1: not opened yet */
};

/* Empty; each descriptor is -1. */
void w_execve_file_init(struct w_execve_file *file);

/*
 * Looks up what execve() or execveat() names. at: address of the path; dir and
 * flags: as for execveat(). false: there is no such path, so the call fails.
 */
bool w_execve_file_find(
    struct w_execve_file *file, pid_t pid, int dir, uint64_t at, int flags);
void w_execve_file_done(struct w_execve_file *file);

#endif /* W_RUN_EXECVE_FILE_H */
