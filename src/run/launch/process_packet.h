/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_PROCESS_PACKET_H
#define W_RUN_PROCESS_PACKET_H

#include "base/buf.h"
#include "run/launch/launch.h"

/* A process spec ready to be sent. */
struct w_process_packet {
	struct w_buf bytes;
	size_t send_len; /* to send; only the header if file_fd has all */
	int file_fd;     /* -1: none */
};

writ_status w_process_spec_pack(const struct w_launch *launch,
    const struct w_limit_group *limits, struct w_process_packet *out_packet,
    writ_error *err);
void w_process_packet_done(struct w_process_packet *packet);

/* Puts bytes into a close-on-exec memfd at W_FD_SAFE or above. The descriptor,
 * or a negative errno. */
int w_memfd_create(const char *name, const void *bytes, size_t len);

/* The same, sealed: nobody can change it any more. */
int w_memfd_sealed(const char *name, const void *bytes, size_t len);

#endif /* W_RUN_PROCESS_PACKET_H */
