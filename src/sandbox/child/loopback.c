/* SPDX-License-Identifier: Apache-2.0 */

/* The loopback interface of a new network namespace is down. */

#include <errno.h>
#include <linux/if.h>
#include <linux/sockios.h>
#include <sys/socket.h>

#include "os/syscall.h"
#include "sandbox/child/enter.h"

long
w_enter_loopback(void)
{
	struct ifreq request = {.ifr_name = "lo"};

	/* The kernel sets IFF_RUNNING by itself. */
	request.ifr_flags = IFF_UP;
	long fd = w_sys3(__NR_socket, AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd == -EAFNOSUPPORT)
		fd =
		    w_sys3(__NR_socket, AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return fd;
	long ret = w_sys3(__NR_ioctl, fd, SIOCSIFFLAGS, &request);
	(void)w_sys1(__NR_close, fd);
	return ret;
}
