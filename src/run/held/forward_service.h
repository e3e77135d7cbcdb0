/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_FORWARD_SERVICE_H
#define W_RUN_FORWARD_SERVICE_H

#include "base/error.h"

/*
 * A local socket of the machine that is to be let into a session. Some services
 * do whatever their clients ask, outside of every sandbox; they are never let
 * in: container engines, D-Bus, systemd, ssh and gpg agents, terminal
 * multiplexers, display servers, editors, and writ itself.
 *
 * What the socket is decides: its path with all links followed, who owns it,
 * and which program listens there, however it is called. Fails with
 * WRIT_E_NOTFOUND, _INVALID (no socket, or another user's) or _DENIED.
 * *out_fd, O_PATH, is yours: what is moved to that path later is another one.
 */
writ_status w_forward_service_open(
    const char *path, const char *state_dir, int *out_fd, writ_error *err);

/* For the tests: whether a path, or a program's name, is one of those. */
const char *w_forward_service_denies_path(const char *path);
const char *w_forward_service_denies_program(const char *name);

#endif /* W_RUN_FORWARD_SERVICE_H */
