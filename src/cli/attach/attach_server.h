/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_ATTACH_SERVER_H
#define W_CLI_ATTACH_SERVER_H

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>

#include <writ/config.h>
#include <writ/run.h>

#include "cli/attach/attach_socket.h"

/*
 * Lets other terminals see the terminal of a run, and type into it. The newest
 * one that is attached sets its size. A terminal that does not read misses
 * output; it never holds up the run.
 */
#define W_ATTACH_CLIENTS_MAX 8
#define W_ATTACH_POLLS       (1 + W_ATTACH_CLIENTS_MAX)

struct w_attach_server;

/* The run has started. config: NULL: from the environment. NULL: there can be
 * no socket, so nobody can attach; the run does not care. */
struct w_attach_server *w_attach_server_new(
    const writ_config *config, const char *run_id);

/* The id of its run. */
const char *w_attach_server_run(const struct w_attach_server *server);

/* The size that the terminal should have. false: none is attached. */
bool w_attach_server_size(const struct w_attach_server *server,
    unsigned *out_rows, unsigned *out_columns);

/* For poll(): the descriptors, and the timeout (-1: none). job: NULL if it has
 * ended. */
void w_attach_server_fill(const struct w_attach_server *server,
    const writ_job *job, struct pollfd polls[W_ATTACH_POLLS]);
int w_attach_server_wait_ms(const struct w_attach_server *server);

/* Call it after poll(). */
void w_attach_server_step(struct w_attach_server *server, writ_job *job,
    const struct pollfd polls[W_ATTACH_POLLS]);

/* Sends the rest of the output and the exit status, for wait_ms at most, and
 * removes the socket. result: NULL: there is none. */
#define W_ATTACH_END_MS 1000
void w_attach_server_free(struct w_attach_server *server,
    const writ_result *result, unsigned wait_ms);

#endif /* W_CLI_ATTACH_SERVER_H */
