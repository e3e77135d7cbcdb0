/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The engine's side of cells.
 *
 * The first run of a ward goes straight: our child is born into the new
 * namespaces, executes the helper and builds the sandbox itself. A command
 * line that runs one command pays for nothing else. From the second run on a
 * spawner keeps what the runs have in common and copies itself.
 */

#include "exec/cell.h"

#include <linux/sched.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "base/auto.h"
#include "exec/helper/order.h"
#include "exec/order.h"
#include "exec/report.h"
#include "exec/ward.h"
#include "os/file.h"

enum {
	ANSWER_MS = 30000
};

/* What a start needs besides the launch. All but the tree's are ours. */
struct start {
	struct w_launcher *launcher;
	const struct w_launch *launch;
	struct w_ward *ward;
	struct w_attempt *attempt;
	int limit_procs[W_LIMIT_HIERARCHIES];
	size_t limit_count;
	int order;
	int report;
	int report_out;
	int socket;
	int socket_out;
};

static writ_status
open_all(
    struct start *start, const struct w_limit_group *limits, writ_error *err)
{
	int error = w_fd_pipe(&start->report, &start->report_out, 0);

	if (error == 0)
		error = w_fd_pair(&start->socket, &start->socket_out);
	if (error != 0)
		return w_fail(err, WRIT_E_SYSTEM, "sandbox", error,
		    "cannot make a pipe for the helper");
	return w_order_write(start->launch, limits, &start->order, err);
}

static void
close_all(struct start *start)
{
	w_close(&start->order);
	w_close(&start->report);
	w_close(&start->report_out);
	w_close(&start->socket);
	w_close(&start->socket_out);
}

static char *const no_env[] = {NULL};

/* Our child becomes the helper in this role, in these namespaces. */
static writ_status
spawn_helper(struct start *start, char role_letter, uint64_t flags,
    struct w_child_plan *plan, struct w_child *out_child, writ_error *err)
{
	struct w_launcher *launcher = start->launcher;
	struct w_attempt *attempt = start->attempt;
	const struct w_realm *realm = start->ward->realm;
	char name[] = "writ", role[] = {role_letter, '\0'}, none[] = "";
	char *const argv[] = {name, role, none, NULL};
	W_AUTO_FD int file = w_order_file("writ-realm", realm, realm->size);

	if (file < 0) {
		int error = -file;

		file = -1;
		return w_fail(err, WRIT_E_SYSTEM, "sandbox", error,
		    "cannot hand over the sandbox");
	}
	plan->program_fd = launcher->helper_fd;
	plan->argv = argv;
	plan->envp = no_env;
	plan->cwd_fd = -1;
	plan->umask = -1;
	plan->pass[1] = launcher->engine_fd;
	plan->pass[2] = file;
	plan->pass_count = W_CHILD_PASS_MAX;
	if ((flags & CLONE_NEWUSER) != 0) {
		plan->uid_map = launcher->uid_map;
		plan->gid_map = launcher->gid_map;
	}
	const struct w_spawn spawn = {.plan = plan, .flags = flags};
	attempt->error = w_spawn(&launcher->spawner, &spawn, out_child);
	attempt->is_step = plan->failed_errno != 0;
	attempt->step = plan->failed_step;
	return WRIT_OK;
}

/* Handed to the helper by number, 3 being the first. */
static void
fill_pass(struct w_child_plan *plan, const struct start *start)
{
	const struct w_launch *launch = start->launch;

	plan->pass[0] = start->socket_out;
	plan->pass[3] = start->order;
	plan->pass[4] = start->limit_count > 0 ? start->limit_procs[0] : -1;
	plan->pass[5] = start->report_out;
	plan->pass[6] = start->limit_count > 1 ? start->limit_procs[1] : -1;
	for (int i = 0; i < 3; i++)
		plan->stdio[i] = launch->stdio[i];
}

static writ_status
start_straight(struct start *start, struct w_tree *tree, writ_error *err)
{
	struct w_child_plan plan = {0};

	fill_pass(&plan, start);
	return spawn_helper(start, W_ROLE_CELL, start->ward->realm->namespaces,
	    &plan, &tree->child, err);
}

