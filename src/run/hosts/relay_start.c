/* SPDX-License-Identifier: Apache-2.0 */

/* The engine's side of the relay's start; relay/relay_main.c is the other. */

#include "run/hosts/relay_start.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/auto.h"
#include "os/fd_message.h"
#include "os/file.h"
#include "run/hosts/upstream_proxy.h"
#include "run/launch/fork_server.h"
#include "run/launch/helper_file.h"
#include "run/launch/process_packet.h"
#include "run/relay/relay_protocol.h"

#define STAGE "hosts"

enum {
	ANSWER_MS = 5000,
	RESOLV_MAX = 16 * 1024,
	HOSTS_MAX = 1024 * 1024,
	/* A relay that is started again hands out other addresses than the one
	 * before, which programs may still know. */
	NAMES_STEP = 65536
};

/* ---- what it is told ---- */

static bool
read_server(const char *text, struct w_relay_address *out)
{
	if (inet_pton(AF_INET, text, out->bytes) == 1)
		out->family = 4;
	else if (inet_pton(AF_INET6, text, out->bytes) == 1)
		out->family = 6;
	else
		return false;
	return true;
}

/* As the C library reads it: the first three; without one, this machine. */
static void
read_servers(struct w_relay_start *start)
{
	static const struct w_relay_address here = {
	    .bytes = {127, 0, 0, 1}, .family = 4};
	W_AUTO_FREE char *text = malloc(RESOLV_MAX);
	char *rest = text, *line;

	if (text == NULL ||
	    w_file_read_at(AT_FDCWD, "/etc/resolv.conf", text, RESOLV_MAX) < 0)
		rest = NULL;
	while (rest != NULL && (line = strsep(&rest, "\n")) != NULL &&
	       start->server_count < W_RELAY_SERVERS) {
		const char *word = strtok_r(line, " \t\r", &line);

		if (word == NULL || strcmp(word, "nameserver") != 0)
			continue;
		word = strtok_r(NULL, " \t\r", &line);
		if (word != NULL &&
		    read_server(word, &start->servers[start->server_count]))
			start->server_count++;
	}
	if (start->server_count == 0)
		start->servers[start->server_count++] = here;
}

/* A memory file with the machine's hosts file; empty if there is none. Or a
 * negative errno. */
static int
copy_hosts(void)
{
	W_AUTO_FREE char *text = malloc(HOSTS_MAX);

	if (text == NULL)
		return -ENOMEM;
	const ssize_t len =
	    w_file_read_at(AT_FDCWD, "/etc/hosts", text, HOSTS_MAX);
	return w_memfd_create("writ-hosts", text, len < 0 ? 0 : (size_t)len);
}

/* ---- the relay ---- */

static int
relay_await(int line)
{
	struct pollfd poll_in = {.fd = line, .events = POLLIN};
	struct w_relay_start answer;
	int ready;

	do
		ready = poll(&poll_in, 1, ANSWER_MS);
	while (ready < 0 && errno == EINTR);
	if (ready <= 0)
		return ready == 0 ? ETIMEDOUT : errno;
	if (recv(line, &answer, sizeof(answer), 0) != (ssize_t)sizeof(answer))
		return EPROTO;
	return answer.error;
}

static int
relay_tell(
    int line, const struct w_session_relay *hosts, struct w_relay_start *start)
{
	int fds[W_HOST_SOCKETS + 1];
	size_t count = 0;
	W_AUTO_FD int file = copy_hosts();

	if (file < 0)
		return -file;
	for (; count < hosts->count; count++)
		fds[count] = hosts->sockets[count];
	fds[count++] = file;
	const struct w_fd_message message = {
	    .bytes = start, .len = sizeof(*start), .fds = fds, .count = count};
	const int error = w_fd_message_send(line, &message);
	return error != 0 ? error : relay_await(line);
}

writ_status
w_relay_start(
    struct w_launcher *launcher, struct w_session_relay *hosts, writ_error *err)
{
	W_AUTO_FREE struct w_relay_start *start = calloc(1, sizeof(*start));
	W_AUTO_FD int program = -1;
	W_AUTO_FD int line = -1;

	if (start == NULL)
		return w_fail_nomem(err, STAGE);
	start->kind = W_RELAY_START;
	start->magic = W_RELAY_MAGIC;
	start->version = W_RELAY_VERSION;
	start->is_redirected = hosts->is_redirected;
	start->first_name = hosts->starts % 2 * NAMES_STEP;
	read_servers(start);
	writ_status status = w_upstream_proxy_read(secure_getenv, start, err);
	if (status == WRIT_OK)
		status = w_launcher_need_helper(launcher, err);
	if (status == WRIT_OK)
		status = w_relay_open(&program, err);
	if (status != WRIT_OK)
		return status;
	struct w_helper_role as = {
	    .role = W_ROLE_RELAY, .spec_socket = -1, .program = program};
	int error = w_helper_spawn_apart(launcher, &as, &line);
	if (error == 0)
		error = relay_tell(line, hosts, start);
	if (error == 0)
		error = w_fd_raise(&line);
	if (error != 0)
		return w_fail(err, WRIT_E_SYSTEM, STAGE, error,
		    "cannot start the relay of the session");
	w_fd_lift(&line);
	w_close(&hosts->control);
	hosts->control = w_take_fd(&line);
	hosts->starts++;
	return WRIT_OK;
}

int
w_relay_attach(int control, int *out_line)
{
	uint32_t kind = W_RELAY_ATTACH;
	W_AUTO_FD int ours = -1;
	W_AUTO_FD int theirs = -1;

	int error = w_fd_pair(&ours, &theirs);
	const struct w_fd_message message = {
	    .bytes = &kind, .len = sizeof(kind), .fds = &theirs, .count = 1};
	if (error == 0)
		error = w_fd_message_send(control, &message);
	if (error != 0)
		return error;
	w_fd_lift(&ours);
	*out_line = w_take_fd(&ours);
	return 0;
}
