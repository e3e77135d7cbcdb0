/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Starts commands in sandboxes: the engine's side of the sandbox init.
 *
 * In the first run of a sandbox our child is cloned into the new namespaces,
 * executes the helper and builds the sandbox itself. A program that runs one
 * command pays for nothing else. From the second run on a fork server has a
 * sandbox init ready: the sandbox is built, and it only needs its spec.
 */

#include "run/launch/sandbox_start.h"

#include <linux/sched.h>
#include <poll.h>
#include <sys/socket.h>

#include "base/auto.h"
#include "os/fd_message.h"
#include "os/file.h"
#include "run/helper/process_spec.h"
#include "run/launch/fork_server.h"
#include "run/launch/helper_report.h"
#include "run/launch/process_packet.h"

/* The same timeout as for a report. */
enum {
	TERMINAL_MS = 30000
};

static void
build_straight(struct w_launcher *launcher, const struct w_launch *launch,
    struct w_ready_init *out_ready, struct w_attempt *attempt)
{
	const struct w_sandbox_plan *sandbox_plan =
	    launch->sandbox->sandbox_plan;
	struct w_ready_init ready = W_READY_INIT_NONE;
	W_AUTO_FD int socket_out = -1;
	W_AUTO_FD int spec_socket_out = -1;

	*attempt = (struct w_attempt){0};
	attempt->error = w_fd_pair(&ready.socket, &socket_out);
	if (attempt->error == 0)
		attempt->error =
		    w_fd_pair(&ready.spec_socket, &spec_socket_out);
	const struct w_helper_role as = {
	    .role = W_ROLE_SANDBOX_INIT,
	    .letters = launch->pty != NULL ? "t" : NULL,
	    .namespaces = sandbox_plan->namespaces,
	    .socket = socket_out,
	    .spec_socket = spec_socket_out,
	};
	if (attempt->error == 0)
		w_helper_spawn(
		    launcher, sandbox_plan, &as, &ready.child, attempt);
	if (attempt->error != 0) {
		w_close(&ready.socket);
		w_close(&ready.spec_socket);
		ready.child.pidfd = -1;
	}
	*out_ready = ready;
}

/* In the order that process_spec.h defines. Returns their number. */
static size_t
list_files(const struct w_launch *launch, const struct w_limit_group *limits,
    int file_fd, int out_fds[W_PROCESS_SPEC_FDS_MAX])
{
	size_t count = 0;

	while (count < W_PROCESS_SPEC_STREAMS) {
		out_fds[count] = launch->pty == NULL ? launch->stdio[count]
						     : launch->pty->slave;
		count++;
	}
	if (launch->program_path == NULL) {
		out_fds[count++] = launch->cwd_fd;
		out_fds[count++] = launch->program->fd;
	}
	count += w_limit_group_procs(limits, out_fds + count);
	if (file_fd >= 0)
		out_fds[count++] = file_fd;
	return count;
}

/* 0, or an errno. */
static int
send_spec(int socket, const struct w_process_packet *packet,
    const struct w_launch *launch, const struct w_limit_group *limits)
{
	int fds[W_PROCESS_SPEC_FDS_MAX];
	const struct w_fd_message message = {
	    .bytes = packet->bytes.data,
	    .len = packet->send_len,
	    .fds = fds,
	    .count = list_files(launch, limits, packet->file_fd, fds),
	};

	_Static_assert(
	    W_PROCESS_SPEC_FDS_MAX <= W_FD_MESSAGE_MAX, "one message");
	/* The packet starts with the spec, or with a copy of its header. */
	((struct w_process_spec *)(void *)packet->bytes.data)->fd_count =
	    message.count;
	return w_fd_message_send(socket, &message);
}

/* A sandbox init without one has failed, which its report says. */
static void
take_terminal(int socket, struct w_pty *pty)
{
	struct w_helper_event event;
	int fds[2] = {-1, -1};
	struct w_fd_message message = {
	    .bytes = &event, .len = sizeof(event), .fds = fds, .count = 2};
	struct pollfd poll_in = {.fd = socket, .events = POLLIN};
	int ready;

	do {
		ready = poll(&poll_in, 1, TERMINAL_MS);
	} while (ready < 0 && errno == EINTR);
	if (ready <= 0)
		return;
	(void)w_fd_message_receive(socket, MSG_DONTWAIT, &message);
	if (message.count == 2)
		(void)w_pty_adopt(pty, fds[0], fds[1]);
	else
		w_close(&fds[0]);
}

/* The other end closes when the command has been executed. A sandbox init that
 * failed before its spec came has reported why, or was killed. */
