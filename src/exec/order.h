/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_EXEC_ORDER_H
#define W_EXEC_ORDER_H

#include "exec/launch.h"

/* Writes the order for a launch into a memory file. *out_fd is yours. */
writ_status w_order_write(const struct w_launch *launch,
    const struct w_limit_group *limits, int *out_fd, writ_error *err);

/* Puts bytes into a close-on-exec memory file at W_FD_SAFE or above. The
 * descriptor, or a negative errno. */
int w_order_file(const char *name, const void *bytes, size_t len);

#endif /* W_EXEC_ORDER_H */
