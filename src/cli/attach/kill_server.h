/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_KILL_SERVER_H
#define W_CLI_KILL_SERVER_H

#include <poll.h>
#include <stdbool.h>

#include <writ/config.h>

#include "mcp/server.h"

/*
 * Lets people end the runs of an MCP server, which are its own: a socket beside
 * those of terminals, STATE_DIR/attach/server-PID.
 *
 * A packet is 'T' (SIGTERM, then SIGKILL after the grace time) or 'K' (SIGKILL)
 * and the id of a run. The answer is one byte: '+' it was told to end, '-'
 * there is no such run.
 */
enum {
	W_KILL_LINES = 4, /* that are served at once */
	W_KILL_POLLS = 1 + W_KILL_LINES
};

struct w_kill_server {
	int fd;     /* -1: not open */
	int dir_fd; /* likewise */
	char name[24];
	int lines[W_KILL_LINES]; /* -1: free */
};

void w_kill_server_init(struct w_kill_server *server);
/* Harmless when it fails: nobody can end runs then. */
void w_kill_server_open(
    struct w_kill_server *server, const writ_config *config);
void w_kill_server_close(struct w_kill_server *server);

void w_kill_server_fill(
    const struct w_kill_server *server, struct pollfd polls[W_KILL_POLLS]);
void w_kill_server_step(struct w_kill_server *server,
    const struct pollfd polls[W_KILL_POLLS], struct w_mcp *mcp);

/* Asks the server with this pid to end a run. WRIT_E_NOTFOUND: it does not
 * listen, or has no such run. */
writ_status w_kill_by_server(const char *state_dir, int pid, const char *run_id,
    bool is_now, writ_error *err);

#endif /* W_CLI_KILL_SERVER_H */
