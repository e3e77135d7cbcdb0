/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_COMMAND_TRUSTED_FILE_H
#define W_COMMAND_TRUSTED_FILE_H

#include "base/buf.h"
#include "base/error.h"
#include "command/description/stat_data.h"

/*
 * Files that decide what a call runs or how a command is understood. Only root
 * or this user may be able to write the file and its directory, in which others
 * could replace it. A file is opened once, so what was checked is what is read.
 */

/* Reads a file in a directory, without following a final symbolic link. It must
 * be a regular file that only root or this user can write, in such a directory,
 * and fit into the buffer. */
writ_status w_trusted_file_read(
    int dir_fd, const char *name, struct w_buf *text, writ_error *err);

/* Reads a file that has already passed those checks: its stat data
 * must be the same as then. The owner is not checked: not every process can
 * tell it. */
writ_status w_trusted_file_read_proven(const char *path,
    const struct w_stat_data *proven, struct w_buf *text, writ_error *err);

/* Fails unless name is a plain file name and only root or this user can write
 * the directory. */
writ_status w_trusted_file_check(int dir_fd, const char *name, writ_error *err);

#endif /* W_COMMAND_TRUSTED_FILE_H */
