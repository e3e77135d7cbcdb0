/* SPDX-License-Identifier: Apache-2.0 */

/* Reaching somebody: every listener of the stage is on this machine. */

#include "attempt.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum {
	PROTOCOL_MPTCP = 262
};

static struct sockaddr_in
loopback(const char *port_fact)
{
	struct sockaddr_in address = {.sin_family = AF_INET};

	address.sin_port = htons((uint16_t)fact_number(port_fact));
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	return address;
}

static int
connect_stream(int protocol)
{
	const struct sockaddr_in address = loopback("tcp");
	const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, protocol);

	if (fact("tcp") == NULL)
		return CANNOT;
	if (fd < 0)
		return errno == EPROTONOSUPPORT && protocol != 0 ? CANNOT
								 : -errno;
	return outcome(
	    connect(fd, (const struct sockaddr *)&address, sizeof(address)));
}

static int
tcp(void)
{
	return connect_stream(0);
}

static int
mptcp(void)
{
	return connect_stream(PROTOCOL_MPTCP);
}

static int
tcp_without_connect(void)
{
	const struct sockaddr_in address = loopback("tcp");
	const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fact("tcp") == NULL)
		return CANNOT;
	if (fd < 0)
		return -errno;
	return outcome(sendto(fd, "x", 1, MSG_FASTOPEN | MSG_NOSIGNAL,
	    (const struct sockaddr *)&address, sizeof(address)));
}

static int
tcp6(void)
{
	struct sockaddr_in6 address = {.sin6_family = AF_INET6};
	const int fd = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fact("tcp") == NULL)
		return CANNOT;
	if (fd < 0)
		return -errno;
	/* The IPv4 listener by its mapped address. */
	address.sin6_port = htons((uint16_t)fact_number("tcp"));
	(void)inet_pton(AF_INET6, "::ffff:127.0.0.1", &address.sin6_addr);
	return outcome(
	    connect(fd, (const struct sockaddr *)&address, sizeof(address)));
}

/* The port is taken: who is told so is in the machine's network. */
static int
tcp_bind(void)
{
	const struct sockaddr_in address = loopback("tcp");
	const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fact("tcp") == NULL)
		return CANNOT;
	if (fd < 0)
		return -errno;
	if (bind(fd, (const struct sockaddr *)&address, sizeof(address)) < 0)
		return errno == EADDRINUSE ? OPEN : -errno;
	return -EADDRNOTAVAIL;
}

static int
answered(int fd)
{
	struct pollfd wait = {.fd = fd, .events = POLLIN};
	char text[16];

	if (poll(&wait, 1, 300) <= 0)
		return -ETIMEDOUT;
	return outcome(recv(fd, text, sizeof(text), MSG_DONTWAIT));
}

static int
udp(void)
{
	const struct sockaddr_in address = loopback("udp");
	const int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (fact("udp") == NULL)
		return CANNOT;
	if (fd < 0)
		return -errno;
	if (sendto(fd, "x", 1, 0, (const struct sockaddr *)&address,
		sizeof(address)) < 0)
		return -errno;
	return answered(fd);
}

static int
connect_unix(const char *name, bool is_abstract, int type)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	const size_t shift = is_abstract ? 1 : 0;
	socklen_t len;
	int fd;

	if (name == NULL || strlen(name) + 2 > sizeof(address.sun_path))
		return CANNOT;
	(void)memcpy(address.sun_path + shift, name, strlen(name));
	len = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + shift +
			  strlen(name));
	fd = socket(AF_UNIX, type | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -errno;
	return outcome(connect(fd, (const struct sockaddr *)&address, len));
}

static int
unix_elsewhere(void)
{
	return connect_unix(beneath("outside", "socket"), false, SOCK_STREAM);
}

static int
unix_tmp(void)
{
	return connect_unix(fact("tmpsocket"), false, SOCK_STREAM);
}

static int
unix_hidden(void)
{
	return connect_unix(beneath("hidden", "socket"), false, SOCK_STREAM);
}

static int
unix_workspace(void)
{
	return connect_unix("socket", false, SOCK_STREAM);
}

static int
unix_datagram(void)
{
	return connect_unix(beneath("outside", "datagram"), false, SOCK_DGRAM);
}

static int
unix_abstract(void)
{
	return connect_unix(fact("abstract"), true, SOCK_STREAM);
}

/* A datagram socket of a pair can be turned to anybody. */
static int
unix_turned(void)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	const char *path = beneath("outside", "datagram");
	int fds[2];

	if (path == NULL || strlen(path) >= sizeof(address.sun_path))
		return CANNOT;
	(void)memcpy(address.sun_path, path, strlen(path));
	if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, fds) < 0)
		return -errno;
	return outcome(sendto(fds[0], "x", 1, 0,
	    (const struct sockaddr *)&address, sizeof(address)));
}

const struct attempt network_attempts[] = {
    {"tcp", "connect to a port of the machine", tcp, false},
    {"tcp6", "connect to it by IPv6", tcp6, false},
    {"tcp-fastopen", "connect by sending", tcp_without_connect, false},
    {"mptcp", "connect by multipath TCP", mptcp, false},
    {"tcp-bind", "bind to a port of the machine", tcp_bind, false},
    {"udp", "send a datagram to a port of the machine", udp, false},
    {"unix-tmp", "connect to a socket in the machine's /tmp", unix_tmp, false},
    {"unix-hidden", "connect to a socket that the caller hides", unix_hidden,
	false},
    {"unix-elsewhere", "connect to a socket elsewhere in the files",
	unix_elsewhere, false},
    {"unix-workspace", "connect to a socket in the workspace", unix_workspace,
	false},
    {"unix-datagram", "reach a datagram socket elsewhere", unix_datagram,
	false},
    {"unix-turned", "reach it from a socket of a pair", unix_turned, false},
    {"unix-abstract", "connect to an abstract socket", unix_abstract, false},
    {NULL, NULL, NULL, false},
};
