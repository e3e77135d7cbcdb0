/* SPDX-License-Identifier: Apache-2.0 */

/* What is said to the maker of a session's walls, and what it answers; see
 * helper/session_maker.c. */

#include "run/launch/maker_answer.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>

#include "base/auto.h"
#include "os/fd_message.h"
#include "os/file.h"
#include "run/home/home_store.h"

enum {
	/* A machine that swaps must not hang the engine. */
	ANSWER_MS = 30000
};

int
w_maker_receive(int socket, int32_t kind, struct w_helper_event *event,
    int *fds, size_t *count)
{
	struct w_fd_message message = {
	    .bytes = event, .len = sizeof(*event), .fds = fds, .count = *count};
	struct pollfd poll_in = {.fd = socket, .events = POLLIN};
	ssize_t n;
	int ready;

	do {
		ready = poll(&poll_in, 1, ANSWER_MS);
	} while (ready < 0 && errno == EINTR);
	if (ready <= 0)
		return ready == 0 ? ETIMEDOUT : errno;
	do {
		n = w_fd_message_receive(socket, 0, &message);
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		return errno;
	if (n == (ssize_t)sizeof(*event) && event->kind == kind &&
	    message.count > 0) {
		*count = message.count;
		return 0;
	}
	for (size_t i = 0; i < message.count; i++)
		w_close(&fds[i]);
	return n == (ssize_t)sizeof(*event) && event->sys_errno > 0
		   ? event->sys_errno
		   : EPROTO;
}

void
w_maker_order(const struct w_session_walls *walls,
    const struct w_host_ports *ports, struct w_session_order *order)
{
	if (ports != NULL)
		order->ports = *ports;
	if (walls->home == NULL)
		return;
	(void)snprintf(
	    order->home, sizeof(order->home), "%s", walls->home->home);
	(void)snprintf(
	    order->layer, sizeof(order->layer), "%s", walls->home->dir.path);
}

int
w_maker_take_sockets(int line, struct w_session_relay *hosts)
{
	struct w_helper_event event = {0};
	size_t count = W_HOST_SOCKETS;

	int error = w_maker_receive(
	    line, W_HELPER_EVENT_HOSTS, &event, hosts->sockets, &count);
	if (error != 0)
		return error;
	hosts->count = count;
	hosts->is_redirected = event.detail != 0;
	for (size_t i = 0; i < count; i++) {
		if (error == 0)
			error = w_fd_raise(&hosts->sockets[i]);
		w_fd_lift(&hosts->sockets[i]);
	}
	return error;
}
