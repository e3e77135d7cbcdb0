/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_EXEC_REALM_SPAWNER_H
#define W_EXEC_REALM_SPAWNER_H

#include "exec/explain.h"
#include "exec/launch.h"
#include "exec/ward.h"

/* A helper that enters a realm. */
struct w_realm_role {
	char role;           /* W_ROLE_CELL or W_ROLE_SPAWNER */
	bool has_terminal;   /* cell: it makes one */
	uint64_t namespaces; /* CLONE_NEW... flags it is born with */
	int socket;          /* W_HELPER_SOCKET_FD */
	int order;           /* W_HELPER_REPORT_FD; -1: none */
};

/* Starts it; *out_attempt says how that went. */
void w_realm_spawn(struct w_launcher *launcher, const struct w_realm *realm,
    const struct w_realm_role *as, struct w_child *out_child,
    struct w_attempt *out_attempt);

/* No cell. */
#define W_NOT_READY \
	((struct w_ready){.child = {.pidfd = -1}, .socket = -1, .order = -1})

/* Takes a cell of the ward that waits for its order; its spawner is started
 * if need be. false: there is none to be had that way. */
bool w_spawner_take(struct w_launcher *launcher, struct w_ward *ward,
    struct w_ready *out_ready);

/* Has the next one made, for whoever comes. */
void w_spawner_ask(struct w_ward *ward);

/* Lets go of the cell that stands ready. */
void w_spawner_drop_ready(struct w_ward *ward);

/* Ends it, and the cell that nobody took. */
void w_spawner_dismiss(struct w_ward *ward);

#endif /* W_EXEC_REALM_SPAWNER_H */
