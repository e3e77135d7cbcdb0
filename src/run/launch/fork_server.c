/* SPDX-License-Identifier: Apache-2.0 */

/* The engine's side of fork servers; fork_server_loop.c is the other. */

#include "run/launch/fork_server.h"

#include <linux/sched.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
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
	ANSWER_MS = 2000,
	ROLE_SIZE = 6,
	ROLE_TEXT_SIZE = 128
};

static char *const no_env[] = {NULL};

void
w_helper_spawn(struct w_launcher *launcher,
    const struct w_sandbox_plan *sandbox_plan, const struct w_helper_role *as,
    struct w_child *out_child, struct w_attempt *out_attempt)
{
	const struct w_session_walls *walls = as->walls;
	const bool is_joined =
	    walls != NULL &&
	    (sandbox_plan == NULL
		    ? as->role == W_ROLE_FORWARDER || as->joins_network
		    : (sandbox_plan->joins & W_JOINS_NETWORK) != 0);
	const void *bytes = sandbox_plan != NULL ? sandbox_plan : as->file;
	char name[] = "writ", role[ROLE_SIZE], text[ROLE_TEXT_SIZE];
	char *const argv[] = {name, role, text, NULL};
	int file = -1;
	bool has_user = (as->namespaces & CLONE_NEWUSER) != 0;

	(void)snprintf(role, sizeof(role), "%c%s", as->role,
	    as->letters == NULL ? "" : as->letters);
	(void)snprintf(
	    text, sizeof(text), "%s", as->text == NULL ? "" : as->text);
	if (bytes != NULL)
		file = w_memfd_create("writ-sandbox-plan", bytes,
		    sandbox_plan != NULL ? sandbox_plan->size : as->file_size);
	struct w_child_plan plan = {
	    .program_fd = as->program > 0 ? as->program : launcher->helper_fd,
	    .argv = argv,
	    .envp = no_env,
	    .cwd_fd = -1,
	    .umask = -1,
	    .stdio = {-1, -1, -1},
	    .pass = {as->socket, launcher->engine_fd, file,
		walls == NULL ? -1 : walls->user_ns,
		walls == NULL ? -1 : walls->mount_ns,
		is_joined ? walls->net_ns : as->spec_socket},
	    .pass_count = W_CHILD_PASS_MAX,
	    .uid_map = has_user ? launcher->uid_map : NULL,
	    .gid_map = has_user ? launcher->gid_map : NULL,
	    .makes_layer = as->file != NULL ||
			   (sandbox_plan != NULL && sandbox_plan->has_layer),
	};
	const struct w_spawn spawn = {.plan = &plan, .flags = as->namespaces};

	*out_attempt =
	    (struct w_attempt){.error = bytes != NULL && file < 0 ? -file : 0};
	if (out_attempt->error != 0)
		return;
	out_attempt->error = w_spawn(&launcher->spawner, &spawn, out_child);
	out_attempt->is_step = plan.failed_errno != 0;
	out_attempt->step = plan.failed_step;
	w_close(&file);
}

int
w_helper_spawn_apart(
    struct w_launcher *launcher, struct w_helper_role *as, int *out_line)
{
	struct w_attempt attempt = {.error = 0};
	struct w_child child = {.pidfd = -1};
	struct w_child_exit ended;
	W_AUTO_FD int ours = -1;
	W_AUTO_FD int theirs = -1;

	attempt.error = w_fd_pair(&ours, &theirs);
	if (attempt.error != 0)
		return attempt.error;
	as->socket = theirs;
	w_helper_spawn(launcher, NULL, as, &child, &attempt);
	w_close(&theirs);
	as->socket = -1;
	if (attempt.error != 0)
		return attempt.error;
	w_child_reap(&child, &ended);
	*out_line = w_take_fd(&ours);
	return 0;
}

static void
drop_ready(struct w_ready_init *ready)
{
	w_close(&ready->socket);
	w_close(&ready->spec_socket);
	w_child_kill_and_reap(&ready->child);
	*ready = W_READY_INIT_NONE;
}

/* Ends a sandbox init of which only the pid is known. A host that waits for
 * any child may have reaped it: then the pid is somebody else's. */
static void
end_by_pid(pid_t pid)
{
	siginfo_t info;

	if (waitid(P_PID, (id_t)pid, &info,
		WEXITED | WNOHANG | WNOWAIT | __WALL) != 0)
		return;
	(void)kill(pid, SIGKILL);
	while (waitpid(pid, NULL, __WALL) < 0 && errno == EINTR)
		continue;
}

/* A sandbox init without all its descriptors cannot be used, but is still our
 * child. */
static void
discard_answer(
    const struct w_fork_server_answer *answer, int *fds, size_t count)
{
	while (count > 0)
		w_close(&fds[--count]);
	if (answer->pid > 0)
		end_by_pid(answer->pid);
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

static size_t
fds_with(const struct w_fork_server_answer *answer)
{
	if (answer->pid < 0)
		return 0;
	return answer->pid == 0 ? W_FORK_NOTE_FDS : W_SANDBOX_INIT_FDS;
}

/* Reads an answer that is there; fds are valid when pid is not negative. 1; 0:
 * not a valid answer; -1: nothing was read. */
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
		n = w_fd_message_receive(socket, MSG_DONTWAIT, &message);
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		return -1;
	if (n == (ssize_t)sizeof(*answer) && message.count == fds_with(answer))
		return 1;
	discard_answer(answer, fds, message.count);
	return 0;
}

