/* SPDX-License-Identifier: Apache-2.0 */

/* The engine's side of spawners; see helper/spawner.c for the other. */

#include "exec/realm_spawner.h"

#include <linux/sched.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "base/auto.h"
#include "exec/helper/order.h"
#include "exec/order.h"
#include "os/fd_message.h"
#include "os/file.h"

/* A spawner answers within a millisecond. One that was stopped, or a machine
 * that swaps, is not waited for: a cell can be had without it. */
enum {
	ANSWER_MS = 2000
};

static char *const no_env[] = {NULL};

void
w_realm_spawn(struct w_launcher *launcher, const struct w_realm *realm,
    const struct w_realm_role *as, struct w_child *out_child,
    struct w_attempt *out_attempt)
{
	char name[] = "writ", none[] = "";
	char role[] = {as->role, as->has_terminal ? 't' : '\0', '\0'};
	char *const argv[] = {name, role, none, NULL};
	int file = w_order_file("writ-realm", realm, realm->size);
	bool has_user = (as->namespaces & CLONE_NEWUSER) != 0;
	struct w_child_plan plan = {
	    .program_fd = launcher->helper_fd,
	    .argv = argv,
	    .envp = no_env,
	    .cwd_fd = -1,
	    .umask = -1,
	    .stdio = {-1, -1, -1},
	    .pass = {as->socket, launcher->engine_fd, file, -1, -1, as->order},
	    .pass_count = W_CHILD_PASS_MAX,
	    .uid_map = has_user ? launcher->uid_map : NULL,
	    .gid_map = has_user ? launcher->gid_map : NULL,
	};
	const struct w_spawn spawn = {.plan = &plan, .flags = as->namespaces};

	*out_attempt = (struct w_attempt){.error = file < 0 ? -file : 0};
	if (file < 0)
		return;
	out_attempt->error = w_spawn(&launcher->spawner, &spawn, out_child);
	out_attempt->is_step = plan.failed_errno != 0;
	out_attempt->step = plan.failed_step;
	w_close(&file);
}

static void
drop_ready(struct w_ready *ready)
{
	w_close(&ready->socket);
	w_close(&ready->order);
	w_kill_and_reap(&ready->child);
	*ready = W_NOT_READY;
}

/* A cell of which not all descriptors arrived cannot be used, and is our child
 * all the same. */
static void
refuse(const struct w_spawn_answer *answer, int *fds, size_t count)
{
	while (count > 0)
		w_close(&fds[--count]);
	if (answer->pid <= 0)
		return;
	(void)kill(answer->pid, SIGKILL);
	while (waitpid(answer->pid, NULL, __WALL) < 0 && errno == EINTR)
		continue;
}

static bool
is_readable(int socket, int timeout_ms)
{
	struct pollfd poll_in = {.fd = socket, .events = POLLIN};
	int ready;

	do {
		ready = poll(&poll_in, 1, timeout_ms);
	} while (ready < 0 && errno == EINTR);
	return ready > 0;
}

/* An answer of the spawner; its descriptors count when pid is positive. 1, or
 * 0: what came is no answer, or -1: it is still to be read. */
