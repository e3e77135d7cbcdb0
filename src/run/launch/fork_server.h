/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_FORK_SERVER_H
#define W_RUN_FORK_SERVER_H

#include "run/launch/explain.h"
#include "run/launch/launch.h"
#include "run/launch/run_sandbox.h"

/* A helper that enters a realm. */
struct w_helper_role {
	char role;           /* W_ROLE_SANDBOX_INIT or W_ROLE_FORK_SERVER */
	bool has_terminal;   /* cell: it makes one */
	uint64_t namespaces; /* CLONE_NEW... flags it is born with */
	int socket;          /* W_HELPER_SOCKET_FD */
	int spec_socket;     /* W_HELPER_REPORT_FD; -1: none */
};

/* Starts it; *out_attempt says how that went. */
void w_helper_spawn(struct w_launcher *launcher,
    const struct w_sandbox_plan *sandbox_plan, const struct w_helper_role *as,
    struct w_child *out_child, struct w_attempt *out_attempt);

/* No cell. */
#define W_READY_INIT_NONE       \
	((struct w_ready_init){ \
	    .child = {.pidfd = -1}, .socket = -1, .spec_socket = -1})

/* Takes a cell of the ward that waits for its order; its spawner is started
 * if need be. false: there is none to be had that way. */
bool w_fork_server_take(struct w_launcher *launcher,
    struct w_run_sandbox *sandbox, struct w_ready_init *out_ready);

/* Has the next one made, for whoever comes. */
void w_fork_server_request(struct w_run_sandbox *sandbox);

/* Lets go of the cell that stands ready. */
void w_fork_server_drop_ready(struct w_run_sandbox *sandbox);

/* Ends it, and the cell that nobody took. */
void w_fork_server_stop(struct w_run_sandbox *sandbox);

#endif /* W_RUN_FORK_SERVER_H */