static ssize_t
receive(int socket, struct w_spawn_answer *answer, int *out_fd)
{
	struct pollfd poll_in = {.fd = socket, .events = POLLIN};
	union {
		struct cmsghdr head;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control = {0};
	struct iovec part = {.iov_base = answer, .iov_len = sizeof(*answer)};
	struct msghdr message = {
	    .msg_iov = &part,
	    .msg_iovlen = 1,
	    .msg_control = &control,
	    .msg_controllen = sizeof(control),
	};
	int ready;

	do {
		ready = poll(&poll_in, 1, ANSWER_MS);
	} while (ready < 0 && errno == EINTR);
	if (ready <= 0)
		return -1;
	ssize_t n = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
	const struct cmsghdr *head = CMSG_FIRSTHDR(&message);
	if (n > 0 && head != NULL && head->cmsg_type == SCM_RIGHTS)
		memcpy(out_fd, CMSG_DATA(head), sizeof(*out_fd));
	return n;
}

static void
dismiss_spawner(struct w_ward *ward)
{
	w_close(&ward->spawner_socket);
	w_kill_and_reap(&ward->spawner);
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

/* What fails here would fail straight as well, and is told from there. */
static bool
open_spawner(struct start *start)
{
	struct w_ward *ward = start->ward;
	struct w_child_plan plan = {.stdio = {-1, -1, -1}};
	struct w_spawn_answer answer = {.pid = -1};
	W_AUTO_FD int theirs = -1;
	int no_fd = -1;

	if (w_fd_pair(&ward->spawner_socket, &theirs) != 0)
		return false;
	plan.pass[0] = theirs;
	for (int i = 3; i < W_CHILD_PASS_MAX; i++)
		plan.pass[i] = -1;
	if (spawn_helper(start, W_ROLE_SPAWNER,
		template_namespaces(ward->realm), &plan, &ward->spawner,
		NULL) != WRIT_OK ||
	    start->attempt->error != 0) {
		ward->spawner.pidfd = -1;
		w_close(&ward->spawner_socket);
		return false;
	}
	w_close(&theirs);
	if (receive(ward->spawner_socket, &answer, &no_fd) ==
		(ssize_t)sizeof(answer) &&
	    answer.pid == 0)
		return true;
	dismiss_spawner(ward);
	return false;
}

static bool
send_call(const struct start *start)
{
	const struct w_launch *launch = start->launch;
	const int fds[W_CALL_FDS_MAX] = {
	    launch->stdio[0],
	    launch->stdio[1],
	    launch->stdio[2],
	    start->socket_out,
	    start->order,
	    start->report_out,
	    start->limit_procs[0],
	    start->limit_procs[1],
	};
	size_t count = W_CALL_FDS + start->limit_count;
	struct w_spawn_call call = {.fd_count = (uint32_t)count};
	union {
		struct cmsghdr head;
		char bytes[CMSG_SPACE(sizeof(fds))];
	} control = {.head = {.cmsg_len = CMSG_LEN(count * sizeof(int)),
			 .cmsg_level = SOL_SOCKET,
			 .cmsg_type = SCM_RIGHTS}};
	struct iovec part = {.iov_base = &call, .iov_len = sizeof(call)};
	const struct msghdr message = {
	    .msg_iov = &part,
	    .msg_iovlen = 1,
	    .msg_control = &control,
	    .msg_controllen = CMSG_SPACE(count * sizeof(int)),
	};

	memcpy(CMSG_DATA(&control.head), fds, count * sizeof(int));
	return sendmsg(start->ward->spawner_socket, &message, MSG_NOSIGNAL) ==
	       (ssize_t)sizeof(call);
}

/* true: the spawner took care of it, well or not. A spawner that does not
 * answer is given up, and the run goes straight. */
static bool
start_by_spawner(struct start *start, struct w_tree *tree)
{
	struct w_ward *ward = start->ward;
	struct w_spawn_answer answer = {0};
	int pidfd = -1;

	if (ward->spawner_socket < 0 && !open_spawner(start))
		return false;
	if (!send_call(start) ||
	    receive(ward->spawner_socket, &answer, &pidfd) !=
		(ssize_t)sizeof(answer) ||
	    (answer.pid > 0 && pidfd < 0)) {
		dismiss_spawner(ward);
		return false;
	}
	*start->attempt = (struct w_attempt){0};
	if (answer.pid <= 0) {
		start->attempt->error = answer.pid < 0 ? -answer.pid : EPROTO;
		return true;
	}
	tree->child.pid = answer.pid;
	tree->child.pidfd = pidfd;
	(void)w_fd_raise(&tree->child.pidfd);
	return true;
}

static void
await(struct start *start, struct w_tree *tree)
{
	struct w_attempt *attempt = start->attempt;
	struct w_report report = {0};

	w_close(&start->report_out);
	w_close(&start->socket_out);
	tree->socket = w_take_fd(&start->socket);
	attempt->error = w_report_await(start->report, &report);
	attempt->is_step = true;
	attempt->step = report.step;
	attempt->detail = report.detail;
	if (attempt->error != 0)
		w_tree_end_now(tree);
}

writ_status
w_cell_start(struct w_launcher *launcher, const struct w_launch *launch,
    struct w_tree *tree, struct w_attempt *out_attempt, writ_error *err)
{
	struct w_ward *ward = launch->ward;
	struct start start = {
	    .launcher = launcher,
	    .launch = launch,
	    .ward = ward,
	    .attempt = out_attempt,
	    .order = -1,
	    .report = -1,
	    .report_out = -1,
	    .socket = -1,
	    .socket_out = -1,
	};

	start.limit_count =
	    w_limit_group_procs(&tree->limits, start.limit_procs);
	tree->by = (ward->realm->namespaces & CLONE_NEWPID) != 0
		       ? W_TREE_BY_INIT
		       : W_TREE_BY_KEEPER;
	writ_status status = open_all(&start, &tree->limits, err);
	if (status == WRIT_OK &&
	    (ward->runs++ == 0 || !start_by_spawner(&start, tree)))
		status = start_straight(&start, tree, err);
	if (status == WRIT_OK && out_attempt->error == 0)
		await(&start, tree);
	close_all(&start);
	return status;
}
