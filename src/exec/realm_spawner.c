/* SPDX-License-Identifier: Apache-2.0 */

/* The engine's side of spawners; see helper/spawner.c for the other. */

#include "exec/realm_spawner.h"

#include <linux/sched.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>

#include "base/auto.h"
#include "exec/order.h"
#include "os/file.h"

enum {
	ANSWER_MS = 30000
};

static char *const no_env[] = {NULL};

int
w_realm_spawn(struct w_launcher *launcher, const struct w_realm *realm,
    const struct w_realm_role *as, struct w_child *out_child)
{
	struct w_child_plan *plan = as->plan;
	char name[] = "writ", role[] = {as->role, '\0'}, none[] = "";
	char *const argv[] = {name, role, none, NULL};
	W_AUTO_FD int file = w_order_file("writ-realm", realm, realm->size);

	if (file < 0)
		return -file;
	plan->program_fd = launcher->helper_fd;
	plan->argv = argv;
	plan->envp = no_env;
	plan->cwd_fd = -1;
	plan->umask = -1;
	plan->pass[1] = launcher->engine_fd;
	plan->pass[2] = file;
	plan->pass_count = W_CHILD_PASS_MAX;
	if ((as->namespaces & CLONE_NEWUSER) != 0) {
		plan->uid_map = launcher->uid_map;
		plan->gid_map = launcher->gid_map;
	}
	const struct w_spawn spawn = {.plan = plan, .flags = as->namespaces};
	return w_spawn(&launcher->spawner, &spawn, out_child);
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

void
w_spawner_dismiss(struct w_ward *ward)
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

/* What the spawner made of entering its realm. */
static void
await_entry(struct w_ward *ward, struct w_attempt *attempt)
{
	struct w_spawn_answer answer = {.pid = -EPROTO};
	W_AUTO_FD int none = -1;

	if (receive(ward->spawner_socket, &answer, &none) !=
	    (ssize_t)sizeof(answer))
		answer.pid = -EPROTO;
	attempt->error = -answer.pid;
	attempt->is_step = true;
	attempt->step = (enum w_step)answer.step;
	attempt->detail = answer.detail;
	if (attempt->error != 0)
		w_spawner_dismiss(ward);
}

void
w_spawner_open(struct w_launcher *launcher, struct w_ward *ward,
    struct w_attempt *out_attempt)
{
	struct w_child_plan plan = {.stdio = {-1, -1, -1}};
	W_AUTO_FD int theirs = -1;

	*out_attempt = (struct w_attempt){0};
	out_attempt->error = w_fd_pair(&ward->spawner_socket, &theirs);
	if (out_attempt->error != 0)
		return;
	plan.pass[0] = theirs;
	for (int i = 3; i < W_CHILD_PASS_MAX; i++)
		plan.pass[i] = -1;
	const struct w_realm_role as = {
	    .role = W_ROLE_SPAWNER,
	    .namespaces = template_namespaces(ward->realm),
	    .plan = &plan,
	};
	out_attempt->error =
	    w_realm_spawn(launcher, ward->realm, &as, &ward->spawner);
	out_attempt->is_step = plan.failed_errno != 0;
	out_attempt->step = plan.failed_step;
	w_close(&theirs);
	if (out_attempt->error != 0) {
		ward->spawner.pidfd = -1;
		w_close(&ward->spawner_socket);
		return;
	}
	await_entry(ward, out_attempt);
}

static bool
send_call(
    const struct w_ward *ward, const struct w_spawn_call *call, const int *fds)
{
	size_t size = call->fd_count * sizeof(int);
	struct w_spawn_call copy = *call;
	union {
		struct cmsghdr head;
		char bytes[CMSG_SPACE(W_CALL_FDS_MAX * sizeof(int))];
	} control = {.head = {.cmsg_len = CMSG_LEN(size),
			 .cmsg_level = SOL_SOCKET,
			 .cmsg_type = SCM_RIGHTS}};
	struct iovec part = {.iov_base = &copy, .iov_len = sizeof(copy)};
	struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};

	if (size > 0) {
		memcpy(CMSG_DATA(&control.head), fds, size);
		message.msg_control = &control;
		message.msg_controllen = CMSG_SPACE(size);
	}
	return sendmsg(ward->spawner_socket, &message, MSG_NOSIGNAL) ==
	       (ssize_t)sizeof(copy);
}

int
w_spawner_call(struct w_ward *ward, const struct w_spawn_call *call,
    const int *fds, struct w_spawn_answer *out_answer, int *out_fd)
{
	W_AUTO_FD int fd = -1;

	if (!send_call(ward, call, fds) ||
	    receive(ward->spawner_socket, out_answer, &fd) !=
		(ssize_t)sizeof(*out_answer) ||
	    (out_answer->pid > 0 && fd < 0)) {
		w_spawner_dismiss(ward);
		return EPIPE;
	}
	int error = fd < 0 ? 0 : w_fd_raise(&fd);
	*out_fd = w_take_fd(&fd);
	return error;
}
