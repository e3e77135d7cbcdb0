/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_HOST_NETWORK_H
#define W_RUN_HOST_NETWORK_H

#include <stdint.h>

#include "run/helper/protocol.h"

/* What a session with hosts hands out: the socket of the DNS, then those that
 * accept. */
struct host_sockets {
	int fds[W_HOST_SOCKETS];
	uint32_t count;
	uint32_t is_redirected;
};

/* Turns the network that this process is in into one for hosts, with the
 * loopback interface up, and mounts its files. 0, or a negative errno. */
long host_network_set_up(
    const struct w_host_ports *ports, struct host_sockets *out_sockets);

#endif /* W_RUN_HOST_NETWORK_H */
