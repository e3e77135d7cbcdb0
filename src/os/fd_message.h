/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_OS_FD_MESSAGE_H
#define W_OS_FD_MESSAGE_H

#include <stddef.h>
#include <sys/types.h>

/*
 * Messages over a Unix socket that carry open descriptors.
 */
#define W_FD_MESSAGE_MAX 16

struct w_fd_message {
	void *bytes;
	size_t len; /* when receiving: the maximum */
	int *fds;
	size_t count;
};

/* Sends all of it at once; may block. 0, or an errno. */
int w_fd_message_send(int socket, const struct w_fd_message *message);

/*
 * Receives up to message->len bytes and message->count descriptors, which are
 * close-on-exec and yours; message->count becomes how many came, even when too
 * few bytes did. flags as for recvmsg(). The number of bytes, or -1 with errno;
 * then no descriptors came.
 */
ssize_t w_fd_message_receive(
    int socket, int flags, struct w_fd_message *message);

#endif /* W_OS_FD_MESSAGE_H */
