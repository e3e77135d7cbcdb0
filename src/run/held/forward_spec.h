/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_FORWARD_SPEC_H
#define W_RUN_FORWARD_SPEC_H

#include <stdint.h>

#include "base/error.h"
#include "sandbox/child/shared_walls.h"

/*
 * What people write for a port of the session that the machine sees, or for a
 * port or local socket of the machine that the session sees.
 */

/* --publish [HOST_PORT:]PORT */
struct w_publish_spec {
	uint16_t host_port;
	uint16_t port;
};

/* --connect 127.0.0.1:PORT, localhost:PORT, or the path of a local socket */
struct w_connect_spec {
	uint16_t port;                    /* 0: a path */
	char path[W_SHARED_CONNECT_PATH]; /* absolute, below /run */
};

/* Fails with WRIT_E_INVALID. */
writ_status w_publish_spec_parse(
    const char *text, struct w_publish_spec *out, writ_error *err);

/* Fails with WRIT_E_INVALID; with WRIT_E_DENIED for what is never let in. */
writ_status w_connect_spec_parse(
    const char *text, struct w_connect_spec *out, writ_error *err);

#endif /* W_RUN_FORWARD_SPEC_H */
