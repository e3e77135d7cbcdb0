/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_EXEC_ORDER_H
#define W_EXEC_ORDER_H

#include "base/buf.h"
#include "exec/launch.h"

/* An order ready to be sent. */
struct w_order_parcel {
	struct w_buf bytes;
	size_t send_len; /* how many of them; the head when file_fd has all */
	int file_fd;     /* -1: none */
};

writ_status w_order_pack(const struct w_launch *launch,
    const struct w_limit_group *limits, struct w_order_parcel *out_parcel,
    writ_error *err);
void w_order_parcel_done(struct w_order_parcel *parcel);

/* Puts bytes into a close-on-exec memory file at W_FD_SAFE or above. The
 * descriptor, or a negative errno. */
int w_order_file(const char *name, const void *bytes, size_t len);

#endif /* W_EXEC_ORDER_H */
