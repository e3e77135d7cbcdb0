/* SPDX-License-Identifier: Apache-2.0 */

/* The engine's side of fork servers; fork_server_loop.c is the other. */

#include "run/launch/fork_server.h"

#include <linux/sched.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "base/auto.h"
#include "os/fd_message.h"
#include "os/file.h"
#include "run/helper/process_spec.h"
#include "run/launch/process_packet.h"

/* A fork server answers within a millisecond. A stopped one, or a machine that
 * swaps, is not waited for longer: a sandbox can be built without it. */
enum {
	ANSWER_MS = 2000
};

static char *const no_env[] = {NULL};

void
w_helper_spawn(struct w_launcher *launcher,
    const struct w_sandbox_plan *sandbox_plan, const struct w_helper_role *as,
    struct w_child *out_child, struct w_attempt *out_attempt)
{
	char name[] = "writ", none[] = "";
	char role[] = {as->role, as->has_terminal ? 't' : '\0', '\0'};
	char *const argv[] = {name, role, none, NULL};
	int file = w_memfd_create(
	    "writ-sandbox-plan", sandbox_plan, sandbox_plan->size);
	bool has_user = (as->namespaces & CLONE_NEWUSER) != 0;
	struct w_child_plan plan = {
	    .program_fd = launcher->helper_fd,
	    .argv = argv,
	    .envp = no_env,
	    .cwd_fd = -1,
	    .umask = -1,
	    .stdio = {-1, -1, -1},
	    .pass = {as->socket, launcher->engine_fd, file, -1, -1,
		as->spec_socket},
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
drop_ready(struct w_ready_init *ready)
{
	w_close(&ready->socket);
	w_close(&ready->spec_socket);
	w_child_kill_and_reap(&ready->child);
	*ready = W_READY_INIT_NONE;
}

/* A sandbox init without all its descriptors cannot be used, but is still our
 * child. */
static void
discard_answer(
    const struct w_fork_server_answer *answer, int *fds, size_t count)
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

/* Reads an answer; fds are valid when pid is positive. 1; 0: not a valid
 * answer; -1: nothing was read. */
static int
receive_answer(int socket, struct w_fork_server_answer *answer,
    int fds[W_SANDBOX_INIT_FDS])
{
	struct w_fd_message message = {
	    .bytes = answer,
	    .len = sizeof(*answer),
	    .fds = fds,
	};
	ssize_t n;

	*answer = (struct w_fork_server_answer){0};
	do {
		message.count = W_SANDBOX_INIT_FDS;
		n = w_fd_message_receive(socket, 0, &message);
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		return -1;
	if (n == (ssize_t)sizeof(*answer) &&
	    message.count == (answer->pid > 0 ? W_SANDBOX_INIT_FDS : 0))
		return 1;
	discard_answer(answer, fds, message.count);
	return 0;
}

static bool
fork_server_collect(struct w_run_sandbox *sandbox, int timeout_ms)
{
	struct w_fork_server_answer answer;
	int fds[W_SANDBOX_INIT_FDS];

	if (!is_readable(sandbox->fork_server_socket, timeout_ms))
		return false;
	int got = receive_answer(sandbox->fork_server_socket, &answer, fds);
	sandbox->is_asked = got < 0;
	if (got <= 0 || answer.pid <= 0)
		return false;
	int error = 0;
	for (int i = 0; i < W_SANDBOX_INIT_FDS && error == 0; i++)
		error = w_fd_raise(&fds[i]);
	sandbox->ready = (struct w_ready_init){
	    .child = {.pid = answer.pid, .pidfd = fds[W_SANDBOX_INIT_PIDFD]},
	    .socket = fds[W_SANDBOX_INIT_SOCKET],
	    .spec_socket = fds[W_SANDBOX_INIT_SPEC],
	};
	if (error != 0)
		drop_ready(&sandbox->ready);
	return error == 0;
}

/* A sandbox init that is being made is our child and has to be reaped, too.
 * Answers sent before the kill can still be read. */
static void
end_fork_server(struct w_run_sandbox *sandbox)
{
	drop_ready(&sandbox->ready);
	w_child_kill_and_reap(&sandbox->spawner);
	if (sandbox->is_asked && fork_server_collect(sandbox, 0))
		drop_ready(&sandbox->ready);
	sandbox->is_asked = false;
	w_close(&sandbox->fork_server_socket);
}

static bool
open_fork_server(struct w_launcher *launcher, struct w_run_sandbox *sandbox)
{
	struct w_attempt attempt;
	struct w_fork_server_answer answer;
	W_AUTO_FD int theirs = -1;
	int none[W_SANDBOX_INIT_FDS];
	/* The sandbox init unshares the rest. */
	uint64_t namespaces = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWUTS;

	if (w_sandbox_plan_shares_network(sandbox->sandbox_plan))
		namespaces |= CLONE_NEWNET;
	if (w_fd_pair(&sandbox->fork_server_socket, &theirs) != 0)
		return false;
	const struct w_helper_role as = {
	    .role = W_ROLE_FORK_SERVER,
	    .namespaces = namespaces & sandbox->sandbox_plan->namespaces,
	    .socket = theirs,
	    .spec_socket = -1,
	};
	w_helper_spawn(
	    launcher, sandbox->sandbox_plan, &as, &sandbox->spawner, &attempt);
	w_close(&theirs);
	if (attempt.error != 0)
		sandbox->spawner.pidfd = -1;
	if (attempt.error == 0 &&
	    is_readable(sandbox->fork_server_socket, ANSWER_MS) &&
	    receive_answer(sandbox->fork_server_socket, &answer, none) > 0 &&
	    answer.pid == 0)
		return true;
	end_fork_server(sandbox);
	return false;
}

void
w_fork_server_request(struct w_run_sandbox *sandbox)
{
	if (sandbox->fork_server_socket < 0 || sandbox->is_asked)
		return;
	sandbox->is_asked = send(sandbox->fork_server_socket, "c", 1,
				MSG_NOSIGNAL | MSG_DONTWAIT) == 1;
}

void
w_fork_server_stop(struct w_run_sandbox *sandbox)
{
	drop_ready(&sandbox->ready);
	if (sandbox->is_asked && fork_server_collect(sandbox, ANSWER_MS))
		drop_ready(&sandbox->ready);
	end_fork_server(sandbox);
}

void
w_fork_server_drop_ready(struct w_run_sandbox *sandbox)
{
	if (sandbox->is_asked && !fork_server_collect(sandbox, ANSWER_MS))
		end_fork_server(sandbox);
	drop_ready(&sandbox->ready);
}

bool
w_fork_server_take(struct w_launcher *launcher, struct w_run_sandbox *sandbox,
    struct w_ready_init *out_ready)
{
	if (sandbox->fork_server_socket < 0 &&
	    !open_fork_server(launcher, sandbox))
		return false;
	w_fork_server_request(sandbox);
	if (!sandbox->is_asked || !fork_server_collect(sandbox, ANSWER_MS)) {
		end_fork_server(sandbox);
		return false;
	}
	*out_ready = sandbox->ready;
	sandbox->ready = W_READY_INIT_NONE;
	return true;
}
