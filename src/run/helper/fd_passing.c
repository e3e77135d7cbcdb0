/* SPDX-License-Identifier: Apache-2.0 */

/* Sends and receives messages with descriptors (SCM_RIGHTS). */

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>

#include "os/syscall.h"
#include "run/helper/helper.h"
#include "run/helper/holder_protocol.h"
#include "run/helper/process_spec.h"

_Static_assert((int)W_HOLDER_SENT_MAX >= (int)W_PROCESS_SPEC_FDS_MAX,
    "the control data has room for a spec");

/* Control data for the most descriptors that any message carries. */
union fd_passing_control {
	struct cmsghdr head;
	char bytes[CMSG_SPACE(W_HOLDER_SENT_MAX * sizeof(int))];
};

long
send_fds(
    int socket, const void *bytes, size_t len, const int *fds, size_t count)
{
	union fd_passing_control control = {0};
	struct iovec part = {
	    .iov_base = (void *)(uintptr_t)bytes, .iov_len = len};
	struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};

	if (count > 0) {
		control.head.cmsg_level = SOL_SOCKET;
		control.head.cmsg_type = SCM_RIGHTS;
		control.head.cmsg_len = CMSG_LEN(count * sizeof(int));
		int *out = (int *)(void *)CMSG_DATA(&control.head);
		for (size_t i = 0; i < count; i++)
			out[i] = fds[i];
		message.msg_control = &control;
		message.msg_controllen = CMSG_SPACE(count * sizeof(int));
	}
	return w_sys3(__NR_sendmsg, socket, &message, MSG_NOSIGNAL);
}

long
receive_fds(int socket, void *bytes, size_t len, int *fds, size_t *count)
{
	union fd_passing_control control = {0};
	struct iovec part = {.iov_base = bytes, .iov_len = len};
	struct msghdr message = {
	    .msg_iov = &part,
	    .msg_iovlen = 1,
	    .msg_control = &control,
	    .msg_controllen = sizeof(control),
	};
	size_t room = *count;

	*count = 0;
	long n = w_sys3(__NR_recvmsg, socket, &message, MSG_CMSG_CLOEXEC);
	if (n <= 0 || message.msg_controllen < sizeof(struct cmsghdr) ||
	    control.head.cmsg_type != SCM_RIGHTS)
		return n;
	const int *in = (const int *)(const void *)CMSG_DATA(&control.head);
	size_t came = (control.head.cmsg_len - CMSG_LEN(0)) / sizeof(int);
	/* Some did not fit into our descriptor table, and which ones is
	 * unknown. */
	if ((message.msg_flags & MSG_CTRUNC) != 0)
		room = 0;
	for (size_t i = 0; i < came; i++) {
		if (i < room)
			fds[(*count)++] = in[i];
		else
			(void)w_sys1(__NR_close, in[i]);
	}
	return (message.msg_flags & MSG_CTRUNC) != 0 ? -EMFILE : n;
}

void
take_low_numbers(void)
{
	long fd;

	/* The kernel gives the lowest number that is free. */
	do
		fd = w_sys3(
		    __NR_fcntl, W_HELPER_SANDBOX_PLAN_FD, F_DUPFD_CLOEXEC, 0);
	while (fd >= 0 && fd <= W_HELPER_REPORT_FD);
	if (fd >= 0)
		(void)w_sys1(__NR_close, fd);
}
