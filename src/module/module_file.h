/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MODULE_MODULE_FILE_H
#define W_MODULE_MODULE_FILE_H

#include "base/buf.h"
#include "base/error.h"

/*
 * Files in a directory of modules. They decide what an agent's call becomes,
 * so what is read must be in the hands of root or of this user: the file, and
 * the directory, in which others could put another file in its place. A file
 * is opened once; what was checked is what is read.
 */

/* A name without directories. */
writ_status w_module_file_check_name(const char *name, writ_error *err);

/* Whether others can put something else in the place of that file. */
writ_status w_module_file_check_dir(
    int dir_fd, const char *name, writ_error *err);

/* Opens what has the name, unless it is a symbolic link. */
writ_status w_module_file_open(
    int dir_fd, const char *name, int *out_fd, writ_error *err);

/* Reads all of an open file; the buffer has the limit. */
writ_status w_module_file_read_fd(
    int fd, const char *name, struct w_buf *text, writ_error *err);

/* All of that: reads a file that can be trusted. */
writ_status w_module_file_read(
    int dir_fd, const char *name, struct w_buf *text, writ_error *err);

#endif /* W_MODULE_MODULE_FILE_H */
