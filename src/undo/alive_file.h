/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_UNDO_ALIVE_FILE_H
#define W_UNDO_ALIVE_FILE_H

#include <stdbool.h>

/*
 * A file that says that something lives: whoever it is has a lock on it, which
 * the kernel takes away with the process.
 */

/* Makes it and locks it; *out_fd keeps the lock. 0, or an errno. */
int w_alive_file_make(int dir_fd, const char *name, int *out_fd);

/* Nobody has the lock, or there is no such file. */
bool w_alive_file_is_free(int dir_fd, const char *name);

/* Removes it if nobody has the lock. */
void w_alive_file_clean(int dir_fd, const char *name);

#endif /* W_UNDO_ALIVE_FILE_H */
