/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_FILES_FILE_PLACE_H
#define W_FILES_FILE_PLACE_H

#include <stdbool.h>
#include <sys/stat.h>

#include "base/buf.h"

/*
 * Opening what was judged: no symbolic link is followed, and none of /proc's
 * magic ones. Each returns 0 or an errno; ELOOP: there is a link now.
 */

/* Opens a regular file for reading, or says what is there instead: then *out_fd
 * is -1 and out_st has its kind. Opening does nothing to a device or a FIFO. */
int w_files_open(const char *place, int *out_fd, struct stat *out_st);

/* Opens a directory for reading. */
int w_files_open_dir(const char *place, int *out_fd);

/*
 * Opens the directory that a name is in, and points *out_name into place. With
 * makes, missing directories are made; *out_made is how many. ENOENT: it is
 * missing.
 */
int w_files_open_parent(const char *place, bool makes, int *out_fd,
    const char **out_name, unsigned *out_made);

/* Removes directories that w_files_open_parent() made for a place, as far as
 * they are empty. */
void w_files_unmake_parents(const char *place, unsigned made);

/* Reads an open file from its start, whatever its offset, and hands each part
 * to take(), until that does not return 0. 0, its result, or an errno. */
typedef int w_files_take_fn(void *ctx, const char *bytes, size_t len);
int w_files_pass(int fd, w_files_take_fn *take, void *ctx);

/* Appends an open file. EFBIG: more than bytes_max. */
int w_files_load(int fd, size_t bytes_max, struct w_buf *buf);

/* "a directory", "a FIFO", ... */
const char *w_files_kind_word(mode_t mode);

#endif /* W_FILES_FILE_PLACE_H */