static bool
fork_server_collect(struct w_run_sandbox *sandbox, int timeout_ms)
{
	struct w_fork_server_answer answer;
	int fds[W_SANDBOX_INIT_FDS];

	/* Mostly it is there already. */
	int got = receive_answer(sandbox->fork_server_socket, &answer, fds);
	if (got < 0 && errno == EAGAIN) {
		if (!is_readable(sandbox->fork_server_socket, timeout_ms))
			return false;
		got = receive_answer(sandbox->fork_server_socket, &answer, fds);
	}
	sandbox->is_asked = got < 0;
	if (answer.pid > 0) /* it is known, and the fork server waits */
		sandbox->fork_note->pid = 0;
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

/* One that was made, and of which no answer tells. */
static void
end_unheard(struct w_run_sandbox *sandbox)
{
	if (sandbox->fork_note == NULL)
		return;
	if (sandbox->fork_note->pid > 0)
		end_by_pid(sandbox->fork_note->pid);
	(void)munmap(sandbox->fork_note, sizeof(*sandbox->fork_note));
	sandbox->fork_note = NULL;
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
	end_unheard(sandbox);
	sandbox->is_asked = false;
	w_close(&sandbox->fork_server_socket);
}

/* What it is cloned into. The sandbox init unshares the rest; in a session the
 * fork server itself joins. */
static uint64_t
fork_server_namespaces(const struct w_sandbox_plan *sandbox_plan)
{
	uint64_t namespaces = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWUTS;

	if (sandbox_plan->joins != 0)
		return 0;
	if (w_sandbox_plan_shares_network(sandbox_plan))
		namespaces |= CLONE_NEWNET;
	return namespaces & sandbox_plan->namespaces;
}

static bool
map_fork_note(struct w_run_sandbox *sandbox, int fd)
{
	void *at = mmap(NULL, sizeof(*sandbox->fork_note),
	    PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (at != MAP_FAILED)
		sandbox->fork_note = at;
	return at != MAP_FAILED;
}

/* Whether it has entered its plan. *attempt says why not. */
static bool
fork_server_is_up(struct w_run_sandbox *sandbox, struct w_attempt *attempt)
{
	const int socket = sandbox->fork_server_socket;
	struct w_fork_server_answer answer;
	int fds[W_SANDBOX_INIT_FDS] = {-1, -1, -1};

	if (!is_readable(socket, ANSWER_MS) ||
	    receive_answer(socket, &answer, fds) <= 0)
		return false;
	if (answer.pid < 0)
		*attempt = (struct w_attempt){
		    .error = -answer.pid,
		    .is_step = true,
		    .step = (enum w_step)answer.step,
		    .detail = answer.detail,
		};
	if (answer.pid != 0)
		return false;
	const bool is_mapped = map_fork_note(sandbox, fds[0]);
	w_close(&fds[0]);
	return is_mapped;
}

static bool
open_fork_server(struct w_launcher *launcher, struct w_run_sandbox *sandbox,
    struct w_attempt *out_attempt)
{
	const struct w_sandbox_plan *sandbox_plan = sandbox->sandbox_plan;
	W_AUTO_FD int theirs = -1;

	*out_attempt = (struct w_attempt){.error = ENOTCONN};
	if (w_fd_pair(&sandbox->fork_server_socket, &theirs) != 0)
		return false;
	const struct w_helper_role as = {
	    .role = W_ROLE_FORK_SERVER,
	    .namespaces = fork_server_namespaces(sandbox_plan),
	    .socket = theirs,
	    .spec_socket = -1,
	    .walls = sandbox_plan->joins != 0 ? sandbox->walls : NULL,
	};
	w_helper_spawn(
	    launcher, sandbox_plan, &as, &sandbox->spawner, out_attempt);
	w_close(&theirs);
	if (out_attempt->error != 0) {
		sandbox->spawner.pidfd = -1;
	} else {
		out_attempt->error = ENOTCONN;
		if (fork_server_is_up(sandbox, out_attempt))
			return true;
	}
	end_fork_server(sandbox);
	return false;
}

static bool
fork_server_ask(struct w_run_sandbox *sandbox, char request)
{
	if (!sandbox->is_asked)
		sandbox->is_asked = send(sandbox->fork_server_socket, &request,
					1, MSG_NOSIGNAL | MSG_DONTWAIT) == 1;
	return sandbox->is_asked;
}

void
w_fork_server_request(struct w_run_sandbox *sandbox)
{
	if (sandbox->fork_server_socket >= 0)
		(void)fork_server_ask(sandbox, W_FORK_SERVER_MAKE);
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

static bool
fork_server_take(struct w_launcher *launcher, struct w_run_sandbox *sandbox,
    char request, struct w_ready_init *out_ready, struct w_attempt *out_attempt)
{
	if (sandbox->fork_server_socket < 0 &&
	    !open_fork_server(launcher, sandbox, out_attempt))
		return false;
	*out_attempt = (struct w_attempt){.error = ENOTCONN};
	if (!fork_server_ask(sandbox, request) ||
	    !fork_server_collect(sandbox, ANSWER_MS)) {
		end_fork_server(sandbox);
		return false;
	}
	*out_ready = sandbox->ready;
	sandbox->ready = W_READY_INIT_NONE;
	return true;
}

bool
w_fork_server_take(struct w_launcher *launcher, struct w_run_sandbox *sandbox,
    struct w_ready_init *out_ready, struct w_attempt *out_attempt)
{
	return fork_server_take(
	    launcher, sandbox, W_FORK_SERVER_MAKE, out_ready, out_attempt);
}

bool
w_fork_server_take_with_terminal(struct w_launcher *launcher,
    struct w_run_sandbox *sandbox, struct w_ready_init *out_ready,
    struct w_attempt *out_attempt)
{
	/* One that was asked for already has none. */
	w_fork_server_drop_ready(sandbox);
	return fork_server_take(launcher, sandbox,
	    W_FORK_SERVER_MAKE_WITH_TERMINAL, out_ready, out_attempt);
}
