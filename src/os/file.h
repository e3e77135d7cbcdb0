/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_OS_FILE_H
#define W_OS_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

/*
 * Descriptors and small files.
 *
 * Descriptors that go to a child are kept at W_FD_SAFE and above, so that the
 * child can place them at 0, 1, 2, ... in any order without one overwriting
 * another, even when the host runs with its standard streams closed.
 */
#define W_FD_SAFE 9

/* Moves *fd to W_FD_SAFE or above if it is not there. 0, or an errno. */
int w_fd_raise(int *fd);

/*
 * Moves a long-lived descriptor out of the low numbers, to leave them for the
 * next start: a child copies the table only up to the highest number it needs.
 * Harmless when it fails.
 */
void w_fd_lift(int *fd);

/* A close-on-exec pipe with both ends at W_FD_SAFE or above. flags as for
 * pipe2(). 0, or an errno; then both ends are -1. */
int w_fd_pipe(int *read_end, int *write_end, int flags);

/* The same for a pair of SOCK_SEQPACKET sockets. */
int w_fd_pair(int *ours, int *theirs);

/* Opens path relative to dir_fd, reads at most size - 1 bytes and adds a NUL.
 * The number of bytes, or a negative errno. */
ssize_t w_file_read_at(int dir_fd, const char *path, char *buf, size_t size);

struct w_buf;

/* Appends all that can be read from a blocking descriptor. 0, or an errno:
 * EFBIG: more than the buffer's maximum. */
int w_file_read_all(int fd, struct w_buf *buf);

/* Opens path relative to dir_fd and writes text to it. 0, or an errno. */
int w_file_write_at(int dir_fd, const char *path, const char *text);

/* Writes all bytes to a blocking descriptor. 0, or an errno. */
int w_file_write_all(int fd, const void *bytes, size_t len);

/* RLIMIT_FSIZE: beyond it the kernel sends a signal that would end a host that
 * did not ask for the file. */
uint64_t w_file_size_limit(void);

/* Creates a directory and its missing parents with this mode. */
writ_status w_file_make_dirs(const char *path, mode_t mode, writ_error *err);

/*
 * Deletes a directory with everything in it. Never follows a symbolic link and
 * never enters a mount. Best effort: what cannot be deleted stays. true: the
 * directory is gone.
 */
bool w_file_remove_tree(const char *path);

/* The same for a name in an open directory; fails if that itself is a mount
 * point. 0, or the errno of deleting the directory itself. */
int w_file_remove_tree_at(int parent, const char *name);

#endif /* W_OS_FILE_H */
