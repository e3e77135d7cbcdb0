/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_OS_BENEATH_H
#define W_OS_BENEATH_H

#include "base/error.h"

/*
 * Opens the directory at path (NULL: the current one), which must be one of
 * the roots or lie beneath one; roots is NULL-ended, NULL allows any.
 *
 * The descriptor is the answer: what happens to the path afterwards does not
 * matter. Symbolic links are followed while the path is made canonical and
 * refused when the canonical path is opened, so a swap in between fails and
 * cannot lead out. *out_path is the canonical path, yours.
 */
writ_status w_beneath_open(const char *path, const char *const *roots,
    int *out_fd, char **out_path, writ_error *err);

#endif /* W_OS_BENEATH_H */
