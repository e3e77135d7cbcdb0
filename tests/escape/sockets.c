/* SPDX-License-Identifier: Apache-2.0 */

/* Kinds of sockets: each family is kernel code that strangers can reach. */

#include "attempt.h"

#include <errno.h>
#include <linux/if_ether.h>
#include <linux/netlink.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A family that the kernel does not know cannot be tried. */
static int
make(int family, int type, int protocol)
{
	const int fd = socket(family, type | SOCK_CLOEXEC, protocol);

	if (fd < 0)
		return errno == EAFNOSUPPORT || errno == ESOCKTNOSUPPORT ||
			       errno == EPROTONOSUPPORT
			   ? CANNOT
			   : -errno;
	(void)close(fd);
	return OPEN;
}

static int
internet(void)
{
	return make(AF_INET, SOCK_DGRAM, 0);
}

static int
raw(void)
{
	return make(AF_INET, SOCK_RAW, IPPROTO_ICMP);
}

static int
ping(void)
{
	return make(AF_INET, SOCK_DGRAM, IPPROTO_ICMP);
}

static int
packet(void)
{
	return make(AF_PACKET, SOCK_RAW, 0);
}

static int
netlink_route(void)
{
	return make(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);
}

static int
netlink_events(void)
{
	return make(AF_NETLINK, SOCK_RAW, NETLINK_KOBJECT_UEVENT);
}

static int
netlink_filter(void)
{
	return make(AF_NETLINK, SOCK_RAW, NETLINK_NETFILTER);
}

static int
vsock(void)
{
	return make(AF_VSOCK, SOCK_STREAM, 0);
}

static int
crypto(void)
{
	return make(AF_ALG, SOCK_SEQPACKET, 0);
}

static int
xdp(void)
{
	return make(AF_XDP, SOCK_RAW, 0);
}

static int
bluetooth(void)
{
	return make(AF_BLUETOOTH, SOCK_RAW, 1);
}

static int
key_management(void)
{
	return make(AF_KEY, SOCK_RAW, 2);
}

/* The kernel takes the family as 32 bits. */
static int
vsock_widely(void)
{
	const long fd = syscall(
	    SYS_socket, (1UL << 32) | AF_VSOCK, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return errno == EAFNOSUPPORT ? CANNOT : -errno;
	return OPEN;
}

static int
vsock_pair(void)
{
	int fds[2];

	/* No family but AF_UNIX makes pairs: EOPNOTSUPP means the kernel was
	 * asked. */
	if (socketpair(AF_VSOCK, SOCK_STREAM, 0, fds) == 0 ||
	    errno == EOPNOTSUPP)
		return OPEN;
	return errno == EAFNOSUPPORT ? CANNOT : -errno;
}

const struct attempt socket_attempts[] = {
    {"socket-inet", "make an internet socket", internet, false},
    {"socket-raw", "make a raw internet socket", raw, false},
    {"socket-ping", "make a socket for echo requests", ping, false},
    {"socket-packet", "make a socket for raw packets", packet, false},
    {"socket-netlink", "make a netlink socket for routes", netlink_route,
	false},
    {"socket-uevent", "make a netlink socket for device events", netlink_events,
	false},
    {"socket-netfilter", "make a netlink socket for the firewall",
	netlink_filter, false},
    {"socket-vsock", "make a socket to the hypervisor", vsock, false},
    {"socket-vsock-wide", "the same with a number beyond 32 bits", vsock_widely,
	false},
    {"socket-vsock-pair", "make a pair of them", vsock_pair, false},
    {"socket-alg", "make a socket of the kernel's cryptography", crypto, false},
    {"socket-xdp", "make a socket of the fast data path", xdp, false},
    {"socket-bluetooth", "make a Bluetooth socket", bluetooth, false},
    {"socket-key", "make a socket of key management", key_management, false},
    {NULL, NULL, NULL, false},
};
