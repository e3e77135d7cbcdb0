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

#include <errno.h>
#include <linux/sched.h>
#include <string.h>
#include <sys/socket.h>

#include "base/auto.h"
#include "exec/helper/order.h"
#include "exec/order.h"
#include "exec/realm_spawner.h"
#include "exec/report.h"
#include "os/file.h"

static void
build_straight(struct w_launcher *launcher, const struct w_realm *realm,
    struct w_ready *out_ready, struct w_attempt *attempt)
{
	struct w_ready ready = W_NOT_READY;
	W_AUTO_FD int socket_out = -1;
	W_AUTO_FD int order_out = -1;

	*attempt = (struct w_attempt){0};
	attempt->error = w_fd_pair(&ready.socket, &socket_out);
	if (attempt->error == 0)
		attempt->error = w_fd_pair(&ready.order, &order_out);
	const struct w_realm_role as = {
	    .role = W_ROLE_CELL,
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

/* A cell that has failed meanwhile has said so; what it said is read later. */
static int
send_order(int socket, const struct w_order_parcel *parcel,
    const struct w_launch *launch, const struct w_limit_group *limits)
{
	int fds[W_ORDER_FDS_MAX] = {
	    launch->stdio[0], launch->stdio[1], launch->stdio[2]};
	union {
		struct cmsghdr head;
		char bytes[CMSG_SPACE(sizeof(fds))];
	} control = {0};
	struct iovec part = {
	    .iov_base = parcel->bytes.data, .iov_len = parcel->send_len};
	size_t count = W_ORDER_STREAMS;

	if (launch->program_path == NULL) {
		fds[count++] = launch->cwd_fd;
		fds[count++] = launch->program->fd;
	}
	count += w_limit_group_procs(limits, fds + count);
	if (parcel->file_fd >= 0)
		fds[count++] = parcel->file_fd;
	/* The start of a parcel is the order itself, or a copy of its head. */
	((struct w_order *)(void *)parcel->bytes.data)->fd_count = count;
	control.head = (struct cmsghdr){
	    .cmsg_len = CMSG_LEN(count * sizeof(int)),
	    .cmsg_level = SOL_SOCKET,
	    .cmsg_type = SCM_RIGHTS,
	};
	memcpy(CMSG_DATA(&control.head), fds, count * sizeof(int));
	const struct msghdr message = {
	    .msg_iov = &part,
	    .msg_iovlen = 1,
	    .msg_control = &control,
	    .msg_controllen = CMSG_SPACE(count * sizeof(int)),
	};
	ssize_t n;
	do {
		n = sendmsg(socket, &message, MSG_NOSIGNAL);
	} while (n < 0 && errno == EINTR);
	return n >= 0 || errno == EPIPE || errno == ECONNRESET ? 0 : errno;
}

/* Our end closes when the command has reached its program. */
static void
await(int order, struct w_tree *tree, struct w_attempt *attempt)
{
	struct w_report report;

	attempt->error = w_report_await(order, &report);
	attempt->is_step = true;
	attempt->step = report.step;
	attempt->detail = report.detail;
	if (attempt->error != 0)
		w_tree_end_now(tree);
}

/* Sends the order to a cell and waits until it is carried out. */
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
	if (error != 0) {
		w_close(&ready->order);
		w_tree_end_now(tree);
		return w_fail(err, WRIT_E_SYSTEM, "sandbox", error,
		    "cannot hand over the command");
	}
	/* While the command starts, the next cell is made. */
	w_spawner_ask(launch->ward);
	await(ready->order, tree, attempt);
	w_close(&ready->order);
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

writ_status
w_cell_start(struct w_launcher *launcher, const struct w_launch *launch,
    struct w_tree *tree, struct w_attempt *out_attempt, writ_error *err)
{
	struct w_ward *ward = launch->ward;
	struct w_ready ready = W_NOT_READY;
	bool is_first = ward->runs++ == 0;

	if (is_first || !w_spawner_take(launcher, ward, &ready))
		build_straight(launcher, ward->realm, &ready, out_attempt);
	return ready.child.pidfd < 0
		   ? WRIT_OK
		   : run_in(&ready, launch, tree, out_attempt, err);
}
