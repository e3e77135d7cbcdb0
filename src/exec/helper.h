/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_EXEC_HELPER_H
#define W_EXEC_HELPER_H

#include "base/error.h"

/* Puts the helper program into a sealed memory file, so that nobody can
 * change what runs, and returns its descriptor. */
writ_status w_helper_open(int *out_fd, writ_error *err);

#endif /* W_EXEC_HELPER_H */
