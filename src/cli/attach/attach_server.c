/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The terminals that are attached to a run.
 *
 * Each has a place in the output, which the run keeps the end of. It gets what
 * is behind its place as fast as it reads. If its place is no longer kept, it
 * goes on with what is.
 */

#include "cli/attach/attach_server.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/auto.h"
#include "cli/attach/attach_peer.h"

/* A terminal that comes gets so much of the output before. */
#define HISTORY ((uint64_t)48 << 10)

/* When to write again after the pty was full. */
#define RETRY_MS  10

#define NAME_SIZE 64

/* Packets of a client that are dropped at the end. */
#define WAITING_MAX 64

struct attach_client {
	int fd; /* -1: free */
	bool has_come;
	bool is_read_only;
	unsigned rows; /* 0: unknown */
	unsigned columns;
	uint64_t age;    /* when it came: a higher one came later */
	uint64_t offset; /* of the output that it gets next */
	char typed[W_ATTACH_TYPED_MAX];
	size_t len;
	size_t at; /* bytes of typed that the run took */
};

struct w_attach_server {
	int dir_fd;
	int fd;
	char name[NAME_SIZE];
	uint64_t count; /* of those that came so far */
	struct attach_client clients[W_ATTACH_CLIENTS_MAX];
};

static uint64_t
attach_server_now_ms(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static bool
attach_server_open(struct w_attach_server *server, const writ_config *config)
{
	writ_config *own = NULL;
	writ_error why;

	if (config == NULL && writ_config_new(&own, &why) != WRIT_OK)
		return false;
	const bool is_open =
	    w_attach_open_dir(
		writ_config_get(config != NULL ? config : own, "state_dir"),
		true, &server->dir_fd, &why) == WRIT_OK &&
	    w_attach_listen(server->dir_fd, server->name, &server->fd, &why) ==
		WRIT_OK;
	writ_config_free(own);
	return is_open;
}

struct w_attach_server *
w_attach_server_new(const writ_config *config, const char *run_id)
{
	struct w_attach_server *server = calloc(1, sizeof(*server));

	if (server == NULL)
		return NULL;
	server->dir_fd = -1;
	server->fd = -1;
	for (int i = 0; i < W_ATTACH_CLIENTS_MAX; i++)
		server->clients[i].fd = -1;
	(void)snprintf(server->name, sizeof(server->name), "%s", run_id);
	if (attach_server_open(server, config))
		return server;
	w_attach_server_free(server, NULL, 0);
	return NULL;
}

const char *
w_attach_server_run(const struct w_attach_server *server)
{
	return server->name;
}

/* ---- size ---- */

bool
w_attach_server_size(const struct w_attach_server *server, unsigned *out_rows,
    unsigned *out_columns)
{
	uint64_t age = 0;

	for (int i = 0; i < W_ATTACH_CLIENTS_MAX; i++) {
		const struct attach_client *client = &server->clients[i];

		if (client->fd < 0 || !client->has_come ||
		    client->is_read_only || client->rows == 0 ||
		    client->columns == 0 || client->age < age)
			continue;
		age = client->age;
		*out_rows = client->rows;
		*out_columns = client->columns;
	}
	return age > 0;
}

static void
attach_server_resize(struct w_attach_server *server, writ_job *job)
{
	unsigned rows;
	unsigned columns;

	if (w_attach_server_size(server, &rows, &columns))
		writ_job_resize(job, rows, columns);
}

/* ---- clients ---- */

static void
drop(
    struct w_attach_server *server, struct attach_client *client, writ_job *job)
{
	w_close(&client->fd);
	client->has_come = false;
	client->len = 0;
	client->at = 0;
	if (job != NULL)
		attach_server_resize(server, job);
}

static void
attach_server_accept(struct w_attach_server *server)
{
	W_AUTO_FD int fd =
	    accept4(server->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

	if (fd < 0 || !w_attach_peer_is_trusted(fd))
		return;
	for (int i = 0; i < W_ATTACH_CLIENTS_MAX; i++) {
		struct attach_client *client = &server->clients[i];

		if (client->fd >= 0)
			continue;
		client->fd = w_take_fd(&fd);
		client->has_come = false;
		client->age = ++server->count;
		return;
	}
}

/* A program that has the whole screen draws it again when it hears that the
 * window changed. */
static void
welcome(struct w_attach_server *server, struct attach_client *client,
    const struct w_attach_packet *packet, writ_job *job)
{
	const uint64_t bytes = writ_job_bytes(job, WRIT_STDOUT);

	client->has_come = true;
	client->is_read_only = (packet->number & W_ATTACH_READ_ONLY) != 0;
	client->offset = bytes > HISTORY ? bytes - HISTORY : 0;
	client->rows = packet->rows;
	client->columns = packet->columns;
	attach_server_resize(server, job);
	writ_job_signal(job, SIGWINCH);
}

/* false: it is no longer welcome. */
static bool
attach_server_take(struct w_attach_server *server, struct attach_client *client,
    const struct w_attach_packet *packet, writ_job *job)
{
	if ((packet->kind == W_ATTACH_HELLO) == client->has_come)
		return false;
	switch (packet->kind) {
	case W_ATTACH_HELLO:
		welcome(server, client, packet, job);
		return true;
	case W_ATTACH_SIZE:
		client->rows = packet->rows;
		client->columns = packet->columns;
		attach_server_resize(server, job);
		return true;
	case W_ATTACH_INPUT:
		if (client->is_read_only || packet->len > W_ATTACH_TYPED_MAX)
			return false;
		memcpy(client->typed, packet->bytes, packet->len);
		client->len = packet->len;
		client->at = 0;
		return true;
	case W_ATTACH_OUTPUT:
	case W_ATTACH_END:
		break;
	}
	return false;
}

static void
attach_server_receive(
    struct w_attach_server *server, struct attach_client *client, writ_job *job)
{
	char bytes[W_ATTACH_PACKET_MAX];
	struct w_attach_packet packet;
	/* The length of the whole packet, also of one that is too long. */
	const ssize_t len = recv(client->fd, bytes, sizeof(bytes), MSG_TRUNC);

	if (len < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (len <= 0 || (size_t)len > sizeof(bytes) ||
	    !w_attach_packet_parse(bytes, (size_t)len, &packet) ||
	    !attach_server_take(server, client, &packet, job))
		drop(server, client, job);
}

/* A run that takes no input drops it. */
static void
attach_server_type(struct attach_client *client, writ_job *job)
{
	size_t n = 0;

	if (client->at == client->len)
		return;
	if (writ_job_write(job, client->typed + client->at,
		client->len - client->at, &n) != WRIT_OK)
		n = client->len - client->at;
	client->at += n;
}

/* ---- output ---- */

/* What is read from: a job, or its result. */
struct attach_source {
	const writ_job *job;
	const writ_result *result;
	uint64_t bytes;
};

static size_t
source_read(
    const struct attach_source *source, uint64_t offset, char *buf, size_t max)
{
	size_t len = 0;
	const writ_status status =
	    source->job != NULL ? writ_job_read(source->job, WRIT_STDOUT,
				      offset, buf, max, &len)
				: writ_result_read(source->result, WRIT_STDOUT,
				      offset, buf, max, &len);

	return status == WRIT_OK ? len : 0;
}

/* Sends a packet of output. false: it does not take more, or is gone. */
static bool
send_output(struct attach_client *client, const struct attach_source *source)
{
	char packet[W_ATTACH_PACKET_MAX];

	packet[0] = (char)W_ATTACH_OUTPUT;
	size_t len =
	    source_read(source, client->offset, packet + 1, sizeof(packet) - 1);
	if (len == 0) {
		/* It is not kept any more: what is near the end is. */
		const uint64_t near = sizeof(packet) - 1;

		client->offset = client->offset + near < source->bytes
				     ? source->bytes - near
				     : source->bytes;
		return client->offset < source->bytes;
	}
	if (send(client->fd, packet, len + 1, MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
		return false;
	client->offset += len;
	return true;
}

static bool
has_output(const struct attach_client *client, uint64_t bytes)
{
	return client->fd >= 0 && client->has_come && client->offset < bytes;
}

/* ---- the loop ---- */

void
w_attach_server_fill(const struct w_attach_server *server, const writ_job *job,
    struct pollfd polls[W_ATTACH_POLLS])
{
	const bool is_open = job != NULL;

	polls[0] =
	    (struct pollfd){.fd = is_open ? server->fd : -1, .events = POLLIN};
	for (int i = 0; i < W_ATTACH_CLIENTS_MAX; i++) {
		const struct attach_client *client = &server->clients[i];
		struct pollfd *poll = &polls[1 + i];

		*poll = (struct pollfd){.fd = is_open ? client->fd : -1};
		if (!is_open || client->fd < 0)
			continue;
		if (client->at == client->len)
			poll->events |= POLLIN;
		if (has_output(client, writ_job_bytes(job, WRIT_STDOUT)))
			poll->events |= POLLOUT;
	}
}

int
w_attach_server_wait_ms(const struct w_attach_server *server)
{
	for (int i = 0; i < W_ATTACH_CLIENTS_MAX; i++) {
		const struct attach_client *client = &server->clients[i];

		if (client->fd >= 0 && client->at < client->len)
			return RETRY_MS;
	}
	return -1;
}

void
w_attach_server_step(struct w_attach_server *server, writ_job *job,
    const struct pollfd polls[W_ATTACH_POLLS])
{
	if (job == NULL)
		return;
	for (int i = 0; i < W_ATTACH_CLIENTS_MAX; i++) {
		struct attach_client *client = &server->clients[i];
		const struct attach_source source = {
		    .job = job, .bytes = writ_job_bytes(job, WRIT_STDOUT)};

		if (client->fd < 0 || client->fd != polls[1 + i].fd)
			continue;
		attach_server_type(client, job);
		if ((polls[1 + i].revents & POLLOUT) != 0 &&
		    has_output(client, source.bytes))
			(void)send_output(client, &source);
		if ((polls[1 + i].revents & ~POLLOUT) != 0)
			attach_server_receive(server, client, job);
	}
	if (polls[0].revents != 0)
		attach_server_accept(server);
}

/* ---- the end ---- */

/* Bytes that nobody has read would reset the connection, and the other side
 * would not read what it was sent before. */
static void
drop_input(const struct attach_client *client)
{
	char bytes[W_ATTACH_PACKET_MAX];

	for (int i = 0; i < WAITING_MAX; i++) {
		if (recv(client->fd, bytes, sizeof(bytes), MSG_DONTWAIT) <= 0)
			return;
	}
}

static void
say_end(
    struct attach_client *client, const writ_result *result, uint64_t until_ms)
{
	const struct attach_source source = {
	    .result = result, .bytes = result->out[WRIT_STDOUT].bytes};
	const struct w_attach_packet end = {.kind = W_ATTACH_END,
	    .number = (unsigned)writ_result_exit(result) & 0xffU};
	char packet[W_ATTACH_SHORT_MAX];
	const size_t len = w_attach_packet_format(&end, packet);
	bool is_sent = false;

	for (;;) {
		const uint64_t now_ms = attach_server_now_ms();
		struct pollfd polls = {.fd = client->fd, .events = POLLOUT};

		while (has_output(client, source.bytes) &&
		       send_output(client, &source))
			continue;
		if (!has_output(client, source.bytes))
			is_sent = send(client->fd, packet, len,
				      MSG_NOSIGNAL | MSG_DONTWAIT) >= 0;
		if (is_sent || now_ms >= until_ms ||
		    poll(&polls, 1, (int)(until_ms - now_ms)) <= 0 ||
		    (polls.revents & (POLLERR | POLLHUP)) != 0)
			return;
	}
}

/* Those that connected, and that no step of the loop has seen since. They get
 * what they would have got a moment earlier. */
static void
accept_waiting(struct w_attach_server *server, const writ_result *result)
{
	const uint64_t bytes = result->out[WRIT_STDOUT].bytes;
	struct pollfd polls = {.fd = server->fd, .events = POLLIN};

	for (int i = 0; i < W_ATTACH_CLIENTS_MAX && poll(&polls, 1, 0) > 0; i++)
		attach_server_accept(server);
	for (int i = 0; i < W_ATTACH_CLIENTS_MAX; i++) {
		struct attach_client *client = &server->clients[i];

		if (client->fd < 0 || client->has_come)
			continue;
		client->has_come = true;
		client->offset = bytes > HISTORY ? bytes - HISTORY : 0;
	}
}

void
w_attach_server_free(
    struct w_attach_server *server, const writ_result *result, unsigned wait_ms)
{
	const uint64_t until_ms = attach_server_now_ms() + wait_ms;

	if (server == NULL)
		return;
	/* First: who comes now is told that nobody listens. */
	if (server->fd >= 0)
		(void)unlinkat(server->dir_fd, server->name, 0);
	if (server->fd >= 0 && result != NULL)
		accept_waiting(server, result);
	w_close(&server->fd);
	for (int i = 0; i < W_ATTACH_CLIENTS_MAX; i++) {
		struct attach_client *client = &server->clients[i];

		if (client->fd >= 0 && client->has_come && result != NULL)
			say_end(client, result, until_ms);
		if (client->fd >= 0)
			drop_input(client);
		w_close(&client->fd);
	}
	w_close(&server->dir_fd);
	free(server);
}
