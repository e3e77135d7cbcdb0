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
 * Moves a descriptor that will stay open for long out of the low numbers, so
 * that what is opened for the next start finds room there: a child copies the
 * table only up to the highest number it needs. Harmless when it fails.
 */
void w_fd_lift(int *fd);

/* A close-on-exec pipe with both ends at W_FD_SAFE or above. flags as for
 * pipe2(). 0, or an errno; then both ends are -1. */
int w_fd_pipe(int *read_end, int *write_end, int flags);

/* A close-on-exec pair of sequenced-packet sockets, likewise. */
int w_fd_pair(int *ours, int *theirs);

/* Opens path below dir_fd, reads at most size - 1 bytes of it and ends them
 * with NUL. The number of bytes, or a negative errno. */
ssize_t w_file_read_at(int dir_fd, const char *path, char *buf, size_t size);

struct w_buf;

/* Appends all that can be read from a blocking descriptor. 0, or an errno:
 * EFBIG when that is more than the buffer may hold. */
int w_file_read_all(int fd, struct w_buf *buf);

/* Opens path below dir_fd and writes text to it at once. 0, or an errno. */
int w_file_write_at(int dir_fd, const char *path, const char *text);

/* Writes all bytes to a blocking descriptor. 0, or an errno. */
int w_file_write_all(int fd, const void *bytes, size_t len);

/* How large a file may grow: beyond RLIMIT_FSIZE the kernel answers with a
 * signal that would end a host which has not asked for the file. */
uint64_t w_file_size_limit(void);

/* Makes a directory and its missing parents with this mode. */
writ_status w_file_make_dirs(const char *path, mode_t mode, writ_error *err);

/*
 * Deletes a directory with everything in it, never following a symbolic link
 * and never entering what is mounted in it. Best effort: what cannot be
 * deleted stays. true when the directory is gone.
 */
bool w_file_remove_tree(const char *path);

/* Likewise by a name in an open directory, and not if something is mounted
 * there itself. 0, or the errno of deleting the directory itself. */
int w_file_remove_tree_at(int dir_fd, const char *name);

#endif /* W_OS_FILE_H */
