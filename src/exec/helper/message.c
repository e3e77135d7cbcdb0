/* SPDX-License-Identifier: Apache-2.0 */

/* Messages with descriptors over W_HELPER_SOCKET_FD. */

#include <sys/socket.h>

#include "exec/helper/helper.h"
#include "exec/helper/order.h"
#include "os/syscall.h"

/* Control data for as many descriptors as any message has. */
union control {
	struct cmsghdr head;
	char bytes[CMSG_SPACE(W_CALL_FDS_MAX * sizeof(int))];
};

long
send_fds(const void *bytes, size_t len, const int *fds, size_t count)
{
	union control control = {0};
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
	return w_sys3(__NR_sendmsg, W_HELPER_SOCKET_FD, &message, MSG_NOSIGNAL);
}

long
receive_fds(void *bytes, size_t len, int *fds, size_t max, size_t *out_count)
{
	union control control = {0};
	struct iovec part = {.iov_base = bytes, .iov_len = len};
	struct msghdr message = {
	    .msg_iov = &part,
	    .msg_iovlen = 1,
	    .msg_control = &control,
	    .msg_controllen = sizeof(control),
	};

	*out_count = 0;
	long n = w_sys3(
	    __NR_recvmsg, W_HELPER_SOCKET_FD, &message, MSG_CMSG_CLOEXEC);
	if (n <= 0 || message.msg_controllen < sizeof(struct cmsghdr) ||
	    control.head.cmsg_type != SCM_RIGHTS)
		return n;
	const int *in = (const int *)(const void *)CMSG_DATA(&control.head);
	size_t count = (control.head.cmsg_len - CMSG_LEN(0)) / sizeof(int);
	for (size_t i = 0; i < count && i < max; i++)
		fds[(*out_count)++] = in[i];
	return n;
}
