/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_RELAY_START_H
#define W_RUN_RELAY_START_H

#include "run/launch/launch.h"
#include "run/launch/session_walls.h"

/*
 * Starts the relay of a session with hosts (relay/relay_main.c), or starts it
 * again. It uses the DNS servers and the hosts file of the machine as they are
 * now, and the proxy of this process's environment. Fails with WRIT_E_INVALID
 * (the proxy is none that can be used) or _SYSTEM.
 */
writ_status w_relay_start(struct w_launcher *launcher,
    struct w_session_relay *hosts, writ_error *err);

/* Gives the relay a line of its own for this engine. 0, or an errno. */
int w_relay_attach(int control, int *out_line);

#endif /* W_RUN_RELAY_START_H */
