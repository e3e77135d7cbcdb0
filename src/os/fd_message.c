/* SPDX-License-Identifier: Apache-2.0 */

/* Sends and receives descriptors: SCM_RIGHTS. */

#include "os/fd_message.h"

#include <assert.h>
#include <errno.h>
#include <string.h>
#include <sys/socket.h>

/* Aligned as the CMSG macros need it. */
union fd_message_control {
	struct cmsghdr head;
	char bytes[CMSG_SPACE(W_FD_MESSAGE_MAX * sizeof(int))];
};

static struct msghdr
header_for(const struct w_fd_message *message, struct iovec *part,
    union fd_message_control *control)
{
	assert(message->count <= W_FD_MESSAGE_MAX);
	*part =
	    (struct iovec){.iov_base = message->bytes, .iov_len = message->len};
	*control = (union fd_message_control){0};
	/* CMSG_SPACE() rounds up, which could let in one more. */
	return (struct msghdr){
	    .msg_iov = part,
	    .msg_iovlen = 1,
	    .msg_control = control,
	    .msg_controllen = CMSG_LEN(message->count * sizeof(int)),
	};
}

int
w_fd_message_send(int socket, const struct w_fd_message *message)
{
	union fd_message_control control;
	struct iovec part;
	const struct msghdr header = header_for(message, &part, &control);
	ssize_t n;

	control.head = (struct cmsghdr){
	    .cmsg_len = header.msg_controllen,
	    .cmsg_level = SOL_SOCKET,
	    .cmsg_type = SCM_RIGHTS,
	};
	if (message->count > 0)
		memcpy(CMSG_DATA(&control.head), message->fds,
		    message->count * sizeof(int));
	do {
		n = sendmsg(socket, &header, MSG_NOSIGNAL);
	} while (n < 0 && errno == EINTR);
	return n < 0 ? errno : 0;
}

static size_t
take_fds(struct msghdr *header, int *fds)
{
	const struct cmsghdr *head = CMSG_FIRSTHDR(header);

	if (head == NULL || head->cmsg_type != SCM_RIGHTS)
		return 0;
	size_t count = (head->cmsg_len - CMSG_LEN(0)) / sizeof(int);
	memcpy(fds, CMSG_DATA(head), count * sizeof(int));
	return count;
}

ssize_t
w_fd_message_receive(int socket, int flags, struct w_fd_message *message)
{
	union fd_message_control control;
	struct iovec part;
	struct msghdr header = header_for(message, &part, &control);
	ssize_t n = recvmsg(socket, &header, flags | MSG_CMSG_CLOEXEC);

	message->count = n < 0 ? 0 : take_fds(&header, message->fds);
	return n;
}
