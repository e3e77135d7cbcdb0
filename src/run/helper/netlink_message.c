/* SPDX-License-Identifier: Apache-2.0 */

/* Writes and sends netlink messages; see netlink_message.h. */

#include "run/helper/netlink_message.h"

#include <errno.h>
#include <sys/socket.h>

#include "os/syscall.h"
#include "run/helper/helper.h"

enum {
	ATTRIBUTE_HEAD = sizeof(struct nlattr)
};

static void *
grow(struct netlink_message *message, size_t len)
{
	char *at = message->bytes + message->len;

	if (NLMSG_ALIGN(len) > sizeof(message->bytes) - message->len)
		quit(125);
	for (size_t i = 0; i < NLMSG_ALIGN(len); i++)
		at[i] = 0;
	message->len += NLMSG_ALIGN(len);
	return at;
}

static void
copy_bytes(char *to, const char *from, size_t len)
{
	for (size_t i = 0; i < len; i++)
		to[i] = from[i];
}

/* The head counts all that follows. */
static void
count(struct netlink_message *message)
{
	message->head->nlmsg_len =
	    (uint32_t)(message->bytes + message->len - (char *)message->head);
}

void
netlink_begin(struct netlink_message *message, uint32_t type, uint32_t flags,
    const void *family, size_t len)
{
	message->head = grow(message, NLMSG_LENGTH(len));
	message->head->nlmsg_type = (uint16_t)type;
	message->head->nlmsg_flags = (uint16_t)(NLM_F_REQUEST | flags);
	message->head->nlmsg_seq = 1;
	message->acks += (flags & NLM_F_ACK) != 0;
	copy_bytes((char *)message->head + NLMSG_HDRLEN, family, len);
	count(message);
}

void
netlink_put(struct netlink_message *message, uint32_t type, const void *value,
    size_t len)
{
	struct nlattr *attribute = grow(message, ATTRIBUTE_HEAD + len);

	attribute->nla_type = (uint16_t)type;
	attribute->nla_len = (uint16_t)(ATTRIBUTE_HEAD + len);
	copy_bytes((char *)attribute + ATTRIBUTE_HEAD, value, len);
	count(message);
}

void
netlink_put_text(
    struct netlink_message *message, uint32_t type, const char *text)
{
	size_t len = 0;

	while (text[len] != '\0')
		len++;
	netlink_put(message, type, text, len + 1);
}

void
netlink_put_number(
    struct netlink_message *message, uint32_t type, uint32_t value)
{
	const uint32_t bytes = __builtin_bswap32(value);

	netlink_put(message, type, &bytes, sizeof(bytes));
}

struct nlattr *
netlink_open(struct netlink_message *message, uint32_t type)
{
	struct nlattr *attribute = grow(message, ATTRIBUTE_HEAD);

	attribute->nla_type = (uint16_t)(type | NLA_F_NESTED);
	attribute->nla_len = ATTRIBUTE_HEAD;
	count(message);
	return attribute;
}

void
netlink_close(struct netlink_message *message, struct nlattr *attribute)
{
	attribute->nla_len =
	    (uint16_t)(message->bytes + message->len - (char *)attribute);
}

/* Each acknowledgement is a message of its own; several may come at once. */
static long
await_acks(long fd, uint32_t acks)
{
	_Alignas(NLMSG_ALIGNTO) char bytes[NETLINK_SIZE];

	while (acks > 0) {
		const long n = w_sys6(
		    __NR_recvfrom, fd, (long)bytes, sizeof(bytes), 0, 0, 0);
		size_t at = 0;

		if (n == -EINTR)
			continue;
		if (n <= 0)
			return n == 0 ? -EPROTO : n;
		while ((size_t)n - at >= sizeof(struct nlmsghdr)) {
			const struct nlmsghdr *head =
			    (const void *)(bytes + at);
			const struct nlmsgerr *answer =
			    (const void *)(bytes + at + NLMSG_HDRLEN);

			if (head->nlmsg_type != NLMSG_ERROR ||
			    head->nlmsg_len < NLMSG_LENGTH(sizeof(*answer)) ||
			    head->nlmsg_len > (size_t)n - at)
				return -EPROTO;
			if (answer->error != 0)
				return answer->error;
			if (--acks == 0)
				return 0;
			at += NLMSG_ALIGN(head->nlmsg_len);
			if (at >= (size_t)n)
				break;
		}
	}
	return 0;
}

long
netlink_talk(const struct netlink_message *message, int family)
{
	struct sockaddr_nl kernel = {.nl_family = AF_NETLINK};
	const long fd =
	    w_sys3(__NR_socket, AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, family);

	if (fd < 0)
		return fd;
	long ret = w_sys6(__NR_sendto, fd, (long)message->bytes,
	    (long)message->len, 0, (long)&kernel, sizeof(kernel));
	if (ret >= 0)
		ret = await_acks(fd, message->acks);
	(void)w_sys1(__NR_close, fd);
	return ret;
}