static void
sandbox_start_await(int spec_socket, int sent_error, struct w_attempt *attempt)
{
	struct w_helper_report report = {.step = W_STEP_PROCESS};

	attempt->error = sent_error;
	if (sent_error == 0 || sent_error == EPIPE || sent_error == ECONNRESET)
		attempt->error = w_helper_report_await(spec_socket, &report);
	if (attempt->error == 0 && sent_error != 0) {
		attempt->error = ENOTCONN;
		report.step = W_STEP_PROCESS;
	}
	attempt->is_step = true;
	attempt->step = report.step;
	attempt->detail = report.detail;
}

/* Sends the spec to a sandbox init and waits until the command runs. ENOTCONN
 * in the attempt: the init was gone, and nothing was done. */
static writ_status
run_in(struct w_ready_init *ready, const struct w_launch *launch,
    struct w_tree *tree, struct w_attempt *attempt, writ_error *err)
{
	const struct w_sandbox_plan *sandbox_plan =
	    launch->sandbox->sandbox_plan;
	struct w_process_packet packet;

	tree->by = (sandbox_plan->namespaces & CLONE_NEWPID) != 0
		       ? W_TREE_BY_INIT
		       : W_TREE_BY_SUBREAPER;
	tree->child = ready->child;
	tree->socket = ready->socket;
	writ_status status =
	    w_process_spec_pack(launch, &tree->limits, &packet, err);
	if (status != WRIT_OK) {
		w_close(&ready->spec_socket);
		w_tree_end_now(tree);
		return status;
	}
	int error =
	    send_spec(ready->spec_socket, &packet, launch, &tree->limits);
	w_process_packet_done(&packet);
	/* The next sandbox init is made while the command starts. A sandbox
	 * with a layer is for one run. */
	if (!launch->is_alone && launch->sandbox->layer == NULL)
		w_fork_server_request(launch->sandbox);
	sandbox_start_await(ready->spec_socket, error, attempt);
	w_close(&ready->spec_socket);
	if (attempt->error == ENOTCONN) {
		/* The limit groups are kept for the next attempt. */
		w_child_kill_and_reap(&tree->child);
		w_close(&tree->socket);
	} else if (attempt->error != 0) {
		w_tree_end_now(tree);
	}
	return WRIT_OK;
}

writ_status
w_run_sandbox_start_ready(struct w_launcher *launcher,
    const struct w_launch *launch, struct w_tree *tree,
    struct w_attempt *out_attempt, writ_error *err)
{
	struct w_ready_init ready = W_READY_INIT_NONE;

	if (!w_fork_server_take(
		launcher, launch->sandbox, &ready, out_attempt)) {
		out_attempt->error = ENOTCONN;
		return WRIT_OK;
	}
	return run_in(&ready, launch, tree, out_attempt, err);
}

/* A run of a session starts by its fork server only: nothing else joins. A fork
 * server that was killed is replaced once. */
static writ_status
start_in_session(struct w_launcher *launcher, const struct w_launch *launch,
    struct w_tree *tree, struct w_attempt *out_attempt, writ_error *err)
{
	enum {
		/* One finds a dead init, one a dead fork server. */
		TRIES = 3
	};
	writ_status status = WRIT_OK;

	out_attempt->error = ENOTCONN;
	for (int i = 0;
	     i < TRIES && status == WRIT_OK && out_attempt->error == ENOTCONN;
	     i++) {
		struct w_ready_init ready = W_READY_INIT_NONE;
		bool is_ready = launch->pty == NULL
				    ? w_fork_server_take(launcher,
					  launch->sandbox, &ready, out_attempt)
				    : w_fork_server_take_with_terminal(launcher,
					  launch->sandbox, &ready, out_attempt);

		if (is_ready && launch->pty != NULL)
			take_terminal(ready.socket, launch->pty);
		if (is_ready)
			status = run_in(&ready, launch, tree, out_attempt, err);
	}
	return status;
}

writ_status
w_run_sandbox_start(struct w_launcher *launcher, const struct w_launch *launch,
    struct w_tree *tree, struct w_attempt *out_attempt, writ_error *err)
{
	struct w_ready_init ready;
	writ_status status = WRIT_OK;

	*out_attempt = (struct w_attempt){.error = ENOTCONN};
	if (launch->sandbox->sandbox_plan->joins != 0)
		return start_in_session(
		    launcher, launch, tree, out_attempt, err);
	/* A process in a ready sandbox cannot get a terminal any more: it would
	 * have had to inherit it. */
	if (launch->sandbox->runs++ > 0 && launch->pty == NULL)
		status = w_run_sandbox_start_ready(
		    launcher, launch, tree, out_attempt, err);
	if (status != WRIT_OK || out_attempt->error != ENOTCONN)
		return status;
	build_straight(launcher, launch, &ready, out_attempt);
	if (ready.child.pidfd < 0)
		return WRIT_OK;
	if (launch->pty != NULL)
		take_terminal(ready.socket, launch->pty);
	return run_in(&ready, launch, tree, out_attempt, err);
}
