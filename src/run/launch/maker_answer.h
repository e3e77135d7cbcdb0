/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_MAKER_ANSWER_H
#define W_RUN_MAKER_ANSWER_H

#include "run/launch/session_walls.h"

/* Fills in what the maker of these walls is told. ports: NULL: its network is
 * none for hosts. */
void w_maker_order(const struct w_session_walls *walls,
    const struct w_host_ports *ports, struct w_session_order *order);

/* Receives an event of this kind with descriptors. The maker exits after its
 * answers, so this needs no time limit of its own beyond that of a hung
 * machine. *count is that of the descriptors: at most, then how many came. 0,
 * or an errno. */
int w_maker_receive(int socket, int32_t kind, struct w_helper_event *event,
    int *fds, size_t *count);

/* Receives the sockets of a network for hosts. 0, or an errno. */
int w_maker_take_sockets(int line, struct w_session_relay *relay);

#endif /* W_RUN_MAKER_ANSWER_H */
