/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_COMMAND_TRUSTED_FILE_H
#define W_COMMAND_TRUSTED_FILE_H

#include "base/buf.h"
#include "base/error.h"
#include "command/description/stat_data.h"

/*
 * Files that decide what a call becomes or how a command is understood. They
 * must be in the hands of root or of this user: the file, and the directory, in
 * which others could put another file in its place. A file is opened once; what
 * was checked is what is read.
 */

/* A file below a directory: opened without following a link at its end, a
 * regular file that only root or this user can write, in a directory of which
 * the same holds, of at most as many bytes as the buffer takes. */
writ_status w_trusted_file_read(
    int dir_fd, const char *name, struct w_buf *text, writ_error *err);

/* A file of which somebody has proved all that: it must be the one, and as it
 * was then, by its identity. Who owns it is not asked: not every process can
 * tell. */
writ_status w_trusted_file_read_proven(const char *path,
    const struct w_stat_data *proven, struct w_buf *text, writ_error *err);

/* Refuses what is not a plain name of a file, and a directory that others can
 * change. */
writ_status w_trusted_file_check(int dir_fd, const char *name, writ_error *err);

#endif /* W_COMMAND_TRUSTED_FILE_H */
