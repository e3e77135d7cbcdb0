/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The engine's side of cells.
 *
 * The first run of a ward goes straight: our child is born into the new
 * namespaces, executes the helper and builds the sandbox itself. A command
 * line that runs one command pays for nothing else. From the second run on a
 * spawner has a cell ready: its walls stand, and all it needs is its order.
 */

#include "exec/cell.h"

#include <linux/sched.h>
#include <poll.h>
#include <sys/socket.h>

#include "base/auto.h"
#include "exec/helper/order.h"
#include "exec/order.h"
#include "exec/realm_spawner.h"
#include "exec/report.h"
#include "os/fd_message.h"
#include "os/file.h"

/* As long as for a report. */
enum {
	TERMINAL_MS = 30000
};

static void
build_straight(struct w_launcher *launcher, const struct w_launch *launch,
    struct w_ready *out_ready, struct w_attempt *attempt)
{
	const struct w_realm *realm = launch->ward->realm;
	struct w_ready ready = W_NOT_READY;
	W_AUTO_FD int socket_out = -1;
	W_AUTO_FD int order_out = -1;

	*attempt = (struct w_attempt){0};
	attempt->error = w_fd_pair(&ready.socket, &socket_out);
	if (attempt->error == 0)
		attempt->error = w_fd_pair(&ready.order, &order_out);
	const struct w_realm_role as = {
	    .role = W_ROLE_CELL,
	    .has_terminal = launch->pty != NULL,
	    .namespaces = realm->namespaces,
	    .socket = socket_out,
	    .order = order_out,
	};
	if (attempt->error == 0)
		w_realm_spawn(launcher, realm, &as, &ready.child, attempt);
	if (attempt->error != 0) {
		w_close(&ready.socket);
		w_close(&ready.order);
		ready.child.pidfd = -1;
	}
	*out_ready = ready;
}

/* In the order that the other side takes them. How many they are. */
static size_t
list_files(const struct w_launch *launch, const struct w_limit_group *limits,
    int file_fd, int out_fds[W_ORDER_FDS_MAX])
{
	size_t count = 0;

	while (count < W_ORDER_STREAMS) {
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
send_order(int socket, const struct w_order_parcel *parcel,
    const struct w_launch *launch, const struct w_limit_group *limits)
{
	int fds[W_ORDER_FDS_MAX];
	const struct w_fd_message message = {
	    .bytes = parcel->bytes.data,
	    .len = parcel->send_len,
	    .fds = fds,
	    .count = list_files(launch, limits, parcel->file_fd, fds),
	};

	_Static_assert(W_ORDER_FDS_MAX <= W_FD_MESSAGE_MAX, "one message");
	/* The start of a parcel is the order itself, or a copy of its head. */
	((struct w_order *)(void *)parcel->bytes.data)->fd_count =
	    message.count;
	return w_fd_message_send(socket, &message);
}

/* A cell that has none has failed, and says so in its report. */
static void
take_terminal(int socket, struct w_pty *pty)
{
	struct w_tell told;
	int fds[2] = {-1, -1};
	struct w_fd_message message = {
	    .bytes = &told, .len = sizeof(told), .fds = fds, .count = 2};
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

static bool
is_gone(int error)
{
	return error == EPIPE || error == ECONNRESET;
}

/* Our end closes when the command has reached its program. A cell that has
 * failed before its order came has said why, or was ended by somebody. */
static void
await(int order, int sent_error, struct w_attempt *attempt)
{
	struct w_report report = {.step = W_STEP_PROCESS};

	attempt->error = sent_error;
	if (sent_error == 0 || is_gone(sent_error))
		attempt->error = w_report_await(order, &report);
	if (attempt->error == 0 && sent_error != 0) {
		attempt->error = ENOTCONN;
		report.step = W_STEP_PROCESS;
	}
	attempt->is_step = true;
	attempt->step = report.step;
	attempt->detail = report.detail;
}

/* Sends the order to a cell and waits until it is carried out. ENOTCONN in
 * the attempt: the cell was gone, and nothing was done. */
static writ_status
run_in(struct w_ready *ready, const struct w_launch *launch,
    struct w_tree *tree, struct w_attempt *attempt, writ_error *err)
{
	const struct w_realm *realm = launch->ward->realm;
	struct w_order_parcel parcel;

	tree->by = (realm->namespaces & CLONE_NEWPID) != 0 ? W_TREE_BY_INIT
							   : W_TREE_BY_KEEPER;
	tree->child = ready->child;
	tree->socket = ready->socket;
	writ_status status = w_order_pack(launch, &tree->limits, &parcel, err);
	if (status != WRIT_OK) {
		w_close(&ready->order);
		w_tree_end_now(tree);
		return status;
	}
	int error = send_order(ready->order, &parcel, launch, &tree->limits);
	w_order_parcel_done(&parcel);
	/* While the command starts, the next cell is made. */
	w_spawner_ask(launch->ward);
	await(ready->order, error, attempt);
	w_close(&ready->order);
	if (attempt->error == ENOTCONN) {
		/* The limits are for whoever comes instead. */
		w_kill_and_reap(&tree->child);
		w_close(&tree->socket);
	} else if (attempt->error != 0) {
		w_tree_end_now(tree);
	}
	return WRIT_OK;
}

writ_status
w_cell_start_ready(struct w_launcher *launcher, const struct w_launch *launch,
    struct w_tree *tree, struct w_attempt *out_attempt, writ_error *err)
{
	struct w_ready ready = W_NOT_READY;

	*out_attempt = (struct w_attempt){.error = ENOTCONN};
	if (!w_spawner_take(launcher, launch->ward, &ready))
		return WRIT_OK;
	return run_in(&ready, launch, tree, out_attempt, err);
}

static writ_status
start_straight(struct w_launcher *launcher, const struct w_launch *launch,
    struct w_tree *tree, struct w_attempt *out_attempt, writ_error *err)
{
	struct w_ready ready;

	build_straight(launcher, launch, &ready, out_attempt);
	if (ready.child.pidfd < 0)
		return WRIT_OK;
	if (launch->pty != NULL)
		take_terminal(ready.socket, launch->pty);
	return run_in(&ready, launch, tree, out_attempt, err);
}

writ_status
w_cell_start(struct w_launcher *launcher, const struct w_launch *launch,
    struct w_tree *tree, struct w_attempt *out_attempt, writ_error *err)
{
	writ_status status = WRIT_OK;

	*out_attempt = (struct w_attempt){.error = ENOTCONN};
	/* The process in a cell that stands ready cannot get a terminal any
	 * more: it would have had to be born with it. */
	if (launch->ward->runs++ > 0 && launch->pty == NULL)
		status = w_cell_start_ready(
		    launcher, launch, tree, out_attempt, err);
	if (status != WRIT_OK || out_attempt->error != ENOTCONN)
		return status;
	return start_straight(launcher, launch, tree, out_attempt, err);
}
