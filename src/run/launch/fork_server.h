/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_FORK_SERVER_H
#define W_RUN_FORK_SERVER_H

#include "run/launch/explain.h"
#include "run/launch/launch.h"
#include "run/launch/run_sandbox.h"
#include "run/launch/session_walls.h"

/* A helper with a socket to the engine. */
struct w_helper_role {
	char role;           /* W_ROLE_ */
	const char *letters; /* that follow it; NULL: none */
	const char *text;    /* its argument; NULL: none */
	uint64_t namespaces; /* CLONE_NEW... flags it is cloned with */
	int socket;          /* W_HELPER_SOCKET_FD */
	int spec_socket;     /* W_HELPER_REPORT_FD; -1: none */
	const struct w_session_walls *walls; /* to join; NULL: none */
	bool joins_network;                  /* and their network, too */
	const void *file; /* for one without a plan; NULL: none */
	size_t file_size;
	int program; /* to execute; 0: the helper */
};

/* Starts it; the result is in *out_attempt. sandbox_plan: NULL: it needs
 * none. */
void w_helper_spawn(struct w_launcher *launcher,
    const struct w_sandbox_plan *sandbox_plan, const struct w_helper_role *as,
    struct w_child *out_child, struct w_attempt *out_attempt);

/*
 * Starts a helper that leaves a child of its own and ends, so that the child is
 * nobody's: it goes with its connection, *out_line. Sets as->socket. 0, or an
 * errno.
 */
int w_helper_spawn_apart(
    struct w_launcher *launcher, struct w_helper_role *as, int *out_line);

/* No sandbox init. */
#define W_READY_INIT_NONE       \
	((struct w_ready_init){ \
	    .child = {.pidfd = -1}, .socket = -1, .spec_socket = -1})

/* Takes a sandbox init that waits for its spec; starts the fork server if
 * needed. false: not available; *out_attempt says why, if that is known, else
 * its error is ENOTCONN. */
bool w_fork_server_take(struct w_launcher *launcher,
    struct w_run_sandbox *sandbox, struct w_ready_init *out_ready,
    struct w_attempt *out_attempt);

/* The same for one that opens a terminal: only in a session. */
bool w_fork_server_take_with_terminal(struct w_launcher *launcher,
    struct w_run_sandbox *sandbox, struct w_ready_init *out_ready,
    struct w_attempt *out_attempt);

/* Requests the next one, for any later run. */
void w_fork_server_request(struct w_run_sandbox *sandbox);

/* Drops the sandbox init that is ready. */
void w_fork_server_drop_ready(struct w_run_sandbox *sandbox);

/* Ends the fork server and a sandbox init that was not taken. */
void w_fork_server_stop(struct w_run_sandbox *sandbox);

#endif /* W_RUN_FORK_SERVER_H */
