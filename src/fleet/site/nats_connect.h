/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_FLEET_NATS_CONNECT_H
#define W_FLEET_NATS_CONNECT_H

#include <stdbool.h>

#include <nats/nats.h>

#include "base/error.h"
#include "fleet/order/fleet_key.h"
#include "fleet/order/fleet_name.h"

/* A connection to a NATS server, known by a key. */
struct w_nats_login {
	const char *server; /* one URL, or several with commas */
	const char *ca;     /* PEM text; NULL: the machine's */
	const char *name;   /* what the server's log calls it */
	const char *inbox;  /* prefix of its inboxes */
	const char *nkey;   /* "U..." */
	const char *seed;   /* "SU..."; must outlive the connection */
	bool waits;         /* does not fail if there is no server yet, and
			       comes back for ever */
	natsConnectionHandler on_closed; /* for good; may be NULL */
	void *ctx;
};

writ_status w_nats_connect(const struct w_nats_login *login,
    natsConnection **out_connection, writ_error *err);

/* Fills *err from a status of the library; doing: "publish the result". */
writ_status w_nats_fail(writ_error *err, natsStatus status, const char *doing);

/* Names of subjects and streams. They have room for W_NATS_NAME_MAX. */
#define W_NATS_NAME_MAX 256
void w_nats_subject(char out[W_NATS_NAME_MAX], const char *collective,
    const char *kind, const char *first, const char *second);
/* "WORK_main" */
void w_nats_stream(
    char out[W_NATS_NAME_MAX], const char *kind, const char *collective);

#endif /* W_FLEET_NATS_CONNECT_H */
