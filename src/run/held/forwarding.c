/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Starts forwarders; helper/forwarder.c is the other side.
 *
 * A socket belongs to the network that it was made in. So those that accept on
 * the machine are made here and given to a forwarder inside the session; those
 * that accept inside are made by it and given to one outside.
 */

#include "run/held/forwarding.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>

#include "base/auto.h"
#include "os/fd_message.h"
#include "os/file.h"
#include "run/held/forward_service.h"
#include "run/launch/fork_server.h"

#define STAGE "session"

enum {
	LISTEN_QUEUE = 128,
	ANSWER_MS = 5000
};

/* Descriptors that are closed at the end of a scope. */
struct forwarding_fds {
	int items[W_FORWARD_FDS];
	size_t count;
};

static void
forwarding_fds_close(struct forwarding_fds *fds)
{
	while (fds->count > 0)
		w_close(&fds->items[--fds->count]);
}

/* ---- words ---- */

static writ_status
fail_many(const char *what, writ_error *err)
{
	return w_fail(err, WRIT_E_INVALID, STAGE, 0,
	    "%s: at most %d for one session", what, W_FORWARD_RULES);
}

writ_status
w_forwarding_parse(const char *const *publish, const char *const *connect,
    struct w_forwarding *out, writ_error *err)
{
	struct w_forwarding read = {.publish_count = 0};
	writ_status status = WRIT_OK;

	for (; publish != NULL && *publish != NULL && status == WRIT_OK;
	     publish++)
		status = read.publish_count == W_FORWARD_RULES
			     ? fail_many("publish", err)
			     : w_publish_spec_parse(*publish,
				   &read.publish[read.publish_count++], err);
	for (; connect != NULL && *connect != NULL && status == WRIT_OK;
	     connect++)
		status = read.connect_count == W_FORWARD_RULES
			     ? fail_many("connect", err)
			     : w_connect_spec_parse(*connect,
				   &read.connect[read.connect_count++], err);
	if (status == WRIT_OK)
		*out = read;
	return status;
}

/* ---- talking to a forwarder ---- */

/* Sends a plan and takes the answer into it, with descriptors. 0, or an
 * errno. */
static int
forwarding_ask(int line, struct w_forward_plan *plan,
    const struct forwarding_fds *given, struct forwarding_fds *out_fds)
{
	struct pollfd poll_in = {.fd = line, .events = POLLIN};
	struct w_fd_message message = {.bytes = plan,
	    .len = sizeof(*plan),
	    .fds = (int *)(uintptr_t)given->items,
	    .count = given->count};
	int error = w_fd_message_send(line, &message);
	int ready;

	if (error != 0)
		return error;
	do
		ready = poll(&poll_in, 1, ANSWER_MS);
	while (ready < 0 && errno == EINTR);
	if (ready <= 0)
		return ready == 0 ? ETIMEDOUT : errno;
	message.fds = out_fds->items;
	message.count = W_FORWARD_FDS;
	const ssize_t n = w_fd_message_receive(line, 0, &message);
	if (n < 0)
		return errno;
	out_fds->count = message.count;
	return n == (ssize_t)sizeof(*plan) && plan->magic == W_FORWARD_MAGIC
		   ? 0
		   : EPROTO;
}

/* A forwarder is nobody's child either: it goes with its line. */
static int
forwarding_spawn(struct w_launcher *launcher,
    const struct w_session_walls *walls, bool is_inside, int *out_line)
{
	struct w_helper_role as = {
	    .role = W_ROLE_FORWARDER,
	    .letters = !is_inside            ? ""
		       : walls->user_ns >= 0 ? "iu"
					     : "i",
	    .spec_socket = -1,
	    .walls = is_inside ? walls : NULL,
	};

	return w_helper_spawn_apart(launcher, &as, out_line);
}

/* ---- sockets of the machine ---- */

