/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_NETLINK_MESSAGE_H
#define W_RUN_NETLINK_MESSAGE_H

#include <linux/netlink.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Messages for the kernel's netlink sockets, written into one buffer.
 * Everything in them is ours, and small: what would not fit ends the process.
 */
enum {
	NETLINK_SIZE = 4096
};

struct netlink_message {
	_Alignas(NLMSG_ALIGNTO) char bytes[NETLINK_SIZE];
	size_t len;
	struct nlmsghdr *head; /* of the message that is being written */
	uint32_t acks;         /* that were asked for */
};

/* Begins a message with the head of its family. */
void netlink_begin(struct netlink_message *message, uint32_t type,
    uint32_t flags, const void *family, size_t len);
void netlink_put(struct netlink_message *message, uint32_t type,
    const void *value, size_t len);
void netlink_put_text(
    struct netlink_message *message, uint32_t type, const char *text);
/* A number in network order. */
void netlink_put_number(
    struct netlink_message *message, uint32_t type, uint32_t value);
struct nlattr *netlink_open(struct netlink_message *message, uint32_t type);
void netlink_close(struct netlink_message *message, struct nlattr *attribute);

/* Sends what was written and waits until all is acknowledged. 0, or the first
 * error. */
long netlink_talk(const struct netlink_message *message, int family);

#endif /* W_RUN_NETLINK_MESSAGE_H */
