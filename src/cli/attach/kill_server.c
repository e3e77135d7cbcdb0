/* SPDX-License-Identifier: Apache-2.0 */

/* Both sides of the socket at which people end the runs of an MCP server. */

#include "cli/attach/kill_server.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/error.h"
#include "cli/attach/attach_peer.h"
#include "cli/attach/attach_socket.h"

#define STAGE "kill"

enum {
	PACKET_MAX = 64,
	ANSWER_MS = 5000
};

static void
format_name(int pid, char out[24])
{
	(void)snprintf(out, 24, "server-%d", pid);
}

/* ---- the server ---- */

void
w_kill_server_init(struct w_kill_server *server)
{
	*server = (struct w_kill_server){.fd = -1, .dir_fd = -1};
	for (int i = 0; i < W_KILL_LINES; i++)
		server->lines[i] = -1;
}

void
w_kill_server_open(struct w_kill_server *server, const writ_config *config)
{
	writ_config *own = NULL;
	writ_error err;

	if (server->fd >= 0)
		return;
	format_name(getpid(), server->name);
	writ_status status =
	    config != NULL ? WRIT_OK : writ_config_new(&own, &err);
	if (status == WRIT_OK)
		status = w_attach_open_dir(
		    writ_config_get(config != NULL ? config : own, "state_dir"),
		    true, &server->dir_fd, &err);
	if (status == WRIT_OK)
		(void)w_attach_listen(
		    server->dir_fd, server->name, &server->fd, &err);
	writ_config_free(own);
	if (server->fd < 0)
		w_close(&server->dir_fd);
}

void
w_kill_server_close(struct w_kill_server *server)
{
	if (server->fd >= 0)
		(void)unlinkat(server->dir_fd, server->name, 0);
	w_close(&server->fd);
	w_close(&server->dir_fd);
	for (int i = 0; i < W_KILL_LINES; i++)
		w_close(&server->lines[i]);
}

void
w_kill_server_fill(
    const struct w_kill_server *server, struct pollfd polls[W_KILL_POLLS])
{
	bool has_room = false;

	for (int i = 0; i < W_KILL_LINES; i++) {
		polls[1 + i] =
		    (struct pollfd){.fd = server->lines[i], .events = POLLIN};
		has_room |= server->lines[i] < 0;
	}
	polls[0] =
	    (struct pollfd){.fd = has_room ? server->fd : -1, .events = POLLIN};
}

static void
kill_server_accept(struct w_kill_server *server)
{
	W_AUTO_FD int line =
	    accept4(server->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	int i = 0;

	while (i < W_KILL_LINES && server->lines[i] >= 0)
		i++;
	if (line >= 0 && i < W_KILL_LINES && w_attach_peer_is_trusted(line))
		server->lines[i] = w_take_fd(&line);
}

/* A line has one question. */
static void
kill_server_answer(int line, struct w_mcp *mcp)
{
	char packet[PACKET_MAX];
	const ssize_t len = recv(line, packet, sizeof(packet) - 1, 0);

	if (len < 2 || (packet[0] != 'T' && packet[0] != 'K'))
		return;
	packet[len] = '\0';
	const bool is_told = w_mcp_end_run(mcp, packet + 1, packet[0] == 'K');
	(void)send(line, is_told ? "+" : "-", 1, MSG_NOSIGNAL);
}

void
w_kill_server_step(struct w_kill_server *server,
    const struct pollfd polls[W_KILL_POLLS], struct w_mcp *mcp)
{
	for (int i = 0; i < W_KILL_LINES; i++) {
		if (polls[1 + i].revents == 0 || server->lines[i] < 0)
			continue;
		kill_server_answer(server->lines[i], mcp);
		w_close(&server->lines[i]);
	}
	if (polls[0].revents != 0)
		kill_server_accept(server);
}

/* ---- the person ---- */

static writ_status
kill_server_ask(int line, const char *run_id, bool is_now, writ_error *err)
{
	struct pollfd answer = {.fd = line, .events = POLLIN};
	char packet[PACKET_MAX];
	char word = '\0';
	const int len = snprintf(
	    packet, sizeof(packet), "%c%s", is_now ? 'K' : 'T', run_id);

	if (len >= (int)sizeof(packet) ||
	    send(line, packet, (size_t)len, MSG_NOSIGNAL) != len)
		return w_fail(err, WRIT_E_SYSTEM, STAGE, errno,
		    "cannot ask for the end of run %s", run_id);
	if (poll(&answer, 1, ANSWER_MS) <= 0 ||
	    recv(line, &word, 1, MSG_DONTWAIT) < 0)
		return w_fail(err, WRIT_E_SYSTEM, STAGE, 0,
		    "the server of run %s does not answer", run_id);
	if (word == '+')
		return WRIT_OK;
	if (word == '-')
		return w_fail(err, WRIT_E_NOTFOUND, STAGE, 0,
		    "run %s has just ended", run_id);
	return w_fail(err, WRIT_E_DENIED, STAGE, 0,
	    "the server of run %s does not take this from here: a run cannot "
	    "end another",
	    run_id);
}

writ_status
w_kill_by_server(const char *state_dir, int pid, const char *run_id,
    bool is_now, writ_error *err)
{
	W_AUTO_FD int dir_fd = -1;
	W_AUTO_FD int line = -1;
	char name[24];

	format_name(pid, name);
	writ_status status = w_attach_open_dir(state_dir, false, &dir_fd, err);
	if (status == WRIT_OK)
		status = w_attach_connect(dir_fd, name, &line, err);
	if (status == WRIT_E_NOTFOUND)
		return w_fail(err, WRIT_E_NOTFOUND, STAGE, 0,
		    "process %d, which runs %s, does not listen", pid, run_id);
	return status == WRIT_OK ? kill_server_ask(line, run_id, is_now, err)
				 : status;
}