static writ_status
listen_here(const struct w_publish_spec *spec, int *out_fd, writ_error *err)
{
	static const int on = 1;
	const struct sockaddr_in address = {
	    .sin_family = AF_INET,
	    .sin_port = htons(spec->host_port),
	    .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	W_AUTO_FD int fd =
	    socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (fd < 0)
		return w_fail(err, WRIT_E_SYSTEM, STAGE, errno,
		    "publish: cannot make a socket");
	(void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (bind(fd, (const struct sockaddr *)&address, sizeof(address)) == 0 &&
	    listen(fd, LISTEN_QUEUE) == 0) {
		*out_fd = w_take_fd(&fd);
		return WRIT_OK;
	}
	if (errno != EADDRINUSE)
		return w_fail(err, WRIT_E_INVALID, STAGE, errno,
		    "publish: cannot listen at 127.0.0.1:%u", spec->host_port);
	(void)w_fail(err, WRIT_E_INVALID, STAGE, 0,
	    "publish: port %u of this machine is taken", spec->host_port);
	w_suggest(err, "another port of the machine, as in --publish %u:%u",
	    spec->host_port == UINT16_MAX ? 1024U : spec->host_port + 1U,
	    spec->port);
	return WRIT_E_INVALID;
}

/* ---- the two forwarders ---- */

static writ_status
fail_forwarder(int error, writ_error *err)
{
	return w_fail(err, WRIT_E_SYSTEM, STAGE, error,
	    "cannot start what passes connections on");
}

static writ_status
copy_with(int line, struct w_forward_plan *plan,
    const struct forwarding_fds *fds, writ_error *err)
{
	struct forwarding_fds none = {.count = 0};

	plan->magic = W_FORWARD_MAGIC;
	plan->kind = W_FORWARD_COPY;
	const int error = forwarding_ask(line, plan, fds, &none);
	forwarding_fds_close(&none);
	return error == 0 && plan->error == 0
		   ? WRIT_OK
		   : fail_forwarder(error != 0 ? error : plan->error, err);
}

static writ_status
start_publishing(
    int line, const struct w_forwarding *forwarding, writ_error *err)
{
	__attribute__((cleanup(
	    forwarding_fds_close))) struct forwarding_fds fds = {.count = 0};
	struct w_forward_plan plan = {
	    .count = (uint32_t)forwarding->publish_count};

	for (size_t i = 0; i < forwarding->publish_count; i++) {
		writ_status status = listen_here(
		    &forwarding->publish[i], &fds.items[fds.count], err);

		if (status != WRIT_OK)
			return status;
		fds.count++;
		plan.rules[i].port = forwarding->publish[i].port;
	}
	return copy_with(line, &plan, &fds, err);
}

static writ_status
fail_listening(const struct w_forwarding *forwarding,
    const struct w_forward_plan *plan, writ_error *err)
{
	const struct w_connect_spec *spec =
	    &forwarding->connect[plan->failed < forwarding->connect_count
				     ? plan->failed
				     : 0];

	if (spec->port != 0)
		return w_fail(err, WRIT_E_INVALID, STAGE, plan->error,
		    "connect: cannot listen at 127.0.0.1:%u in the session",
		    spec->port);
	return w_fail(err, WRIT_E_SYSTEM, STAGE, plan->error,
	    "connect: cannot make a socket for '%s' in the session",
	    spec->path);
}

/* The sockets that accept inside. */
static writ_status
listen_inside(int line, const struct w_forwarding *forwarding,
    struct forwarding_fds *out_fds, writ_error *err)
{
	const struct forwarding_fds none = {.count = 0};
	struct w_forward_plan plan = {.magic = W_FORWARD_MAGIC,
	    .kind = W_FORWARD_LISTEN,
	    .count = (uint32_t)forwarding->connect_count};

	for (size_t i = 0; i < forwarding->connect_count; i++)
		plan.rules[i].port = forwarding->connect[i].port;
	const int error = forwarding_ask(line, &plan, &none, out_fds);
	if (error != 0)
		return fail_forwarder(error, err);
	if (plan.error != 0)
		return fail_listening(forwarding, &plan, err);
	return out_fds->count == forwarding->connect_count
		   ? WRIT_OK
		   : fail_forwarder(EPROTO, err);
}

static writ_status
start_connecting(int inside, int outside, const struct w_forwarding *forwarding,
    const char *state_dir, writ_error *err)
{
	__attribute__((cleanup(
	    forwarding_fds_close))) struct forwarding_fds fds = {.count = 0};
	struct w_forward_plan plan = {
	    .count = (uint32_t)forwarding->connect_count};
	writ_status status = listen_inside(inside, forwarding, &fds, err);

	for (size_t i = 0; status == WRIT_OK && i < forwarding->connect_count;
	     i++) {
		const struct w_connect_spec *spec = &forwarding->connect[i];

		plan.rules[i].port = spec->port;
		if (spec->port != 0)
			continue;
		plan.rules[i].has_file = 1;
		status = w_forward_service_open(
		    spec->path, state_dir, &fds.items[fds.count], err);
		fds.count += status == WRIT_OK;
	}
	return status == WRIT_OK ? copy_with(outside, &plan, &fds, err)
				 : status;
}

writ_status
w_forwarding_start(struct w_launcher *launcher,
    const struct w_forwarding *forwarding, const char *state_dir,
    struct w_session_walls *walls, writ_error *err)
{
	W_AUTO_FD int inside = -1;
	W_AUTO_FD int outside = -1;
	int error = 0;

	if (forwarding->publish_count + forwarding->connect_count == 0)
		return WRIT_OK;
	if (walls->net_ns < 0)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "a session without a network publishes nothing, and has "
		    "nothing let in");
	error = forwarding_spawn(launcher, walls, true, &inside);
	if (error == 0 && forwarding->connect_count > 0)
		error = forwarding_spawn(launcher, walls, false, &outside);
	if (error != 0)
		return fail_forwarder(error, err);
	writ_status status = WRIT_OK;
	if (forwarding->connect_count > 0)
		status = start_connecting(
		    inside, outside, forwarding, state_dir, err);
	if (status == WRIT_OK && forwarding->publish_count > 0)
		status = start_publishing(inside, forwarding, err);
	for (size_t i = 0; i < forwarding->connect_count; i++)
		(void)stpcpy(walls->shared.connects[i].path,
		    forwarding->connect[i].path);
	if (status == WRIT_OK && !w_session_walls_find_shared(walls))
		status = fail_forwarder(ENOENT, err);
	if (status != WRIT_OK)
		return status;
	if (forwarding->publish_count > 0)
		walls->lines[0] = w_take_fd(&inside);
	walls->lines[1] = w_take_fd(&outside);
	return WRIT_OK;
}
