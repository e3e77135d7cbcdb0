/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_ATTACH_PEER_H
#define W_CLI_ATTACH_PEER_H

#include <stdbool.h>

/*
 * Whether the process at the other end of a local socket may type into a run:
 * it belongs to this user, is not behind walls that this process is not behind
 * (namespaces, no_new_privs, a system call filter), and does not descend from a
 * run of writ.
 */
bool w_attach_peer_is_trusted(int fd);

#endif /* W_CLI_ATTACH_PEER_H */
