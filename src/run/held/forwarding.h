/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_FORWARDING_H
#define W_RUN_FORWARDING_H

#include "run/held/forward_spec.h"
#include "run/helper/forward_protocol.h"
#include "run/launch/launch.h"

/* What a session publishes, and what is let into it. */
struct w_forwarding {
	struct w_publish_spec publish[W_FORWARD_RULES];
	size_t publish_count;
	struct w_connect_spec connect[W_FORWARD_RULES];
	size_t connect_count;
};

/* Reads both lists, NULL-ended; NULL: none. Fails with WRIT_E_INVALID, also for
 * more than 8 in one, and WRIT_E_DENIED. */
writ_status w_forwarding_parse(const char *const *publish,
    const char *const *connect, struct w_forwarding *out, writ_error *err);

/*
 * Starts the forwarders of a session (helper/forwarder.c), whose lines the
 * walls keep. Fails with WRIT_E_INVALID (a port is taken, the session has no
 * network, no such service), _DENIED (a service that is never let in) or
 * _SYSTEM; then nothing is left. state_dir: whose sockets are writ's own; NULL:
 * none.
 */
writ_status w_forwarding_start(struct w_launcher *launcher,
    const struct w_forwarding *forwarding, const char *state_dir,
    struct w_session_walls *walls, writ_error *err);

#endif /* W_RUN_FORWARDING_H */
