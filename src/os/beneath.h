/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_OS_BENEATH_H
#define W_OS_BENEATH_H

#include "base/error.h"

/*
 * Opens the directory at path (NULL: the current one), which must be one of the
 * roots or lie below one; roots is NULL-ended, NULL allows any.
 *
 * The descriptor is what counts: later changes of the path do not matter.
 * Symbolic links are followed when the path is canonicalised, and not when the
 * canonical path is opened, so a swap in between fails and cannot lead out.
 * *out_path is the canonical path, yours.
 */
writ_status w_beneath_open(const char *path, const char *const *roots,
    int *out_fd, char **out_path, writ_error *err);

/* Opens path below a directory: no link on the way is followed, and no other
 * mount is entered. A descriptor, or a negative errno. */
int w_open_beneath(int dir_fd, const char *path, int flags);

#endif /* W_OS_BENEATH_H */