static int
receive(int socket, struct w_spawn_answer *answer, int fds[W_CELL_FDS])
{
	struct w_fd_message message = {
	    .bytes = answer,
	    .len = sizeof(*answer),
	    .fds = fds,
	};
	ssize_t n;

	*answer = (struct w_spawn_answer){0};
	do {
		message.count = W_CELL_FDS;
		n = w_fd_message_receive(socket, 0, &message);
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		return -1;
	if (n == (ssize_t)sizeof(*answer) &&
	    message.count == (answer->pid > 0 ? W_CELL_FDS : 0))
		return 1;
	refuse(answer, fds, message.count);
	return 0;
}

/* All or nothing: a cell that we cannot hold is ended. */
static bool
raise_all(int fds[W_CELL_FDS])
{
	int error = 0;

	for (int i = 0; i < W_CELL_FDS && error == 0; i++)
		error = w_fd_raise(&fds[i]);
	return error == 0;
}

static bool
collect(struct w_ward *ward, int timeout_ms)
{
	struct w_spawn_answer answer;
	int fds[W_CELL_FDS];

	if (!is_readable(ward->spawner_socket, timeout_ms))
		return false;
	int got = receive(ward->spawner_socket, &answer, fds);
	ward->is_asked = got < 0;
	if (got <= 0 || answer.pid <= 0)
		return false;
	bool is_held = raise_all(fds);
	ward->ready = (struct w_ready){
	    .child = {.pid = answer.pid, .pidfd = fds[W_CELL_PIDFD]},
	    .socket = fds[W_CELL_SOCKET],
	    .order = fds[W_CELL_ORDER],
	};
	if (!is_held)
		drop_ready(&ward->ready);
	return is_held;
}

/* The cell that is being made is our child: it has to be reaped, too. What a
 * spawner said before it was ended can still be read. */
static void
end_spawner(struct w_ward *ward)
{
	drop_ready(&ward->ready);
	w_kill_and_reap(&ward->spawner);
	if (ward->is_asked && collect(ward, 0))
		drop_ready(&ward->ready);
	ward->is_asked = false;
	w_close(&ward->spawner_socket);
}

/* The namespaces of the spawner itself; cells make the rest. */
static uint64_t
template_namespaces(const struct w_realm *realm)
{
	uint64_t flags = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWUTS;

	if (w_realm_shares_network(realm))
		flags |= CLONE_NEWNET;
	return flags & realm->namespaces;
}

static bool
open_spawner(struct w_launcher *launcher, struct w_ward *ward)
{
	struct w_attempt attempt;
	struct w_spawn_answer answer;
	W_AUTO_FD int theirs = -1;
	int none[W_CELL_FDS];

	if (w_fd_pair(&ward->spawner_socket, &theirs) != 0)
		return false;
	const struct w_realm_role as = {
	    .role = W_ROLE_SPAWNER,
	    .namespaces = template_namespaces(ward->realm),
	    .socket = theirs,
	    .order = -1,
	};
	w_realm_spawn(launcher, ward->realm, &as, &ward->spawner, &attempt);
	w_close(&theirs);
	if (attempt.error != 0)
		ward->spawner.pidfd = -1;
	if (attempt.error == 0 &&
	    is_readable(ward->spawner_socket, ANSWER_MS) &&
	    receive(ward->spawner_socket, &answer, none) > 0 && answer.pid == 0)
		return true;
	end_spawner(ward);
	return false;
}

void
w_spawner_ask(struct w_ward *ward)
{
	if (ward->spawner_socket < 0 || ward->is_asked)
		return;
	ward->is_asked = send(ward->spawner_socket, "c", 1,
			     MSG_NOSIGNAL | MSG_DONTWAIT) == 1;
}

void
w_spawner_dismiss(struct w_ward *ward)
{
	drop_ready(&ward->ready);
	if (ward->is_asked && collect(ward, ANSWER_MS))
		drop_ready(&ward->ready);
	end_spawner(ward);
}

void
w_spawner_drop_ready(struct w_ward *ward)
{
	if (ward->is_asked && !collect(ward, ANSWER_MS))
		end_spawner(ward);
	drop_ready(&ward->ready);
}

bool
w_spawner_take(
    struct w_launcher *launcher, struct w_ward *ward, struct w_ready *out_ready)
{
	if (ward->spawner_socket < 0 && !open_spawner(launcher, ward))
		return false;
	w_spawner_ask(ward);
	if (!ward->is_asked || !collect(ward, ANSWER_MS)) {
		end_spawner(ward);
		return false;
	}
	*out_ready = ward->ready;
	ward->ready = W_NOT_READY;
	return true;
}
